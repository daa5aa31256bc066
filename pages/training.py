"""A training run: 6ND and the exact count, GPUs, days and cost, published runs, and what a budget should have bought."""

import streamlit as st

from calc.compute import quantities
from calc.compute.training import RECOMPUTATIONS, PublishedRun, published_runs
from calc.model import Model
from ui.compute.runs import runs_csv, runs_table
from ui.compute.scaling_charts import SHOWN_LAWS, iso_flop_chart, iso_flop_rows, law_named, plane_chart, plane_rows
from ui.compute.training_lines import Run, compute_lines, law_lines, rule_lines, time_lines, training_headline
from ui.figures.worked import Line, csv_headings, heading, worked_csv, worked_list
from ui.figures.written import tokens_written
from ui.frame.charts import show_chart
from ui.frame.downloads import download_csv, file_name
from ui.frame.fields import ask, ask_among, ask_context, ask_gpu, ask_on_slider, whole
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import Choice, described, pick_model
from ui.texts import text_in

SIZES = tuple(
    f"{step}{letter}"
    for letter, steps in (
        ("B", ("1", "2", "3", "5", "7", "10", "15", "20", "30", "50", "70", "100", "150", "200", "300", "500", "700")),
        ("T", ("1", "1.4", "2", "3", "5", "7", "10", "15", "20", "30", "50", "70", "100")),
    )
    for step in steps
)
USUAL_TOKENS = "2T"
REFERENCE_RUNS = (
    "Llama-3.1-405B",
    "Llama-2-7B",
    "Llama-2-70B",
    "Llama-3-8B",
    "Llama-3-70B",
    "TinyLlama-1.1B",
    "DeepSeek-V3",
    "GPT-3 175B",
    "Chinchilla 70B",
)


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    if choice is None:
        return
    language, model = current(), choice.model
    described(choice, "compute.refused")
    run = ask_run(choice, model)
    lines = {
        "compute": compute_lines(language, model, run),
        "time": time_lines(language, model, run),
        "chinchilla": rule_lines(language, model, run),
        **{name: law_lines(language, model, run, law) for name, law in SHOWN_LAWS.items()},
    }
    st.html(training_headline(language, model, run))
    compute, time = st.columns(2, gap="large")
    for place, group in ((compute, "compute"), (time, "time")):
        place.html(worked_list(text(f"training.title_{group}"), lines[group], text(f"training.note_{group}")))
    show_optimal(choice, model, run, lines)
    st.html(runs_table(language, choice.name))
    show_downloads(choice, lines)


def ask_run(choice: Choice, model: Model) -> Run:
    """Every field of the page."""
    published = next((run for run in published_runs().values() if run.catalogue_name == choice.name), None)
    first = tokens_written(published.tokens) if published and not choice.changes else USUAL_TOKENS
    with st.container(key="compute_fields", horizontal=True):
        ask_on_slider("tokens", SIZES, first if first in SIZES else USUAL_TOKENS, width=330)
        tokens = ask("tokens", first, whole(quantities.MOST_TOKENS, "2T"), width=130)
        context = ask_context(model)
        recomputation = ask_among("recomputation", RECOMPUTATIONS, "none", lambda option: text(f"training.{option}"))
        gpu = ask_gpu()
        gpus = ask("gpus", "1024", whole(quantities.MOST_GPUS, "1024"), width=130)
        utilisation = ask("utilisation", "40%", quantities.share, width=130)
        price = ask("price", "2", quantities.price, width=150)
    return Run(tokens, context, recomputation, gpu, gpus, utilisation, price)


def show_optimal(choice: Choice, model: Model, run: Run, lines: dict[str, list[Line]]) -> None:
    """Iso-FLOP curves, where the reference models lie, and what the rule and the laws say."""
    st.html(heading(text("training.title_optimal")))
    st.caption(
        text("training.optimal_intro") + (text("training.moe_note") if model.active_parameters != model.parameters else "")
    )
    curves, plane = st.columns(2, gap="large")
    with curves:
        law = law_named(ask_among("law", tuple(SHOWN_LAWS), next(iter(SHOWN_LAWS)), lambda name: text(f"training.law.{name}")))
        rows = iso_flop_rows(current(), law, model.active_parameters, run.tokens)
        show_chart(iso_flop_chart, rows, alt=text("training.iso_alt"), height=400, key="iso_flop")
        st.caption(text("training.iso_caption"))
    with plane:
        st.html(heading(text("training.plane_title")))
        runs: list[PublishedRun] = [published_runs()[name] for name in REFERENCE_RUNS]
        rows = plane_rows(current(), runs, model.active_parameters, run.tokens, choice.name)
        show_chart(plane_chart, rows, alt=text("training.plane_alt"), height=430, key="plane")
        st.caption(text("training.plane_caption"))
    for place, name in zip(st.columns(3, gap="large"), ("chinchilla", *SHOWN_LAWS), strict=True):
        place.html(worked_list(text(f"training.law.{name}"), lines[name]))


def show_downloads(choice: Choice, lines: dict[str, list[Line]]) -> None:
    """Every figure of the page, and the published runs, as CSV."""

    language = current()  # asked now: the files are written later, outside of a run

    def written() -> str:
        titles = {group: f"training.{'title_' if group in ('compute', 'time') else 'law.'}{group}" for group in lines}
        return worked_csv(csv_headings(language), [(text_in(language, titles[group]), held) for group, held in lines.items()])

    with st.container(horizontal=True):
        download_csv(text("compute.csv"), file_name(choice.full_title, "training"), written, key="download_training")
        download_csv(text("training.runs_csv"), text("training.runs_file"), lambda: runs_csv(language), key="download_runs")


start_page()
main()
