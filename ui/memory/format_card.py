"""One format of a model: its block, the types the file mixes, what stays in 16 or 32 bits, which GPUs compute in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from calc.export import csv_text
from calc.gpus import gpus
from calc.weights.float_bits import FLOAT_BITS
from calc.weights.formats import arithmetic_on, flat_bytes, formats
from calc.weights.gguf_types import VERSION
from calc.weights.number_format import NumberFormat
from calc.weights.weights import LineSize, Weights, format_of
from ui.figures.worked import Line, worked_list
from ui.html import Markup, headline, joined, section, tag
from ui.memory.bytes_written import all_units, bytes_line
from ui.memory.formats_list import stays_as_it_is
from ui.memory.sizes import block_of, nominal_bits
from ui.memory.titles import derivation, field_text, shared_texts, title_in
from ui.numbers import gibibytes, gigabytes, grouped, percent, signed_percent
from ui.texts import text_in

NARROWEST = 2.5
"""Per cent: the least width of a field of a block."""
NUMBERS = ("weight", "grid_index", "ternary_byte")
"""Fields that are the weights themselves; the others serve them."""


def weights_headline(language: str, size: Weights) -> Markup:
    """The bytes, in all units, bits a weight, and how far the rule of thumb is off."""
    text = partial(text_in, language)
    naive = flat_bytes(size.parameters, nominal_bits(size.format))
    key = {"gguf": "memory.head_gguf", "numbers": "memory.head_numbers"}.get(size.kind, "memory.head_file")
    return headline(
        ("total", f"{'' if size.is_exact else '≈ '}{grouped(size.bytes)}", text(key)),
        ("part", gigabytes(size.bytes), text("memory.head_units", units=all_units(size.bytes).partition(" · ")[2])),
        ("part", f"{float(size.bits_per_weight):.3f} bit", text("memory.head_bits")),
        (
            "part",
            signed_percent(size.bytes / naive - 1),
            text("memory.head_naive", bits=nominal_bits(size.format), naive=gigabytes(naive)),
        ),
        data_total=size.bytes,
    )


def block_picture(language: str, format_name: str) -> Markup:
    """The block, each field as wide as its bits; beneath, how bits a weight follow from it."""
    block = block_of(format_name)
    if block.block_weights == 1:
        return _one_number(language, format_name, block)
    strip, legend = [], []
    for field in block.fields:
        kind, share = "numbers" if field.what in NUMBERS else "beside", 100 * field.total_bits / block.block_bits
        strip.append(tag("i", class_=kind, style=f"flex-grow:{max(share, NARROWEST):.3f}"))
        legend.append(_legend(kind, f"{field_text(language, field)} = {grouped(field.total_bits)} bit"))
    label = ", ".join(field_text(language, field) for field in block.fields)
    named = block.title if block.family == "gguf" else title_in(language, block.name)
    return section(
        text_in(language, "memory.block_title", type=named, rows=block.block[0], columns=block.block[1]),
        tag("div", *strip, class_="strip", role="img", aria_label=label),
        tag("ul", *legend, class_="part-legend"),
        _paragraphs([derivation(language, block), *shared_texts(language, block)]),
        class_="block",
    )


def _one_number(language: str, format_name: str, block: NumberFormat) -> Markup:
    """A number that shares nothing with others: its sign, exponent and mantissa, bit by bit."""
    title = text_in(language, "memory.number_title", title=title_in(language, format_name), bits=block.block_bits)
    lines, picture = shared_texts(language, block), None
    of_float = FLOAT_BITS.get(block.arithmetic)
    if of_float and of_float.bits == block.block_bits:
        parts = {"sign": 1, "exponent": of_float.exponent, "mantissa": of_float.mantissa, "unused": of_float.unused}
        bits = (tag("i", class_=f"bit {part}") for part, number in parts.items() for _ in range(number))
        legend = (
            _legend(part, f"{text_in(language, f'memory.bit.{part}')} {number} bit") for part, number in parts.items() if number
        )
        picture = tag("div", *bits, class_="strip", aria_hidden="true") + tag("ul", *legend, class_="part-legend")
        limits = {"largest": f"{float(of_float.largest):.4g}", "step": f"1 ÷ {grouped(2**of_float.mantissa)}"}
        lines = [text_in(language, "memory.number_range", **limits), *lines]
    return section(title, picture, _paragraphs(lines), class_="block")


def _legend(kind: str, name: str) -> Markup:
    return tag("li", tag("i", class_=f"swatch {kind}"), name)


def _paragraphs(lines: Sequence[str]) -> Markup | None:
    return tag("div", *(tag("p", line) for line in lines), class_="how") if lines else None


def type_title(language: str, size: Weights, type_name: str) -> str:
    """A type of the file in the reader's language: a dtype or a type of llama.cpp as it is, a packing by its title."""
    number = format_of(size.format)
    return title_in(language, size.format) if not isinstance(number, str) and type_name == number.title else type_name


