"""Bytes as people meet them: GB and GiB together, and the MiB that `nvidia-smi` shows."""

from __future__ import annotations

from calc.weights.byte_units import nvidia_smi_mib
from ui.figures.worked import Line
from ui.numbers import gibibytes, gigabytes, grouped


def gb_and_gib(number_of_bytes: int) -> str:
    """Both units, each with its name.

    >>> gb_and_gib(13_476_831_232)
    '13.48 GB · 12.55 GiB'
    """
    return f"{gigabytes(number_of_bytes)} · {gibibytes(number_of_bytes)}"


def span(low: int, high: int) -> str:
    """A range in GB; one figure where both read the same.

    >>> span(16_000_000_000, 17_000_000_000), span(1_340_000_000_000, 1_341_000_000_000)
    ('16.00 – 17.00 GB', '1.34 TB')
    """
    first, last = gigabytes(low), gigabytes(high)
    if first == last:
        return last
    unit = last.rpartition(" ")[2]
    return f"{first.removesuffix(f' {unit}')} – {last}"


def all_units(number_of_bytes: int) -> str:
    """GB, GiB, and whole MiB as `nvidia-smi` shows them.

    >>> all_units(13_476_831_232)
    '13.48 GB · 12.55 GiB · 12,852 MiB'
    """
    return f"{gb_and_gib(number_of_bytes)} · {grouped(nvidia_smi_mib(number_of_bytes))} MiB"


def bytes_line(label: str, number_of_bytes: int, *steps: str) -> Line:
    """A line of bytes: in GB, beneath in GiB, every digit as the last step.

    >>> line = bytes_line("weights", 13_476_831_232)
    >>> line.shown, line.small, line.steps
    ('13.48 GB', '12.55 GiB', ('= 13,476,831,232 B',))
    """
    steps = (*filter(None, steps), f"= {grouped(number_of_bytes)} B")
    return Line(label, number_of_bytes, "B", steps, shown=gigabytes(number_of_bytes), small=gibibytes(number_of_bytes))
