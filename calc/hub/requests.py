"""Requests to the Hub: pieces of files fetched in threads, every answer bounded in time and length, every failure one fault.

The library's own client sends them, so that its proxies, certificates and hooks count, under stricter rules: a total
time limit, a limit on silence, and never more bytes than were asked for.
"""

from __future__ import annotations

import contextlib
import os
import platform
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from calc.errors import ConfigError, quoted
from calc.hub.address import HubAddress, open_copy_of

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")
Progress = Callable[[int, int, int], None]
"""Called while a read goes on: files read, files there are, bytes transferred so far."""

STALL_SECONDS = 8.0
"""Silence after which a connection is given up."""
CONNECT_SECONDS = 5.0
MOST_REDIRECTS = 5
AT_ONCE = 8
PROGRESS_SECONDS = 0.25
"""Progress is called at least this often, also while nothing comes: what it raises then ends the read."""


class NoSuchFile(ConfigError):
    """The model is there, the file is not: hub_no_such_file."""


class HubClient:
    """Asks the Hub about one model.

    address              the model
    time_limit_seconds   s, for all its requests together
    token                None: the machine's own goes along where there is one; False: it stays here
    """

    def __init__(self, address: HubAddress, time_limit_seconds: float, token: bool | None = None) -> None:
        from huggingface_hub import constants, get_session

        self.address, self.endpoint = address, constants.ENDPOINT
        self.limit_seconds, self.deadline = time_limit_seconds, time.monotonic() + time_limit_seconds
        self.bytes_read = 0
        self._headers = _headers(None if token is False else machine_token())
        shared = get_session()
        # not the shared session itself: closing this one ends the requests of all its threads
        self._session = type(shared)(event_hooks=shared.event_hooks)
        self._counting = threading.Lock()

    def close(self) -> None:
        """Give up whatever is still on its way."""
        self.deadline = 0.0
        self._session.close()

    def url(self, file: str, revision: str) -> str:
        """Where a file of the model is."""
        from huggingface_hub import hf_hub_url

        return hf_hub_url(self.address.repo_id, file, revision=revision, endpoint=self.endpoint)

    def get(self, url: str, file: str, begin: int, length: int) -> tuple[bytes, int | None]:
        """`length` bytes from `begin` of a file, fewer where it ends before; and the file's size where the answer has it.

        Raises ConfigError: hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found, hub_no_such_file,
        hub_too_many_requests, hub_failing, hub_unreachable, hub_too_slow, hub_cut_short.
        """
        import httpx2

        seconds = min(STALL_SECONDS, self.seconds_left())
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        headers = self._headers | {"Range": f"bytes={begin}-{begin + length - 1}"}
        try:
            request = self._session.build_request("GET", url, headers=headers, timeout=timeout)
            with contextlib.closing(self._answer(request)) as answer:
                if answer.status_code == 416:
                    return b"", begin
                self.check_status(answer.status_code, answer.headers, file)
                is_part = answer.status_code == 206
                skip = 0 if is_part else begin
                content = bytearray()
                for chunk in answer.iter_raw():
                    with self._counting:
                        self.bytes_read += len(chunk)
                    if self.seconds_left() <= 0:
                        raise self.too_slow()
                    content += chunk
                    if len(content) >= skip + length:
                        break
                return bytes(content[skip : skip + length]), _file_size(answer.headers, is_part)
        except httpx2.TimeoutException:
            raise self.too_slow(seconds) from None
        except httpx2.RemoteProtocolError:
            raise ConfigError("hub_cut_short", file=quoted(file), endpoint=self.endpoint) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, RuntimeError, OSError) as error:
            if self.seconds_left() <= 0:
                raise self.too_slow() from None
            reason = quoted(str(error) or type(error).__name__)
            raise ConfigError("hub_unreachable", endpoint=self.endpoint, reason=reason) from None

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        """The answer at the end of all redirects; of those the bodies, which may have no end, are not read."""
        import httpx2

        for _ in range(MOST_REDIRECTS + 1):
            if self.seconds_left() <= 0:
                raise self.too_slow()
            answer = self._session.send(request, stream=True)
            if answer.next_request is None:
                return answer
            answer.close()
            request = answer.next_request
        raise httpx2.TooManyRedirects("too many redirects", request=request)

    def seconds_left(self) -> float:
        """s until the time limit, 0 when it is over."""
        return max(self.deadline - time.monotonic(), 0.0)

    def too_slow(self, seconds: float | None = None) -> ConfigError:
        """The fault of no answer within `seconds`, the whole time limit unless given."""
        return ConfigError("hub_too_slow", endpoint=self.endpoint, seconds=round(seconds or self.limit_seconds))

    def check_status(self, status: int, headers: Mapping[str, str], file: str) -> None:
        """Raise the fault that an answer's status means, none for a success."""
        if status in (200, 206):
            return
        model, code = self.address.repo_id, headers.get("x-error-code", "")
        mirror = open_copy_of(model)
        if status == 401 and code != "GatedRepo" and not mirror:
            raise ConfigError("hub_needs_token", model=model)
        if status in (401, 403):
            if mirror:
                raise ConfigError("hub_forbidden_mirror", model=model, mirror=mirror)
            raise ConfigError("hub_forbidden", model=model)
        if status == 404 and code not in ("RepoNotFound", "RevisionNotFound") and (code == "EntryNotFound" or file != model):
            raise NoSuchFile("hub_no_such_file", file=quoted(file), model=model)
        if status == 404:
            raise ConfigError("hub_not_found", model=str(self.address), endpoint=self.endpoint)
        if status == 429:
            raise ConfigError("hub_too_many_requests", endpoint=self.endpoint)
        raise ConfigError("hub_failing", endpoint=self.endpoint, status=status)


