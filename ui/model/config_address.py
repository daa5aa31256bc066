"""A config in the address: the fields that a figure may rest on, packed short enough for a link."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from functools import lru_cache

from calc.config import NO_FIGURE
from calc.errors import ConfigError
from calc.model import Model
from calc.read_config import LIMIT_BYTES, read_config
from ui.frame.address import MAX_VALUE_CHARACTERS


@lru_cache(maxsize=256)
def packed(model: Model) -> str:
    """A model's config for the address, cut to what figures rest on, and to what its count rests on where that is too long.

    >>> len(packed(Model.of({"model_type": "gpt2"}))) < 60
    True
    >>> model = Model.of({"model_type": "gpt2", "n_layer": 2, "sliding_window": 8, "resid_pdrop": 0.1})
    >>> json.loads(unpacked(packed(model)))
    {'model_type': 'gpt2', 'n_layer': 2, 'sliding_window': 8}
    """
    squeezed = _squeezed(_dense(_merged(_without_left_out(model.values), model.deciding_values)))
    return squeezed if len(squeezed) <= MAX_VALUE_CHARACTERS else _squeezed(_dense(dict(model.deciding_values)))


def packed_text(text: str) -> str | None:
    """A text that cannot be counted, as it was typed; None where it is too long to be a config."""
    return _squeezed(text) if len(text) <= LIMIT_BYTES else None


def _without_left_out(values: object) -> object:
    if not isinstance(values, Mapping):
        return values
    return {name: _without_left_out(value) for name, value in values.items() if not NO_FIGURE.fullmatch(name)}


def _merged(kept: dict[str, object], deciding: Mapping[str, object]) -> dict[str, object]:
    """What is kept and what decides, also inside the configs that a config holds."""
    merged = dict(kept)
    for name, value in deciding.items():
        inside = merged.get(name)
        merged[name] = _merged(inside, value) if isinstance(inside, dict) and isinstance(value, Mapping) else value
    return merged


def _dense(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def _squeezed(content: str) -> str:
    squeezed = zlib.compress(content.encode("utf-8", "surrogatepass"), 9)
    return base64.urlsafe_b64encode(squeezed).decode("ascii").rstrip("=")


def unpacked(value: str) -> str | None:
    """The text behind `packed` or `packed_text`, indented for reading where it is JSON; None for an address that holds no config.

    A value that would unpack to more than `LIMIT_BYTES` is refused.

    >>> unpacked(packed_text('{"model_type": "gpt2"}'))
    '{\\n  "model_type": "gpt2"\\n}'
    >>> unpacked("no config") is None
    True
    """
    try:
        squeezed = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        stream = zlib.decompressobj()
        content = stream.decompress(squeezed, LIMIT_BYTES)
        if not stream.eof:
            return None
        kept = content.decode("utf-8")
    except (binascii.Error, zlib.error, ValueError):
        return None
    try:
        return indented(read_config(kept))
    except ConfigError:
        return kept


def indented(values: Mapping[str, object]) -> str:
    """Values as a person would write a config.json."""
    return json.dumps(dict(values), indent=2, ensure_ascii=False)
