"""Inference: what a request costs, whether memory or arithmetic bounds it on a GPU, and the shortest time it can take."""

import streamlit as st

from calc.compute import quantities
from calc.compute.inference import Setting
from calc.model import Model
from ui.compute.charts import roofline_chart, roofline_rows
from ui.compute.inference_lines import (
    Answer,
    Asked,
    answer,
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
from ui.frame.fields import ask, ask_gpu, ask_on_slider, ask_weight_bits, whole, within_limit
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import Choice, described, pick_model
from ui.texts import TEXTS, text_in

MOST = 10**9
BATCHES = tuple(str(2**power) for power in range(11))
FIRST = {"prompt": 1000, "generated": 100}


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, model = current(), choice.model
    described(choice, "compute.refused")
    asked, setting = ask_all(model)
    lines = {"request": request_lines(language, model, asked), "memory": memory_lines(language, model, setting, asked)}
    lines["bound"] = [floor_line(language, model, setting)]
    found = None
    if model.mixing_if_described is not None and setting.gpu.dense_tflops:
        found = answer(model, setting, asked)
        lines["bound"] = bound_lines(language, model, setting, asked, found)
        st.html(inference_headline(language, setting, asked, found))
    st.caption(plain(fits(language, setting, lines["memory"])))
    picture, figures = st.columns(2, gap="large")
    with picture:
        if found:
            show_roofline(choice, setting, found)
        show_lines("memory", lines)
    with figures:
        for group in ("bound", "request"):
            show_lines(group, lines)
        show_download(choice, lines)


def ask_all(model: Model) -> tuple[Asked, Setting]:
    """Every field of the page, in one row where there is room."""
    limit = model.max_context or MOST

    def prompt_of(label: str, typed: str) -> int:
        prompt = quantities.whole(label, typed, MOST, "1000")
        return within_limit(model, f"{label} + 1", prompt + 1) - 1

    def generated_of(label: str, typed: str) -> int:
        generated = quantities.whole(label, typed, MOST, "100")
        return within_limit(model, f"P + {label}", prompt + generated) - prompt

    with st.container(key="compute_fields", horizontal=True):
        prompt = ask("prompt", str(min(FIRST["prompt"], limit // 2)), prompt_of)
        generated = ask("generated", str(min(FIRST["generated"], limit - prompt)), generated_of)
        requests = ask("requests", "1M", whole(10**12, "1M"))
        gpu = ask_gpu()
        bits = ask_weight_bits()
        batch = int(ask_on_slider("batch", BATCHES, "1"))
    return Asked(prompt, generated, requests, batch), Setting(gpu, weight_bits=bits)


def show_lines(group: str, lines: dict[str, list[Line]]) -> None:
    """The lines of a group."""
    st.html(worked_list(text(f"inference.title_{group}"), lines[group], text(f"inference.note_{group}")))


def show_roofline(choice: Choice, setting: Setting, found: Answer) -> None:
    """The picture, and in words what it says."""
    st.html(heading(text("inference.roofline", gpu=setting.gpu.name)))
    rows = roofline_rows(current(), setting.gpu, {"prefill": found.served.prefill, "decode": found.last})
    alt = text("inference.roofline_alt", title=choice.full_title, gpu=setting.gpu.name)
    show_chart(roofline_chart, rows, alt=alt, height=320, key="roofline")
    st.html(bound_sentences(current(), setting, found))
    caveat = f"gpu_caveat.{setting.gpu.name}"
    said = text(caveat) if caveat in TEXTS else ""
    st.caption(text("inference.gpu_source", source=setting.gpu.source, caveat=said))


def show_download(choice: Choice, lines: dict[str, list[Line]]) -> None:
    """Every figure of the page as CSV."""

    language = current()  # asked now: the file is written later, outside of a run

    def written() -> str:
        return worked_csv(
            csv_headings(language), [(text_in(language, f"inference.title_{group}"), held) for group, held in lines.items()]
        )

    download_csv(text("compute.csv"), file_name(choice.full_title, "inference"), written, key="download_inference")


start_page()
main()
