"""Tensor by tensor: what matches, what is missing, what is more, what has another shape; or simply what a file has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from calc.checkpoint.names import starred
from calc.checkpoint.reconcile import NOT_EXTRA, Entry, Reconciliation
from calc.checkpoint.report import Contents
from ui.html import Markup, section, table, tag
from ui.numbers import grouped
from ui.texts import text_in

MOST_ROWS = 60
"""Lines of one list on screen; the CSV has all."""
NUMBERS = ("copies", "expected", "found", "count", "elements")
"""Columns of numbers."""


def reconciliation_lists(language: str, result: Reconciliation) -> Markup:
    """The lists, each folded under its count; what is more in the order of the causes."""
    matched = [entry for entry in result.entries if entry.cause is None]
    missing = [entry for entry in result.entries if entry.cause == "missing"]
    causes = [item.cause for item in result.gap if item.cause not in NOT_EXTRA]
    extra = [entry for cause in causes for entry in result.entries if entry.cause == cause]
    return section(
        text_in(language, "checkpoint.lists"),
        _entries(language, "matched", ("name", "shape", "copies", "found"), matched),
        _arranged(language, result),
        _entries(language, "missing", ("name", "copies", "expected"), missing),
        _shapes(language, result),
        _entries(language, "extra", ("name", "cause", "shape", "copies", "found"), extra),
        class_="lists",
    )


def checkpoint_list(language: str, found: Contents) -> Markup:
    """What a file has."""
    rows = [
        {
            "name": row.name,
            "shape": _shape(row.shape),
            "packing": row.packing or "",
            "copies": grouped(row.copies),
            "count": grouped(row.count),
            "elements": grouped(row.elements),
        }
        for row in found.tensors[:MOST_ROWS]
    ]
    packing = ("packing",) if any(row.packing for row in found.tensors) else ()
    columns = ("name", "shape", *packing, "copies", "count", "elements")
    sums = sum(row.copies for row in found.tensors), found.elements
    listed = _list(language, "held", columns, rows, sums, len(found.tensors), opened=True)
    return section(text_in(language, "checkpoint.lists"), listed, class_="lists")


def _list(
    language: str,
    name: str,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, str]],
    sums: tuple[int, int],
    length: int,
    opened: bool = False,
    numbers: Sequence[str] = NUMBERS,
) -> Markup:
    """A list under its title; `rows` are the first of `length`, `sums` tensors and numbers in all."""
    title = tag("b", text_in(language, f"checkpoint.list_{name}"))
    if not rows:
        return tag("div", title, " ", tag("span", text_in(language, "checkpoint.none")), class_="nothing", data_list=name)
    headings = [text_in(language, f"checkpoint.column.{column}") for column in columns]
    right = [at for at, column in enumerate(columns) if column in numbers]
    more = text_in(language, "checkpoint.more_rows", number=grouped(length - MOST_ROWS)) if length > MOST_ROWS else None
    count = text_in(language, "checkpoint.count", tensors=grouped(sums[0]), elements=grouped(sums[1]))
    return tag(
        "details",
        tag("summary", title, " ", tag("span", count)),
        table(headings, [[row[column] for column in columns] for row in rows[:MOST_ROWS]], right),
        more and tag("p", more, class_="note"),
        data_list=name,
        open=opened,
    )


def _entries(language: str, name: str, columns: Sequence[str], entries: Sequence[Entry]) -> Markup:
    rows = [
        {
            "name": entry.name,
            "cause": text_in(language, f"cause.{entry.cause}") if entry.cause else "",
            "shape": _shape(entry.shape),
            "copies": grouped(entry.copies),
            "expected": grouped(entry.expected),
            "found": grouped(entry.found),
        }
        for entry in entries[:MOST_ROWS]
    ]
    sums = sum(entry.copies for entry in entries), sum(entry.found or entry.expected for entry in entries)
    return _list(language, name, columns, rows, sums, len(entries))


def _shapes(language: str, result: Reconciliation) -> Markup:
    """Expected → found, the tensors of one name and both shapes together."""
    copies = Counter((starred(item.name)[0], item.expected, item.found) for item in result.shape_differs)
    rows = [
        {"name": name, "expected": _shape(expected), "found": _shape(found), "copies": grouped(number)}
        for (name, expected, found), number in copies.items()
    ]
    elements = sum(entry.found for entry in result.entries if entry.cause in ("shape_differs", "padded_vocabulary"))
    columns, sums = ("name", "expected", "found", "copies"), (copies.total(), elements)
    return _list(language, "shape", columns, rows, sums, len(rows), numbers=("copies",))


def _arranged(language: str, result: Reconciliation) -> Markup | None:
    """What matches though the file cuts or joins it otherwise; nothing where nothing is."""
    rows = [
        {"expected": " + ".join(item.expected), "found": " + ".join(item.found), "copies": grouped(item.copies)}
        for item in result.arranged
    ]
    names = {name for item in result.arranged for name in item.found}
    elements = sum(entry.found for entry in result.entries if entry.cause is None and entry.name in names)
    columns, sums = ("expected", "found", "copies"), (sum(item.copies for item in result.arranged), elements)
    return _list(language, "arranged", columns, rows, sums, len(rows), numbers=("copies",)) if rows else None


def _shape(lengths: Sequence[int] | None) -> str:
    return "?" if lengths is None else " × ".join(map(grouped, lengths)) or "1"
