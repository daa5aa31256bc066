"""Lines that open into their derivation: a label, a figure with its unit, and behind it how it was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from calc.export import csv_text
from calc.tensors import Part
from ui.figures.written import both, exact
from ui.texts import text_in


@dataclass(frozen=True, slots=True)
class Line:
    """One figure.

    label   what it is
    amount  the figure itself, for the CSV
    unit    its unit, language-neutral: `FLOP`, `s`, `B`
    steps   how it is made, one line each: words, symbols, numbers
    shown   as it stands on the page; the amount with its unit where empty
    small   a second writing beneath
    part    whose colour it has
    share   0 … 1: length of a bar
    """

    label: str
    amount: int | float | Fraction | str
    unit: str
    steps: tuple[str, ...]
    shown: str = ""
    small: str = ""
    part: Part | None = None
    share: float | None = None


def flops_line(label: str, flops: int | Fraction, *steps: str, part: Part | None = None) -> Line:
    """A line of FLOPs: exact, and beneath with an SI prefix and in scientific notation."""
    return Line(label, flops, "FLOP", steps, small=both(flops), part=part)


def large_flops_line(label: str, flops: int, *steps: str) -> Line:
    """A line of so many FLOPs that nobody reads the digits: 80.9 ZFLOP, all digits in the derivation."""
    return Line(label, flops, "FLOP", (*steps, f"= {exact(flops)} FLOP"), shown=both(flops))


def worked_list(title: str, lines: Iterable[Line], note: str = "") -> str:
    """The lines under a title."""
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    heading = f"<h2>{escape(title)}</h2>" if title else ""
    return f'<section class="worked">{heading}{"".join(map(worked_line, lines))}{below}</section>'


def heading(title: str) -> str:
    """The title of a chart, as those of the lists."""
    return f"<section><h2>{escape(title)}</h2></section>"


def worked_line(line: Line) -> str:
    """One line; its figure is the summary, its derivation what opens."""
    swatch = f'<i class="swatch" style="background:var(--part-{line.part})"></i>' if line.part else ""
    small = f"<small>{escape(line.small)}</small>" if line.small else ""
    shown = line.shown or f"{exact(line.amount)} {line.unit}".strip()
    bar = "" if line.share is None else _bar(line)
    steps = "".join(f"<p>{escape(step)}</p>" for step in line.steps if step)
    return (
        f'<details><summary><span class="what">{swatch}{escape(line.label)}</span>{bar}'
        f'<span class="figure" data-amount="{escape(str(line.amount))}">{escape(shown)}{small}</span></summary>'
        f'<div class="how">{steps}</div></details>'
    )


def _bar(line: Line) -> str:
    colour = f"var(--part-{line.part})" if line.part else "var(--ink-soft)"
    drawn = f'<i style="width:{line.share * 100:.4f}%;background:{colour}"></i>' if line.share else ""
    return f'<span class="track" aria-hidden="true">{drawn}</span>'


def csv_headings(language: str) -> list[str]:
    """The headings of `worked_csv` in a language: a file is written outside of a run, where no language is current."""
    return [text_in(language, f"compute.csv_{column}") for column in ("group", "label", "amount", "unit", "steps")]


def worked_csv(headings: Sequence[str], groups: Iterable[tuple[str, Iterable[Line]]]) -> str:
    """Every line of a page: group, label, amount, unit, derivation."""
    rows = [
        (group, line.label, _amount(line.amount), line.unit, "; ".join(filter(None, line.steps)))
        for group, lines in groups
        for line in lines
    ]
    return csv_text(headings, rows)


def _amount(amount: int | float | Fraction | str) -> int | float | str:
    if isinstance(amount, Fraction):
        return amount.numerator if amount.denominator == 1 else float(amount)
    return amount
