"""Large numbers written, against Python's own formatting where that is exact."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.compute.si_prefixes import PREFIXES, scientific, si


@pytest.mark.parametrize(
    ("value", "power", "prefix"),
    [
        (80_860_987_392 * 10**12, "8.09e22", "80.9 ZFLOP"),
        (1_700_063_608_832, "1.70e12", "1.70 TFLOP"),
        (3_334_642_697_011_200_000_000_000, "3.33e24", "3.33 YFLOP"),
        (10**30, "1.00e30", "1.00 QFLOP"),
        (10**35, "1.00e35", "100000 QFLOP"),
        (999_499, "9.99e5", "999 kFLOP"),
        (999_500, "1.00e6", "1.00 MFLOP"),
        (1, "1.00e0", "1.00 FLOP"),
        (0, "0", "0 FLOP"),
        (-1500, "-1.50e3", "-1.50 kFLOP"),
    ],
)
def test_numbers_are_written(value, power, prefix):
    assert (scientific(value), si(value)) == (power, prefix)


def test_a_half_is_rounded_up_from_all_its_digits():
    """Half to even, or a float on the way, would give 1.22 and 1.00."""
    assert scientific(1225) == "1.23e3"
    assert scientific(10**20 + 5 * 10**17, digits=3) == "1.01e20"
    assert scientific(10**20 + 5 * 10**17 - 1, digits=3) == "1.00e20"
    assert si(Fraction(2451, 2), digits=4) == "1.226 kFLOP"


@given(st.integers(1, 10**40), st.integers(2, 8))
def test_scientific_is_what_decimal_rounds_to(value, digits):
    rounded = Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(value)
    assert Decimal(scientific(value, digits)) == rounded
    assert len(scientific(value, digits).partition("e")[0]) == digits + 1


@given(st.integers(1, 10**32), st.integers(3, 6))
def test_a_prefix_leaves_one_to_three_digits_and_the_same_value(value, digits):
    figure, _, unit = si(value, "B", digits).partition(" ")
    power = 3 * PREFIXES.index(unit.removesuffix("B"))
    assert Decimal(figure).scaleb(power) == Decimal(scientific(value, digits))
    assert 1 <= len(figure.partition(".")[0]) <= 3
