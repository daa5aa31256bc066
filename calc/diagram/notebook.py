"""The picture of a model as a notebook shows it."""

from __future__ import annotations

from calc.diagram.layers import WIDE
from calc.diagram.parts_diagram import draw
from calc.diagram.words import WORDS, describe
from calc.model import Model


def _repr_html_(model: Model) -> str:
    """The parts diagram of a model, an SVG with the total in its note.

    >>> print(_repr_html_(Model.of("gpt2"))[:42])
    <svg xmlns="http://www.w3.org/2000/svg" vi
    """
    of_model = {"title": model.title, "total": f"{model.parameters:,}"}
    words = WORDS | {note: WORDS[note].format(**of_model) for note in ("note", "broken_note")}
    return draw(model.parts_list, words, describe, WIDE)
