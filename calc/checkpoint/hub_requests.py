"""Requests to the Hub: pieces of files fetched in threads, every answer bounded in time and length, every failure one fault.

The library's own client asks (its proxies, certificates and hooks count), but under rules of its own here: a total time
limit, a limit on silence, and never more bytes than were asked for.
"""

from __future__ import annotations

import contextlib
import io
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from calc.checkpoint.gguf_header import LIMIT_BYTES as GGUF_LIMIT_BYTES
from calc.checkpoint.hub_address import HubAddress
from calc.checkpoint.stored import Progress
from calc.errors import ConfigError, quoted

T = TypeVar("T")

STALL_SECONDS = 8.0
"""Silence after which a connection is given up."""
CONNECT_SECONDS = 5.0
AT_ONCE = 8
TELL_SECONDS = 0.25
"""Progress is told at least this often, also while nothing comes: what it raises then ends the read."""

MIRRORS = {
    "meta-llama/llama-2-7b-hf": "NousResearch/Llama-2-7b-hf",
    "meta-llama/llama-2-13b-hf": "NousResearch/Llama-2-13b-hf",
    "meta-llama/llama-2-70b-hf": "NousResearch/Llama-2-70b-hf",
    "meta-llama/meta-llama-3-8b": "NousResearch/Meta-Llama-3-8B",
    "meta-llama/meta-llama-3-70b": "NousResearch/Meta-Llama-3-70B",
    "meta-llama/llama-3.1-8b": "NousResearch/Meta-Llama-3.1-8B",
    "meta-llama/llama-3.2-1b": "unsloth/Llama-3.2-1B",
    "meta-llama/llama-3.2-3b": "unsloth/Llama-3.2-3B",
    "google/gemma-2b": "unsloth/gemma-2b",
    "google/gemma-2-2b": "unsloth/gemma-2-2b",
    "google/gemma-3-1b-it": "unsloth/gemma-3-1b-it",
    "google/gemma-3-4b-it": "unsloth/gemma-3-4b-it",
    "google/gemma-3-27b-it": "unsloth/gemma-3-27b-it",
}
"""Open copies of gated repositories, by lower-case id."""


