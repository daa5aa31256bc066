"""The comparison table as HTML: a row a model, the columns in groups, each heading a button that sorts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from calc.comparison.cells import Cell
from calc.comparison.columns import COLUMNS, Column
from calc.comparison.comparison import Comparison, ModelRow
from calc.comparison.export import value_text
from calc.tensors import PARTS
from ui.html import Child, Markup, joined, swatch, tag
from ui.numbers import MINUS
from ui.texts import text_in

WITH_SIGN = ("published_difference", "published_difference_percent")
SILENT = ("no_such_thing", "dense", "tied", "no_published")
"""Remarks that say no more than the dash in the cell."""
WRITTEN = {"verdict": ("rounds_to", "round_figure", "no_published"), "tie_word_embeddings": (True, False)}
"""Columns whose values are codes; `ui.texts` has what a reader sees for them."""


def shown_columns(rows: Sequence[ModelRow], groups: Sequence[str]) -> tuple[Column, ...]:
    """The columns of these groups that say something about at least one of the models."""
    return tuple(
        column
        for column in COLUMNS
        if column.group in groups and any(_says_something(row.cells[column.key], column) for row in rows)
    )


def _says_something(cell: Cell, column: Column) -> bool:
    if column.key in ("other_parameters", "other_percent", "lm_head_parameters", "lm_head_percent"):
        return bool(cell.value)
    return cell.value is not None and cell.remark != "dense"


def comparison_table(language: str, table: Comparison, sort: str | None = None, descending: bool = False) -> Markup:
    """The table; `sort` is the column it is sorted by, "title" for the models' names.

    Every button says in `data-do` what it does and in `data-on` with what: `sort` a column, `up`, `down` and `remove` a
    row by its number, `cell` a row's cell, `2.parameters`.
    """
    rows, columns, remarks = table.rows, table.columns, _footnotes(table)
    lines = (_line(language, number, row, columns, remarks, len(rows)) for number, row in enumerate(rows))
    notes = [tag("li", tag("sup", str(note)), " ", text_in(language, f"compare.remark.{key}")) for key, note in remarks.items()]
    head = tag("thead", _groups(language, columns), _headings(language, columns, sort, descending))
    label = text_in(language, "compare.table_label")
    scroll = tag("div", tag("table", head, tag("tbody", *lines)), class_="scroll", tabindex=0, role="region", aria_label=label)
    return joined([scroll, tag("ul", *notes, class_="notes") if notes else None])


def headings(language: str) -> dict[str, str]:
    """What to write over each column outside the page, with its unit."""
    names = {"name": text_in(language, "compare.name"), "title": text_in(language, "compare.title")}
    for column in COLUMNS:
        unit = _unit(language, column)
        name = text_in(language, f"compare.column.{column.key}")
        if column.group == "layer":  # the same words name a part of the whole model
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


def _footnotes(table: Comparison) -> dict[str, int]:
    """The remarks under the table, numbered in the order they first occur."""
    remarks = (row.cells[column.key].remark for row in table.rows for column in table.columns)
    noted = dict.fromkeys(remark for remark in remarks if remark and remark not in SILENT)
    return {remark: number for number, remark in enumerate(noted, 1)}


def _groups(language: str, columns: Sequence[Column]) -> Markup:
    cells = (
        tag("th", text_in(language, f"compare.group.{group}"), scope="colgroup", colspan=len(list(members)))
        for group, members in groupby(columns, key=lambda column: column.group)
    )
    return tag("tr", tag("td"), *cells, class_="groups")


def _headings(language: str, columns: Sequence[Column], sort: str | None, descending: bool) -> Markup:
    cells = [_sorter("title", text_in(language, "compare.title"), "", sort, descending)]
    for column in columns:
        part = column.key.removesuffix("_parameters").removesuffix("_percent")
        name = joined([swatch(part if part in PARTS else None), text_in(language, f"compare.column.{column.key}")])
        below = _unit(language, column) or (column.formula if column.group == "config" and column.formula != column.key else "")
        cells.append(_sorter(column.key, name, below, sort, descending, "" if column.kind in ("text", "flag") else "number"))
    return tag("tr", *cells, class_="headings")


def _sorter(key: str, name: Child, below: str, sort: str | None, descending: bool, css_class: str = "") -> Markup:
    direction = ("descending" if descending else "ascending") if sort == key else "none"
    mark = {"ascending": " ▲", "descending": " ▼", "none": ""}[direction]
    button = tag("button", name, mark, tag("small", below) if below else None, type="button", data_do="sort", data_on=key)
    return tag("th", button, scope="col", class_=css_class, aria_sort=direction)


def _line(
    language: str, number: int, row: ModelRow, columns: Sequence[Column], remarks: Mapping[str, int], models: int
) -> Markup:
    signs = {"up": ("↑", number == 0), "down": ("↓", number == models - 1), "remove": ("×", False)}
    names = {do: text_in(language, f"compare.{do}", title=row.title) for do in signs}
    moves = (
        tag("button", sign, type="button", data_do=do, data_on=number, aria_label=names[do], disabled=off)
        for do, (sign, off) in signs.items()
    )
    name = tag("th", tag("span", row.title, class_="title"), tag("span", *moves, class_="moves"), scope="row")
    return tag("tr", name, *(_cell(language, number, row.cells[column.key], column, remarks) for column in columns))


def _cell(language: str, number: int, cell: Cell, column: Column, remarks: Mapping[str, int]) -> Markup:
    note = tag("sup", str(remarks[cell.remark])) if cell.remark is not None and cell.remark in remarks else None
    written = cell_text(language, cell, column)
    css_class = "number" if column.kind in ("int", "ratio") else "agrees" if cell.value == "rounds_to" else ""
    if cell.value is None:
        return tag("td", written, note, class_=f"{css_class} none")
    button = tag("button", written, type="button", data_do="cell", data_on=f"{number}.{column.key}")
    return tag("td", button, note, class_=css_class)