class HubRequests:
    """Calls of a client in threads, waited for no longer than its time limit; leaving the block gives up the rest.

    progress   called after each file, and every `PROGRESS_SECONDS` while waiting
    """

    def __init__(self, client: HubClient, progress: Progress | None = None) -> None:
        self.client, self.progress = client, progress
        self.files_read = self.files = 0
        self.threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hub")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.client.close()

    def start(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Call in a thread."""
        return self.threads.submit(function, *arguments)

    def ask(self, function: Callable[..., T], *arguments: object) -> T:
        """Call in a thread, and wait for what it gives."""
        return self.wait_for(self.start(function, *arguments))

    def wait_for(self, future: Future[T]) -> T:
        """What the call gives, or its fault, or the fault that time is up."""
        self._any_of({future})
        return future.result()

    def wait_for_all(self, futures: Mapping[str, Future[T]]) -> dict[str, T]:
        """What all calls give, a file each; the first fault ends it."""
        waiting = set(futures.values())
        self.files = len(futures)
        while waiting:
            done, waiting = self._any_of(waiting)
            for future in done:
                future.result()
            self.files_read = len(futures) - len(waiting)
            self._report()
        return {file: future.result() for file, future in futures.items()}

    def _any_of(self, waiting: set[Future[T]]) -> tuple[set[Future[T]], set[Future[T]]]:
        """Those that are done, at least one of them, and the others."""
        while True:
            left = self.client.seconds_left()
            done, others = wait(waiting, min(PROGRESS_SECONDS, left), FIRST_COMPLETED)
            if done:
                return done, others
            if left <= PROGRESS_SECONDS:
                raise self.client.too_slow()
            self._report()

    def _report(self) -> None:
        if self.progress:
            self.progress(self.files_read, self.files, self.client.bytes_read)


def machine_token() -> str | None:
    """The machine's own token: HF_TOKEN, or what `hf auth login` has written; None without, or where it must be asked for.

    Only read: the library's `get_token` may renew a login over the network, with no limit.
    """
    from huggingface_hub import constants

    if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN:
        return None
    token = os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN")
    if not token:
        with contextlib.suppress(OSError, ValueError):
            token = Path(constants.HF_TOKEN_PATH).read_text(encoding="utf-8")
    return "".join((token or "").split()) or None


def _headers(token: str | None) -> dict[str, str]:
    """Of every request. The library's `build_hf_headers` would first fetch a list from the endpoint, all of it, however long."""
    agent = {"User-Agent": f"llm-parts; python/{platform.python_version()}", "Accept-Encoding": "identity"}
    return agent | ({"Authorization": f"Bearer {token}"} if token else {})


def _file_size(headers: Mapping[str, str], is_part: bool) -> int | None:
    """B of the whole file: by `Content-Range: bytes 0-7/1234` of a part, by the length of an answer that is the whole."""
    size = headers.get("content-range", "").rpartition("/")[2] if is_part else headers.get("content-length", "")
    return int(size) if size.isascii() and size.isdigit() and len(size) < 20 else None
