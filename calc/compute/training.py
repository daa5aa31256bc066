"""A training run: C = 6·N·D and its exact form, what it takes on GPUs, and the utilisation that published runs imply."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from calc.compute.attention import causal_attention_flops
from calc.compute.flops import matmul_flops_by_tensor, prefill_flops
from calc.mixing import Mixing
from calc.tensors import Tensor

RUNS_FILE = Path(__file__).parents[1] / "data" / "training_runs.json"

BACKWARD = 2
"""Backward costs twice what forward does: a product for the gradient of the input, and one for that of the weights."""

Recomputation = Literal["none", "selective", "full"]
RECOMPUTATIONS: tuple[Recomputation, ...] = ("none", "selective", "full")
"""What is computed again in the backward pass, to save the memory it would take to keep it: nothing; scores and the weighing of
values; every layer. Source: Korthikanti et al. 2022, arXiv:2205.05198."""


def training_flops(parameters: int, tokens: int) -> int:
    """C = 6·N·D, the rule of thumb: N parameters (of a mixture of experts the active ones), D tokens.

    Source: Kaplan et al. 2020, arXiv:2001.08361. Llama-2-7B on 2T tokens, DeepSeek-V3's 37.55B active on 14.8T:

    >>> training_flops(6_738_415_616, 2 * 10**12), training_flops(37_552_282_624, 148 * 10**11)
    (80860987392000000000000, 3334642697011200000000000)
    """
    return 6 * parameters * tokens


@dataclass(frozen=True, slots=True)
class TrainingFlops:
    """Exact FLOPs of a training run in sequences of equal length.

    tokens            D
    sequence_length   T: a token attends to those before it in its own sequence
    forward           matrices, causal attention, recurrences
    backward          twice that
    recomputed        what the backward pass computes once more
    """

    tokens: int
    sequence_length: int
    forward: int
    backward: int
    recomputed: int

    @property
    def model_flops(self) -> int:
        """What the run is for: forward and backward. Utilisation by these is called MFU."""
        return self.forward + self.backward

    @property
    def total(self) -> int:
        """What the GPUs do: recomputation too. Utilisation by these is called HFU."""
        return self.model_flops + self.recomputed


def exact_training_flops(
    tensors: Iterable[Tensor], mixing: Mixing, tokens: int, sequence_length: int, recomputation: Recomputation = "none"
) -> TrainingFlops:
    """3 · (matrices + causal attention + recurrences) over D tokens in sequences of T, and what is recomputed.

    With `full` recomputation every layer is passed once more, about 4 · forward in all: what stands outside the layers, the
    head above all, is not.

    Llama-2-7B, 2T tokens in sequences of 4096, against 6ND = 8.086e22:

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> run = exact_training_flops(llama.parts_list.tensors, llama.mixing, 2 * 10**12, 4096, "full")
    >>> f"{run.model_flops:.4e}", f"{run.total:.4e}"
    ('8.5729e+22', '1.1378e+23')
    """
    listed = list(tensors)
    sequences, rest = divmod(tokens, sequence_length)
    whole, last = (prefill_flops(listed, mixing, length) for length in (sequence_length, rest))
    forward = sequences * whole.total + last.total
    if recomputation == "none":
        recomputed = 0
    elif recomputation == "selective":
        recomputed = sequences * causal_attention_flops(mixing, sequence_length) + causal_attention_flops(mixing, rest)
    else:
        outside = sum(flops for tensor, flops in matmul_flops_by_tensor(listed, mixing) if tensor.layers is None)
        recomputed = forward - tokens * outside
    return TrainingFlops(tokens, sequence_length, forward, BACKWARD * forward, recomputed)


@dataclass(frozen=True, slots=True)
class TrainingTime:
    """What a number of FLOPs takes on GPUs.

    gpu_hours   hours of all GPUs together
    days        until it is done
    cost        in the currency of the price, None without a price
    """

    gpu_hours: float
    days: float
    cost: float | None = None


def training_time(
    flops: int, peak_flops_per_second: int, utilisation: float, gpus: int = 1, price_per_hour: float | None = None
) -> TrainingTime:
    """Hours, days and cost: C ÷ (peak · utilisation), shared by the GPUs.

    peak_flops_per_second   of one GPU, dense, in the format that is trained in
    utilisation             the share of the peak that is reached, 0 … 1

    Llama-2-7B's run at the 39.1% its 184,320 A100-hours imply:

    >>> time = training_time(training_flops(6_738_415_616, 2 * 10**12), 312 * 10**12, 0.3906, gpus=1024, price_per_hour=2)
    >>> round(time.gpu_hours), round(time.days, 1), round(time.cost)
    (184310, 7.5, 368621)
    """
    gpu_hours = flops / (peak_flops_per_second * utilisation) / 3600
    cost = None if price_per_hour is None else gpu_hours * price_per_hour
    return TrainingTime(gpu_hours, gpu_hours / gpus / 24, cost)


@dataclass(frozen=True, slots=True)
class Utilisation:
    """The share of the GPUs' peak that a published run reached, as far as what is published says.

    kind     `value`: low and high are one figure; `between`: a published figure is rounded, or two formats were used;
             `at_least`: the tokens are a floor, and nothing bounds it from above
    low      share of the peak, 0 … 1
    high     None for `at_least`
    reason   `tokens_floor`, `hours_rounded`, `two_formats`, or None for a value
    """

    kind: Literal["value", "between", "at_least"]
    low: float
    high: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedRun:
    """A training run as its authors describe it.

    model               as they call it
    parameters          N; of a mixture of experts the active ones
    tokens              D
    source, note        where the figures stand, and what to beware of
    catalogue_name      its name in the catalogue here, if it is there
    tokens_at_least     whether `tokens` is a floor ("15T+")
    gpu_hours           as published, None if they are not
    gpu_hours_between   the least and most that the published figure is rounded from
    gpu                 on which GPU
    peak_tflops         its dense peak in 16 bits
    faster_format       a format with a higher peak that most products ran in
    faster_peak_tflops  that peak
    published_flops     the compute that the authors give
    """

    model: str
    parameters: int
    tokens: int
    source: str
    note: str
    catalogue_name: str | None = None
    tokens_at_least: bool = False
    gpu_hours: int | None = None
    gpu_hours_between: tuple[int, int] | None = None
    gpu: str | None = None
    peak_tflops: int | None = None
    faster_format: str | None = None
    faster_peak_tflops: int | None = None
    published_flops: int | None = None

    @property
    def flops(self) -> int:
        """C = 6·N·D."""
        return training_flops(self.parameters, self.tokens)

    @property
    def utilisation(self) -> Utilisation | None:
        """6·N·D ÷ (hours · peak), or the bounds where a figure is a floor, rounded, or of two formats; None without hours.

        >>> runs = published_runs()
        >>> round(runs["Llama-2-7B"].utilisation.low, 3)
        0.391
        >>> runs["Llama-3-8B"].utilisation.kind, runs["DeepSeek-V3"].utilisation.reason, runs["GPT-3 175B"].utilisation
        ('at_least', 'two_formats', None)
        """
        if self.gpu_hours is None or self.peak_tflops is None:
            return None
        least, most = self.gpu_hours_between or (self.gpu_hours, self.gpu_hours)
        low = self._share_of(most, self.faster_peak_tflops or self.peak_tflops)
        high = self._share_of(least, self.peak_tflops)
        if self.tokens_at_least:
            return Utilisation("at_least", low, None, "tokens_floor")
        if self.faster_peak_tflops is not None:
            return Utilisation("between", low, high, "two_formats")
        if self.gpu_hours_between is not None:
            return Utilisation("between", low, high, "hours_rounded")
        return Utilisation("value", low, high)

    def _share_of(self, gpu_hours: int, peak_tflops: int) -> float:
        return self.flops / (gpu_hours * 3600 * peak_tflops * 10**12)


@cache
def published_runs() -> Mapping[str, PublishedRun]:
    """Every published run by the model's name, in the order of the file.

    >>> f"{published_runs()['DeepSeek-V3'].flops:.3e}"
    '3.335e+24'
    """
    runs = {}
    for entry in json.loads(RUNS_FILE.read_text(encoding="utf-8")):
        between = entry.pop("gpu_hours_between", None)
        runs[entry["model"]] = PublishedRun(**entry, gpu_hours_between=None if between is None else tuple(between))
    return runs
