"""The kinds of question.

kinds.py     what a kind and a question are
symbols.py   the symbols of formulas, and steps that several questions share
draws.py     how numbers are drawn
matrices.py, softmax.py, counts.py, amounts.py, work.py, texts.py
             the kinds, by what they ask about
"""

from calc.learn.questions.amounts import AMOUNTS
from calc.learn.questions.counts import COUNTS
from calc.learn.questions.kinds import Dice, Drawn, Kind, Question
from calc.learn.questions.matrices import MATRICES
from calc.learn.questions.softmax import SOFTMAX
from calc.learn.questions.texts import TOKENS
from calc.learn.questions.work import WORK

KINDS: dict[str, Kind] = {kind.id: kind for kind in (*MATRICES, *SOFTMAX, *COUNTS, *AMOUNTS, *WORK, *TOKENS)}
"""Every kind by its id."""

__all__ = ["KINDS", "Dice", "Drawn", "Kind", "Question"]
