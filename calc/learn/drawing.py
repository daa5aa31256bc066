"""A seed → the numbers of a question: the same on every machine, for as long as `VERSION` stays."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from calc.learn.judge import judge, last_unit
from calc.learn.questions import KINDS, Dice, Kind, Question
from calc.learn.reader import Reading
from calc.learn.units import SYMBOLS, unit_factor

VERSION = 1
"""Of the drawings: whoever changes what a seed draws counts it up."""

MOST_TRIES = 2000
SAME = Fraction(1, 200)
"""Two mistakes whose values are as near as this cannot be told apart."""

PER_CENT = Fraction(1, 100)

MAY_MEET: tuple[frozenset[str], ...] = tuple(
    frozenset(ids.split())
    for ids in (
        "gib_as_gb gb_as_gib gib_wrong_way mib_by_1000 mib_gb_times_1024",
        "norms_forgotten one_norm_a_layer final_norm_forgotten buffers_counted",
        "gqa_ignored gqa_all_narrow gqa_only_k gqa_q_narrow kv_gqa_ignored",
        "one_end_forgotten blocks_only vocab_32000 tied_counted_twice",
        "heads_multiply head_dim_square vector_as_matrix head_dim_by_kv",
        "kv_one_of_two kv_numbers_not_bytes",  # in 16 bits both are a 2 that is missing
        "characters_are_tokens bytes_are_tokens",  # the same for plain English
    )
)
"""Mistakes that may give one value: both are named."""


def draw(kind: Kind | str, seed: int, position: int | str = 1, version: int = VERSION) -> Question:
    """The question of a kind at a position of a paper.

    >>> draw("group_size", 7, 3).prompt == draw("group_size", 7, 3).prompt
    True
    """
    kind = KINDS[kind] if isinstance(kind, str) else kind
    dice = Dice(f"{version}:{seed}:{position}:{kind.id}")
    for _ in range(MOST_TRIES):
        drawn = kind.draw(dice)
        if drawn is not None:
            question = Question(kind, drawn.given, drawn.words)
            if tells_apart(question):
                return question
    raise AssertionError(f"no drawing of {kind.id} tells its mistakes apart")


def tells_apart(question: Question) -> bool:
    """Whether a wrong answer shows which mistake is behind it: no value meets the right one, no two mistakes meet.

    Values meet that three figures, or the slack of the kind, cannot tell apart.
    """
    right, kind = question.right, question.kind
    if isinstance(right, tuple):
        return not any(one == other and name != second for (name, one), (second, other) in combinations(question.wrongs, 2))
    numbers = [(name, value) for name, value in question.wrong_numbers if name not in kind.needs_exact]
    if any((kind.large and abs(value) < 1000) or (kind.dimension == "percent" and value < PER_CENT) for _, value in numbers):
        return False  # it would be asked back: “576 of what?”, “0.66: percent, or a share of 1?”
    room = max(kind.slack * right, last_unit(right, 3) / 2)
    if any(abs(value - right) <= room or _looks_right(question, right, name, value) for name, value in numbers):
        return False
    return not any(
        abs(one - other) <= SAME * abs(one) and name != second and not any({name, second} <= group for group in MAY_MEET)
        for (name, one), (second, other) in combinations(numbers, 2)
    )


def _looks_right(question: Question, right: Fraction, name: str, wrong: Fraction) -> bool:
    """Whether a mistake's value, written in three figures or more, may be taken for the right one cut off."""
    if not 0 < right - wrong <= right / 40:
        return False
    kind = question.kind
    for reading in _writings(wrong, kind):
        found = judge(reading, right, question.wrong_numbers, kind.figures, kind.slack, kind.needs_exact)
        if name not in found.misconceptions and not reading.low <= right <= reading.high:
            return True
    return False


def _writings(value: Fraction, kind: Kind) -> Iterator[Reading]:
    """A value rounded to three and to four figures, in every unit it may be given in."""
    units = [unit for unit, (dimension, _) in SYMBOLS.items() if dimension == kind.dimension] or [None]
    for unit in units:
        factor = unit_factor(unit)
        for figures in (3, 4):
            last = last_unit(value / factor, figures) * factor
            rounded = round(value / last) * last
            yield Reading(rounded - last / 2, rounded + last / 2, rounded, figures)
