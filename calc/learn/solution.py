"""What is shown after an answer: the diagnosis, a step to redo, the solution line by line. All of it from one drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from calc.learn.formula import Formula, Step
from calc.learn.judge import Judgement, judge, judge_shape
from calc.learn.mistakes import Mistake, mistakes
from calc.learn.questions import Question
from calc.learn.reader import Asked, Reading
from calc.learn.words import Words
from calc.learn.written import Value, value_text


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a solution: what it works out, in symbols, in numbers, and its value; the page that shows it."""

    name: Words
    symbols: str
    numbers: str
    value: str
    page: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A mistake, with the formula it puts in place of the right one in this question: this is what comes out if …"""

    mistake: Mistake
    symbols: str
    numbers: str
    value: str


ANSWER = Words("the answer", "答案")


def judged(question: Question, reading: Reading) -> Judgement:
    """A reading of an answer, judged.

    >>> from calc.learn.drawing import draw
    >>> from calc.learn.reader import read
    >>> question = draw("group_size", 1)
    >>> judged(question, read(str(question.right), question.kind.asked)).verdict
    'right'
    """
    kind, right = question.kind, question.right
    if isinstance(right, tuple):
        return judge_shape(reading.shape or (0, 0), right, question.wrong_shapes)
    return judge(reading, right, question.wrong_numbers, kind.figures, kind.slack, kind.needs_exact)


def diagnoses(question: Question, judgement: Judgement, reading: Reading) -> tuple[Diagnosis, ...]:
    """What the mistakes of a judgement say in the numbers of this question: of several formulas of one, the one that gives this."""
    return tuple(
        Diagnosis(mistakes()[name], *_written(question, min(question.wrong_formulas(name), key=_distance(question, reading))))
        for name in judgement.misconceptions
    )


def _distance(question: Question, reading: Reading) -> Callable[[Formula | tuple[Formula, Formula]], Fraction]:
    """How far a formula's value is from what was typed."""

    def distance(formula: Formula | tuple[Formula, Formula]) -> Fraction:
        if isinstance(formula, tuple):
            typed = reading.shape or (0, 0)
            return sum(
                (abs(length.value(question.given) - each) for length, each in zip(formula, typed, strict=True)), Fraction()
            )
        return abs(formula.value(question.given) - reading.value)

    return distance


def solution(question: Question) -> tuple[Line, ...]:
    """The solution: its steps, those that others need first, then the answer.

    >>> from calc.learn.drawing import draw
    >>> [line.symbols for line in solution(draw("attention_gqa", 1))]
    ['n_kv × head_dim', '2 × d × n_h × head_dim + 2 × d × kv']
    """
    page = question.kind.page
    lines = [
        Line(
            step.name,
            step.inner.symbols,
            step.inner.numbers(question.given),
            value_text(step.value(question.given), step.dimension),
            page,
        )
        for step in question.steps
    ]
    last = Line(ANSWER, *_written(question, question.kind.right), page)
    whole_answer_is_a_step = bool(lines) and isinstance(question.kind.right, Step)
    return tuple(lines) if whole_answer_is_a_step else (*lines, last)


def step_to_redo(question: Question) -> tuple[Step, Asked] | None:
    """The step that the second hint asks for, and how an answer to it is read; None where the question is one step."""
    steps = [step for step in question.steps if step is not question.kind.right]
    if not steps:
        return None
    return steps[0], Asked(steps[0].dimension, "B" if steps[0].dimension == "bytes" else None)


def judged_step(question: Question, step: Step, reading: Reading) -> Judgement:
    """An answer to a step, judged like any other."""
    return judge(reading, step.value(question.given), ())


def right_text(question: Question) -> str:
    """The right value in the unit that is asked for."""
    return value_text(question.right, question.kind.dimension, question.kind.unit)


def _written(question: Question, formula: Formula | tuple[Formula, Formula]) -> tuple[str, str, str]:
    """A formula of a question in symbols, in numbers, and its value."""
    dimension, unit = question.kind.dimension, question.kind.unit
    if isinstance(formula, tuple):
        rows, columns = formula
        value: Value = (int(rows.value(question.given)), int(columns.value(question.given)))
        written = [" × ".join(_length(length.written(given)) for length in formula) for given in (None, question.given)]
        return written[0], written[1], value_text(value, dimension)
    value = formula.value(question.given)
    return formula.symbols, formula.numbers(question.given), value_text(value, dimension, unit)


def _length(text: str) -> str:
    return f"({text})" if " " in text else text
