"""How a floating-point number spends its bits: sign, exponent, mantissa, and what range and precision follow.

    value = (−1)^sign · 2^(exponent − bias) · (1 + mantissa ÷ 2^m),  bias = 2^(e − 1) − 1

Sources: IEEE 754-2019; bf16: Kalamkar et al. 2019, arXiv:1905.12322; fp8: Micikevicius et al. 2022, arXiv:2209.05433; fp4: OCP
Microscaling Formats specification 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class FloatBits:
    """The bits of one number.

    exponent, mantissa   bits; one more is the sign
    unused    bits that are stored and take no part in a product
    largest   the largest finite number
    """

    exponent: int
    mantissa: int
    largest: Fraction
    unused: int = 0

    @property
    def bits(self) -> int:
        """All that are stored.

        >>> FLOAT_BITS["tf32"].bits, FLOAT_BITS["fp8"].bits
        (32, 8)
        """
        return 1 + self.exponent + self.mantissa + self.unused

    @property
    def step(self) -> Fraction:
        """2^−m: how far the next number above 1 is from it.

        >>> FLOAT_BITS["bf16"].step, FLOAT_BITS["fp16"].step
        (Fraction(1, 128), Fraction(1, 1024))
        """
        return Fraction(1, 2**self.mantissa)

    @property
    def smallest(self) -> Fraction:
        """2^(2 − 2^(e − 1)): the smallest positive number with full precision.

        >>> float(FLOAT_BITS["fp16"].smallest)
        6.103515625e-05
        """
        return Fraction(1, 2 ** (2 ** (self.exponent - 1) - 2))


def _ieee(exponent: int, mantissa: int, unused: int = 0) -> FloatBits:
    """The largest exponent means infinity: the largest number is (2 − 2^−m) · 2^bias."""
    largest = (2 - Fraction(1, 2**mantissa)) * 2 ** (2 ** (exponent - 1) - 1)
    return FloatBits(exponent, mantissa, largest, unused)


FLOAT_BITS: Mapping[str, FloatBits] = {
    "fp32": _ieee(8, 23),
    "tf32": _ieee(8, 10, unused=13),
    "fp16": _ieee(5, 10),
    "bf16": _ieee(8, 7),
    "fp8": FloatBits(4, 3, Fraction(448)),
    "fp4": FloatBits(2, 1, Fraction(6)),
}
"""By what a GPU multiplies. fp8 is E4M3, the kind used for weights, and fp4 is E2M1: neither has an infinity."""
