"""Lines that open into their derivation: a label, a figure with its unit, and behind it how it was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from calc.export import csv_text
from calc.tensors import Part
from ui.figures.written import both, exact
from ui.html import Child, Markup, section, swatch, tag
from ui.texts import text_in


@dataclass(frozen=True, slots=True)
class Line:
    """One figure.

    label   what it is
    amount  the figure itself, for the CSV
    unit    its unit, language-neutral: `FLOP`, `s`, `B`
    steps   how it is made, one line each: words, symbols, numbers
    shown   the figure on the page; the amount with its unit where empty
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
    """A line of FLOPs too many to read digit by digit: 80.9 ZFLOP, all digits in the derivation."""
    return Line(label, flops, "FLOP", (*steps, f"= {exact(flops)} FLOP"), shown=both(flops))


def worked_list(title: str, lines: Iterable[Line], note: str = "") -> Markup:
    """The lines under a title."""
    return section(title, *map(worked_line, lines), tag("p", note, class_="note") if note else None, class_="worked")


def heading(title: str) -> Markup:
    """The title of a chart, as those of the lists."""
    return section(title)


def worked_line(line: Line) -> Markup:
    """One line; its figure is the summary, its derivation what opens."""
    what = tag("span", swatch(line.part), line.label, class_="what")
    bar = None if line.share is None else _bar(line.share, line.part)
    small = tag("small", line.small) if line.small else None
    figure = tag("span", line.shown or _exact(line), small, class_="figure", data_amount=str(line.amount))
    return opening((what, bar, figure), line.steps)


def opening(summary: Iterable[Child], steps: Iterable[str], css: str | None = None) -> Markup:
    """A summary that opens into how it is made, a line each step."""
    how = tag("div", *(tag("p", step) for step in steps if step), class_="how")
    return tag("details", tag("summary", *summary), how, class_=css)


def _exact(line: Line) -> str:
    return line.amount if isinstance(line.amount, str) else f"{exact(line.amount)} {line.unit}".strip()


def _bar(share: float, part: Part | None) -> Markup:
    colour = f"var(--part-{part})" if part else "var(--ink-soft)"
    drawn = tag("i", style=f"width:{share * 100:.4f}%;background:{colour}") if share else None
    return tag("span", drawn, class_="track", aria_hidden="true")


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
