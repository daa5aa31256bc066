"""The steps of the two waterfalls in the reader's language: parts of the model, and numbers that changed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from calc.comparison.averaged import AveragedCause
from calc.comparison.causes import FAMILY, OTHER_FIELDS, Attribution, CauseStep, FieldChange
from calc.comparison.parts import PartDifference
from calc.tensors import Part
from ui.comparison.waterfall import Bar
from ui.numbers import MINUS, grouped
from ui.texts import TEXTS, text_in

MOST_CHANGES = 4
"""Named of a step that changes many fields."""


def part_bars(language: str, steps: Sequence[PartDifference]) -> list[Bar]:
    """A bar a part; embedding and lm_head together are the ends of the vocabulary."""
    return [
        Bar(
            text_in(language, "frame.plus").join(text_in(language, f"part.{part}") for part in step.parts),
            f"{grouped(step.before)} → {grouped(step.after)}",
            step.difference,
            step.parts[0],
        )
        for step in steps
    ]


def cause_bars(language: str, attribution: Attribution) -> list[Bar]:
    """A bar a changed number, in the colour of the part it changes most."""
    return [
        Bar(cause_name(language, step.cause), _changes(language, step.changes), step.difference, _most_changed(step))
        for step in attribution.steps
    ]


def cause_name(language: str, cause: str) -> str:
    """A cause as a reader calls it: the names of its fields; another type; other fields."""
    if cause in (FAMILY, OTHER_FIELDS):
        return text_in(language, f"difference.{cause}")
    return text_in(language, "frame.plus").join(_field_name(language, field) for field in cause.split(" + "))


def averaged_rows(language: str, averaged: Sequence[AveragedCause]) -> list[tuple[str, str]]:
    """Each cause and its average over all orders, exact: thirds stay thirds."""
    return [(cause_name(language, item.cause), fraction_text(item.difference)) for item in averaged]


def fraction_text(value: Fraction) -> str:
    """A signed number that may not be whole, as a mixed number.

    >>> fraction_text(Fraction(-10, 3)), fraction_text(Fraction(4096))
    ('−3 1/3', '+4,096')
    """
    sign = "+" if value > 0 else MINUS if value < 0 else "±"
    whole, rest = divmod(abs(value.numerator), value.denominator)
    return f"{sign}{whole:,}" + (f" {rest}/{value.denominator}" if rest else "")


def _most_changed(step: CauseStep) -> Part | None:
    part, difference = max(step.by_part.items(), key=lambda item: abs(item[1]))
    return part if difference else None


def _field_name(language: str, field: str) -> str:
    key = f"field.{field}"
    return text_in(language, key) if key in TEXTS else field


def _changes(language: str, changes: Sequence[FieldChange]) -> str:
    named = [f"{change.field} {_value(change.before)} → {_value(change.after)}" for change in changes[:MOST_CHANGES]]
    more = len(changes) - MOST_CHANGES
    if more > 0:
        named.append(text_in(language, "difference.more_fields", number=more))
    return text_in(language, "frame.comma").join(named)


def _value(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return grouped(value)
    if isinstance(value, tuple):
        return f"[{len(value)}]"
    return str(value)
