"""The parts list against the file: what matches, what is missing, what is more, and why, to the last element.

found − expected = Σ elements of the causes, always: every number of the file is either a parameter that the parts
list expects there, or is counted under a cause; every parameter that is expected and not found is counted under
`missing`, negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from calc.checkpoint.causes import CAUSES, Cause, explained, is_padded_vocabulary, surplus_cause
from calc.checkpoint.matching import Match, matching
from calc.checkpoint.names import Names, starred
from calc.checkpoint.packings import RealTensor
from calc.checkpoint.stored import Checkpoint, StoredTensor
from calc.checkpoint.unpacked import unpacked
from calc.model import Model
from calc.tensors import Tensor

NOT_EXTRA: tuple[Cause, ...] = ("missing", "shape_differs", "padded_vocabulary")
"""Causes of differences in what the parts list counts; all others are of tensors that it does not."""


@dataclass(frozen=True, slots=True)
class GapItem:
    """One reason why the file does not hold exactly the parameters.

    cause      one of `CAUSES`
    elements   what it adds to found − expected; negative where the file has less
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


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a match comes to.

    entries       one for each tensor, and one for what is missing
    elements      numbers that are there as expected
    whole         the tensors, where all is as expected
    is_arranged   whether the file cuts or joins them otherwise
    filling       numbers at the ends of packed rows that are no weights
    differs       where the shape is another
    """

    entries: Sequence[Entry]
    elements: int = 0
    whole: Sequence[RealTensor] = ()
    is_arranged: bool = False
    filling: int = 0
    differs: Difference | None = None


def reconcile(model: Model, checkpoint: Checkpoint) -> Reconciliation:
    """A model's parts list against the tensors of a file.

    The packing's width is in the config.json that the checkpoint was read with; in the model's where it brought none.

    Raises ConfigError: packing_unclear.

    >>> from calc.checkpoint.stored import StoredTensor
    >>> stored = (StoredTensor("model.norm.weight", "F16", (4096,), 8192),
    ...           StoredTensor("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", (64,), 256))
    >>> result = reconcile(Model.of("llama-2-7b"), Checkpoint("example", "safetensors", stored))
    >>> result.found, result.matched_elements, [(item.cause, item.elements) for item in result.gap]
    (4160, 4096, [('missing', -6738411520), ('inv_freq', 64)])
    """
    real = unpacked(checkpoint, model.values if checkpoint.config is None else None)
    is_gguf = checkpoint.file_format == "gguf"
    names = Names(model.parts_list, str(checkpoint.metadata.get("general.architecture", "")) if is_gguf else None)
    matched = matching(real.tensors, names, model.parts_list)
    verdicts = [_verdict(match, loosely=is_gguf) for match in matched.matches]
    packed_names = {tensor.name for tensor in real.tensors if tensor.packing}
    single = [entry for verdict in verdicts for entry in verdict.entries]
    single += [_surplus("stored_again", tensor) for tensor in matched.again]
    single += [_surplus(cause, tensor) for tensor, cause in explained(matched.unknown, names, packed_names)]
    single += [_surplus(item.service, item.tensor) for item in real.service]
    entries = _summed(single)
    return Reconciliation(
        expected=model.parameters,
        found=real.real_elements - sum(verdict.filling for verdict in verdicts) + real.service_elements,
        stored=checkpoint.stored_elements,
        matched=sum(len(verdict.whole) for verdict in verdicts),
        matched_elements=sum(verdict.elements for verdict in verdicts),
        missing=_names(entries, ["missing"]),
        extra=_names(entries, [cause for cause in CAUSES if cause not in NOT_EXTRA]),
        shape_differs=tuple(verdict.differs for verdict in verdicts if verdict.differs),
        gap=_gap(entries),
        packings=tuple(sorted({tensor.packing for tensor in real.tensors if tensor.packing})),
        entries=entries,
        arranged=_arrangements(matched.matches, verdicts),
    )


def _verdict(match: Match, loosely: bool) -> _Verdict:
    line = match.lines[0]
    if line.tied_to is not None or line.kind == "buffer":
        return _Verdict([_surplus(surplus_cause(line), tensor) for _, tensor in match.pieces])
    used, again = match.used_and_again()
    entries = [_surplus("stored_again", tensor) for tensor in again]
    expected, found = match.expected, sum(tensor.elements for tensor in used)
    filling = found - expected if found - sum(tensor.padding for tensor in used) <= expected <= found else 0
    found -= filling
    is_one = len(used) == len(match.lines) == line.repeats == 1
    if found == expected and (not is_one or _same_shape(line, used[0], loosely)):
        is_arranged = not is_one and match.is_arranged_otherwise
        return _Verdict([*entries, *_as_expected(used, expected)], expected, used, is_arranged, filling)
    if not used or (not is_one and found < expected):
        missing = Entry(line.name, "missing", 1, None, expected - found, 0)
        return _Verdict([*entries, *_as_expected(used, found), missing], found, filling=filling)
    first = used[0]
    cause: Cause = "padded_vocabulary" if is_padded_vocabulary(line, first.shape) else "shape_differs"
    differs = Difference(first.name, line.shape, first.shape)
    entries.append(Entry(first.name, cause, 1, first.shape, expected, found))
    return _Verdict(entries, min(found, expected), filling=filling, differs=differs)


def _surplus(cause: Cause, tensor: RealTensor | StoredTensor) -> Entry:
    return Entry(tensor.name, cause, 1, tensor.shape, 0, tensor.elements)


def _as_expected(tensors: Iterable[RealTensor], elements: int) -> Iterator[Entry]:
    """Tensors that together have what is expected; what goes beyond it is filling of the last."""
    for tensor in tensors:
        there = min(tensor.elements, elements)
        elements -= there
        yield Entry(tensor.name, None, 1, tensor.shape, there, there)


def _summed(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries of one cause, name (its numbers written `*`) and shape together."""
    alike: dict[tuple[Cause | None, str, tuple[int, ...] | None], list[Entry]] = {}
    for entry in entries:
        alike.setdefault((entry.cause, starred(entry.name)[0], entry.shape), []).append(entry)
    return tuple(
        Entry(name, cause, len(line), shape, sum(entry.expected for entry in line), sum(entry.found for entry in line))
        for (cause, name, shape), line in alike.items()
    )


