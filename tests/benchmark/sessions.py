"""A reader in a real browser: when the page is painted, and what a rerun costs the server."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .servers import Server

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VIEW = {"viewport": {"width": 1440, "height": 1000}, "locale": "en-US"}
WARM_UP_RERUNS = 6
SETTLE_SECONDS = 0.3
RERUN_SECONDS = 30

Action = Callable[[Page, int], None]
"""What a reader does for the n-th time; the server answers it with one rerun."""


@contextlib.contextmanager
def open_browser() -> Iterator[Browser]:
    """A Chromium without a window. Raises FileNotFoundError where none is installed."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        raise FileNotFoundError(f"no browser: none of {', '.join(BROWSERS)} is installed")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield browser
        browser.close()


def paint_seconds(browser: Browser, address: str, shown: str) -> float:
    """From the start of the navigation until the element `shown` is visible, in a browser that has cached nothing."""
    context = browser.new_context(**VIEW)
    page = context.new_page()
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(shown).first.wait_for(state="visible")
    seconds = time.perf_counter() - start
    context.close()
    return seconds


class Session:
    """One open page of an app, and what its server spends on it."""

    def __init__(self, browser: Browser, server: Server, path: str, shown: str) -> None:
        self._server = server
        self._finished = self._done = 0
        self._context = browser.new_context(**VIEW)
        self._page = self._context.new_page()
        self._page.on("websocket", self._listen)
        self._page.goto(server.address + path)
        self._page.locator(shown).first.wait_for(state="visible")
        self._page.wait_for_load_state("networkidle")

    def warm_up(self, action: Action) -> None:
        """Do it a few times unmeasured."""
        self._repeat(action, WARM_UP_RERUNS)

    def rerun_seconds(self, action: Action, reruns: int) -> float:
        """Processor time of the server for one rerun: what `reruns` of them take, less what it takes when left alone.

        Raises TimeoutError where no rerun follows an action, RuntimeError where several do.
        """
        busy, duration = self._spent(lambda: self._repeat(action, reruns))
        return (busy - self.idle_share(duration) * duration) / reruns

    def idle_share(self, seconds: float) -> float:
        """Processor seconds the server takes each second while the page is open and nobody does anything."""
        spent, duration = self._spent(lambda: time.sleep(seconds))
        return spent / duration

    def close(self) -> None:
        """Close the page."""
        self._context.close()

    def _spent(self, work: Callable[[], None]) -> tuple[float, float]:
        """Processor time of the server and time by the clock, from the start of `work` until what it set off is over."""
        before, start = self._server.processor_seconds(), time.perf_counter()
        work()
        time.sleep(SETTLE_SECONDS)  # on default settings the server collects garbage after its last message
        return self._server.processor_seconds() - before, time.perf_counter() - start

    def _repeat(self, action: Action, reruns: int) -> None:
        for _ in range(reruns):
            before, deadline = self._finished, time.monotonic() + RERUN_SECONDS
            action(self._page, self._done)
            self._done += 1
            while self._finished == before:
                if time.monotonic() > deadline:
                    raise TimeoutError("no rerun followed what the reader did")
                self._page.wait_for_timeout(5)
            if self._finished > before + 1:
                raise RuntimeError(f"{self._finished - before} reruns followed one thing the reader did")

    def _listen(self, websocket: WebSocket) -> None:
        websocket.on("framereceived", self._count)

    def _count(self, payload: bytes | str) -> None:
        if isinstance(payload, bytes) and ForwardMsg.FromString(payload).WhichOneof("type") == "script_finished":
            self._finished += 1
