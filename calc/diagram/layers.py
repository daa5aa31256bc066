"""One layer as cells: its attention or what replaces it, its FFN or experts, each with the norms that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calc.diagram.cells import Cell, Describe, Heading, Matrix, Panel, Stack, Vector
from calc.diagram.words import experts_written
from calc.parts_list import LayerKind
from calc.tensors import Band, Tensor

WIDE = 780

Words = Mapping[str, str]
"""Headings and notes of the picture, in the reader's language."""

LONGEST_NAME_ON_A_PHONE = 24
"""Letters of a vector's name on the narrow picture: `post_attention_layernorm` just fits."""

ATTENTION_ROLES = ("query", "key", "value", "cross_")
"""Beginnings of the roles by which attention differs from the mixers that take its place."""


@dataclass(frozen=True)
class Sketch:
    """What all cells of a picture share.

    keys       what the page calls a tensor, by its id
    wide       whether it is the wide picture
    beside     whether a layer's attention and FFN are side by side
    """

    keys: Mapping[int, str]
    words: Words
    describe: Describe
    wide: bool
    beside: bool = True

    def cell(
        self,
        tensor: Tensor,
        *,
        longest: float = 1e9,
        with_lengths: bool = True,
        below: bool = False,
        named: str = "",
        striped: Tensor | None = None,
    ) -> Cell:
        """A tensor as a rectangle, or as a hairline where it is a vector; `striped` is the same with the stripes to draw."""
        key = self.keys[id(tensor)]
        if tensor.is_vector and not tensor.experts:
            longest_name = 40 if self.wide else LONGEST_NAME_ON_A_PHONE
            return Vector(tensor, self.describe, longest, key, below, longest_name, named)
        stack = ""
        if tensor.experts:
            stack = self.words["experts"].format(experts=experts_written(tensor), chosen=tensor.experts_chosen)
        in_a_line = self.wide or tensor.kind != "table"
        return Matrix(striped or tensor, self.describe, longest, with_lengths, in_a_line, key, stack)

    def outside(self, tensors: Iterable[Tensor], longest: float, below: bool = False) -> list[Cell]:
        """Tensors outside the layers, each with its bias after it."""
        return [
            cell
            for tensor, bias in with_biases(tensors)
            for cell in (
                self.cell(tensor, longest=longest, below=below, named=_name_alone(tensor)),
                *([self.cell(bias, longest=longest, below=below, named="bias")] if bias else ()),
            )
        ]

    def layer(self, kind: LayerKind, stacks: Mapping[str, int], width: int) -> Cell:
        """A sheet with one layer of this kind, and above it how many layers are so, which, and of which stack.

        stacks   layers of each stack of the model
        """
        copies = self.words["copies"].format(layers=f"{len(kind.layers):,}")
        if len(kind.layers) < stacks[kind.stack]:
            copies += " " + self.words["layers"].format(ids=runs(kind.layers))
        headings = [Heading(self.words["layer"], copies)]
        if len(stacks) > 1:
            headings.append(Heading("", self.words["stack"].format(stack=kind.stack)))
        room = width * (0.8 if self.wide else 0.66)
        striped = with_shared_heads(kind.tensors)
        groups = [self._group(part, members, striped, room) for part, members in sublayers(kind.tensors)]
        inside = Stack(tuple(groups), gap=30 if self.beside else 16, across=self.beside)
        return Stack((Stack(tuple(headings), gap=0), Panel(inside, len(kind.layers))), gap=6)

    def _group(self, part: str, members: Sequence[Tensor], striped: Mapping[int, Tensor], room: float) -> Cell:
        """The norm before, the matrices in the order data flows, and the vectors among them."""
        with_lengths = self.wide or part != "attention"
        flow, before, others = [], [], []
        for tensor, bias in with_biases(members):
            is_norm_before = tensor.role.startswith("norm_before")
            below = not (self.wide and is_norm_before)
            cell = self.cell(
                tensor, with_lengths=with_lengths, below=below, named=_name_alone(tensor), striped=striped.get(id(tensor))
            )
            piece = TensorCells(tensor, (cell, *([self.cell(bias, below=below, named="bias")] if bias else ())))
            if is_norm_before:
                before += [Stack(piece.cells, gap=14, across=True)] if self.wide else piece.cells
            else:
                (others if tensor.is_vector and not tensor.experts else flow).append(piece)
        heading = Heading(self.words["mixer" if part == "attention" and not _is_attention(members) else part])
        if self.wide:
            rows = _rows(_columns(flow, others), room)
            below_all = [vector for vector in others if not _has_its_matrix(vector, flow)]
        else:
            rows, below_all = _rows(_columns(flow, []), room), others
        vectors = _rows([vector.cells for vector in below_all], room)
        return Stack((heading, *before, *rows, *vectors), gap=6)


@dataclass(frozen=True)
class TensorCells:
    """A tensor of a layer and its cells: itself, and its bias below it."""

    tensor: Tensor
    cells: tuple[Cell, ...]


