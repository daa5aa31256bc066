"""Bytes in the units people write: GB is 10⁹, GiB 2³⁰, MiB 2²⁰. They differ by 7%, and tools mix them."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Literal

from calc.errors import ConfigError, quoted

Unit = Literal["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"]

UNITS: dict[Unit, int] = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
"""Bytes of each unit."""


def in_unit(size_bytes: int, unit: Unit) -> Fraction:
    """Bytes in a unit, exactly.

    Raises ConfigError: not_among.

    >>> float(in_unit(16_060_522_496, "GB")), round(float(in_unit(16_060_522_496, "GiB")), 2)
    (16.060522496, 14.96)
    """
    return Fraction(size_bytes, _bytes_of(unit))


def to_bytes(amount: int | str | Decimal | Fraction, unit: Unit) -> int:
    """An amount of a unit in whole bytes, rounded up.

    Raises ConfigError: not_among.

    >>> to_bytes("13.48", "GB"), to_bytes(15360, "MiB")
    (13480000000, 16106127360)
    """
    return -(-Fraction(amount) * _bytes_of(unit) // 1)


def _bytes_of(unit: Unit) -> int:
    if unit not in UNITS:
        raise ConfigError("not_among", "unit", value=quoted(unit), among=", ".join(UNITS))
    return UNITS[unit]


def written(size_bytes: int, unit: Unit, digits: int = 2) -> str:
    """Bytes in a unit with its name, rounded half up.

    >>> [written(13_476_831_232, unit) for unit in ("GB", "GiB")], written(13_476_831_232, "MiB", 0)
    (['13.48 GB', '12.55 GiB'], '12,853 MiB')
    """
    exact = in_unit(size_bytes, unit)
    figure = Decimal(exact.numerator) / Decimal(exact.denominator)
    return f"{figure.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP):,} {unit}"


def nvidia_smi_mib(size_bytes: int) -> int:
    """What `nvidia-smi` shows: whole MiB, the rest cut off. Llama-2-7B in 16 bits:

    >>> nvidia_smi_mib(2 * 6_738_415_616)
    12852
    """
    return size_bytes // UNITS["MiB"]
