"""Counting a file without a browser: the count, its table, stopping, waiting for a turn, faults, the page."""

from __future__ import annotations

import io
import json
import threading
import tomllib

import pytest

from calc.errors import ConfigError
from calc.tokens.encoding import encode
from calc.tokens.file_count import LIMIT_BYTES
from calc.tokens.vocabularies import tokenizers
from ui.tokens import file_count
from ui.tokens.file_count import FileCount
from ui.tokens.file_figure import file_totals
from ui.tokens.own_tokenizers import UPLOAD_MEGABYTES

from .screen import LANGUAGES, REPOSITORY, elements, figures, of_class, spaced
from .token_pages import page


def counted(content: bytes, names=("llama-2", "llama-3"), read_as="whole", field=None) -> FileCount:
    count = FileCount("a.txt", io.BytesIO(content), names, [tokenizers()[name].title for name in names], read_as, field)
    count.wait(60)
    assert count.is_over
    return count


def test_a_file_is_counted_as_its_text_is():
    text = "我吃了一个苹果。I ate an apple.\n" * 20_000
    count = counted(text.encode())
    assert count.state == count.DONE and count.progress.total.tokens == (
        encode("llama-2", text).count,
        encode("llama-3", text).count,
    )
    shown = spaced(elements(file_totals("en", count.progress.total, count.titles, False)))
    assert f"{encode('llama-3', text).count:,}" in shown and f"{len(text):,} characters" in shown


def test_rows_are_written_as_csv():
    rows = [json.dumps({"text": text}) for text in ("strawberry", "12345", "")]
    count = counted("\n".join(rows).encode(), read_as="jsonl", field="text")
    lines = count.table(["row", "characters", "bytes", "a", "b"]).splitlines()
    assert lines == ["row,characters,bytes,a,b", "1,10,10,3,3", "2,5,5,6,2", "3,0,0,0,0"]
    assert count.table(["x"]).splitlines()[1:] == lines[1:], "it can be taken twice"


class Held(io.BytesIO):
    """A file whose second block comes only when it is let go."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.reached, self.go, self.blocks = threading.Event(), threading.Event(), 0

    def read(self, size: int = -1) -> bytes:
        self.blocks += 1
        if self.blocks == 3:
            self.reached.set()
            self.go.wait(30)
        return super().read(size)


def test_a_count_is_stopped_and_keeps_what_it_has():
    content = Held(b"one two three " * 200_000)
    count = FileCount("a.txt", content, ["llama-3"], ["Llama 3"], "whole", None)
    assert content.reached.wait(30)
    count.stop()
    content.go.set()
    count.wait(30)
    assert count.state == count.STOPPED and 0 < count.progress.bytes_done < count.progress.bytes_in_all
    assert content.blocks < 6, "it reads no further"


def test_no_more_files_than_two_are_counted_at_once_and_one_waiting_can_be_stopped():
    held = [Held(b"one two three " * 200_000) for _ in range(file_count.AT_ONCE)]
    running = [FileCount("a.txt", content, ["llama-3"], ["Llama 3"], "whole", None) for content in held]
    assert all(content.reached.wait(30) for content in held)
    waiting = FileCount("b.txt", io.BytesIO(b"x"), ["llama-3"], ["Llama 3"], "whole", None)
    assert not waiting.is_over
    waiting.stop()
    waiting.wait(30)
    assert waiting.state == waiting.STOPPED and waiting.progress is None
    for content in held:
        content.go.set()
    for count in running:
        count.wait(60)
    assert [count.state for count in running] == [FileCount.DONE] * len(running)


def test_a_faulty_file_ends_with_its_fault():
    count = counted(b"ok \xff\xfe not text")
    assert count.state == count.FAILED and isinstance(count.fault, ConfigError) and count.fault.code == "text_not_utf8"
    broken = FileCount("a.txt", None, ["llama-3"], ["Llama 3"], "whole", None)
    broken.wait(30)
    assert broken.state == broken.FAILED and isinstance(broken.fault, AttributeError)


def test_the_server_takes_a_file_as_large_as_the_pages_say():
    config = tomllib.loads((REPOSITORY / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] * 1_000_000 >= max(LIMIT_BYTES, UPLOAD_MEGABYTES * 1_000_000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_uploaded_file_is_counted(language):
    app = page("token_files", lang=language, tokenizers="llama-2")
    app.file_uploader(key="upload_text").set_value(("a.csv", b"id,text\n1,strawberry\n2,12345\n", "text/csv")).run()
    assert not app.exception
    assert app.selectbox(key="field").value == "text" and app.selectbox(key="field").options == ["id", "text"]
    app.button(key="start_count").click().run()
    app.session_state["file_count"].wait(60)
    app.run()
    assert not app.exception
    rows = [spaced(row) for row in of_class(figures(app), "plain-table")[0].iter("tr")]
    assert rows[1].startswith("Llama 2 9")
