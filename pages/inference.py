"""Inference: what a request costs, whether memory or arithmetic bounds it on a GPU, and the shortest time it can take."""

import streamlit as st

from calc.compute import quantities
from calc.compute.inference import Setting
from calc.mixing import within_limit
from calc.model import Model
from ui.compute.charts import roofline_chart, roofline_rows
from ui.compute.inference_lines import (
    Estimate,
    Workload,
    bound_lines,
    bound_sentences,
    fits,
    floor_line,
    inference_headline,
    memory_lines,
    request_lines,
)
from ui.figures.worked import Line, csv_headings, heading, worked_csv, worked_list
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.errors import plain
from ui.frame.fields import ask, ask_gpu, ask_on_slider, ask_weight_bits, whole
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show
from ui.model.picker import Choice, described, pick_model
from ui.texts import TEXTS

MOST = 10**9
BATCHES = tuple(str(2**power) for power in range(11))
FIRST = {"prompt": 1000, "generated": 100}


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, model = current(), choice.model
    is_described = described(choice, "compute.refused") is not None
    workload, setting = ask_all(model)
    lines = {"request": request_lines(language, model, workload), "memory": memory_lines(language, model, setting, workload)}
    lines["bound"] = [floor_line(language, model, setting)]
    estimate = None
    if is_described and setting.gpu.dense_tflops:
        estimate = Estimate.of(model, setting, workload)
        lines["bound"] = bound_lines(language, model, setting, workload, estimate)
        show(inference_headline(language, setting, workload, estimate))
    st.caption(plain(fits(language, setting, lines["memory"])))
    picture, figures = st.columns(2, gap="large")
    with picture:
        if estimate:
            show_roofline(choice, setting, estimate)
        show_lines("memory", lines)
    with figures:
        for group in ("bound", "request"):
            show_lines(group, lines)
        show_download(choice, lines)


def ask_all(model: Model) -> tuple[Workload, Setting]:
    """Every field of the page, in one row where there is room."""
    limit = model.max_context or MOST

    def prompt_of(label: str, typed: str) -> int:
        prompt = quantities.whole(label, typed, MOST, "1000")
        return within_limit(prompt + 1, model.max_context, f"{label} + 1") - 1

    def generated_of(label: str, typed: str) -> int:
        generated = quantities.whole(label, typed, MOST, "100")
        return within_limit(prompt + generated, model.max_context, f"P + {label}") - prompt

    with st.container(key="compute_fields", horizontal=True):
        prompt = ask("prompt", str(min(FIRST["prompt"], limit // 2)), prompt_of)
        generated = ask("generated", str(min(FIRST["generated"], limit - prompt)), generated_of)
        requests = ask("requests", "1M", whole(10**12, "1M"))
        gpu = ask_gpu()
        bits = ask_weight_bits()
        batch = int(ask_on_slider("batch", BATCHES, "1"))
    return Workload(prompt, generated, requests, batch), Setting(gpu, weight_bits=bits)


def show_lines(group: str, lines: dict[str, list[Line]]) -> None:
    """The lines of a group."""
    show(worked_list(text(f"inference.title_{group}"), lines[group], text(f"inference.note_{group}")))


def show_roofline(choice: Choice, setting: Setting, estimate: Estimate) -> None:
    """The picture, and in words what it says."""
    show(heading(text("inference.roofline", gpu=setting.gpu.name)))
    rows = roofline_rows(current(), setting.gpu, {"prefill": estimate.batch.prefill, "decode": estimate.last})
    alt = text("inference.roofline_alt", title=choice.full_title, gpu=setting.gpu.name)
    show_chart(roofline_chart, rows, alt=alt, height=320, key="roofline")
    show(bound_sentences(current(), setting, estimate))
    key = f"gpu_caveat.{setting.gpu.name}"
    st.caption(plain(text("inference.gpu_source", source=setting.gpu.source, caveat=text(key) if key in TEXTS else "")))


def show_download(choice: Choice, lines: dict[str, list[Line]]) -> None:
    """Every figure of the page as CSV."""

    def written() -> str:
        return worked_csv(csv_headings(current()), [(text(f"inference.title_{group}"), lines[group]) for group in lines])

    download_csv(text("compute.csv"), file_name(choice.full_title, "inference"), written, key="download_inference")


start_page()
main()
