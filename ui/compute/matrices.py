"""Where a token's FLOPs go: one bar in the parts' colours, and every matrix with the product it stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape

from calc.compute.attention import flops_per_position, head_widths
from calc.compute.flops import matmul_flops_by_part, matmul_flops_by_tensor, matmul_flops_per_token
from calc.compute.passes import stream_flops_per_token
from calc.compute.recurrence import recurrence_flops_of
from calc.model import Model
from calc.parts_list import PartsList
from calc.tensors import PARTS, Part, Tensor
from ui.compute.conventions import exact_per_token
from ui.compute.derivations import attended, kind_name, recurrence_steps, tensor_steps
from ui.figures.explain import title
from ui.figures.worked import Line, worked_list
from ui.figures.written import si
from ui.numbers import grouped, percent
from ui.texts import text_in

MEETING = "meeting"
"""The piece of attention that is in no matrix: scores, the weighing of values, and recurrences."""


PALER_ATTENTION = "#F2CD7A"
"""Attention's matrices beside its own products, which have the part's colour in full; dark letters are legible on both."""


def pieces(model: Model, context: int) -> dict[str, int]:
    """FLOPs of the token that attends to `context` positions: each part's matrices, and what is in no matrix."""
    by_part: Mapping[Part, int] = matmul_flops_by_part(model.tensors, model.mixing_if_described)
    meeting = exact_per_token(model, context) - matmul_flops_per_token(model.tensors, model.mixing_if_described)
    found: dict[str, int] = {}
    for part in PARTS:
        found[part] = by_part[part]
        if part == "attention":
            found[MEETING] = meeting
    return {piece: flops for piece, flops in found.items() if flops}


def piece_name(language: str, piece: str) -> str:
    """A part's name; attention's two pieces are told apart."""
    return text_in(language, f"compute.piece.{piece}") if piece in (MEETING, "attention") else text_in(language, f"part.{piece}")


def flops_bar(language: str, model: Model, context: int) -> str:
    """The bar and its legend."""
    found, total = pieces(model, context), exact_per_token(model, context)
    bar, legend, spoken = [], [], []
    for piece, flops in found.items():
        name, share = piece_name(language, piece), percent(flops / total)
        colour = PALER_ATTENTION if piece == "attention" else f"var(--part-{'attention' if piece == MEETING else piece})"
        bar.append(f'<i style="flex-grow:{flops / total:.8f};background:{colour}"></i>')
        swatch = f'<i class="swatch" style="background:{colour}"></i>'
        legend.append(f"<li>{swatch}{escape(name)} <b>{si(flops)}</b> <span>{share}</span></li>")
        spoken.append(f"{name} {share}")
    label = text_in(language, "compute.bar_label", shares=text_in(language, "frame.comma").join(spoken))
    heading = text_in(language, "compute.bar_title", context=grouped(context))
    return (
        f'<section class="composition"><h2>{escape(heading)}</h2>'
        f'<div class="bar" role="img" aria-label="{escape(label)}">{"".join(bar)}</div><ul>{"".join(legend)}</ul></section>'
    )


def matrix_lines(language: str, model: Model, parts_list: PartsList, context: int) -> list[Line]:
    """A line for each matrix and table in the order data flows, attention's own products after the matrices of attention."""
    total = exact_per_token(model, context)
    largest = max([flops for _, flops in matmul_flops_by_tensor(model.tensors, model.mixing_if_described)], default=1) or 1
    meeting = _meeting_lines(language, model, context)
    largest = max([largest, *(line.amount for line in meeting)])
    lines: list[Line] = []
    listed = [
        (tensor, flops)
        for tensor, flops in matmul_flops_by_tensor(model.tensors, model.mixing_if_described)
        if flops or tensor.kind in ("matrix", "table")
    ]
    names = Counter(tensor.short_name for tensor, _ in listed)
    for tensor, flops in listed:
        steps = (
            f"{tensor.name}{text_in(language, 'compute.colon')}{title(language, tensor)}",
            *tensor_steps(language, tensor, flops),
        )
        label = tensor.short_name if names[tensor.short_name] == 1 else _longer_name(tensor)
        lines.append(_line(label, flops, total, largest, tensor.part, steps))
    if model.mixing_if_described is not None and (
        streams := stream_flops_per_token(model.mixing_if_described.sizes, model.mixing_if_described.model_type)
    ):
        steps = (text_in(language, "compute.streams_rule"),)
        lines.append(_line(text_in(language, "compute.gap.streams"), streams, total, largest, "other", steps))
    after = max((number for number, line in enumerate(lines) if line.part == "attention"), default=-1) + 1
    placed = [_line(line.label, line.amount, total, largest, "attention", line.steps) for line in meeting]
    return [*lines[:after], *placed, *lines[after:]]


def _longer_name(tensor: Tensor) -> str:
    """`shared_experts.gate_proj`, where others are called `gate_proj` too."""
    words = [word for word in tensor.name.removesuffix(".weight").split(".") if word != "*"]
    return ".".join(words[-2:])


def matrices(language: str, model: Model, parts_list: PartsList, context: int) -> str:
    """The list."""
    lines = matrix_lines(language, model, parts_list, context)
    return worked_list(text_in(language, "compute.matrices_title"), lines, text_in(language, "compute.matrices_note"))


def _line(label: str, flops: int, total: int, largest: int, part: Part, steps: tuple[str, ...]) -> Line:
    return Line(label, flops, "FLOP", steps, grouped(flops), percent(flops / total, 1) if flops else "", part, flops / largest)


def _meeting_lines(language: str, model: Model, context: int) -> list[Line]:
    """Scores, and the weighing of values, of each kind of attention; recurrences."""
    lines: list[Line] = []
    if model.mixing_if_described is None:
        return lines
    several = len(model.mixing_if_described.attention) > 1
    for entry in model.mixing_if_described.attention:
        widths, positions = head_widths(entry, model.mixing_if_described), attended(entry, model.mixing_if_described, context)
        if not flops_per_position(entry, model.mixing_if_described):
            continue
        for what, width in (("scores", widths.key), ("weighing", widths.value)):
            factors = (entry.copies, 2, entry.heads.value, width, positions)
            flops = entry.copies * 2 * entry.heads.value * width * positions
            name = text_in(language, f"compute.{what}")
            label = f"{name} · {kind_name(language, entry)}" if several else name
            product = f"{' × '.join(map(grouped, factors))} = {grouped(flops)}"
            if flops:
                lines.append(Line(label, flops, "FLOP", (text_in(language, f"compute.{what}_rule"), product)))
    for entry in model.mixing_if_described.recurrences:
        if recurrence_flops_of(entry):
            label = text_in(language, "compute.recurrence_of", kind=entry.kind)
            lines.append(Line(label, recurrence_flops_of(entry), "FLOP", recurrence_steps(language, entry)))
    return lines
