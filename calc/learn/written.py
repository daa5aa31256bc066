"""Exact values as texts: for a program, and for a person in the unit that is asked for."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from calc.learn.units import Dimension, unit_factor
from calc.learn.words import number_text

LARGEST_DENOMINATOR = 10**30
"""Of a fraction that a person could have made; e and roots, worked out to 50 digits, have larger ones."""

BASE_UNITS: dict[str, str] = {"bytes": "B", "flops": "FLOP", "time": "s", "rate": "token/s", "hours": "GPU·h", "bits": "bit"}
LARGER_UNITS: dict[str, tuple[tuple[str, int], ...]] = {
    "flops": (("ZFLOP", 10**21), ("EFLOP", 10**18), ("PFLOP", 10**15), ("TFLOP", 10**12), ("GFLOP", 10**9), ("MFLOP", 10**6))
}

Value = Fraction | tuple[int, int]


def exact_text(value: Value) -> str:
    """A value for a program: a whole number, an ending decimal, a fraction; of e and roots 20 figures; two lengths `a × b`.

    >>> [exact_text(x) for x in (Fraction(41943040), Fraction(1, 8), Fraction(1, 3), (4096, 128))]
    ['41943040', '0.125', '1/3', '4096 × 128']
    """
    if isinstance(value, tuple):
        return f"{value[0]} × {value[1]}"
    if value.denominator > LARGEST_DENOMINATOR:
        return f"{_decimal(value, 20):f}"
    if (value * 10**15).denominator == 1:
        return (
            number_text(value).replace(",", "").replace("−", "-")
            if (value * 10**10).denominator == 1
            else f"{_decimal(value, 40):f}"
        )
    return f"{value.numerator}/{value.denominator}"


def value_text(value: Value, dimension: Dimension, unit: str | None = None, figures: int = 4) -> str:
    """A value for a person: exact where it is a whole number, and rounded in the unit that is asked for.

    >>> value_text(Fraction(13476831232), "bytes", "GB"), value_text(Fraction(1, 4), "number")
    ('13.48 GB (13,476,831,232 B)', '0.25')
    >>> value_text(Fraction(41943040), "count"), value_text(Fraction("0.0389029"), "percent", "%")
    ('41,943,040', '3.89%')
    """
    if isinstance(value, tuple):
        return f"{value[0]:,} × {value[1]:,}"
    if dimension == "percent":
        return f"{rounded_text(value * 100, 3)}%"
    base = BASE_UNITS.get(dimension, "")
    exact = value.denominator == 1
    if unit and unit != base:
        rounded = f"{rounded_text(value / unit_factor(unit), figures)} {unit}"
        return f"{rounded} ({value.numerator:,} {base})" if exact and dimension == "bytes" else rounded
    for larger, size in LARGER_UNITS.get(dimension, ()):
        if abs(value) >= size:
            return f"{rounded_text(value / size, figures)} {larger} ({number_text(value)} {base})"
    return f"{number_text(value) if exact else rounded_text(value, figures)} {base}".strip()


def rounded_text(value: Fraction, figures: int) -> str:
    """A value in so many significant figures at most, half up; whole numbers keep all their digits.

    >>> rounded_text(Fraction("12852.5"), 4), rounded_text(Fraction("0.5621765"), 3)
    ('12,852.5', '0.562')
    """
    if abs(value) >= 10**figures:
        return number_text(Fraction(round(value * 10), 10))
    return number_text(Fraction(_decimal(value, figures)))


def _decimal(value: Fraction, figures: int) -> Decimal:
    return Context(prec=figures, rounding=ROUND_HALF_UP).divide(Decimal(value.numerator), Decimal(value.denominator))
