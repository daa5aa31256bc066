"""One format of a model: its block, the types the file mixes, what stays in 16 or 32 bits, which GPUs compute in it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from calc.export import csv_text
from calc.gpus import gpus
from calc.weights.float_bits import FLOAT_BITS
from calc.weights.formats import NumberFormat, arithmetic_on, formats
from calc.weights.gguf_types import VERSION
from calc.weights.weights import LineSize, Weights, format_of
from ui.figures.worked import Line, worked_list
from ui.memory.bytes_written import all_units
from ui.memory.formats_list import stays_as_it_is
from ui.memory.sizes import block_of, naive_bytes, nominal_bits
from ui.memory.titles import beside, derivation, field_text, title_in
from ui.numbers import gibibytes, gigabytes, grouped, percent, signed_percent
from ui.texts import text_in

NARROWEST = 2.5
"""Per cent: what a field of a block is at least drawn with."""


def weights_headline(language: str, size: Weights) -> str:
    """The bytes, in all units, bits a weight, and beside them the rule of thumb."""
    naive = naive_bytes(size.parameters, size.format)
    key = {"gguf": "memory.head_gguf", "numbers": "memory.head_numbers"}.get(size.kind, "memory.head_file")
    about = "" if size.is_exact else "≈ "
    figures = [
        ("total", f"{about}{grouped(size.bytes)}", text_in(language, key)),
        ("part", gigabytes(size.bytes), text_in(language, "memory.head_units", units=all_units(size.bytes).partition(" · ")[2])),
        ("part", f"{float(size.bits_per_weight):.3f} bit", text_in(language, "memory.head_bits")),
        (
            "part",
            signed_percent(size.bytes / naive - 1),
            text_in(language, "memory.head_naive", bits=nominal_bits(size.format), naive=gigabytes(naive)),
        ),
    ]
    spans = "".join(
        f'<span class="figure"><span class="{css}"{f" data-total={size.bytes}" if css == "total" else ""}>{value}</span>'
        f"<small>{escape(said)}</small></span>"
        for css, value, said in figures
    )
    return f'<div class="headline figures">{spans}</div>'


def block_picture(language: str, format_name: str) -> str:
    """The block, each field as wide as its bits; beneath, how bits a weight follow from it."""
    block = block_of(format_name)
    shares = [max(100 * field.total_bits / block.block_bits, NARROWEST) for field in block.fields]
    strip = "".join(
        f'<i class="{"numbers" if field.what in ("weight", "grid_index", "ternary_byte") else "beside"}" style="flex-grow:{share:.3f}"></i>'
        for field, share in zip(block.fields, shares, strict=True)
    )
    label = ", ".join(field_text(language, field) for field in block.fields)
    legend = "".join(
        f'<li><i class="swatch {"numbers" if field.what in ("weight", "grid_index", "ternary_byte") else "beside"}"></i>'
        f"{escape(field_text(language, field))} = {grouped(field.total_bits)} bit</li>"
        for field in block.fields
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in (derivation(language, block), *beside(language, block)))
    if block.block_weights == 1:
        return _one_number(language, format_name, block)
    named = block.title if block.family == "gguf" else title_in(language, block.name)
    title = text_in(language, "memory.block_title", type=named, rows=block.block[0], columns=block.block[1])
    return (
        f'<section class="block"><h2>{escape(title)}</h2><div class="strip" role="img" aria-label="{escape(label)}">{strip}</div>'
        f'<ul class="part-legend">{legend}</ul><div class="how">{lines}</div></section>'
    )


def _one_number(language: str, format_name: str, block: NumberFormat) -> str:
    """A number that shares nothing with others: its sign, exponent and mantissa, bit by bit."""
    title = text_in(language, "memory.number_title", title=title_in(language, format_name), bits=block.block_bits)
    lines, drawn, legend = list(beside(language, block)), "", ""
    of_float = FLOAT_BITS.get(block.arithmetic)
    if of_float and of_float.bits == block.block_bits:
        parts = (("sign", 1), ("exponent", of_float.exponent), ("mantissa", of_float.mantissa), ("unused", of_float.unused))
        drawn = "".join(f'<i class="bit {part}"></i>' * number for part, number in parts)
        legend = "".join(
            f'<li><i class="swatch {part}"></i>{escape(text_in(language, f"memory.bit.{part}"))} {number} bit</li>'
            for part, number in parts
            if number
        )
        said = {"largest": f"{float(of_float.largest):.4g}", "step": f"1 ÷ {grouped(2**of_float.mantissa)}"}
        lines.insert(0, text_in(language, "memory.number_range", **said))
    steps = "".join(f"<p>{escape(line)}</p>" for line in lines)
    how = f'<div class="how">{steps}</div>' if steps else ""
    picture = f'<div class="strip" aria-hidden="true">{drawn}</div><ul class="part-legend">{legend}</ul>' if drawn else ""
    return f'<section class="block"><h2>{escape(title)}</h2>{picture}{how}</section>'


def type_title(language: str, size: Weights, type_name: str) -> str:
    """A type of the file in the reader's language: a dtype or a type of llama.cpp as it is, a packing by its title."""
    number = format_of(size.format)
    return title_in(language, size.format) if not isinstance(number, str) and type_name == number.title else type_name


