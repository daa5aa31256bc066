"""What was counted of a file, as HTML."""

from __future__ import annotations

from html import escape

from calc.tokens.file_count import TextCount
from ui.html import table
from ui.numbers import grouped
from ui.texts import text_in


def file_totals(language: str, total: TextCount, titles: tuple[str, ...], by_rows: bool) -> str:
    """The totals: characters, bytes and rows large, then the tokens of each tokenizer with what a token holds."""
    figures = [("characters", total.characters), ("bytes", total.bytes)] + ([("rows", total.number)] if by_rows else [])
    large = "".join(
        f'<span class="figure"><span class="part" data-{name}="{value}">{grouped(value)}</span>'
        f"<small>{escape(text_in(language, f'token_files.{name}'))}</small></span>"
        for name, value in figures
    )
    headings = [
        text_in(language, f"token_files.column_{name}") for name in ("tokenizer", "tokens", "characters_per", "bytes_per")
    ]
    rows = [
        [title, grouped(tokens), *(f"{value / tokens:.2f}" if tokens else "—" for value in (total.characters, total.bytes))]
        for title, tokens in zip(titles, total.tokens, strict=True)
    ]
    return f'<section class="headline token-text">{large}</section>{table(headings, rows, numbers=(1, 2, 3))}'
