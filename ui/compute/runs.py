"""Published training runs: 6ND, reported GPU-hours, the utilisation these imply, and how over-trained each model is."""

from __future__ import annotations

from functools import lru_cache

from calc.compute.scaling import over_training_factor
from calc.compute.si_prefixes import scientific, si
from calc.compute.training import PublishedRun, published_runs
from calc.export import csv_text
from ui.figures.worked import opening
from ui.figures.written import rounded, tokens_written
from ui.html import Markup, section, tag
from ui.numbers import grouped, percent
from ui.texts import TEXTS, text_in

COLUMNS = ("model", "size", "data", "flops", "hours", "utilisation", "over")


@lru_cache(maxsize=32)
def runs_table(language: str, current: str) -> Markup:
    """A row a run, which opens into its derivation, its remark and its source; that of the model on the page is marked."""
    heads = (tag("span", text_in(language, f"training.runs_{column}"), class_=column) for column in COLUMNS)
    return section(
        text_in(language, "training.runs_title"),
        tag("p", text_in(language, "training.runs_note"), class_="note"),
        tag("div", *heads, class_="heads", aria_hidden="true"),
        *(_row(language, run, run.catalogue_name == current) for run in published_runs().values()),
        class_="runs",
    )


def _row(language: str, run: PublishedRun, current: bool) -> Markup:
    cells = {
        "model": run.model,
        "size": tokens_written(run.parameters),
        "data": tokens_written(run.tokens) + ("+" if run.tokens_at_least else ""),
        "flops": scientific(run.flops),
        "hours": f"{grouped(run.gpu_hours)} {run.gpu}" if run.gpu_hours else "–",
        "utilisation": utilisation_written(language, run),
        "over": f"{'≥ ' if run.tokens_at_least else ''}{rounded(over_training_factor(run.parameters, run.tokens))} ×",
    }
    spans = (
        tag("span", tag("small", text_in(language, f"training.runs_{column}")), value, class_=column)
        for column, value in cells.items()
    )
    return opening(spans, run_steps(language, run), "current" if current else None)


def utilisation_written(language: str, run: PublishedRun) -> str:
    """`39.1%`; bounds where a figure is rounded or of two formats; in words where it is only a floor or there are no hours."""
    reached = run.utilisation
    if reached is None:
        return text_in(language, "training.no_hours")
    if reached.high is None:
        return text_in(language, "training.floor")
    low = percent(reached.low, 1)
    return f"{low} – {percent(reached.high, 1)}" if reached.kind == "between" else low


def run_steps(language: str, run: PublishedRun) -> tuple[str, ...]:
    """How the figures of a run are made, what to beware of, and where they come from."""
    n, d = grouped(run.parameters), grouped(run.tokens)
    steps = [f"6 × N × D = 6 × {n} × {d} = {scientific(run.flops, 4)} FLOP = {si(run.flops)}"]
    if run.published_flops:
        steps.append(text_in(language, "training.published_flops", flops=scientific(run.published_flops)))
    if (reached := run.utilisation) and run.gpu_hours:
        peak = f"{run.peak_tflops} TFLOP/s"
        divided = f"{scientific(run.flops, 4)} ÷ ({grouped(run.gpu_hours)} h × 3,600 s × {peak})"
        if reached.kind == "value":
            steps.append(f"{divided} = {percent(reached.low, 2)}")
        else:
            steps.append(divided)
            reason = text_in(language, f"training.reason_{reached.reason}")
            high = percent(reached.high, 1) if reached.high is not None else ""
            key = "training.at_least" if reached.high is None else "training.between"
            steps.append(text_in(language, key, low=percent(reached.low, 1), high=high, reason=reason))
    steps.append(f"D ÷ (20 × N) = {d} ÷ (20 × {n}) = {rounded(over_training_factor(run.parameters, run.tokens))}")
    note = f"run_note.{run.model}"
    if note in TEXTS:
        steps.append(text_in(language, note))
    steps.append(text_in(language, "training.source", source=run.source))
    return tuple(steps)


def runs_csv(language: str) -> str:
    """The table, the two bounds of the utilisation in two columns."""
    headings = [
        text_in(language, f"training.csv_{column}")
        for column in ("model", "n", "d", "floor", "flops", "hours", "gpu", "low", "high", "over", "source")
    ]
    rows = []
    for run in published_runs().values():
        low, high = (reached.low, reached.high) if (reached := run.utilisation) else (None, None)
        size, hours = (run.parameters, run.tokens, run.tokens_at_least, run.flops), (run.gpu_hours, run.gpu)
        over = over_training_factor(run.parameters, run.tokens)
        rows.append((run.model, *size, *hours, low, high, over, run.source))
    return csv_text(headings, rows)
