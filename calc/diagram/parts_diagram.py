"""A parts list as a picture: embedding, one layer, final norm and output head, on one scale, in the order data flows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calc.diagram import drawing
from calc.diagram.cells import Cell, Describe, Heading, Stack, is_cut
from calc.diagram.layers import WIDE, Sketch, Words
from calc.markup import Markup, tag
from calc.parts_list import PartsList, keys, layer_kinds, stack_of
from calc.tensors import Tensor

NARROW = 350
"""px: the width laid out for a phone; WIDE is that of a column beside the derivation."""
LONGEST_TABLE = {WIDE: 460, NARROW: 300}
"""px: where an embedding table or an output head is broken."""
NOTE_SIZE = 11
SAVE_BUTTONS = 180
"""px left free at the right of the note on a wide page."""
LARGEST_SCALE = 0.6
"""px per element: the smallest models are not blown up beyond this."""


ROOM_FOR_SHAPES = 8
"""px a picture is wider than its labels alone need."""
HALVINGS = 11


@dataclass(frozen=True, slots=True)
class Frame:
    """What several pictures share so that they are on one scale: px per element at most, and px they are wide at least."""

    largest_scale: float = LARGEST_SCALE
    least_width: float = 0.0


ALONE = Frame()


def common_frame(parts_lists: Sequence[PartsList], words: Words, describe: Describe, width: int) -> Frame:
    """The frame in which all of these models are drawn on the scale that suits the largest."""
    scale = min(_chosen(parts_list, words, describe, width, ALONE)[1] for parts_list in parts_lists)
    frame = Frame(scale)
    sizes = [_chosen(parts_list, words, describe, width, frame)[0].size(scale)[0] for parts_list in parts_lists]
    return Frame(scale, max(sizes) + ROOM_FOR_SHAPES)


def draw(parts_list: PartsList, words: Words, describe: Describe, width: int, frame: Frame = ALONE) -> Markup:
    """The diagram, an SVG document, for a column of `width` px (WIDE or NARROW).

    words      headings by part (`embedding`, `attention`, `ffn`, `lm_head`, `other`, `mixer`), `layer`, `copies`, `layers`,
               `stack`, `experts`, and notes
    describe   a tensor's name and lengths in the reader's language
    """
    longest = LONGEST_TABLE[width]
    picture, scale = _chosen(parts_list, words, describe, width, frame)
    drawn_width, height = picture.size(scale)
    full_width = drawing.number(max(width, drawn_width + ROOM_FOR_SHAPES, frame.least_width))
    broken = any(_is_cut(tensor, scale, longest) for tensor in parts_list.tensors)
    notes = drawing.wrapped(
        words["broken_note" if broken else "note"], width - 8 - (SAVE_BUTTONS if width == WIDE else 0), NOTE_SIZE
    )
    labels = (drawing.label(4, height + 24 + 15 * line, text, size=NOTE_SIZE, tone="soft") for line, text in enumerate(notes))
    full_height = drawing.number(height + 19 + 15 * len(notes))
    return tag(
        "svg",
        picture.draw(scale, 4, 4),
        *labels,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {full_width} {full_height}",
        width=full_width,
        height=full_height,
        font_family=drawing.FONTS,
        style="font-variant-numeric:tabular-nums",
    )


def _chosen(parts_list: PartsList, words: Words, describe: Describe, width: int, frame: Frame) -> tuple[Cell, float]:
    """The layout of the two that draws larger, and its scale."""
    longest = LONGEST_TABLE[width]
    picture, scale = _fitted(_whole(parts_list, words, describe, width, longest, beside=width == WIDE), width)
    if width == WIDE and picture.size(0)[0] > 0.92 * width:  # labels leave little room: one below the other may draw larger
        stacked = _fitted(_whole(parts_list, words, describe, width, longest, beside=False), width)
        picture, scale = max((picture, scale), stacked, key=lambda fitted: fitted[1])
    return picture, min(scale, frame.largest_scale)


def _fitted(picture: Cell, width: int) -> tuple[Cell, float]:
    """The picture and the largest scale at which it fits. Labels that need more room than the column has widen the
    picture, which the page then shows smaller."""
    return picture, _largest_scale(picture, max(width - 8, picture.size(0)[0] + ROOM_FOR_SHAPES))


def _whole(parts_list: PartsList, words: Words, describe: Describe, width: int, longest: float, beside: bool) -> Cell:
    wide = width == WIDE
    sketch = Sketch({id(tensor): key for key, tensor in keys(parts_list).items()}, words, describe, wide, beside)
    before, *between, after = outside_layers(parts_list)
    cells = tuple(sketch.outside(before, longest, below=True))
    tables = Stack(cells, gap=14, across=wide and len(cells) < 3 and all(tensor.kind == "table" for tensor in before))
    stacks, kinds = parts_list.stacks, layer_kinds(parts_list)
    layers: list[Cell] = []
    for stack, following in zip(stacks, [*between, []], strict=True):
        layers += [sketch.layer(kind, stacks, width) for kind in kinds if kind.stack == stack]
        layers += [Stack(tuple(sketch.outside(following, longest, below=True)), gap=6)] if following else []
    end = Stack(tuple(_end_cells(after, sketch, 0.62 * width if wide else width - 16)), gap=6)
    if not before:
        return Stack((*layers, end), gap=16)
    embedding = Stack((Heading(words["embedding"]), tables), gap=6)
    if wide:
        return Stack((embedding, Stack((*layers, end), gap=16)), gap=26, across=True)
    return Stack((Stack((embedding, layers[0]), gap=12, across=True), *layers[1:], end), gap=12)


def _end_cells(after: Sequence[Tensor], sketch: Sketch, longest: float) -> list[Cell]:
    """What follows the layers: the final norm as a hairline, then the output head."""
    first = next((place for place, tensor in enumerate(after) if tensor.part == "lm_head"), len(after))
    before, head = sketch.outside(after[:first], longest), sketch.outside(after[first:], longest, below=True)
    if not head:
        return before
    tied = any(tensor.tied_to and tensor.kind == "matrix" for tensor in after[first:])
    return [*before, Heading(sketch.words["lm_head"], sketch.words["tied"] if tied else ""), *head]


def outside_layers(parts_list: PartsList) -> list[list[Tensor]]:
    """What is outside the layers: before the first stack of them, between two stacks, after the last."""
    groups: list[list[Tensor]] = [[]]
    begun: set[str] = set()
    for tensor in parts_list.tensors:
        stack = stack_of(tensor)
        if stack is None:
            groups[-1].append(tensor)
        elif stack not in begun:
            begun.add(stack)
            groups.append([])
    return groups if begun else [[], groups[0]]


def _is_cut(tensor: Tensor, scale: float, longest: float) -> bool:
    return tensor.layers is None and is_cut(max(tensor.input.value, tensor.output.value) * scale, longest)


def _largest_scale(picture: Cell, width: float) -> float:
    """The largest scale at which the picture is no wider than `width`.

    The width grows with the scale along straight pieces (a label, then its matrix, decides a cell's width): halving finds
    the piece, and a straight line through its ends the scale on it.
    """
    low, high = 0.0, LARGEST_SCALE
    low_width, high_width = picture.size(low)[0], picture.size(high)[0]
    if high_width <= width:
        return high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        middle_width = picture.size(middle)[0]
        if middle_width <= width:
            low, low_width = middle, middle_width
        else:
            high, high_width = middle, middle_width
    exact = low + (high - low) * (width - low_width) / (high_width - low_width)
    return exact if picture.size(exact)[0] <= width + 0.01 else low
