"""Writes checkpoints for the tests: headers as the formats' own descriptions have them, over data that is all zeros.

The files are sparse: a header for 700 GB takes a few KB on the disk. Nothing here is shared with the reader.
"""

from __future__ import annotations

import json
import math
import os
import struct

BYTES = {
    "BOOL": 1,
    "U8": 1,
    "I8": 1,
    "F8_E4M3": 1,
    "F8_E5M2": 1,
    "F16": 2,
    "BF16": 2,
    "I16": 2,
    "I32": 4,
    "U32": 4,
    "F32": 4,
    "I64": 8,
}

GGUF_TYPES = {  # name: (number, weights in a block, bytes of a block), from llama.cpp's ggml.h and ggml-common.h
    "F32": (0, 1, 4),
    "F16": (1, 1, 2),
    "Q4_0": (2, 32, 18),
    "Q8_0": (8, 32, 34),
    "Q2_K": (10, 256, 84),
    "Q4_K": (12, 256, 144),
    "Q6_K": (14, 256, 210),
    "Q8_K": (15, 256, 292),
    "IQ4_NL": (20, 32, 18),
    "IQ2_S": (22, 256, 82),
    "BF16": (30, 1, 2),
}


def safetensors_head(tensors, metadata=None):
    """The first bytes of a file of these tensors {name: (dtype, shape)}, and the size of the whole file."""
    entries, at = {}, 0
    if metadata:
        entries["__metadata__"] = metadata
    for name, (dtype, shape) in tensors.items():
        size = math.prod(shape) * BYTES[dtype]
        entries[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text, 8 + len(text) + at


def write_safetensors(path, tensors, metadata=None):
    """A whole file, its numbers zeros that take no room on the disk."""
    head, size = safetensors_head(tensors, metadata)
    write_sparse(path, head, size)
    return path


def write_sparse(path, head, size):
    """A file that begins with `head` and is `size` bytes long."""
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(size)


def write_raw(path, header, data=b"", length=None):
    """A file whose header is these bytes, or any JSON value; `length` is what it claims."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)
    return path


def write_sharded(folder, tensors, shards=2):
    """A checkpoint in several files with its index."""
    names = list(tensors)
    files = [f"model-{i + 1:05}-of-{shards:05}.safetensors" for i in range(shards)]
    weight_map = {name: files[i * shards // len(names)] for i, name in enumerate(names)}
    for file in files:
        write_safetensors(folder / file, {name: tensors[name] for name in names if weight_map[name] == file})
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": weight_map}))
    return index


def gguf_text(text):
    """A text as the format writes it."""
    return struct.pack("<Q", len(text.encode())) + text.encode()


def gguf_head(tensors, metadata=None, alignment=32, version=3):
    """The first bytes of a .gguf of these tensors {name: (type, shape)}, and the size of the whole file.

    shape      slowest first, as torch has it
    metadata   texts, unsigned ints, or lists of texts
    """
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata or {}))
    for key, value in (metadata or {}).items():
        head += gguf_text(key)
        if isinstance(value, str):
            head += struct.pack("<I", 8) + gguf_text(value)
        elif isinstance(value, list):
            head += struct.pack("<IIQ", 9, 8, len(value)) + b"".join(gguf_text(item) for item in value)
        else:
            head += struct.pack("<II", 4, value)
    at = 0
    for name, (kind, shape) in tensors.items():
        number, in_block, block_bytes = GGUF_TYPES[kind]
        head += gguf_text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape)) + struct.pack("<IQ", number, at)
        at += math.prod(shape) // in_block * block_bytes
        at += -at % alignment
    return head, len(head) + -len(head) % alignment + at


def write_gguf(path, tensors, metadata=None):
    """A whole .gguf, its numbers zeros that take no room on the disk."""
    head, size = gguf_head(tensors, {"general.architecture": "llama"} | (metadata or {}))
    write_sparse(path, head, size)
    return path


def size_on_disk(path):
    """Bytes a file takes on the disk."""
    return os.stat(path).st_blocks * 512
