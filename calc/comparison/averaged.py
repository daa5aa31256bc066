"""The difference of two models by cause, without an order: each change's step averaged over all orders.

With n changes there are n! orders; a change's average is its Shapley value, Σ |S|!·(n − |S| − 1)! ÷ n! · (N(S ∪ change) − N(S))
over all sets S of other changes, N(S) being the total with S made. It depends on no order and sums to the whole, but
is rarely a whole number and says less clearly where it comes from.

Source: Shapley 1953, A value for n-person games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial

from calc.comparison.attribution import changed, start
from calc.comparison.causes import FAMILY, OTHER_FIELDS, by_cause
from calc.model import Model

MOST_CHANGES = 6
"""Changes that are averaged at most: 6 have 720 orders and 64 sets to count."""

Change = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AveragedCause:
    """A change, or several that only make sense together, and the average of what it adds: exact, in parameters."""

    cause: str
    difference: Fraction


def averaged_over_orders(before: Model, after: Model) -> tuple[AveragedCause, ...] | None:
    """Each changed number's average; None where there are more than MOST_CHANGES, or a combination that cannot be counted.

    The step to another type is no number: it comes last in every order, with the difference it has in `by_cause`.

    >>> from calc.model import Model
    >>> llama, tiny = (Model.of(name) for name in ("llama-2-7b", "tinyllama-1.1b"))
    >>> for averaged in averaged_over_orders(llama, tiny):
    ...     print(averaged.cause, averaged.difference)
    num_key_value_heads -480772096
    intermediate_size -1365245952
    hidden_size -6319056896/3
    head_dim -1702363136/3
    num_hidden_layers -3355627520/3
    """
    steps = by_cause(before, after).steps
    last = [step for step in steps if step.cause in (FAMILY, OTHER_FIELDS)]
    changes = [{change.field: change.after for change in step.changes} for step in steps if step not in last]
    if len(changes) > MOST_CHANGES:
        return None
    origin = start(before)
    while (totals := _totals(origin, changes)) is None:
        joined = _joined(origin, changes)
        if joined is None:
            return None
        changes = joined
    if totals[frozenset(range(len(changes)))] + sum(step.difference for step in last) != after.parameters:
        return None
    averaged = tuple(
        AveragedCause(" + ".join(change), _average(number, len(changes), totals)) for number, change in enumerate(changes)
    )
    return averaged + tuple(AveragedCause(step.cause, Fraction(step.difference)) for step in last)


def _sets(number: int) -> Sequence[frozenset[int]]:
    """Every set of that many changes, small ones first."""
    return [frozenset(chosen) for size in range(number + 1) for chosen in combinations(range(number), size)]


def _made(origin: Model, changes: Sequence[Change], chosen: frozenset[int]) -> Model | None:
    return changed(origin, {name: value for number in sorted(chosen) for name, value in changes[number].items()})


def _totals(origin: Model, changes: Sequence[Change]) -> dict[frozenset[int], int] | None:
    """The total with each set of changes made; None where the model cannot have one of the sets."""
    totals = {}
    for chosen in _sets(len(changes)):
        model = _made(origin, changes, chosen)
        if model is None:
            return None
        totals[chosen] = model.parameters
    return totals


def _joined(origin: Model, changes: Sequence[Change]) -> list[Change] | None:
    """The changes with those made one that cannot be had without each other; None where that does not help."""
    impossible = next((chosen for chosen in _sets(len(changes)) if _made(origin, changes, chosen) is None), frozenset())
    for other in range(len(changes)):
        together = impossible | {other}
        if other not in impossible and _made(origin, changes, together) is not None:
            first = min(together)
            union = {name: value for number in sorted(together) for name, value in changes[number].items()}
            remaining = (number for number in range(len(changes)) if number == first or number not in together)
            return [union if number == first else changes[number] for number in remaining]
    return None


def _average(number: int, changes: int, totals: Mapping[frozenset[int], int]) -> Fraction:
    weighed = sum(
        factorial(len(chosen)) * factorial(changes - len(chosen) - 1) * (totals[chosen | {number}] - total)
        for chosen, total in totals.items()
        if number not in chosen
    )
    return Fraction(weighed, factorial(changes))
