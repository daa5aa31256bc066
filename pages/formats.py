"""Number formats and the size of the weights: bits from the block, the file to the byte, what the rule of thumb leaves out."""

import streamlit as st

from calc.errors import ConfigError
from calc.parts_list import parameters
from calc.weights.weights import Weights
from ui.figures.table import table
from ui.frame.downloads import download_csv, file_name
from ui.frame.errors import show_error
from ui.frame.fields import ask_among
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.memory.controls import ask_format, ask_imatrix
from ui.memory.format_card import block_picture, format_card, gpus_figure, tensor_csv, tensor_rows, weights_headline
from ui.memory.formats_list import format_sizes, formats_csv, formats_list
from ui.memory.sizes import FAMILIES, family_of, weights_in
from ui.model.picker import Choice, pick_model

TENSOR_COLUMNS = ("tensor", "type", "tensors", "numbers", "bytes", "bits")
FORMAT_COLUMNS = ("format", "block_bits", "derivation", "bytes", "file_bits", "naive")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language = current()
    with st.container(key="compute_fields", horizontal=True):
        chosen = ask_format("Q4_K_M")
        imatrix = ask_imatrix(chosen)
    size = size_of(choice, chosen, imatrix)
    if size is not None:
        st.html(weights_headline(language, size))
    listed, card = st.columns([54, 46], gap="large")
    with listed:
        show_formats(choice, chosen, imatrix)
    with card:
        st.html(block_picture(language, chosen))
        if size is not None:
            st.html(format_card(language, size))
            show_tensors(choice, size)
        st.html(gpus_figure(language, chosen))


def size_of(choice: Choice, chosen: str, imatrix: bool) -> Weights | None:
    """The files of the chosen format; where there are none of this model, the reason is on the screen."""
    try:
        return weights_in(choice.model, chosen, imatrix)
    except ConfigError as fault:
        show_error(fault)
        return None


def show_formats(choice: Choice, chosen: str, imatrix: bool) -> None:
    """All formats of a family, as a table with bars."""
    family = ask_among("family", FAMILIES, family_of(chosen), lambda name: text(f"memory.family.{name}"))
    total = parameters(choice.model.parts_list.tensors)
    sizes = format_sizes(current(), family, choice.model, total, imatrix)
    st.html(formats_list(current(), family, sizes, total, chosen))
    headings = [text(f"memory.column.{column}") for column in FORMAT_COLUMNS]
    download_csv(
        text("memory.formats_csv"),
        file_name(choice.full_title, "formats"),
        lambda: formats_csv(headings, current(), sizes, total),
        key="download_formats",
    )


def show_tensors(choice: Choice, size: Weights) -> None:
    """Tensor by tensor, when it is asked for."""
    headings = [text(f"memory.column.{column}") for column in TENSOR_COLUMNS]
    panel = st.expander(text("memory.tensors"), key="tensors_open", type="compact", on_change="rerun")
    if panel.open:
        with panel:
            st.html(table(headings, tensor_rows(current(), size), numbers=(2, 3, 4, 5)))
    download_csv(
        text("memory.tensors_csv"),
        file_name(choice.full_title, size.format, "tensors"),
        lambda: tensor_csv(headings, current(), size),
        key="download_tensors",
    )


start_page()
main()
