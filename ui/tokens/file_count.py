"""Counting a file in a thread, which reports how far it is and can be stopped, while the page is used."""

from __future__ import annotations

import csv
import io
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from calc.errors import ConfigError
from calc.tokens.file_count import Progress, TextCount, count_file

if TYPE_CHECKING:
    from calc.tokens.own_tokenizer import OwnTokenizer

MOST_ROWS = 1_048_575
"""In the table: Excel takes one more, its heading. All are counted."""
AT_ONCE = 2
"""Files counted at the same time in this process; others wait."""
_turns = threading.BoundedSemaphore(AT_ONCE)


class FileCount:
    """A count that is under way, or done.

    file       its name
    titles     of the tokenizers, in the order of the figures
    progress   the latest report, None before the first
    fault      why it ended early: a ConfigError, or any other error
    state      WAITING, COUNTING, DONE, STOPPED or FAILED
    """

    WAITING, COUNTING, DONE, STOPPED, FAILED = "waiting", "counting", "done", "stopped", "failed"

    def __init__(
        self,
        file: str,
        content: BinaryIO,
        tokenizers: Sequence[str | OwnTokenizer],
        titles: Sequence[str],
        read_as: str,
        field: str | None,
    ) -> None:
        self.file, self.titles = file, tuple(titles)
        self.progress: Progress | None = None
        self.fault: Exception | None = None
        self.state = self.WAITING
        self.rows_written = 0
        self._stop = threading.Event()
        self._rows = tempfile.SpooledTemporaryFile(max_size=4_000_000)  # noqa: SIM115  # lives as long as this count
        names = list(tokenizers)
        begin = (lambda: count_file(content, names, read_as, field, file),)  # the thread lets go of it, and of the content
        self._thread = threading.Thread(target=self._count, args=begin, name="file count", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether this was the last report."""
        return self.state in (self.DONE, self.STOPPED, self.FAILED)

    def stop(self) -> None:
        """End it after the present piece; its count so far stays."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        """Wait until it is over, at most that long."""
        self._thread.join(seconds)

    def table(self, headings: Sequence[str]) -> str:
        """The rows as CSV under these headings: number, characters, bytes, and one a tokenizer; the sum last of several."""
        written = io.StringIO(newline="")
        csv.writer(written).writerow(headings)
        self._rows.seek(0)
        written.write(self._rows.read().decode("ascii"))
        return written.getvalue()

    def _count(self, begin: Callable[[], Iterable[Progress]]) -> None:
        try:
            while not _turns.acquire(timeout=0.1):
                if self._stop.is_set():
                    self.state = self.STOPPED
                    return
            try:
                self._run(begin)
            finally:
                _turns.release()
        except ConfigError as error:
            self.fault, self.state = error.with_traceback(None), self.FAILED
        except Exception as error:  # an error in a thread is lost unless the page raises it again
            self.fault, self.state = error, self.FAILED

    def _run(self, begin: Callable[[], Iterable[Progress]]) -> None:
        self.state = self.COUNTING
        if self._stop.is_set():
            self.state = self.STOPPED
            return
        for progress in begin():
            self._write(progress.rows)
            self.progress = progress
            if self._stop.is_set() and not progress.is_done:
                self.state = self.STOPPED
                return
        self.state = self.DONE

    def _write(self, rows: Sequence[TextCount]) -> None:
        rows = rows[: MOST_ROWS - self.rows_written]
        lines = (f"{row.number},{row.characters},{row.bytes},{','.join(map(str, row.tokens))}\r\n" for row in rows)
        self._rows.write("".join(lines).encode("ascii"))
        self.rows_written += len(rows)
