"""Two models subtracted, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from calc.model import Model
from calc.tensors import PARTS, Part

ORDER: tuple[Part, ...] = ("embedding", "lm_head", "attention", "ffn", "other", "norm")
"""The order of the parts in a difference: the ends, the layers, the norms."""
assert set(ORDER) == set(PARTS)


@dataclass(frozen=True, slots=True)
class PartDifference:
    """What one part of the model, or several together, hold before and after."""

    parts: tuple[Part, ...]
    before: int
    after: int

    @property
    def difference(self) -> int:
        """after − before."""
        return self.after - self.before


def by_part(before: Model, after: Model) -> dict[Part, int]:
    """after − before in parameters, for every part, in ORDER; the values sum to the difference of the totals.

    >>> from calc.model import Model
    >>> llama_2, llama_3 = (Model.of(name) for name in ("llama-2-7b", "llama-3-8b"))
    >>> by_part(llama_2, llama_3)["attention"], sum(by_part(llama_2, llama_3).values())
    (-805306368, 1291845632)
    """
    return subtracted(before.parameters_by_part, after.parameters_by_part)


def subtracted(before: Mapping[Part, int], after: Mapping[Part, int]) -> dict[Part, int]:
    """The same of two counts by part."""
    return {part: after[part] - before[part] for part in ORDER}


def part_differences(before: Model, after: Model, *, ends_together: bool = True) -> tuple[PartDifference, ...]:
    """The steps of a waterfall from one total to the other, in ORDER, without parts that neither model has.

    ends_together   embedding and lm_head as one step: a tied table that becomes untied is then one change, not two

    >>> from calc.model import Model
    >>> llama_2, llama_3 = (Model.of(name) for name in ("llama-2-7b", "llama-3-8b"))
    >>> [(step.parts[0], step.difference) for step in part_differences(llama_2, llama_3)]
    [('embedding', 788529152), ('attention', -805306368), ('ffn', 1308622848), ('norm', 0)]
    """
    groups: Iterable[tuple[Part, ...]] = ((part,) for part in ORDER)
    if ends_together:
        groups = (("embedding", "lm_head"), *((part,) for part in ORDER if part not in ("embedding", "lm_head")))
    steps = (
        PartDifference(parts, *(sum(model.parameters_by_part[part] for part in parts) for model in (before, after)))
        for parts in groups
    )
    return tuple(step for step in steps if step.before or step.after)
