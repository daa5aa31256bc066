"""One cell of the comparison worked out: its value, the formula in symbols, the same in numbers."""

from __future__ import annotations

from calc.comparison.columns import BY_KEY
from calc.comparison.comparison import ModelRow
from calc.model import Model
from ui.comparison.table import SILENT, WITH_SIGN, cell_text
from ui.html import Markup, tag
from ui.numbers import grouped_within
from ui.texts import text_in


def worked_cell(language: str, model: Model, row: ModelRow, key: str) -> Markup:
    """The working of the cell under the column `key`."""
    column = BY_KEY[key]
    cell = row.cells[key]
    name = text_in(language, f"compare.column.{key}")
    unit = text_in(language, f"compare.unit.{column.unit}") if column.unit else ""
    result = f"{cell_text(language, cell, column)} {unit}".strip()
    working = column.work(model)
    if working is None:
        why = text_in(language, "compare.worked_verdict" if key == "verdict" else "compare.worked_as_it_stands")
        lines = [tag("p", result), tag("p", why, class_="symbols")]
    else:
        sign = "=" if isinstance(cell.value, int) or key in WITH_SIGN else "≈"
        equation = tag("p", f"{grouped_within(working.numbers)} {sign} ", tag("b", result), class_="equation")
        lines = [tag("p", working.symbols, class_="symbols"), equation]
    if cell.remark and cell.remark not in SILENT:
        lines.append(tag("p", text_in(language, f"compare.remark.{cell.remark}"), class_="symbols"))
    title = text_in(language, "compare.worked", title=model.title, column=name)
    return tag("section", tag("h3", title), *lines, class_="tensor-card")
