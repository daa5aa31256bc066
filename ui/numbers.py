"""Numbers as the screen shows them: grouped by thousands whatever the browser's locale, with their units.

Streamlit's own formats follow the browser's locale, not the app's language, so numbers are written here.
"""

from __future__ import annotations

import math
import re

MINUS = "−"
FP16_BYTES = 2
"""Bytes of a parameter in fp16."""


def grouped(value: int) -> str:
    """Thousands grouped with commas.

    >>> grouped(6738415616)
    '6,738,415,616'
    """
    return f"{value:,}"


def grouped_within(expression: str) -> str:
    """Every integer of an expression, grouped.

    >>> grouped_within("4096 × 8·128")
    '4,096 × 8·128'
    """
    return re.sub(r"\d+", lambda match: grouped(int(match[0])), expression)


def signed(value: int) -> str:
    """A difference with its sign.

    >>> signed(1291845632), signed(-805306368), signed(0)
    ('+1,291,845,632', '−805,306,368', '±0')
    """
    return f"{_sign(value)}{abs(value):,}"


def percent(share: float, digits: int = 2) -> str:
    """A share of 1 in per cent; a share that is not zero never reads as zero.

    >>> percent(0.6424), percent(0.0000395), percent(0.668, 1)
    ('64.24%', '0.004%', '66.8%')
    """
    if share and abs(share) * 100 < 0.5 * 10**-digits:
        digits = -math.floor(math.log10(abs(share) * 100))
    return f"{share * 100:.{digits}f}%"


def signed_percent(share: float) -> str:
    """A relative difference with its sign.

    >>> signed_percent(0.1917), signed_percent(-0.0146)
    ('+19.17%', '−1.46%')
    """
    return f"{_sign(share)}{percent(abs(share))}"


def gigabytes(number_of_bytes: int) -> str:
    """Bytes in GB (10⁹), or MB and KB below.

    >>> gigabytes(13_476_831_232), gigabytes(90_177_536), gigabytes(8192)
    ('13.48 GB', '90.18 MB', '8.19 KB')
    """
    return _scaled(number_of_bytes, 1000, ("B", "KB", "MB", "GB", "TB", "PB"))


def signed_gigabytes(number_of_bytes: int) -> str:
    """A difference of bytes with its sign.

    >>> signed_gigabytes(-90_177_536)
    '−90.18 MB'
    """
    return f"{_sign(number_of_bytes)}{gigabytes(abs(number_of_bytes))}"


def signed_points(difference: float) -> str:
    """A difference of two shares of 1, in percentage points.

    >>> signed_points(0.0017), signed_points(0)
    ('+0.17', '±0.00')
    """
    return f"{_sign(round(difference, 4))}{abs(difference) * 100:.2f}"


def _sign(value: float) -> str:
    return "+" if value > 0 else MINUS if value < 0 else "±"


def gibibytes(number_of_bytes: int) -> str:
    """Bytes in GiB (2³⁰), or MiB and KiB below.

    >>> gibibytes(13_476_831_232), gibibytes(262_144_000)
    ('12.55 GiB', '250.00 MiB')
    """
    return _scaled(number_of_bytes, 1024, ("B", "KiB", "MiB", "GiB", "TiB", "PiB"))


def _scaled(number_of_bytes: int, step: int, units: tuple[str, ...]) -> str:
    value, unit = float(number_of_bytes), 0
    while round(value, 2) >= step and unit < len(units) - 1:
        value, unit = value / step, unit + 1
    return f"{value:.2f} {units[unit]}" if unit else f"{number_of_bytes} B"
