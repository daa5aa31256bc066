"""Number formats: how many bits a weight takes, exactly, derived from what a block of weights stores.

A quantized block holds its weights in few bits and, beside them, a scale that they are multiplied by, often a zero point or
a minimum. With n weights of b bits and s bits beside them

    bits a weight = (n·b + s) ÷ n

What a whole row or a whole matrix shares (the scale of a per-channel format) is not in it: see `per_row`, `per_matrix`.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

from calc.errors import ConfigError, quoted

FORMATS_FILE = Path(__file__).parent.parent / "data" / "number_formats.json"

FamilyOfFormats = Literal["float", "integer", "group", "gguf"]
Arithmetic = Literal["fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4", "unpacked"]
"""What a GPU multiplies weights of the format in; `unpacked`: they are turned into 16-bit numbers first."""

Kept = Literal["all", "layers", "experts", "gguf"]
"""Which tensors take the format. `all`: every one; `layers`: the matrices of the layers; `experts`: stacks of experts alone;
`gguf`: whatever llama.cpp's rules say."""

NOUNS = {
    "weight": "",
    "scale": "scale",
    "zero": "zero point",
    "minimum": "minimum",
    "block_scale": "block scale",
    "block_minimum": "block minimum",
    "second_scale": "second scale",
    "offset": "offset",
    "sum": "sum",
    "grid_index": "grid index",
    "sign_index": "sign index",
    "sign": "sign",
    "shift_sign": "shift sign",
    "ternary_byte": "ternary digits",
}
"""What a field is called in a derivation; the weights themselves have no noun."""


@dataclass(frozen=True, slots=True)
class Field:
    """What a block stores: `count` numbers of `bits` bits each. `what` is one of `NOUNS`."""

    what: str
    count: int
    bits: int

    @property
    def total_bits(self) -> int:
        """count · bits."""
        return self.count * self.bits

    @property
    def text(self) -> str:
        """`32 × 4 bit`, `16 bit scale`."""
        times = f"{self.count} × " if self.count > 1 or not NOUNS[self.what] else ""
        return f"{times}{self.bits} bit {NOUNS[self.what]}".rstrip()


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A way to store weights.

    name         how the command line calls it: `q4_k` is `gguf-q4_k`, AWQ in groups of 128 `awq-g128`
    title        how a person writes it
    family       float, integer, group (a file's own packing) or gguf (a block type of llama.cpp)
    block        rows × columns of weights that share what stands beside them
    fields       what a block stores
    arithmetic   what a GPU multiplies it in
    kept         which tensors take the format
    source       where the layout is described
    per_row, per_matrix   what each row (output) and each matrix stores once
    note         what to beware of
    """

    name: str
    title: str
    family: FamilyOfFormats
    block: tuple[int, int]
    fields: tuple[Field, ...]
    arithmetic: Arithmetic
    kept: Kept
    source: str
    per_row: tuple[Field, ...] = ()
    per_matrix: tuple[Field, ...] = ()
    note: str = ""

    @property
    def block_weights(self) -> int:
        """Weights of one block."""
        return self.block[0] * self.block[1]

    @property
    def block_bits(self) -> int:
        """Bits of one block, with all that stands beside its weights."""
        return sum(field.total_bits for field in self.fields)

    @property
    def bits_per_weight(self) -> Fraction:
        """block_bits ÷ block_weights, exactly.

        >>> number_format("nf4-dq").bits_per_weight, float(number_format("nf4-dq").bits_per_weight)
        (Fraction(2113, 512), 4.126953125)
        """
        return Fraction(self.block_bits, self.block_weights)

    @property
    def derivation(self) -> str:
        """The bits a weight, as they come about.

        >>> number_format("gguf-q4_0").derivation
        '32 × 4 bit + 16 bit scale = 144 bit ÷ 32 = 4.5'
        >>> number_format("fp16").derivation, number_format("bnb-int8").derivation
        ('16 bit', '8 bit; once a row: 32 bit scale')
        """
        beside = [
            f"; once a {where}: {' + '.join(field.text for field in fields)}"
            for where, fields in (("row", self.per_row), ("matrix", self.per_matrix))
            if fields
        ]
        if len(self.fields) == 1 and self.block_weights == 1:
            return f"{self.block_bits} bit{''.join(beside)}"
        summed = " + ".join(field.text for field in self.fields)
        bits = decimal(self.bits_per_weight)
        return f"{summed} = {self.block_bits} bit ÷ {self.block_weights} = {bits}{''.join(beside)}"


@cache
def formats() -> Mapping[str, NumberFormat]:
    """Every number format by name, in the order of the file: floats, integers, groups, llama.cpp's types.

    >>> formats()["awq-g128"].bits_per_weight == Fraction(133, 32), formats()["gguf-q6_k"].title
    (True, 'Q6_K')
    """
    found = {}
    for entry in json.loads(FORMATS_FILE.read_text(encoding="utf-8")):
        of_block, of_row, of_matrix = (
            tuple(Field(*field) for field in entry.pop(key, ())) for key in ("fields", "per_row", "per_tensor")
        )
        block = tuple(entry.pop("block"))
        found[entry["name"]] = NumberFormat(**entry, block=block, fields=of_block, per_row=of_row, per_matrix=of_matrix)
    return found


def number_format(name: str) -> NumberFormat:
    """The format of this name, upper or lower case.

    Raises ConfigError: unknown_format, unknown_format_similar.

    >>> number_format("AWQ-g128").block
    (1, 128)
    """
    wanted = name.strip().lower()
    if wanted in formats():
        return formats()[wanted]
    raise unknown_format(name, formats())


def unknown_format(name: str, known: Mapping[str, object]) -> ConfigError:
    """The fault of a name that is none of `known`."""
    similar = difflib.get_close_matches(name[:100].lower(), [each.lower() for each in known], n=1)
    if similar:
        spelled = next(each for each in known if each.lower() == similar[0])
        return ConfigError("unknown_format_similar", "format", value=quoted(name), similar=spelled)
    return ConfigError("unknown_format", "format", value=quoted(name), known=", ".join(known))


def grouped_bits(bits: int, group: int, scale_bits: int = 16, zero_bits: int = 0) -> Fraction:
    """Bits a weight of any group-wise format: (group · bits + scale + zero) ÷ group.

    Raises ConfigError: not_positive.

    >>> [float(grouped_bits(4, group, 16, 4)) for group in (128, 64, 32)]
    [4.15625, 4.3125, 4.625]
    """
    for field, value in (("bits", bits), ("group", group)):
        if value < 1:
            raise ConfigError("not_positive", field, value=quoted(value))
    return Fraction(group * bits + scale_bits + zero_bits, group)


def flat_bytes(parameters: int, bits: int | Fraction) -> int:
    """The rule of thumb: parameters · bits ÷ 8, whole bytes rounded up. Real files are larger, and mix formats.

    >>> [round(flat_bytes(6_738_415_616, bits) / 1e9, 2) for bits in (32, 16, 8, 4)]
    [26.95, 13.48, 6.74, 3.37]
    """
    return -(-Fraction(parameters) * bits // 8)


def decimal(value: Fraction) -> str:
    """A fraction whose denominator is a power of two, with all its digits: `4.126953125`."""
    text = f"{float(value):.12f}".rstrip("0").rstrip(".")
    return text if Fraction(text) == value else f"{float(value):.6f}…"


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
    has = native.get("bf16" if needed == "tf32" else needed)  # NVIDIA's first units for bf16 were also the first for tf32
    if has is None:
        return "unknown"
    if has:
        return "native"
    return "emulated" if needed in ("bf16", "tf32") else "unpacked"
