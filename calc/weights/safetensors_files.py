"""The bytes of .safetensors files: their data, their headers, and the index of several.

A file is 8 bytes that say how long the header is, the header, and the data. The header is JSON without spaces: `__metadata__`
first, then for each tensor its dtype, its shape and where its data begin and end, filled up with spaces to a multiple of 8.
Tensors are sorted by dtype, the widest first, then by name.

`save_pretrained` begins a new file as soon as the next tensor would make one larger than `max_shard_size`, in the order of
the model's modules. Published models are mostly cut at 5 GB, the Hub's default; transformers 5 cuts at 50 GB.

Source: github.com/huggingface/safetensors, README and `safetensors/src/tensor.rs`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calc.checkpoint.stored import StoredTensor

SHARD_BYTES = 5 * 10**9
"""The size at which a model is cut into several files by default."""

LENGTH_BYTES = 8
"""What says how long the header is."""

DTYPES = ("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "I16", "U16", "F16", "BF16", "I32", "U32", "F32", "F64", "I64", "U64")
"""The format's own order of dtypes, the narrowest first; of those that weights are stored in here."""

METADATA: Mapping[str, str] = {"format": "pt"}
_ENTRY = len('"":{"dtype":"","shape":[],"data_offsets":[,]}')


@dataclass(frozen=True, slots=True)
class File:
    """One .safetensors file.

    name          `model.safetensors`, or `model-00001-of-00002.safetensors`
    tensors       in the order they were saved
    header_bytes  the JSON with its filling, without the 8 bytes before it
    """

    name: str
    tensors: tuple[StoredTensor, ...]
    header_bytes: int

    @property
    def data_bytes(self) -> int:
        """Of all its tensors."""
        return sum(tensor.size_bytes for tensor in self.tensors)

    @property
    def bytes(self) -> int:
        """Of the whole file."""
        return LENGTH_BYTES + self.header_bytes + self.data_bytes


def header_bytes(tensors: Iterable[StoredTensor], metadata: Mapping[str, str] | None = METADATA) -> int:
    """Bytes of the header of a file that holds these tensors, filled up to a multiple of 8.

    metadata   content of `__metadata__`; None where the file has none

    >>> norm = StoredTensor("norm.weight", "F32", (4,), 16)
    >>> len('{"__metadata__":{"format":"pt"},"norm.weight":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}')
    96
    >>> header_bytes([norm])
    96
    """
    preface = "" if metadata is None else f'"__metadata__":{json.dumps(metadata, separators=(",", ":"))}'
    length = len("{}") + len(preface)
    offset = 0
    ordered = sorted(tensors, key=lambda tensor: (-DTYPES.index(tensor.dtype), tensor.name.encode()))
    for tensor in ordered:
        end = offset + tensor.size_bytes
        shape = sum(len(str(number)) for number in tensor.shape) + max(len(tensor.shape) - 1, 0)
        length += _ENTRY + len(tensor.name.encode()) + len(tensor.dtype) + shape + len(str(offset)) + len(str(end))
        offset = end
    length += max(len(ordered) + bool(preface) - 1, 0)  # a comma between any two
    return -(-length // 8) * 8


def files(tensors: Sequence[StoredTensor], shard_bytes: int = SHARD_BYTES) -> tuple[File, ...]:
    """The files that `save_pretrained` writes, cut where the next tensor would make one larger than `shard_bytes`.

    A tensor larger than that gets its own file.

    >>> heavy = [StoredTensor(name, "BF16", (3,), 6) for name in "abc"]
    >>> [(file.name, len(file.tensors)) for file in files(heavy, 13)]
    [('model-00001-of-00002.safetensors', 2), ('model-00002-of-00002.safetensors', 1)]
    """
    shards: list[list[StoredTensor]] = []
    current: list[StoredTensor] = []
    filled = 0
    for tensor in tensors:
        if tensor.size_bytes > shard_bytes:
            shards.append([tensor])
            continue
        if filled + tensor.size_bytes > shard_bytes:
            shards.append(current)
            current, filled = [], 0
        current.append(tensor)
        filled += tensor.size_bytes
    if current:
        shards.append(current)
    names = [f"model-{number:05d}-of-{len(shards):05d}.safetensors" for number in range(1, len(shards) + 1)]
    names = names if len(shards) > 1 else ["model.safetensors"]
    return tuple(File(name, tuple(shard), header_bytes(shard)) for name, shard in zip(names, shards, strict=True))


def index_bytes(of: Sequence[File], parameters: int) -> int:
    """Bytes of `model.safetensors.index.json`, which says for each tensor in which file it is; 0 for one file.

    parameters   what the model counts, tied tensors once
    """
    if len(of) < 2:
        return 0
    weight_map = {tensor.name: file.name for file in of for tensor in file.tensors}
    total = sum(file.data_bytes for file in of)
    index = {"metadata": {"total_parameters": parameters, "total_size": total}, "weight_map": weight_map}
    return len((json.dumps(index, indent=2, sort_keys=True) + "\n").encode())
