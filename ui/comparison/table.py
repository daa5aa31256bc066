"""The comparison table as HTML: a row a model, the columns in groups, each heading a button that sorts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import groupby

from calc.comparison.cells import Cell
from calc.comparison.columns import COLUMNS, Column, Row
from calc.comparison.export import value_text
from calc.tensors import PARTS
from ui.numbers import MINUS
from ui.texts import text_in

WITH_SIGN = ("published_difference", "published_difference_percent")
SILENT = ("no_such_thing", "dense", "tied", "no_published")
"""Remarks that say no more than the dash in the cell."""
WRITTEN = {"verdict": ("rounds_to", "round_figure", "no_published"), "tie_word_embeddings": (True, False)}
"""Columns whose values are codes: what a reader sees for them stands in the texts."""


def shown_columns(rows: Sequence[Row], groups: Sequence[str]) -> tuple[Column, ...]:
    """The columns of these groups in which at least one of the models has something of its own to say."""
    return tuple(
        column
        for column in COLUMNS
        if column.group in groups and any(_says_something(row.cells[column.key], column) for row in rows)
    )


def _says_something(cell: Cell, column: Column) -> bool:
    if column.key in ("other_parameters", "other_percent", "lm_head_parameters", "lm_head_percent"):
        return bool(cell.value)
    return cell.value is not None and cell.remark != "dense"


def comparison_table(
    language: str, rows: Sequence[Row], columns: Sequence[Column], sort: str | None = None, descending: bool = False
) -> str:
    """The table; `sort` is the column it is sorted by, "title" for the models' names.

    Every button says in `data-do` what it does and in `data-on` with what: `sort` a column, `up`, `down` and `remove` a
    row by its number, `cell` a row's cell, `2.parameters`.
    """
    remarks = _footnotes(rows, columns)
    body = "".join(_line(language, number, row, columns, remarks, len(rows)) for number, row in enumerate(rows))
    notes = "".join(
        f"<li><sup>{number}</sup> {escape(text_in(language, f'compare.remark.{remark}'))}</li>"
        for remark, number in remarks.items()
    )
    label = escape(text_in(language, "compare.table_label"))
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table><thead>{_groups(language, columns)}'
        f"{_headings(language, columns, sort, descending)}</thead><tbody>{body}</tbody></table></div>"
        f"{f'<ul class=notes>{notes}</ul>' if notes else ''}"
    )


def headings(language: str) -> dict[str, str]:
    """What to write over each column outside the page, with its unit."""
    names = {"name": text_in(language, "compare.name"), "title": text_in(language, "compare.title")}
    for column in COLUMNS:
        unit = _unit(language, column)
        name = text_in(language, f"compare.column.{column.key}")
        if column.group == "layer":  # the same words stand for a part of the whole model
            name = text_in(language, "compare.in_one_layer", name=name)
        names[column.key] = text_in(language, "compare.with_unit", name=name, unit=unit) if unit else name
    return names


@lru_cache(maxsize=16)
def written(language: str) -> Mapping[str, Mapping[object, str]]:
    """What a reader sees for the values that are codes: column → value → words."""
    return {
        key: {value: text_in(language, f"compare.{key}.{str(value).lower()}") for value in values}
        for key, values in WRITTEN.items()
    }


def cell_text(language: str, cell: Cell, column: Column) -> str:
    """A cell as a reader sees it."""
    if column.key in WRITTEN and cell.value in WRITTEN[column.key]:
        return written(language)[column.key][cell.value]
    shown = value_text(cell.value, column)
    if shown.startswith("-"):
        return MINUS + shown[1:]
    return f"+{shown}" if column.key in WITH_SIGN and isinstance(cell.value, int | float) and cell.value > 0 else shown


def _unit(language: str, column: Column) -> str:
    return text_in(language, f"compare.unit.{column.unit}") if column.unit else ""


def _footnotes(rows: Sequence[Row], columns: Sequence[Column]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows:
        for column in columns:
            remark = row.cells[column.key].remark
            if remark and remark not in SILENT:
                found.setdefault(remark, len(found) + 1)
    return found


def _groups(language: str, columns: Sequence[Column]) -> str:
    cells = "".join(
        f'<th scope="colgroup" colspan="{len(list(members))}">{escape(text_in(language, f"compare.group.{group}"))}</th>'
        for group, members in groupby(columns, key=lambda column: column.group)
    )
    return f'<tr class="groups"><td></td>{cells}</tr>'


def _headings(language: str, columns: Sequence[Column], sort: str | None, descending: bool) -> str:
    model = _sorter("title", text_in(language, "compare.title"), "", sort, descending)
    cells = []
    for column in columns:
        part = column.key.removesuffix("_parameters").removesuffix("_percent")
        swatch = f'<i class="swatch" style="background:var(--part-{part})"></i>' if part in PARTS else ""
        name = swatch + escape(text_in(language, f"compare.column.{column.key}"))
        below = _unit(language, column) or (column.formula if column.group == "config" and column.formula != column.key else "")
        cells.append(_sorter(column.key, name, below, sort, descending, "" if column.kind in ("text", "flag") else "number"))
    return f'<tr class="headings">{model}{"".join(cells)}</tr>'


def _sorter(key: str, name: str, below: str, sort: str | None, descending: bool, css_class: str = "") -> str:
    direction = ("descending" if descending else "ascending") if sort == key else "none"
    mark = {"ascending": " ▲", "descending": " ▼", "none": ""}[direction]
    small = f"<small>{escape(below)}</small>" if below else ""
    return (
        f'<th scope="col" class="{css_class}" aria-sort="{direction}"><button type="button" data-do="sort" data-on="{key}">'
        f"{name}{mark}{small}</button></th>"
    )


def _line(language: str, number: int, row: Row, columns: Sequence[Column], remarks: Mapping[str, int], models: int) -> str:
    buttons = "".join(
        f'<button type="button" data-do="{do}" data-on="{number}" aria-label="{escape(text_in(language, f"compare.{do}", title=row.title))}"'
        f"{' disabled' if off else ''}>{sign}</button>"
        for do, sign, off in (("up", "↑", number == 0), ("down", "↓", number == models - 1), ("remove", "×", False))
    )
    cells = "".join(_cell(language, number, row.cells[column.key], column, remarks) for column in columns)
    return (
        f'<tr><th scope="row"><span class="title">{escape(row.title)}</span><span class="moves">{buttons}</span></th>{cells}</tr>'
    )


def _cell(language: str, number: int, cell: Cell, column: Column, remarks: Mapping[str, int]) -> str:
    note = f"<sup>{remarks[cell.remark]}</sup>" if cell.remark in remarks else ""
    shown = escape(cell_text(language, cell, column))
    css_class = "number" if column.kind in ("int", "ratio") else "agrees" if cell.value == "rounds_to" else ""
    if cell.value is None:
        return f'<td class="{css_class} none">{shown}{note}</td>'
    return f'<td class="{css_class}"><button type="button" data-do="cell" data-on="{number}.{column.key}">{shown}</button>{note}</td>'
