"""What a pass over the weights reads from memory: weights, of a mixture the experts that are hit, and the KV cache."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from calc.compute.passes import multiplies
from calc.mixing import Mixing
from calc.mixing.kv_cache import state_bytes
from calc.tensors import Tensor

Bits = int | Fraction


@dataclass(frozen=True, slots=True)
class WeightsRead:
    """Numbers of the weights that a step reads from memory, each once.

    least      every token of the step goes to the same experts
    most       no two tokens share an expert, as long as there are enough
    expected   an estimate: every token chooses its experts at random, all equally likely; real routers are less even

    Without experts all three are one number.
    """

    least: int
    most: int
    expected: float


def expected_experts(experts: int, chosen: int, tokens: int) -> float:
    """Different experts that `tokens` tokens are sent to, if each chooses k of E at random: E · (1 − (1 − k ÷ E)^tokens).

    An estimate: real routers prefer some experts, and hit fewer. DeepSeek-V3's 256 with 8 chosen:

    >>> [round(expected_experts(256, 8, tokens), 1) for tokens in (1, 32, 256)]
    [8.0, 163.3, 255.9]
    """
    return experts * (1 - (1 - chosen / experts) ** tokens)


def weights_read(tensors: Iterable[Tensor], tokens: int) -> WeightsRead:
    """Numbers of the weights that a step of `tokens` tokens reads: all that multiply or are added, of the tables only rows.

    A tied head is the table, read whole. A block that several layers share is read once.

    >>> from calc.model import Model
    >>> weights_read(Model.of("tinyllama-1.1b").tensors, 1).least
    1034514432
    >>> mixtral = weights_read(Model.of("mixtral-8x7b").tensors, 2)
    >>> mixtral.least, mixtral.most, round(mixtral.expected)
    (12748861440, 24023150592, 21204578304)
    """
    listed = tuple(tensors)
    tables = {tensor.name for tensor in listed if tensor.kind == "table"}
    counted: set[str] = set()
    least = most = 0
    expected = 0.0
    for tensor in listed:
        if tensor.kind == "table":
            rows = tokens * tensor.output.value if tensor.part == "embedding" else 0
            least, most, expected = least + rows, most + rows, expected + rows
            continue
        if tensor.kind == "buffer" or (tensor.kind == "matrix" and not multiplies(tensor)):
            continue
        if tensor.tied_to is not None and (tensor.tied_to not in tables or tensor.tied_to in counted):
            continue
        counted.update({tensor.tied_to} - {None})
        numbers = tensor.copies * tensor.count
        if tensor.experts is None or tensor.experts_chosen is None:
            least, most, expected = least + numbers, most + numbers, expected + numbers
            continue
        one, experts, chosen = numbers // tensor.experts.value, tensor.experts.value, tensor.experts_chosen
        least += one * chosen
        most += one * min(experts, chosen * tokens)
        expected += one * expected_experts(experts, chosen, tokens)
    return WeightsRead(least, most, expected)


def bytes_of(numbers: float, bits: Bits) -> int:
    """Bytes of so many numbers of so many bits each, a fraction such as 4.5 included; rounded up.

    >>> bytes_of(6_738_415_616, 16), bytes_of(3, Fraction(9, 2))
    (13476831232, 2)
    """
    return -(-Fraction(numbers) * bits // 8)


def cache_bytes_read(mixing: Mixing, context: int, bits: Bits = 16) -> int:
    """Bytes of keys and values that the token with `context` positions to attend to reads, and of states, over all layers.

    A layer that uses another layer's keys reads them again; an indexer reads all its keys, the attention it serves only
    those picked.

    >>> from calc.model import Model
    >>> cache_bytes_read(Model.of({"model_type": "llama"}).mixing, 4096)
    2147483648
    """
    numbers = sum(
        entry.copies * entry.cached.value * entry.attended(context) for entry in mixing.attention if entry.kind != "cross"
    )
    return bytes_of(numbers, bits) + state_bytes(mixing, 1, bits)
