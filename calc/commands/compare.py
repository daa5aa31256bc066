"""`compare`: models side by side, from the fields of their configs to bytes and FLOPs a token."""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence

from calc.commands.models import model_help, model_of
from calc.comparison.cells import REMARKS, checked_number
from calc.comparison.columns import GROUPS
from calc.comparison.comparison import Comparison, ModelRow, compare
from calc.comparison.export import comparison_csv, comparison_document, value_text
from calc.errors import ConfigError, quoted

HELP = "models side by side"

WIDTH = 100
"""Characters of a line; models that find no room in it follow in a second table."""
LONGEST_TITLE = 24
UNMARKED = ("dense", "no_such_thing", "no_published")
"""Remarks that a dash says already."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL… [--json | --csv FILE]."""
    parser.add_argument("models", metavar="MODEL", nargs="+", help=model_help())
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as a JSON document, one object a model")
    form.add_argument("--csv", metavar="FILE", help="as CSV, one line a model, into FILE; - prints it")


def run(arguments: argparse.Namespace) -> None:
    """Print the comparison of some models, or write it into a file."""
    checked_number(len(arguments.models))
    table = compare(map(model_of, arguments.models))
    if arguments.json:
        print(json.dumps(comparison_document(table), indent=1))
    elif arguments.csv == "-":
        sys.stdout.write(comparison_csv(table))
    elif arguments.csv is not None:
        write_csv(arguments.csv, comparison_csv(table))
    else:
        print(comparison_as_text(table))


def write_csv(path: str, text: str) -> None:
    """Write CSV into a file, with the mark that tells Excel it is UTF-8 where it is more than ASCII.

    Raises ConfigError: unwritable_file.
    """
    try:
        with open(path, "w", encoding="utf-8" if text.isascii() else "utf-8-sig", errors="surrogateescape", newline="") as file:
            file.write(text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError("unwritable_file", path=quoted(path), reason=reason) from None


def comparison_as_text(table: Comparison) -> str:
    """A table with a line for each figure and a column for each model, as many beside each other as a line holds.

    A letter after a value stands for a remark below the table; figures that no model has are left out.
    """
    rows = table.rows
    columns = [column for column in table.columns if any(each.value(column.key) is not None for each in rows)]
    letters = _letters(rows, [column.key for column in columns])
    texts = [
        [_shortened(each.title) + " "]
        + [
            value_text(each.value(column.key), column) + letters.get(each.cells[column.key].remark or "", " ")
            for column in columns
        ]
        for each in rows
    ]
    label_width = 2 + max(len(column.key) for column in columns)
    blocks = []
    for together in _blocks(texts, WIDTH - label_width):
        widths = [_width_of(each) for each in together]
        lines = [_line("", [each[0] for each in together], label_width, widths)]
        for group in GROUPS:
            members = [number for number, column in enumerate(columns, 1) if column.group == group]
            lines += [group] if members else []
            lines += [
                _line(f"  {columns[number - 1].key}", [each[number] for each in together], label_width, widths)
                for number in members
            ]
        blocks.append("\n".join(lines))
    notes = ["Figures of layers, parts and totals are parameters; KV cache and fp16 are for 16 bits a number."]
    notes += [f"{letter}  {REMARKS[remark]}" for remark, letter in letters.items()]
    return "\n\n".join((*blocks, "\n".join(notes)))


def _letters(rows: Sequence[ModelRow], keys: Sequence[str]) -> dict[str, str]:
    """A letter for each remark the table makes, in the order they first stand in it."""
    made = (each.cells[key].remark for key in keys for each in rows)
    remarks = dict.fromkeys(remark for remark in made if remark and remark not in UNMARKED)
    return dict(zip(remarks, "abcdefghijklmnopqrstuvwxyz", strict=False))


def _blocks(texts: Sequence[list[str]], room: int) -> Iterator[list[list[str]]]:
    """The models' columns in groups that find room beside each other; one that is too wide stands alone."""
    together: list[list[str]] = []
    for text in texts:
        if together and sum(_width_of(each) for each in together) + _width_of(text) > room:
            yield together
            together = []
        together.append(text)
    yield together


def _width_of(texts: Sequence[str]) -> int:
    return 1 + max(display_width(text) for text in texts)


def _line(label: str, cells: Sequence[str], label_width: int, widths: Sequence[int]) -> str:
    padded = (" " * (width - display_width(cell)) + cell for cell, width in zip(cells, widths, strict=True))
    return f"{label:<{label_width}}{''.join(padded)}".rstrip()


def _shortened(title: str) -> str:
    """A title on one line; of a long path the end, which tells files apart."""
    one_line = " ".join(title.split())
    return one_line if len(one_line) <= LONGEST_TITLE else "…" + one_line[1 - LONGEST_TITLE :]


def display_width(text: str) -> int:
    """The columns a text takes in a terminal: a Chinese character takes two.

    >>> display_width("模型 a")
    6
    """
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
