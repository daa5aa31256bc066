"""From the text of a config.json to its values, without guessing.

Reads what people really paste: a byte-order mark, NaN and Infinity literals (some published configs hold them), tens
of megabytes of the wrong file. Refuses what it would have to guess about, and says where and why.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from calc.errors import ConfigError, quoted, unreadable

LIMIT_BYTES = 2_000_000
"""Published config.json files are 0.5 to 100 KB; those with long label maps stay under 1 MB."""
MOST_LEVELS = 50
"""Objects and lists inside one another; published configs have up to 6."""
SHELL_STREAMS = ("/dev/fd/", "/dev/stdin")
"""What a shell's `<(…)` is called: a pipe, but one that somebody writes to."""


def read_config(source: str | bytes) -> dict[str, object]:
    """The values of a config.json given as text or as the bytes of a file.

    Raises ConfigError: empty, too_large, not_text, web_page, not_json, too_deep, number_too_long, not_an_object, repeated_key.

    >>> read_config('\\ufeff{"model_type": "llama", "rope_theta": Infinity}')
    {'model_type': 'llama', 'rope_theta': inf}
    >>> read_config('[1, 2]')
    Traceback (most recent call last):
    calc.errors.ConfigError: The JSON is of type array, not an object: a config.json starts with { and ends with }.
    """
    text = text_of(source)
    try:
        values = json.loads(text, object_pairs_hook=_object_without_repeats)
    except json.JSONDecodeError as error:
        if text.lstrip().startswith("<"):
            raise ConfigError("web_page") from None
        raise ConfigError("not_json", line=error.lineno, column=error.colno, near=_near(text, error.pos)) from None
    except RecursionError:
        raise ConfigError("too_deep") from None
    except ValueError:  # int() refuses digits beyond sys.int_info's limit
        raise ConfigError("number_too_long") from None
    if not isinstance(values, dict):
        raise ConfigError("not_an_object", found=_kind_of(values))
    check_levels(values)
    return values


def check_levels(values: object) -> None:
    """Refuse values that are nested more than `MOST_LEVELS` deep, however much of the stack is left.

    Raises ConfigError: too_deep.
    """
    level = [values]
    for _ in range(MOST_LEVELS):
        level = [
            item
            for each in level
            for item in (each.values() if isinstance(each, Mapping) else each)
            if isinstance(item, Mapping | list | tuple)
        ]
        if not level:
            return
    raise ConfigError("too_deep")


def text_of(source: str | bytes) -> str:
    """A config.json as text, without its byte-order mark. Raises ConfigError: empty, too_large, not_text.

    >>> text_of(b"\\xef\\xbb\\xbf{}")
    '{}'
    """
    if len(source) > LIMIT_BYTES:
        raise _too_large(len(source))
    text = _decoded(source) if isinstance(source, bytes) else source
    text = text.lstrip("\ufeff")
    if not text.strip():
        raise ConfigError("empty")
    return text


def read_config_file(path: str | Path) -> dict[str, object]:
    """The values of the config.json at `path`; at most `LIMIT_BYTES` of it are read.

    Raises ConfigError: unreadable_file, not_a_file, and all that `read_config` raises.
    """
    with opened(path) as file:
        try:
            content = file.read(LIMIT_BYTES + 1)
            size_bytes = os.fstat(file.fileno()).st_size
        except OSError as error:
            raise unreadable(path, error) from None
    if len(content) > LIMIT_BYTES:
        raise _too_large(max(size_bytes, len(content)))
    return read_config(content)


def opened(path: str | Path) -> BinaryIO:
    """A file to read, no pipe and no device, which may never answer or end. Raises ConfigError: unreadable_file, not_a_file."""
    try:
        is_endless = os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))
        if not is_endless or str(path).startswith(SHELL_STREAMS):
            return open(path, "rb")
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    raise ConfigError("not_a_file", path=quoted(str(path)))


def _too_large(size_bytes: int) -> ConfigError:
    return ConfigError("too_large", size_mb=f"{size_bytes / 1e6:.1f}", limit_mb=f"{LIMIT_BYTES / 1e6:.0f}")


def _decoded(content: bytes) -> str:
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ConfigError("not_text", position=error.start) from None


def _near(text: str, position: int) -> str:
    line_start = text.rfind("\n", 0, position) + 1
    piece = re.sub(r"\s+", " ", text[max(line_start, position - 12) : position + 12])
    return quoted(piece.strip())


def _kind_of(value: object) -> str:
    names = {type(None): "null", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    return names[type(value)]


def _object_without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values and json.dumps(values[key]) != json.dumps(value):  # 1 is not true, and NaN is NaN
            field = key if key.isidentifier() and len(key) <= 60 else quoted(key)
            raise ConfigError("repeated_key", field, first=quoted(values[key]), second=quoted(value))
        values[key] = value
    return values
