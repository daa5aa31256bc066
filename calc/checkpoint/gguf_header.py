"""The header of a .gguf file: which tensors it has, in which of llama.cpp's number formats.

A file is "GGUF", a version, two counts, key-value pairs (the tokenizer among them), then a line for each tensor: name,
lengths, type, offset. The numbers follow. Only what comes before them is read.

Source: github.com/ggml-org/ggml, docs/gguf.md; block sizes from the `gguf` package's GGML_QUANT_SIZES.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO, Literal

from calc.checkpoint.index import joined, read_each
from calc.checkpoint.stored import MOST_TENSORS, Checkpoint, HeaderTruncated, StoredTensor, end_of_data, located, repeated_tensor
from calc.errors import ConfigError, quoted, unreadable
from calc.hub.requests import Progress

MAGIC = b"GGUF"
VERSIONS = (2, 3)
LIMIT_BYTES = 100_000_000
"""Of a header; a vocabulary of 262,144 pieces with its merges takes about 16 MB."""
MOST_KEYS = 10_000
MOST_ITEMS = 4_000_000
"""Texts in lists, all together; a vocabulary of 262,144 pieces brings under 1,000,000 with its merges."""
MOST_DIMENSIONS = 4
LONGEST_NAME = 65_535
LONGEST_VALUE_BYTES = 4_096
"""Longer texts and lists (the vocabulary, the chat template) are stepped over; only their length is noted."""
SPLIT = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf")

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True, slots=True)
class SteppedOver:
    """A value too long to keep: how many items, or bytes of text, it has."""

    length: int


def block_of(dtype: str) -> tuple[int, int]:
    """(numbers in a block, B of the block) of one of llama.cpp's types; bits a weight are 8 · B ÷ numbers.

    Raises KeyError for a type the `gguf` package does not know.

    >>> block_of("Q4_K"), 8 * 144 / 256
    ((256, 144), 4.5)
    """
    return _blocks()[dtype]


@cache
def _blocks() -> Mapping[str, tuple[int, int]]:
    from gguf.constants import GGML_QUANT_SIZES  # 0.4 s: only for those who read a .gguf

    return {kind.name: (numbers, size_bytes) for kind, (numbers, size_bytes) in GGML_QUANT_SIZES.items()}


@cache
def _types() -> Mapping[int, str]:
    from gguf.constants import GGML_QUANT_SIZES

    return {int(kind): kind.name for kind in GGML_QUANT_SIZES}


def read_gguf(path: str | Path, progress: Progress | None = None) -> Checkpoint:
    """The tensors of a local file, and of its siblings where it is one of `…-00001-of-00003.gguf`.

    Raises ConfigError: unreadable_file, gguf_part_missing, tensor_in_two_files, and all that `read_gguf_stream` raises.
    """
    path = Path(path)
    names = parts_of_split(path.name)

    def read(name: str) -> Checkpoint:
        part = path.with_name(name)
        if len(names) > 1 and not part.is_file():
            raise ConfigError("gguf_part_missing", file=quoted(name))
        try:
            with open(part, "rb") as file:
                return read_gguf_stream(file, part.stat().st_size, name)
        except (OSError, ValueError) as error:
            raise unreadable(part, error) from None

    return joined(str(path), read_each(names, read, progress))


def parts_of_split(name: str) -> list[str]:
    """The files that make up a model of which `name` is one.

    >>> parts_of_split("llama-00002-of-00002.gguf")
    ['llama-00001-of-00002.gguf', 'llama-00002-of-00002.gguf']
    >>> parts_of_split("llama.gguf")
    ['llama.gguf']
    """
    match = SPLIT.fullmatch(name)
    if not match or not 1 <= int(match[3]) <= 1_000:
        return [name]
    return [f"{match[1]}-{part:05}-of-{match[3]}.gguf" for part in range(1, int(match[3]) + 1)]


def read_gguf_stream(file: BinaryIO, size_bytes: int | None, name: str) -> Checkpoint:
    """The tensors of a .gguf that is read from its beginning, as far as its header goes.

    size_bytes   B of the whole file; None where unknown, and the end is not checked

    Raises ConfigError: not_gguf, gguf_version, header_truncated, header_too_large, gguf_malformed, too_many_tensors,
    header_repeated_tensor, gguf_unknown_type, tensor_malformed, tensor_outside_file, tensors_overlap,
    tensors_leave_a_gap.
    """
    head = _Head(file, name)
    if head.take(4) != MAGIC:
        raise ConfigError("not_gguf", file=quoted(name))
    version = head.number("I")
    if version and not version & 0xFFFF:  # written on a big-endian machine
        head.order, version = ">", int.from_bytes(version.to_bytes(4, "little"), "big")
    if version not in VERSIONS:
        raise ConfigError("gguf_version", file=quoted(name), version=version, known=", ".join(map(str, VERSIONS)))
    number_of_tensors, number_of_keys = head.number("Q"), head.number("Q")
    if number_of_tensors > MOST_TENSORS:
        raise ConfigError("too_many_tensors", file=quoted(name), tensors=number_of_tensors, limit=MOST_TENSORS)
    if number_of_keys > MOST_KEYS:
        raise ConfigError("gguf_malformed", file=quoted(name), position=head.position)
    metadata = dict(_pair(head) for _ in range(number_of_keys))
    offsets = [_tensor(head, name) for _ in range(number_of_tensors)]
    tensors = tuple(tensor for tensor, _ in offsets)
    if len({tensor.name for tensor in tensors}) < len(tensors):
        raise repeated_tensor(name, (tensor.name for tensor in tensors))
    alignment = metadata.get("general.alignment", 32)
    if type(alignment) is not int or not 1 <= alignment <= 2**20:
        raise head.malformed()
    start = -(-head.position // alignment) * alignment
    for tensor, begin in offsets:
        end = begin + tensor.size_bytes
        if size_bytes is not None and start + end > size_bytes:
            data_bytes = max(size_bytes - start, 0)
            raise ConfigError("tensor_outside_file", **located(name, tensor.name), begin=begin, end=end, data_bytes=data_bytes)
    end_of_data(name, offsets, alignment)
    return Checkpoint(name, "gguf", tensors, metadata, head.position)


class _Head:
    """Reads forward and counts, and goes no further than a header may."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file, self.name = file, name
        self.position, self.order, self.items = 0, "<", 0

    def take(self, length: int) -> bytes:
        end = self.position + length
        if end > LIMIT_BYTES:
            raise ConfigError("header_too_large", file=quoted(self.name), length=end, limit_mb=LIMIT_BYTES // 1_000_000)
        content = self.file.read(length)
        self.position += len(content)
        if len(content) < length:
            raise HeaderTruncated("header_truncated", file=quoted(self.name), size_bytes=self.position)
        return content

    def scalar(self, form: str) -> int | float | bool:
        return struct.unpack(self.order + form, self.take(struct.calcsize(form)))[0]

    def number(self, form: Literal["I", "Q"]) -> int:
        return struct.unpack(self.order + form, self.take(struct.calcsize(form)))[0]

    def text(self, longest: int) -> str | SteppedOver:
        length = self.number("Q")
        content = self.take(length)
        if length > longest:
            return SteppedOver(length)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return content.decode("utf-8", "backslashreplace")

    def malformed(self) -> ConfigError:
        return ConfigError("gguf_malformed", file=quoted(self.name), position=self.position)


def _pair(head: _Head) -> tuple[str, object]:
    key = head.text(LONGEST_NAME)
    if not isinstance(key, str):
        raise head.malformed()
    return key, _value(head, head.number("I"))


def _value(head: _Head, kind: int, depth: int = 0) -> object:
    if kind in _SCALARS:
        return head.scalar(_SCALARS[kind])
    if kind == _STRING:
        return head.text(LONGEST_VALUE_BYTES)
    if kind != _ARRAY or depth > 2:
        raise head.malformed()
    item_kind, length = head.number("I"), head.number("Q")
    if item_kind in _SCALARS:
        form = _SCALARS[item_kind]
        content = head.take(length * struct.calcsize(form))
        return (
            list(struct.unpack(f"{head.order}{length}{form}", content))
            if len(content) <= LONGEST_VALUE_BYTES
            else SteppedOver(length)
        )
    head.items += length
    if head.items > MOST_ITEMS:
        raise head.malformed()
    first = [_value(head, item_kind, depth + 1) for _ in range(min(length, 256))]
    for _ in range(length - len(first)):
        _value(head, item_kind, depth + 1)
    return first if length == len(first) else SteppedOver(length)


def _tensor(head: _Head, file_name: str) -> tuple[StoredTensor, int]:
    """One line of the list, and the offset of its numbers. Its lengths come fastest first and are turned round."""
    name = head.text(LONGEST_NAME)
    if not isinstance(name, str):
        raise head.malformed()
    dimensions = head.number("I")
    if dimensions > MOST_DIMENSIONS:
        raise ConfigError("tensor_malformed", **located(file_name, name))
    lengths = [head.number("Q") for _ in range(dimensions)]
    kind, offset = head.number("I"), head.number("Q")
    if kind not in _types():
        raise ConfigError("gguf_unknown_type", **located(file_name, name), kind=kind)
    dtype = _types()[kind]
    in_block, block_bytes = block_of(dtype)
    if any(length >= 2**63 for length in lengths) or (lengths[0] if lengths else 1) % in_block:
        raise ConfigError("tensor_malformed", **located(file_name, name))
    return StoredTensor(name, dtype, tuple(reversed(lengths)), math.prod(lengths) // in_block * block_bytes), offset
