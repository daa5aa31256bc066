"""The parts page: one model, taken apart matrix by matrix and added up again."""

import streamlit as st

from calc.export import COLUMNS, parts_csv
from calc.parts_list import PartsList, keys
from ui.diagram.component import parts_diagram
from ui.figures.addition_table import addition_table
from ui.figures.composition import composition
from ui.figures.headline import headline
from ui.figures.tensor_card import tensor_card
from ui.figures.worksheet import worksheet
from ui.frame import address
from ui.frame.downloads import download_csv, download_markdown, file_name
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import Choice, pick_model


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, parts_list = current(), choice.model.parts_list
    chosen = chosen_tensor(parts_list)
    st.html(headline(language, parts_list, choice.base.entry, choice.changed_from, choice.title))
    picture, beside = st.columns([62, 38], gap="medium")
    with picture:
        parts_diagram(parts_list, choice.full_title, language, chosen, choose_tensor, file_name(choice.full_title, "parts"))
        with st.container(key="below_picture"):
            st.html(composition(language, parts_list, choice.changed_from))
            show_downloads(language, choice)
    with beside:
        st.selectbox(text("tensor.choose"), list(keys(parts_list)), key="tensor", label_visibility="collapsed")
        st.html(tensor_card(language, keys(parts_list)[chosen], parts_list, choice.changed_from))
        st.html(addition_table(language, choice.full_title, parts_list, choice.base.entry, choice.changed_from))


def chosen_tensor(parts_list: PartsList) -> str:
    """The tensor the reader has chosen, here or in the address; where this model has none of that name, a telling one."""
    names = keys(parts_list)
    chosen = st.session_state.get("tensor") or address.get("tensor")
    if chosen not in names:
        chosen = telling_tensor(parts_list)
    st.session_state["tensor"] = chosen  # on every run: a slow browser may draw the list only on the second
    address.put("tensor", chosen)
    return chosen


def telling_tensor(parts_list: PartsList) -> str:
    """A tensor worth a first look: the keys where query heads share them, otherwise the matrix that widens the FFN."""
    shared = [
        key
        for key, tensor in keys(parts_list).items()
        if tensor.role == "key" and any(band.kv_heads for band in tensor.output_bands)
    ]
    widening = [key for key, tensor in keys(parts_list).items() if tensor.role in ("gate", "gate_up", "widen")]
    return next(iter([*shared, *widening, *keys(parts_list)]))


def choose_tensor(name: str) -> None:
    """Take the tensor a reader pointed at in the diagram."""
    st.session_state["tensor"] = name


def show_downloads(language: str, choice: Choice) -> None:
    """The parts list as CSV and the worksheet; the diagram saves itself."""
    columns = {column: text(f"column.{column}") for column in COLUMNS}
    with st.container(horizontal=True):
        download_csv(
            text("download.csv"),
            file_name(choice.full_title, "parts"),
            lambda: parts_csv(choice.model.parts_list, columns),
            key="download_csv",
        )
        model = None if choice.changes else choice.base.entry
        download_markdown(
            text("download.worksheet"),
            file_name(choice.full_title, "worksheet"),
            lambda: worksheet(language, choice.full_title, choice.model.parts_list, model),
            key="download_worksheet",
        )


start_page()
main()
