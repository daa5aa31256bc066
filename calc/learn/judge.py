"""Right, or which slip of thought would give this: a pure function of an interval and exact values.

No right answer is called wrong: what a right value rounds or cuts to is recognised before anything else is looked for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from calc.learn.reader import Reading

Verdict = Literal["right", "right_rounded", "coarse", "diagnosed", "power_of_ten", "factor", "unknown"]

POWERS = (1, 2, 3, 6, 9, 12)
FACTORS = (Fraction(2), Fraction(1, 2), Fraction(8), Fraction(1, 8), Fraction(1024))
TELLING = Fraction(1, 60)
"""How wide, as a share, the interval of a writing with noughts at its end may be for a mistake in it to be named: three figures."""
NEAR = Fraction(1, 1000)
"""Mistakes whose values are this near to the nearest one are named with it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer is.

    verdict         right; right_rounded (cut off, or rounded on the way: full marks); coarse (right so far, more figures please:
                    no attempt used); diagnosed; power_of_ten and factor (the figures are right, the size is not); unknown
    misconceptions  ids of the mistakes that give this value: one, or two of which one; none unless diagnosed
    times           of power_of_ten and factor: how many times the right value it is
    """

    verdict: Verdict
    misconceptions: tuple[str, ...] = ()
    times: Fraction | None = None

    @property
    def is_right(self) -> bool:
        """Full marks."""
        return self.verdict in ("right", "right_rounded")


def judge(
    reading: Reading,
    right: Fraction,
    wrongs: Sequence[tuple[str, Fraction]],
    figures: int = 3,
    slack: Fraction = Fraction(1, 200),
    needs_exact: Collection[str] = (),
) -> Judgement:
    """Judge a reading; the first rule that holds decides.

    wrongs        (id of the mistake, the value it gives), the likeliest first; one mistake may have several
    figures       significant figures asked for
    slack         how far off the right value, as a share of it, an answer may be that was rounded on the way
    needs_exact   mistakes that only an answer given to the last digit shows

    >>> from calc.learn.reader import Asked, read
    >>> wrongs = [("gqa_ignored", Fraction(67108864)), ("gqa_all_narrow", Fraction(16777216))]
    >>> judge(read("67.1M", Asked("count")), Fraction(41943040), wrongs)
    Judgement(verdict='diagnosed', misconceptions=('gqa_ignored',), times=None)
    >>> [judge(read(text, Asked("count")), Fraction(41943040), wrongs).verdict for text in ("41.9M", "42M", "42.0M", "40M", "419M")]
    ['right', 'coarse', 'right_rounded', 'coarse', 'power_of_ten']
    """
    low, high, value, unit = reading.low, reading.high, reading.value, reading.width
    if low <= right <= high or (reading.figures is not None and _is_cut(value, unit, right)):
        verdict = "right" if low <= right <= high else "right_rounded"
        return Judgement("coarse" if _is_coarse(reading.figures, value, right, figures) else verdict)
    if reading.loose and reading.loose[0] <= right <= reading.loose[1]:
        return Judgement("coarse" if _is_coarse(reading.loose_figures, value, right, figures) else "right_rounded")
    visible = [(name, wrong) for name, wrong in wrongs if name not in needs_exact or (reading.in_full and value == wrong)]
    one_figure = reading.figures == 1
    inside = [] if one_figure else [(name, wrong) for name, wrong in visible if low <= wrong <= high]
    inside.sort(key=lambda each: abs(each[1] - value) * 10 // unit if unit else 0)
    names = tuple(dict.fromkeys(name for name, _ in inside))
    if names:
        return Judgement("diagnosed", names) if len(names) <= 2 else Judgement("unknown")
    if abs(value - right) <= slack * abs(right):
        return Judgement("right_rounded")
    near = () if one_figure else _near(reading, visible, slack)
    return Judgement("diagnosed", near) if near else _of_another_size(reading, right)


def judge_shape(shape: tuple[int, int], right: tuple[int, int], wrongs: Sequence[tuple[str, tuple[int, int]]]) -> Judgement:
    """Judge two lengths, in × out.

    >>> judge_shape((128, 4096), (4096, 128), [("shape_swapped", (128, 4096))])
    Judgement(verdict='diagnosed', misconceptions=('shape_swapped',), times=None)
    """
    if shape == right:
        return Judgement("right")
    names = tuple(dict.fromkeys(name for name, wrong in wrongs if wrong == shape))
    return Judgement("diagnosed", names) if 0 < len(names) <= 2 else Judgement("unknown")


def _is_coarse(written: int | None, value: Fraction, right: Fraction, figures: int) -> bool:
    """Whether fewer figures are written than asked for, and the last one asked for cannot be told from them."""
    return written is not None and written < figures and abs(value - right) > last_unit(right, figures) / 2


def _is_cut(value: Fraction, unit: Fraction, right: Fraction) -> bool:
    """Whether a value is the right one cut off behind its last figure, as nvidia-smi cuts MiB."""
    return abs(value) <= abs(right) <= abs(value) + unit and value * right >= 0


def last_unit(value: Fraction, figures: int) -> Fraction:
    """One unit of the last of so many significant figures.

    >>> last_unit(Fraction(41943040), 3)
    Fraction(100000, 1)
    """
    power = 0
    size = abs(value) or Fraction(1)
    while size >= 10:
        size, power = size / 10, power + 1
    while size < 1:
        size, power = size * 10, power - 1
    return Fraction(10) ** (power - figures + 1)


def _near(reading: Reading, wrongs: Sequence[tuple[str, Fraction]], slack: Fraction) -> tuple[str, ...]:
    """Mistakes whose value is this one, cut off or rounded on the way: the nearest, and what is as near; at most two."""
    value, (low, high) = reading.value, reading.loose or (reading.value, reading.value)
    rounded = low <= high <= low * (1 + TELLING)
    found = [
        (abs(value - wrong), name, wrong)
        for name, wrong in wrongs
        if abs(value - wrong) <= slack * abs(wrong) or _is_cut(value, reading.width, wrong) or (rounded and low <= wrong <= high)
    ]
    if not found:
        return ()
    nearest = min(found, key=lambda each: each[0])[2]
    return tuple(dict.fromkeys(name for _, name, wrong in found if abs(wrong - nearest) <= NEAR * abs(nearest)))[:2]


def _of_another_size(reading: Reading, right: Fraction) -> Judgement:
    for power in POWERS:
        for times in (Fraction(10) ** power, Fraction(10) ** -power):
            if reading.low <= right * times <= reading.high:
                return Judgement("power_of_ten", times=times)
    for times in FACTORS:
        if reading.low <= right * times <= reading.high:
            return Judgement("factor", times=times)
    return Judgement("unknown")
