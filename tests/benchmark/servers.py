"""A Streamlit server in a process of its own, its start-up and its processor time."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

START_SECONDS = 60


class Server:
    """Runs an app as ``streamlit run SCRIPT`` does, from the folder the script is in; stop it with `stop`.

    The home folder is empty, and of the settings only those are given that a server without a screen needs:
    otherwise the app's own `.streamlit/config.toml` decides, or the defaults where there is none.

    Raises TimeoutError where the server does not answer within a minute.
    """

    def __init__(self, script: Path) -> None:
        self._home = tempfile.TemporaryDirectory()
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
        start = time.perf_counter()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "streamlit", "run", script.name, "--server.headless", "true"),
                *("--server.port", str(self.port), "--server.address", "127.0.0.1"),
            ],
            cwd=script.parent,
            env={**environment, "HOME": self._home.name},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._wait_until_healthy()
        except BaseException:
            self.stop()
            raise
        self.start_seconds = time.perf_counter() - start
        """From the start of the process until it answers /_stcore/health."""

    @property
    def process_id(self) -> int:
        """Of the server's process."""
        return self._process.pid

    def ends_on(self, signal_number: int, within_seconds: float) -> bool:
        """Whether the process ends of itself once it gets this signal."""
        self._process.send_signal(signal_number)
        try:
            self._process.wait(within_seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def processor_seconds(self) -> float:
        """Processor time of the process so far, user and system, all its threads.

        Linux has a clock for each process; its number is made as in MAKE_PROCESS_CPUCLOCK of the kernel's
        include/linux/posix-timers.h, with CPUCLOCK_SCHED = 2.
        """
        return time.clock_gettime((~self._process.pid << 3) | 2)

    def stop(self) -> None:
        """End the process and remove its home folder."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1).close()
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.01)
        raise TimeoutError(f"no answer from {self.address}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
