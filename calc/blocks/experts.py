"""A mixture of experts: a router that chooses, and experts of which each token uses a few."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks.linear import linear
from calc.blocks.placing import Tensors
from calc.lengths import Length
from calc.tensors import Band, Layout, Tensor, vector


def router(name: str, hidden_size: Length, number: Length, *, bias: bool = False) -> Tensors:
    """Scores each expert for a token: d × E. It is read for every token, whichever experts it chooses."""
    return linear(name, "ffn", "router", hidden_size, number, bias=bias)


def experts(
    prefix: str,
    hidden_size: Length,
    width: Length,
    number: Length,
    chosen: int,
    *,
    layout: Layout = "out_in",
    bias: bool = False,
    gate_up: str = "gate_up_proj",
    down: str = "down_proj",
) -> Tensors:
    """E gated FFNs of width d_expert, stored in two stacks: E × d × 2·d_expert and E × d_expert × d.

    number   E, how many there are
    chosen   how many of them a token goes through
    layout   out_in stores [E, out, in], in_out stores [E, in, out]
    bias     a bias for each expert, named `gate_up_proj_bias`, `down_proj_bias`

    Source: Fedus et al. 2021, arXiv:2101.03961. Mixtral-8x7B, one layer: 8 × 3 · 4096 · 14336 = 1,409,286,144.
    """
    bands = (Band("gate", 1, width.value), Band("up", 1, width.value))
    stacks = [
        Tensor(f"{prefix}.{gate_up}", "ffn", "gate_up", "matrix", hidden_size, 2 * width, layout, output_bands=bands),
        Tensor(f"{prefix}.{down}", "ffn", "down", "matrix", width, hidden_size, layout),
    ]
    if bias:
        stacks.insert(1, vector(f"{prefix}.{gate_up}_bias", "ffn", "gate_up", "bias", 2 * width))
        stacks.append(vector(f"{prefix}.{down}_bias", "ffn", "down", "bias", hidden_size))
    return [replace(stack, experts=number, experts_chosen=min(chosen, number.value)) for stack in stacks]