def type_lines(language: str, size: Weights) -> list[Line]:
    """What the file is made of, the largest first; each type opens into its block and its tensors."""
    return [_type_line(language, size, type_name, number) for type_name, number in size.by_type.items()]


def _type_line(language: str, size: Weights, type_name: str, number_of_bytes: int) -> Line:
    lines = [line for line in size.lines if line.type == type_name]
    share = number_of_bytes / max(size.data_bytes, 1)
    sums = {"tensors": sum(line.tensors for line in lines), "numbers": sum(line.numbers for line in lines)}
    block = formats().get(f"gguf-{type_name.lower()}")
    steps = (
        derivation(language, block) if block and block.block_weights > 1 else "",
        text_in(language, "memory.type_tensors", **{name: grouped(number) for name, number in sums.items()}),
        text_in(language, "frame.comma").join(dict.fromkeys(line.name for line in lines)),
    )
    small = f"{gibibytes(number_of_bytes)} · {percent(share, 1)}"
    return replace(bytes_line(type_title(language, size, type_name), number_of_bytes), steps=steps, small=small, share=share)


def file_lines(language: str, size: Weights) -> list[Line]:
    """Headers, index and files."""
    text = partial(text_in, language)
    if size.kind == "numbers":
        return []
    header = "memory.header_gguf" if size.kind == "gguf" else "memory.header"
    lines = [
        bytes_line(text("memory.data"), size.data_bytes, f"Σ = {grouped(size.data_bytes)} B"),
        bytes_line(text(header), size.header_bytes, text(f"{header}_note")),
    ]
    if size.index_bytes:
        lines.append(bytes_line(text("memory.index"), size.index_bytes, text("memory.index_note")))
    if size.files:
        first, last = size.files[0], size.files[-1]
        names = first if first == last else text("memory.file_names", first=first, last=last)
        lines.append(Line(text("memory.files"), len(size.files), "", (names,)))
    return lines


def unquantized_lines(language: str, size: Weights) -> list[Line]:
    """Which tensors stay in 16 or 32 bits, and why."""
    by_reason: dict[str, list[LineSize]] = {}
    if nominal_bits(size.format) < 16:
        for line in size.lines:
            if stays_as_it_is(line):
                by_reason.setdefault(line.reason or "rule", []).append(line)
    return [
        bytes_line(
            text_in(language, f"memory.kept.{reason}"),
            sum(line.bytes for line in of_reason),
            text_in(language, f"memory.reason.{reason}"),
            text_in(language, "frame.comma").join(f"{line.name} ({type_title(language, size, line.type)})" for line in of_reason),
        )
        for reason, of_reason in sorted(by_reason.items(), key=lambda item: -sum(line.bytes for line in item[1]))
    ]


def gpus_figure(language: str, format_name: str) -> Markup:
    """Which GPUs multiply the format as it is, which turn it into 16 bits first."""
    text, block = partial(text_in, language), block_of(format_name)
    ways: dict[str, list[str]] = {}
    for gpu in gpus().values():
        ways.setdefault(arithmetic_on(block, gpu.native), []).append(gpu.name)
    rows = (
        tag(
            "li",
            tag("b", text(f"memory.way.{way}")),
            " ",
            tag("span", text(f"memory.way_note.{way}")),
            tag("p", text("frame.comma").join(ways[way])),
        )
        for way in ("native", "unpacked", "emulated", "unknown")
        if way in ways
    )
    return section(text("memory.ways_title", title=title_in(language, format_name)), tag("ul", *rows), class_="ways")


def format_card(language: str, size: Weights) -> Markup:
    """Types, what is not quantized, files."""
    text, notes = partial(text_in, language), []
    if size.kind == "gguf":
        notes.append(text("memory.gguf_version", version=VERSION))
        notes.append(text("memory.imatrix_on" if size.imatrix else "memory.imatrix_off"))
    if not size.is_exact:
        notes.append(text(f"memory.inexact_{'numbers' if size.kind == 'numbers' else 'file'}"))
    lists = {"types": type_lines(language, size), "kept": unquantized_lines(language, size), "file": file_lines(language, size)}
    return joined(
        worked_list(text(f"memory.{name}_title"), lines, " ".join(notes) if name == "types" else "")
        for name, lines in lists.items()
        if lines
    )


def tensor_rows(language: str, size: Weights) -> list[list[str]]:
    """Every line of the file: name, type, how many tensors, numbers, bytes, bits a number."""
    return [[name, kind, *map(grouped, counts), f"{bits:.3f}"] for name, kind, *counts, bits in _tensors(language, size)]


def tensor_csv(headings: Sequence[str], language: str, size: Weights) -> str:
    """The same for a spreadsheet."""
    return csv_text(headings, _tensors(language, size))


def _tensors(language: str, size: Weights) -> list[tuple[str, str, int, int, int, float]]:
    return [
        (each.name, type_title(language, size, each.type), each.tensors, each.numbers, each.bytes, 8 * each.bytes / each.numbers)
        for each in size.lines
    ]
