"""Uploads: whole files, or only their beginnings, with an index and a config.json among them or not.

Of a file of many GB the header is all that counts, and it comes first. Of a beginning alone the whole length is not
known, so its end is not checked.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

from calc.checkpoint.choosing import is_index
from calc.checkpoint.gguf_header import MAGIC, parts_of_split, read_gguf_stream
from calc.checkpoint.index import joined, shards_of, weight_map_of
from calc.checkpoint.safetensors_header import LENGTH_BYTES, checkpoint_of, header_length
from calc.checkpoint.stored import Checkpoint, HeaderTruncated
from calc.errors import ConfigError, quoted
from calc.read_config import read_config


def read_uploads(files: Sequence[tuple[str, bytes]]) -> Checkpoint:
    """The checkpoint in one or several uploads, each (name, content).

    .safetensors and .gguf   whole, or from the beginning to somewhere behind the header
    ….index.json             the files it names must be there too
    config.json              any other JSON: what the model's own config says

    Raises ConfigError: upload_cut_in_header, several_uploads, upload_twice, no_upload_of_weights, index_missing_shard,
    gguf_part_missing, and all that reading the headers, `weight_map_of`, `joined` and `read_config` raise.

    >>> header = b'{"w": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}}'
    >>> read_uploads([("cut.safetensors", len(header).to_bytes(8, "little") + header + b"12345")]).stored_elements
    6
    """
    weights, indexes, configs = _sorted_out(files)
    if len(indexes) > 1 or len(configs) > 1:
        raise ConfigError("several_uploads", files=", ".join(quoted(name) for name in [*indexes, *configs]))
    config = read_config(*configs.values()) if configs else None
    weight_map = None
    for name, content in indexes.items():
        weight_map = {tensor: shard.rpartition("/")[2] for tensor, shard in weight_map_of(content, name).items()}
        weights = {shard: weights[shard] for shard in shards_of(weight_map, name, weights)}
    if not weights:
        raise ConfigError("no_upload_of_weights")
    if len({is_gguf(name, content) for name, content in weights.items()}) > 1:
        raise ConfigError("several_uploads", files=", ".join(quoted(name) for name in list(weights)[:6]))
    missing = next((part for name in weights for part in parts_of_split(name) if part not in weights), None)
    if missing:
        raise ConfigError("gguf_part_missing", file=quoted(missing))
    read = {name: _beginning(name, content) for name, content in weights.items()}
    source = ", ".join(list(read)[:2]) + (f" … ({len(read)})" if len(read) > 2 else "")
    return replace(joined(source, read, weight_map, sum(map(len, indexes.values()))), config=config)


def is_gguf(name: str, content: bytes) -> bool:
    """Whether an upload is a .gguf, by its first bytes or its name."""
    return content[:4] == MAGIC or name.lower().endswith(".gguf")


def _sorted_out(files: Sequence[tuple[str, bytes]]) -> tuple[Mapping[str, bytes], Mapping[str, bytes], Mapping[str, bytes]]:
    """Weights, indexes and configs by name."""
    groups: tuple[dict[str, bytes], dict[str, bytes], dict[str, bytes]] = {}, {}, {}
    for name, content in files:
        is_json = name.lower().endswith(".json")
        group = groups[0 if not is_json else 1 if is_index(name) or b'"weight_map"' in content else 2]
        if name in group:
            raise ConfigError("upload_twice", file=quoted(name))
        group[name] = content
    return groups


def _beginning(name: str, content: bytes) -> Checkpoint:
    """The header of a file of which this is the beginning, or all."""
    try:
        if is_gguf(name, content):
            return read_gguf_stream(io.BytesIO(content), None, name)
        length = header_length(content[:LENGTH_BYTES], len(content), name)
    except HeaderTruncated:
        raise ConfigError("upload_cut_in_header", file=quoted(name), size_bytes=len(content)) from None
    header = content[LENGTH_BYTES : LENGTH_BYTES + length]
    checkpoint = checkpoint_of(name, header, None, name)
    whole_bytes = LENGTH_BYTES + length + checkpoint.size_bytes
    # Longer than its tensors: the whole file, and something wrong with its end.
    return checkpoint_of(name, header, len(content), name) if len(content) > whole_bytes else checkpoint
