"""The parts list held against the file: what matches, what is missing, what is more, and why, to the last element.

found − expected = Σ elements of the causes, always: every number the file holds is either a parameter that the parts
list expects there, or is counted under a cause; every parameter that is expected and not found is counted under
`missing`, negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from calc.checkpoint.causes import CAUSES, Cause, explained, is_padded_vocabulary, surplus_cause
from calc.checkpoint.matching import Held, lines_of, placed, used_and_again
from calc.checkpoint.names import Names, starred
from calc.checkpoint.packings import RealTensor
from calc.checkpoint.stored import Checkpoint
from calc.checkpoint.unpacked import unpacked
from calc.model import Model
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
class Entry:
    """One line of the ledger: tensors of one name (its numbers written `*`), one shape and one cause.

    cause      why expected and found differ, None where they agree
    copies     how many tensors those are, of the file; of the parts list where they are missing
    shape      lengths in the file, unpacked, slowest first; None where it does not tell them, or has no such tensor
    expected   parameters the parts list has there
    found      numbers the file has there
    """

    name: str
    cause: Cause | None
    copies: int
    shape: tuple[int, ...] | None
    expected: int
    found: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A tensor whose shape is not the expected one. `found` is None where the header does not tell it."""

    name: str
    expected: tuple[int, ...]
    found: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tensors that match though the file cuts or joins them otherwise: query, key and value in one matrix, experts one by one.

    expected   names in the parts list
    found      names in the file, their numbers written `*`
    copies     how many tensors of the file those are
    """

    expected: tuple[str, ...]
    found: tuple[str, ...]
    copies: int


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
    entries            all of it line by line: Σ expected, Σ found, and by cause Σ found − expected are the figures above
    arranged           which of the matched tensors the file cuts or joins otherwise than the parts list
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
    entries: tuple[Entry, ...] = ()
    arranged: tuple[Arrangement, ...] = ()

    def elements(self, cause: Cause) -> int:
        """What a cause adds to the gap, 0 where it is not among them."""
        return sum(item.elements for item in self.gap if item.cause == cause)


class _Ledger:
    """Entries as they are found: expected, found, copies."""

    def __init__(self) -> None:
        self.lines: dict[tuple[Cause | None, str, tuple[int, ...] | None], list[int]] = {}

    def add(self, cause: Cause | None, name: str, shape: tuple[int, ...] | None, expected: int, found: int) -> None:
        line = self.lines.setdefault((cause, starred(name)[0], shape), [0, 0, 0])
        for at, value in enumerate((expected, found, 1)):
            line[at] += value

    def add_matching(self, tensors: Iterable[RealTensor], elements: int) -> None:
        """Tensors that together hold what is expected; what goes beyond it is filling of the last."""
        for tensor in tensors:
            there = min(tensor.elements, elements)
            elements -= there
            self.add(None, tensor.name, tensor.shape, there, there)

    def entries(self) -> tuple[Entry, ...]:
        return tuple(
            Entry(name, cause, copies, shape, expected, found)
            for (cause, name, shape), (expected, found, copies) in self.lines.items()
        )

    def items(self) -> tuple[GapItem, ...]:
        by_cause: dict[Cause, list[Entry]] = {}
        for entry in self.entries():
            if entry.cause is not None:
                by_cause.setdefault(entry.cause, []).append(entry)
        items = [
            GapItem(
                cause,
                sum(entry.found - entry.expected for entry in entries),
                tuple(dict.fromkeys(entry.name for entry in entries)),
                sum(entry.copies for entry in entries),
            )
            for cause, entries in by_cause.items()
        ]
        return tuple(sorted(items, key=lambda item: (-abs(item.elements), CAUSES.index(item.cause))))

    def names(self, causes: Iterable[Cause]) -> tuple[str, ...]:
        return tuple(
            name for wanted in causes for name in dict.fromkeys(name for cause, name, _ in self.lines if cause == wanted)
        )


def reconcile(model: Model, checkpoint: Checkpoint) -> Reconciliation:
    """Hold a model's parts list against the tensors a file holds.

    The packing's width stands in the config.json that the checkpoint was read with; in the model's where it brought none.

    Raises ConfigError: packing_unclear.

    >>> from calc.checkpoint.stored import StoredTensor
    >>> stored = (StoredTensor("model.norm.weight", "F16", (4096,), 8192),
    ...           StoredTensor("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", (64,), 256))
    >>> held = reconcile(Model.of("llama-2-7b"), Checkpoint("example", "safetensors", stored))
    >>> held.found, held.matched_elements, [(item.cause, item.elements) for item in held.gap]
    (4160, 4096, [('missing', -6738411520), ('inv_freq', 64)])
    """
    real = unpacked(checkpoint, model.values if checkpoint.config is None else None)
    is_gguf = checkpoint.file_format == "gguf"
    names = Names(model.parts_list, str(checkpoint.metadata.get("general.architecture", "")) if is_gguf else None)
    lines = lines_of(model.parts_list)
    held_by, unplaced, joined_again = placed(real.tensors, names, lines)

    ledger, differences, arranged = _Ledger(), [], {}
    matched = matched_elements = filling = 0
    for key, of_key in lines.items():
        held, line = held_by.get(key, []), of_key[0]
        if line.tied_to is not None or line.kind == "buffer":
            for _, tensor in held:
                ledger.add(surplus_cause(line), tensor.name, tensor.shape, 0, tensor.elements)
            continue
        used, again = used_and_again(held)
        for tensor in again:
            ledger.add("stored_again", tensor.name, tensor.shape, 0, tensor.elements)
        wanted, there = sum(line.repeats * line.count for line in of_key), sum(tensor.elements for tensor in used)
        if there - sum(tensor.padding for tensor in used) <= wanted <= there:
            filling += there - wanted
            there = wanted
        is_one = len(used) == len(of_key) == line.repeats == 1
        if there == wanted and (not is_one or _same_shape(line, used[0], loosely=is_gguf)):
            matched, matched_elements = matched + len(used), matched_elements + wanted
            ledger.add_matching(used, wanted)
            if not is_one and _is_arranged_otherwise(of_key, held):
                found = arranged.setdefault(tuple(dict.fromkeys(each.name for each in of_key)), [])
                found += [tensor.name for tensor in used]
        elif not used or (not is_one and there < wanted):
            matched_elements += there
            ledger.add_matching(used, there)
            ledger.add("missing", line.name, None, wanted - there, 0)
        else:
            cause: Cause = "padded_vocabulary" if is_padded_vocabulary(line, used[0].shape) else "shape_differs"
            matched_elements += min(there, wanted)
            ledger.add(cause, used[0].name, used[0].shape, wanted, there)
            differences.append(Difference(used[0].name, line.shape, used[0].shape))
    for tensor in joined_again:
        ledger.add("stored_again", tensor.name, tensor.shape, 0, tensor.elements)
    packed_names = {tensor.name for tensor in real.tensors if tensor.packing}
    for tensor, cause in explained(unplaced, names, packed_names):
        ledger.add(cause, tensor.name, tensor.shape, 0, tensor.elements)
    for item in real.service:
        ledger.add(item.service, item.tensor.name, item.tensor.shape, 0, item.tensor.elements)
    return Reconciliation(
        expected=model.parameters,
        found=real.real_elements - filling + real.service_elements,
        stored=checkpoint.stored_elements,
        matched=matched,
        matched_elements=matched_elements,
        missing=ledger.names(["missing"]),
        extra=ledger.names([cause for cause in CAUSES if cause not in ("missing", "shape_differs", "padded_vocabulary")]),
        shape_differs=tuple(differences),
        gap=ledger.items(),
        packings=tuple(sorted({tensor.packing for tensor in real.tensors if tensor.packing})),
        entries=ledger.entries(),
        arranged=tuple(
            Arrangement(expected, tuple(dict.fromkeys(starred(name)[0] for name in found)), len(found))
            for expected, found in arranged.items()
        ),
    )


def _is_arranged_otherwise(lines: list[Tensor], held: Held) -> bool:
    """Whether the file holds several lines in one tensor, or cuts one into pieces that are no copies of it."""
    is_joined = len({line.name for line in lines}) > 1
    return is_joined or any(piece and (lines[0].experts or isinstance(piece[-1], str)) for piece, _ in held)


def _same_shape(line: Tensor, tensor: RealTensor, loosely: bool) -> bool:
    """Whether the lengths are those expected; a stack of one expert may lack its 1, a packed matrix and llama.cpp's may be
    turned round, lack lengths of 1 or have the experts apart."""
    if tensor.shape is None or tensor.shape == line.shape or line.experts and (1, *tensor.shape) == line.shape:
        return True
    if not (loosely or tensor.packing):
        return False
    found, expected = (sorted(length for length in shape if length > 1) for shape in (tensor.shape, line.shape))
    number, *of_one = tensor.shape if len(tensor.shape) == 3 else (1, 1, 1)
    return expected in (found, *(sorted((number * out, inputs)) for out, inputs in permutations(of_one)))
