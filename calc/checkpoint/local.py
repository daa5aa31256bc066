"""Checkpoints on this machine: a folder, a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from calc.checkpoint.choosing import chosen_files, is_index
from calc.checkpoint.gguf_header import MAGIC, read_gguf
from calc.checkpoint.index import joined, read_each, read_index
from calc.checkpoint.safetensors_header import read_safetensors
from calc.checkpoint.stored import Checkpoint
from calc.errors import ConfigError, quoted, unreadable
from calc.hub.requests import Progress
from calc.read_config import read_config_file


def read_path(path: str, progress: Progress | None = None) -> Checkpoint:
    """The checkpoint in a folder or file. Raises ConfigError: no_such_checkpoint, and all that `read_folder` and `read_file` raise."""
    if os.path.isdir(path):
        return read_folder(path, progress)
    if os.path.isfile(path):  # neither a device nor a pipe, which would never end
        return read_file(path, progress)
    raise ConfigError("no_such_checkpoint", value=quoted(path))


def read_folder(folder: str | Path, progress: Progress | None = None) -> Checkpoint:
    """The checkpoint of a folder as the Hub's repositories are laid out, with its config.json.

    Raises ConfigError: unreadable_file, no_checkpoint, several_checkpoints, and all that `read_file` raises.
    """
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.is_file()]
    except (OSError, ValueError) as error:
        raise unreadable(folder, error) from None
    files = chosen_files(names, str(folder))
    if len(files) == 1 or files[0].endswith(".gguf"):
        return replace(read_file(Path(folder, files[0]), progress), source=str(folder))
    shards = read_each(files, lambda name: read_safetensors(Path(folder, name)), progress)
    return replace(joined(str(folder), shards), config=_config_beside(Path(folder)))


def read_file(path: str | Path, progress: Progress | None = None) -> Checkpoint:
    """The checkpoint in one file, or in all that an index or a split .gguf names; with the config.json next to it.

    Raises ConfigError: all that `read_safetensors`, `read_index`, `read_gguf` and `read_config_file` raise.
    """
    path = Path(path)
    if is_index(path.name):
        checkpoint = read_index(path, progress)
    elif path.suffix == ".gguf" or _begins_with(path, MAGIC):
        checkpoint = read_gguf(path, progress)
    else:
        checkpoint = read_safetensors(path)
    return replace(checkpoint, source=str(path), config=_config_beside(path.parent))


def _begins_with(path: Path, magic: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic
    except (OSError, ValueError):
        return False  # the reader of the format will say why


def _config_beside(folder: Path) -> Mapping[str, object] | None:
    config = folder / "config.json"
    return read_config_file(config) if config.is_file() else None
