"""What a forward pass needs besides weights and cache: the vectors that a layer works on, and the scores of the last token.

An engine reads a prompt n tokens at a time, all sequences together. While a layer works, alive are the
residual vector and its normed copy, and all that attention or the FFN, whichever is more, gives out:

    bytes = n · (2·d + max(Σ out of attention, Σ out of the FFN)) · 2  +  4 · B · V

Scores of attention are not among them: fused kernels never write them. A good engine needs at most a few copies more or less;
a framework that keeps more alive needs more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from calc.memory.tensor_parallel import CUT_BY_INPUTS
from calc.tensors import Part, Tensor

CHUNK_TOKENS = 2048
"""Tokens an engine reads at a time: vLLM's and SGLang's chunks are of this order."""

SCORE_BYTES = 4
"""A score of the head is a 32-bit number."""


@dataclass(frozen=True, slots=True)
class Activations:
    """Memory of a pass.

    width     numbers alive a token: 2·d and what the wider of attention and FFN gives out
    bytes     of all
    formula, worked   how it comes about
    """

    width: int
    bytes: int
    formula: str
    worked: str


@dataclass(frozen=True, slots=True)
class PassWidths:
    """How wide a pass is on one of several GPUs.

    hidden    d
    widest    what the wider of attention and FFN gives out, a token
    scores    V, this GPU's share
    """

    hidden: int
    widest: int
    scores: int

    def bytes(self, tokens: int, sequences: int = 1) -> int:
        """n · (2·d + max Σ out) · 2 + 4 · B · V."""
        return 2 * tokens * (2 * self.hidden + self.widest) + SCORE_BYTES * sequences * self.scores

    def activations(self, tokens: int, sequences: int = 1) -> Activations:
        """The same with its derivation."""
        return Activations(
            2 * self.hidden + self.widest,
            self.bytes(tokens, sequences),
            "n · (2·d + max Σ out) · 2 + 4 · B · V",
            f"{tokens} · (2·{self.hidden} + {self.widest}) · 2 + {SCORE_BYTES} · {sequences} · {self.scores}",
        )


def pass_widths(tensors: Iterable[Tensor], gpus: int = 1) -> PassWidths:
    """How wide a pass is on each GPU: its share of all that is wider than the residual, and the whole residual.

    >>> from calc.model import Model
    >>> llama = pass_widths(Model.of("llama-2-7b").tensors).activations(2048)
    >>> llama.bytes, llama.worked
    (140637184, '2048 · (2·4096 + 26112) · 2 + 4 · 1 · 32000')
    """
    listed = tuple(tensors)
    widest = max((_given_out(layer, gpus) for layer in _layers(listed)), default=0)
    return PassWidths(hidden_size(listed), widest, -(-vocabulary_size(listed) // gpus))


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
    """The matrices of each kind of layer: layers of the same lines are of one kind."""
    by_layer: dict[int, list[Tensor]] = {}
    for tensor in tensors:
        if tensor.kind == "matrix" and tensor.part in ("attention", "ffn"):
            for layer in tensor.layers or ():
                by_layer.setdefault(layer, []).append(tensor)
    kinds = {tuple(map(id, of_layer)): of_layer for of_layer in by_layer.values()}
    return list(kinds.values())


def _given_out(layer: list[Tensor], gpus: int) -> int:
    """Numbers a token that the wider of attention and FFN gives out on a GPU; what goes back to the residual is whole on each."""
    widths: Counter[Part] = Counter()
    for tensor in layer:
        times = (tensor.experts_chosen or 1) if tensor.experts else tensor.repeats
        out = tensor.output.value
        widths[tensor.part] += times * (out if tensor.role in CUT_BY_INPUTS else -(-out // gpus))
    return max(widths.values())
