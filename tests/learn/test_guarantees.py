"""The two promises of the quiz, on every kind: no right answer is called wrong; a typed wrong value is found.

Two drawings of each kind are tried; `QUIZ_DRAWINGS=200 python -m pytest tests/learn/test_guarantees.py` tries two hundred.
"""

import os
from fractions import Fraction

import pytest

from calc.learn.asking_back import Unreadable
from calc.learn.drawing import draw
from calc.learn.questions import KINDS
from calc.learn.reader import read
from calc.learn.solution import judged
from learn.writings import shape_writings, writings

DRAWINGS = range(int(os.environ.get("QUIZ_DRAWINGS", "2")))
NUMBERS = [kind for kind in KINDS.values() if kind.dimension != "shape"]
SHAPES = [kind for kind in KINDS.values() if kind.dimension == "shape"]


def answered(question, text):
    reading = read(text, question.kind.asked)
    return reading, judged(question, reading)


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.id)
def test_no_writing_of_a_right_answer_is_called_wrong_or_cannot_be_read(kind):
    few = () if kind.exact else (1, 2)
    for seed in DRAWINGS:
        question = draw(kind, seed)
        verdicts = set()
        for text in writings(question.right_number, kind.dimension, kind.unit, (*few, 3, 4, 5, 6)):
            reading, judgement = answered(question, text)
            assert judgement.verdict in ("right", "right_rounded", "coarse"), (text, question.right, judgement)
            verdicts.add(judgement.verdict)
        assert "right" in verdicts


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.id)
def test_a_mistake_typed_in_three_figures_or_more_is_named_or_right_at_its_precision(kind):
    named = 0
    for seed in DRAWINGS:
        question = draw(kind, seed)
        for name, value in question.wrong_numbers:
            for text in writings(value, kind.dimension, kind.unit, cut=False):
                reading, judgement = answered(question, text)
                if name in judgement.misconceptions:
                    named += 1
                    continue
                few_figures = min(reading.figures or 9, figures_but_noughts(reading.value)) < 3
                invisible = name in kind.needs_exact and judgement.is_right and reading.value != value
                low, high = reading.loose or (reading.low, reading.high)  # 111000 may stand for 110,592 and for 111,360
                assert low <= question.right_number <= high or few_figures or invisible, (text, name, judgement)
    assert named


def figures_but_noughts(value):
    """Figures of a whole number before the noughts at its end."""
    return 9 if value.denominator != 1 else len(str(abs(value.numerator)).rstrip("0"))


@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.id)
def test_shapes(kind):
    for seed in range(20):
        question = draw(kind, seed)
        assert isinstance(question.right, tuple)
        for text in shape_writings(question.right):
            assert answered(question, text)[1].verdict == "right"
        for name, value in question.wrong_shapes:
            for text in shape_writings(value):
                assert name in answered(question, text)[1].misconceptions


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.id)
def test_what_is_asked_back_depends_on_the_writing_alone(kind):
    """The same text is read in the same way whatever was drawn, so that asking back gives nothing away."""
    texts = ("6.7", "131.1", "13.5G", "576", "0.039", "13476831232", "1,5")
    first, second = (draw(kind, seed) for seed in (1, 2))
    for text in texts:
        assert outcome(text, first) == outcome(text, second)


def outcome(text, question):
    try:
        reading = read(text, question.kind.asked)
    except Unreadable as unclear:
        return unclear.code
    return reading.low, reading.high


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.id)
def test_large_says_that_every_answer_is_a_million_or_more(kind):
    rights = [draw(kind, seed).right_number for seed in range(60)]
    if kind.large:
        assert min(rights) >= 10**6
    if kind.dimension == "percent":
        assert min(rights) >= Fraction(1, 100)  # 0.04 is asked back, so no answer may be below 1%
