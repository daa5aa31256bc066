"""A config in the address: the fields that a figure may depend on, packed short enough for a link."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from functools import lru_cache

from calc.model import Model
from calc.read_config import LIMIT_BYTES
from ui.frame.address import MAX_VALUE_CHARACTERS

IRRELEVANT = re.compile(
    r"_.*|architectures|auto_map|transformers(_js|\.js)?_.*|.*(token_id|dropout|pdrop|_drop|_eps|epsilon|initializer).*"
    r"|id2label|label2id|task_specific_params|use_cache|output_.*|return_dict|pretraining_tp|finetuning_task|problem_type"
)
"""Fields that neither parameters, bytes, FLOPs nor the KV cache depend on, unless a family's count does."""


@lru_cache(maxsize=256)
def packed(model: Model) -> str:
    """A model's config for the address, cut to what figures depend on; where that is too long, to what its count depends on.

    >>> len(packed(Model.of({"model_type": "gpt2"}))) < 60
    True
    >>> model = Model.of({"model_type": "gpt2", "n_layer": 2, "sliding_window": 8, "resid_pdrop": 0.1})
    >>> json.loads(unpacked(packed(model)))
    {'model_type': 'gpt2', 'n_layer': 2, 'sliding_window': 8}
    """
    squeezed = _squeezed(_merged(_without_irrelevant(model.values), model.deciding_values))
    return squeezed if len(squeezed) <= MAX_VALUE_CHARACTERS else _squeezed(dict(model.deciding_values))


def packed_text(text: str) -> str | None:
    """A text that cannot be counted, as it was typed; None where it is too long to be a config."""
    return _compressed(text) if len(text) <= LIMIT_BYTES else None


def _without_irrelevant(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _without_irrelevant(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if not IRRELEVANT.fullmatch(name)
    }


def _merged(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    """The values of both, also inside the configs that a config holds."""
    merged = dict(one)
    for name, value in other.items():
        inside = merged.get(name)
        merged[name] = _merged(inside, value) if isinstance(inside, Mapping) and isinstance(value, Mapping) else value
    return merged


def _squeezed(values: Mapping[str, object]) -> str:
    return _compressed(json.dumps(values, separators=(",", ":")))


def _compressed(content: str) -> str:
    return base64.urlsafe_b64encode(zlib.compress(content.encode("utf-8", "surrogatepass"), 9)).decode("ascii").rstrip("=")


def unpacked(value: str) -> str | None:
    """The text behind `packed` or `packed_text`; None for a value that holds none, or would unpack to more than `LIMIT_BYTES`.

    >>> unpacked(packed_text('{"model_type": "gpt2"}'))
    '{"model_type": "gpt2"}'
    >>> unpacked("no config") is None
    True
    """
    try:
        stream = zlib.decompressobj()
        content = stream.decompress(base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)), LIMIT_BYTES)
        if not stream.eof:
            return None
        return content.decode("utf-8")
    except (binascii.Error, zlib.error, ValueError):
        return None


def indented(values: Mapping[str, object]) -> str:
    """Values as a person would write a config.json."""
    return json.dumps(dict(values), indent=2, ensure_ascii=False)
