"""Does it fit: every GPU as a bar that weights, KV cache, activations and overhead fill, and what makes the model fit."""

import streamlit as st

from calc.errors import ConfigError
from calc.export import csv_text
from calc.gpus import Gpu
from ui.figures.worked import heading, worked_csv, worked_list
from ui.frame.downloads import download_csv, download_svg, file_name
from ui.frame.errors import plain, show_error
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.memory.cache_chart import memory_legend
from ui.memory.controls import ask_batch, ask_cache_bits, ask_format, ask_gpu_or_own, ask_tensor_parallel
from ui.memory.fit_lines import Wanted, bounds_lines, fit_headline, fit_lines, format_rows, gpu_rows, story
from ui.memory.gpu_bars import GpuBar, bars, bars_svg, pieces_of, verdict_said
from ui.memory.sizes import lines_in
from ui.model.picker import Choice, described, pick_model
from ui.texts import TEXTS

KINDS = ("weights", "cache", "activations", "overhead", "free")
CSV_COLUMNS = ("gpu", "weights", "cache", "activations", "overhead_low", "overhead_high", "capacity", "verdict", "longest")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    model = described(choice, "memory.refused") if choice else None
    if choice is None or model is None:
        return
    asked = ask_all(choice)
    if asked is None:
        return
    wanted, gpu = asked
    language, placed = current(), wanted.on(gpu)
    st.html(fit_headline(language, wanted, gpu, placed))
    st.html(memory_legend(language, KINDS))
    chosen = GpuBar(gpu.name, pieces_of(placed), placed.capacity.high_bytes, placed.verdict, verdict_said(language, placed))
    st.html(bars(language, [chosen], large=True))
    formats = format_rows(language, wanted, gpu)
    figures, beside = st.columns(2, gap="large")
    with figures:
        lines = fit_lines(language, wanted, gpu, placed) + bounds_lines(language, wanted, gpu)
        st.html(worked_list(text("memory.in_memory"), lines, text("memory.in_memory_note")))
        caveat = f"gpu_caveat.{gpu.name}"
        if gpu.source:
            st.caption(plain(text("memory.gpu_source", source=gpu.source, caveat=text(caveat) if caveat in TEXTS else "")))
    with beside:
        st.html(story(language, choice.full_title, wanted, gpu, placed, formats))
        st.html(heading(text("memory.formats_fit", gpus=wanted.gpus, gpu=gpu.name)))
        st.html(bars(language, formats, named=False))
    st.html(heading(text("memory.all_gpus")))
    rows = gpu_rows(language, wanted, gpu)
    st.html(bars(language, rows))
    show_downloads(choice, wanted, gpu, rows, lines)


def ask_all(choice: Choice) -> tuple[Wanted, Gpu] | None:
    """Every field of the page; None where there is no such file of this model (the reason is then on the screen)."""
    with st.container(key="compute_fields", horizontal=True):
        chosen = ask_format()
        gpu = ask_gpu_or_own()
        number = ask_tensor_parallel(choice.model.mixing)
        context = ask_context(choice.model)
        batch = ask_batch()
        bits = ask_cache_bits()
    try:
        sizes = lines_in(choice.model, chosen)
    except ConfigError as fault:
        show_error(fault)
        return None
    return Wanted(choice.model, chosen, sizes, context, batch, number, bits), gpu


def show_downloads(choice: Choice, wanted: Wanted, gpu: Gpu, rows: list[GpuBar], lines: list) -> None:
    """Every GPU as CSV and as a picture; the chosen one's figures with their derivations."""

    def written() -> str:
        found = [
            (row.title, *(piece.bytes for piece in row.pieces if piece.kind != "free"), row.capacity, row.said, row.small)
            for row in rows
        ]
        return csv_text([text(f"memory.fit_column.{column}") for column in CSV_COLUMNS], found)

    def worked() -> str:
        headings = [text(f"compute.csv_{column}") for column in ("group", "label", "amount", "unit", "steps")]
        return worked_csv(headings, [(gpu.name, lines)])

    title = text(
        "memory.picture_title", title=choice.full_title, format=wanted.format, context=wanted.context, batch=wanted.batch
    )
    with st.container(horizontal=True):
        download_csv(text("memory.gpus_csv"), file_name(choice.full_title, "gpus"), written, key="download_gpus")
        download_csv(text("memory.fit_csv"), file_name(choice.full_title, "fit"), worked, key="download_fit")
        download_svg(
            text("memory.gpus_svg"),
            file_name(choice.full_title, "gpus"),
            lambda: bars_svg(current(), title, rows, KINDS),
            key="svg_gpus",
        )


start_page()
main()
