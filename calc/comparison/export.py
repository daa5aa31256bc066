"""The comparison written down: as CSV, as JSON, as a Markdown table. As shown (columns chosen, rows in order) or in full."""

from __future__ import annotations

import re
from collections.abc import Mapping

from calc.comparison.columns import Column
from calc.comparison.comparison import Comparison, ModelRow
from calc.export import csv_text

Words = Mapping[str, Mapping[object, str]]
"""Column key → value → what is written for it: the verdicts and flags in a reader's language."""


def comparison_csv(table: Comparison, headings: Mapping[str, str] | None = None, words: Words | None = None) -> str:
    """One line a model: `name`, `title`, then the columns; ints as ints, no text that a spreadsheet takes for a formula.

    headings   what to write over `name`, `title` and a column's key, in any language; the key itself where it is missing
    words      what to write for a column's values, where they are codes

    For Excel encode it as utf-8-sig. A cell without a value is empty.

    >>> from calc.comparison.columns import BY_KEY
    >>> from calc.comparison.comparison import compare
    >>> from calc.model import Model
    >>> shown = [BY_KEY["hidden_size"], BY_KEY["parameters"]]
    >>> comparison_csv(compare([Model.of({"model_type": "gpt2"}, "@mine")], shown), {"parameters": "参数量"})
    "name,title,hidden_size,参数量\\r\\n'@mine,'@mine,768,124439808\\r\\n"
    """
    keys = ("name", "title", *(column.key for column in table.columns))
    lines = [[row.name, row.title, *(_written(row, column, words) for column in table.columns)] for row in table.rows]
    return csv_text([(headings or {}).get(key, key) for key in keys], lines)


def comparison_document(table: Comparison) -> list[dict[str, object]]:
    """One object a model, ready for json.dumps: `name`, `title`, the columns by their keys, and `remarks`.

    A value that cannot be had is null. `remarks` says why, and what must be known about a value: key → code of
    `calc.comparison.cells.REMARKS`.

    >>> from calc.comparison.columns import BY_KEY
    >>> from calc.comparison.comparison import compare
    >>> from calc.model import Model
    >>> shown = [BY_KEY["parameters"], BY_KEY["num_experts"]]
    >>> comparison_document(compare([Model.of({"model_type": "gpt2"}, "mine")], shown))
    [{'name': 'mine', 'title': 'mine', 'parameters': 124439808, 'num_experts': None, 'remarks': {'num_experts': 'no_such_thing'}}]
    """
    return [
        {
            "name": row.name,
            "title": row.title,
            **{column.key: row.value(column.key) for column in table.columns},
            "remarks": {column.key: remark for column in table.columns if (remark := row.cells[column.key].remark)},
        }
        for row in table.rows
    ]


def comparison_markdown(table: Comparison, headings: Mapping[str, str] | None = None, words: Words | None = None) -> str:
    """A table as GitHub and most note-takers read it: one line a model, numbers grouped by thousands and on the right.

    >>> from calc.comparison.columns import BY_KEY
    >>> from calc.comparison.comparison import compare
    >>> from calc.model import Model
    >>> shown = [BY_KEY["model_type"], BY_KEY["parameters"]]
    >>> print(comparison_markdown(compare([Model.of({"model_type": "gpt2"}, "a|b")], shown), {"title": "model"}), end="")
    | model | model_type | parameters |
    | :--- | :--- | ---: |
    | a\\|b | gpt2 | 124,439,808 |
    """
    names = [(headings or {}).get(key, key) for key in ("title", *(column.key for column in table.columns))]
    rules = [":---", *("---:" if column.kind in ("int", "ratio") else ":---" for column in table.columns)]
    lines = [[row.title, *(value_text(_written(row, column, words), column) for column in table.columns)] for row in table.rows]
    return "".join(
        f"| {' | '.join(cells)} |\n"
        for cells in (map(markdown_text, names), rules, *(map(markdown_text, cells) for cells in lines))
    )


def value_text(value: object, column: Column) -> str:
    """A value for reading: ints grouped by thousands, ratios with the digits that tell, a dash where there is none.

    >>> from calc.comparison.columns import BY_KEY
    >>> value_text(6738415616, BY_KEY["parameters"]), value_text(12.551277160644531, BY_KEY["fp16_gib"])
    ('6,738,415,616', '12.55')
    >>> value_text(0.003951077154811105, BY_KEY["norm_percent"]), value_text(-0.0235, BY_KEY["published_difference_percent"])
    ('0.004', '-0.02')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        small = 0 < abs(value) < 0.005  # two decimals would make it zero
        return f"{value:.1g}" if small else f"{value:,.2f}"
    return str(value)


def markdown_text(text: str) -> str:
    """A text that stays one cell and is read as it is written: no bar, line break, tag or emphasis in it counts.

    >>> markdown_text("a|b\\n<b>*c*")
    'a\\\\|b &lt;b>\\\\*c\\\\*'
    """
    one_line = " ".join(text.split())
    escaped = re.sub(r"([\\|`*\[\]~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))", r"\\\1", one_line)
    return escaped.replace("&", "&amp;").replace("<", "&lt;")


def _written(row: ModelRow, column: Column, words: Words | None) -> object:
    value = row.value(column.key)
    return (words or {}).get(column.key, {}).get(value, value)
