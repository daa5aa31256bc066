"""Linear attention: a state of fixed size that each token corrects (the delta rule) stands in for the KV cache."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calc.blocks.attention import grouped_query_attention, head_dim
from calc.blocks.linear import linear, parameter, rms_norm
from calc.blocks.nesting import Tensors
from calc.blocks.state_space import causal_convolution
from calc.config import Config
from calc.lengths import Length
from calc.tensors import Band, vector


@dataclass(frozen=True, slots=True)
class LinearHeads:
    """Heads of a linear attention: keys (and queries) may be fewer and narrower than values.

    number_of_keys, number_of_values   heads of each
    key_width, value_width             length of one
    """

    number_of_keys: Length
    number_of_values: Length
    key_width: Length
    value_width: Length

    @property
    def keys(self) -> Length:
        """Length of all keys together, and of all queries."""
        return self.number_of_keys * self.key_width

    @property
    def values(self) -> Length:
        """Length of all values together."""
        return self.number_of_values * self.value_width

    def band(self, role: str) -> Band:
        """The heads of one role side by side."""
        if role in ("linear_query", "linear_key"):
            return Band(role, self.number_of_keys.value, self.key_width.value)
        return Band(role, self.number_of_values.value, self.value_width.value)

    def project(self, name: str, role: str, hidden_size: Length) -> Tensors:
        """The matrix that makes one role: d × its heads."""
        length = self.keys if role in ("linear_query", "linear_key") else self.values
        return linear(name, "attention", role, hidden_size, length, output_bands=(self.band(role),))


def linear_heads(config: Config) -> LinearHeads:
    """The heads by the field names that most families share: `linear_num_key_heads`, `linear_key_head_dim`, …"""
    return LinearHeads(
        config.length("linear_num_key_heads"),
        config.length("linear_num_value_heads"),
        config.length("linear_key_head_dim"),
        config.length("linear_value_head_dim"),
    )


def gated_delta_net(config: Config, *, fused: bool = False) -> Tensors:
    """Gated DeltaNet: query, key and value pass a short convolution; two numbers a head say how much to forget and to write.

    fused   query, key, value and gate are one matrix, the two numbers a head another; otherwise the gate is its own
            matrix, and each number too

    Source: Yang et al. 2024, arXiv:2412.06464. Qwen3-Next-80B-A3B, one layer: 33,718,464.
    """
    hidden_size, heads = config.length("hidden_size"), linear_heads(config)
    kernel, number = config.length("linear_conv_kernel_dim"), heads.number_of_values
    convolved = 2 * heads.keys + heads.values
    bands = tuple(heads.band(role) for role in ("linear_query", "linear_key", "linear_value"))
    if fused:
        projections = [
            *linear("in_proj_qkvz", "attention", "linear_query_key_value_gate", hidden_size, 2 * heads.keys + 2 * heads.values),
            *linear("in_proj_ba", "attention", "linear_write_and_decay", hidden_size, 2 * number),
        ]
    else:
        projections = [
            *linear("in_proj_qkv", "attention", "linear_query_key_value", hidden_size, convolved, output_bands=bands),
            *heads.project("in_proj_z", "linear_gate", hidden_size),
            *linear("in_proj_b", "attention", "linear_write", hidden_size, number),
            *linear("in_proj_a", "attention", "linear_decay", hidden_size, number),
        ]
    return [
        *projections,
        *causal_convolution("conv1d", convolved, kernel),
        vector("dt_bias", "attention", "linear_decay", "bias", number),
        *parameter("A_log", "attention", "state_decay_of_heads", number),
        *rms_norm("norm", "linear_value_norm", heads.value_width),
        *linear("out_proj", "attention", "mixer_output", heads.values, hidden_size, input_bands=(heads.band("linear_value"),)),
    ]


def separate_projections(heads: LinearHeads, hidden_size: Length, kernel: Length) -> Tensors:
    """Query, key and value of a linear attention as three matrices, and the convolution all of them pass."""
    return [
        *heads.project("q_proj", "linear_query", hidden_size),
        *heads.project("k_proj", "linear_key", hidden_size),
        *heads.project("v_proj", "linear_value", hidden_size),
        *causal_convolution("conv1d", 2 * heads.keys + heads.values, kernel),
    ]


def output_gated_attention(config: Config, *, bias: bool = False) -> Tensors:
    """Grouped-query attention whose query matrix also makes a gate, head by head: d × n_h·2·head_dim.

    Source: Qiu et al. 2025, arXiv:2505.06708.
    """
    heads, width = config.length("num_attention_heads"), head_dim(config)
    band = Band("query_and_gate", heads.value, 2 * width.value)
    gated = {"role": "query_and_gate", "output": heads * (2 * width), "output_bands": (band,)}
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True)
    return [
        replace(tensor, **(gated if tensor.kind == "matrix" else {**gated, "output_bands": ()}))
        if tensor.role == "query"
        else tensor
        for tensor in attention
    ]
