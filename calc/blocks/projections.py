"""The projections of attention one by one, for decoders that put something between them or name them otherwise."""

from __future__ import annotations

from calc.blocks.attention import head_dim, num_key_value_heads
from calc.blocks.linear import linear
from calc.blocks.multi_head import head_band
from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.lengths import Length
from calc.tensors import Band


def exact_head_dim(config: Config) -> Length:
    """Length of one head where the class knows no head_dim and demands d ÷ n_h to be whole.

    Raises ConfigError: heads_must_divide.
    """
    return config.derived("head_dim", head_band("query", config).width)


def query_key_value(
    config: Config, *, bias: bool = False, width: Length | None = None, kv_heads: Length | None = None
) -> Tensors:
    """Three matrices: query d × n_h·head_dim, key and value d × n_kv·head_dim each, with their biases if any.

    width      length of one head, where `head_dim` does not give it
    kv_heads   key-value heads, where `num_key_value_heads` does not give them
    """
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    kv_heads, width = kv_heads or num_key_value_heads(config), width or head_dim(config)
    shared = kv_heads.value if kv_heads.value < heads.value else None
    return [
        tensor
        for name, role, number in (("q_proj", "query", heads), ("k_proj", "key", kv_heads), ("v_proj", "value", kv_heads))
        for tensor in linear(
            name,
            "attention",
            role,
            hidden_size,
            number * width,
            bias=bias,
            output_bands=(Band(role, number.value, width.value, shared),),
        )
    ]


def attention_output(config: Config, name: str = "o_proj", *, bias: bool = False, width: Length | None = None) -> Tensors:
    """The output matrix n_h·head_dim × d, which mixes the heads joined end to end."""
    heads, width = config.length("num_attention_heads"), width or head_dim(config)
    return linear(
        name,
        "attention",
        "attention_output",
        heads * width,
        config.length("hidden_size"),
        bias=bias,
        input_bands=(Band("query", heads.value, width.value),),
    )
