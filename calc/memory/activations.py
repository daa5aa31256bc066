"""What a forward pass needs beside weights and cache: the vectors that a layer works on, and the scores of the last token.

Reading a prompt, an engine takes so many tokens at a time (n, all sequences together). While a layer works, alive are the
residual vector and its normed copy, and all that attention or the FFN, whichever is more, gives out:

    bytes = n · (2·d + max(Σ out of attention, Σ out of the FFN)) · 2  +  4 · B · V

Scores of attention are not among them: fused kernels never write them down. This bounds a good engine from above within a few
copies; a framework that keeps more alive needs more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from calc.memory.tensor_parallel import CUT_BY_INPUTS
from calc.tensors import Tensor

CHUNK_TOKENS = 2048
"""Tokens an engine reads at a time: vLLM's and SGLang's chunks are of this order."""

SCORE_BYTES = 4
"""A score of the head is a 32-bit number."""


@dataclass(frozen=True, slots=True)
class Activations:
    """Memory of a pass.

    tokens    n, at a time
    width     numbers alive a token: 2·d and what the wider of attention and FFN gives out
    bytes     of all
    formula, worked   how it comes about
    """

    tokens: int
    width: int
    bytes: int
    formula: str
    worked: str


def prefill_activations(tensors: Iterable[Tensor], tokens: int, sequences: int = 1, gpus: int = 1) -> Activations:
    """What reading `tokens` tokens at a time of `sequences` sequences needs on each of `gpus` GPUs.

    With tensor parallelism each GPU holds its share of what is wider than the residual, and all of the residual itself.

    >>> from calc.model import Model
    >>> llama = prefill_activations(Model.of("llama-2-7b").tensors, 2048)
    >>> llama.bytes, llama.worked
    (140637184, '2048 · (2·4096 + 26112) · 2 + 4 · 1 · 32000')
    """
    listed = tuple(tensors)
    hidden, vocabulary = hidden_size(listed), vocabulary_size(listed)
    widest = max((_given_out(layer, gpus) for layer in _layers(listed)), default=0)
    scores = -(-vocabulary // gpus)
    width = 2 * hidden + widest
    return Activations(
        tokens,
        width,
        2 * tokens * width + SCORE_BYTES * sequences * scores,
        "n · (2·d + max Σ out) · 2 + 4 · B · V",
        f"{tokens} · (2·{hidden} + {widest}) · 2 + {SCORE_BYTES} · {sequences} · {scores}",
    )


def hidden_size(tensors: Iterable[Tensor]) -> int:
    """d, the length of the residual vector: what the final norm scales, or the embedding gives."""
    listed = tuple(tensors)
    for role in ("final_norm", "norm_before_ffn", "token_embedding"):
        for tensor in listed:
            if tensor.role == role:
                return tensor.output.value
    return max((tensor.output.value for tensor in listed), default=0)


def vocabulary_size(tensors: Iterable[Tensor]) -> int:
    """V, the scores of a token: what the head gives out, tied or not."""
    return max((tensor.output.value for tensor in tensors if tensor.role == "lm_head" and tensor.kind == "matrix"), default=0)


def _layers(tensors: tuple[Tensor, ...]) -> list[list[Tensor]]:
    """The matrices of each kind of layer: layers that hold the same."""
    held: dict[int, list[Tensor]] = {}
    for tensor in tensors:
        if tensor.kind == "matrix" and tensor.part in ("attention", "ffn"):
            for layer in tensor.layers or ():
                held.setdefault(layer, []).append(tensor)
    kinds = {tuple(map(id, of_layer)): of_layer for of_layer in held.values()}
    return list(kinds.values())


def _given_out(layer: list[Tensor], gpus: int) -> int:
    """Numbers a token that the wider of attention and FFN gives out on a GPU; what goes back to the residual is whole on each."""
    widths = dict.fromkeys(("attention", "ffn"), 0)
    for tensor in layer:
        times = (tensor.experts_chosen or 1) if tensor.experts else tensor.repeats
        out = tensor.output.value
        widths[tensor.part] += times * (out if tensor.role in CUT_BY_INPUTS else -(-out // gpus))
    return max(widths.values())