def type_lines(language: str, size: Weights) -> list[Line]:
    """What the file is made of, the largest first; each type opens into its block and its tensors."""
    total = max(size.data_bytes, 1)
    return [
        Line(
            type_title(language, size, type_name),
            number,
            "B",
            (
                *([derivation(language, of_type)] if (of_type := _block_of_type(type_name)) else []),
                text_in(
                    language,
                    "memory.type_tensors",
                    tensors=grouped(sum(line.tensors for line in held)),
                    numbers=grouped(sum(line.numbers for line in held)),
                ),
                text_in(language, "frame.comma").join(dict.fromkeys(line.name for line in held)),
            ),
            shown=gigabytes(number),
            small=f"{gibibytes(number)} · {percent(number / total, 1)}",
            share=number / total,
        )
        for type_name, number in size.by_type.items()
        for held in [[line for line in size.lines if line.type == type_name]]
    ]


def file_lines(language: str, size: Weights) -> list[Line]:
    """Headers, index and files."""
    lines = [_bytes_line(text_in(language, "memory.data"), size.data_bytes, f"Σ = {grouped(size.data_bytes)} B")]
    if size.kind == "numbers":
        return []
    if size.kind == "gguf":
        label, note = text_in(language, "memory.header_gguf"), text_in(language, "memory.header_gguf_note")
    else:
        label, note = text_in(language, "memory.header"), text_in(language, "memory.header_note")
    lines.append(_bytes_line(label, size.header_bytes, note))
    if size.index_bytes:
        lines.append(_bytes_line(text_in(language, "memory.index"), size.index_bytes, text_in(language, "memory.index_note")))
    if size.files:
        named = (
            text_in(language, "memory.file_names", first=size.files[0], last=size.files[-1])
            if len(size.files) > 1
            else size.files[0]
        )
        lines.append(Line(text_in(language, "memory.files"), len(size.files), "", (named,)))
    return lines


def kept_lines(language: str, size: Weights) -> list[Line]:
    """Which tensors stay in 16 or 32 bits, and why."""
    found: dict[str, list[LineSize]] = {}
    if nominal_bits(size.format) < 16:
        for line in size.lines:
            if stays_as_it_is(line):
                found.setdefault(line.reason or "rule", []).append(line)
    return [
        _bytes_line(
            text_in(language, f"memory.kept.{reason}"),
            sum(line.bytes for line in held),
            text_in(language, f"memory.reason.{reason}"),
            text_in(language, "frame.comma").join(f"{line.name} ({type_title(language, size, line.type)})" for line in held),
        )
        for reason, held in sorted(found.items(), key=lambda item: -sum(line.bytes for line in item[1]))
    ]


def gpus_figure(language: str, format_name: str) -> str:
    """Which GPUs multiply the format as it is, which turn it into 16 bits first."""
    block = block_of(format_name)
    ways: dict[str, list[str]] = {}
    for gpu in gpus().values():
        ways.setdefault(arithmetic_on(block, gpu.native), []).append(gpu.name)
    rows = "".join(
        f"<li><b>{escape(text_in(language, f'memory.way.{way}'))}</b> <span>{escape(text_in(language, f'memory.way_note.{way}'))}</span>"
        f"<p>{escape(text_in(language, 'frame.comma').join(ways[way]))}</p></li>"
        for way in ("native", "unpacked", "emulated", "unknown")
        if way in ways
    )
    title = text_in(language, "memory.ways_title", title=title_in(language, format_name))
    return f'<section class="ways"><h2>{escape(title)}</h2><ul>{rows}</ul></section>'


def format_card(language: str, size: Weights) -> str:
    """Types, file, what is kept."""
    notes = []
    if size.kind == "gguf":
        notes.append(text_in(language, "memory.gguf_version", version=VERSION))
        notes.append(text_in(language, "memory.imatrix_on" if size.imatrix else "memory.imatrix_off"))
    if not size.is_exact:
        notes.append(text_in(language, f"memory.inexact_{'numbers' if size.kind == 'numbers' else 'file'}"))
    blocks = [worked_list(text_in(language, "memory.types_title"), type_lines(language, size), " ".join(notes))]
    kept, of_file = kept_lines(language, size), file_lines(language, size)
    if kept:
        blocks.append(worked_list(text_in(language, "memory.kept_title"), kept))
    if of_file:
        blocks.append(worked_list(text_in(language, "memory.file_title"), of_file))
    return "".join(blocks)


def tensor_rows(language: str, size: Weights) -> list[list[str]]:
    """Every line of the file: name, type, how many tensors, numbers, bytes, bits a number."""
    return [
        [
            line.name,
            type_title(language, size, line.type),
            grouped(line.tensors),
            grouped(line.numbers),
            grouped(line.bytes),
            f"{8 * line.bytes / line.numbers:.3f}",
        ]
        for line in size.lines
    ]


def tensor_csv(headings: Sequence[str], language: str, size: Weights) -> str:
    """The same for a spreadsheet."""
    return csv_text(
        headings,
        [
            (
                line.name,
                type_title(language, size, line.type),
                line.tensors,
                line.numbers,
                line.bytes,
                8 * line.bytes / line.numbers,
            )
            for line in size.lines
        ],
    )


def _bytes_line(label: str, number: int, *steps: str) -> Line:
    return Line(label, number, "B", (*steps, f"= {grouped(number)} B"), shown=gigabytes(number), small=gibibytes(number))


def _block_of_type(type_name: str) -> NumberFormat | None:
    block = formats().get(f"gguf-{type_name.lower()}")
    return block if block and block.block_weights > 1 else None
