"""A parts list as a picture: embedding, one layer, final norm and output head, on one scale, in the order data flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calc.parts_list import PartsList, layer_tensors
from calc.tensors import Tensor
from ui.diagram import drawing
from ui.diagram.cells import Cell, Describe, Heading, Matrix, Panel, Stack, Vector

WIDE, NARROW = 780, 350
"""px: the two widths the picture is laid out for, a column beside the derivation and a phone."""
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


@dataclass(frozen=True)
class Picture:
    """A finished diagram: an SVG document, and the scale it was drawn at (px per element)."""

    svg: str
    scale: float
    broken: bool


def draw(parts_list: PartsList, words: Mapping[str, str], describe: Describe, width: int) -> Picture:
    """The diagram for a column of `width` px (WIDE or NARROW).

    words      headings by part (`embedding`, `attention`, `ffn`, `lm_head`, `other`), `layer`, `copies`, and `note`
    describe   a tensor's name and lengths in the reader's language
    """
    longest = LONGEST_TABLE[width]
    picture = _whole(parts_list, words, describe, width, longest)
    # Labels that need more room than the column has widen the picture, which the page then shows smaller.
    scale = _largest_scale(picture, max(width - 8, picture.size(0)[0] + ROOM_FOR_SHAPES))
    drawn_width, height = picture.size(scale)
    full_width = drawing.number(max(width, drawn_width + 8))
    broken = any(_is_cut(tensor, scale, longest) for tensor in parts_list.tensors)
    notes = drawing.wrapped(words["broken_note" if broken else "note"], width - 8 - (SAVE_BUTTONS if width == WIDE else 0), NOTE_SIZE)
    body = picture.draw(scale, 4, 4) + "".join(
        drawing.label(4, height + 24 + 15 * line, text, size=NOTE_SIZE, tone="soft") for line, text in enumerate(notes)
    )
    full_height = height + 19 + 15 * len(notes)
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {drawing.number(full_height)}" width="{full_width}" '
        f'height="{drawing.number(full_height)}" font-family="{drawing.FONTS}" style="font-variant-numeric:tabular-nums">'
        f"{body}</svg>",
        scale,
        broken,
    )


def _whole(parts_list: PartsList, words: Mapping[str, str], describe: Describe, width: int, longest: float) -> Cell:
    wide = width == WIDE
    before, after = _outside_layers(parts_list)
    tables = Stack(tuple(Matrix(tensor, describe, longest, lengths_in_a_line=wide) for tensor in before), gap=14, across=wide)
    embedding = Stack((Heading(words["embedding"]), tables), gap=6)
    layer = Stack(
        (
            Heading(words["layer"], words["copies"]),
            Panel(_layer(layer_tensors(parts_list), words, describe, wide), parts_list.num_hidden_layers),
        ),
        gap=6,
    )
    end = Stack(tuple(_end_cells(after, words, describe, 0.62 * width if wide else width - 12)), gap=6)
    if wide:
        return Stack((embedding, Stack((layer, end), gap=16)), gap=26, across=True)
    return Stack((Stack((embedding, layer), gap=12, across=True), end), gap=12)


def _layer(tensors: Sequence[Tensor], words: Mapping[str, str], describe: Describe, wide: bool) -> Cell:
    """One layer: its attention and its FFN, each with the norm before it, side by side or one below the other."""
    groups = [_sublayer(part, members, words, describe, wide) for part, members in _sublayers(tensors)]
    return Stack(tuple(groups), gap=30 if wide else 16, across=wide)


def _sublayers(tensors: Iterable[Tensor]) -> list[tuple[str, list[Tensor]]]:
    """Runs of a layer's tensors that work on one part; a norm goes with what follows it, or with the run it is inside."""
    runs: list[tuple[str, list[Tensor]]] = []
    waiting: list[Tensor] = []
    for tensor in tensors:
        if tensor.role.startswith("norm_before"):
            waiting.append(tensor)
        elif runs and not waiting and (tensor.part in (runs[-1][0], "norm")):
            runs[-1][1].append(tensor)
        else:
            runs.append((tensor.part, [*waiting, tensor]))
            waiting = []
    if waiting and runs:
        runs[-1][1].extend(waiting)
    return runs


def _sublayer(part: str, members: Sequence[Tensor], words: Mapping[str, str], describe: Describe, wide: bool) -> Cell:
    biases = {tensor.name.removesuffix(".bias"): tensor for tensor in members if tensor.kind == "bias"}
    matrices = [tensor for tensor in members if tensor.kind == "matrix"]
    scales = [tensor for tensor in members if tensor.kind == "scale"]
    cells = [
        Matrix(tensor, describe, bias=biases.get(tensor.name.removesuffix(".weight")), with_lengths=wide or part != "attention")
        for tensor in matrices
    ]
    before = [Vector(tensor, describe) for tensor in scales if tensor.role.startswith("norm_before")]
    within = [Vector(tensor, describe) for tensor in scales if not tensor.role.startswith("norm_before")]
    if wide:
        return Stack((Heading(words[part]), *before, _flow(cells, within)), gap=6)
    below = [Stack(tuple(within), gap=12, across=True)] if within else []
    return Stack((Heading(words[part]), *before, _flow(cells, []), *below), gap=6)


def _flow(cells: Sequence[Matrix], norms: Sequence[Vector]) -> Cell:
    """Matrices in the order data flows: side by side; those that widen side by side (gate, up) one below the other.
    A norm on a matrix's output (`query_norm` on `query`) stands below it."""
    columns: list[list[Cell]] = []
    last: Tensor | None = None
    for cell in cells:
        if last and cell.tensor.part == "ffn" and last.shape == cell.tensor.shape:
            columns[-1].append(cell)
        else:
            columns.append([cell])
        last = cell.tensor
        columns[-1] += [norm for norm in norms if norm.tensor.role == f"{last.role}_norm"]
    return Stack(tuple(Stack(tuple(column), gap=8) for column in columns), gap=14, across=True)


def _end_cells(after: Sequence[Tensor], words: Mapping[str, str], describe: Describe, longest: float) -> list[Cell]:
    """What follows the layers: the final norm as a hairline, then the output head."""
    vectors = [Vector(tensor, describe) for tensor in after if tensor.kind == "scale"]
    heads = [tensor for tensor in after if tensor.kind == "matrix"]
    tied = any(tensor.tied_to for tensor in heads)
    heading = Heading(words["lm_head"], words["tied"] if tied else "")
    return [*vectors, heading, *(Matrix(tensor, describe, longest) for tensor in heads)]


def _outside_layers(parts_list: PartsList) -> tuple[list[Tensor], list[Tensor]]:
    """The tables before the layers, and what comes after them."""
    outside = [tensor for tensor in parts_list.tensors if tensor.layers is None]
    return [tensor for tensor in outside if tensor.kind == "table"], [tensor for tensor in outside if tensor.kind != "table"]


def _is_cut(tensor: Tensor, scale: float, longest: float) -> bool:
    return tensor.layers is None and max(tensor.input.value, tensor.output.value) * scale > longest


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
