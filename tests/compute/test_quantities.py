"""Quantities as people type them, and the sentence for each that cannot be."""

from __future__ import annotations

import pytest

from calc.compute.quantities import MOST_TOKENS, price, share, whole
from calc.errors import ConfigError

READ = [
    ("2e12", 2 * 10**12),
    ("2T", 2 * 10**12),
    ("2t", 2 * 10**12),
    ("2 T", 2 * 10**12),
    ("1.4B", 1_400_000_000),
    ("300,000", 300_000),
    ("4096", 4096),
    (4096, 4096),
    (2e12, 2 * 10**12),
    (" 7K ", 7000),
    ("1_000", 1000),
    ("1.5e1", 15),
    ("１２，０００", 12000),
    ("２Ｔ", 2 * 10**12),
    ("1e00000000000000012", 10**12),
    (".5e1", 5),
    ("5.", 5),
]
NO_WHOLE_NUMBER = {
    "not_a_quantity": [
        *("", "abc", "nan", "sNaN", "inf", "-inf", "T", "2 T 3", "0x10", "--1", "+-1", "1e", "e5", ".", "1e1e1", "x" * 10_000),
        *("٣", "²", "1²", "1_0", "0,4", "1,00", "1,000_000"),
        *(float("nan"), float("inf"), None, True),
    ],
    "not_above_zero": ["0", "-5", "-1e400", "-1e99999999", "0e99999999", 0],
    "too_big": ["1e400", "1e999999", "1e99999999", "1e" + "9" * 9998, "9" * 10_000, 1e300],
    "not_whole": ["2.5", "1e-3", "1e-99999999", "1e-" + "9" * 9997],
}
NO_SHARE = {
    "not_a_share": ["40", "1.01", "0", "-0.4", "101%", "1e99999999", "1e99999999%", "1." + "0" * 9_000 + "1"],
    "not_a_quantity": ["nan", "%", "", None, "٣%", "0,4", "4%%"],
    "too_small": ["1e-99999999", "1e-400%", 1e-300],
}
NO_PRICE = {"negative": ["-1"], "not_a_quantity": ["nan", "free", "1,89"], "too_big": ["1e400", "1e99999999"]}


def cases(faults):
    return [pytest.param(typed, code, id=str(typed)[:12]) for code, each in faults.items() for typed in each]


def refused(read, field, *arguments):
    """The fault that reading gives, in a sentence of bounded length."""
    with pytest.raises(ConfigError) as refusal:
        read(field, *arguments)
    assert refusal.value.field == field and len(str(refusal.value)) < 250
    return refusal.value.code


@pytest.mark.parametrize(("typed", "number"), READ)
def test_numbers_are_read_as_they_are_written(typed, number):
    read = whole("tokens", typed, MOST_TOKENS, "2e12")
    assert read == number and type(read) is int


@pytest.mark.parametrize(("typed", "code"), cases(NO_WHOLE_NUMBER))
def test_what_is_no_whole_number_is_refused_with_the_field(typed, code):
    assert refused(whole, "tokens", typed, MOST_TOKENS, "2e12") == code


@pytest.mark.parametrize(
    ("typed", "number"), [("0.4", 0.4), ("40%", 0.4), ("100 %", 1.0), ("４０％", 0.4), (1, 1.0), (0.391, 0.391)]
)
def test_shares_are_read(typed, number):
    assert share("utilisation", typed) == number


@pytest.mark.parametrize(("typed", "code"), cases(NO_SHARE))
def test_what_is_no_share_is_refused(typed, code):
    assert refused(share, "utilisation", typed) == code


def test_a_number_too_long_to_be_written_is_refused():
    assert refused(whole, "tokens", 10**5000, MOST_TOKENS, "2e12") == "too_big"


def test_prices_are_read():
    assert price("price", "1.89") == 1.89 and price("price", 0) == 0


@pytest.mark.parametrize(("typed", "code"), cases(NO_PRICE))
def test_what_is_no_price_is_refused(typed, code):
    assert refused(price, "price", typed) == code
