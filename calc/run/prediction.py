"""What the rest of this package says of a model before it runs: its tensors, its FLOPs, the bytes of its cache.

The only place of this room that asks for them.
"""

from __future__ import annotations

from collections.abc import Iterable

from calc.compute.flops import matmul_flops_by_tensor, prefill_flops, square_forward_total
from calc.compute.training import exact_training_flops
from calc.mixing.kv_cache import kv_bytes
from calc.model import Model
from calc.weights.file_names import file_tensors

FLOAT32_BITS = 32


def expected_tensors(model: Model) -> dict[str, tuple[int, ...]]:
    """The name and the shape of every tensor the model's file should hold, tied ones left out.

    >>> expected_tensors(Model.of("stories-260k"))["model.embed_tokens.weight"]
    (512, 64)
    """
    return {tensor.name: tensor.shape for tensor in file_tensors(model.parts_list)}


def longest_context(model: Model) -> int | None:
    """Tokens up to which every layer attends to all of them: no more than the model takes, and than a window holds."""
    limits = [entry.window for entry in model.mixing.attention if entry.window is not None]
    return min([*limits, *([] if model.max_context is None else [model.max_context])], default=None)


def forward_flops(model: Model, tokens: int, layers_off: int = 0) -> int:
    """FLOPs of `tokens` tokens, each attending to those up to itself, whether they pass together or one by one.

    >>> forward_flops(Model.of("stories-260k"), 20)
    10641920
    """
    shorter = _without_layers(model, layers_off)
    return prefill_flops(shorter, tokens).total


def unmasked_flops(model: Model, passes: Iterable[int], layers_off: int = 0) -> int:
    """FLOPs where each pass reads its tokens anew and each of them attends to all: Σ over passes of so many tokens."""
    shorter = _without_layers(model, layers_off)
    return sum(square_forward_total(shorter, tokens) for tokens in passes)


def matrix_flops_per_token(model: Model) -> dict[str, int]:
    """FLOPs of a token in the matrices of each role, in all layers together.

    >>> matrix_flops_per_token(Model.of("stories-260k"))["lm_head"]
    65536
    """
    by_role: dict[str, int] = {}
    for tensor, flops in matmul_flops_by_tensor(model):
        if flops:
            by_role[tensor.role] = by_role.get(tensor.role, 0) + flops
    return by_role


def training_step_flops(model: Model, sequences: Iterable[int]) -> int:
    """FLOPs of forward and backward over sequences of so many tokens: three times forward."""
    return sum(exact_training_flops(model, tokens, tokens).model_flops for tokens in sequences)


def cache_bytes(model: Model, tokens: int, layers_off: int = 0) -> int:
    """B of keys and values of so many tokens in float32.

    >>> cache_bytes(Model.of("stories-260k"), 20)
    25600
    """
    return kv_bytes(_without_layers(model, layers_off).mixing, tokens, bits=FLOAT32_BITS)


def _without_layers(model: Model, off: int) -> Model:
    """The same model with fewer layers; all are alike."""
    if not off:
        return model
    return Model.of(model.changed_values({"num_hidden_layers": model.parts_list.num_hidden_layers - off}))
