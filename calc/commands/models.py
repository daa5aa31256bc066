"""What a person may write for MODEL on the command line."""

from __future__ import annotations

import os
import sys

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.model import Model
from calc.read_config import LIMIT_BYTES, read_config

STANDARD_INPUT = "-"


def model_help() -> str:
    """What MODEL may be, for a command's help."""
    return f"a path to a config.json, - for standard input, a Hub id or address, or one of: {', '.join(catalogue())}"


def model_of(source: str, as_type: str | None = None) -> Model:
    """The model that MODEL names, read as another type where `as_type` says so; of `-` the config.json on standard input.

    Raises ConfigError: unreadable_file, and all that `Model.of` raises.
    """
    if source != STANDARD_INPUT:
        return Model.of(source, as_type=as_type)
    return Model.of(read_config(read_standard_input(LIMIT_BYTES + 1)), "standard input", as_type)


def read_standard_input(limit: int) -> bytes:
    """What comes on standard input, at most `limit` bytes. Raises ConfigError: unreadable_file."""
    try:
        return sys.stdin.buffer.read(limit)
    except (AttributeError, OSError, ValueError):  # none, or closed
        raise ConfigError("unreadable_file", path="standard input", reason="closed") from None


def has_config(model: str) -> bool:
    """Whether MODEL is known at a glance to be no checkpoint: a catalogue name, a config.json or a folder that has one.

    >>> has_config("gpt2"), has_config("my/config.json"), has_config("model.safetensors.index.json")
    (True, True, False)
    """
    if os.path.isdir(model):
        return os.path.exists(os.path.join(model, "config.json"))
    return model in catalogue() or (model.endswith(".json") and not model.endswith(".index.json"))