def with_biases(tensors: Iterable[Tensor]) -> list[tuple[Tensor, Tensor | None]]:
    """Each tensor and the bias that belongs to it by its name; a bias of none of them is listed alone."""
    pairs: list[tuple[Tensor, Tensor | None]] = []
    waiting: dict[str, int] = {}
    for tensor in tensors:
        owner = tensor.name.removesuffix(".bias").removesuffix("_bias")  # a stack of experts: `gate_up_proj_bias`
        if tensor.kind == "bias" and owner in waiting:
            place = waiting.pop(owner)
            pairs[place] = pairs[place][0], tensor
        else:
            waiting |= {} if tensor.kind == "bias" else {tensor.name.removesuffix(".weight"): len(pairs)}
            pairs.append((tensor, None))
    return pairs


def _name_alone(tensor: Tensor) -> str:
    """What a bias without its tensor is called; "" for its short name."""
    return f"{tensor.short_name} bias" if tensor.kind == "bias" and tensor.name.endswith(".bias") else ""


def with_shared_heads(tensors: Sequence[Tensor]) -> dict[int, Tensor]:
    """Tensors by id whose bands do not say which query heads share a kv head in this kind of layer, as they do.

    A tensor may be in layers of several kinds: which heads share one is a matter of the keys of the layer drawn.
    """
    keys = {band.heads for tensor in tensors for band in tensor.output_bands if band.role == "key"}
    if len(keys) != 1:
        return {}
    [kv_heads] = keys

    def shared(bands: tuple[Band, ...]) -> tuple[Band, ...]:
        return tuple(
            replace(band, kv_heads=None if band.heads <= kv_heads or band.heads % kv_heads else kv_heads)
            if band.role.startswith("query")
            else band
            for band in bands
        )

    striped = {}
    for tensor in tensors:
        outputs, inputs = shared(tensor.output_bands), shared(tensor.input_bands)
        if (outputs, inputs) != (tensor.output_bands, tensor.input_bands):
            striped[id(tensor)] = replace(tensor, output_bands=outputs, input_bands=inputs)
    return striped


def sublayers(tensors: Iterable[Tensor]) -> list[tuple[str, list[Tensor]]]:
    """Runs of a layer's tensors that work on one part; a norm goes with what follows it, or with the run it is inside."""
    runs_of_parts: list[tuple[str, list[Tensor]]] = []
    waiting: list[Tensor] = []
    for tensor in tensors:
        if tensor.role.startswith("norm_before"):
            waiting.append(tensor)
        elif runs_of_parts and not waiting and tensor.part in (runs_of_parts[-1][0], "norm"):
            runs_of_parts[-1][1].append(tensor)
        elif tensor.part == "norm":
            waiting.append(tensor)
        else:
            runs_of_parts.append((tensor.part, [*waiting, tensor]))
            waiting = []
    if waiting and runs_of_parts:
        runs_of_parts[-1][1].extend(waiting)
    elif waiting:
        runs_of_parts.append(("norm", waiting))
    return runs_of_parts


def _is_attention(members: Sequence[Tensor]) -> bool:
    return any(tensor.role.startswith(ATTENTION_ROLES) for tensor in members)


def _columns(flow: Sequence[TensorCells], norms: Sequence[TensorCells]) -> list[list[Cell]]:
    """Matrices side by side; those that widen side by side (gate, up) one below the other. A norm on a matrix's output
    (`query_norm` on `query`) is drawn below it."""
    columns: list[list[Cell]] = []
    last: Tensor | None = None
    for piece in flow:
        tensor = piece.tensor
        if last and tensor.part == "ffn" and last.shape == tensor.shape and last.experts == tensor.experts:
            columns[-1] += piece.cells
        else:
            columns.append([*piece.cells])
        last = tensor
        columns[-1] += [cell for norm in norms if norm.tensor.role == f"{tensor.role}_norm" for cell in norm.cells]
    return columns


def _has_its_matrix(vector: TensorCells, flow: Sequence[TensorCells]) -> bool:
    return any(vector.tensor.role == f"{piece.tensor.role}_norm" for piece in flow)


def _rows(columns: Sequence[Sequence[Cell]], room: float) -> list[Cell]:
    """Columns side by side, as many as their labels allow in `room` px, the rest in rows below."""
    stacks = [Stack(tuple(column), gap=8) for column in columns]
    rows: list[list[Cell]] = []
    used = 0.0
    for stack in stacks:
        width = stack.size(0)[0] + 14
        if not rows or used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(stack)
        used += width
    return [Stack(tuple(row), gap=14, across=True) for row in rows]


def runs(ids: Sequence[int]) -> str:
    """Layer ids as people write them: runs, and at most four of them.

    >>> runs((0, 1, 2, 5)), runs(tuple(range(3, 48, 4)))
    ('0–2, 5', '3, 7, 11, 15, …')
    """
    stretches: list[list[int]] = []
    for layer in ids:
        if stretches and layer == stretches[-1][1] + 1:
            stretches[-1][1] = layer
        else:
            stretches.append([layer, layer])
    written = [f"{first}–{last}" if last > first else str(first) for first, last in stretches]
    return ", ".join([*written[:4], "…"] if len(written) > 4 else written)
