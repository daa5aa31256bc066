"""Does it fit: what a model takes on a GPU, or on several with tensor parallelism, and what is left.

    capacity = weights + keys, values and states + activations of a pass + overhead + what is left

Weights, cache and activations are counted; the overhead is a stated range (`calc.memory.capacity`), so that the answer has
three values: it fits even with the largest overhead, only with the smallest, or not at all. The longest context and the
largest batch are found by halving: what is needed grows with both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Literal

from calc.errors import ConfigError
from calc.gpus import Gpu
from calc.memory.activations import CHUNK_TOKENS, Activations, pass_widths
from calc.memory.capacity import OVERHEAD_BYTES, Capacity, capacity
from calc.memory.tensor_parallel import checked_gpus, mixing_of_a_gpu, share_of
from calc.mixing import checked_context
from calc.mixing.kv_cache import LARGEST_BATCH, Bits, checked_batch, kv_bytes, kv_bytes_per_token, reserved_bytes, state_bytes
from calc.mixing.reading import LONGEST
from calc.model import Model
from calc.weights.weights import LineSize, sizes_in_memory

Verdict = Literal["fits", "tight", "does_not_fit"]
"""`fits` with the largest overhead and the least memory, `tight` only with the smallest and the most, or neither."""

USUAL_FORMATS = ("bf16", "fp8", "Q8_0", "Q6_K", "Q5_K_M", "awq-g128", "Q4_K_M", "nf4-dq", "Q3_K_M", "Q2_K")
"""Formats that are tried to make a model fit, from the most bits to the fewest."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What fills the memory of each GPU.

    gpus            how many share the model
    context, batch  tokens of each sequence, and sequences
    capacity        memory of one
    weight_bytes    its share of the weights
    cache_bytes     keys and values, a sliding layer keeping its window alone
    reserved_bytes  the same where an engine sets whole pages aside for the whole context in every layer; not in the sums
    state_bytes     states of recurrent layers
    activations     of a pass that reads the prompt in pieces
    overhead_bytes  smallest and largest
    """

    gpus: int
    context: int
    batch: int
    capacity: Capacity
    weight_bytes: int
    cache_bytes: int
    reserved_bytes: int
    state_bytes: int
    activations: Activations
    overhead_bytes: tuple[int, int]

    @property
    def counted_bytes(self) -> int:
        """All but the overhead."""
        return self.weight_bytes + self.cache_bytes + self.state_bytes + self.activations.bytes

    @property
    def left_bytes(self) -> tuple[int, int]:
        """What is left with the largest overhead and the least memory, and with the smallest and the most; below 0 it lacks."""
        smallest, largest = self.overhead_bytes
        return (self.capacity.low_bytes - self.counted_bytes - largest, self.capacity.high_bytes - self.counted_bytes - smallest)

    @property
    def verdict(self) -> Verdict:
        """Whether it fits."""
        least, most = self.left_bytes
        return "fits" if least >= 0 else "tight" if most >= 0 else "does_not_fit"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that fits, with the largest overhead and the least memory, and with the smallest and the most.

    sure, possible   0 where not even 1 fits; None where nothing here bounds it
    limit            what the model allows for, None without a limit
    """

    sure: int | None
    possible: int | None
    limit: int | None


