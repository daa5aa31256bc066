"""The addition as on paper: a row for each part of the model, each row a sum of products, all rows the total."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calc.parts_list import PartsList, stack_of
from calc.tensors import PARTS, Part, Tensor

ORDER: tuple[Part, ...] = ("embedding", "attention", "ffn", "other", "norm", "lm_head")
assert set(ORDER) == set(PARTS)


@dataclass(frozen=True, slots=True)
class Term:
    """A product in a row, and the tensors it stands for.

    factors   `(32, 67108864)` for 32 layers of attention, `(65, 4096)` for 65 norms, `(32000, 4096)` for a table,
              `(4, 2049, 1024)` for four of them
    """

    factors: tuple[int, ...]
    tensors: tuple[Tensor, ...]

    @property
    def count(self) -> int:
        """The product."""
        return math.prod(self.factors)


@dataclass(frozen=True, slots=True)
class Row:
    """A part of the model: its products and their sum. A tied head has a row with no products: it adds 0."""

    part: Part
    terms: tuple[Term, ...]

    @property
    def count(self) -> int:
        """The sum of the products: the part's parameters."""
        return sum(term.count for term in self.terms)


def addition(parts_list: PartsList) -> tuple[Row, ...]:
    """The rows of the addition, in ORDER, without parts the model does not have. Their counts sum to the total.

    Tables and heads are written in × out, after their number where there are several, norms copies × length, all else
    layers × (one layer).

    >>> from calc.model import Model
    >>> for row in addition(Model.of("llama-2-7b").parts_list):
    ...     print(row.part, [term.factors for term in row.terms], row.count)
    embedding [(32000, 4096)] 131072000
    attention [(32, 67108864)] 2147483648
    ffn [(32, 135266304)] 4328521728
    norm [(65, 4096)] 266240
    lm_head [(4096, 32000)] 131072000
    """
    rows = []
    for part in ORDER:
        members = [tensor for tensor in parts_list.tensors if tensor.part == part and tensor.kind != "buffer"]
        counted = [tensor for tensor in members if not tensor.tied_to]
        if members:
            rows.append(Row(part, _terms(part, counted)))
    return tuple(rows)


def _terms(part: Part, tensors: list[Tensor]) -> tuple[Term, ...]:
    if part == "norm":
        by_length = _grouped(tensors, lambda tensor: tensor.count)
        return tuple(
            Term((sum(tensor.copies for tensor in members), length), tuple(members)) for length, members in by_length.items()
        )
    outside = [Term(_factors_outside(tensor), (tensor,)) for tensor in tensors if tensor.layers is None]
    in_layers = [tensor for tensor in tensors if tensor.layers is not None]
    by_layers = _grouped(in_layers, lambda tensor: (stack_of(tensor), tensor.layers))
    inside = [
        Term((len(layers), sum(tensor.repeats * tensor.count for tensor in members)), tuple(members))
        for (_, layers), members in by_layers.items()
    ]
    return tuple(outside + inside)


def _factors_outside(tensor: Tensor) -> tuple[int, ...]:
    """copies × experts × in × out, without copies and experts where there is one."""
    times = (tensor.repeats, tensor.experts.value if tensor.experts else 1)
    return (*(count for count in times if count > 1), tensor.input.value, tensor.output.value)


def _grouped(tensors: list[Tensor], key) -> dict:
    groups: dict = {}
    for tensor in tensors:
        groups.setdefault(key(tensor), []).append(tensor)
    return groups
