"""The names a person may give a format of weights: a .safetensors format, a bound, or a type of .gguf file."""

from __future__ import annotations

from calc.weights.formats import formats, unknown_format
from calc.weights.gguf_types import FTYPES
from calc.weights.number_format import NumberFormat

FLAT = ("int8", "int4")
"""Formats without scales: what the rule of thumb counts, and no file holds."""


def known_formats() -> tuple[str, ...]:
    """What `weights` takes: the formats of .safetensors files, the bounds, and every type of .gguf file.

    A .gguf type that is also another format's name is prefixed with `gguf-`; the others may be.

    >>> [name for name in known_formats() if "bf16" in name.lower()]
    ['bf16', 'fp8-block-bf16', 'gguf-BF16']
    """
    others = tuple(name for name, number in formats().items() if number.family != "gguf")
    return (*others, *(f"gguf-{ftype}" if ftype.lower() in others else ftype for ftype in FTYPES))


def format_of(name: str) -> NumberFormat | str:
    """The format of this name: of .safetensors files and bounds a NumberFormat, of .gguf files the type's name.

    Raises ConfigError: unknown_format, unknown_format_similar.

    >>> format_of("gguf-q4_k_m"), format_of("q4_k_m"), format_of("bf16").title
    ('Q4_K_M', 'Q4_K_M', 'BF16')
    """
    name = name.strip()
    number = formats().get(name.lower())
    if number is not None and number.family != "gguf":
        return number
    ftype = name.upper().removeprefix("GGUF-")
    if ftype in FTYPES:
        return ftype
    raise unknown_format(name.lower().removeprefix("gguf-"), dict.fromkeys(known_formats()))
