"""GB, GiB and MiB: a converter, the size of models in plain widths, and what cards are labelled and report."""

from fractions import Fraction

import streamlit as st

from calc.catalogue import catalogue
from calc.compute import quantities
from calc.model import Model
from calc.parts_list import parameters
from calc.weights.byte_units import nvidia_smi_mib, to_bytes, written
from ui.figures.table import table
from ui.figures.worked import heading
from ui.frame.downloads import download_csv, file_name
from ui.frame.fields import ask, ask_among
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.memory.converter import SHOWN, card_rows, table_csv, table_rows, unit_rows
from ui.model.picker import Choice, pick_model
from ui.numbers import grouped

REFERENCE = ("llama-2-7b", "tinyllama-1.1b")
MOST = 10**15
COLUMNS = ("model", "format", "formula", "gb", "gib", "mib")
CSV_COLUMNS = ("model", "format", "bytes", "gb", "gib", "mib")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    converter, sizes = st.columns([36, 64], gap="large")
    with converter:
        show_converter()
    with sizes:
        show_sizes(choice)
    st.html(heading(text("memory.cards_title")))
    st.caption(text("memory.cards_note"))
    st.html(
        table(
            [text(f"memory.card_column.{column}") for column in ("card", "label", "mib", "gb", "gib", "change")],
            card_rows(current()),
            numbers=range(1, 6),
        )
    )


def show_converter() -> None:
    """An amount typed in, in every unit."""
    st.html(heading(text("memory.converter_title")))
    with st.container(key="compute_fields", horizontal=True):
        amount = ask("amount", "13.476831232", lambda label, typed: quantities.price(label, typed, MOST))
        unit = ask_among("unit", SHOWN, "GB")
    size = to_bytes(Fraction(repr(amount)), unit)
    others = f"= {written(size, 'GB')} = {grouped(nvidia_smi_mib(size))} MiB"
    head = f'<span class="total" data-bytes="{size}">{written(size, "GiB")}</span><span>{others}</span>'
    st.html(f'<div class="headline">{head}</div>')
    st.html(table([text(f"memory.unit_column.{column}") for column in ("unit", "is", "amount")], unit_rows(size), numbers=(2,)))
    st.caption(text("memory.converter_note"))


def show_sizes(choice: Choice) -> None:
    """Parameters · bits ÷ 8 of this model and of two to compare with."""
    models = [(choice.full_title, parameters(choice.model.parts_list.tensors))]
    models += [
        (catalogue()[name].title, Model.of(name).parameters) for name in REFERENCE if name != choice.name or choice.changes
    ]
    st.html(heading(text("memory.widths_title")))
    st.html(table([text(f"memory.unit_column.{column}") for column in COLUMNS], table_rows(models), numbers=(2, 3, 4, 5)))
    st.caption(text("memory.widths_note"))
    headings = [text(f"memory.unit_column.{column}") for column in CSV_COLUMNS]
    download_csv(
        text("memory.widths_csv"),
        file_name(choice.full_title, "units"),
        lambda: table_csv(headings, models),
        key="download_units",
    )


start_page()
main()
