"""What is known of a config's fields: the symbol a field has in formulas, and the largest value that is no slip."""

from __future__ import annotations

from dataclasses import dataclass

from calc.errors import ConfigError, quoted


@dataclass(frozen=True, slots=True)
class Field:
    """A config field: the symbol it has in formulas and the largest value that is not taken for a slip."""

    symbol: str
    largest: int


FIELDS: dict[str, Field] = {
    "hidden_size": Field("d", 1_000_000),
    "intermediate_size": Field("d_ff", 10_000_000),
    "num_hidden_layers": Field("L", 10_000),
    "num_attention_heads": Field("n_h", 100_000),
    "num_key_value_heads": Field("n_kv", 100_000),
    "head_dim": Field("head_dim", 100_000),
    "vocab_size": Field("V", 100_000_000),
    "max_position_embeddings": Field("n_ctx", 1_000_000_000),
    "moe_intermediate_size": Field("d_expert", 10_000_000),
    "num_experts": Field("E", 100_000),
    "num_local_experts": Field("E", 100_000),
    "n_routed_experts": Field("E", 100_000),
    "num_experts_per_tok": Field("k", 100_000),
    "n_shared_experts": Field("E_shared", 1_000),
    "q_lora_rank": Field("r_q", 1_000_000),
    "kv_lora_rank": Field("r_kv", 1_000_000),
    "qk_nope_head_dim": Field("d_nope", 100_000),
    "qk_rope_head_dim": Field("d_rope", 100_000),
    "v_head_dim": Field("d_v", 100_000),
}
"""The fields that have a symbol of their own. Limits lie at least ten times above every published model."""

LARGEST_OTHER = 10_000_000
"""Limit of a field that only one family has; its symbol is its name."""

LARGEST = {"ngram_vocab_size_base": 1_000_000_000}
"""Such fields whose class's default is more."""


def field_of(name: str) -> Field:
    """What is known of a field; one that is not in FIELDS has its name for a symbol."""
    return FIELDS.get(name) or Field(name, LARGEST.get(name, LARGEST_OTHER))


def checked_size(name: str, value: object, smallest: int, largest: int) -> int:
    """A value that is a size, unchanged.

    Raises ConfigError: not_a_number, not_an_integer, not_positive, negative, too_big.

    >>> checked_size("hidden_size", 4096, 1, 1_000_000)
    4096
    """
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        raise ConfigError("not_a_number", name, value=quoted(value))
    return checked_count(name, value, largest, smallest)


def checked_count(name: str, value: object, largest: int | None = None, smallest: int = 1) -> int:
    """A whole number of something, unchanged; `largest` is None where none is too many.

    Raises ConfigError: not_an_integer, not_positive, negative, too_big.

    >>> checked_count("batch", 8, 1_000)
    8
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError("not_an_integer", name, value=quoted(value))
    if value < smallest and smallest:
        raise ConfigError("not_positive", name, value=quoted(value))
    if value < smallest:
        raise ConfigError("negative", name, value=quoted(value))
    if largest is not None and value > largest:
        raise ConfigError("too_big", name, value=quoted(value), largest=largest)
    return value
