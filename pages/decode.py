"""The decode floor: the shortest time a token can take on every GPU, because memory cannot deliver weights and cache faster."""

import streamlit as st

from calc.errors import ConfigError
from calc.memory.decode import step_read
from ui.figures.worked import heading, worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.errors import show_error
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.memory.controls import ask_batch, ask_cache_bits, ask_format, ask_gpu_or_own
from ui.memory.decode_list import all_floors, decode_headline, floor_chart, floor_rows, floors_csv, floors_list, read_lines
from ui.memory.sizes import lines_in
from ui.model.picker import described, pick_model

CSV_COLUMNS = ("gpu", "bandwidth", "weights", "cache", "milliseconds", "rate", "least", "holds")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    model = described(choice, "memory.refused") if choice else None
    if choice is None or model is None:
        return
    language = current()
    with st.container(key="compute_fields", horizontal=True):
        chosen = ask_format()
        gpu = ask_gpu_or_own()
        context = ask_context(choice.model)
        batch = ask_batch()
        bits = ask_cache_bits()
    try:
        sizes = lines_in(choice.model, chosen)
    except ConfigError as fault:
        show_error(fault)
        return
    resident = sum(line.bytes for line in sizes)
    read = step_read(model, sizes, context=context, batch=batch, cache_bits=bits)
    alone = step_read(model, sizes, context=0, batch=batch)
    found = all_floors(read, resident, gpu)
    st.html(decode_headline(language, gpu, read, alone, resident, context))
    listed, beside = st.columns(2, gap="large")
    with listed:
        st.html(heading(text("memory.floors_title")))
        st.html(floors_list(language, found, read, gpu, resident))
        headings = [text(f"memory.floor_column.{column}") for column in CSV_COLUMNS]
        download_csv(
            text("memory.floors_csv"),
            file_name(choice.full_title, "decode-floor"),
            lambda: floors_csv(headings, found, read),
            key="download_floors",
        )
    with beside:
        st.html(worked_list(text("memory.read_title"), read_lines(language, read, resident, chosen), text("memory.floor_note")))
        st.html(heading(text("memory.floor_curve", gpu=gpu.name)))
        rows = floor_rows(language, model, chosen, sizes, gpu, batch, bits)
        alt = text("memory.floor_curve_alt", title=choice.full_title, gpu=gpu.name)
        show_chart(floor_chart, rows, alt=alt, height=340, key="floor_curve")


start_page()
main()
