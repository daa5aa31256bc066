"""Large numbers as people write them: 8.09e22, and with an SI prefix 80.9 ZFLOP."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

PREFIXES = ("", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q")
"""SI prefixes of 1000⁰ … 1000¹⁰. Source: BIPM, resolution 3 of the 27th CGPM (2022) for R and Q."""


def scientific(value: float | Fraction, digits: int = 3) -> str:
    """A number with one digit before the point and `digits` in all, rounded half up: `8.09e22`.

    An int is rounded from all its digits, never through a float.

    >>> scientific(6 * 6_738_415_616 * 2 * 10**12), scientific(9_999), scientific(0), scientific(0.0000123)
    ('8.09e22', '1.00e4', '0', '1.23e-5')
    """
    if not value:
        return "0"
    mantissa, exponent = _rounded(value, digits)
    return f"{mantissa}e{exponent}"


def si(value: float | Fraction, unit: str = "FLOP", digits: int = 3) -> str:
    """A number of a unit with the SI prefix that leaves one to three digits before the point.

    Below 1 there is no prefix, beyond 1000¹⁰ the figure stays in quetta.

    >>> si(6 * 6_738_415_616 * 2 * 10**12), si(1_700_060_000_000, digits=4), si(13_214_154_752), si(999_999)
    ('80.9 ZFLOP', '1.700 TFLOP', '13.2 GFLOP', '1.00 MFLOP')
    >>> si(312_000_000_000_000, "FLOP/s"), si(42, "FLOP"), si(0), si(0.125)
    ('312 TFLOP/s', '42.0 FLOP', '0 FLOP', '0.125 FLOP')
    """
    if not value:
        return f"0 {unit}"
    mantissa, exponent = _rounded(value, digits)
    step = min(max(exponent // 3, 0), len(PREFIXES) - 1)
    figure = mantissa.scaleb(exponent - 3 * step)
    decimals = max(0, digits - 1 - (exponent - 3 * step))
    return f"{figure:.{decimals}f} {PREFIXES[step]}{unit}"


def _rounded(value: float | Fraction, digits: int) -> tuple[Decimal, int]:
    """The mantissa (1 ≤ m < 10, rounded half up to `digits`) and the power of ten."""
    exact = Fraction(value)
    exponent = _power_of_ten(abs(exact))
    scaled = exact / Fraction(10) ** (exponent - digits + 1)
    whole = math.floor(abs(scaled) + Fraction(1, 2))
    if whole == 10**digits:  # 9.999 became 10.00
        whole, exponent = whole // 10, exponent + 1
    mantissa = Decimal(whole).scaleb(1 - digits).quantize(Decimal(1).scaleb(1 - digits), rounding=ROUND_HALF_UP)
    return (-mantissa if exact < 0 else mantissa), exponent


def _power_of_ten(value: Fraction) -> int:
    """The largest n with 10ⁿ ≤ value, found with whole numbers alone."""
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if Fraction(10) ** guess <= value else guess - 1
