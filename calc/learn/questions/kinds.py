"""What a kind of question is, and a question: a kind with numbers drawn for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Literal, TypeVar

from calc.learn.formula import Formula, Given, Step
from calc.learn.reader import Asked
from calc.learn.units import Dimension
from calc.learn.words import Words

Level = Literal[1, 2, 3]
Shape = tuple[Formula, Formula]
Lengths = tuple[int, int]
Item = TypeVar("Item")


SENTENCE = re.compile(r"(^|\. )a made-up")
AROUND_MADE_UP = re.compile(r"(?<=一个虚构的模型) (?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]) (?=一个虚构的模型)")


class Dice:
    """Choices that follow from a text alone, on every machine: of `random` only what Python promises to keep is used."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely.

        >>> Dice("1:7:3:ffn_count").pick((128, 256, 1024)) == Dice("1:7:3:ffn_count").pick((128, 256, 1024))
        True
        """
        return items[int(self._random.random() * len(items))]

    def shuffled(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The items in another order."""
        return tuple(item for _, item in sorted(((self._random.random(), item) for item in items), key=lambda pair: pair[0]))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The numbers of a question by their symbols, and the texts of its prompt."""

    given: Given
    words: Mapping[str, Words | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    id           its name
    level        1: one step; 2: two or three; 3: a chain or a difference
    page         of the app, which teaches it
    dimension    what is asked for
    prompt       the question, with gaps for the numbers
    hint         what to think of first
    right        the right value; two lengths for a shape
    wrong        (mistake, the value it gives), the likeliest first
    draw         the numbers, from the dice; None where they suit no question
    unit         asked for in the prompt, None where it asks for none
    figures      significant figures asked for
    slack        how far off, as a share, an answer may be that was rounded on the way
    large        whether the right answer is always a million or more
    exact        whether it is a small whole number or a plain fraction
    share        whether it may be written in percent
    needs_exact  mistakes that only an answer to the last digit shows
    """

    id: str
    level: Level
    page: str
    dimension: Dimension
    prompt: Words
    hint: Words
    right: Formula | Shape
    wrong: tuple[tuple[str, Formula | Shape], ...]
    draw: Callable[[Dice], Drawn | None]
    unit: str | None = None
    figures: int = 3
    slack: Fraction = Fraction(1, 200)
    large: bool = False
    exact: bool = False
    share: bool = False
    needs_exact: frozenset[str] = frozenset()

    @property
    def asked(self) -> Asked:
        """What the reader of an answer may know of it."""
        return Asked(self.dimension, self.unit, self.large, self.exact, self.share)

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The mistakes it can find."""
        return tuple(dict.fromkeys(name for name, _ in self.wrong))


@dataclass(frozen=True)
class Question:
    """A kind with the numbers of one drawing: right, wrong, prompt and solution all follow from these."""

    kind: Kind
    given: Given
    words: Mapping[str, Words | str] = field(default_factory=dict)

    @property
    def prompt(self) -> Words:
        """The question in both languages."""
        return self._filled(self.kind.prompt)

    @property
    def hint(self) -> Words:
        """What to think of first."""
        return self._filled(self.kind.hint)

    def _filled(self, text: Words) -> Words:
        """A text with this drawing's numbers: “A made-up model” where a sentence starts, no space between Chinese words."""
        filled = text.filled({**self.given, **self.words})
        return Words(SENTENCE.sub(r"\1A made-up", filled.en), AROUND_MADE_UP.sub("", filled.zh))

    @cached_property
    def right(self) -> Fraction | Lengths:
        """The right value, in bytes, FLOP, seconds or plain numbers; two lengths for a shape."""
        return _value(self.kind.right, self.given)

    @cached_property
    def wrongs(self) -> tuple[tuple[str, Fraction | Lengths], ...]:
        """(mistake, its value), for every mistake that can be made here: one that gives the right value cannot."""
        return tuple((name, _value(formula, self.given)) for name, formula in self.applying)

    @property
    def right_number(self) -> Fraction:
        """The right value of a question that asks for one number. Raises TypeError for a shape."""
        if isinstance(self.right, tuple):
            raise TypeError("two lengths are asked for")
        return self.right

    @property
    def wrong_numbers(self) -> list[tuple[str, Fraction]]:
        """The wrong values that are one number."""
        return [(name, value) for name, value in self.wrongs if not isinstance(value, tuple)]

    @property
    def wrong_shapes(self) -> list[tuple[str, Lengths]]:
        """The wrong values that are two lengths."""
        return [(name, value) for name, value in self.wrongs if isinstance(value, tuple)]

    @cached_property
    def applying(self) -> tuple[tuple[str, Formula | Shape], ...]:
        """(mistake, its formula), of those that can be made here: one may need a number that this drawing lacks."""
        found = []
        for name, formula in self.kind.wrong:
            try:
                value = _value(formula, self.given)
            except KeyError:
                continue
            if value != self.right and (isinstance(value, tuple) or value > 0 or self.kind.id == "product_cell"):
                found.append((name, formula))
        return tuple(found)

    def wrong_formulas(self, misconception: str) -> tuple[Formula | Shape, ...]:
        """The formulas a mistake puts in place of the right one here."""
        return tuple(formula for name, formula in self.applying if name == misconception)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the solution before its last line, those that others need first."""
        formulas = self.kind.right if isinstance(self.kind.right, tuple) else (self.kind.right,)
        return tuple(dict.fromkeys(step for formula in formulas for step in formula.steps()))


def _value(formula: Formula | Shape, given: Given) -> Fraction | Lengths:
    if isinstance(formula, Formula):
        return formula.value(given)
    rows, columns = (int(length.value(given)) for length in formula)
    return rows, columns
