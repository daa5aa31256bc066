"""A mixture of experts: a router that chooses, and experts of which each token uses a few."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks.ffn import gated_ffn
from calc.blocks.linear import linear
from calc.blocks.nesting import Tensors, inside
from calc.config import Config
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
    chosen: int | None,
    *,
    layout: Layout = "out_in",
    bias: bool = False,
    gate_up: str = "gate_up_proj",
    down: str = "down_proj",
) -> Tensors:
    """E gated FFNs of width d_expert, stored in two stacks: E × d × 2·d_expert and E × d_expert × d.

    number   E, how many there are
    chosen   how many of them a token goes through, None where the config does not say: then all count
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
    used = number.value if chosen is None else min(chosen, number.value)
    return [replace(stack, experts=number, experts_chosen=used) for stack in stacks]


def mixture(
    config: Config,
    *,
    number: str = "num_local_experts",
    width: str = "moe_intermediate_size",
    chosen: str = "num_experts_per_tok",
    may_leave_out_chosen: bool = False,
    name: str = "gate",
    prefix: str = "experts",
    bias: bool = False,
    layout: Layout = "out_in",
    correction: str | None = None,
) -> Tensors:
    """A router and its experts, their sizes read from the config.

    number, width, chosen   the fields that hold E, d_expert and the top k
    may_leave_out_chosen    the class has no default for the top k and builds the model without it
    name, prefix            of the router, and of the experts
    bias                    on the router and on every expert
    correction              name of a buffer of E numbers that balances the load of the experts, if there is one

    Source of the correction: Wang et al. 2024, arXiv:2408.15664.
    """
    hidden_size, experts_in_all = config.length("hidden_size"), config.length(number)
    top_k = None if may_leave_out_chosen and not config.gives_or_defaults(chosen) else config.size(chosen)
    return [
        *router(name, hidden_size, experts_in_all, bias=bias),
        *([vector(correction, "ffn", "router_correction", "buffer", experts_in_all)] if correction else []),
        *experts(prefix, hidden_size, config.length(width), experts_in_all, top_k, bias=bias, layout=layout),
    ]


def shared_ffn(
    config: Config, name: str, *, number: str, width: str = "moe_intermediate_size", bias: bool = False, fused: bool = False
) -> Tensors:
    """The shared experts, which every token goes through: one gated FFN as wide as `number` experts. None of them, no tensors.

    Source: Dai et al. 2024, arXiv:2401.06066.
    """
    if not config.size(number, smallest=0):
        return []
    shared = config.length(number) * config.length(width)
    return inside(name, gated_ffn(config, width=shared, bias=bias, fused=fused))
