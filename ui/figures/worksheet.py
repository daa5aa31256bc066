"""A worksheet for class: every step of the addition for one model, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calc.addition import addition
from calc.catalogue import CatalogueModel
from calc.config import field_of
from calc.parts_list import PartsList, parameters
from calc.tensors import Tensor
from ui.figures.addition_table import published_checks, row_expression, row_title
from ui.figures.explain import title as tensor_title
from ui.numbers import FP16_BYTES, gibibytes, gigabytes, grouped, grouped_within, percent
from ui.texts import text_in


def worksheet(language: str, title: str, parts_list: PartsList, model: CatalogueModel | None = None) -> str:
    """The numbers of the config, the count of each tensor, the sum of each part, the total, its bytes, and the check."""

    def say(key: str, **values: object) -> str:
        return text_in(language, f"worksheet.{key}", **values)

    total = parameters(parts_list.tensors)
    number_of_bytes = FP16_BYTES * total
    sections = [
        [f"# {say('title', title=title)}"],
        [f"## 1. {say('sizes')}", "", *_sizes(language, parts_list)],
        [f"## 2. {say('tensors')}", "", say("tensors_rule"), "", *_tensors(language, parts_list.tensors)],
        [f"## 3. {say('addition')}", "", *_addition(language, parts_list, total)],
        [
            f"## 4. {say('bytes')}",
            "",
            f"{grouped(total)} × 16 ÷ 8 = {grouped(number_of_bytes)} B = {gigabytes(number_of_bytes)} = {gibibytes(number_of_bytes)}",
        ],
    ]
    if model:
        checks = published_checks(language, total, model)
        sections.append([f"## 5. {text_in(language, 'addition.check')}", "", *(f"- {check}" for check in checks)])
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _sizes(language: str, parts_list: PartsList) -> list[str]:
    rows = [
        (f"`{name}`", field_of(name).symbol, grouped(value))
        for name, value in parts_list.sizes.items()
        if isinstance(value, int) and not isinstance(value, bool)
    ]
    return _table(language, ("field", "symbol", "value"), rows)


def _tensors(language: str, tensors: Iterable[Tensor]) -> list[str]:
    rows = [
        (
            f"`{tensor.name}`",
            tensor_title(language, tensor),
            f"{tensor.formula} = {grouped_within(tensor.numbers)}",
            grouped(tensor.count),
            grouped(tensor.copies),
            _all(language, tensor),
        )
        for tensor in tensors
    ]
    return _table(language, ("name", "what", "formula", "count", "copies", "all"), rows, numbers_from=3)


def _all(language: str, tensor: Tensor) -> str:
    """What all copies add to the total, or why they add nothing."""
    if tensor.tied_to:
        return text_in(language, "addition.tied")
    return text_in(language, "addition.buffer") if tensor.kind == "buffer" else grouped(tensor.parameters)


def _addition(language: str, parts_list: PartsList, total: int) -> list[str]:
    rows = [
        (
            row_title(language, row),
            row_expression(row) or text_in(language, "addition.tied"),
            grouped(row.count),
            percent(row.count / total),
        )
        for row in addition(parts_list)
    ]
    total_row = (f"**{text_in(language, 'worksheet.total')}**", "", f"**{grouped(total)}**", percent(1, 0))
    return _table(language, ("part", "product", "count", "share"), [*rows, total_row], numbers_from=1)


def _table(language: str, columns: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int = 2) -> list[str]:
    """A Markdown table whose columns from `numbers_from` on are right-aligned."""
    headings = [text_in(language, f"worksheet.{column}") for column in columns]
    rule = ["---:" if column >= numbers_from else "---" for column in range(len(headings))]
    return [f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows)]
