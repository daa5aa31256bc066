"""Which tensors of a quantized file stay in 16 or 32 bits, and why."""

from __future__ import annotations

from typing import Literal

from calc.tensors import Tensor
from calc.weights.formats import Kept

Reason = Literal["norm", "bias", "router", "embedding", "position", "lm_head", "small", "not_an_expert"]

REASONS: dict[Reason, str] = {
    "norm": "one row: it holds next to nothing, and scales every number that passes",
    "bias": "one row: it holds next to nothing, and is added after the product",
    "router": "small, and a slightly wrong score sends a token to another expert",
    "embedding": "rows are looked up, not multiplied, so that fewer bits save no time; every error goes through the whole model",
    "position": "rows are looked up, not multiplied",
    "lm_head": "its scores are what a token is chosen by; rounding hurts here more than in any layer",
    "small": "small, and no plain matrix product",
    "not_an_expert": "the format is for the experts, which hold nearly all of the weights",
}
"""Why a tensor keeps its bits. What a tensor is decides, not how large it is."""

ROUTERS = ("router", "shared_expert_gate", "router_correction", "router_table", "router_down", "router_inner", "expert_query")
"""Roles of what chooses experts. JetMoe's queries are experts chosen by a router of their own, kept by no format known here."""

NO_PRODUCTS = (
    "convolution",
    "convolution_of_heads",
    "relative_scores",
    "distance_score",
    "stream_mixing",
    "altup_router",
    "altup_correction",
    "altup_prediction",
    "norm_gate_down",
    "norm_gate_up",
    "laurel_down",
    "laurel_up",
)
"""Roles of matrices that are no layer's large products."""


def reason_kept(tensor: Tensor, kept: Kept, has_experts: bool = False) -> Reason | None:
    """Why a tensor keeps 16 or 32 bits in a file of such a format; None where it takes the format.

    kept         which tensors the format takes: see `calc.weights.formats.Kept`
    has_experts  whether the model has stacks of experts: a format for experts takes the layers of a model without

    >>> from calc.model import Model
    >>> llama = Model.of({"model_type": "llama"}).parts_list
    >>> [(tensor.short_name, reason_kept(tensor, "layers")) for tensor in llama.tensors][:3]
    [('embed_tokens', 'embedding'), ('input_layernorm', 'norm'), ('q_proj', None)]
    """
    if kept == "all":
        return None
    if tensor.role in ROUTERS or tensor.role.startswith("router"):
        return "router"
    if tensor.kind == "scale" or tensor.part == "norm":
        return "norm" if tensor.part == "norm" else "small"
    if tensor.kind == "bias":
        return "bias"
    if tensor.role == "position_embedding":
        return "position"
    if tensor.part == "lm_head":
        return "lm_head"
    if tensor.kind == "table" or tensor.part == "embedding":
        return "embedding"
    if tensor.kind == "buffer" or tensor.part == "other" or tensor.role in NO_PRODUCTS or tensor.layers is None:
        return "small"
    if kept == "experts" and has_experts and tensor.experts is None:
        return "not_an_expert"
    return None
