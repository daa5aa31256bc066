"""All formats of a family: bits a weight from the block, what this model takes, and beside it the rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from calc.errors import ConfigError
from calc.export import csv_text
from calc.model import Model
from calc.weights.formats import NumberFormat, decimal, formats
from calc.weights.gguf_types import VERSION
from calc.weights.weights import LineSize, format_of
from ui.memory.bytes_written import gb_and_gib
from ui.memory.sizes import block_of, formats_of, naive_bytes, nominal_bits, size_or_fault
from ui.memory.titles import beside, derivation, title_in
from ui.numbers import gibibytes, gigabytes, grouped, percent
from ui.texts import text_in


@dataclass(frozen=True, slots=True)
class FormatSize:
    """A format and what a model takes in it.

    name      as `calc.weights.weights.weights` takes it, or of a block as `calc.weights.formats.formats` has it
    title     as a person writes it
    block     of most weights
    in_format, kept   bytes that are stored in the format, and bytes that stay in 16 or 32 bits; None of a block alone
    naive     parameters · nominal bits ÷ 8
    fault     why there is no such file of this model
    """

    name: str
    title: str
    block: NumberFormat
    in_format: int | None = None
    kept: int = 0
    naive: int = 0
    fault: ConfigError | None = None

    @property
    def bytes(self) -> int:
        """Of all tensors, headers aside."""
        return (self.in_format or 0) + self.kept


def format_sizes(language: str, family: str, model: Model, parameters: int, imatrix: bool) -> list[FormatSize]:
    """Every format of a family with the bytes of a model; blocks have none."""
    if family == "gguf_blocks":
        blocks = (block_named(name) for name in formats_of(family))
        return [FormatSize(block.name, block.title, block) for block in blocks]
    return [_size(language, name, model, parameters, imatrix) for name in formats_of(family)]


def block_named(name: str) -> NumberFormat:
    """A block type of llama.cpp."""
    return formats()[name]


def stays_as_it_is(line: LineSize) -> bool:
    """Whether a line keeps 16 or 32 bits in a file of fewer."""
    return line.reason is not None or line.type in ("F32", "F16", "BF16")


def formats_list(language: str, family: str, sizes: Sequence[FormatSize], parameters: int, chosen: str) -> str:
    """A row a format, which opens into its derivation; bars on one scale, that of 32 bits broken, a tick where the rule of thumb ends."""
    largest = max(
        [max(size.bytes, size.naive) for size in sizes if size.in_format is not None and nominal_bits(size.name) <= 16], default=0
    )
    most_bits = max(float(size.block.bits_per_weight) for size in sizes)
    rows = "".join(_row(language, size, parameters, largest, most_bits, size.name == chosen) for size in sizes)
    key = "memory.formats_blocks_note" if family == "gguf_blocks" else "memory.formats_note"
    note = text_in(language, key)
    if family.startswith("gguf"):
        note += text_in(language, "memory.gguf_version", version=VERSION)
    return f'<section class="formats{" gguf" if family.startswith("gguf") else ""}"><p class="note">{escape(note)}</p>{rows}</section>'


def formats_csv(headings: Sequence[str], language: str, sizes: Sequence[FormatSize], parameters: int) -> str:
    """A row a format: name, bits of the block, derivation, bytes, bits a weight of the file, the rule of thumb."""
    return csv_text(
        headings,
        [
            (
                size.title,
                float(size.block.bits_per_weight),
                derivation(language, size.block),
                "" if size.in_format is None else size.bytes,
                "" if size.in_format is None else round(8 * size.bytes / parameters, 6),
                size.naive or "",
            )
            for size in sizes
        ],
    )


def _size(language: str, name: str, model: Model, parameters: int, imatrix: bool) -> FormatSize:
    found, block, title = size_or_fault(model, name, imatrix), block_of(name), title_in(language, name)
    naive = naive_bytes(parameters, name)
    if isinstance(found, ConfigError):
        return FormatSize(name, title, block, None, 0, naive, found)
    if nominal_bits(name) >= 16:
        return FormatSize(name, title, block, sum(line.bytes for line in found), 0, naive)
    kept = sum(line.bytes for line in found if stays_as_it_is(line))
    return FormatSize(name, title, block, sum(line.bytes for line in found) - kept, kept, naive)


def _row(language: str, size: FormatSize, parameters: int, largest: int, most_bits: float, chosen: bool) -> str:
    marked = ' class="current"' if chosen else ""
    steps = [derivation(language, size.block), *beside(language, size.block)]
    if isinstance(format_of_or_none(size), str):
        steps[0] = text_in(language, "memory.main_block", type=size.block.title) + steps[0]
    if size.in_format is None:
        bits = float(size.block.bits_per_weight)
        bar = "" if size.fault else f'<i style="width:{bits / most_bits * 100:.3f}%"></i>'
        figure = text_in(language, "memory.no_such_file") if size.fault else f"{decimal(size.block.bits_per_weight)} bit"
        if size.fault:
            steps.append(text_in(language, f"error.{size.fault.code}", **size.fault.details))
        small = ""
    else:
        bar = (
            f'<i style="width:{size.in_format / largest * 100:.3f}%"></i><i class="kept" style="width:{size.kept / largest * 100:.3f}%"></i>'
            f'<b style="left:{size.naive / largest * 100:.3f}%"></b>'
        )
        if size.bytes > largest:  # 32 bits would dwarf all others: broken, its length is written beside it
            bar = '<i class="cut" style="width:82%"></i><i style="width:18%"></i>'
        figure, small = gigabytes(size.bytes), gibibytes(size.bytes)
        over = size.bytes / size.naive - 1
        steps += [
            text_in(language, "memory.row_bytes", bytes=grouped(size.bytes), bits=f"{8 * size.bytes / parameters:.3f}"),
            text_in(
                language,
                "memory.row_naive",
                parameters=grouped(parameters),
                bits=nominal_bits(size.name),
                naive=gb_and_gib(size.naive),
                over=percent(over),
            ),
        ]
        if size.kept:
            steps.append(text_in(language, "memory.row_kept", kept=gb_and_gib(size.kept)))
    how = "".join(f"<p>{escape(step)}</p>" for step in [*steps, size.block.source])
    block_bits = "" if size.in_format is None else f"{decimal(size.block.bits_per_weight)} bit"
    return (
        f'<details{marked} data-format="{escape(size.name)}"><summary><span class="what">{escape(size.title.removeprefix("GGUF "))}</span>'
        f'<span class="bits">{block_bits}</span><span class="track" aria-hidden="true">{bar}</span>'
        f'<span class="figure" data-amount="{size.bytes}">{escape(figure)}<small>{escape(small)}</small></span></summary>'
        f'<div class="how">{how}</div></details>'
    )


def format_of_or_none(size: FormatSize) -> NumberFormat | str | None:
    """What `format_of` says of a row; None of a block."""
    return None if size.block.name == size.name and size.block.family == "gguf" else format_of(size.name)
