"""What a person may write for MODEL on the command line."""

from __future__ import annotations

import os

from calc.catalogue import catalogue


def model_help() -> str:
    """What MODEL may be, for a command's help."""
    return f"a path to a config.json, a Hub id or address, or one of: {', '.join(catalogue())}"


def has_config(model: str) -> bool:
    """Whether MODEL is known at a glance to be no checkpoint: a catalogue name, a config.json or a folder that has one.

    >>> has_config("gpt2"), has_config("my/config.json"), has_config("model.safetensors.index.json")
    (True, True, False)
    """
    if os.path.isdir(model):
        return os.path.exists(os.path.join(model, "config.json"))
    return model in catalogue() or (model.endswith(".json") and not model.endswith(".index.json"))
