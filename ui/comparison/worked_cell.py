"""One cell of the comparison worked out: its value, the formula in symbols, the same in numbers."""

from __future__ import annotations

from html import escape

from calc.comparison.columns import BY_KEY, Row
from calc.comparison.worked import worked
from calc.model import Model
from ui.comparison.table import SILENT, WITH_SIGN, cell_text
from ui.numbers import grouped_within
from ui.texts import text_in


def worked_cell(language: str, model: Model, row: Row, key: str) -> str:
    """The working of the cell under the column `key`."""
    column = BY_KEY[key]
    cell = row.cells[key]
    name = text_in(language, f"compare.column.{key}")
    unit = text_in(language, f"compare.unit.{column.unit}") if column.unit else ""
    result = f"{cell_text(language, cell, column)} {unit}".strip()
    working = worked(key, model)
    if working is None:
        said = "compare.worked_verdict" if key == "verdict" else "compare.worked_as_it_stands"
        body = f"<p>{escape(result)}</p><p class=symbols>{escape(text_in(language, said))}</p>"
    else:
        sign = "=" if isinstance(cell.value, int) or key in WITH_SIGN else "≈"
        body = (
            f"<p class=symbols>{escape(working.symbols)}</p>"
            f"<p class=equation>{escape(grouped_within(working.numbers))} {sign} <b>{escape(result)}</b></p>"
        )
    if cell.remark and cell.remark not in SILENT:
        body += f"<p class=symbols>{escape(text_in(language, f'compare.remark.{cell.remark}'))}</p>"
    title = text_in(language, "compare.worked", title=model.title, column=name)
    return f'<section class="tensor-card"><h3>{escape(title)}</h3>{body}</section>'
