"""What a number format is: how many bits a weight takes, exactly, derived from what a block of weights stores.

A quantized block stores its weights in few bits, a scale that they are multiplied by, and often a zero point or a minimum.
With n weights of b bits and s further bits

    bits a weight = (n·b + s) ÷ n

What a whole row or a whole matrix shares (the scale of a per-channel format) is not in it: see `per_row`, `per_matrix`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

FormatFamily = Literal["float", "integer", "group", "gguf"]
Arithmetic = Literal["fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "int8", "fp4", "unpacked"]
"""What a GPU multiplies weights of the format in; `unpacked`: they are turned into 16-bit numbers first."""

Scope = Literal["all", "layers", "experts", "gguf"]
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
    block        rows × columns of weights that share a scale
    fields       what a block stores
    arithmetic   what a GPU multiplies it in
    scope        which tensors take the format
    source       where the layout is described
    packing      how a .safetensors file stores its matrices: one of `calc.weights.packed.PACKINGS`, empty for any other file
    per_row, per_matrix   what each row (output) and each matrix stores once
    note         what to beware of
    """

    name: str
    title: str
    family: FormatFamily
    block: tuple[int, int]
    fields: tuple[Field, ...]
    arithmetic: Arithmetic
    scope: Scope
    source: str
    packing: str = ""
    per_row: tuple[Field, ...] = ()
    per_matrix: tuple[Field, ...] = ()
    note: str = ""

    @property
    def block_weights(self) -> int:
        """Weights of one block."""
        return self.block[0] * self.block[1]

    @property
    def block_bits(self) -> int:
        """Bits of one block, scales and minima included."""
        return sum(field.total_bits for field in self.fields)

    @property
    def bits_per_weight(self) -> Fraction:
        """block_bits ÷ block_weights, exactly.

        >>> from calc.weights.formats import number_format
        >>> number_format("nf4-dq").bits_per_weight, float(number_format("nf4-dq").bits_per_weight)
        (Fraction(2113, 512), 4.126953125)
        """
        return Fraction(self.block_bits, self.block_weights)

    @property
    def derivation(self) -> str:
        """The bits a weight, as they come about.

        >>> from calc.weights.formats import number_format
        >>> number_format("gguf-q4_0").derivation
        '32 × 4 bit + 16 bit scale = 144 bit ÷ 32 = 4.5'
        >>> number_format("fp16").derivation, number_format("bnb-int8").derivation
        ('16 bit', '8 bit; once a row: 32 bit scale')
        """
        shared = [
            f"; once a {where}: {' + '.join(field.text for field in fields)}"
            for where, fields in (("row", self.per_row), ("matrix", self.per_matrix))
            if fields
        ]
        if len(self.fields) == 1 and self.block_weights == 1:
            return f"{self.block_bits} bit{''.join(shared)}"
        summed = " + ".join(field.text for field in self.fields)
        bits = decimal(self.bits_per_weight)
        return f"{summed} = {self.block_bits} bit ÷ {self.block_weights} = {bits}{''.join(shared)}"


def decimal(value: Fraction) -> str:
    """A fraction whose denominator is a power of two, with all its digits: `4.126953125`."""
    text = f"{float(value):.12f}".rstrip("0").rstrip(".")
    return text if Fraction(text) == value else f"{float(value):.6f}…"
