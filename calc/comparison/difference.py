"""Two models subtracted: their difference by part of the model, and by cause."""

from __future__ import annotations

from dataclasses import dataclass

from calc.comparison.causes import Attribution, by_cause
from calc.comparison.parts import PartDifference, part_differences
from calc.model import Model


@dataclass(frozen=True, slots=True)
class Difference:
    """`after` − `before` in parameters, made up twice: Σ differences of `by_part` = Σ differences of `by_cause.steps`."""

    before: Model
    after: Model
    by_part: tuple[PartDifference, ...]
    by_cause: Attribution

    @property
    def parameters(self) -> int:
        """Parameters the second model has more than the first."""
        return self.after.parameters - self.before.parameters


def difference(before: Model, after: Model) -> Difference:
    """What makes the difference of two models.

    >>> found = difference(Model.of("llama-2-7b"), Model.of("llama-3-8b"))
    >>> found.parameters, [step.cause for step in found.by_cause.steps]
    (1291845632, ['vocab_size', 'num_key_value_heads', 'intermediate_size'])
    >>> [(" + ".join(step.parts), step.difference) for step in found.by_part][:2]
    [('embedding + lm_head', 788529152), ('attention', -805306368)]
    """
    return Difference(before, after, part_differences(before, after), by_cause(before, after))
