"""One token: what it costs by the rules of thumb and exactly, matrix by matrix, and how that grows with the context."""

import streamlit as st

from ui.compute.charts import crossing_shown, share_chart, share_rows
from ui.compute.conventions import RULES, convention_lines, conventions, flops_headline, gap_figure, sequence_lines
from ui.compute.matrices import flops_bar, matrices, matrix_lines
from ui.figures.worked import csv_headings, heading, worked_csv, worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show
from ui.model.picker import Choice, described, pick_model
from ui.numbers import grouped


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, model = current(), choice.model
    is_described = described(choice, "compute.refused") is not None
    with st.container(key="compute_fields", horizontal=True):
        context = ask_context(model)
    show(flops_headline(language, model, context))
    show(conventions(language, model, context))
    places, beside = st.columns(2, gap="large")
    with places:
        show(flops_bar(language, model, context))
        show(matrices(language, model, context))
        show_download(choice, context)
    with beside:
        if is_described:
            show_growth(choice)
        show(gap_figure(language, model, context))
        if is_described:
            note = text("compute.sequence_note") if choice.name == "llama-2-7b" else ""
            title = text("compute.sequence_title", context=grouped(context))
            show(worked_list(title, sequence_lines(language, model, context), note))


def show_growth(choice: Choice) -> None:
    """The share of attention against context, and in words where it outweighs the matrices."""
    model, crossing = choice.model, crossing_shown(choice.model)
    show(heading(text("compute.share_title")))
    caption = text("compute.crossing_said", context=grouped(crossing)) if crossing else text("compute.crossing_never")
    alt = text("compute.share_alt", title=choice.full_title, crossing=caption)
    show_chart(share_chart, share_rows(current(), model), alt=alt, height=340, key="share_chart")
    bounded = any(entry.window or entry.chunk or entry.picks for entry in model.mixing.attention)
    st.caption(caption + (text("compute.windows_said") if bounded else ""))


def show_download(choice: Choice, context: int) -> None:
    """Every figure of the page as CSV."""

    def written() -> str:
        language, model = current(), choice.model
        groups = [(text(f"compute.convention_{rule}n"), convention_lines(language, model, context, rule)) for rule in RULES]
        if model.mixing_fault is None:
            sequence = text("compute.sequence_title", context=grouped(context))
            groups.append((sequence, sequence_lines(language, model, context)))
        groups.append((text("compute.matrices_title"), matrix_lines(language, model, context)))
        return worked_csv(csv_headings(language), groups)

    download_csv(text("compute.csv"), file_name(choice.full_title, "flops"), written, key="download_flops")


start_page()
main()
