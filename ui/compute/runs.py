"""Published training runs: 6ND, reported GPU-hours, the utilisation these imply, and how over-trained each model is."""

from __future__ import annotations

from html import escape

from calc.compute.scaling import over_training_factor
from calc.compute.si_prefixes import scientific, si
from calc.compute.training import PublishedRun, published_runs
from calc.export import csv_text
from ui.figures.written import rounded, tokens_written
from ui.numbers import grouped, percent
from ui.texts import TEXTS, text_in

COLUMNS = ("model", "size", "data", "flops", "hours", "utilisation", "over")


def runs_table(language: str, current: str) -> str:
    """A row a run, which opens into its derivation, its remark and its source; the model at hand is marked."""
    heads = "".join(f'<span class="{column}">{escape(text_in(language, f"training.runs_{column}"))}</span>' for column in COLUMNS)
    rows = "".join(_row(language, run, run.catalogue_name == current) for run in published_runs().values())
    title, note = text_in(language, "training.runs_title"), text_in(language, "training.runs_note")
    return (
        f'<section class="runs"><h2>{escape(title)}</h2><p class="note">{escape(note)}</p>'
        f'<div class="heads" aria-hidden="true">{heads}</div>{rows}</section>'
    )


def _row(language: str, run: PublishedRun, current: bool) -> str:
    cells = {
        "model": run.model,
        "size": tokens_written(run.parameters),
        "data": tokens_written(run.tokens) + ("+" if run.tokens_at_least else ""),
        "flops": scientific(run.flops),
        "hours": f"{grouped(run.gpu_hours)} {run.gpu}" if run.gpu_hours else "–",
        "utilisation": utilisation_written(language, run),
        "over": f"{'≥ ' if run.tokens_at_least else ''}{rounded(over_training_factor(run.parameters, run.tokens))} ×",
    }
    spans = "".join(
        f'<span class="{column}"><small>{escape(text_in(language, f"training.runs_{column}"))}</small>{escape(value)}</span>'
        for column, value in cells.items()
    )
    steps = "".join(f"<p>{escape(step)}</p>" for step in run_steps(language, run))
    marked = ' class="current"' if current else ""
    return f'<details{marked}><summary>{spans}</summary><div class="how">{steps}</div></details>'


def utilisation_written(language: str, run: PublishedRun) -> str:
    """`39.1%`; bounds where a figure is rounded or of two formats; in words where it is only a floor or there are no hours."""
    found = run.utilisation
    if found is None:
        return text_in(language, "training.no_hours")
    if found.kind == "at_least":
        return text_in(language, "training.floor")
    if found.kind == "between":
        return f"{percent(found.low, 1)} – {percent(found.high, 1)}"
    return percent(found.low, 1)


def run_steps(language: str, run: PublishedRun) -> tuple[str, ...]:
    """How the figures of a run are made, what to beware of, and where they stand."""
    n, d = grouped(run.parameters), grouped(run.tokens)
    steps = [f"6 × N × D = 6 × {n} × {d} = {scientific(run.flops, 4)} FLOP = {si(run.flops)}"]
    if run.published_flops:
        steps.append(text_in(language, "training.published_flops", flops=scientific(run.published_flops)))
    found = run.utilisation
    if found is not None:
        peak = f"{run.peak_tflops} TFLOP/s"
        divided = f"{scientific(run.flops, 4)} ÷ ({grouped(run.gpu_hours)} h × 3,600 s × {peak})"
        if found.kind == "value":
            steps.append(f"{divided} = {percent(found.low, 2)}")
        else:
            steps.append(divided)
            reason = text_in(language, f"training.reason_{found.reason}")
            high = percent(found.high, 1) if found.high is not None else ""
            key = "training.at_least" if found.high is None else "training.between"
            steps.append(text_in(language, key, low=percent(found.low, 1), high=high, reason=reason))
    steps.append(f"D ÷ (20 × N) = {d} ÷ (20 × {n}) = {rounded(over_training_factor(run.parameters, run.tokens))}")
    note = f"run_note.{run.model}"
    if note in TEXTS:
        steps.append(text_in(language, note))
    steps.append(text_in(language, "training.source", source=run.source))
    return tuple(steps)


def runs_csv(language: str) -> str:
    """The table, bounds in columns of their own."""
    headings = [
        text_in(language, f"training.csv_{column}")
        for column in ("model", "n", "d", "floor", "flops", "hours", "gpu", "low", "high", "over", "source")
    ]
    rows = []
    for run in published_runs().values():
        found = run.utilisation
        low, high = (None, None) if found is None else (found.low, found.high)
        over = over_training_factor(run.parameters, run.tokens)
        rows.append(
            [
                run.model,
                run.parameters,
                run.tokens,
                run.tokens_at_least,
                run.flops,
                run.gpu_hours,
                run.gpu,
                low,
                high,
                over,
                run.source,
            ]
        )
    return csv_text(headings, rows)
