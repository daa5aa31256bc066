"""All formats of a family: bits a weight from the block, what this model takes, and the rule of thumb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from calc.errors import ConfigError
from calc.export import csv_text
from calc.model import Model
from calc.weights.formats import flat_bytes, formats
from calc.weights.gguf_types import VERSION
from calc.weights.number_format import NumberFormat, decimal
from calc.weights.weights import LineSize
from ui.html import Markup, joined, tag
from ui.memory.bytes_written import gb_and_gib
from ui.memory.sizes import block_of, formats_of, lines_or_fault, nominal_bits
from ui.memory.titles import derivation, shared_texts, title_in
from ui.numbers import gibibytes, gigabytes, grouped, percent
from ui.texts import text_in


@dataclass(frozen=True, slots=True)
class FormatSize:
    """A format and what a model takes in it.

    name      as `calc.weights.weights.weights` takes it, or of a block as `calc.weights.formats.formats` has it
    title     as a person writes it
    block     of most weights
    in_format     bytes that are stored in the format; None for a block without a file
    unquantized   bytes that stay in 16 or 32 bits
    naive     parameters · nominal bits ÷ 8
    fault     why there is no such file of this model
    """

    name: str
    title: str
    block: NumberFormat
    in_format: int | None = None
    unquantized: int = 0
    naive: int = 0
    fault: ConfigError | None = None

    @property
    def bytes(self) -> int:
        """Of all tensors, headers aside."""
        return (self.in_format or 0) + self.unquantized


def format_sizes(language: str, family: str, model: Model, parameters: int, imatrix: bool) -> list[FormatSize]:
    """Every format of a family with the bytes of a model; blocks have none."""
    if family == "gguf_blocks":
        return [FormatSize(name, formats()[name].title, formats()[name]) for name in formats_of(family)]
    return [_size(language, name, model, parameters, imatrix) for name in formats_of(family)]


def stays_as_it_is(line: LineSize) -> bool:
    """Whether a line keeps 16 or 32 bits in a file of fewer."""
    return line.reason is not None or line.type in ("F32", "F16", "BF16")


def formats_list(language: str, family: str, sizes: Sequence[FormatSize], parameters: int, chosen: str) -> Markup:
    """A row a format, which opens into its derivation; bars on one scale, that of 32 bits broken, a tick where the rule of thumb ends."""
    largest = max(
        [max(size.bytes, size.naive) for size in sizes if size.in_format is not None and nominal_bits(size.name) <= 16], default=0
    )
    most_bits = max(float(size.block.bits_per_weight) for size in sizes)
    rows = (_row(language, size, parameters, largest, most_bits, size.name == chosen) for size in sizes)
    note = text_in(language, "memory.formats_blocks_note" if family == "gguf_blocks" else "memory.formats_note")
    if family.startswith("gguf"):
        note += text_in(language, "memory.gguf_version", version=VERSION)
    return tag("section", tag("p", note, class_="note"), *rows, class_=f"formats{' gguf' if family.startswith('gguf') else ''}")


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
    lines, block, title = lines_or_fault(model, name, imatrix), block_of(name), title_in(language, name)
    naive = flat_bytes(parameters, nominal_bits(name))
    if isinstance(lines, ConfigError):
        return FormatSize(name, title, block, None, 0, naive, lines)
    total = sum(line.bytes for line in lines)
    unquantized = 0 if nominal_bits(name) >= 16 else sum(line.bytes for line in lines if stays_as_it_is(line))
    return FormatSize(name, title, block, total - unquantized, unquantized, naive)


def _row(language: str, size: FormatSize, parameters: int, largest: int, most_bits: float, chosen: bool) -> Markup:
    bits = f"{decimal(size.block.bits_per_weight)} bit"
    if size.fault:
        bar, figure, small = None, text_in(language, "memory.no_such_file"), ""
    elif size.in_format is None:
        bar, figure, small = _stretch(float(size.block.bits_per_weight) / most_bits), bits, ""
    else:
        bar, figure, small = _bar(size, largest), gigabytes(size.bytes), gibibytes(size.bytes)
    summary = tag(
        "summary",
        tag("span", size.title.removeprefix("GGUF "), class_="what"),
        tag("span", bits if size.in_format is not None else None, class_="bits"),
        tag("span", bar, class_="track", aria_hidden="true"),
        tag("span", figure, tag("small", small), class_="figure", data_amount=size.bytes),
    )
    steps = (*_steps(language, size, parameters), size.block.source)
    how = tag("div", *(tag("p", step) for step in steps), class_="how")
    return tag("details", summary, how, class_="current" if chosen else None, data_format=size.name)


def _bar(size: FormatSize, largest: int) -> Markup:
    """What is in the format, what is not, and where the rule of thumb ends; 32 bits, which would dwarf the rest, are broken."""
    if size.bytes > largest:
        return _stretch(0.82, "cut", digits=0) + _stretch(0.18, digits=0)
    tick = tag("b", style=f"left:{size.naive / largest * 100:.3f}%")
    return joined((_stretch((size.in_format or 0) / largest), _stretch(size.unquantized / largest, "kept"), tick))


def _stretch(share: float, css: str | None = None, digits: int = 3) -> Markup:
    return tag("i", class_=css, style=f"width:{share * 100:.{digits}f}%")


def _steps(language: str, size: FormatSize, parameters: int) -> Iterator[str]:
    """How its bits a weight and its bytes come about."""
    text = partial(text_in, language)
    is_file = size.block.family == "gguf" and size.block.name != size.name
    main_block = text("memory.main_block", type=size.block.title) if is_file else ""
    yield main_block + derivation(language, size.block)
    yield from shared_texts(language, size.block)
    if size.fault:
        yield text(f"error.{size.fault.code}", **size.fault.details)
    if size.in_format is None:
        return
    naive = {"bits": nominal_bits(size.name), "naive": gb_and_gib(size.naive), "over": percent(size.bytes / size.naive - 1)}
    yield text("memory.row_bytes", bytes=grouped(size.bytes), bits=f"{8 * size.bytes / parameters:.3f}")
    yield text("memory.row_naive", parameters=grouped(parameters), **naive)
    if size.unquantized:
        yield text("memory.row_kept", kept=gb_and_gib(size.unquantized))
