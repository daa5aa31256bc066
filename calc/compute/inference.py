"""Inference on a GPU: whether memory or arithmetic bounds it, and the shortest time that prefill and decode can take.

A step multiplies some FLOPs and must at least read the weights and the KV cache once. It cannot be faster than

    max(FLOPs ÷ peak, bytes ÷ bandwidth)

which is the roofline. Source: Williams et al. 2009, "Roofline". Real servers are slower: no kernel reaches both limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from calc.compute.attention import attended_in_all
from calc.compute.flops import generation_flops, prefill_flops
from calc.compute.traffic import Bits, bytes_of, cache_bytes_read, weights_read
from calc.gpus import Gpu
from calc.mixing import Mixing
from calc.mixing.kv_cache import kv_bytes, state_bytes
from calc.parts_list import parameters
from calc.tensors import Tensor

Bound = Literal["memory", "compute"]


@dataclass(frozen=True, slots=True)
class Step:
    """What a GPU must at least do in one pass over the weights.

    tokens         of all sequences together
    flops          of all of them
    weight_bytes   read, experts as named in `WeightsRead`
    cache_bytes    read, and written where a prompt fills the cache
    compute_seconds, memory_seconds   each limit alone
    """

    tokens: int
    flops: int
    weight_bytes: int
    cache_bytes: int
    compute_seconds: float
    memory_seconds: float

    @property
    def bytes(self) -> int:
        """Read and written in all."""
        return self.weight_bytes + self.cache_bytes

    @property
    def intensity(self) -> float:
        """Arithmetic intensity, FLOPs a byte."""
        return self.flops / self.bytes if self.bytes else 0.0

    @property
    def bound(self) -> Bound:
        """Which limit holds it back."""
        return "compute" if self.compute_seconds >= self.memory_seconds else "memory"

    @property
    def seconds(self) -> float:
        """The shortest time it can take."""
        return max(self.compute_seconds, self.memory_seconds)


def ridge_point(gpu: Gpu, number_format: str | None = None) -> float:
    """FLOPs a byte from which on arithmetic, not memory, is the limit: peak ÷ bandwidth.

    Raises ConfigError: gpu_without_peak.

    >>> from calc.gpus import find_gpu
    >>> round(ridge_point(find_gpu("A100"))), round(ridge_point(find_gpu("T4")))
    (153, 203)
    """
    return gpu.peak_flops_per_second(number_format) / gpu.bandwidth_bytes_per_second


def attainable_flops_per_second(gpu: Gpu, intensity: float, number_format: str | None = None) -> float:
    """The roofline: min(peak, intensity · bandwidth). Raises ConfigError: gpu_without_peak."""
    return min(gpu.peak_flops_per_second(number_format), intensity * gpu.bandwidth_bytes_per_second)


Experts = Literal["least", "most", "expected"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a model runs on and in.

    gpu             the GPU; the whole model is taken to be on it
    weight_bits     bits a weight takes, its scales included: 16, 4.5 …
    cache_bits      bits of a number of the KV cache
    number_format   in which the GPU multiplies; None for its best 16-bit format
    experts         which of the three figures of `WeightsRead` counts
    """

    gpu: Gpu
    weight_bits: Bits = 16
    cache_bits: Bits = 16
    number_format: str | None = None
    experts: Experts = "expected"

    def step(self, tensors: Iterable[Tensor], tokens: int, flops: int, cache_bytes: int) -> Step:
        """A pass over the weights with so many tokens. Raises ConfigError: gpu_without_peak."""
        read = getattr(weights_read(tensors, tokens), self.experts)
        weight_bytes = bytes_of(read, self.weight_bits)
        return Step(
            tokens,
            flops,
            weight_bytes,
            cache_bytes,
            flops / self.gpu.peak_flops_per_second(self.number_format),
            (weight_bytes + cache_bytes) / self.gpu.bandwidth_bytes_per_second,
        )


def prefill_step(tensors: Iterable[Tensor], mixing: Mixing, setting: Setting, prompt: int, batch: int = 1) -> Step:
    """Reading `batch` prompts of `prompt` tokens at once: its seconds bound the time to the first token from below.

    The head is applied to each prompt's last token; the weights are read once, the cache is written once.

    >>> from calc.gpus import find_gpu
    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> step = prefill_step(llama.parts_list.tensors, llama.mixing, Setting(find_gpu("A100")), 1000)
    >>> step.bound, round(step.intensity), round(step.seconds * 1000, 1)
    ('compute', 961, 42.4)
    """
    listed = tuple(tensors)
    flops = batch * prefill_flops(listed, mixing, prompt, last_scores_only=True).total
    written = kv_bytes(mixing, prompt, batch, setting.cache_bits) + state_bytes(mixing, batch, setting.cache_bits)
    return setting.step(listed, batch * prompt, flops, written)


