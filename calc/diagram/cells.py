"""What the diagram is laid out from: a matrix, a vector, a heading, and rows, columns and panels of them.

Each cell knows its size at a scale (px per element of a vector) and draws itself at a place. One scale serves all
rectangles; labels keep their size, so a cell is at least as wide as its label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from calc.diagram import drawing
from calc.diagram.colours import PART_COLOURS
from calc.markup import Markup, joined
from calc.tensors import Band, Part, Tensor

NAME_SIZE, DETAIL_SIZE, HEADING_SIZE = 12, 10.5, 13
SMALLEST_TARGET = 24
"""px: what a finger can hit (WCAG 2.2, 2.5.8)."""
FINEST_STRIPE = 0.6
"""px: hairlines closer than this would melt into one tone and are not drawn."""
FINEST_RUN = 0.3
"""px: the same for tinted runs."""

Describe = Callable[[Tensor], str]
"""A tensor's name and lengths in the reader's language."""


def is_cut(side: float, longest: float) -> bool:
    """Whether a side (px) is cut to the longest; a little over it, it is not, since little would be left out."""
    return side > 1.02 * longest


class Cell(Protocol):
    """Anything that takes up room in the diagram."""

    def size(self, scale: float) -> tuple[float, float]:
        """Width and height in px at this scale."""
        ...

    def draw(self, scale: float, x: float, y: float) -> Markup:
        """SVG with the top left corner at (x, y)."""
        ...


@dataclass(frozen=True)
class Matrix:
    """A tensor as a rectangle, width ∝ out and height ∝ in, its name and lengths below.

    longest   where a side would be longer than this many px, it is cut to it and a break mark drawn
    key       what the page calls it, its name unless given
    stack     where it is a stack of experts: how many, in words; sheets are drawn behind it
    """

    tensor: Tensor
    describe: Describe
    longest: float = 1e9
    with_lengths: bool = True
    lengths_in_a_line: bool = True
    key: str = ""
    stack: str = ""

    def sides(self, scale: float) -> tuple[float, float]:
        """Drawn width and height in px; never below 1 px."""
        width, height = self.tensor.output.value * scale, self.tensor.input.value * scale
        return self._shown(width), self._shown(height)

    def _shown(self, side: float) -> float:
        return self.longest if is_cut(side, self.longest) else max(1, side)

    @cached_property
    def lines(self) -> list[tuple[str, float, str]]:
        """Label lines below: text, size, tone."""
        lengths = [f"{self.tensor.input.value:,}", f"× {f'{self.tensor.output.value:,}'}"]
        if self.lengths_in_a_line:
            lengths = [" ".join(lengths)]
        details = [(line, DETAIL_SIZE, "soft") for line in lengths if self.with_lengths]
        details += [(self.stack, DETAIL_SIZE, "soft")] if self.stack else []
        return [(self.tensor.short_name, NAME_SIZE, "ink"), *details]

    @cached_property
    def label_width(self) -> float:
        """Width the labels need, and a finger."""
        return max(SMALLEST_TARGET, *(drawing.text_width(text, size) for text, size, _ in self.lines))

    def size(self, scale: float) -> tuple[float, float]:
        """Width and height, px."""
        width, height = self.sides(scale)
        return max(width, self.label_width), height + 4 + 14 * len(self.lines)

    def draw(self, scale: float, x: float, y: float) -> Markup:
        """Its shapes, the upper left corner at x, y."""
        width, height = self.sides(scale)
        cell_width, cell_height = self.size(scale)
        left = x + (cell_width - width) / 2
        tensor, sheets = self.tensor, (6, 3) if self.stack else ()
        shapes = [
            drawing.target(x - 3, y - 3, cell_width + 6, cell_height + 6),
            *(drawing.matrix(left + shift, y - shift, width, height, tensor.part, fill_opacity=0) for shift in sheets),
            drawing.matrix(left, y, width, height, tensor.part, fill_opacity=0.1 if tensor.tied_to else 0.2),
            *stripes(tensor.output_bands, left, y, width, height, tensor.part, upright=True),
            *stripes(tensor.input_bands, left, y, width, height, tensor.part, upright=False),
        ]
        for length, vertical in ((tensor.output, False), (tensor.input, True)):
            if is_cut(length.value * scale, self.longest):
                shapes.append(drawing.break_mark(left, y, width, height, vertical=vertical))
        for index, (text, size, tone) in enumerate(self.lines):
            baseline = y + height + 15 + 14 * index
            shapes.append(drawing.label(x + cell_width / 2, baseline, text, size=size, tone=tone, anchor="middle"))
        return drawing.choosable(self.key or tensor.name, self.describe(tensor), *shapes)


def stripes(bands: Sequence[Band], x: float, y: float, width: float, height: float, part: Part, *, upright: bool) -> list[Markup]:
    """Heads as stripes: columns of a matrix that makes them (upright), rows of one that takes them in.

    A hairline between heads, a line between bands; where query heads share kv heads, every other run of heads that
    belong to one kv head is tinted, in the queries as in the keys and values.
    """
    if not bands:
        return []
    pixels = (width if upright else height) / sum(band.length for band in bands)
    tints, hairlines, seams = [], [], []
    start, hairline = x if upright else y, 0.5
    for band in bands:
        length = band.length * pixels / (band.kv_heads or 1)
        for run in range(0, band.kv_heads or 0, 2) if length >= FINEST_RUN else ():
            box = (start + run * length, y, length, height) if upright else (x, start + run * length, width, length)
            tints.append(drawing.rectangle(*box, fill=PART_COLOURS[part], fill_opacity=0.25))
        if band.width * pixels >= FINEST_STRIPE:
            hairline = min(hairline, 0.3 * band.width * pixels)
            hairlines += [start + band.width * pixels * head for head in range(1, band.heads)]
        start += band.length * pixels
        seams.append(start)
    colour, n = PART_COLOURS[part], drawing.number

    def across(places: Sequence[float]) -> str:
        return "".join(f"M{n(at)} {n(y)}v{n(height)}" if upright else f"M{n(x)} {n(at)}h{n(width)}" for at in places)

    lines = [drawing.path(across(hairlines), colour, width=hairline)] if hairlines else []
    return tints + lines + ([drawing.path(across(seams[:-1]), colour, width=1.25)] if len(seams) > 1 else [])


@dataclass(frozen=True)
class Vector:
    """A tensor of one row as a hairline, its length ∝ out, its name and length beside it or, `below`, under it.

    named   what it is called here, its short name unless given: `bias` below its matrix
    """

    tensor: Tensor
    describe: Describe
    longest: float = 1e9
    key: str = ""
    below: bool = False
    longest_name: int = 40
    named: str = ""

    @property
    def text(self) -> str:
        """Its label: the name, and the length where there is room."""
        name = self.named or self.tensor.short_name
        shown = name if len(name) <= self.longest_name else name[: self.longest_name - 1] + "…"
        return f"{shown} {f'{self.tensor.output.value:,}'}"

    def size(self, scale: float) -> tuple[float, float]:
        """Width and height, px."""
        line, label = self._line(scale), drawing.text_width(self.text, DETAIL_SIZE)
        return (max(line, label, SMALLEST_TARGET), 28) if self.below else (line + 8 + label, SMALLEST_TARGET)

    def _line(self, scale: float) -> float:
        return min(self.longest, max(2, self.tensor.output.value * scale))

    def draw(self, scale: float, x: float, y: float) -> Markup:
        """Its shapes, the upper left corner at x, y."""
        width, height = self.size(scale)
        line, n = self._line(scale), drawing.number
        middle = y + (8 if self.below else height / 2)
        label_at = (x, middle + 14) if self.below else (x + line + 8, middle + 4)
        return drawing.choosable(
            self.key or self.tensor.name,
            self.describe(self.tensor),
            drawing.target(x - 4, y, width + 8, height),
            drawing.path(f"M{n(x)} {n(middle)}h{n(line)}", PART_COLOURS[self.tensor.part], width=2),
            drawing.label(*label_at, self.text, size=DETAIL_SIZE, tone="soft"),
        )


@dataclass(frozen=True)
class Heading:
    """A line of text above a group; `detail` follows it in a softer tone, or is alone."""

    text: str
    detail: str = ""

    def size(self, scale: float) -> tuple[float, float]:
        """Width and height, px."""
        return drawing.text_width(self.text, HEADING_SIZE) * 1.05 + drawing.text_width(self.detail, HEADING_SIZE) + 8, 20

    def draw(self, scale: float, x: float, y: float) -> Markup:
        """Its shapes, the upper left corner at x, y."""
        after = x + (drawing.text_width(self.text, HEADING_SIZE) * 1.08 + 6 if self.text else 0)
        text = drawing.label(x, y + 13, self.text, size=HEADING_SIZE, bold=True) if self.text else None
        detail = drawing.label(after, y + 13, self.detail, size=HEADING_SIZE, tone="soft") if self.detail else None
        return joined([text, detail])


@dataclass(frozen=True)
class Stack:
    """Cells one below the other, or side by side (`across`), with `gap` px between them; tops and left edges align."""

    cells: tuple[Cell, ...]
    gap: float = 10
    across: bool = False
    measured: dict[float, tuple[float, float]] = field(default_factory=dict, compare=False, repr=False)

    def size(self, scale: float) -> tuple[float, float]:
        """Width and height, px."""
        if scale not in self.measured:  # drawing asks again at every level of nesting
            self.measured[scale] = self._measure(scale)
        return self.measured[scale]

    def _measure(self, scale: float) -> tuple[float, float]:
        sizes = [cell.size(scale) for cell in self.cells]
        widths, heights = [width for width, _ in sizes], [height for _, height in sizes]
        gaps = self.gap * (len(sizes) - 1)
        return (sum(widths) + gaps, max(heights)) if self.across else (max(widths), sum(heights) + gaps)

    def draw(self, scale: float, x: float, y: float) -> Markup:
        """Its shapes, the upper left corner at x, y."""
        drawn = []
        for cell in self.cells:
            width, height = cell.size(scale)
            drawn.append(cell.draw(scale, x, y))
            x, y = (x + width + self.gap, y) if self.across else (x, y + height + self.gap)
        return joined(drawn)


@dataclass(frozen=True)
class Panel:
    """A sheet around a cell: one layer, with the edges of its copies behind it."""

    cell: Cell
    copies: int
    padding: float = 14

    def size(self, scale: float) -> tuple[float, float]:
        """Width and height, px."""
        width, height = self.cell.size(scale)
        return width + 2 * self.padding + 6, height + 2 * self.padding + 6

    def draw(self, scale: float, x: float, y: float) -> Markup:
        """Its shapes, the upper left corner at x, y."""
        width, height = self.cell.size(scale)
        sheet = drawing.panel(x, y, width + 2 * self.padding, height + 2 * self.padding, self.copies)
        return sheet + self.cell.draw(scale, x + self.padding, y + self.padding)
