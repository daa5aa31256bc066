"""Memory of training: weights, gradients, optimizer states and activations on each GPU, with adapters, stages, recomputation."""

import streamlit as st

from calc.compute import quantities
from calc.export import csv_text
from calc.gpus import Gpu
from calc.memory.training import MOMENT_BYTES, WEIGHT_BYTES, Optimizer, Precision, Recomputation, Stage
from ui.figures.worked import Line, csv_headings, worked_csv, worked_list
from ui.frame.downloads import download_csv, download_svg, file_name
from ui.frame.fields import ask, ask_among, ask_context, whole
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import section, show
from ui.memory.cache_chart import memory_legend
from ui.memory.controls import ask_batch, ask_gpu_or_own
from ui.memory.gpu_bars import GpuBar, bars, bars_svg
from ui.memory.training_lines import (
    METHODS,
    RECOMPUTED,
    STAGES,
    Method,
    Plan,
    adapter_lines,
    training_bars,
    training_memory_headline,
    training_memory_lines,
)
from ui.model.picker import Choice, pick_model
from ui.texts import text_in

KINDS = ("frozen", "weights", "gradients", "optimizer", "activations", "overhead")
LARGEST_RANK = 4096


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    plan, gpu = ask_plan(choice)
    language = current()
    show(training_memory_headline(language, plan, gpu))
    show(memory_legend(language, KINDS if plan.method != "full" else KINDS[1:]))
    groups = training_bars(language, plan, gpu)
    show(section(text("memory.bars.stages", gpus=plan.gpus)))
    show(bars(language, groups["stages"], shared_scale=True))
    lines = training_memory_lines(language, plan)
    figures, beside = st.columns(2, gap="large")
    with figures:
        show(worked_list(text("memory.train_lines"), lines, text("memory.train_note")))
    with beside:
        for group in ("methods", "recomputations"):
            show(section(text(f"memory.bars.{group}")))
            show(bars(language, groups[group], shared_scale=True, named=False))
        adapters = adapter_lines(language, plan)
        if adapters:
            show(worked_list(text("memory.adapters", rank=plan.rank), adapters, text("memory.adapters_note")))
    show_downloads(choice, plan, groups, lines + adapters)


def ask_plan(choice: Choice) -> tuple[Plan, Gpu]:
    """Every field of the page."""
    with st.container(key="compute_fields", horizontal=True):
        method: Method = ask_among("method", METHODS, "full", lambda name: text(f"memory.method.{name}"))
        rank = ask("rank", "16", whole(LARGEST_RANK, "16"), width=110) if method != "full" else 16
        optimizer: Optimizer = ask_among("optimizer", tuple(MOMENT_BYTES), "adamw", lambda name: text(f"memory.optimizer.{name}"))
        precision: Precision = ask_among("precision", tuple(WEIGHT_BYTES), "mixed", lambda name: text(f"memory.precision.{name}"))
        recomputation: Recomputation = ask_among(
            "recomputation", RECOMPUTED, "none", lambda name: text(f"memory.recomputation.{name}")
        )
        stages: dict[str, Stage] = {str(stage): stage for stage in STAGES}
        stage = stages[ask_among("stage", tuple(stages), "0", lambda name: text(f"memory.stage_short.{name}"))]
        gpus = ask("gpus", "8", whole(quantities.MOST_GPUS, "8"), width=130)
        context = ask_context(choice.model)
        batch = ask_batch()
        gpu = ask_gpu_or_own("A100 80GB SXM")
    plan = Plan(choice.model, method, rank, precision, optimizer, recomputation, context, batch, gpus, stage)
    return plan, gpu


def show_downloads(choice: Choice, plan: Plan, groups: dict[str, list[GpuBar]], lines: list[Line]) -> None:
    """Every bar and every line as CSV, the stages as a picture."""
    language, title_of_lines = current(), text("memory.train_lines")
    titles = {group: text(f"memory.bars.{group}", gpus=plan.gpus) for group in groups}

    def bars_written() -> str:
        rows = [
            (titles[group], bar.title, text_in(language, f"memory.kind.{stretch.kind}"), stretch.bytes)
            for group, of_group in groups.items()
            for bar in of_group
            for stretch in bar.stretches
        ]
        headings = ("group", "case", "kind", "bytes")
        return csv_text([text_in(language, f"memory.train_column.{column}") for column in headings], rows)

    with st.container(horizontal=True):
        download_csv(
            text("memory.train_bars_csv"),
            file_name(choice.full_title, "training-memory-bars"),
            bars_written,
            key="download_train_bars",
        )
        download_csv(
            text("memory.train_csv"),
            file_name(choice.full_title, "training-memory"),
            lambda: worked_csv(csv_headings(language), [(title_of_lines, lines)]),
            key="download_train",
        )
        download_svg(
            text("memory.gpus_svg"),
            file_name(choice.full_title, "training-memory"),
            lambda: bars_svg(language, titles["stages"], groups["stages"], KINDS),
            key="svg_train",
        )


start_page()
main()
