"""Checkpoints and reconciliations written down: as JSON documents and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from calc.checkpoint.causes import Cause
from calc.checkpoint.names import starred
from calc.checkpoint.reconcile import Entry, GapItem, Reconciliation
from calc.checkpoint.stored import Checkpoint, StoredTensor
from calc.checkpoint.unpacked import unpacked
from calc.export import csv_text

CAUSE_TEXTS: Mapping[Cause, str] = {
    "tied_stored_again": "tied tensor stored again",
    "stored_again": "stored under two names",
    "inv_freq": "rotary frequencies, a buffer",
    "causal_mask": "causal mask, a buffer",
    "router_correction": "router correction, a buffer",
    "buffer": "buffer",
    "dummy_bias": "dummy biases of the quantizer",
    "mtp": "layers that predict further tokens",
    "more_layers": "layers beyond num_hidden_layers",
    "padded_vocabulary": "vocabulary rows beyond vocab_size",
    "shape_differs": "another shape than expected",
    "scales_and_zeros": "scales and zeros of quantized weights",
    "packing_tables": "tables of the packing",
    "other_modality": "encoders of images or sound",
    "unknown": "unknown tensors",
    "missing": "missing parameters",
}
MOST_NAMES = 6
UNSETTLED: tuple[Cause, ...] = ("missing", "unknown", "shape_differs", "more_layers")
"""Causes by which file and model are not the same, or may not be."""
ENTRY_COLUMNS = ("name", "cause", "copies", "shape", "expected", "found", "difference")
ROW_COLUMNS = ("name", "shape", "packing", "copies", "count", "elements")


@dataclass(frozen=True, slots=True)
class DtypeSum:
    """All tensors of one number format: how many, the numbers they have as they are stored, and B."""

    dtype: str
    tensors: int
    elements: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TensorSum:
    """All tensors of a name (its numbers written `*`), a shape and a packing: `copies` of `count` real weights each."""

    name: str
    shape: tuple[int, ...] | None
    packing: str | None
    copies: int
    count: int
    elements: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file has, in real weights, and the numbers that serve the packing, as they are stored.

    A file alone does not say which of its tensors are tied or buffers: `elements` counts them all.
    """

    elements: int
    service_elements: int
    tensors: tuple[TensorSum, ...]


def dtype_sums(checkpoint: Checkpoint) -> tuple[DtypeSum, ...]:
    """A checkpoint by number format, the largest first.

    >>> from calc.checkpoint.stored import StoredTensor
    >>> stored = (StoredTensor("w", "F16", (2, 3), 12), StoredTensor("b", "F32", (3,), 12))
    >>> dtype_sums(Checkpoint("example", "safetensors", stored))
    (DtypeSum(dtype='F16', tensors=1, elements=6, size_bytes=12), DtypeSum(dtype='F32', tensors=1, elements=3, size_bytes=12))
    """
    alike: dict[str, list[StoredTensor]] = {}
    for tensor in checkpoint.tensors:
        alike.setdefault(tensor.dtype, []).append(tensor)
    sums = (
        DtypeSum(dtype, len(tensors), sum(tensor.elements for tensor in tensors), sum(tensor.size_bytes for tensor in tensors))
        for dtype, tensors in alike.items()
    )
    return tuple(sorted(sums, key=lambda item: -item.size_bytes))


def unsettled(result: Reconciliation) -> tuple[GapItem, ...]:
    """Why file and model are not the same; empty where every parameter is there and all else is accounted for.

    Fewer rows of the vocabulary than expected are parameters that are missing, more are filling.
    """
    return tuple(
        item for item in result.gap if item.cause in UNSETTLED or (item.cause == "padded_vocabulary" and item.elements < 0)
    )


def reconciliation_document(model: str, checkpoint: Checkpoint, result: Reconciliation) -> dict[str, object]:
    """Everything `python -m calc reconcile --json` prints; Σ `elements` of `gap` is `found` − `expected`.

    `tensors` says the same line by line: those of one name, shape and cause together.
    """
    return {
        "model": model,
        "checkpoint": checkpoint.source,
        "expected": result.expected,
        "found": result.found,
        "gap": [asdict(item) for item in result.gap],
        "matched": {"tensors": result.matched, "elements": result.matched_elements},
        "arranged": [asdict(item) for item in result.arranged],
        "missing": result.missing,
        "extra": result.extra,
        "shape_differs": [asdict(item) for item in result.shape_differs],
        "packings": result.packings,
        "stored_elements": result.stored,
        "files": checkpoint.files,
        "bytes_read": checkpoint.bytes_read,
        "tensors": [_entry_row(entry) for entry in result.entries],
    }


