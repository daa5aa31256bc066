"""What training takes on a GPU: weights, gradients, optimizer states, activations, and how sharding divides them.

Bytes a trained parameter:

    mixed precision, AdamW    2 weight + 2 gradient + 4 master weight + 4 + 4 moments = 16
    fp32, AdamW               4 weight + 4 gradient + 4 + 4 moments = 16
    8-bit AdamW               moments of 1 byte each, with a 4-byte scale for every 256 of them
    momentum, SGD             one moment of 4 bytes, or none

Sources: Micikevicius et al. 2017, arXiv:1710.03740; Rajbhandari et al. 2020 (ZeRO), arXiv:1910.02054; Dettmers et al. 2021,
arXiv:2110.02861; Hu et al. 2021 (LoRA), arXiv:2106.09685; Dettmers et al. 2023 (QLoRA), arXiv:2305.14314; Korthikanti et al.
2022, arXiv:2205.05198.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

from calc.config.fields import checked_count
from calc.errors import ConfigError, quoted
from calc.parts_list import parameters
from calc.tensors import Part, Tensor

Precision = Literal["mixed", "fp32"]
Optimizer = Literal["adamw", "adamw-8bit", "momentum", "sgd"]
Recomputation = Literal["none", "selective", "full"]
Stage = Literal[0, 1, 2, 3]

MOMENT_BYTES: dict[Optimizer, Fraction] = {
    "adamw": Fraction(8),
    "adamw-8bit": 2 * (1 + Fraction(4, 256)),
    "momentum": Fraction(4),
    "sgd": Fraction(0),
}
"""Bytes of the moments of one parameter. bitsandbytes keeps a scale in FP32 for every 256 moments of 8 bits."""

WEIGHT_BYTES: dict[Precision, int] = {"mixed": 2, "fp32": 4}
MASTER_BYTES: dict[Precision, int] = {"mixed": 4, "fp32": 0}


@dataclass(frozen=True, slots=True)
class States:
    """What the parameters take on each GPU, in bytes.

    frozen      weights that are not trained, under an adapter
    weights     trained weights, as the forward pass reads them
    gradients   of these
    optimizer   master weights in 32 bits and moments
    """

    frozen: int
    weights: int
    gradients: int
    optimizer: int

    @property
    def bytes(self) -> int:
        """All of them."""
        return self.frozen + self.weights + self.gradients + self.optimizer


def model_states(
    trained: int,
    *,
    precision: Precision = "mixed",
    optimizer: Optimizer = "adamw",
    gradient_bytes: int | None = None,
    stage: Stage = 0,
    gpus: int = 1,
    frozen_bytes: int = 0,
) -> States:
    """Bytes of weights, gradients and optimizer states on each GPU.

    trained          parameters that are trained
    gradient_bytes   of a gradient, that of a weight unless given; some frameworks add them up in 4 bytes
    stage            of ZeRO: 1 shares the optimizer states out to the GPUs, 2 the gradients too, 3 the weights too (as FSDP)
    frozen_bytes     of weights that are not trained; stage 3 shares them out too

    Raises ConfigError: not_positive, not_among.

    The example of the ZeRO paper, 7.5B parameters on 64 GPUs: 120, 31.4, 16.6 and 1.9 GB.

    >>> [round(model_states(7_500_000_000, stage=stage, gpus=64).bytes / 1e9, 1) for stage in (0, 1, 2, 3)]
    [120.0, 31.4, 16.6, 1.9]
    """
    choices = (("precision", precision, WEIGHT_BYTES), ("optimizer", optimizer, MOMENT_BYTES), ("stage", stage, range(4)))
    for field, value, among in choices:
        if value not in among:
            raise ConfigError("not_among", field, value=quoted(value), among=", ".join(map(str, among)))
    for field, value in (("gpus", gpus), ("parameters", trained + 1)):
        if value < 1:
            raise ConfigError("not_positive", field, value=quoted(value))
    weight, master, moments = WEIGHT_BYTES[precision], MASTER_BYTES[precision], MOMENT_BYTES[optimizer]
    gradient = weight if gradient_bytes is None else gradient_bytes
    shared = [1 if stage < from_stage else gpus for from_stage in (3, 2, 1)]
    return States(
        ceil(Fraction(frozen_bytes, shared[0])),
        ceil(Fraction(trained * weight, shared[0])),
        ceil(Fraction(trained * gradient, shared[1])),
        ceil(trained * (master + moments) / shared[2]),
    )


@dataclass(frozen=True, slots=True)
class Adapter:
    """A matrix with a low-rank adapter B·A of rank r, which is added to it.

    name       of the line in the parts list
    rank       r
    copies     matrices of that line, each with its own adapter
    parameters copies · r · (in + out)
    formula, worked   the same in symbols and numbers
    """

    name: str
    rank: int
    copies: int
    parameters: int
    formula: str
    worked: str


ATTENTION_ROLES = ("query", "key", "value", "query_key_value", "attention_output")
FFN_ROLES = ("gate", "up", "gate_up", "down", "widen", "narrow")


def lora(tensors: Iterable[Tensor], rank: int, roles: Iterable[str] = (*ATTENTION_ROLES, *FFN_ROLES)) -> tuple[Adapter, ...]:
    """Adapters of rank r for the matrices of the given roles: r·(in + out) parameters each, one for each expert of a stack.

    Raises ConfigError: not_positive, not_an_integer.

    LoRA's own choice, queries and values of Llama-2-7B at rank 8: 4,194,304 parameters.

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b").tensors
    >>> sum(adapter.parameters for adapter in lora(llama, 8, ("query", "value")))
    4194304
    >>> lora(llama, 8, ("down",))[0].worked
    '32 · 8 · (11008 + 4096)'
    """
    checked_count("rank", rank)
    chosen, found = set(roles), []
    for tensor in tensors:
        if tensor.role not in chosen or tensor.kind != "matrix" or tensor.layers is None or tensor.tied_to:
            continue
        copies = tensor.copies * (tensor.experts.value if tensor.experts else 1)
        added = copies * rank * (tensor.input.value + tensor.output.value)
        found.append(
            Adapter(
                tensor.name,
                rank,
                copies,
                added,
                f"copies · r · ({tensor.input.symbol} + {tensor.output.symbol})",
                f"{copies} · {rank} · ({tensor.input.value} + {tensor.output.value})",
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class TrainingActivations:
    """What the forward pass keeps for the backward pass.

    layers     in the layers
    scores     of the head in 32 bits
    formula    of one layer, in symbols; s tokens of a sequence, b sequences, h = d, a heads
    """

    layers: int
    scores: int
    formula: str

    @property
    def bytes(self) -> int:
        """All of it."""
        return self.layers + self.scores


def korthikanti_activations(
    *, sequence: int, batch: int, hidden: int, heads: int, layers: int, vocabulary: int, recomputation: Recomputation = "none"
) -> TrainingActivations:
    """Activations of a GPT in 16 bits by the published formula, without parallelism.

        none        L · s·b·h · (34 + 5·a·s ÷ h)      everything is stored, the scores of attention too
        selective   L · s·b·h · 34                    attention's inside is computed again, or never written (fused kernels)
        full        L · s·b·h · 2                     only each layer's input is stored; one layer at a time is computed again

    It holds for the layer of the paper: an FFN of width 4h with GELU, dropout, as many kv heads as heads. For another layer
    see `counted_activations`. The scores of the head add 4·s·b·V.

    Raises ConfigError: not_among.

    GPT-3 175B of the paper, a batch of 1: 2.9 GB a layer, 70% of it attention's inside.

    >>> gpt3 = dict(sequence=2048, batch=1, hidden=12288, heads=96, layers=1, vocabulary=0)
    >>> [korthikanti_activations(**gpt3, recomputation=how).layers for how in ("none", "selective", "full")]
    [2868903936, 855638016, 50331648]
    """
    if recomputation not in ("none", "selective", "full"):
        raise ConfigError("not_among", "recomputation", value=quoted(recomputation), among="none, selective, full")
    tokens = sequence * batch * hidden
    scores = 5 * heads * sequence * sequence * batch
    of_layer = {"none": 34 * tokens + scores, "selective": 34 * tokens, "full": 2 * tokens}[recomputation]
    formula = {"none": "s·b·h·(34 + 5·a·s÷h)", "selective": "34·s·b·h", "full": "2·s·b·h"}[recomputation]
    return TrainingActivations(layers * of_layer, 4 * sequence * batch * vocabulary, formula)


def counted_activations(
    tensors: Iterable[Tensor], *, tokens: int, hidden: int, vocabulary: int, recomputation: Recomputation = "none"
) -> TrainingActivations:
    """Activations of any layer in 16 bits, read off its matrices, with fused attention and without dropout.

    Kept for the backward pass are, a token and layer: what enters each norm and what leaves it (2·d each), what attention
    works on (queries, keys, values, and its result, the input of the matrix back), and what the FFN works on (gate, up, and
    their product). With `full` recomputation only each layer's input is stored, and one layer at a time is computed again.

    Raises ConfigError: not_among.

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b").tensors
    >>> counted_activations(llama, tokens=4096, hidden=4096, vocabulary=32000).formula
    '2·T·(4·d + 16384 + 33024) a layer'
    """
    if recomputation not in ("none", "selective", "full"):
        raise ConfigError("not_among", "recomputation", value=quoted(recomputation), among="none, selective, full")
    per_layer: dict[int, Counter[Part]] = {}
    for tensor in tensors:
        if tensor.kind != "matrix" or tensor.part not in ("attention", "ffn"):
            continue
        times = (tensor.experts_chosen or 1) if tensor.experts else tensor.repeats
        # the matrix back to the residual keeps what enters it, the others what leaves them
        back = tensor.role in ("attention_output", "down", "narrow", "mixer_output", "expert_output")
        for layer in tensor.layers or ():
            per_layer.setdefault(layer, Counter())[tensor.part] += times * (tensor.input if back else tensor.output).value
    scores = 4 * tokens * vocabulary
    widest = max((of_layer.total() for of_layer in per_layer.values()), default=0)
    if recomputation == "full":
        once = 2 * tokens * (4 * hidden + widest)
        return TrainingActivations(2 * tokens * hidden * len(per_layer) + once, scores, "2·T·d a layer + one layer whole")
    numbers = sum(4 * hidden + of_layer.total() for of_layer in per_layer.values())
    first = next(iter(per_layer.values()), Counter())
    formula = f"2·T·(4·d + {first['attention']} + {first['ffn']}) a layer"
    return TrainingActivations(2 * tokens * numbers, scores, formula)


def trained_parameters(tensors: Iterable[Tensor], adapters: Iterable[Adapter] | None = None) -> int:
    """Parameters that are trained: the adapters', or all where there are none.

    >>> trained_parameters((), ())
    0
    """
    return parameters(tensors) if adapters is None else sum(adapter.parameters for adapter in adapters)
