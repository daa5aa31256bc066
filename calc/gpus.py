"""GPUs: memory, bandwidth, and dense matrix throughput in each number format."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from calc.errors import ConfigError, quoted

GPUS_FILE = Path(__file__).parent / "data" / "gpus.json"
MOST_NAMED = 30
"""GPUs named to a person who has asked for an unknown one."""

BRANDS = re.compile("^(nvidia|geforce|amd|radeon|intel|google|apple|rtx|rx|arc)+")
"""What people leave out in front of a GPU's name."""


@dataclass(frozen=True, slots=True)
class ListPrice:
    """What the maker asked for it at first: an amount in a currency, and the year."""

    amount: int
    currency: str
    year: int


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU or another accelerator as its vendor specifies it; GB and GB/s are 10⁹, throughput is dense, not sparse.

    name                      as people write it: `A100 80GB SXM`
    maker                     whose it is: `NVIDIA`, `GeForce` for its gaming cards, `AMD`, `Intel`, `Google`, `Apple`
    memory_gb                 the size on its label; a driver shows somewhat less
    bandwidth_gb_per_second   of its memory
    dense_tflops              format (`fp16`, `bf16`, `fp8`, `int8`, `fp4`) → 10¹² operations a second, where known
    native                    format → whether its matrix units multiply it; a format that is missing is not known
    caveat                    what to beware of
    source                    where the figures come from
    aliases                   other names it is found by
    unified_share             of memory that it shares with the processor, the least and the most that the system leaves it
    power_watts               W, the most its board takes, where known
    list_price                where known
    """

    name: str
    memory_gb: int
    bandwidth_gb_per_second: int | float
    dense_tflops: Mapping[str, int | float] = field(hash=False)
    native: Mapping[str, bool] = field(hash=False)
    caveat: str
    source: str
    aliases: tuple[str, ...] = ()
    maker: str = ""
    unified_share: tuple[Fraction, Fraction] | None = None
    power_watts: int | None = None
    list_price: ListPrice | None = None

    @property
    def memory_bytes(self) -> int:
        """The size on its label, in bytes."""
        return self.memory_gb * 10**9

    @property
    def bandwidth_bytes_per_second(self) -> int:
        """Bytes that its memory can deliver in a second.

        >>> find_gpu("T4").bandwidth_bytes_per_second
        320000000000
        """
        return _times_ten_to(9, self.bandwidth_gb_per_second)

    def peak_flops_per_second(self, number_format: str | None = None) -> int:
        """Dense operations a second in a format; in its best 16-bit format where none is named.

        Raises ConfigError: gpu_without_peak.

        >>> find_gpu("A100").peak_flops_per_second(), find_gpu("T4").peak_flops_per_second()
        (312000000000000, 65000000000000)
        """
        known = self.dense_tflops
        tflops = known.get(number_format) if number_format else known.get("bf16", known.get("fp16"))
        if tflops is None:
            raise ConfigError("gpu_without_peak", "gpu", value=self.name, format=number_format or "bf16")
        return _times_ten_to(12, tflops)


@cache
def gpus() -> Mapping[str, Gpu]:
    """Every GPU by name, in the order of the file: maker by maker, NVIDIA's for data centres first, Apple's last.

    >>> gpus()["H100 SXM"].dense_tflops["bf16"], gpus()["T4"].native["bf16"]
    (989, False)
    """
    entries = json.loads(GPUS_FILE.read_text(encoding="utf-8"))
    return {entry["name"]: _gpu(entry) for entry in entries}


def _gpu(entry: dict[str, Any]) -> Gpu:
    if "aliases" in entry:
        entry["aliases"] = tuple(entry["aliases"])
    if "unified_share" in entry:
        least, most = entry["unified_share"]
        entry["unified_share"] = Fraction(least), Fraction(most)
    if "list_price" in entry:
        entry["list_price"] = ListPrice(**entry["list_price"])
    return Gpu(**entry)


def find_gpu(value: str) -> Gpu:
    """The GPU of this name or alias, however spaced, hyphenated or capitalised, with its brand or without: `4090`, `M4 Max 64GB`.

    Raises ConfigError: unknown_gpu, unknown_gpu_similar.

    >>> find_gpu("a100-80gb-sxm").name, find_gpu("H100").name
    ('A100 80GB SXM', 'H100 SXM')
    """
    wanted = _letters_and_digits(value[:100])
    names = {_letters_and_digits(name): gpu for gpu in gpus().values() for name in (*gpu.aliases, gpu.name)}
    if wanted in names:
        return names[wanted]
    without_brand = {BRANDS.sub("", name): gpu for name, gpu in names.items()}
    if (model := BRANDS.sub("", wanted)) in without_brand:
        return without_brand[model]
    similar = difflib.get_close_matches(wanted, names, n=1)
    if similar:
        raise ConfigError("unknown_gpu_similar", "gpu", value=quoted(value), similar=names[similar[0]].name)
    raise ConfigError("unknown_gpu", "gpu", value=quoted(value), known=f"{', '.join(list(gpus())[:MOST_NAMED])} …")


def _letters_and_digits(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _times_ten_to(power: int, figure: int | float) -> int:
    """A figure as it is written in the file, times a power of ten, as a whole number."""
    return int(Fraction(str(figure)) * 10**power)
