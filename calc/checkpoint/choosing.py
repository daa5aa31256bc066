"""Which files of a folder or repository are the model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from calc.checkpoint.gguf_header import parts_of_split
from calc.checkpoint.index import INDEX_NAME, INDEX_SUFFIX
from calc.errors import ConfigError, quoted

_SHARD = re.compile(r".+-\d{5}-of-\d{5}\.safetensors")
_BESIDE_THE_MODEL = re.compile(r"(adapter_|consolidated|training_args|optimizer)")
MOST_NAMED = 6


def is_index(name: str) -> bool:
    """Whether it is an index of shards by its name."""
    return name.endswith(INDEX_SUFFIX)


def chosen_files(names: Iterable[str], where: str) -> list[str]:
    """The index, or the one file, or the parts that make up the model.

    An index comes first, then model.safetensors, then whatever single .safetensors or .gguf there is.

    Raises ConfigError: no_checkpoint, several_checkpoints.

    >>> chosen_files(["config.json", "model.safetensors", "model.Q4_0.gguf"], "folder")
    ['model.safetensors']
    >>> chosen_files(["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"], "folder")
    ['m-00001-of-00002.gguf', 'm-00002-of-00002.gguf']
    """
    names = sorted(names)
    indexes = [name for name in names if is_index(name)]
    if INDEX_NAME in indexes:
        return [INDEX_NAME]
    if "model.safetensors" in names:
        return ["model.safetensors"]
    if len(indexes) == 1:
        return indexes
    files = [name for name in names if name.endswith(".safetensors")]
    weights = [name for name in files if not _BESIDE_THE_MODEL.match(name)] or files
    if weights and (len(weights) == 1 or all(_SHARD.fullmatch(name) for name in weights)):
        return weights
    models = {tuple(parts_of_split(name)) for name in names if name.endswith(".gguf") and not name.startswith("mmproj")}
    if not weights and len(models) == 1:
        return list(models.pop())
    found = indexes or weights or sorted(first for first, *_ in models)
    if not found:
        raise ConfigError("no_checkpoint", where=quoted(where))
    more = f" … ({len(found)})" if len(found) > MOST_NAMED else ""
    raise ConfigError("several_checkpoints", where=quoted(where), files=", ".join(found[:MOST_NAMED]) + more)
