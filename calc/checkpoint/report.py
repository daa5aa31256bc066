"""Checkpoints and reconciliations written down: as JSON documents and as text."""

from __future__ import annotations

from collections.abc import Mapping

from calc.checkpoint.causes import Cause
from calc.checkpoint.names import starred
from calc.checkpoint.reconcile import Reconciliation
from calc.checkpoint.stored import Checkpoint
from calc.checkpoint.unpacked import unpacked

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


def reconciliation_document(model: str, checkpoint: Checkpoint, result: Reconciliation) -> dict[str, object]:
    """Everything `python -m calc reconcile --json` prints; Σ `elements` of `gap` is `found` − `expected`."""
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
    }


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


def checkpoint_document(checkpoint: Checkpoint) -> dict[str, object]:
    """Everything `python -m calc count CHECKPOINT --json` prints: what a file holds, in real weights.

    A file alone does not tell which of its tensors are tied or buffers: `found` counts them all.
    """
    result = unpacked(checkpoint)
    dtypes: dict[str, int] = {}
    for tensor in checkpoint.tensors:
        dtypes[tensor.dtype] = dtypes.get(tensor.dtype, 0) + tensor.elements
    return {
        "model": checkpoint.source,
        "model_type": None,
        "format": checkpoint.file_format,
        "found": result.real_elements,
        "scales_and_tables": result.service_elements,
        "stored_elements": checkpoint.stored_elements,
        "size_bytes": checkpoint.size_bytes,
        "dtypes": dtypes,
        "files": checkpoint.files,
        "bytes_read": checkpoint.bytes_read,
        "tensors": checkpoint_rows(checkpoint),
    }


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """The same as text: a line a tensor, the sum, and what was read for it."""
    rows = checkpoint_rows(checkpoint)
    cells = [
        (row["name"], " × ".join(map(str, row["shape"])) if row["shape"] is not None else "?", f"{row['copies']:,} × {row['count']:,}")
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
