"""The table of number formats, and what each GPU computes in them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from calc.errors import ConfigError, quoted
from calc.weights.number_format import NOUNS, Arithmetic, Field, FormatFamily, NumberFormat, Scope
from calc.weights.packed import PACKINGS

FORMATS_FILE = Path(__file__).parent.parent / "data" / "number_formats.json"

IN_UNITS_FOR: dict[str, str] = {"tf32": "bf16", "mxfp8": "fp4"}
"""Arithmetic that came with the same matrix units: NVIDIA's first for bf16 had tf32, its first for fp4 scale blocks of 32."""


@cache
def formats(path: Path = FORMATS_FILE) -> Mapping[str, NumberFormat]:
    """Every number format by name, in the order of the file: floats, integers, groups, llama.cpp's types.

    Raises ValueError, which names file, format and remedy: no packing that is known, nor family, arithmetic, scope or field.

    >>> formats()["awq-g128"].bits_per_weight == Fraction(133, 32), formats()["gguf-q6_k"].title
    (True, 'Q6_K')
    """
    found = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        of_block, of_row, of_matrix = (
            tuple(Field(*field) for field in entry.pop(key, ())) for key in ("fields", "per_row", "per_tensor")
        )
        block = tuple(entry.pop("block"))
        number = NumberFormat(**entry, block=block, fields=of_block, per_row=of_row, per_matrix=of_matrix)
        _check(number, path)
        found[number.name] = number
    return found


def _check(number: NumberFormat, path: Path) -> None:
    needs_packing = number.scope in ("layers", "experts")
    nouns = [(f"field {field.what!r}", field.what, NOUNS) for field in (*number.fields, *number.per_row, *number.per_matrix)]
    checks = (
        ("family", number.family, get_args(FormatFamily)),
        ("arithmetic", number.arithmetic, get_args(Arithmetic)),
        ("scope", number.scope, get_args(Scope)),
        ("packing", number.packing, PACKINGS if needs_packing else ("",)),
        *nouns,
    )
    for key, value, known in checks:
        if value not in known:
            remedy = "add one to PACKINGS in calc/weights/packed.py" if key == "packing" else "correct it"
            among = ", ".join(filter(None, known)) or "none for this scope"
            raise ValueError(
                f"{path.name}: the {key} of {number.name} is {value!r}. Known: {among}. Choose one of these, or {remedy}."
            )


def number_format(name: str) -> NumberFormat:
    """The format of this name, upper or lower case.

    Raises ConfigError: unknown_format, unknown_format_similar.

    >>> number_format("AWQ-g128").block
    (1, 128)
    """
    number = formats().get(name.strip().lower())
    if number is None:
        raise unknown_format(name, formats())
    return number


def unknown_format(name: str, known: Mapping[str, object]) -> ConfigError:
    """The fault of a name that is none of `known`."""
    similar = difflib.get_close_matches(name[:100].lower(), [each.lower() for each in known], n=1)
    if similar:
        spelled = next(each for each in known if each.lower() == similar[0])
        return ConfigError("unknown_format_similar", "format", value=quoted(name), similar=spelled)
    return ConfigError("unknown_format", "format", value=quoted(name), known=", ".join(known))


def flat_bytes(parameters: int, bits: int | Fraction) -> int:
    """The rule of thumb: parameters · bits ÷ 8, whole bytes rounded up. Real files are larger, and mix formats.

    >>> [round(flat_bytes(6_738_415_616, bits) / 1e9, 2) for bits in (32, 16, 8, 4)]
    [26.95, 13.48, 6.74, 3.37]
    """
    return -(-Fraction(parameters) * bits // 8)


def arithmetic_on(number: NumberFormat, native: Mapping[str, bool]) -> Literal["native", "unpacked", "emulated", "unknown"]:
    """How a GPU with these native formats multiplies weights of this one.

    `native`: in its matrix units as they are; `unpacked`: turned into 16-bit numbers on the way; `emulated`: the GPU has no
    unit for it, so that software computes in another format (bf16 on a T4 becomes fp32); `unknown`: not published.

    >>> from calc.gpus import find_gpu
    >>> t4, h100 = find_gpu("T4").native, find_gpu("H100").native
    >>> [arithmetic_on(number_format(name), t4) for name in ("fp16", "bf16", "awq-g128", "fp8")]
    ['native', 'emulated', 'unpacked', 'unpacked']
    >>> arithmetic_on(number_format("fp8"), h100)
    'native'
    """
    needed = number.arithmetic
    if needed in ("fp32", "fp16"):
        return "native"
    if needed == "unpacked":
        return "unpacked"
    has = native.get(IN_UNITS_FOR.get(needed, needed))
    if has is None:
        return "unknown"
    if has:
        return "native"
    return "emulated" if needed in ("bf16", "tf32") else "unpacked"
