"""The difference of two totals, the largest thing on its page."""

from __future__ import annotations

from html import escape

from ui.numbers import signed, signed_percent
from ui.texts import text_in

MANY = 100
"""From so many times on, a share in per cent says nothing more."""


def difference_headline(language: str, before: tuple[str, int], after: tuple[str, int]) -> str:
    """after − before in parameters, and what that is of the first: (title, total) each."""
    change = after[1] - before[1]
    said = text_in(language, "difference.total", before=before[0], after=after[0])
    if change:
        ratio = after[1] / before[1]
        names = {"before": before[0], "after": after[0], "ratio": f"{ratio:,.0f}" if ratio >= MANY else f"{ratio:.3g}"}
        key = "difference.times" if ratio >= MANY else "difference.share"
        beside = text_in(language, key, share=signed_percent(change / before[1]), **names)
    else:
        beside = text_in(language, "difference.same")
    return (
        f'<div class="headline"><span class="total" data-difference="{change}">{signed(change)}</span>'
        f'<span class="unit">{escape(said)}</span><span>{escape(beside)}</span></div>'
    )
