"""What a person may write for MODEL on the command line, and the config it stands for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from calc.build import build_parts_list
from calc.catalogue import catalogue, find_model
from calc.errors import ConfigError
from calc.parts_list import PartsList
from calc.read_config import read_config_file


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


def load_model(model: str) -> tuple[str, PartsList]:
    """What `load_config` reads → its name and parts list."""
    name, values = load_config(model)
    return name, build_parts_list(values)


def load_config(model: str) -> tuple[str, Mapping[str, object]]:
    """A catalogue name, a path (a config.json or its folder), or a Hub id or address → its name and config.

    Raises ConfigError: unknown_model, unknown_model_similar, and all that reading a file or asking the Hub raises.
    """
    try:
        found = find_model(model)
    except ConfigError:
        if os.path.isdir(model):
            path = os.path.join(model, "config.json")
        elif os.path.exists(model) or model.endswith(".json"):
            path = model
        else:
            from calc.checkpoint.command import hub_config

            on_the_hub = hub_config(model)
            if on_the_hub is None:
                raise
            return on_the_hub
        return model, read_config_file(path)
    return found.name, found.config
