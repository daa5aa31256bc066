"""Models compared: a row a model, a cell for each column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calc.comparison.cells import Cell
from calc.comparison.columns import COLUMNS, Column
from calc.model import Model


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model's row: its name, its title, and a cell for each column's key."""

    name: str
    title: str
    cells: Mapping[str, Cell] = field(hash=False)

    def value(self, key: str) -> Any:
        """The value under a column's key. Raises KeyError for a column the row was made without."""
        return self.cells[key].value


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of models: `rows[i].cells[columns[j].key]` is the cell of row i and column j."""

    rows: tuple[ModelRow, ...]
    columns: tuple[Column, ...]


def compare(models: Iterable[Model], columns: Sequence[Column] = COLUMNS) -> Comparison:
    """Models side by side, a row each in the given order.

    >>> [row.value("parameters") for row in compare(map(Model.of, ("llama-2-7b", "gpt2"))).rows]
    [6738415616, 124439808]
    """
    return Comparison(tuple(model_row(model, columns) for model in models), tuple(columns))


def model_row(model: Model, columns: Iterable[Column] = COLUMNS) -> ModelRow:
    """A model's row, each column read once.

    >>> llama = model_row(Model.of("llama-2-7b"))
    >>> llama.value("parameters"), llama.value("published"), llama.value("verdict"), llama.value("ffn_per_layer")
    (6738415616, '6.74B', 'rounds_to', 135266304)
    """
    return ModelRow(model.name, model.title, {column.key: column.read(model) for column in columns})


def in_order_of(rows: Sequence[ModelRow], key: str, *, descending: bool = False) -> list[ModelRow]:
    """Rows sorted by a column, or by `title`; those without a value last either way, equal ones in the order they had."""

    def value(row: ModelRow) -> Any:
        found = row.title if key == "title" else row.value(key)
        return found.casefold() if isinstance(found, str) else found

    with_value = sorted((row for row in rows if value(row) is not None), key=value, reverse=descending)
    return with_value + [row for row in rows if value(row) is None]