def decode_step(tensors: Iterable[Tensor], mixing: Mixing, setting: Setting, context: int, batch: int = 1) -> Step:
    """One token more for `batch` sequences that are `context` tokens long with it: its seconds bound the time per token.

    Weights are read once for all sequences, each sequence's cache for itself.

    >>> from calc.gpus import find_gpu
    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> step = decode_step(llama.parts_list.tensors, llama.mixing, Setting(find_gpu("A100")), 1000)
    >>> step.bound, round(step.intensity, 2), round(step.seconds * 1000, 2)
    ('memory', 1.0, 6.74)
    """
    listed = tuple(tensors)
    flops = batch * generation_flops(listed, mixing, context - 1, 1).total
    return setting.step(listed, batch, flops, batch * cache_bytes_read(mixing, context, setting.cache_bits))


def weights_by_bandwidth_seconds(tensors: Iterable[Tensor], gpu: Gpu, weight_bits: Bits = 16) -> float:
    """The rule of thumb for the time of a token: all bytes of the model ÷ bandwidth, the embedding table included.

    TinyLlama in 16 bits on a T4: 6.88 ms.

    >>> from calc.model import Model
    >>> from calc.gpus import find_gpu
    >>> round(weights_by_bandwidth_seconds(Model.of("tinyllama-1.1b").tensors, find_gpu("T4")) * 1000, 2)
    6.88
    """
    return bytes_of(parameters(tensors), weight_bits) / gpu.bandwidth_bytes_per_second


@dataclass(frozen=True, slots=True)
class Request:
    """A request, as many at a time as the batch has: a prompt is read, then tokens are generated one by one.

    prefill   reading the prompts
    decode    all passes that generate; the first token comes with the prefill
    """

    prefill: Step
    decode: Step

    @property
    def flops(self) -> int:
        """Of all sequences of the batch."""
        return self.prefill.flops + self.decode.flops

    @property
    def seconds(self) -> float:
        """The shortest time the batch can take."""
        return self.prefill.seconds + self.decode.seconds


def request(tensors: Iterable[Tensor], mixing: Mixing, setting: Setting, prompt: int, generated: int, batch: int = 1) -> Request:
    """`batch` requests at once, of `prompt` tokens each, that `generated` tokens answer.

    Generating n tokens takes n − 1 passes after the prefill, each reading the weights and a cache that has grown by one.

    >>> from calc.gpus import find_gpu
    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> asked = request(llama.parts_list.tensors, llama.mixing, Setting(find_gpu("A100")), 1000, 101)
    >>> round(asked.prefill.seconds, 3), round(asked.decode.seconds, 3)
    (0.042, 0.675)
    """
    listed, passes = tuple(tensors), max(generated - 1, 0)
    first = prefill_step(listed, mixing, setting, prompt, batch)
    flops = batch * generation_flops(listed, mixing, prompt, passes).total
    numbers = sum(
        entry.copies * entry.cached.value * (attended_in_all(entry, prompt + passes) - attended_in_all(entry, prompt))
        for entry in mixing.attention
    )
    cache = batch * (bytes_of(numbers, setting.cache_bits) + passes * state_bytes(mixing, 1, setting.cache_bits))
    one = setting.step(listed, batch, 0, 0)
    weight_bytes = passes * one.weight_bytes
    decode = Step(
        passes * batch,
        flops,
        weight_bytes,
        cache,
        flops / setting.gpu.peak_flops_per_second(setting.number_format),
        (weight_bytes + cache) / setting.gpu.bandwidth_bytes_per_second,
    )
    return Request(first, decode)


@dataclass(frozen=True, slots=True)
class Traffic:
    """A day of equal requests.

    requests      a day
    flops         a day
    gpu_seconds   the shortest time that GPUs of one kind are busy with them, each holding the whole model
    """

    requests: int
    flops: int
    gpu_seconds: float

    @property
    def gpus(self) -> float:
        """GPUs that would be busy all day, at least: real servers need more, and traffic has peaks."""
        return self.gpu_seconds / 86_400


def traffic(of_batch: Request, batch: int, requests_per_day: int) -> Traffic:
    """A day of `requests_per_day` requests, always `batch` at a time.

    >>> from calc.gpus import find_gpu
    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> asked = request(llama.parts_list.tensors, llama.mixing, Setting(find_gpu("A100")), 1000, 101, batch=8)
    >>> day = traffic(asked, 8, 1_000_000)
    >>> f"{day.flops:.3e}", round(day.gpus, 2)
    ('1.459e+19', 1.74)
    """
    share = Fraction(requests_per_day, batch)
    return Traffic(requests_per_day, int(of_batch.flops * share), of_batch.seconds * float(share))
