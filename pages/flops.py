"""One token: what it costs by the rules of thumb and exactly, matrix by matrix, and how that grows with the context."""

import streamlit as st

from calc.model import Model
from ui.compute.charts import share_chart, share_rows
from ui.compute.conventions import RULES, convention_lines, conventions, flops_headline, gap_figure, sequence_lines
from ui.compute.matrices import flops_bar, matrices, matrix_lines
from ui.figures.worked import csv_headings, heading, worked_csv, worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import Choice, described, pick_model
from ui.numbers import grouped
from ui.texts import text_in


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, model = current(), choice.model
    described(choice, "compute.refused")
    with st.container(key="compute_fields", horizontal=True):
        context = ask_context(model)
    st.html(flops_headline(language, model, context))
    st.html(conventions(language, model, context))
    places, beside = st.columns(2, gap="large")
    with places:
        st.html(flops_bar(language, model, context))
        st.html(matrices(language, model, choice.model.parts_list, context))
        show_download(choice, model, context)
    with beside:
        if model.mixing_if_described is not None:
            show_growth(choice, model)
        st.html(gap_figure(language, model, context))
        if model.mixing_if_described is not None:
            note = text("compute.sequence_note") if choice.name == "llama-2-7b" else ""
            title = text("compute.sequence_title", context=grouped(context))
            st.html(worked_list(title, sequence_lines(language, model, context), note))


def show_growth(choice: Choice, model: Model) -> None:
    """The share of attention against context, and in words where it outweighs the matrices."""
    rows = share_rows(current(), model)
    crossing = next((row["context"] for row in rows if row["kind"] == "mark"), None)
    st.html(heading(text("compute.share_title")))
    said = text("compute.crossing_said", context=grouped(crossing)) if crossing else text("compute.crossing_never")
    show_chart(
        share_chart, rows, alt=text("compute.share_alt", title=choice.full_title, crossing=said), height=340, key="share_chart"
    )
    bounded = any(entry.window or entry.chunk or entry.picks for entry in model.mixing_if_described.attention)
    st.caption(said + (text("compute.windows_said") if bounded else ""))


def show_download(choice: Choice, model: Model, context: int) -> None:
    """Every figure of the page as CSV."""

    language = current()  # asked now: the file is written later, outside of a run

    def written() -> str:
        groups = [
            (text_in(language, f"compute.convention_{rule}n"), convention_lines(language, model, context, rule)) for rule in RULES
        ]
        if model.mixing_if_described is not None:
            sequence = text_in(language, "compute.sequence_title", context=grouped(context))
            groups.append((sequence, sequence_lines(language, model, context)))
        groups.append(
            (text_in(language, "compute.matrices_title"), matrix_lines(language, model, choice.model.parts_list, context))
        )
        return worked_csv(csv_headings(language), groups)

    download_csv(text("compute.csv"), file_name(choice.full_title, "flops"), written, key="download_flops")


start_page()
main()
