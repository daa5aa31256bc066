"""What a checkpoint's header says it stores: tensors with a type, a shape and a size, and how they lie in the file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from calc.errors import ConfigError, quoted

FileFormat = Literal["safetensors", "gguf"]

MOST_TENSORS = 1_000_000
"""DeepSeek-V3 in FP8, every expert stored on its own, has 91,991."""


class HeaderTruncated(ConfigError):
    """The file ends inside its header: header_truncated."""


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """One tensor as the file has it.

    name         as in the file
    dtype        as in the file: `BF16`, `I32`, `Q4_K`
    shape        lengths, slowest first: a Linear's is [out, in] in every format
    size_bytes   B, what its numbers take in the file

    >>> StoredTensor("lm_head.weight", "BF16", (32000, 4096), 262_144_000).elements
    131072000
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    size_bytes: int

    @property
    def elements(self) -> int:
        """Its numbers: the product of its lengths, 1 for a scalar."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The tensors of one or many files.

    source       what it was read from, as the reader would call it
    file_format  safetensors or gguf
    tensors      in the order of the files
    metadata     what the header adds: safetensors' `__metadata__`, gguf's key-value pairs
    bytes_read   B that were read or transferred for this, headers only
    files        how many files it lies in
    config       the values of the config.json next to it, None where there is none
    """

    source: str
    file_format: FileFormat
    tensors: tuple[StoredTensor, ...]
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)
    bytes_read: int = 0
    files: int = 1
    config: Mapping[str, object] | None = field(default=None, hash=False)

    @property
    def stored_elements(self) -> int:
        """Numbers the files hold, packed ones counted as they are packed."""
        return sum(tensor.elements for tensor in self.tensors)

    @property
    def size_bytes(self) -> int:
        """B that the tensors take, without headers."""
        return sum(tensor.size_bytes for tensor in self.tensors)


def located(file: str, tensor: str) -> dict[str, str]:
    """The details of a fault in one tensor of a file."""
    return {"file": quoted(file), "tensor": quoted(tensor)}


def repeated_tensor(file: str, names: Iterable[str]) -> ConfigError:
    """The fault of a header that lists a name twice: header_repeated_tensor."""
    return ConfigError("header_repeated_tensor", **located(file, Counter(names).most_common(1)[0][0]))


def end_of_data(file: str, tensors: Iterable[tuple[StoredTensor, int]], alignment: int = 1) -> int:
    """Where the last tensor ends, in B after the first, where each (tensor, offset) begins as soon as the one before it ends.

    alignment   B, offsets are multiples of it

    Raises ConfigError: tensors_overlap, tensors_leave_a_gap.
    """
    end = 0
    for tensor, offset in sorted(tensors, key=lambda item: (item[1], item[1] + item[0].size_bytes)):
        begin = -(-end // alignment) * alignment
        if offset < begin:
            raise ConfigError("tensors_overlap", **located(file, tensor.name))
        if offset > begin:
            raise ConfigError("tensors_leave_a_gap", **located(file, tensor.name), gap_bytes=offset - begin)
        end = offset + tensor.size_bytes
    return end
