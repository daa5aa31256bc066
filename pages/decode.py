"""The decode floor: the shortest time a token can take on every GPU, because memory cannot deliver weights and cache faster."""

import streamlit as st

from calc.memory.decode import step_read
from ui.figures.worked import worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import section, show
from ui.memory.controls import ask_batch, ask_cache_bits, ask_format, ask_gpu_or_own, lines_or_message, pick_described_model
from ui.memory.decode_list import all_floors, decode_headline, floor_chart, floor_rows, floors_csv, floors_list, read_lines

CSV_COLUMNS = ("gpu", "bandwidth", "weights", "cache", "milliseconds", "rate", "least", "holds")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_described_model()
    if choice is None:
        return
    language, model = current(), choice.model
    with st.container(key="compute_fields", horizontal=True):
        chosen = ask_format()
        gpu = ask_gpu_or_own()
        context = ask_context(model)
        batch = ask_batch()
        bits = ask_cache_bits()
    sizes = lines_or_message(model, chosen)
    if sizes is None:
        return
    resident = sum(line.bytes for line in sizes)
    read = step_read(model, sizes, context=context, batch=batch, cache_bits=bits)
    alone = step_read(model, sizes, context=0, batch=batch)
    floors = all_floors(read, resident, gpu)
    show(decode_headline(language, gpu, read, alone, resident, context))
    listed, beside = st.columns(2, gap="large")
    with listed:
        show(section(text("memory.floors_title")))
        show(floors_list(language, floors, read, gpu, resident))
        headings = [text(f"memory.floor_column.{column}") for column in CSV_COLUMNS]
        download_csv(
            text("memory.floors_csv"),
            file_name(choice.full_title, "decode-floor"),
            lambda: floors_csv(headings, floors, read),
            key="download_floors",
        )
    with beside:
        show(worked_list(text("memory.read_title"), read_lines(language, read, resident, chosen), text("memory.floor_note")))
        show(section(text("memory.floor_curve", gpu=gpu.name)))
        rows = floor_rows(language, model, chosen, sizes, gpu, batch, bits)
        alt = text("memory.floor_curve_alt", title=choice.full_title, gpu=gpu.name)
        show_chart(floor_chart, rows, alt=alt, height=340, key="floor_curve")


start_page()
main()
