"""Which models are compared, in which order: the list in the address, and each of its entries counted.

An entry is a catalogue name, or for any other model `title!config`: its title as in a URL and its packed config, so that
a link restores the whole comparison without asking anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote, unquote

from calc.catalogue import catalogue
from calc.comparison.cells import LARGEST_COMPARISON
from calc.comparison.comparison import ModelRow, model_row
from calc.errors import ConfigError
from calc.model import Model
from calc.read_config import read_config
from ui.frame import address
from ui.model.config_address import packed, unpacked

FIRST = ("llama-2-7b", "llama-2-13b", "llama-3-8b", "tinyllama-1.1b")
"""Compared at first sight."""
_BETWEEN, _WITHIN = ",", "!"
CACHED_MODELS = 256
"""All of the catalogue, and what readers bring."""


def entries() -> list[str]:
    """The entries of the address that can be counted, in its order; FIRST without any."""
    models = address.get("models")
    listed = FIRST if models is None else [entry for entry in models.split(_BETWEEN) if is_entry(entry)]
    return list(listed)[:LARGEST_COMPARISON]


def put_entries(chosen: Sequence[str]) -> bool:
    """Compare these entries; whether a link can carry them all."""
    models = _BETWEEN.join(chosen)
    address.put("models", models)
    return len(models) <= address.MAX_VALUE_CHARACTERS


def entry_of(model: Model) -> str:
    """The entry of a model that is not in the catalogue.

    >>> entry_of(Model({"model_type": "gpt2"}, "my model")).partition("!")[0]
    'my%20model'
    """
    return f"{quote(model.title, safe='')}{_WITHIN}{packed(model)}"


def is_entry(entry: str) -> bool:
    """Whether an entry of an address can be counted."""
    try:
        model_of(entry)
    except ConfigError:
        return False
    return True


@lru_cache(maxsize=CACHED_MODELS)
def model_of(entry: str) -> Model:
    """The model of an entry. Raises ConfigError: all that reading and counting a config raises.

    >>> model_of(entry_of(Model({"model_type": "gpt2"}, "my model"))).title, model_of("gpt2").parameters
    ('my model', 124439808)
    """
    if entry in catalogue():
        return Model.of(entry)
    title, _, config = entry.partition(_WITHIN)
    return Model(read_config(unpacked(config) or ""), unquote(title))


@lru_cache(maxsize=CACHED_MODELS)
def row_of(entry: str) -> ModelRow:
    """The row of an entry, every column read."""
    return model_row(model_of(entry))
