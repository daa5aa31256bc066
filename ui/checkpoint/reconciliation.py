"""A model held against its file: the difference as the largest figure, and the ledger that leads from one to the other."""

from __future__ import annotations

from html import escape
from itertools import accumulate

from calc.checkpoint.reconcile import GapItem, Reconciliation
from calc.checkpoint.report import unsettled
from ui.numbers import grouped, percent, signed
from ui.texts import text_in

FIRST_NAMES = 6
"""Names of one cause that stand open, the others folded."""
MOST_NAMES = 200
"""Names of one cause on screen; the CSV has all."""
BREAK = 0.34
"""Where on a track the scale is cut, when what differs is small against the whole."""


def reconciliation_headline(language: str, title: str, result: Reconciliation) -> str:
    """Expected, found and their difference, and what that means in one sentence."""
    gap = result.found - result.expected
    figures = "".join(
        f'<span class="figure"><small>{escape(text_in(language, f"checkpoint.{name}"))}</small>'
        f'<span class="{size}" data-{name}="{value}">{written}</span></span>'
        for name, value, written, size in (
            ("expected", result.expected, grouped(result.expected), "part"),
            ("found", result.found, grouped(result.found), "part"),
            ("gap", gap, signed(gap), "total"),
        )
    )
    sentence, agrees = verdict(language, title, result)
    mark = "✓ " if agrees else ""
    kind = "check agrees" if agrees else "check"
    return f'<div class="headline figures">{figures}<span class="{kind}">{mark}{escape(sentence)}</span></div>'


def verdict(language: str, title: str, result: Reconciliation) -> tuple[str, bool]:
    """What the ledger comes to, and whether file and model agree."""
    if not result.gap:
        return text_in(language, "checkpoint.exact"), True
    differing = unsettled(result)
    if not differing:
        return text_in(language, "checkpoint.reconciled"), True
    elements = matching(result)[1]
    if elements * 2 < result.expected:
        share = share_of(elements, result.expected)
        return text_in(language, "checkpoint.another_model", title=title, share=share), False
    causes = (f"{text_in(language, f'cause.{item.cause}')} {signed(item.elements)}" for item in differing)
    return text_in(language, "checkpoint.differs", title=title, causes=text_in(language, "frame.comma").join(causes)), False


def ledger(language: str, title: str, source: str, result: Reconciliation) -> str:
    """Expected, a line for each cause, found: each cause drawn where the running sum stands, and opening into its names."""
    sums = [result.expected, *accumulate((item.elements for item in result.gap), initial=result.expected)][1:]
    scale = Scale(min(sums), max(sums))
    causes = "".join(
        _cause(language, item, scale, before, after, result.expected, opened=number == 0)
        for number, (item, before, after) in enumerate(zip(result.gap, sums, sums[1:], strict=False))
    )
    note = ""
    if scale.broken:
        note = f'<p class="note">{escape(text_in(language, "checkpoint.broken_scale"))}</p>'
    return (
        f'<section class="ledger"><h2>{escape(text_in(language, "checkpoint.ledger"))}</h2>'
        f"{_total(text_in(language, 'checkpoint.row_expected'), title, result.expected, scale)}{causes}"
        f"{_total('= ' + text_in(language, 'checkpoint.row_found'), source, result.found, scale, ' sum')}{note}</section>"
    )


def matching(result: Reconciliation) -> tuple[int, int]:
    """Tensors of the file that are as expected, and their numbers; those of another shape are not among them."""
    entries = [entry for entry in result.entries if entry.cause is None]
    return sum(entry.copies for entry in entries), sum(entry.found for entry in entries)


def share_of(matched: int, expected: int) -> str:
    """A share of which only the whole reads as 100%.

    >>> share_of(3, 3), share_of(299_999, 300_000), share_of(0, 3)
    ('100%', '> 99.99%', '0%')
    """
    if matched in (0, expected):
        return "100%" if matched else "0%"
    share = percent(matched / expected)
    return "> 99.99%" if share == "100.00%" else share


class Scale:
    """Where a running sum stands on a track, from 0 to 1: from zero, or, where that would show no difference, cut.

    >>> Scale(0, 200).at(50), Scale(1000, 1200).broken, Scale(1000, 1200).at(1000)
    (0.25, True, 0.34)
    """

    def __init__(self, smallest: int, largest: int) -> None:
        self.smallest, self.largest = smallest, largest
        self.broken = largest > smallest > largest / 2

    def at(self, value: int) -> float:
        """The position of a sum between the smallest and the largest."""
        if self.broken:
            return BREAK + (1 - BREAK) * (value - self.smallest) / (self.largest - self.smallest)
        return value / self.largest if self.largest else 0.0


def _total(label: str, of: str, value: int, scale: Scale, kind: str = "") -> str:
    cut = '<i class="cut"></i>' if scale.broken else ""
    return (
        f'<div class="line{kind}"><span class="what">{escape(label)} <small>{escape(of)}</small></span>'
        f'<span class="track" aria-hidden="true"><i class="whole" style="left:0;width:{scale.at(value):.2%}"></i>{cut}</span>'
        f'<span class="number">{grouped(value)}</span><span class="share"></span></div>'
    )


def _cause(language: str, item: GapItem, scale: Scale, before: int, after: int, expected: int, opened: bool) -> str:
    left, right = sorted((scale.at(before), scale.at(after)))
    copies = (
        text_in(language, "checkpoint.one_copy")
        if item.copies == 1
        else text_in(language, "checkpoint.copies", copies=grouped(item.copies))
    )
    share = percent(abs(item.elements) / expected) if expected and item.elements else ""
    return (
        f'<details data-cause="{item.cause}" data-elements="{item.elements}"{" open" if opened else ""}><summary class="line">'
        f'<span class="what">{escape(text_in(language, f"cause.{item.cause}"))} <small>{escape(copies)}</small></span>'
        f'<span class="track" aria-hidden="true"><i class="{"more" if item.elements >= 0 else "less"}" '
        f'style="left:{left:.2%};width:{right - left:.2%}"></i></span>'
        f'<span class="number">{signed(item.elements)}</span><span class="share">{share}</span></summary>'
        f"<p>{escape(text_in(language, f'cause_why.{item.cause}'))}</p>{_names(language, item.tensors)}</details>"
    )


def _names(language: str, names: tuple[str, ...]) -> str:
    """The first names, and the others folded under their number."""

    def listed(some: tuple[str, ...]) -> str:
        return f'<ul class="names">{"".join(f"<li>{escape(name)}</li>" for name in some)}</ul>'

    first, others = names[:FIRST_NAMES], names[FIRST_NAMES:MOST_NAMES]
    if not others:
        return listed(first)
    rest = ""
    if len(names) > MOST_NAMES:
        rest = f"<p>{escape(text_in(language, 'checkpoint.names_in_csv', number=grouped(len(names) - MOST_NAMES)))}</p>"
    more = escape(text_in(language, "checkpoint.more_names", number=grouped(len(names) - FIRST_NAMES)))
    return f'{listed(first)}<details class="others"><summary>{more}</summary>{listed(others)}{rest}</details>'
