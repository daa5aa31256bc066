"""The difference of two totals, the largest thing on its page."""

from __future__ import annotations

from ui.html import Markup, tag
from ui.numbers import signed, signed_percent
from ui.texts import text_in

MANY = 100
"""From this multiple on, a share in per cent says nothing more."""


def difference_headline(language: str, before: tuple[str, int], after: tuple[str, int]) -> Markup:
    """after − before in parameters, and what that is of the first: (title, total) each."""
    change = after[1] - before[1]
    unit = text_in(language, "difference.total", before=before[0], after=after[0])
    if change:
        ratio = after[1] / before[1]
        names = {"before": before[0], "after": after[0], "ratio": f"{ratio:,.0f}" if ratio >= MANY else f"{ratio:.3g}"}
        key = "difference.times" if ratio >= MANY else "difference.share"
        relative = text_in(language, key, share=signed_percent(change / before[1]), **names)
    else:
        relative = text_in(language, "difference.same")
    total = tag("span", signed(change), class_="total", data_difference=change)
    return tag("div", total, tag("span", unit, class_="unit"), tag("span", relative), class_="headline")
