"""Quantities as a person types them, 2e12 or 2T or 40 %, checked: one field, one sentence that says what to write instead."""

from __future__ import annotations

import re
from decimal import Decimal

from calc.errors import ConfigError, quoted

SUFFIXES = {"K": 3, "M": 6, "B": 9, "T": 12}
"""Thousand, million, billion, trillion, as figures of models and corpora are written."""

MOST_TOKENS = 10**18
"""A thousand times beyond any corpus; a larger number is taken for a slip."""

MOST_GPUS = 10**8
MOST_PRICE = 10**6
LEAST_SHARE = 1e-6

_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]{1,3}(?:(?P<mark>[,_])[0-9]{3})(?:(?P=mark)[0-9]{3})*|[0-9]*)(?P<decimals>\.[0-9]*)?"
    r"(?:[eE](?P<power>[+-]?[0-9]+))?\s*(?P<suffix>[KMBTkmbt]?)"
)
"""A mark stands between groups of three digits only: 0,4 would be taken for 4, and 1_0 for 10."""
_LARGEST_POWER = 10_000
"""Any power beyond is as much too large or too small, and costs nothing to compare."""
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Digits, letters and signs as a Chinese keyboard may write them."""


def whole(field: str, value: object, largest: int, example: str) -> int:
    """A whole number of at least 1: `4096`, `4,096`, `2e12`, `2T`, `1.4B`.

    Raises ConfigError: not_a_quantity, not_whole, not_above_zero, too_big.

    >>> whole("tokens", "2e12", MOST_TOKENS, "2e12"), whole("tokens", "1.4T", MOST_TOKENS, "2e12"), whole("gpus", 8, 100, "8")
    (2000000000000, 1400000000000, 8)
    """
    number = _decimal(field, value, example)
    if number <= 0:
        raise ConfigError("not_above_zero", field, value=quoted(value))
    if number > largest:
        raise ConfigError("too_big", field, value=quoted(value), largest=largest)
    if number != number.to_integral_value():
        raise ConfigError("not_whole", field, value=quoted(value), example=example)
    return int(number)


def share(field: str, value: object) -> float:
    """A share above 0 and at most 1; 40 is refused rather than taken for 40 %, `40%` is not.

    Raises ConfigError: not_a_quantity, not_a_share, too_small.

    >>> share("utilisation", "0.4"), share("utilisation", "40%")
    (0.4, 0.4)
    """
    text = value.translate(_FULL_WIDTH).strip() if isinstance(value, str) else value
    in_per_cent = isinstance(text, str) and text.endswith("%")
    number = _decimal(field, text[:-1] if isinstance(text, str) and in_per_cent else text, "0.4")
    number = number / 100 if in_per_cent else number
    if not 0 < number <= 1:
        raise ConfigError("not_a_share", field, value=quoted(value))
    if number < LEAST_SHARE:
        raise ConfigError("too_small", field, value=quoted(value), smallest=LEAST_SHARE)
    return float(number)


def price(field: str, value: object, largest: int = MOST_PRICE) -> float:
    """A price, 0 or more. Raises ConfigError: not_a_quantity, negative, too_big.

    >>> price("price", "1.89")
    1.89
    """
    number = _decimal(field, value, "2")
    if number < 0:
        raise ConfigError("negative", field, value=quoted(value))
    if number > largest:
        raise ConfigError("too_big", field, value=quoted(value), largest=largest)
    return float(number)


def _decimal(field: str, value: object, example: str) -> Decimal:
    """What was typed as a finite number, its suffix multiplied out."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    typed = _NUMBER.fullmatch(str(value).translate(_FULL_WIDTH).strip())
    digits = typed and f"{typed['whole'].replace(typed['mark'] or ',', '')}{typed['decimals'] or ''}"
    if isinstance(value, bool) or not typed or not digits or digits == ".":
        raise ConfigError("not_a_quantity", field, value=quoted(value), example=example)
    power = max(-_LARGEST_POWER, min(_clipped(typed["power"] or "0"), _LARGEST_POWER)) + SUFFIXES.get(typed["suffix"].upper(), 0)
    return Decimal(f"{typed['sign']}{digits}e{power}")


def _clipped(power: str) -> int:
    """A power of ten; of one with many digits the first few, which are beyond every bound already."""
    sign, digits = power[: len(power) - len(power.lstrip("+-"))], power.lstrip("+-").lstrip("0")
    return int(f"{sign}{digits[:6] or 0}")
