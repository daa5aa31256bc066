"""Memory of training: weights, gradients, optimizer states and activations on each GPU, with adapters, stages, recomputation."""

import streamlit as st

from calc.compute import quantities
from calc.export import csv_text
from calc.gpus import Gpu
from calc.memory.training import MOMENT_BYTES, WEIGHT_BYTES
from ui.figures.worked import heading, worked_csv, worked_list
from ui.frame.downloads import download_csv, download_svg, file_name
from ui.frame.fields import ask, ask_among, ask_context, whole
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.memory.cache_chart import memory_legend
from ui.memory.controls import ask_batch, ask_gpu_or_own
from ui.memory.gpu_bars import GpuBar, bars, bars_svg
from ui.memory.training_lines import (
    METHODS,
    RECOMPUTED,
    STAGES,
    Plan,
    adapter_lines,
    method_bars,
    recomputation_bars,
    stage_bars,
    training_memory_headline,
    training_memory_lines,
)
from ui.model.picker import Choice, pick_model

KINDS = ("frozen", "weights", "gradients", "optimizer", "activations", "overhead")
LARGEST_RANK = 4096


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    plan, gpu = ask_plan(choice)
    language = current()
    st.html(training_memory_headline(language, plan, gpu))
    st.html(memory_legend(language, KINDS if plan.method != "full" else KINDS[1:]))
    groups = {
        "stages": stage_bars(language, plan, gpu),
        "methods": method_bars(language, plan, gpu),
        "recomputations": recomputation_bars(language, plan, gpu),
    }
    st.html(heading(text("memory.bars.stages", gpus=plan.gpus)))
    st.html(bars(language, groups["stages"], shared_scale=True))
    lines = training_memory_lines(language, plan)
    figures, beside = st.columns(2, gap="large")
    with figures:
        st.html(worked_list(text("memory.train_lines"), lines, text("memory.train_note")))
    with beside:
        for group in ("methods", "recomputations"):
            st.html(heading(text(f"memory.bars.{group}")))
            st.html(bars(language, groups[group], shared_scale=True, named=False))
        adapters = adapter_lines(language, plan)
        if adapters:
            st.html(worked_list(text("memory.adapters", rank=plan.rank), adapters, text("memory.adapters_note")))
    show_downloads(choice, plan, groups, lines + adapter_lines(language, plan))


def ask_plan(choice: Choice) -> tuple[Plan, Gpu]:
    """Every field of the page."""
    with st.container(key="compute_fields", horizontal=True):
        method = ask_among("method", METHODS, "full", lambda name: text(f"memory.method.{name}"))
        rank = ask("rank", "16", whole(LARGEST_RANK, "16"), width=110) if method != "full" else 16
        optimizer = ask_among("optimizer", tuple(MOMENT_BYTES), "adamw", lambda name: text(f"memory.optimizer.{name}"))
        precision = ask_among("precision", tuple(WEIGHT_BYTES), "mixed", lambda name: text(f"memory.precision.{name}"))
        recomputation = ask_among("recomputation", RECOMPUTED, "none", lambda name: text(f"memory.recomputation.{name}"))
        stage = int(ask_among("stage", tuple(map(str, STAGES)), "0", lambda name: text(f"memory.stage_short.{name}")))
        gpus = ask("gpus", "8", whole(quantities.MOST_GPUS, "8"), width=130)
        context = ask_context(choice.model)
        batch = ask_batch()
        gpu = ask_gpu_or_own("A100 80GB SXM")
    plan = Plan(choice.model, method, rank, precision, optimizer, recomputation, context, batch, gpus, stage)
    return plan, gpu


def show_downloads(choice: Choice, plan: Plan, groups: dict[str, list[GpuBar]], lines: list) -> None:
    """Every bar and every line as CSV, the stages as a picture."""

    def bars_written() -> str:
        headings = [text(f"memory.train_column.{column}") for column in ("group", "case", "kind", "bytes")]
        kinds = {kind: text(f"memory.kind.{kind}") for kind in KINDS}
        rows = [
            (text(f"memory.bars.{group}", gpus=plan.gpus), bar.title, kinds[piece.kind], piece.bytes)
            for group, held in groups.items()
            for bar in held
            for piece in bar.pieces
        ]
        return csv_text(headings, rows)

    def worked() -> str:
        headings = [text(f"compute.csv_{column}") for column in ("group", "label", "amount", "unit", "steps")]
        return worked_csv(headings, [(text("memory.train_lines"), lines)])

    with st.container(horizontal=True):
        download_csv(
            text("memory.train_bars_csv"),
            file_name(choice.full_title, "training-memory-bars"),
            bars_written,
            key="download_train_bars",
        )
        download_csv(text("memory.train_csv"), file_name(choice.full_title, "training-memory"), worked, key="download_train")
        title = text("memory.bars.stages", gpus=plan.gpus)
        download_svg(
            text("memory.gpus_svg"),
            file_name(choice.full_title, "training-memory"),
            lambda: bars_svg(current(), title, groups["stages"], KINDS),
            key="svg_train",
        )


start_page()
main()
