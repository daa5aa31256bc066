"""The parts list held against the file: what matches, what is missing, what is more, and why, to the last element.

found − expected = Σ elements of the causes, always: every number the file holds is either a parameter that the parts
list expects there, or is counted under a cause; every parameter that is expected and not found is counted under
`missing`, negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from calc.checkpoint.causes import CAUSES, Cause, explained, is_padded_vocabulary, surplus_cause
from calc.checkpoint.names import Names, starred
from calc.checkpoint.stored import Checkpoint
from calc.checkpoint.unpacked import RealTensor, unpacked
from calc.parts_list import PartsList, parameters
from calc.tensors import Tensor


@dataclass(frozen=True, slots=True)
class GapItem:
    """One reason why the file does not hold exactly the parameters.

    cause      one of `CAUSES`
    elements   what it adds to found − expected; negative where the file holds less
    tensors    names, their numbers written `*`, in the order of the file
    copies     how many tensors those are
    """

    cause: Cause
    elements: int
    tensors: tuple[str, ...]
    copies: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A tensor whose shape is not the expected one. `found` is None where the header does not tell it."""

    name: str
    expected: tuple[int, ...]
    found: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The parts list against the file.

    expected           parameters of the parts list, tied ones once, buffers not
    found              numbers in the file, packed weights counted in real weights and all else as it is stored
    stored             numbers in the file as they are stored
    matched            tensors of the file that are whole and as expected, holding `matched_elements` numbers
    missing            names of what is not there in full, `*` for numbers
    extra              names of what the parts list does not count, `*` for numbers
    shape_differs      what is there in another shape
    gap                found − expected by cause, largest first; Σ elements is the gap
    packings           the formats its weights are packed in
    """

    expected: int
    found: int
    stored: int
    matched: int
    matched_elements: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    shape_differs: tuple[Difference, ...]
    gap: tuple[GapItem, ...]
    packings: tuple[str, ...]

    def elements(self, cause: Cause) -> int:
        """What a cause adds to the gap, 0 where it is not among them."""
        return sum(item.elements for item in self.gap if item.cause == cause)


Key = tuple[str, int | None]
"""A line of the parts list in one layer."""
Held = list[tuple[tuple, RealTensor]]
"""What the file has for it: pieces, () for the whole, and their tensors."""
Lines = dict[Key, list[Tensor]]
"""The parts list by name and layer; copies of different shapes under one name are several lines of one key."""


class _Ledger:
    """Causes as they are found: Σ elements, names, copies."""

    def __init__(self) -> None:
        self.entries: dict[Cause, tuple[int, dict[str, None], int]] = {}

    def add(self, cause: Cause, elements: int, name: str, copies: int = 1) -> None:
        total, names, number = self.entries.get(cause, (0, {}, 0))
        names[starred(name)[0]] = None
        self.entries[cause] = (total + elements, names, number + copies)

    def items(self) -> tuple[GapItem, ...]:
        items = [GapItem(cause, total, tuple(names), number) for cause, (total, names, number) in self.entries.items()]
        return tuple(sorted(items, key=lambda item: (-abs(item.elements), CAUSES.index(item.cause))))

    def names(self, causes: Iterable[Cause]) -> tuple[str, ...]:
        return tuple(name for cause in causes if cause in self.entries for name in self.entries[cause][1])


def reconcile(parts_list: PartsList, checkpoint: Checkpoint, config: Mapping[str, object] | None = None) -> Reconciliation:
    """Hold a model's parts list against the tensors a file holds.

    config   where the packing's width stands; the config.json the checkpoint was read with unless given

    Raises ConfigError: packing_unclear.

    >>> from calc.catalogue import catalogue
    >>> from calc.checkpoint.stored import StoredTensor
    >>> stored = (StoredTensor("model.norm.weight", "F16", (4096,), 8192),
    ...           StoredTensor("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", (64,), 256))
    >>> held = reconcile(catalogue()["llama-2-7b"].parts_list(), Checkpoint("example", "safetensors", stored))
    >>> held.found, held.matched_elements, [(item.cause, item.elements) for item in held.gap]
    (4160, 4096, [('missing', -6738411520), ('inv_freq', 64)])
    """
    real = unpacked(checkpoint, config)
    is_gguf = checkpoint.file_format == "gguf"
    names = Names(parts_list, str(checkpoint.metadata.get("general.architecture", "")) if is_gguf else None)
    lines = _lines(parts_list)
    held_by, unplaced = _placed(real.tensors, names, lines)
    _let_a_lone_copy_stand_for_the_original(held_by, lines)

    ledger, differences = _Ledger(), []
    matched = matched_elements = filling = 0
    for key, of_key in lines.items():
        held, line = held_by.get(key, []), of_key[0]
        if line.tied_to is not None or line.kind == "buffer":
            for _, tensor in held:
                ledger.add(surplus_cause(line), tensor.elements, tensor.name)
            continue
        used, again = _used_and_again(held)
        for tensor in again:
            ledger.add("stored_again", tensor.elements, tensor.name)
        wanted, there = sum(line.repeats * line.count for line in of_key), sum(tensor.elements for tensor in used)
        if there - sum(tensor.padding for tensor in used) <= wanted <= there:
            filling += there - wanted
            there = wanted
        is_one = len(used) == len(of_key) == line.repeats == 1
        if there == wanted and (not is_one or _same_shape(line, used[0], loosely=is_gguf)):
            matched, matched_elements = matched + len(used), matched_elements + wanted
        elif not used or (not is_one and there < wanted):
            matched_elements += there
            ledger.add("missing", there - wanted, line.name)
        else:
            cause: Cause = "padded_vocabulary" if is_padded_vocabulary(line, used[0].shape) else "shape_differs"
            matched_elements += min(there, wanted)
            ledger.add(cause, there - wanted, used[0].name)
            differences.append(Difference(used[0].name, line.shape, used[0].shape))
    packed_names = {tensor.name for tensor in real.tensors if tensor.packing}
    for tensor, cause in explained(unplaced, names, parts_list.num_hidden_layers, packed_names):
        ledger.add(cause, tensor.elements, tensor.name)
    for item in real.service:
        ledger.add(item.service, item.tensor.elements, item.tensor.name)
    return Reconciliation(
        expected=parameters(parts_list.tensors),
        found=real.real_elements - filling + real.service_elements,
        stored=checkpoint.stored_elements,
        matched=matched,
        matched_elements=matched_elements,
        missing=ledger.names(["missing"]),
        extra=ledger.names([cause for cause in CAUSES if cause not in ("missing", "shape_differs", "padded_vocabulary")]),
        shape_differs=tuple(differences),
        gap=ledger.items(),
        packings=tuple(sorted({tensor.packing for tensor in real.tensors if tensor.packing})),
    )


def _lines(parts_list: PartsList) -> Lines:
    lines: Lines = {}
    for line in parts_list.tensors:
        for layer in (None,) if line.layers is None else line.layers:
            lines.setdefault((line.name, layer), []).append(line)
    return lines


def _placed(
    tensors: Iterable[RealTensor], names: Names, lines: Lines
) -> tuple[dict[Key, Held], list[RealTensor]]:
    """The file's tensors by the line and layer they belong to, and those that belong nowhere."""
    held_by: dict[Key, Held] = {}
    unplaced = []
    for tensor in tensors:
        place = names.place(tensor.name)
        if place is None or (place.name, place.layer) not in lines:
            unplaced.append(tensor)
        else:
            held_by.setdefault((place.name, place.layer), []).append((place.piece, tensor))
    return held_by, unplaced


