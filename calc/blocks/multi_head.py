"""Multi-head attention whose heads, side by side, are as wide as the model: n_h · (d ÷ n_h) = d."""

from __future__ import annotations

from typing import NamedTuple

from calc.blocks.linear import linear
from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.errors import ConfigError
from calc.lengths import Length
from calc.tensors import Band, Layout


def head_band(role: str, config: Config, heads_field: str = "num_attention_heads") -> Band:
    """All heads side by side: n_h · (d ÷ n_h) = d. Raises ConfigError: heads_must_divide."""
    hidden_size, heads = config.size("hidden_size"), config.size(heads_field)
    if hidden_size % heads:
        hidden_field, own_field = config.own_name("hidden_size"), config.own_name(heads_field)
        raise ConfigError(
            "heads_must_divide", own_field, hidden_field=hidden_field, hidden_size=hidden_size, heads_field=own_field, heads=heads
        )
    return Band(role, heads, hidden_size // heads)


class Projections(NamedTuple):
    """What the four matrices of an attention are called."""

    query: str = "q_proj"
    key: str = "k_proj"
    value: str = "v_proj"
    output: str = "out_proj"


SEPARATE = Projections()


def multi_head_attention(
    config: Config,
    *,
    names: Projections = SEPARATE,
    bias: bool = True,
    key_bias: bool | None = None,
    output_bias: bool | None = None,
    cross: bool = False,
    heads_field: str = "num_attention_heads",
    memory: Length | None = None,
) -> Tensors:
    """Query, key, value and output matrices of d × d each. 4 · d² parameters (+ 4 · d with biases).

    names            what they are called
    bias             on all four, unless `key_bias` or `output_bias` says otherwise
    cross            queries come from the decoder, keys and values from an encoder
    heads_field      the config field with the number of heads
    memory           length of what keys and values are made of, where it is not d

    Source: Vaswani et al. 2017, arXiv:1706.03762. BERT-base, one layer: 2,362,368 with its biases.
    """
    hidden_size = config.length("hidden_size")
    read = memory or hidden_size
    bands = {role: head_band(role, config, heads_field) for role in ("query", "key", "value")}
    prefix = "cross_" if cross else ""
    biases = {"query": bias, "key": bias if key_bias is None else key_bias, "value": bias}
    inputs = {"query": hidden_size, "key": read, "value": read}
    projections = [
        tensor
        for role, band in bands.items()
        for tensor in linear(
            getattr(names, role), "attention", prefix + role, inputs[role], hidden_size, bias=biases[role], output_bands=(band,)
        )
    ]
    return [
        *projections,
        *linear(
            names.output,
            "attention",
            "cross_output" if cross else "attention_output",
            hidden_size,
            hidden_size,
            bias=bias if output_bias is None else output_bias,
            input_bands=(bands["query"],),
        ),
    ]


def fused_attention(
    config: Config,
    *,
    fused: str = "query_key_value",
    output: str = "dense",
    bias: bool = True,
    output_bias: bool | None = None,
    layout: Layout = "out_in",
    head_by_head: bool = False,
) -> Tensors:
    """Query, key and value in one matrix d × 3·d, then the output matrix d × d.

    head_by_head   query, key and value of the first head, then of the second …; otherwise all queries, all keys, all values

    Source: Radford et al. 2019. GPT-NeoX-20B, one layer: 151,019,520 with its biases.
    """
    hidden_size = config.length("hidden_size")
    query, key, value = (head_band(role, config) for role in ("query", "key", "value"))
    together = (Band("query_key_value", query.heads, 3 * query.width),)
    return [
        *linear(
            fused,
            "attention",
            "query_key_value",
            hidden_size,
            3 * hidden_size,
            bias=bias,
            layout=layout,
            output_bands=together if head_by_head else (query, key, value),
        ),
        *linear(
            output,
            "attention",
            "attention_output",
            hidden_size,
            hidden_size,
            bias=bias if output_bias is None else output_bias,
            layout=layout,
            input_bands=(query,),
        ),
    ]
