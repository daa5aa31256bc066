"""Checkpoints and reconciliations written down: as JSON documents and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from calc.checkpoint.causes import Cause
from calc.checkpoint.names import starred
from calc.checkpoint.reconcile import Entry, GapItem, Reconciliation
from calc.checkpoint.stored import Checkpoint, FileFormat
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
"""Causes that say that file and model are not the same, or that nobody knows."""
ENTRY_COLUMNS = ("name", "cause", "copies", "shape", "expected", "found", "difference")
ROW_COLUMNS = ("name", "shape", "packing", "copies", "count", "elements")


@dataclass(frozen=True, slots=True)
class Stored:
    """All tensors of one number format: how many, the numbers they hold as they are stored, and B."""

    dtype: str
    tensors: int
    elements: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Overview:
    """A checkpoint in figures.

    tensors           how many
    stored_elements   numbers, packed ones as they are packed
    size_bytes        B of its tensors
    bytes_read        B of headers read for it
    dtypes            the same by number format, the largest first
    """

    file_format: FileFormat
    files: int
    tensors: int
    stored_elements: int
    size_bytes: int
    bytes_read: int
    dtypes: tuple[Stored, ...]


def overview(checkpoint: Checkpoint) -> Overview:
    """What a checkpoint holds, summed over its tensors.

    >>> from calc.checkpoint.stored import StoredTensor
    >>> stored = (StoredTensor("w", "F16", (2, 3), 12), StoredTensor("b", "F32", (3,), 12))
    >>> overview(Checkpoint("example", "safetensors", stored, bytes_read=100)).dtypes
    (Stored(dtype='F16', tensors=1, elements=6, size_bytes=12), Stored(dtype='F32', tensors=1, elements=3, size_bytes=12))
    """
    sums: dict[str, list[int]] = {}
    for tensor in checkpoint.tensors:
        line = sums.setdefault(tensor.dtype, [0, 0, 0])
        for at, value in enumerate((1, tensor.elements, tensor.size_bytes)):
            line[at] += value
    dtypes = sorted((Stored(dtype, *line) for dtype, line in sums.items()), key=lambda item: -item.size_bytes)
    return Overview(
        checkpoint.file_format,
        checkpoint.files,
        len(checkpoint.tensors),
        sum(item.elements for item in dtypes),
        sum(item.size_bytes for item in dtypes),
        checkpoint.bytes_read,
        tuple(dtypes),
    )


def unsettled(result: Reconciliation) -> tuple[GapItem, ...]:
    """What of the gap tells file and model apart; empty where every parameter is there and all else is accounted for.

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
        "gap": [
            {"cause": item.cause, "elements": item.elements, "tensors": list(item.tensors), "copies": item.copies}
            for item in result.gap
        ],
        "matched": {"tensors": result.matched, "elements": result.matched_elements},
        "arranged": [
            {"expected": list(item.expected), "found": list(item.found), "copies": item.copies} for item in result.arranged
        ],
        "missing": list(result.missing),
        "extra": list(result.extra),
        "shape_differs": [
            {"name": item.name, "expected": list(item.expected), "found": None if item.found is None else list(item.found)}
            for item in result.shape_differs
        ],
        "packings": list(result.packings),
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
    rows = []
    for entry in result.entries:
        row = _entry_row(entry)
        row["cause"] = (causes or {}).get(entry.cause, entry.cause) if entry.cause else ""
        rows.append(row)
    return _csv(ENTRY_COLUMNS, rows, headings)


def _entry_row(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "cause": entry.cause,
        "copies": entry.copies,
        "shape": None if entry.shape is None else list(entry.shape),
        "expected": entry.expected,
        "found": entry.found,
        "difference": entry.found - entry.expected,
    }


def _csv(columns: tuple[str, ...], rows: Iterable[Mapping[str, object]], headings: Mapping[str, str] | None) -> str:
    def cell(value: object) -> object:
        return "" if value is None else " × ".join(map(str, value)) if isinstance(value, list) else value

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


def checkpoint_rows(checkpoint: Checkpoint) -> list[dict[str, object]]:
    """One row for all tensors of a name (its numbers written `*`) and a shape: `copies` of `count` real weights each."""
    rows: dict[tuple, dict[str, object]] = {}
    for tensor in unpacked(checkpoint).tensors:
        name = starred(tensor.name)[0]
        row = rows.setdefault(
            (name, tensor.shape, tensor.elements, tensor.packing),
            {
                "name": name,
                "shape": None if tensor.shape is None else list(tensor.shape),
                "packing": tensor.packing,
                "copies": 0,
                "count": tensor.elements,
                "elements": 0,
            },
        )
        row["copies"] += 1
        row["elements"] += tensor.elements
    return list(rows.values())


def checkpoint_csv(checkpoint: Checkpoint, headings: Mapping[str, str] | None = None) -> str:
    """The same as CSV; `headings` may name ROW_COLUMNS in another language. Raises ConfigError: packing_unclear."""
    return _csv(ROW_COLUMNS, checkpoint_rows(checkpoint), headings)


def checkpoint_document(checkpoint: Checkpoint) -> dict[str, object]:
    """Everything `python -m calc count CHECKPOINT --json` prints: what a file holds, in real weights.

    A file alone does not tell which of its tensors are tied or buffers: `found` counts them all.
    """
    result = unpacked(checkpoint)
    return {
        "model": checkpoint.source,
        "model_type": None,
        "format": checkpoint.file_format,
        "found": result.real_elements,
        "scales_and_tables": result.service_elements,
        "stored_elements": checkpoint.stored_elements,
        "size_bytes": checkpoint.size_bytes,
        "dtypes": {item.dtype: item.elements for item in overview(checkpoint).dtypes},
        "files": checkpoint.files,
        "bytes_read": checkpoint.bytes_read,
        "tensors": checkpoint_rows(checkpoint),
    }


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """The same as text: a line a tensor, the sum, and what was read for it."""
    rows = checkpoint_rows(checkpoint)
    cells = [
        (
            row["name"],
            " × ".join(map(str, row["shape"])) if row["shape"] is not None else "?",
            f"{row['copies']:,} × {row['count']:,}",
        )
        for row in rows
    ]
    widths = [max((len(row[column]) for row in cells), default=0) for column in range(3)]
    lines = [
        f"{name:<{widths[0]}}  {shape:<{widths[1]}}  {count:>{widths[2]}}  {row['elements']:>17,}"
        for (name, shape, count), row in zip(cells, rows, strict=True)
    ]
    found = unpacked(checkpoint)
    lines += ["", f"{checkpoint.source}: {found.real_elements:,} numbers in place of weights, tied copies and buffers among them"]
    if found.service_elements:
        lines.append(f"beside them {found.service_elements:,} scales and tables of the packing")
    lines.append(_transfer(checkpoint))
    return "\n".join(lines)


def _transfer(checkpoint: Checkpoint) -> str:
    files = "1 file" if checkpoint.files == 1 else f"{checkpoint.files:,} files"
    return f"{checkpoint.bytes_read:,} bytes of headers read from {files} of {checkpoint.size_bytes:,} bytes"