def _gap(entries: Iterable[Entry]) -> tuple[GapItem, ...]:
    by_cause: dict[Cause, list[Entry]] = {}
    for entry in entries:
        if entry.cause is not None:
            by_cause.setdefault(entry.cause, []).append(entry)
    items = (
        GapItem(
            cause,
            sum(entry.found - entry.expected for entry in alike),
            tuple(dict.fromkeys(entry.name for entry in alike)),
            sum(entry.copies for entry in alike),
        )
        for cause, alike in by_cause.items()
    )
    return tuple(sorted(items, key=lambda item: (-abs(item.elements), CAUSES.index(item.cause))))


def _names(entries: Sequence[Entry], causes: Iterable[Cause]) -> tuple[str, ...]:
    """Names of each cause in turn."""
    return tuple(name for cause in causes for name in dict.fromkeys(entry.name for entry in entries if entry.cause == cause))


def _arrangements(matches: Iterable[Match], verdicts: Iterable[_Verdict]) -> tuple[Arrangement, ...]:
    arranged: dict[tuple[str, ...], list[str]] = {}
    for match, verdict in zip(matches, verdicts, strict=True):
        if verdict.is_arranged:
            expected = tuple(dict.fromkeys(line.name for line in match.lines))
            arranged.setdefault(expected, []).extend(starred(tensor.name)[0] for tensor in verdict.whole)
    return tuple(Arrangement(expected, tuple(dict.fromkeys(found)), len(found)) for expected, found in arranged.items())


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
