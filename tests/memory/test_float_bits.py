"""Bits of floating-point numbers, held against what torch says of its types."""

import pytest
import torch

from calc.memory.float_bits import FLOAT_BITS

TYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16, "fp8": torch.float8_e4m3fn}


@pytest.mark.parametrize("name", TYPES)
def test_range_and_precision_are_those_of_torch(name):
    ours, theirs = FLOAT_BITS[name], torch.finfo(TYPES[name])
    assert (ours.bits, float(ours.largest), float(ours.smallest), float(ours.step)) == (
        theirs.bits, theirs.max, theirs.smallest_normal, theirs.eps
    )  # fmt: skip


def test_fp4_holds_eight_magnitudes_up_to_6():
    fp4 = FLOAT_BITS["fp4"]
    magnitudes = {0.0, float(fp4.smallest) / 2}
    magnitudes |= {2.0**power * (1 + half / 2) for power in range(3) for half in range(2)}
    assert sorted(magnitudes) == [0, 0.5, 1, 1.5, 2, 3, 4, 6] and float(fp4.largest) == max(magnitudes)