def _let_a_lone_copy_stand_for_the_original(held_by: dict[Key, Held], lines: Lines) -> None:
    """Of two tied tensors a file may keep the one that the parts list calls the copy."""
    for key, (line, *_) in lines.items():
        original = (line.tied_to, None)
        if line.tied_to is not None and key in held_by and original in lines and original not in held_by:
            held_by[original] = held_by.pop(key)


def _used_and_again(held: Held) -> tuple[list[RealTensor], list[RealTensor]]:
    """The whole where it is there, else each piece once; and what is stored again."""
    whole = [number for number, (piece, _) in enumerate(held) if not piece][:1]
    first = {piece: number for number, (piece, _) in reversed(list(enumerate(held)))}
    used = set(whole or first.values())
    return [held[n][1] for n in sorted(used)], [tensor for n, (_, tensor) in enumerate(held) if n not in used]


def _same_shape(line: Tensor, tensor: RealTensor, loosely: bool) -> bool:
    """Whether the lengths are those expected; a packed matrix and llama.cpp's may be turned round or lack lengths of 1."""
    if tensor.shape is None or tensor.shape == line.shape:
        return True
    return bool(loosely or tensor.packing) and sorted(n for n in tensor.shape if n > 1) == sorted(n for n in line.shape if n > 1)
