"""Units of memory: one amount in all of them, the reference table, and what cards are labelled and report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from calc.export import csv_text
from calc.gpus import gpus
from calc.memory.capacity import reported_mib
from calc.weights.byte_units import UNITS, Unit, in_unit, nvidia_smi_mib, written
from calc.weights.formats import flat_bytes
from ui.numbers import grouped
from ui.texts import text_in

SHOWN: tuple[Unit, ...] = ("B", "MB", "GB", "MiB", "GiB")
WIDTHS = {"fp32": 32, "fp16 / bf16": 16, "int8": 8, "int4": 4}
"""Formats of the table → bits a parameter."""


def unit_rows(number_of_bytes: int) -> list[list[str]]:
    """An amount in every unit: what it is in bytes, the figure, and how it comes about.

    >>> unit_rows(13_476_831_232)[3]
    ['MiB', '2²⁰ = 1,048,576 B', '12,852.51 MiB']
    """
    powers = {"B": "", "MB": "10⁶ = ", "GB": "10⁹ = ", "MiB": "2²⁰ = ", "GiB": "2³⁰ = "}
    return [
        [unit, f"{powers[unit]}{grouped(UNITS[unit])} B", written(number_of_bytes, unit, 0 if unit == "B" else 2)]
        for unit in SHOWN
    ]


def table_rows(models: Iterable[tuple[str, int]]) -> list[list[str]]:
    """Each model in each width: parameters · bits ÷ 8 in GB, GiB and MiB.

    >>> table_rows([("Llama-2-7B", 6_738_415_616)])[1]
    ['Llama-2-7B', 'fp16 / bf16', '6,738,415,616 × 16 ÷ 8', '13.48 GB', '12.55 GiB', '12,852 MiB']
    """
    return [
        [
            title,
            width,
            f"{grouped(parameters)} × {WIDTHS[width]} ÷ 8",
            written(size, "GB"),
            written(size, "GiB"),
            f"{grouped(nvidia_smi_mib(size))} MiB",
        ]
        for title, parameters, width, size in _sizes(models)
    ]


def table_csv(headings: list[str], models: Iterable[tuple[str, int]]) -> str:
    """The same in whole numbers and exact decimals."""
    rows = [
        (title, width, size, float(in_unit(size, "GB")), float(in_unit(size, "GiB")), nvidia_smi_mib(size))
        for title, _, width, size in _sizes(models)
    ]
    return csv_text(headings, rows)


def _sizes(models: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int, str, int]]:
    for title, parameters in models:
        for width, bits in WIDTHS.items():
            yield title, parameters, width, flat_bytes(parameters, bits)


def card_rows(language: str) -> list[list[str]]:
    """Each card: what its label says, the MiB its driver reports, and that in GB and GiB."""
    return [
        [
            gpu.name,
            f"{gpu.memory_gb} GB",
            f"{grouped(mib)} MiB",
            written(mib * UNITS["MiB"], "GB"),
            written(mib * UNITS["MiB"], "GiB"),
            _share(language, gpu.memory_bytes, mib),
        ]
        for gpu in gpus().values()
        if (mib := reported_mib().get(gpu.name)) is not None
    ]


def _share(language: str, label_bytes: int, mib: int) -> str:
    change = Fraction(mib * UNITS["MiB"], label_bytes) - 1
    return text_in(language, "memory.card_more" if change > 0 else "memory.card_less", share=f"{abs(float(change)) * 100:.1f}%")
