"""Which tensors of a file are which lines of the parts list: each whole, in pieces, or several lines in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calc.checkpoint.names import Names
from calc.checkpoint.packings import RealTensor
from calc.parts_list import PartsList
from calc.tensors import Tensor

Key = tuple[str, int | None]
"""A line of the parts list in one layer."""
Piece = tuple[tuple[int | str, ...], RealTensor]
"""A tensor of the file, and which part of the line it is: () for the whole, (17, "gate") for expert 17's gate."""


@dataclass(frozen=True, slots=True)
class Match:
    """A line of the parts list in one layer, and what the file has of it.

    lines    several where the parts list has copies of other shapes under this name, or the file has them in one tensor
    pieces   none where the file has nothing of it
    """

    lines: Sequence[Tensor]
    pieces: Sequence[Piece]

    @property
    def expected(self) -> int:
        """Numbers of the lines together."""
        return _elements(self.lines)

    @property
    def is_arranged_otherwise(self) -> bool:
        """Whether the file has several lines in one tensor, or cuts one into pieces that are no copies of it."""
        is_joined = len({line.name for line in self.lines}) > 1
        return is_joined or any(piece and (self.lines[0].experts or isinstance(piece[-1], str)) for piece, _ in self.pieces)

    def used_and_again(self) -> tuple[list[RealTensor], list[RealTensor]]:
        """The whole where it is there, else each piece once; and what is stored again.

        llama.cpp's `ffn_up` is the whole of gate and up where it is alone, and one of the two next to `ffn_gate`: the smaller.
        """
        first = {piece: number for number, (piece, _) in reversed(list(enumerate(self.pieces)))}
        pieces = [number for piece, number in first.items() if piece]
        whole = [number for piece, number in first.items() if not piece]
        largest = max((self.pieces[number][1].elements for number in pieces), default=0)
        used = set(whole if whole and self.pieces[whole[0]][1].elements > largest else first.values())
        tensors = [tensor for _, tensor in self.pieces]
        return [tensors[n] for n in sorted(used)], [tensor for n, tensor in enumerate(tensors) if n not in used]


@dataclass(frozen=True, slots=True)
class Matching:
    """A parts list and a file, side by side.

    matches   every line of the parts list in each of its layers
    again     tensors that join lines which the file has already
    unknown   tensors that belong nowhere
    """

    matches: Sequence[Match]
    again: Sequence[RealTensor]
    unknown: Sequence[RealTensor]


def matching(tensors: Iterable[RealTensor], names: Names, parts_list: PartsList) -> Matching:
    """Each tensor of a file with the line and layer it belongs to; lines that one tensor joins become one match."""
    lines = _lines_of(parts_list)
    pieces: dict[Key, list[Piece]] = {}
    elsewhere: list[RealTensor] = []
    for tensor in tensors:
        place = names.place(tensor.name)
        if place is None or (place.name, place.layer) not in lines:
            elsewhere.append(tensor)
        else:
            pieces.setdefault((place.name, place.layer), []).append((place.piece, tensor))
    again: list[RealTensor] = []
    unknown: list[RealTensor] = []
    for tensor in elsewhere:
        keys = _joined_keys(tensor, names, lines)
        if not keys:
            unknown.append(tensor)
        elif any(key in pieces for key in keys):
            again.append(tensor)
        else:
            lines[keys[0]] = [line for key in keys for line in lines[key]]
            for key in keys[1:]:
                del lines[key]
            pieces[keys[0]] = [((), tensor)]
    # of two tied tensors a file may keep the one that the parts list calls the copy
    for key, (line, *_) in lines.items():
        original = (line.tied_to, None) if line.tied_to else None
        if original in lines and original not in pieces and key in pieces:
            pieces[original] = pieces.pop(key)
    return Matching([Match(of_key, pieces.get(key, ())) for key, of_key in lines.items()], again, unknown)


def _lines_of(parts_list: PartsList) -> dict[Key, list[Tensor]]:
    """Every line of a parts list in each of its layers; copies of different shapes under one name are together."""
    lines: dict[Key, list[Tensor]] = {}
    for line in parts_list.tensors:
        for layer in (None,) if line.layers is None else line.layers:
            lines.setdefault((line.name, layer), []).append(line)
    return lines


def _joined_keys(tensor: RealTensor, names: Names, lines: Mapping[Key, Sequence[Tensor]]) -> list[Key]:
    """The lines that a tensor joins: it is as large as all together, and they read one input; none where it joins none."""
    keys = [(place.name, place.layer) for place in names.joined(tensor.name)]
    if not keys or not all(key in lines for key in keys):
        return []
    joined = [line for key in keys for line in lines[key]]
    if tensor.elements != _elements(joined) or len({line.input.value for line in joined}) > 1:
        return []
    out, inputs = sum(line.output.value for line in joined), joined[0].input.value
    shapes = [(out,)] if joined[0].is_vector else [(out, inputs), (inputs, out)]
    return keys if tensor.shape is None or tensor.shape in shapes else []


def _elements(lines: Iterable[Tensor]) -> int:
    return sum(line.repeats * line.count for line in lines)
