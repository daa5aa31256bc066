"""One token: what it costs by the rules of thumb and exactly, matrix by matrix, and how that grows with the context."""

import streamlit as st

from ui.compute.charts import share_chart, share_rows
from ui.compute.controls import Subject, ask_context, subject_of
from ui.compute.conventions import RULES, convention_lines, conventions, flops_headline, gap_figure, sequence_lines
from ui.compute.matrices import flops_bar, matrices, matrix_lines
from ui.figures.worked import csv_headings, heading, worked_csv, worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import Choice, pick_model
from ui.numbers import grouped
from ui.texts import text_in


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, subject = current(), subject_of(choice)
    with st.container(key="compute_fields", horizontal=True):
        context = ask_context(subject)
    st.html(flops_headline(language, subject, context))
    st.html(conventions(language, subject, context))
    places, beside = st.columns(2, gap="large")
    with places:
        st.html(flops_bar(language, subject, context))
        st.html(matrices(language, subject, choice.parts_list, context))
        show_download(choice, subject, context)
    with beside:
        if subject.mixing is not None:
            show_growth(choice, subject)
        st.html(gap_figure(language, subject, context))
        if subject.mixing is not None:
            note = text("compute.sequence_note") if choice.name == "llama-2-7b" else ""
            title = text("compute.sequence_title", context=grouped(context))
            st.html(worked_list(title, sequence_lines(language, subject, context), note))


def show_growth(choice: Choice, subject: Subject) -> None:
    """The share of attention against context, and in words where it outweighs the matrices."""
    rows = share_rows(current(), subject)
    crossing = next((row["context"] for row in rows if row["kind"] == "mark"), None)
    st.html(heading(text("compute.share_title")))
    said = text("compute.crossing_said", context=grouped(crossing)) if crossing else text("compute.crossing_never")
    show_chart(
        share_chart, rows, alt=text("compute.share_alt", title=choice.full_title, crossing=said), height=340, key="share_chart"
    )
    bounded = any(entry.window or entry.chunk or entry.picks for entry in subject.mixing.attention)
    st.caption(said + (text("compute.windows_said") if bounded else ""))


def show_download(choice: Choice, subject: Subject, context: int) -> None:
    """Every figure of the page as CSV."""

    language = current()  # asked now: the file is written later, outside of a run

    def written() -> str:
        groups = [
            (text_in(language, f"compute.convention_{rule}n"), convention_lines(language, subject, context, rule))
            for rule in RULES
        ]
        if subject.mixing is not None:
            sequence = text_in(language, "compute.sequence_title", context=grouped(context))
            groups.append((sequence, sequence_lines(language, subject, context)))
        groups.append((text_in(language, "compute.matrices_title"), matrix_lines(language, subject, choice.parts_list, context)))
        return worked_csv(csv_headings(language), groups)

    download_csv(text("compute.csv"), file_name(choice.full_title, "flops"), written, key="download_flops")


start_page()
main()
