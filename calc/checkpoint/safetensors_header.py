"""The header of a .safetensors file: which tensors it has, checked against the file's own size.

A file is 8 bytes (the header's length n, little-endian), n bytes of JSON, then the numbers. Only the first 8 + n bytes
are ever read. Whatever the header says is checked: a file can be cut short, damaged, or made to mislead.

Source: github.com/huggingface/safetensors, README, "Format".
"""

from __future__ import annotations

import json
from pathlib import Path

from calc.checkpoint.stored import MOST_TENSORS, Checkpoint, HeaderTruncated, StoredTensor, end_of_data, located, repeated_tensor
from calc.errors import ConfigError, quoted, unreadable

LENGTH_BYTES = 8
LIMIT_BYTES = 25_000_000
"""Of a header, as in `huggingface_hub`; DeepSeek-V3's largest is under 1 MB."""
MOST_DIMENSIONS = 16
LARGEST_LENGTH = 2**63 - 1
_KEYS = {"dtype", "shape", "data_offsets"}

DTYPE_BITS = {
    dtype: bits
    for bits, dtypes in (
        (8, "BOOL U8 I8 F8_E5M2 F8_E4M3 F8_E8M0 F8_E4M3FNUZ F8_E5M2FNUZ"),
        (4, "F4"),
        (6, "F6_E2M3 F6_E3M2"),
        (16, "I16 U16 F16 BF16"),
        (32, "I32 U32 F32"),
        (64, "C64 F64 I64 U64"),
    )
    for dtype in dtypes.split()
}
"""Bits of one number of each dtype the format knows."""


def read_safetensors(path: str | Path) -> Checkpoint:
    """The tensors of a local file; only its header is read.

    Raises ConfigError: unreadable_file, and all that `header_length` and `tensors_of_header` raise.
    """
    name = Path(path).name
    try:
        with open(path, "rb") as file:
            size_bytes = Path(path).stat().st_size
            length = header_length(file.read(LENGTH_BYTES), size_bytes, name)
            header = file.read(length)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    return checkpoint_of(str(path), header, size_bytes, name)


def checkpoint_of(source: str, header: bytes, size_bytes: int | None, name: str) -> Checkpoint:
    """One file's header as a checkpoint. Raises ConfigError as `tensors_of_header` does."""
    tensors, metadata = tensors_of_header(header, size_bytes, name)
    return Checkpoint(source, "safetensors", tensors, metadata, LENGTH_BYTES + len(header))


def header_length(first: bytes, file_bytes: int, name: str) -> int:
    """B of the JSON that follows the first 8 bytes.

    file_bytes   B of the whole file

    Raises ConfigError: header_truncated, header_too_large.

    >>> header_length(b"\\x10\\0\\0\\0\\0\\0\\0\\0", 100, "model.safetensors")
    16
    """
    if len(first) < LENGTH_BYTES:
        raise HeaderTruncated("header_truncated", file=quoted(name), size_bytes=file_bytes)
    length = int.from_bytes(first[:LENGTH_BYTES], "little")
    if length > LIMIT_BYTES:
        raise ConfigError("header_too_large", file=quoted(name), length=length, limit_mb=LIMIT_BYTES // 1_000_000)
    if LENGTH_BYTES + length > file_bytes:
        raise HeaderTruncated("header_truncated", file=quoted(name), size_bytes=file_bytes)
    return length


def tensors_of_header(header: bytes, size_bytes: int | None, name: str) -> tuple[tuple[StoredTensor, ...], dict[str, str]]:
    """The tensors and the `__metadata__` of a header's JSON.

    size_bytes   B of the whole file; None where it is unknown, and the end cannot be checked

    Raises ConfigError: header_not_json, header_repeated_tensor, too_many_tensors, tensor_malformed,
    tensor_unknown_dtype, tensor_size_differs, tensor_outside_file, tensors_overlap, tensors_leave_a_gap.

    >>> header = b'{"w": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}}'
    >>> tensors_of_header(header, 8 + len(header) + 12, "model.safetensors")[0]
    (StoredTensor(name='w', dtype='F16', shape=(2, 3), size_bytes=12),)
    """
    entries = _entries(header, name)
    metadata = entries.pop("__metadata__", None) or {}
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ConfigError("tensor_malformed", file=quoted(name), tensor="__metadata__")
    if len(entries) > MOST_TENSORS:
        raise ConfigError("too_many_tensors", file=quoted(name), tensors=len(entries), limit=MOST_TENSORS)
    data_bytes = None if size_bytes is None else size_bytes - LENGTH_BYTES - len(header)
    tensors = [_tensor(tensor, entry, data_bytes, name) for tensor, entry in entries.items()]
    end = end_of_data(name, tensors)
    if data_bytes is not None and end < data_bytes:
        raise ConfigError("tensors_leave_a_gap", file=quoted(name), tensor="EOF", gap_bytes=data_bytes - end)
    return tuple(tensor for tensor, _ in tensors), metadata


def _entries(header: bytes, name: str) -> dict[str, object]:
    def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) < len(pairs):
            raise repeated_tensor(name, (key for key, _ in pairs))
        return values

    try:
        entries = json.loads(header.decode("utf-8"), object_pairs_hook=without_repeats)
    except (ValueError, RecursionError):  # of bad UTF-8, bad JSON, a number of thousands of digits, a deep nest
        entries = None
    if not isinstance(entries, dict):
        raise ConfigError("header_not_json", file=quoted(name))
    return entries


def _tensor(tensor: str, entry: object, data_bytes: int | None, name: str) -> tuple[StoredTensor, int]:
    """One entry, and where in the data it begins."""
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        raise ConfigError("tensor_malformed", **located(name, tensor))
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or not _are_lengths(shape) or not _are_lengths(offsets) or len(offsets) != 2:
        raise ConfigError("tensor_malformed", **located(name, tensor))
    if dtype not in DTYPE_BITS:
        raise ConfigError("tensor_unknown_dtype", **located(name, tensor), dtype=quoted(dtype), known=", ".join(DTYPE_BITS))
    begin, end = offsets
    if begin > end or (data_bytes is not None and end > data_bytes):
        raise ConfigError("tensor_outside_file", **located(name, tensor), begin=begin, end=end, data_bytes=data_bytes)
    stored = StoredTensor(tensor, dtype, tuple(shape), end - begin)
    bits = stored.elements * DTYPE_BITS[dtype]
    if bits != 8 * stored.size_bytes:
        raise ConfigError("tensor_size_differs", **located(name, tensor), expected=-(-bits // 8), size_bytes=stored.size_bytes)
    return stored, begin


def _are_lengths(values: object) -> bool:
    return (
        isinstance(values, list)
        and len(values) <= MOST_DIMENSIONS
        and all(type(value) is int and 0 <= value <= LARGEST_LENGTH for value in values)
    )
