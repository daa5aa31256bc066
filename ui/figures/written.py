"""Figures of compute as text: with an SI prefix, in scientific notation, and lengths of time a person can feel."""

from __future__ import annotations

from fractions import Fraction

from calc.compute.si_prefixes import scientific, si
from ui.numbers import grouped
from ui.texts import text_in

DAY, YEAR = 86_400, 365.25 * 86_400
"""s"""


def exact(value: float | Fraction, decimals: int = 1) -> str:
    """A whole number with all its digits; one that is none with one decimal.

    >>> exact(13214154752), exact(Fraction(3, 2))
    ('13,214,154,752', '1.5')
    """
    whole = Fraction(value)
    return grouped(whole.numerator) if whole.denominator == 1 else f"{float(value):,.{decimals}f}"


def both(value: float | Fraction, unit: str = "FLOP") -> str:
    """SI and scientific: `13.2 GFLOP · 1.32e10`.

    >>> both(80_860_987_392 * 10**12)
    '80.9 ZFLOP · 8.09e22'
    """
    return f"{si(value, unit)} · {scientific(value)}"


def rounded(value: float, digits: int = 3) -> str:
    """A number with about three digits, grouped, never in scientific notation.

    >>> rounded(7499.7), rounded(42.37), rounded(0.9996), rounded(0.0068)
    ('7,500', '42.4', '1.00', '0.00680')
    """
    if not value:
        return "0"
    power = int(f"{value:.{digits - 1}e}".partition("e")[2])  # of the rounded value: 0.9996 is 1.00
    return f"{value:,.{max(0, digits - 1 - power)}f}"


def duration(language: str, seconds: float) -> str:
    """A length of time in the unit that suits it.

    >>> duration("en", 0.00688), duration("en", 42.4), duration("en", 3600 * 24 * 7499.7)
    ('6.88 ms', '42.4 s', '20.5 years')
    """
    for below, unit, sign in ((1e-3, 1e-6, "µs"), (1, 1e-3, "ms"), (120, 1, "s"), (7200, 60, "min"), (2 * DAY, 3600, "h")):
        if seconds < below:
            return f"{rounded(seconds / unit)} {sign}"
    if seconds < 2 * YEAR:
        return text_in(language, "compute.days", number=rounded(seconds / DAY))
    return text_in(language, "compute.years", number=rounded(seconds / YEAR))


def tokens_written(tokens: float) -> str:
    """Tokens or parameters as people say them.

    >>> tokens_written(2 * 10**12), tokens_written(134_768_312_320), tokens_written(4096)
    ('2T', '135B', '4,096')
    """
    for size, letter in ((10**12, "T"), (10**9, "B"), (10**6, "M")):
        if tokens >= size:
            figure = rounded(tokens / size)
            return f"{figure.rstrip('0').rstrip('.') if '.' in figure else figure}{letter}"
    return grouped(round(tokens))