class Demand:
    """What a model takes on each of the GPUs that share it by tensor parallelism.

    sizes        its weights in a format: `calc.weights.weights.sizes_in_memory`
    gpus         how many share it
    cache_bits   of a number of the cache

    Raises ConfigError: not_an_integer, not_positive, too_big, heads_do_not_share_out, context_over_limit.

    The story of a 7B on a T4: in 16 bits the weights leave 2.6 GB, and the framework may take nearly all of it.

    >>> from calc.gpus import find_gpu
    >>> llama = Model.of("llama-2-7b")
    >>> on_t4 = Demand(llama, sizes_in_memory(llama, "fp16")).fit(find_gpu("T4"), context=4096)
    >>> on_t4.weight_bytes, on_t4.cache_bytes, on_t4.verdict
    (13476831232, 2147483648, 'does_not_fit')
    >>> Demand(llama, sizes_in_memory(llama, "Q4_K_M")).fit(find_gpu("T4"), context=4096).verdict
    'fits'
    """

    def __init__(self, model: Model, sizes: Iterable[LineSize], *, gpus: int = 1, cache_bits: Bits = 16) -> None:
        self.gpus, self.whole_mixing = checked_gpus(model.mixing, gpus), model.mixing
        self.mixing, self.cache_bits = mixing_of_a_gpu(model.mixing, gpus), cache_bits
        self.widths = pass_widths(model.tensors, gpus)
        self.shares = {tensor.name: share_of(tensor, model.mixing, gpus) for tensor in model.tensors}
        self.weight_bytes = self.share_bytes(sizes)
        self._counted: dict[tuple[int, int], int] = {}

    @property
    def bytes_per_token(self) -> int:
        """What one more token adds on each GPU while no window is full.

        >>> [Demand(Model.of("llama-3-8b"), (), gpus=gpus).bytes_per_token for gpus in (1, 8, 16)]
        [131072, 16384, 16384]
        """
        return kv_bytes_per_token(self.mixing, self.cache_bits)

    def share_bytes(self, sizes: Iterable[LineSize]) -> int:
        """Of weights in a format, what each GPU holds."""
        return sum(-(-size.bytes * self.shares.get(size.name, 1) // 1) for size in sizes)

    def in_format(self, sizes: Iterable[LineSize]) -> Demand:
        """The same with the weights in another format."""
        other = copy(self)
        other.weight_bytes = self.share_bytes(sizes)
        return other

    def fit(self, gpu: Gpu, context: int, batch: int = 1) -> Fit:
        """What fills a GPU that holds `batch` sequences of `context` tokens, prompt and answer together."""
        checked_context(self.whole_mixing, context)
        checked_batch(batch)
        return Fit(
            self.gpus,
            context,
            batch,
            capacity(gpu),
            self.weight_bytes,
            kv_bytes(self.mixing, context, batch, self.cache_bits),
            reserved_bytes(self.mixing, context, batch, self.cache_bits),
            state_bytes(self.mixing, batch),
            self.widths.activations(min(context * batch, CHUNK_TOKENS), batch),
            OVERHEAD_BYTES,
        )

    def longest_context(self, gpu: Gpu, batch: int = 1) -> Bounds:
        """The longest context of `batch` sequences that fits, found by halving; at most what the model allows for.

        >>> from calc.gpus import find_gpu
        >>> llama = Model.of("llama-3-8b")
        >>> Demand(llama, sizes_in_memory(llama, "Q4_K_M")).longest_context(find_gpu("T4"))
        Bounds(sure=8192, possible=8192, limit=8192)
        """
        checked_batch(batch)
        return self._bounds(gpu, lambda context: self._bytes_of_tokens(context, batch), LONGEST, self.whole_mixing.max_context)

    def largest_batch(self, gpu: Gpu, context: int) -> Bounds:
        """The most sequences of `context` tokens that fit, found by halving.

        >>> from calc.gpus import find_gpu
        >>> llama = Model.of("llama-3-8b")
        >>> Demand(llama, sizes_in_memory(llama, "bf16")).largest_batch(find_gpu("A100 80GB SXM"), context=8192).sure
        62
        """
        checked_context(self.whole_mixing, context)
        return self._bounds(gpu, lambda batch: self._bytes_of_tokens(context, batch), LARGEST_BATCH, None)

    def _bounds(self, gpu: Gpu, needed_bytes: Callable[[int], int], most: int, limit: int | None) -> Bounds:
        """The most that fits, of at most `limit`; `most` is as good as without bound."""
        of_gpu, (smallest, greatest) = capacity(gpu), OVERHEAD_BYTES
        found = []
        for room in (of_gpu.low_bytes - greatest, of_gpu.high_bytes - smallest):
            found.append(largest(lambda n, left=room - self.weight_bytes: needed_bytes(n) <= left, limit or most))
        sure, possible = (None if limit is None and bound == most else bound for bound in found)
        return Bounds(sure, possible, limit)

    def _bytes_of_tokens(self, context: int, batch: int) -> int:
        """All that is counted but the weights, each once: the halvings of many GPUs meet at the same numbers."""
        key = context, batch
        if key not in self._counted:
            cache_bytes = kv_bytes(self.mixing, context, batch, self.cache_bits) + state_bytes(self.mixing, batch)
            self._counted[key] = cache_bytes + self.widths.bytes(min(context * batch, CHUNK_TOKENS), batch)
        return self._counted[key]


def formats_that_fit(
    model: Model,
    gpu: Gpu,
    *,
    context: int,
    batch: int = 1,
    gpus: int = 1,
    cache_bits: Bits = 16,
    formats: Iterable[str] = USUAL_FORMATS,
) -> dict[str, Fit]:
    """Each format with what it takes, formats that a model has no file in left out.

    Raises ConfigError: all that `Demand` raises.

    >>> from calc.gpus import find_gpu
    >>> tried = formats_that_fit(Model.of("llama-2-13b"), find_gpu("T4"), context=2048)
    >>> [name for name, of in tried.items() if of.verdict == "fits"]
    ['Q6_K', 'Q5_K_M', 'awq-g128', 'Q4_K_M', 'nf4-dq', 'Q3_K_M', 'Q2_K']
    """
    demand, found = Demand(model, (), gpus=gpus, cache_bits=cache_bits), {}
    for name in formats:
        try:
            sizes = sizes_in_memory(model, name)
        except ConfigError as fault:
            if fault.code not in ("gguf_not_described", "gguf_no_fallback", "too_much_work"):
                raise
            continue
        found[name] = demand.in_format(sizes).fit(gpu, context, batch)
    return found


def largest(holds: Callable[[int], bool], limit: int) -> int:
    """The largest n from 1 to `limit` for which `holds(n)`, if it holds for all below it; 0 where it does not hold for 1.

    >>> largest(lambda n: n * n <= 1000, 10**9), largest(lambda n: False, 10), largest(lambda n: True, 10)
    (31, 0, 10)
    """
    if not holds(1):
        return 0
    low, high = 1, 2
    while high <= limit and holds(high):
        low, high = high, high * 2
    high = min(high, limit + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