def reconciliation_csv(
    result: Reconciliation, headings: Mapping[str, str] | None = None, causes: Mapping[str, str] | None = None
) -> str:
    """The reconciliation as CSV, one line for the tensors of one name, shape and cause; Σ `difference` is the gap.

    headings   names of ENTRY_COLUMNS in another language
    causes     names of the causes in another language
    """
    named = causes or {}
    rows = ({**_entry_row(entry), "cause": named.get(entry.cause or "", entry.cause)} for entry in result.entries)
    return _csv(ENTRY_COLUMNS, rows, headings)


def _entry_row(entry: Entry) -> dict[str, object]:
    return {**asdict(entry), "difference": entry.found - entry.expected}


def _csv(columns: tuple[str, ...], rows: Iterable[Mapping[str, object]], headings: Mapping[str, str] | None) -> str:
    def cell(value: object) -> object:
        return "" if value is None else " × ".join(map(str, value)) if isinstance(value, tuple) else value

    return csv_text(
        [(headings or {}).get(name, name) for name in columns], ([cell(row[name]) for name in columns] for row in rows)
    )


def reconciliation_text(model: str, checkpoint: Checkpoint, result: Reconciliation) -> str:
    """The difference as on paper: expected, a line a cause with the names it is made of, found."""
    labels = [f"expected: {model}", *(CAUSE_TEXTS[item.cause] for item in result.gap), f"found: {checkpoint.source}"]
    width = max(map(len, labels))
    lines = [f"{labels[0]:<{width}}  {result.expected:>19,}"]
    for label, item in zip(labels[1:], result.gap, strict=False):
        names = ", ".join(item.tensors[:MOST_NAMES]) + (f" … ({len(item.tensors)})" if len(item.tensors) > MOST_NAMES else "")
        lines.append(f"{label:<{width}}  {item.elements:>+19,}  {item.copies:,} × {names}")
    lines.append(f"{labels[-1]:<{width}}  {result.found:>19,}")
    lines += ["", f"{result.matched:,} tensors match; {_transfer(checkpoint)}"]
    lines += [
        f"{item.copies:,} of them cut or joined otherwise: {', '.join(item.found[:MOST_NAMES])} for {', '.join(item.expected)}"
        for item in result.arranged
    ]
    return "\n".join(lines)


def contents(checkpoint: Checkpoint) -> Contents:
    """What a checkpoint has, the tensors alike together. Raises ConfigError: packing_unclear."""
    real = unpacked(checkpoint)
    copies = Counter((starred(tensor.name)[0], tensor.shape, tensor.packing, tensor.elements) for tensor in real.tensors)
    sums = (
        TensorSum(name, shape, packing, number, count, number * count) for (name, shape, packing, count), number in copies.items()
    )
    return Contents(real.real_elements, real.service_elements, tuple(sums))


def checkpoint_csv(checkpoint: Checkpoint, headings: Mapping[str, str] | None = None) -> str:
    """What a checkpoint has as CSV; `headings` may name ROW_COLUMNS in another language. Raises ConfigError: packing_unclear."""
    return _csv(ROW_COLUMNS, map(asdict, contents(checkpoint).tensors), headings)


def checkpoint_document(checkpoint: Checkpoint) -> dict[str, object]:
    """Everything `python -m calc count CHECKPOINT --json` prints. Raises ConfigError: packing_unclear."""
    found = contents(checkpoint)
    return {
        "model": checkpoint.source,
        "model_type": None,
        "format": checkpoint.file_format,
        "found": found.elements,
        "scales_and_tables": found.service_elements,
        "stored_elements": checkpoint.stored_elements,
        "size_bytes": checkpoint.size_bytes,
        "dtypes": {item.dtype: item.elements for item in dtype_sums(checkpoint)},
        "files": checkpoint.files,
        "bytes_read": checkpoint.bytes_read,
        "tensors": [asdict(row) for row in found.tensors],
    }


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """What a checkpoint has as text: a line a tensor, the sum, and what was read for it. Raises ConfigError: packing_unclear."""
    found = contents(checkpoint)
    rows = [
        (row.name, "?" if row.shape is None else " × ".join(map(str, row.shape)), f"{row.copies:,} × {row.count:,}")
        for row in found.tensors
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    lines = [
        f"{name:<{widths[0]}}  {shape:<{widths[1]}}  {count:>{widths[2]}}  {row.elements:>17,}"
        for (name, shape, count), row in zip(rows, found.tensors, strict=True)
    ]
    lines += ["", f"{checkpoint.source}: {found.elements:,} numbers in place of weights, tied copies and buffers among them"]
    if found.service_elements:
        lines.append(f"beside them {found.service_elements:,} scales and tables of the packing")
    return "\n".join([*lines, _transfer(checkpoint)])


def _transfer(checkpoint: Checkpoint) -> str:
    files = "1 file" if checkpoint.files == 1 else f"{checkpoint.files:,} files"
    return f"{checkpoint.bytes_read:,} bytes of headers read from {files} of {checkpoint.size_bytes:,} bytes"
