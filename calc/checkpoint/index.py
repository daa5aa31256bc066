"""A checkpoint in many files: `model.safetensors.index.json` says which tensor lies in which."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from calc.checkpoint.safetensors_header import read_safetensors
from calc.checkpoint.stored import MOST_TENSORS, Checkpoint, StoredTensor
from calc.errors import ConfigError, quoted, unreadable
from calc.hub.requests import Progress

INDEX_NAME = "model.safetensors.index.json"
INDEX_SUFFIX = ".safetensors.index.json"
LIMIT_BYTES = 50_000_000
"""DeepSeek-V3's index is 8.9 MB."""
MOST_FILES = 10_000


def weight_map_of(content: bytes, name: str = INDEX_NAME) -> dict[str, str]:
    """Tensor → file, as an index says it; a file is next to the index or in a folder below, nowhere else.

    Raises ConfigError: index_too_large, index_malformed, index_outside_folder, too_many_tensors.

    >>> weight_map_of(b'{"weight_map": {"lm_head.weight": "model-00002-of-00002.safetensors"}}')
    {'lm_head.weight': 'model-00002-of-00002.safetensors'}
    """
    if len(content) > LIMIT_BYTES:
        raise ConfigError("index_too_large", file=quoted(name), limit_mb=LIMIT_BYTES // 1_000_000)
    try:
        values = json.loads(content.decode("utf-8-sig"))
        weight_map = values["weight_map"]
    except (ValueError, RecursionError, KeyError, TypeError):
        weight_map = None
    if not isinstance(weight_map, dict) or not weight_map or not all(isinstance(shard, str) for shard in weight_map.values()):
        raise ConfigError("index_malformed", file=quoted(name))
    if len(weight_map) > MOST_TENSORS:
        raise ConfigError("too_many_tensors", file=quoted(name), tensors=len(weight_map), limit=MOST_TENSORS)
    shards = set(weight_map.values())
    for shard in sorted(shards):
        if not _is_inside(shard):
            raise ConfigError("index_outside_folder", file=quoted(name), shard=quoted(shard))
    if len(shards) > MOST_FILES:
        raise ConfigError("index_malformed", file=quoted(name))
    return weight_map


def _is_inside(shard: str) -> bool:
    parts = shard.split("/")
    harmless = all(part not in ("", ".", "..") for part in parts) and not set("\\:\0%?#") & set(shard) and shard.isprintable()
    return harmless and len(shard) <= 500 and shard.endswith(".safetensors")


def shards_of(weight_map: Mapping[str, str], index_name: str, files: Collection[str]) -> list[str]:
    """The files an index names, each once, in the order of their names; all must be among `files`.

    Raises ConfigError: index_missing_shard.
    """
    shards = sorted(set(weight_map.values()))
    missing = next((shard for shard in shards if shard not in files), None)
    if missing:
        raise ConfigError("index_missing_shard", file=quoted(index_name), shard=quoted(missing))
    return shards


def joined(
    source: str, shards: Mapping[str, Checkpoint], weight_map: Mapping[str, str] | None = None, index_bytes: int = 0
) -> Checkpoint:
    """Several files as one checkpoint; no tensor may be in two of them.

    weight_map   what the index says, None where there is none
    index_bytes  B the index took

    Raises ConfigError: index_missing_tensor, tensor_in_two_files, too_many_tensors.
    """
    first: dict[str, str] = {}
    tensors: list[StoredTensor] = []
    by_shard: dict[str, list[str]] = {}
    for name, shard in (weight_map or {}).items():
        by_shard.setdefault(shard, []).append(name)
    for file, shard in shards.items():
        there = {tensor.name for tensor in shard.tensors}
        missing = next((name for name in by_shard.get(file, ()) if name not in there), None)
        if missing is not None:
            raise ConfigError("index_missing_tensor", tensor=quoted(missing), shard=quoted(file))
        for tensor in shard.tensors:
            if tensor.name in first:
                raise ConfigError(
                    "tensor_in_two_files", tensor=quoted(tensor.name), first=quoted(first[tensor.name]), second=quoted(file)
                )
            first[tensor.name] = file
        tensors.extend(shard.tensors)
        if len(tensors) > MOST_TENSORS:
            raise ConfigError("too_many_tensors", file=quoted(source), tensors=len(tensors), limit=MOST_TENSORS)
    metadata: dict[str, object] = {}
    for shard in reversed([*shards.values()]):
        metadata |= shard.metadata
    read = index_bytes + sum(shard.bytes_read for shard in shards.values())
    file_format = next(iter(shards.values())).file_format
    return Checkpoint(source, file_format, tuple(tensors), metadata, read, len(shards))


def read_each(
    names: Collection[str], read: Callable[[str], Checkpoint], progress: Progress | None, index_bytes: int = 0
) -> dict[str, Checkpoint]:
    """Every file by name, with `progress` after each."""
    files: dict[str, Checkpoint] = {}
    bytes_read = index_bytes
    for name in names:
        files[name] = read(name)
        bytes_read += files[name].bytes_read
        if progress:
            progress(len(files), len(names), bytes_read)
    return files


def read_index(path: str | Path, progress: Progress | None = None) -> Checkpoint:
    """The tensors of every file that a local index names.

    Raises ConfigError: unreadable_file, index_missing_shard, and all that `weight_map_of` and `joined` raise.
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            content = file.read(LIMIT_BYTES + 1)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    weight_map = weight_map_of(content, path.name)
    folder = path.parent.resolve()
    names = shards_of(weight_map, path.name, {name for name in set(weight_map.values()) if (path.parent / name).is_file()})

    def read(name: str) -> Checkpoint:
        file_path = path.parent / name
        if not file_path.is_symlink() and not file_path.resolve().is_relative_to(folder):
            raise ConfigError("index_outside_folder", file=quoted(path.name), shard=quoted(name))
        return read_safetensors(file_path)

    return joined(str(path), read_each(names, read, progress, len(content)), weight_map, len(content))
