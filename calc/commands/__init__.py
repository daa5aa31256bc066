"""The commands of `python -m calc`, a module each.

A module of this folder that defines `HELP`, `add_arguments(parser)` and `run(arguments)` is the command of its name;
`run` prints the answer, and raises ConfigError for a bad input.
"""

from __future__ import annotations

import importlib
from types import ModuleType

COMMANDS = (
    "count",
    "compare",
    "diff",
    "weights",
    "kv",
    "fit",
    "flops",
    "train",
    "run",
    "reconcile",
    "tokens",
    "quiz",
    "answer",
    "types",
)
"""In the order the help lists them."""


def command(name: str) -> ModuleType:
    """The module of a command. Only the one that is asked for is imported, so that a count does not pay for the others.

    >>> command("types").HELP
    'every model_type that can be counted'
    """
    return importlib.import_module(f"{__name__}.{name}")
