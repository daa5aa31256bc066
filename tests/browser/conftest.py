"""A server that runs the app, and a Chromium that looks at it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

REPOSITORY = Path(__file__).parents[2]
START_SECONDS = 60
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# Streamlit writes the state of the script into the page. It stays "notRunning" for a
# moment after a click, so the page counts as idle when it has been so for a while.
IDLE = """
() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const idle =
    app?.dataset.testConnectionState === "CONNECTED" &&
    app?.dataset.testScriptState === "notRunning" &&
    !document.querySelector('[data-stale="true"]') &&
    document.querySelector('[data-testid="stMain"] .stElementContainer');
  if (!idle) window.idleSince = undefined;
  else window.idleSince ??= performance.now();
  return idle && performance.now() - window.idleSince > 250;
}
"""


def wait_until_idle(page: Page) -> None:
    """Wait until the app's run, and what it makes the browser draw, is finished."""
    page.evaluate("window.idleSince = undefined")
    page.wait_for_function(IDLE, timeout=START_SECONDS * 1000)


@contextlib.contextmanager
def run_server(directory: Path, home: Path) -> Iterator[str]:
    """Run ``streamlit_app.py`` of ``directory`` on a free port; yield the address.

    ``home`` stands in for the home folder, so that no setting of this user counts.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")}
    log_path = home / "server.log"
    with log_path.open("wb") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "streamlit", "run", "streamlit_app.py"),
                *("--server.port", str(port), "--server.address", "127.0.0.1"),
                *("--server.headless", "true", "--server.fileWatcherType", "none"),
            ],
            cwd=directory,
            env={**environment, "HOME": str(home), "USERPROFILE": str(home)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_healthy(address, process, log_path)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_healthy(address: str, process: subprocess.Popen, log_path: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    pytest.fail(f"the server did not start:\n{log_path.read_text(errors='replace')}")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one server of the app for all tests."""
    with run_server(REPOSITORY, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[str]:
    """The address of a server that has not answered any request for a page yet."""
    with run_server(REPOSITORY, tmp_path) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        reason = f"no browser: none of {', '.join(BROWSERS)} is installed"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
            ],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Open a page of the app in a new browser context, and wait until it is drawn.

    ``open_page("/parts?lang=zh", width=390)``: a path on ``server``, or a full address.
    The test fails if a script on any page it opened fails.
    """
    contexts = []
    errors: list[str] = []

    def opened(path: str, width: int = 1440, height: int = 1000, locale: str = "en-US", color_scheme: str = "light") -> Page:
        if path.startswith("/"):
            path = request.getfixturevalue("server") + path
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, color_scheme=color_scheme, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
        page.goto(path)
        wait_until_idle(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors
