"""What if a model had more layers, fewer kv heads, a wider FFN? A changed config, and what the change brings.

Two relations of the base model are kept unless the change names the field itself, and whatever follows is reported:

- heads are stripes of one matrix, so where head_dim = hidden_size ÷ num_attention_heads it stays so;
- multi-head attention stays multi-head, so where num_key_value_heads = num_attention_heads it stays so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calc.build import config_of
from calc.parts_list import PartsList

CHANGEABLE = (
    "num_hidden_layers",
    "hidden_size",
    "intermediate_size",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
    "tie_word_embeddings",
)
"""The generic fields a what-if may change, in the order a reader meets them."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A config with changes: its values, and the fields that followed a change without being named."""

    values: Mapping[str, object]
    followed: Mapping[str, int | None]


def changeable(base: PartsList) -> tuple[str, ...]:
    """The fields of CHANGEABLE that this model has: GPT-2 has no num_key_value_heads."""
    return tuple(field for field in CHANGEABLE if field in base.sizes)


def what_if(values: Mapping[str, object], base: PartsList, changes: Mapping[str, int | bool]) -> WhatIf:
    """The config `values`, whose parts list is `base`, with `changes` (generic field → value) made to it.

    Raises ConfigError: unknown model_type. A changed value is validated when the new config is counted.

    >>> from calc.catalogue import catalogue
    >>> from calc.build import build_parts_list
    >>> from calc.parts_list import parameters
    >>> llama = catalogue()["llama-2-7b"]
    >>> half_the_heads = what_if(llama.config, llama.parts_list(), {"num_attention_heads": 16})
    >>> half_the_heads.followed
    {'num_key_value_heads': 16, 'head_dim': 256}
    >>> parameters(build_parts_list(half_the_heads.values).tensors) == llama.parameters
    True
    """
    config = config_of(values)
    changed: dict[str, object] = dict(values)
    for field, value in changes.items():
        for name in {field, config.own_name(field)} & changed.keys():
            del changed[name]
        changed[config.own_name(field)] = value

    followed = {}
    heads = changes.get("num_attention_heads")
    if heads is not None and "num_key_value_heads" not in changes and is_multi_head(base):
        changed["num_key_value_heads"] = followed["num_key_value_heads"] = heads
    hidden_size = changes.get("hidden_size")
    if (heads is not None or hidden_size is not None) and "head_dim" not in changes and has_striped_heads(base):
        changed.pop("head_dim", None)
        derived = _quotient(hidden_size or base.sizes["hidden_size"], heads or base.sizes["num_attention_heads"])
        if derived != base.sizes["head_dim"]:
            followed["head_dim"] = derived
        if derived is not None:
            changed["head_dim"] = derived
    return WhatIf(changed, followed)


def is_multi_head(parts_list: PartsList) -> bool:
    """Whether every query head has a kv head of its own: n_kv = n_h."""
    sizes = parts_list.sizes
    return "num_key_value_heads" in sizes and sizes["num_key_value_heads"] == sizes["num_attention_heads"]


def has_striped_heads(parts_list: PartsList) -> bool:
    """Whether the heads split the hidden size evenly: n_h · head_dim = d."""
    sizes = parts_list.sizes
    return "head_dim" in sizes and sizes["num_attention_heads"] * sizes["head_dim"] == sizes["hidden_size"]


def _quotient(hidden_size: object, heads: object) -> int | None:
    """hidden_size ÷ heads where that is a whole number; None leaves the complaint to the config's own check."""
    whole = isinstance(hidden_size, int) and isinstance(heads, int) and heads > 0 and hidden_size % heads == 0
    return hidden_size // heads if whole else None
