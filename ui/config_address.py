"""A config in the address: the fields that decide the count, packed short enough for a link."""

from __future__ import annotations

import base64
import binascii
import json
import zlib

from calc.build import deciding_values
from calc.errors import ConfigError
from calc.read_config import LIMIT_BYTES, read_config


def packed(config_text: str) -> str:
    """The text of a config for the address. A config that counts is cut to the fields that decide its count; one that
    does not is kept as it was typed.

    >>> len(packed('{"model_type": "gpt2"}')) < 60
    True
    """
    try:
        kept = json.dumps(deciding_values(read_config(config_text)), separators=(",", ":"))
    except ConfigError:
        kept = config_text
    squeezed = zlib.compress(kept.encode("utf-8", "surrogatepass"), 9)
    return base64.urlsafe_b64encode(squeezed).decode("ascii").rstrip("=")


def unpacked(value: str) -> str | None:
    """The text behind `packed`, indented for reading where it is JSON; None for an address that holds no config.

    A value that would unpack to more than `LIMIT_BYTES` is refused.

    >>> unpacked(packed('{"model_type": "gpt2"}'))
    '{\\n  "model_type": "gpt2"\\n}'
    >>> unpacked("no config") is None
    True
    """
    try:
        squeezed = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        stream = zlib.decompressobj()
        content = stream.decompress(squeezed, LIMIT_BYTES)
        if not stream.eof:
            return None
        kept = content.decode("utf-8")
    except (binascii.Error, zlib.error, ValueError):
        return None
    try:
        return indented(read_config(kept))
    except ConfigError:
        return kept


def indented(values: object) -> str:
    """Values as a person would write a config.json."""
    return json.dumps(values, indent=2, ensure_ascii=False)
