"""What the rest of this package says of a model before it runs: its tensors, its FLOPs, the bytes of its cache.

The only place of this room that asks for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from calc.build import build_parts_list
from calc.compute.flops import matmul_flops_by_tensor, prefill_flops, square_forward_total
from calc.compute.training import exact_training_flops
from calc.mixing import mixing
from calc.mixing.kv_cache import kv_bytes
from calc.weights.file_names import file_tensors

FLOAT32_BITS = 32

Values = Mapping[str, object]
"""Of a config.json."""


def expected_tensors(values: Values) -> dict[str, tuple[int, ...]]:
    """The name and the shape of every tensor the model's file should hold, tied ones left out.

    >>> expected_tensors({"model_type": "llama", "vocab_size": 8, "hidden_size": 64})["model.embed_tokens.weight"]
    (8, 64)
    """
    return {tensor.name: tensor.shape for tensor in file_tensors(build_parts_list(values))}


def lengths(values: Values) -> dict[str, int | bool]:
    """The fields the count rests on, by their generic names; `max_context` among them, a window's length where that is less.

    Within its window a layer attends to everything.
    """
    meeting = mixing(values)
    limits = [entry.window for entry in meeting.attention if entry.window is not None]
    if meeting.max_context is not None:
        limits.append(meeting.max_context)
    return {**build_parts_list(values).sizes, "max_context": min(limits, default=0)}


def forward_flops(values: Values, tokens: int, layers_off: int = 0) -> int:
    """FLOPs of `tokens` tokens, each attending to those up to itself, whether they pass together or one by one.

    >>> from calc.catalogue import catalogue
    >>> forward_flops(catalogue()["stories-260k"].config, 20)
    10641920
    """
    shorter = _without_layers(values, layers_off)
    return prefill_flops(build_parts_list(shorter).tensors, mixing(shorter), tokens).total


def unmasked_flops(values: Values, passes: Iterable[int], layers_off: int = 0) -> int:
    """FLOPs where each pass reads its tokens anew and each of them attends to all: Σ over passes of so many tokens."""
    shorter = _without_layers(values, layers_off)
    tensors, meeting = build_parts_list(shorter).tensors, mixing(shorter)
    return sum(square_forward_total(tensors, meeting, tokens) for tokens in passes)


def matrix_flops_per_token(values: Values) -> dict[str, int]:
    """FLOPs of a token in the matrices of each role, in all layers together.

    >>> from calc.catalogue import catalogue
    >>> matrix_flops_per_token(catalogue()["stories-260k"].config)["lm_head"]
    65536
    """
    by_role: dict[str, int] = {}
    for tensor, flops in matmul_flops_by_tensor(build_parts_list(values).tensors):
        if flops:
            by_role[tensor.role] = by_role.get(tensor.role, 0) + flops
    return by_role


def training_step_flops(values: Values, sequences: Iterable[int]) -> int:
    """FLOPs of forward and backward over sequences of so many tokens: three times forward."""
    tensors, meeting = build_parts_list(values).tensors, mixing(values)
    return sum(exact_training_flops(tensors, meeting, tokens, tokens).model_flops for tokens in sequences)


def cache_bytes(values: Values, tokens: int, layers_off: int = 0) -> int:
    """B of keys and values of so many tokens in float32.

    >>> from calc.catalogue import catalogue
    >>> cache_bytes(catalogue()["stories-260k"].config, 20)
    25600
    """
    return kv_bytes(mixing(_without_layers(values, layers_off)), tokens, bits=FLOAT32_BITS)


def _without_layers(values: Values, off: int) -> Values:
    """The config of the same model with fewer layers; all are alike."""
    if not off:
        return values
    return {**values, "num_hidden_layers": int(build_parts_list(values).sizes["num_hidden_layers"]) - off}
