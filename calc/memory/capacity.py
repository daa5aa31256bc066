"""How much memory a GPU really has: what its label says, what its driver reports, and what is left for a model.

A label of 80 GB is 80 · 2³⁰ bytes on an A100, a little less on an H100, and 24 GB on an L4 is less than 24 · 2³⁰ but more than
24 · 10⁹. So the driver's figure is used where it is known; where it is not, both readings of the label bound it. Of memory that is shared with
the processor the system keeps a part: macOS a third to a quarter, unless it is told otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from calc.gpus import Gpu
from calc.weights.byte_units import UNITS

MEMORY_FILE = Path(__file__).parent.parent / "data" / "gpu_memory.json"

Basis = Literal["reported", "unified", "label"]

OVERHEAD_BYTES = (10**9, 2 * 10**9)
"""What the driver's context, the framework, its kernels and the gaps between allocations take on each GPU: 1 to 2 GB. Observed,
not computed: a bare CUDA context takes 0.3 to 0.6 GB, PyTorch with its libraries about 1, an engine with recorded graphs up to
2."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """Memory of a GPU.

    low_bytes, high_bytes   bounds; equal where the driver reports it
    basis                   `reported` by the driver, `unified` with the computer's, or known by its `label` alone
    """

    low_bytes: int
    high_bytes: int
    basis: Basis


def capacity(gpu: Gpu) -> Capacity:
    """The memory of a GPU.

    >>> from calc.gpus import find_gpu
    >>> capacity(find_gpu("T4"))
    Capacity(low_bytes=16106127360, high_bytes=16106127360, basis='reported')
    >>> capacity(find_gpu("Apple M1")).basis, capacity(find_gpu("Apple M1")).high_bytes == 12 * 2**30
    ('unified', True)
    """
    reported = reported_mib().get(gpu.name)
    if reported is not None:
        return Capacity(reported * UNITS["MiB"], reported * UNITS["MiB"], "reported")
    if gpu.unified_share:
        low, high = (int(gpu.memory_gb * UNITS["GiB"] * share) for share in gpu.unified_share)
        return Capacity(low, high, "unified")
    return Capacity(gpu.memory_bytes, gpu.memory_gb * UNITS["GiB"], "label")


@cache
def reported_mib() -> Mapping[str, int]:
    """MiB that the driver of each GPU reports, by the GPU's name.

    >>> reported_mib()["L40S"]
    46068
    """
    return json.loads(MEMORY_FILE.read_text(encoding="utf-8"))["reported_mib"]
