"""The counts of a text or a file, large, and of its tokens in a table."""

from __future__ import annotations

from collections.abc import Mapping

from calc.tokens.file_count import TextCount
from ui.html import Markup, joined, table, tag
from ui.numbers import grouped
from ui.texts import text_in


def file_totals(language: str, total: TextCount, titles: tuple[str, ...], by_rows: bool) -> Markup:
    """The totals: characters, bytes and rows large, then the tokens of each tokenizer with what a token holds."""
    figures = {"characters": total.characters, "bytes": total.bytes} | ({"rows": total.number} if by_rows else {})
    large = text_figures({name: (value, text_in(language, f"token_files.{name}")) for name, value in figures.items()})
    headings = [
        text_in(language, f"token_files.column_{name}") for name in ("tokenizer", "tokens", "characters_per", "bytes_per")
    ]
    rows = [
        [title, grouped(tokens), *(f"{value / tokens:.2f}" if tokens else "—" for value in (total.characters, total.bytes))]
        for title, tokens in zip(titles, total.tokens, strict=True)
    ]
    return joined([large, table(headings, rows, numbers=(1, 2, 3))])


def text_figures(figures: Mapping[str, tuple[int, str]]) -> Markup:
    """Counts of a text, large: name → the count and what it is called."""
    spans = (
        tag("span", tag("span", grouped(value), class_="part", **{f"data_{name}": value}), tag("small", meaning), class_="figure")
        for name, (value, meaning) in figures.items()
    )
    return tag("section", *spans, class_="headline token-text")
