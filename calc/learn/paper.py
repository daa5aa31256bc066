"""A seed → a paper: the same questions for everybody who says the same number, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calc.config.fields import checked_count
from calc.errors import ConfigError
from calc.learn.drawing import VERSION, draw
from calc.learn.questions import KINDS, Dice, Kind, Question

LEVELS = (1, 2, 3)
MOST_QUESTIONS = 60
FIRST_OF_LEVEL_1 = 2
"""A paper of level 2 starts with so many questions of level 1."""


@dataclass(frozen=True)
class PaperQuestion:
    """A question and its place on a paper, counted from 1."""

    position: int
    question: Question


def paper(seed: int, level: int = 1, n: int = 10) -> tuple[PaperQuestion, ...]:
    """The paper of a seed.

    Raises ConfigError: negative, not_among, not_positive, too_big.

    >>> [asked.question.kind.id for asked in paper(7, 2, 3)]
    ['gb_to_gib', 'matrix_shape', 'kv_per_token']
    """
    checked_count("seed", seed, smallest=0)
    if level not in LEVELS:
        raise ConfigError("not_among", "level", value=str(level), among=", ".join(map(str, LEVELS)))
    checked_count("n", n, MOST_QUESTIONS)
    kinds = kinds_of_paper(seed, level, n)
    return tuple(PaperQuestion(position, draw(kind, seed, position)) for position, kind in enumerate(kinds, 1))


def practice(kind: str, seed: int, n: int) -> Iterator[PaperQuestion]:
    """So many questions of one kind."""
    return (PaperQuestion(position, draw(kind, seed, position)) for position in range(1, n + 1))


def kinds_of_paper(seed: int, level: int, n: int) -> tuple[Kind, ...]:
    """The kinds of a paper in their order: shuffled, of different pages first, never one twice in a row."""
    first = min(FIRST_OF_LEVEL_1, n - 1) if level == 2 else 0
    kinds = list(_shuffled(seed, 1, 0))[:first]
    turn = 0
    while len(kinds) < n:
        more = list(_shuffled(seed, level, turn))
        if kinds and more[0] is kinds[-1]:
            more.append(more.pop(0))
        kinds += more
        turn += 1
    return tuple(kinds[:n])


def _shuffled(seed: int, level: int, turn: int) -> tuple[Kind, ...]:
    """The kinds of a level: of each page one, then the rest."""
    dice = Dice(f"{VERSION}:{seed}:{level}:{turn}:order")
    kinds = dice.shuffled(tuple(kind for kind in KINDS.values() if kind.level == level))
    first = {kind.page: kind for kind in reversed(kinds)}
    return tuple(sorted(kinds, key=lambda kind: first[kind.page] is not kind))
