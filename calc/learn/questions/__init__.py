"""The kinds of question.

kinds.py     what a kind and a question are
symbols.py   the symbols of formulas, and steps that several questions share
draws.py     how numbers are drawn
matrices.py, softmax.py, parts.py, ffn.py, totals.py, amounts.py, work.py, texts.py
             the kinds, by what they ask about
"""

from calc.learn.questions.amounts import AMOUNTS
from calc.learn.questions.ffn import FFN
from calc.learn.questions.kinds import Dice, Drawn, Kind, Question
from calc.learn.questions.matrices import MATRICES
from calc.learn.questions.parts import PARTS
from calc.learn.questions.softmax import SOFTMAX
from calc.learn.questions.texts import TOKENS
from calc.learn.questions.totals import TOTALS
from calc.learn.questions.work import WORK

KINDS: dict[str, Kind] = {kind.id: kind for kind in (*MATRICES, *SOFTMAX, *PARTS, *FFN, *TOTALS, *AMOUNTS, *WORK, *TOKENS)}
"""Every kind by its id. Papers are shuffled from this order: who adds to it counts up `calc.learn.drawing.VERSION`."""

__all__ = ["KINDS", "Dice", "Drawn", "Kind", "Question"]
