"""The parts diagrams of two models side by side, on one scale."""

from __future__ import annotations

import streamlit as st

from calc.model import Model
from calc.parts_list import keys
from ui.diagram.component import parts_diagram
from ui.figures.tensor_card import tensor_card
from ui.frame.downloads import file_name
from ui.frame.language import current

SWITCH_WIDTH = 460
"""px: half a page on a desktop is enough for the wide drawing."""


def show_pictures(before: Model, after: Model) -> None:
    """Both diagrams; a tensor chosen in either is explained beneath it."""
    for column, model, other, side in zip(
        st.columns(2, gap="large"), (before, after), (after, before), ("before", "after"), strict=True
    ):
        with column:
            st.markdown(f"**{model.title}**")
            _show(model, other, f"{side}_diagram")


def _show(model: Model, other: Model, key: str) -> None:
    tensors = keys(model.parts_list)
    chosen = st.session_state.get(f"{key}_tensor", "")

    def choose(name: str) -> None:
        st.session_state[f"{key}_tensor"] = name

    parts_diagram(
        model.parts_list,
        model.title,
        current(),
        chosen,
        choose,
        file_name(model.title, "parts"),
        key=key,
        switch_width=SWITCH_WIDTH,
        beside=(other.parts_list,),
    )
    if chosen in tensors:
        st.html(tensor_card(current(), tensors[chosen], model.parts_list))