class HubRequests:
    """Asks the Hub about one model in threads of its own, and waits for them no longer than the time limit.

    address              the model
    time_limit_seconds   s, of everything asked through it
    token                None: the machine's own goes along where there is one; False: it stays here
    progress             told after each file, and every `TELL_SECONDS` while waiting
    """

    def __init__(
        self, address: HubAddress, time_limit_seconds: float, token: bool | None = None, progress: Progress | None = None
    ) -> None:
        from huggingface_hub import constants, get_session
        from huggingface_hub.utils import build_hf_headers

        self.address = address
        self.endpoint = constants.ENDPOINT
        self.headers = build_hf_headers(token=token) | {"Accept-Encoding": "identity"}
        shared = get_session()
        # the library's client under its own rules, but one that can be closed over the heads of its threads
        self.client = type(shared)(event_hooks=shared.event_hooks, follow_redirects=True)
        self.pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hub")
        self.limit_seconds = time_limit_seconds
        self.deadline = time.monotonic() + time_limit_seconds
        self.progress, self.files_read, self.files = progress, 0, 0
        self.bytes_read = 0
        self.counting = threading.Lock()

    def __enter__(self) -> HubRequests:
        return self

    def __exit__(self, *_: object) -> None:
        self.deadline = 0.0
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.client.close()

    def start(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Call in a thread."""
        return self.pool.submit(function, *arguments)

    def wait_for(self, future: Future[T]) -> T:
        """What the call gives, or its fault, or the fault that time is up."""
        self._any_of({future})
        return future.result()

    def wait_for_all(self, futures: Mapping[str, Future[T]]) -> dict[str, T]:
        """What all calls give, a file each; the first fault ends it."""
        waiting: set[Future[T]] = set(futures.values())
        self.files = len(futures)
        while waiting:
            done, waiting = self._any_of(waiting)
            for future in done:
                future.result()
            self.files_read = len(futures) - len(waiting)
            self._tell()
        return {file: future.result() for file, future in futures.items()}

    def _any_of(self, waiting: set[Future[T]]) -> tuple[set[Future[T]], set[Future[T]]]:
        """Those that are done, at least one of them, and the others."""
        while True:
            left = self.seconds_left()
            done, others = wait(waiting, min(TELL_SECONDS, left), FIRST_COMPLETED)
            if done:
                return done, others
            if left <= TELL_SECONDS:
                raise self._too_slow()
            self._tell()

    def _tell(self) -> None:
        if self.progress:
            self.progress(self.files_read, self.files, self.bytes_read)

    def get(self, url: str, file: str, begin: int, length: int) -> tuple[bytes, int | None]:
        """`length` bytes from `begin` of a file, fewer where it ends before; and the file's size where it is told.

        Raises ConfigError: hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found, hub_no_such_file,
        hub_too_many_requests, hub_failing, hub_unreachable, hub_too_slow, hub_cut_short.
        """
        import httpx2

        seconds = min(STALL_SECONDS, self.seconds_left())
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        headers = self.headers | {"Range": f"bytes={begin}-{begin + length - 1}"}
        try:
            with self.client.stream("GET", url, headers=headers, timeout=timeout) as answer:
                if answer.status_code == 416:
                    return b"", begin
                self._check_status(answer.status_code, answer.headers, file)
                skip, size_bytes = (
                    (0, _size_of(answer.headers)) if answer.status_code == 206 else (begin, _length_of(answer.headers))
                )
                content = bytearray()
                with contextlib.closing(answer.iter_bytes()) as chunks:
                    for chunk in self._in_time(chunks):
                        content += chunk
                        if len(content) >= skip + length:
                            break
                return bytes(content[skip : skip + length]), size_bytes
        except httpx2.TimeoutException:
            raise self._too_slow(seconds) from None
        except httpx2.RemoteProtocolError:
            raise ConfigError("hub_cut_short", file=quoted(file), endpoint=self.endpoint) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, RuntimeError, OSError) as error:
            if self.seconds_left() <= 0:
                raise self._too_slow() from None
            raise ConfigError(
                "hub_unreachable", endpoint=self.endpoint, reason=quoted(str(error) or type(error).__name__)
            ) from None

    def seconds_left(self) -> float:
        """s until the time limit, 0 when it is over."""
        return max(self.deadline - time.monotonic(), 0.0)

    def _in_time(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            with self.counting:
                self.bytes_read += len(chunk)
            if self.seconds_left() <= 0:
                raise self._too_slow()
            yield chunk

    def _check_status(self, status: int, headers: Mapping[str, str], file: str) -> None:
        if status in (200, 206):
            return
        model, code = self.address.repo_id, headers.get("x-error-code", "")
        mirror = MIRRORS.get(model.lower())
        if status == 401 and code != "GatedRepo" and not mirror:
            raise ConfigError("hub_needs_token", model=model)
        if status in (401, 403):
            if mirror:
                raise ConfigError("hub_forbidden_mirror", model=model, mirror=mirror)
            raise ConfigError("hub_forbidden", model=model)
        if status == 404 and code not in ("RepoNotFound", "RevisionNotFound") and (code == "EntryNotFound" or file != model):
            raise ConfigError("hub_no_such_file", file=quoted(file), model=model)
        if status == 404:
            raise ConfigError("hub_not_found", model=str(self.address), endpoint=self.endpoint)
        if status == 429:
            raise ConfigError("hub_too_many_requests", endpoint=self.endpoint)
        raise ConfigError("hub_failing", endpoint=self.endpoint, status=status)

    def _too_slow(self, seconds: float | None = None) -> ConfigError:
        return ConfigError("hub_too_slow", endpoint=self.endpoint, seconds=round(seconds or self.limit_seconds))


def _size_of(headers: Mapping[str, str]) -> int | None:
    """The file's size by a partial answer's `Content-Range: bytes 0-7/1234`."""
    size = headers.get("content-range", "").rpartition("/")[2]
    return int(size) if size.isascii() and size.isdigit() and len(size) < 20 else None


def _length_of(headers: Mapping[str, str]) -> int | None:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None


class ReadAhead(io.RawIOBase):
    """A remote file read forward in pieces that grow from 64 KB to 1 MB.

    get   from (begin, length) to the piece and the file's size, where it is told
    """

    FIRST, LARGEST = 65_536, 1_048_576

    def __init__(self, get: Callable[[int, int], tuple[bytes, int | None]]) -> None:
        self.get, self.size_bytes = get, None
        self.piece, self.at, self.fetched, self.length = b"", 0, 0, self.FIRST

    def peek(self) -> bool:
        """Fetch the first piece, and with it the file's size."""
        self._fetch()
        return bool(self.piece)

    def readable(self) -> bool:
        """It is for reading only."""
        return True

    def readinto(self, buffer: memoryview) -> int:
        """Fill what is asked for, as far as the fetched piece goes."""
        if self.at == len(self.piece):
            self._fetch()
        taken = self.piece[self.at : self.at + len(buffer)]
        buffer[: len(taken)] = taken
        self.at += len(taken)
        return len(taken)

    def _fetch(self) -> None:
        if self.fetched > GGUF_LIMIT_BYTES:
            self.piece, self.at = b"", 0
            return
        self.piece, size_bytes = self.get(self.fetched, self.length)
        self.size_bytes = size_bytes if self.size_bytes is None else self.size_bytes
        self.at, self.fetched = 0, self.fetched + len(self.piece)
        self.length = min(2 * self.length, self.LARGEST)
