"""The KV cache: what each kind of layer keeps of a token, of a context, of a batch, and how that grows over the weights."""

import streamlit as st

from calc.export import csv_text
from calc.mixing import Mixing
from calc.mixing.kv_cache import PAGE, Bits
from ui.figures.worked import worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.errors import plain
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import section, show, table
from ui.memory.cache_chart import cache_chart, cache_rows, memory_legend
from ui.memory.cache_lines import (
    BITS_SHOWN,
    cache_csv_rows,
    cache_headline,
    context_rows,
    crossing_sentence,
    kind_lines,
    kinds_note,
    sum_lines,
)
from ui.memory.controls import ask_batch, ask_cache_bits, ask_format, lines_or_message, pick_described_model
from ui.memory.titles import title_in
from ui.model.picker import Choice
from ui.numbers import grouped

CSV_COLUMNS = ("context", "batch", "numbers", "bits_16", "bits_8", "bits_4", "reserved_16", "state")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_described_model()
    if choice is None:
        return
    language, mixing = current(), choice.model.mixing
    with st.container(key="compute_fields", horizontal=True):
        context = ask_context(choice.model)
        batch = ask_batch()
        bits = ask_cache_bits()
        chosen = ask_format()
    show(cache_headline(language, mixing, context, batch, bits))
    figures, picture = st.columns(2, gap="large")
    with figures:
        kinds, sums = (lines(language, mixing, context, batch, bits) for lines in (kind_lines, sum_lines))
        if kinds:
            show(worked_list(text("memory.cache_kinds"), kinds, kinds_note(language, mixing)))
        show(worked_list(text("memory.cache_sums"), sums, text("memory.cache_sums_note")))
    with picture:
        show_curve(choice, mixing, context, batch, bits, chosen)
    show_table(choice, mixing, context, batch)


def show_curve(choice: Choice, mixing: Mixing, context: int, batch: int, bits: Bits, chosen: str) -> None:
    """The cache over the context, on the weights in the chosen format."""
    weight_bytes = sum(line.bytes for line in lines_or_message(choice.model, chosen) or ())
    show(section(text("memory.curve_title", format=title_in(current(), chosen))))
    show(memory_legend(current(), ("weights", "cache"), text("memory.reserved_line", page=PAGE)))
    rows = cache_rows(current(), mixing, weight_bytes, context, batch, bits)
    alt = text("memory.curve_alt", title=choice.full_title, batch=grouped(batch))
    show_chart(cache_chart, rows, alt=alt, height=340, key="cache_curve")
    if weight_bytes:
        st.caption(plain(crossing_sentence(current(), mixing, weight_bytes, batch, bits)))


def show_table(choice: Choice, mixing: Mixing, context: int, batch: int) -> None:
    """By context, in 16, 8 and 4 bits."""
    show(section(text("memory.table_title", batch=grouped(batch))))
    bits = [text("memory.cache_bits", bits=number) for number in BITS_SHOWN]
    headings = [text("memory.cache_column.context"), *bits, text("memory.cache_bits_reserved")]
    show(table(headings, context_rows(mixing, context, batch), numbers=range(5)))

    def written() -> str:
        return csv_text([text(f"memory.cache_column.{column}") for column in CSV_COLUMNS], cache_csv_rows(mixing, context, batch))

    download_csv(text("memory.cache_csv"), file_name(choice.full_title, "kv-cache"), written, key="download_cache")


start_page()
main()
