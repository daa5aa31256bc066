"""A plain table: headings small and grey, numbers right-aligned so that their digits line up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[int] = ()) -> str:
    """Rows of text as HTML; the columns of `numbers` are right-aligned. Without headings there is no head.

    >>> table(["model"], [["GPT-2"]])
    '<div class="plain-table" tabindex="0"><table><thead><tr><th scope="col">model</th></tr></thead><tbody><tr><td>GPT-2</td></tr></tbody></table></div>'
    """

    def cell(tag: str, column: int, text: str) -> str:
        aligned = ' class="number"' if column in numbers else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{scope}{aligned}>{escape(text)}</{tag}>"

    def line(tag: str, cells: Sequence[str]) -> str:
        return f"<tr>{''.join(cell(tag, column, text) for column, text in enumerate(cells))}</tr>"

    head = f"<thead>{line('th', headings)}</thead>" if headings else ""
    body = "".join(line("td", row) for row in rows)
    return f'<div class="plain-table" tabindex="0"><table>{head}<tbody>{body}</tbody></table></div>'
