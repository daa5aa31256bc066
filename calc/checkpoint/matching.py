"""Which tensors of a file hold which lines of the parts list: each whole, in pieces, or several lines in one."""

from __future__ import annotations

from collections.abc import Iterable

from calc.checkpoint.names import Names
from calc.checkpoint.packings import RealTensor
from calc.parts_list import PartsList
from calc.tensors import Tensor

Key = tuple[str, int | None]
"""A line of the parts list in one layer."""
Held = list[tuple[tuple, RealTensor]]
"""What the file has for it: pieces, () for the whole, and their tensors."""
Lines = dict[Key, list[Tensor]]
"""The parts list by name and layer; copies of different shapes under one name are several lines of one key, and so are
lines that the file holds in one tensor."""


def lines_of(parts_list: PartsList) -> Lines:
    """Every line of a parts list, in each of its layers."""
    lines: Lines = {}
    for line in parts_list.tensors:
        for layer in (None,) if line.layers is None else line.layers:
            lines.setdefault((line.name, layer), []).append(line)
    return lines


def placed(
    tensors: Iterable[RealTensor], names: Names, lines: Lines
) -> tuple[dict[Key, Held], list[RealTensor], list[RealTensor]]:
    """The file's tensors by the line and layer they belong to, those that belong nowhere, and those that hold side by side
    what is there already.

    Of lines that one tensor of the file holds side by side, `lines` keeps one key.
    """
    held_by: dict[Key, Held] = {}
    unplaced = []
    for tensor in tensors:
        place = names.place(tensor.name)
        if place is None or (place.name, place.layer) not in lines:
            unplaced.append(tensor)
        else:
            held_by.setdefault((place.name, place.layer), []).append((place.piece, tensor))
    left, again = [], []
    for tensor in unplaced:
        keys = [(place.name, place.layer) for place in names.joined(tensor.name)]
        if not keys or not all(key in lines for key in keys) or not _holds_side_by_side(tensor, [lines[key] for key in keys]):
            left.append(tensor)
        elif any(key in held_by for key in keys):
            again.append(tensor)
        else:
            lines[keys[0]] = [line for key in keys for line in lines[key]]
            for key in keys[1:]:
                del lines[key]
            held_by[keys[0]] = [((), tensor)]
    _let_a_lone_copy_stand_for_the_original(held_by, lines)
    return held_by, left, again


def _holds_side_by_side(tensor: RealTensor, lines: Iterable[list[Tensor]]) -> bool:
    """Whether a tensor is as large as all these lines together and reads the same input."""
    joined = [line for of_key in lines for line in of_key]
    if tensor.elements != sum(line.repeats * line.count for line in joined) or len({line.input.value for line in joined}) > 1:
        return False
    out = sum(line.output.value for line in joined)
    shapes = [(out,)] if joined[0].is_vector else [(out, joined[0].input.value), (joined[0].input.value, out)]
    return tensor.shape is None or tensor.shape in shapes


def _let_a_lone_copy_stand_for_the_original(held_by: dict[Key, Held], lines: Lines) -> None:
    """Of two tied tensors a file may keep the one that the parts list calls the copy."""
    for key, (line, *_) in lines.items():
        original = (line.tied_to, None)
        if line.tied_to is not None and key in held_by and original in lines and original not in held_by:
            held_by[original] = held_by.pop(key)


def used_and_again(held: Held) -> tuple[list[RealTensor], list[RealTensor]]:
    """The whole where it is there, else each piece once; and what is stored again.

    llama.cpp's `ffn_up` is the whole of gate and up where it stands alone, and one of the two beside `ffn_gate`: the smaller.
    """
    first = {piece: number for number, (piece, _) in reversed(list(enumerate(held)))}
    pieces = [number for piece, number in first.items() if piece]
    whole = [number for piece, number in first.items() if not piece]
    is_whole = whole and held[whole[0]][1].elements > max((held[number][1].elements for number in pieces), default=0)
    used = set(whole if is_whole else first.values())
    return [held[n][1] for n in sorted(used)], [tensor for n, (_, tensor) in enumerate(held) if n not in used]
