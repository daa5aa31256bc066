"""A class comes and goes: the server keeps nothing of those who have left, and ends when it is told to."""

import asyncio
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmark.servers import Server

from .visitors import come_together

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in /proc")
APP = Path(__file__).parents[2] / "streamlit_app.py"
KEPT_SESSIONS = 128
"""Streamlit keeps so many who have left, in case they come back; from then on nothing may grow."""
CLASS = 40
PAGES = ("parts", "kv_cache", "vocabulary", "fit")


@pytest.fixture(scope="module")
def server():
    running = Server(APP)
    yield running
    running.stop()


def descriptors(server):
    return len(list(Path(f"/proc/{server.process_id}/fd").iterdir()))


def resident_mib(server):
    [line] = [line for line in Path(f"/proc/{server.process_id}/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


def test_three_hundred_visitors_come_and_go_and_the_server_ends(server):
    def come(rounds):
        with ThreadPoolExecutor(1) as thread:  # of its own: the loop of the browser's tests may run in this one
            for number in range(rounds):
                thread.submit(
                    lambda page: asyncio.run(come_together(server.port, page, CLASS)), PAGES[number % len(PAGES)]
                ).result()

    come(len(PAGES))  # more than Streamlit keeps: everything is loaded, and its store of who has left is full
    assert len(PAGES) * CLASS > KEPT_SESSIONS
    before, resident = descriptors(server), resident_mib(server)
    come(300 // CLASS + 1)
    assert descriptors(server) <= before + 8
    assert resident_mib(server) <= resident * 1.15 + 20
    assert server.ends_on(signal.SIGTERM, within_seconds=2)
