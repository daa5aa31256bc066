"""What if a model had more layers, fewer kv heads, a wider FFN? A changed config, and what the change brings.

Two relations of the base model are kept unless the change names the field itself, and whatever follows is reported:

- heads are stripes of one matrix, so where head_dim = hidden_size ÷ num_attention_heads it stays so;
- multi-head attention stays multi-head, so where num_key_value_heads = num_attention_heads it stays so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calc.errors import ConfigError
from calc.model import Model
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
    """A changed model, and the fields that followed a change without being named, with the values they have now."""

    model: Model
    followed: Mapping[str, int | bool]


def changeable(base: PartsList) -> tuple[str, ...]:
    """The fields of CHANGEABLE that this model has, one value for all layers: GPT-2 has no num_key_value_heads."""
    return tuple(field for field in CHANGEABLE if isinstance(base.sizes.get(field), int) and field not in base.derived)


def what_if(base: Model, changes: Mapping[str, int | bool]) -> WhatIf:
    """The model with `changes` (generic field → value) made to its config.

    Raises ConfigError, as `Model.of` does, and heads_do_not_divide where head_dim cannot follow.

    >>> llama = Model.of("llama-2-7b")
    >>> half_the_heads = what_if(llama, {"num_attention_heads": 16})
    >>> half_the_heads.followed
    {'num_key_value_heads': 16, 'head_dim': 256}
    >>> half_the_heads.model.parameters == llama.parameters
    True
    """
    model = Model(base.changed_values({**_kept_relations(base.parts_list, changes), **changes}), base.title)
    sizes = base.parts_list.sizes
    followed = {
        field: value
        for field, value in model.parts_list.sizes.items()
        if field not in changes and value != sizes.get(field) and not isinstance(value, Mapping)
    }
    return WhatIf(model, followed)


def _kept_relations(base: PartsList, changes: Mapping[str, int | bool]) -> dict[str, int | bool]:
    """What must change along so that multi-head stays multi-head and the heads go on splitting the hidden size."""
    kept: dict[str, int | bool] = {}
    if not changes.keys() & {"hidden_size", "num_attention_heads"}:
        return kept
    hidden_size, heads = ({**base.sizes, **changes}.get(field) for field in ("hidden_size", "num_attention_heads"))
    if is_multi_head(base) and "num_key_value_heads" not in changes:
        kept["num_key_value_heads"] = heads
    if has_striped_heads(base) and "head_dim" not in changes and _is_count(hidden_size) and _is_count(heads):
        if hidden_size % heads:
            raise ConfigError("heads_do_not_divide", "num_attention_heads", hidden_size=hidden_size, heads=heads)
        kept["head_dim"] = hidden_size // heads
    return kept


def _is_count(value: object) -> bool:
    """Whether a value can be divided by; whether the model can have it is the config's own check."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_multi_head(parts_list: PartsList) -> bool:
    """Whether every query head has a kv head of its own: n_kv = n_h."""
    sizes = parts_list.sizes
    return "num_key_value_heads" in sizes and sizes["num_key_value_heads"] == sizes.get("num_attention_heads")


def has_striped_heads(parts_list: PartsList) -> bool:
    """Whether the heads split the hidden size evenly: n_h · head_dim = d."""
    sizes = parts_list.sizes
    has_both = "head_dim" in changeable(parts_list) and "num_attention_heads" in sizes
    return has_both and sizes["num_attention_heads"] * sizes["head_dim"] == sizes.get("hidden_size")
