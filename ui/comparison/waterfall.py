"""A waterfall: from one model's total to the other's, a bar a step, each beginning where the last one ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from calc.tensors import Part
from ui.html import Markup, section, tag
from ui.numbers import grouped, signed


@dataclass(frozen=True, slots=True)
class Bar:
    """One step.

    label        what it is
    detail       small, beneath the label
    difference   parameters it adds
    part         whose colour it has; None for a neutral one
    """

    label: str
    detail: str
    difference: int
    part: Part | None = None


def waterfall(title: str, note: str, first: tuple[str, int], bars: Sequence[Bar], last: tuple[str, int]) -> Markup:
    """The ledger: the first total, a row a step, the last total. All bars are on one scale that begins at 0."""
    edges = list(accumulate((bar.difference for bar in bars), initial=first[1]))
    largest = max(*edges, last[1], 1)
    rows = [_row(first[0], "", grouped(first[1]), 0, first[1] / largest, "var(--ink-soft)", "total")]
    for bar, (before, after) in zip(bars, pairwise(edges), strict=True):
        colour = f"var(--part-{bar.part})" if bar.part else "var(--ink-soft)"
        low, high = min(before, after) / largest, max(before, after) / largest
        rows.append(_row(bar.label, bar.detail, signed(bar.difference), low, high, colour, "step"))
    rows.append(_row(last[0], "", grouped(last[1]), 0, last[1] / largest, "var(--ink-soft)", "total"))
    return section(title, tag("ol", *rows), tag("p", note, class_="note") if note else None, class_="waterfall")


def _row(label: str, detail: str, number: str, low: float, high: float, colour: str, css_class: str) -> Markup:
    """One line: label, bar from `low` to `high` (shares of the width), number."""
    bar = tag("i", style=f"left:{low * 100:.4f}%;width:{(high - low) * 100:.4f}%;background:{colour}")
    return tag(
        "li",
        tag("span", label, tag("small", detail) if detail else None, class_="label"),
        tag("span", bar, class_="track", aria_hidden="true"),
        tag("span", number, class_="amount"),
        class_=css_class,
    )
