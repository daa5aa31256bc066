"""A model against its file: the difference as the largest figure, and the ledger that leads from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from calc.checkpoint.reconcile import GapItem, Reconciliation
from calc.checkpoint.report import unsettled
from ui.html import Markup, joined, section, tag
from ui.numbers import grouped, percent, signed
from ui.texts import text_in

FIRST_NAMES = 6
"""Names of one cause that are open, the others folded."""
MOST_NAMES = 200
"""Names of one cause on screen; the CSV has all."""
BREAK = 0.34
"""Where on a track the scale is cut, when what differs is small against the whole."""


def reconciliation_headline(language: str, title: str, result: Reconciliation) -> Markup:
    """Expected, found and their difference, and what that means in one sentence."""
    gap = result.found - result.expected
    figures = (
        ("expected", tag("span", grouped(result.expected), class_="part", data_expected=result.expected)),
        ("found", tag("span", grouped(result.found), class_="part", data_found=result.found)),
        ("gap", tag("span", signed(gap), class_="total", data_gap=gap)),
    )
    sentence, agrees = verdict(language, title, result)
    return tag(
        "div",
        *(
            tag("span", tag("small", text_in(language, f"checkpoint.{name}")), figure, class_="figure")
            for name, figure in figures
        ),
        tag("span", "✓ " if agrees else None, sentence, class_="check agrees" if agrees else "check"),
        class_="headline figures",
    )


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


def ledger(language: str, title: str, source: str, result: Reconciliation) -> Markup:
    """Expected, a line for each cause, found: each cause drawn where the running sum is, and opening into its names."""
    sums = [*accumulate((item.elements for item in result.gap), initial=result.expected)]
    scale = Scale(min(sums), max(sums))
    causes = (
        _cause(language, item, scale, ends, result.expected, opened=number == 0)
        for number, (item, ends) in enumerate(zip(result.gap, pairwise(sums), strict=True))
    )
    return section(
        text_in(language, "checkpoint.ledger"),
        _total(text_in(language, "checkpoint.row_expected"), title, result.expected, scale),
        *causes,
        _total("= " + text_in(language, "checkpoint.row_found"), source, result.found, scale, " sum"),
        tag("p", text_in(language, "checkpoint.broken_scale"), class_="note") if scale.broken else None,
        class_="ledger",
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
    """Where a running sum is on a track, from 0 to 1: from zero, or, where that would show no difference, cut.

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


def _total(label: str, of: str, value: int, scale: Scale, kind: str = "") -> Markup:
    bar = tag("i", class_="whole", style=f"left:0;width:{scale.at(value):.2%}")
    return tag(
        "div",
        *_line(label, of, joined([bar, tag("i", class_="cut") if scale.broken else None]), grouped(value)),
        class_=f"line{kind}",
    )


def _cause(language: str, item: GapItem, scale: Scale, ends: tuple[int, int], expected: int, opened: bool) -> Markup:
    left, right = sorted(map(scale.at, ends))
    copies = text_in(language, "checkpoint.one_copy" if item.copies == 1 else "checkpoint.copies", copies=grouped(item.copies))
    share = percent(abs(item.elements) / expected) if expected and item.elements else ""
    bar = tag("i", class_="more" if item.elements >= 0 else "less", style=f"left:{left:.2%};width:{right - left:.2%}")
    line = _line(text_in(language, f"cause.{item.cause}"), copies, bar, signed(item.elements), share)
    return tag(
        "details",
        tag("summary", *line, class_="line"),
        tag("p", text_in(language, f"cause_why.{item.cause}")),
        _names(language, item.tensors),
        data_cause=item.cause,
        data_elements=item.elements,
        open=opened,
    )


def _line(label: str, of: str, track: Markup, number: str, share: str = "") -> tuple[Markup, ...]:
    return (
        tag("span", label, " ", tag("small", of), class_="what"),
        tag("span", track, class_="track", aria_hidden="true"),
        tag("span", number, class_="number"),
        tag("span", share, class_="share"),
    )


def _names(language: str, names: Sequence[str]) -> Markup:
    """The first names, and the others folded under their number."""
    first, others = (
        tag("ul", *(tag("li", name) for name in some), class_="names")
        for some in (names[:FIRST_NAMES], names[FIRST_NAMES:MOST_NAMES])
    )
    if len(names) <= FIRST_NAMES:
        return first
    more = text_in(language, "checkpoint.more_names", number=grouped(len(names) - FIRST_NAMES))
    rest = text_in(language, "checkpoint.names_in_csv", number=grouped(len(names) - MOST_NAMES))
    folded = tag("details", tag("summary", more), others, tag("p", rest) if len(names) > MOST_NAMES else None, class_="others")
    return joined([first, folded])
