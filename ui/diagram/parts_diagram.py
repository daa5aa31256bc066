"""A parts list as a picture: embedding, one layer, final norm and output head, on one scale, in the order data flows."""

from __future__ import annotations

from collections.abc import Sequence

from calc.parts_list import PartsList, keys, layer_kinds
from calc.tensors import Tensor
from ui.diagram import drawing
from ui.diagram.cells import Cell, Describe, Heading, Stack, is_cut
from ui.diagram.layers import WIDE, Sketch, Words

NARROW = 350
"""px: the width laid out for a phone; WIDE is that of a column beside the derivation."""
LONGEST_TABLE = {WIDE: 460, NARROW: 300}
"""px: where an embedding table or an output head is broken."""
NOTE_SIZE = 11
SAVE_BUTTONS = 180
"""px kept free at the right of the note on a wide page."""
LARGEST_SCALE = 0.12
"""px per element: the smallest models are not blown up beyond this."""


ROOM_FOR_SHAPES = 8
"""px a picture is wider than its labels alone need."""
HALVINGS = 8


def draw(parts_list: PartsList, words: Words, describe: Describe, width: int) -> str:
    """The diagram, an SVG document, for a column of `width` px (WIDE or NARROW).

    words      headings by part (`embedding`, `attention`, `ffn`, `lm_head`, `other`, `mixer`), `layer`, `copies`, `layers`, `experts`, and notes
    describe   a tensor's name and lengths in the reader's language
    """
    longest = LONGEST_TABLE[width]
    picture, scale = _fitted(_whole(parts_list, words, describe, width, longest, beside=width == WIDE), width)
    if width == WIDE and picture.size(0)[0] > 0.92 * width:  # labels leave little room: one below the other may draw larger
        stacked = _fitted(_whole(parts_list, words, describe, width, longest, beside=False), width)
        picture, scale = max((picture, scale), stacked, key=lambda fitted: fitted[1])
    drawn_width, height = picture.size(scale)
    full_width = drawing.number(max(width, drawn_width + 8))
    broken = any(_is_cut(tensor, scale, longest) for tensor in parts_list.tensors)
    notes = drawing.wrapped(words["broken_note" if broken else "note"], width - 8 - (SAVE_BUTTONS if width == WIDE else 0), NOTE_SIZE)
    body = picture.draw(scale, 4, 4) + "".join(
        drawing.label(4, height + 24 + 15 * line, text, size=NOTE_SIZE, tone="soft") for line, text in enumerate(notes)
    )
    full_height = height + 19 + 15 * len(notes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {drawing.number(full_height)}" width="{full_width}" '
        f'height="{drawing.number(full_height)}" font-family="{drawing.FONTS}" style="font-variant-numeric:tabular-nums">'
        f"{body}</svg>"
    )


def _fitted(picture: Cell, width: int) -> tuple[Cell, float]:
    """The picture and the largest scale at which it fits. Labels that need more room than the column has widen the
    picture, which the page then shows smaller."""
    return picture, _largest_scale(picture, max(width - 8, picture.size(0)[0] + ROOM_FOR_SHAPES))


def _whole(parts_list: PartsList, words: Words, describe: Describe, width: int, longest: float, beside: bool) -> Cell:
    wide = width == WIDE
    sketch = Sketch({id(tensor): key for key, tensor in keys(parts_list).items()}, words, describe, wide, beside)
    before, after = outside_layers(parts_list)
    cells = tuple(sketch.cell(tensor, longest=longest, below=True) for tensor in before)
    tables = Stack(cells, gap=14, across=wide and len(cells) < 3 and all(tensor.kind == "table" for tensor in before))
    kinds = layer_kinds(parts_list)
    layers = [sketch.layer(kind, parts_list, width) for kind in kinds]
    end = Stack(tuple(_end_cells(after, sketch, 0.62 * width if wide else width - 16)), gap=6)
    if not before:
        return Stack((*layers, end), gap=16)
    embedding = Stack((Heading(words["embedding"]), tables), gap=6)
    if wide:
        return Stack((embedding, Stack((*layers, end), gap=16)), gap=26, across=True)
    return Stack((Stack((embedding, layers[0]), gap=12, across=True), *layers[1:], end), gap=12)


def _end_cells(after: Sequence[Tensor], sketch: Sketch, longest: float) -> list[Cell]:
    """What follows the layers: the final norm as a hairline, then the output head."""
    words = sketch.words
    heads = [tensor for tensor in after if tensor.kind == "matrix"]
    rest = [sketch.cell(tensor) for tensor in after if tensor.kind in ("scale", "buffer")]
    tied = any(tensor.tied_to for tensor in heads)
    if not heads:
        return rest
    heading = Heading(words["lm_head"], words["tied"] if tied else "")
    return [*rest, heading, *(sketch.cell(tensor, longest=longest) for tensor in heads)]


def outside_layers(parts_list: PartsList) -> tuple[list[Tensor], list[Tensor]]:
    """What comes before the layers, and what comes after them."""
    places = [index for index, tensor in enumerate(parts_list.tensors) if tensor.layers is not None]
    first = places[0] if places else 0
    outside = [(index, tensor) for index, tensor in enumerate(parts_list.tensors) if tensor.layers is None]
    drawn = [(index, tensor) for index, tensor in outside if tensor.kind != "bias"]
    return [tensor for index, tensor in drawn if index < first], [tensor for index, tensor in drawn if index >= first]


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
