"""How far a read has come, on the terminal."""

from __future__ import annotations

import sys

from calc.hub.requests import Progress


def progress_line() -> Progress | None:
    """A line on the terminal that counts the files; nothing where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def show(read: int, files: int, transferred: int) -> None:
        end = "\r\x1b[K" if read == files else ""
        print(f"\r{read}/{files} files, {transferred / 1e6:.1f} MB read{end}", end="", file=sys.stderr, flush=True)

    return show
