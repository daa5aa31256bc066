"""Tensor by tensor: what matches, what is missing, what is more, what has another shape; or simply what a file holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from calc.checkpoint.names import starred
from calc.checkpoint.reconcile import Entry, Reconciliation
from ui.html import table
from ui.numbers import grouped
from ui.texts import text_in

MOST_ROWS = 60
"""Lines of one list on screen; the CSV has all."""
FIGURES = ("copies", "expected", "found", "count", "elements")
ELSEWHERE = ("missing", "shape_differs", "padded_vocabulary")


def reconciliation_lists(language: str, result: Reconciliation) -> str:
    """The four lists, each folded under its count."""
    matched = [entry for entry in result.entries if entry.cause is None]
    missing = [entry for entry in result.entries if entry.cause == "missing"]
    extra = [entry for entry in result.entries if entry.cause and entry.cause not in ELSEWHERE]
    by_cause = {
        cause: [entry for entry in extra if entry.cause == cause] for cause in dict.fromkeys(item.cause for item in result.gap)
    }
    extra = [entry for entries in by_cause.values() for entry in entries]
    return (
        f'<section class="lists"><h2>{escape(text_in(language, "checkpoint.lists"))}</h2>'
        + _list(
            language,
            "matched",
            ("name", "shape", "copies", "found"),
            [_row(language, entry) for entry in matched],
            _sums(matched),
        )
        + _arranged(language, result)
        + _list(language, "missing", ("name", "copies", "expected"), [_row(language, entry) for entry in missing], _sums(missing))
        + _shapes(language, result)
        + _list(
            language,
            "extra",
            ("name", "cause", "shape", "copies", "found"),
            [_row(language, entry) for entry in extra],
            _sums(extra),
        )
        + "</section>"
    )


def checkpoint_list(language: str, rows: Sequence[Mapping[str, object]]) -> str:
    """What a file holds, as `calc.checkpoint.report.checkpoint_rows` has it."""
    written = [
        {
            "name": str(row["name"]),
            "shape": _shape(row["shape"]),
            "packing": str(row["packing"] or ""),
            "copies": grouped(row["copies"]),
            "count": grouped(row["count"]),
            "elements": grouped(row["elements"]),
        }
        for row in rows[:MOST_ROWS]
    ]
    columns = ("name", "shape", *(("packing",) if any(row["packing"] for row in rows) else ()), "copies", "count", "elements")
    sums = sum(row["copies"] for row in rows), sum(row["elements"] for row in rows)
    title = escape(text_in(language, "checkpoint.lists"))
    return f'<section class="lists"><h2>{title}</h2>{_list(language, "held", columns, written, sums, len(rows), opened=True)}</section>'


def _list(
    language: str,
    name: str,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, str]],
    sums: tuple[int, int],
    length: int | None = None,
    opened: bool = False,
    figures: Sequence[str] = FIGURES,
) -> str:
    """A list under its title; `sums` are tensors and numbers in all, `length` the rows there are, `figures` the columns of numbers."""
    title = escape(text_in(language, f"checkpoint.list_{name}"))
    if not rows:
        return f'<div class="nothing" data-list="{name}"><b>{title}</b> <span>{escape(text_in(language, "checkpoint.none"))}</span></div>'
    length = len(rows) if length is None else length
    headings = [text_in(language, f"checkpoint.column.{column}") for column in columns]
    numbers = [at for at, column in enumerate(columns) if column in figures]
    shown = table(headings, [[row[column] for column in columns] for row in rows[:MOST_ROWS]], numbers)
    more = ""
    if length > MOST_ROWS:
        more = f'<p class="note">{escape(text_in(language, "checkpoint.more_rows", number=grouped(length - MOST_ROWS)))}</p>'
    count = text_in(language, "checkpoint.count", tensors=grouped(sums[0]), elements=grouped(sums[1]))
    return (
        f'<details data-list="{name}"{" open" if opened else ""}><summary><b>{title}</b> <span>{escape(count)}</span></summary>'
        f"{shown}{more}</details>"
    )


def _shapes(language: str, result: Reconciliation) -> str:
    """Expected → found, the tensors of one name and both shapes together."""
    copies: dict[tuple, int] = {}
    for item in result.shape_differs:
        key = starred(item.name)[0], item.expected, item.found
        copies[key] = copies.get(key, 0) + 1
    rows = [
        {"name": name, "expected": _shape(expected), "found": _shape(found), "copies": grouped(number)}
        for (name, expected, found), number in copies.items()
    ]
    entries = [entry for entry in result.entries if entry.cause in ("shape_differs", "padded_vocabulary")]
    sums = sum(copies.values()), sum(entry.found for entry in entries)
    return _list(language, "shape", ("name", "expected", "found", "copies"), rows, sums, figures=("copies",))


def _arranged(language: str, result: Reconciliation) -> str:
    """What matches though the file cuts or joins it otherwise; nothing where nothing is."""
    rows = [
        {"expected": " + ".join(item.expected), "found": " + ".join(item.found), "copies": grouped(item.copies)}
        for item in result.arranged
    ]
    names = {name for item in result.arranged for name in item.found}
    elements = sum(entry.found for entry in result.entries if entry.cause is None and entry.name in names)
    sums = sum(item.copies for item in result.arranged), elements
    return _list(language, "arranged", ("expected", "found", "copies"), rows, sums, figures=("copies",)) if rows else ""


def _row(language: str, entry: Entry) -> dict[str, str]:
    return {
        "name": entry.name,
        "cause": text_in(language, f"cause.{entry.cause}") if entry.cause else "",
        "shape": _shape(entry.shape),
        "copies": grouped(entry.copies),
        "expected": grouped(entry.expected),
        "found": grouped(entry.found),
    }


def _shape(lengths: Sequence[int] | None) -> str:
    if lengths is None:
        return "?"
    return " × ".join(grouped(length) for length in lengths) or "1"


def _sums(entries: Sequence[Entry]) -> tuple[int, int]:
    return sum(entry.copies for entry in entries), sum(entry.found or entry.expected for entry in entries)
