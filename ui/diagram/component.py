"""The parts diagram on the page: drawn in Python, made clickable, reachable by keyboard and downloadable in the browser."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import streamlit as st

from calc.diagram.layers import WIDE
from calc.diagram.parts_diagram import ALONE, NARROW, Frame, common_frame, draw
from calc.parts_list import PartsList, parameters
from ui.figures.explain import describe
from ui.html import component
from ui.numbers import grouped
from ui.texts import text_in

SWITCH_WIDTH = 620
"""px: a column narrower than this gets the drawing made for a phone."""

_HTML = """
<div class="diagram">
  <div class="picture" role="group"></div>
  <div class="tip" hidden></div>
  <div class="chosen" aria-live="polite"></div>
  <div class="saves" hidden><button type="button" data-save="svg"></button><button type="button" data-save="png"></button></div>
</div>
"""

_component = component("parts_diagram", __file__, _HTML)


def parts_diagram(
    parts_list: PartsList,
    title: str,
    language: str,
    chosen: str,
    on_choice: Callable[[str], None],
    file_name: str,
    *,
    key: str = "parts_diagram",
    switch_width: int = SWITCH_WIDTH,
    beside: tuple[PartsList, ...] = (),
) -> None:
    """Show the diagram; when a person chooses a tensor in it, call `on_choice` with its name before the next run.

    title       the model's name
    chosen      name of the tensor that is marked
    file_name   of the downloads, without extension
    switch_width   px below which the drawing for a phone is shown
    beside      models drawn beside this one, on the same scale
    """

    def chosen_in_picture() -> None:
        name = st.session_state[key].get("tensor")
        if name:
            on_choice(name)

    # The picture knows its room only in the browser, which asks for the other one where this one does not fit.
    narrow = bool(st.session_state.get(key, {}).get("narrow"))
    _component(
        key=key,
        data={
            "picture": picture(parts_list, title, language, NARROW if narrow else WIDE, beside),
            "narrow": narrow,
            "switch_width": switch_width,
            "chosen": chosen,
            "file_name": file_name,
            "save": {form: text_in(language, f"diagram.save_{form}") for form in ("svg", "png")},
            "label": text_in(language, "diagram.label", title=title, total=grouped(parameters(parts_list.tensors))),
        },
        on_tensor_change=chosen_in_picture,
        on_narrow_change=_nothing_more,
    )


def _nothing_more() -> None:
    """The rerun itself sends the other picture."""


@lru_cache(maxsize=64)
def picture(parts_list: PartsList, title: str, language: str, width: int, beside: tuple[PartsList, ...] = ()) -> str:
    """The drawing for a column of this width. The last 64 are cached: a rerun rarely changes the model."""
    total = grouped(parameters(parts_list.tensors))
    words = {
        part: text_in(language, f"diagram.{part}")
        for part in ("embedding", "attention", "mixer", "ffn", "other", "norm", "lm_head")
    }
    words |= {key: text_in(language, f"diagram.{key}") for key in ("layer", "tied", "copies", "layers", "stack", "experts")}
    words |= {key: text_in(language, f"diagram.{key}", title=title, total=total) for key in ("note", "broken_note")}
    describe_in = partial(describe, language)
    frame: Frame = common_frame((parts_list, *beside), words, describe_in, width) if beside else ALONE
    return draw(parts_list, words, describe_in, width, frame)
