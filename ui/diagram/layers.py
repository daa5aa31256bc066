"""One layer as cells: its attention or what replaces it, its FFN or experts, each with the norms that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calc.parts_list import LayerKind, PartsList
from calc.tensors import Tensor
from ui.diagram.cells import Cell, Describe, Heading, Matrix, Panel, Stack, Vector
from ui.numbers import grouped

WIDE = 780

Words = Mapping[str, str]
"""Headings and notes of the picture, in the reader's language."""

LONGEST_NAME_ON_A_PHONE = 24
"""Letters of a vector's name on the narrow picture: `post_attention_layernorm` just fits."""

ATTENTION_ROLES = ("query", "key", "value", "cross_")
"""Beginnings of the roles by which attention is told from the mixers that take its place."""


@dataclass(frozen=True)
class Sketch:
    """What all cells of a picture share.

    keys       what the page calls a tensor, by its id
    wide       whether it is the wide picture
    beside     whether a layer's attention and FFN stand side by side
    """

    keys: Mapping[int, str]
    words: Words
    describe: Describe
    wide: bool
    beside: bool = True

    def cell(
        self, tensor: Tensor, *, longest: float = 1e9, bias: Tensor | None = None, with_lengths: bool = True, below: bool = False
    ) -> Cell:
        """A tensor as a rectangle, or as a hairline where it is a vector."""
        key = self.keys[id(tensor)]
        if tensor.is_vector and not tensor.experts:
            return Vector(tensor, self.describe, longest, key, below, 40 if self.wide else LONGEST_NAME_ON_A_PHONE)
        stack = ""
        if tensor.experts:
            stack = self.words["experts"].format(experts=grouped(tensor.experts.value), chosen=tensor.experts_chosen)
        in_a_line = self.wide or tensor.kind != "table"
        return Matrix(tensor, self.describe, longest, bias, with_lengths, in_a_line, key, stack)

    def layer(self, kind: LayerKind, parts_list: PartsList, width: int) -> Cell:
        """A sheet with one layer of this kind, and above it how many layers are so, and which."""
        copies = self.words["copies"].format(layers=grouped(len(kind.layers)))
        if len(kind.layers) < parts_list.num_hidden_layers:
            copies += " " + self.words["layers"].format(ids=runs(kind.layers))
        room = width * (0.8 if self.wide else 0.66)
        groups = [self._group(part, members, room) for part, members in sublayers(kind.tensors)]
        inside = Stack(tuple(groups), gap=30 if self.beside else 16, across=self.beside)
        return Stack((Heading(self.words["layer"], copies), Panel(inside, len(kind.layers))), gap=6)

    def _group(self, part: str, members: Sequence[Tensor], room: float) -> Cell:
        """The norm before, the matrices in the order data flows, and the vectors among them."""
        # a stack of experts has its bias beside it as `gate_up_proj_bias`
        biases = {tensor.name.removesuffix(".bias").removesuffix("_bias"): tensor for tensor in members if tensor.kind == "bias"}
        with_lengths = self.wide or part != "attention"
        flow, before, others = [], [], []
        for tensor in members:
            if tensor.role.startswith("norm_before"):
                before += [self.cell(tensor, below=not self.wide)] if tensor.kind == "scale" else []
            elif tensor.kind in ("matrix", "table") or (tensor.kind == "scale" and not tensor.is_vector):
                bias = biases.get(tensor.name.removesuffix(".weight"))
                flow.append(self.cell(tensor, bias=bias, with_lengths=with_lengths))
            elif tensor.kind in ("scale", "buffer"):
                others.append(self.cell(tensor, below=True))
        heading = Heading(self.words["mixer" if part == "attention" and not _is_attention(members) else part])
        if self.wide:
            rows = _rows(_columns(flow, others), room)
            below = [vector for vector in others if not _has_its_matrix(vector, flow)]
        else:
            rows, below = _rows(_columns(flow, []), room), others
        vectors = _rows([[vector] for vector in below], room)
        return Stack((heading, *before, *rows, *vectors), gap=6)


def sublayers(tensors: Iterable[Tensor]) -> list[tuple[str, list[Tensor]]]:
    """Runs of a layer's tensors that work on one part; a norm goes with what follows it, or with the run it is inside."""
    found: list[tuple[str, list[Tensor]]] = []
    waiting: list[Tensor] = []
    for tensor in tensors:
        if tensor.role.startswith("norm_before"):
            waiting.append(tensor)
        elif found and not waiting and tensor.part in (found[-1][0], "norm"):
            found[-1][1].append(tensor)
        elif tensor.part == "norm":
            waiting.append(tensor)
        else:
            found.append((tensor.part, [*waiting, tensor]))
            waiting = []
    if waiting and found:
        found[-1][1].extend(waiting)
    elif waiting:
        found.append(("norm", waiting))
    return found


def _is_attention(members: Sequence[Tensor]) -> bool:
    return any(tensor.role.startswith(ATTENTION_ROLES) for tensor in members)


def _columns(flow: Sequence[Matrix], norms: Sequence[Vector]) -> list[list[Cell]]:
    """Matrices side by side; those that widen side by side (gate, up) one below the other. A norm on a matrix's output
    (`query_norm` on `query`) stands below it."""
    columns: list[list[Cell]] = []
    last: Tensor | None = None
    for cell in flow:
        tensor = cell.tensor
        if last and tensor.part == "ffn" and last.shape == tensor.shape and last.experts == tensor.experts:
            columns[-1].append(cell)
        else:
            columns.append([cell])
        last = tensor
        columns[-1] += [norm for norm in norms if norm.tensor.role == f"{tensor.role}_norm"]
    return columns


def _has_its_matrix(vector: Vector, flow: Sequence[Matrix]) -> bool:
    return any(vector.tensor.role == f"{cell.tensor.role}_norm" for cell in flow)


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
    found: list[list[int]] = []
    for layer in ids:
        if found and layer == found[-1][1] + 1:
            found[-1][1] = layer
        else:
            found.append([layer, layer])
    written = [f"{first}–{last}" if last > first else str(first) for first, last in found]
    return ", ".join([*written[:4], "…"] if len(written) > 4 else written)
