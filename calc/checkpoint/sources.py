"""From what a reader names (a folder, a file, a model of the Hub) to its checkpoint."""

from __future__ import annotations

import os

from calc.checkpoint.hub import read_hub
from calc.checkpoint.local import read_path
from calc.checkpoint.stored import Checkpoint
from calc.hub.address import WEIGHTS, hub_address
from calc.hub.configs import TIME_LIMIT_SECONDS, endpoint
from calc.hub.requests import Progress


def read_checkpoint(source: str, progress: Progress | None = None, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> Checkpoint:
    """The checkpoint in a folder or file of this machine, or of a model on the Hub.

    source   a path, a Hub id (`org/name`, `org/name@revision`), one with a file (`org/name/m.gguf`), or an address copied
             from the browser

    Raises ConfigError: all that `read_path` and `read_hub` raise.
    """
    address = None if os.path.exists(source) or _is_path(source) else hub_address(source, endpoint())
    return read_hub(address, progress, time_limit_seconds) if address else read_path(source, progress)


def is_checkpoint(source: str) -> bool:
    """Whether a source is weights at a glance: a file by its name, or a folder that has no config.json.

    >>> is_checkpoint("model.safetensors"), is_checkpoint("https://huggingface.co/org/name/blob/main/m.gguf?x=1")
    (True, True)
    >>> is_checkpoint("config.json"), is_checkpoint("llama-2-7b")
    (False, False)
    """
    if os.path.isdir(source):
        names = os.listdir(source)
        return "config.json" not in names and any(name.endswith(WEIGHTS) for name in names)
    return source.partition("?")[0].lower().endswith(WEIGHTS)


def _is_path(source: str) -> bool:
    """Whether a source that does not exist means a file of this machine: its folder exists, or it names no model."""
    if not source.lower().endswith(WEIGHTS) or "://" in source:
        return False
    return source.count("/") < 2 or os.path.isdir(source.partition("/")[0] or "/")
