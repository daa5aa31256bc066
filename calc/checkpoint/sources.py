"""From what a reader names (a folder, a file, a model of the Hub) to its checkpoint."""

from __future__ import annotations

import os

from calc.checkpoint.hub import TIME_LIMIT_SECONDS, endpoint, read_hub
from calc.checkpoint.hub_address import WEIGHTS, hub_address
from calc.checkpoint.local import read_file, read_folder
from calc.checkpoint.stored import Checkpoint, Progress
from calc.errors import ConfigError, quoted

SUFFIXES = WEIGHTS


def read_checkpoint(source: str, progress: Progress | None = None, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> Checkpoint:
    """The checkpoint in a folder or file of this machine, or of a model on the Hub.

    source   a path, a Hub id (`org/name`, `org/name@revision`), one with a file (`org/name/m.gguf`), or an address copied
             from the browser

    Raises ConfigError: no_such_checkpoint, and all that `read_folder`, `read_file` and `read_hub` raise.
    """
    if os.path.isdir(source):
        return read_folder(source, progress)
    if os.path.exists(source):
        return read_file(source, progress)
    address = None if _is_path(source) else hub_address(source, endpoint())
    if address is None:
        raise ConfigError("no_such_checkpoint", value=quoted(source))
    return read_hub(address, progress, time_limit_seconds)


def _is_path(source: str) -> bool:
    """Whether a source that is not there is meant as a file of this machine: its folder is, or it names no model."""
    if not is_checkpoint_path(source) or "://" in source:
        return False
    return source.count("/") < 2 or os.path.isdir(source.partition("/")[0] or "/")


def is_checkpoint_path(path: str) -> bool:
    """Whether a path is a checkpoint's by its name: .safetensors, its index, or .gguf."""
    return path.lower().endswith(SUFFIXES)
