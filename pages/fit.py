"""Does it fit: every GPU as a bar that weights, KV cache, activations and overhead fill, and what makes the model fit."""

import streamlit as st

from calc.export import csv_text
from calc.gpus import Gpu
from ui.figures.worked import Line, csv_headings, worked_csv, worked_list
from ui.frame.downloads import download_csv, download_svg, file_name
from ui.frame.errors import plain
from ui.frame.fields import ask_context
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import section, show
from ui.memory.cache_chart import memory_legend
from ui.memory.controls import (
    ask_batch,
    ask_cache_bits,
    ask_format,
    ask_gpu_or_own,
    ask_tensor_parallel,
    lines_or_message,
    pick_described_model,
)
from ui.memory.fit_lines import Workload, bounds_lines, fit_headline, fit_lines, format_rows, gpu_rows, story
from ui.memory.gpu_bars import GpuBar, bars, bars_svg, gpu_bar
from ui.model.picker import Choice
from ui.texts import TEXTS, text_in

KINDS = ("weights", "cache", "activations", "overhead", "free")
CSV_COLUMNS = ("gpu", "weights", "cache", "activations", "overhead_low", "overhead_high", "capacity", "verdict", "longest")


def main() -> None:
    """The page from top to bottom."""
    choice = pick_described_model()
    question = ask_all(choice) if choice else None
    if choice is None or question is None:
        return
    workload, gpu = question
    language, fit = current(), workload.on(gpu)
    show(fit_headline(language, workload, gpu, fit))
    show(memory_legend(language, KINDS))
    show(bars(language, [gpu_bar(language, gpu.name, fit)], large=True))
    formats = format_rows(language, workload, gpu)
    figures, beside = st.columns(2, gap="large")
    with figures:
        lines = fit_lines(language, workload, gpu, fit) + bounds_lines(language, workload, gpu)
        show(worked_list(text("memory.in_memory"), lines, text("memory.in_memory_note")))
        caveat = f"gpu_caveat.{gpu.name}"
        if gpu.source:
            st.caption(plain(text("memory.gpu_source", source=gpu.source, caveat=text(caveat) if caveat in TEXTS else "")))
    with beside:
        show(story(language, choice.full_title, workload, gpu, fit, formats))
        show(section(text("memory.formats_fit", gpus=workload.gpus, gpu=gpu.name)))
        show(bars(language, formats, named=False))
    show(section(text("memory.all_gpus")))
    rows = gpu_rows(language, workload, gpu)
    show(bars(language, rows))
    show_downloads(choice, workload, gpu, rows, lines)


def ask_all(choice: Choice) -> tuple[Workload, Gpu] | None:
    """Every field of the page; None where there is no such file of this model (the reason is then on the screen)."""
    with st.container(key="compute_fields", horizontal=True):
        chosen = ask_format()
        gpu = ask_gpu_or_own()
        number = ask_tensor_parallel(choice.model.mixing)
        context = ask_context(choice.model)
        batch = ask_batch()
        bits = ask_cache_bits()
    sizes = lines_or_message(choice.model, chosen)
    return None if sizes is None else (Workload(choice.model, chosen, sizes, context, batch, number, bits), gpu)


def show_downloads(choice: Choice, workload: Workload, gpu: Gpu, rows: list[GpuBar], lines: list[Line]) -> None:
    """Every GPU as CSV and as a picture; the chosen one's figures with their derivations."""
    language = current()

    def written() -> str:
        table = [
            (row.title, *(each.bytes for each in row.stretches if each.kind != "free"), row.capacity, row.sentence, row.small)
            for row in rows
        ]
        return csv_text([text_in(language, f"memory.fit_column.{column}") for column in CSV_COLUMNS], table)

    of = {"format": workload.format, "context": workload.context, "batch": workload.batch}
    title = text("memory.picture_title", title=choice.full_title, **of)
    with st.container(horizontal=True):
        download_csv(text("memory.gpus_csv"), file_name(choice.full_title, "gpus"), written, key="download_gpus")
        download_csv(
            text("memory.fit_csv"),
            file_name(choice.full_title, "fit"),
            lambda: worked_csv(csv_headings(language), [(gpu.name, lines)]),
            key="download_fit",
        )
        download_svg(
            text("memory.gpus_svg"),
            file_name(choice.full_title, "gpus"),
            lambda: bars_svg(language, title, rows, KINDS),
            key="svg_gpus",
        )


start_page()
main()
