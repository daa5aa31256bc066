"""What makes the difference of two models: which changed number accounts for how much.

The first model's config is changed into the second's one number at a time (`calc.comparison.attribution`), each change counted:
a step's difference is the total after it minus the total before it, so the steps sum exactly to the whole. Where two
changes meet (more layers, and wider ones) the later one counts on what the earlier one has made, so a step depends on
the order, which is part of the answer. Two models of different types end with the step `family`: all that the other
type holds differently (biases, norms, kind of FFN, experts), and the numbers only one of the two has.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from calc.comparison.attribution import Goal, changed, differing, goal_for, of_the_goal_alone, other_name, start, types_of
from calc.comparison.parts import subtracted
from calc.model import Model
from calc.parts_list import PartsList, parameters_by_part
from calc.tensors import Part

FAMILY = "family"
"""The last step between models of two types."""
OTHER_FIELDS = "other_fields"
"""The last step between models of one type, if what is left cannot be written down number by number."""


SHAPE = {"hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim"}
"""Fields of which one may have to divide another."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field by its generic name, with its value before and after; None where the model has no such field."""

    field: str
    before: object = dataclasses.field(hash=False)
    after: object = dataclasses.field(hash=False)


@dataclass(frozen=True, slots=True)
class CauseStep:
    """One step from the first model to the second.

    cause           the changed field; several that only make sense together, joined by ` + `; FAMILY; OTHER_FIELDS
    changes         the fields with their values before and after
    by_part         parameters the step adds to each part
    running_total   parameters after the step
    """

    cause: str
    changes: tuple[FieldChange, ...]
    by_part: Mapping[Part, int] = dataclasses.field(hash=False)
    running_total: int

    @property
    def difference(self) -> int:
        """Parameters the step adds in all."""
        return sum(self.by_part.values())


@dataclass(frozen=True, slots=True)
class Attribution:
    """The way from one total to the other: `before` + Σ differences of the `steps` = `after`."""

    before: int
    after: int
    steps: tuple[CauseStep, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The causes in the order they were attributed in."""
        return tuple(step.cause for step in self.steps)


def by_cause(before: Model, after: Model) -> Attribution:
    """What makes the difference of two models, number by number.

    >>> from calc.model import Model
    >>> llama_2, llama_3 = (Model.of(name) for name in ("llama-2-7b", "llama-3-8b"))
    >>> for step in by_cause(llama_2, llama_3).steps:
    ...     print(step.cause, step.changes[0].before, step.changes[0].after, step.difference)
    vocab_size 32000 128256 788529152
    num_key_value_heads 32 8 -805306368
    intermediate_size 11008 14336 1308622848
    """
    steps, counted = [], before.parameters_by_part
    for cause, changes, parts_list in walk(before, after):
        now = parameters_by_part(parts_list.tensors)
        steps.append(CauseStep(cause, changes, subtracted(counted, now), sum(now.values())))
        counted = now
    return Attribution(before.parameters, after.parameters, tuple(steps))


def walk(before: Model, after: Model) -> Iterator[tuple[str, tuple[FieldChange, ...], PartsList]]:
    """The steps as (cause, changes, the parts list they lead to); the last one leads to the second model itself."""
    model, goal = start(before), goal_for(before, after)
    already: set[str] = set()
    while (step := _next_step(model, goal, already)) is not None:
        changes, following = step
        already |= changes.keys()
        made = _changes(model.parts_list, changes, following.parts_list)
        if made or following.parameters_by_part != model.parameters_by_part:
            yield " + ".join(changes), made, following.parts_list
        model = following
    rest = _remaining(model.parts_list, after.parts_list)
    if not goal.same_type:
        yield FAMILY, (FieldChange("model_type", types_of(before), types_of(after)), *rest), after.parts_list
    elif model.parameters_by_part != after.parameters_by_part:
        yield OTHER_FIELDS, rest, after.parts_list


def _next_step(model: Model, goal: Goal, already: Collection[str]) -> tuple[dict[str, object], Model] | None:
    """The first change the model can have alone, else the first two it can have together, else all.

    already   fields that have been changed: none is changed twice, whatever a later change does to it
    """
    alone = ({name: value} for name, value in of_the_goal_alone(model, goal).items() if name not in already)
    for changes in (*_proposals(_units(model, goal, already)), *alone):
        following = changed(model, changes) if changes else None
        if following is not None:
            return changes, following
    return None


def _proposals(units: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    yield from units
    for number, unit in enumerate(units):
        yield from (unit | other for other in units[number + 1 :])
    lists = _union(unit for unit in units if any(isinstance(value, tuple) for value in unit.values()))
    if lists:
        yield from (unit | lists for unit in units)
    yield _union(unit for unit in units if unit.keys() & SHAPE)
    if len(units) > 2:
        yield _union(units)


def _union(units: Iterable[dict[str, object]]) -> dict[str, object]:
    return {name: value for unit in units for name, value in unit.items()}


def _units(model: Model, goal: Goal, already: Collection[str]) -> list[dict[str, object]]:
    """The changes that are still to be made, in order; those that are one thing together: heads and their width.

    Where each query head has its own kv head in both models, the kv heads follow.
    """
    sizes = model.parts_list.sizes
    changes = {name: value for name, value in differing(model, goal).items() if name not in already}
    heads = ["num_attention_heads", "head_dim"]
    if all(each.get("num_attention_heads") == each.get("num_key_value_heads") for each in (sizes, goal.numbers)):
        heads.insert(1, "num_key_value_heads")
    together = {name: changes[name] for name in heads if name in changes}
    first = next(iter(together), None)
    return [
        together if name == first else {name: value} for name, value in changes.items() if name == first or name not in together
    ]


def _changes(before: PartsList, changes: Iterable[str], after: PartsList) -> tuple[FieldChange, ...]:
    """What changed; an inner config, which holds much that shapes no tensor, has no place in it."""
    made = (FieldChange(name, before.sizes.get(name), _value(after, name)) for name in changes)
    return tuple(change for change in made if not isinstance(change.before, Mapping) and not isinstance(change.after, Mapping))


def _value(parts_list: PartsList, name: str) -> object:
    """A field's value, under whatever name the type has for it."""
    found = other_name(name, parts_list.sizes)
    return None if found is None else parts_list.sizes[found]


def _remaining(before: PartsList, after: PartsList) -> tuple[FieldChange, ...]:
    """Every field that one of the models has and the other has not, or has with another value."""
    names = [*before.sizes, *(name for name in after.sizes if other_name(name, before.sizes) is None)]
    return tuple(change for change in _changes(before, names, after) if change.before != change.after)
