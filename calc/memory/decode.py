"""The decode floor: the shortest time a generated token can take, because memory cannot deliver weights and cache faster.

    seconds = (weights read + keys, values and states read) ÷ bandwidth

At batch 1 a mixture of experts reads only the experts that are chosen. The rule of thumb counts all of the embedding table,
of which a token reads one row; both are given. No engine reaches the bandwidth on the label, so that real ones are slower.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from calc.compute.traffic import cache_bytes_read, expected_experts
from calc.gpus import Gpu, gpus
from calc.memory.capacity import capacity
from calc.memory.fit import Model
from calc.mixing.kv_cache import Bits
from calc.tensors import Tensor
from calc.weights.weights import LineSize


@dataclass(frozen=True, slots=True)
class Read:
    """Bytes that one step reads, one token for each of `batch` sequences.

    weight_bytes   all weights, of stacks of experts those chosen; an average where several tokens choose
    table_bytes    of these, embedding tables of which only a row a token is read
    rows_bytes     those rows
    cache_bytes    keys, values and states of all sequences
    batch          sequences
    """

    weight_bytes: int
    table_bytes: int
    rows_bytes: int
    cache_bytes: int
    batch: int

    @property
    def bytes(self) -> int:
        """By the rule of thumb: the embedding table counted whole."""
        return self.weight_bytes + self.cache_bytes

    @property
    def least_bytes(self) -> int:
        """What must be read at least: of the tables the rows alone."""
        return self.bytes - self.table_bytes + self.rows_bytes


@dataclass(frozen=True, slots=True)
class Floor:
    """The shortest step on one GPU.

    gpu             its name
    seconds         by the rule of thumb, the embedding table read whole
    least_seconds   with the table's rows alone
    batch           tokens that a step makes
    holds_weights   whether the weights that are read at all fit into its memory as it is labelled or reported
    """

    gpu: str
    seconds: float
    least_seconds: float
    batch: int
    holds_weights: bool

    @property
    def tokens_per_second(self) -> float:
        """batch ÷ seconds: the most, over all sequences."""
        return self.batch / self.seconds


def step_read(model: Model, sizes: Iterable[LineSize], *, context: int, batch: int = 1, cache_bits: Bits = 16) -> Read:
    """What one step reads when each sequence is `context` tokens long with the new one; 0 for the weights alone.

    TinyLlama in 16 bits, without a context: 2.2 GB, of which 131 MB are the table.

    >>> from calc.model import Model
    >>> from calc.weights.weights import sizes_in_memory
    >>> tiny = Model.of("tinyllama-1.1b")
    >>> step_read(tiny, sizes_in_memory(tiny, "fp16"), context=0)
    Read(weight_bytes=2200096768, table_bytes=131072000, rows_bytes=4096, cache_bytes=0, batch=1)
    """
    lines = {tensor.name: tensor for tensor in model.parts_list.tensors}
    read_by_head = {tensor.tied_to for tensor in lines.values()}
    weight = table = rows = Fraction(0)
    for size in sizes:
        line = lines.get(size.name)
        read = size.bytes * _share_read(line, batch)
        weight += read
        if line is not None and line.kind == "table" and line.part == "embedding" and line.name not in read_by_head:
            table += read
            rows += min(read, Fraction(size.bytes * batch, line.input.value))
    cache = batch * cache_bytes_read(model.mixing, context, cache_bits) if context else 0
    return Read(-(-weight // 1), -(-table // 1), -(-rows // 1), cache, batch)


def floor(read: Read, gpu: Gpu, resident_bytes: int) -> Floor:
    """The shortest step on a GPU.

    resident_bytes   of all weights, read or not: what its memory must hold

    >>> from calc.gpus import find_gpu
    >>> t4 = floor(Read(2_200_096_768, 0, 0, 0, 1), find_gpu("T4"), 2_200_096_768)
    >>> round(t4.seconds * 1000, 2), int(t4.tokens_per_second)
    (6.88, 145)
    """
    bandwidth = gpu.bandwidth_bytes_per_second
    return Floor(
        gpu.name, read.bytes / bandwidth, read.least_bytes / bandwidth, read.batch, resident_bytes <= capacity(gpu).high_bytes
    )


def floors(model: Model, sizes: Iterable[LineSize], *, context: int, batch: int = 1, cache_bits: Bits = 16) -> tuple[Floor, ...]:
    """The shortest step on every GPU, in the order of the list.

    >>> from calc.model import Model
    >>> from calc.weights.weights import sizes_in_memory
    >>> llama = Model.of("llama-2-7b")
    >>> in_4_bits = sizes_in_memory(llama, "Q4_K_M")
    >>> [(each.gpu, round(each.tokens_per_second)) for each in floors(llama, in_4_bits, context=0)][:2]
    [('T4', 78), ('P40', 85)]
    """
    listed = tuple(sizes)
    read = step_read(model, listed, context=context, batch=batch, cache_bits=cache_bits)
    resident = sum(size.bytes for size in listed)
    return tuple(floor(read, gpu, resident) for gpu in gpus().values())


def _share_read(line: Tensor | None, batch: int) -> Fraction:
    """Of a line's bytes, what a step reads: of E experts the k a token chooses, of a batch as many as chance hits."""
    if line is None or line.experts is None or line.experts_chosen is None:
        return Fraction(1)
    experts, chosen = line.experts.value, line.experts_chosen
    if batch == 1:
        return Fraction(min(chosen, experts), experts)
    return Fraction(expected_experts(experts, chosen, batch)) / experts
