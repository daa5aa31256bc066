"""Quantities as a person types them, 2e12 or 2T or 40 %, checked: one field, one sentence that says what to write instead."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from calc.errors import ConfigError, quoted

SUFFIXES = {"K": 3, "M": 6, "B": 9, "T": 12}
"""Thousand, million, billion, trillion, as figures of models and corpora are written."""

MOST_TOKENS = 10**18
"""A thousand times beyond any corpus; a larger number is taken for a slip."""

MOST_GPUS = 10**8
MOST_PRICE = 10**6


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

    Raises ConfigError: not_a_quantity, not_a_share.

    >>> share("utilisation", "0.4"), share("utilisation", "40%")
    (0.4, 0.4)
    """
    in_per_cent = isinstance(value, str) and value.strip().endswith("%")
    number = _decimal(field, str(value).strip()[:-1] if in_per_cent else value, "0.4")
    number = number / 100 if in_per_cent else number
    if not 0 < number <= 1:
        raise ConfigError("not_a_share", field, value=quoted(value))
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
    text = str(value).strip().replace(",", "").replace("_", "")
    power = SUFFIXES.get(text[-1:].upper(), 0)
    try:
        number = Decimal(text[:-1] if power else text).scaleb(power)
    except InvalidOperation:
        number = Decimal("NaN")
    if isinstance(value, bool) or not number.is_finite():
        raise ConfigError("not_a_quantity", field, value=quoted(value), example=example)
    return number
