"""Bits of floating-point numbers, held against what torch 2.13 says of its types in torch.finfo."""

import pytest

from calc.weights.float_bits import FLOAT_BITS

# bits, max, smallest_normal, eps
FINFO = {
    "fp32": (32, 3.4028234663852886e38, 1.1754943508222875e-38, 1.1920928955078125e-07),
    "fp16": (16, 65504.0, 6.103515625e-05, 0.0009765625),
    "bf16": (16, 3.3895313892515355e38, 1.1754943508222875e-38, 0.0078125),
    "fp8": (8, 448.0, 0.015625, 0.125),
}


@pytest.mark.parametrize("name", FINFO)
def test_range_and_precision_are_those_of_torch(name):
    ours = FLOAT_BITS[name]
    assert (ours.bits, float(ours.largest), float(ours.smallest), float(ours.step)) == FINFO[name]


def test_fp4_holds_eight_magnitudes_up_to_6():
    fp4 = FLOAT_BITS["fp4"]
    magnitudes = {0.0, float(fp4.smallest) / 2}
    magnitudes |= {2.0**power * (1 + half / 2) for power in range(3) for half in range(2)}
    assert sorted(magnitudes) == [0, 0.5, 1, 1.5, 2, 3, 4, 6] and float(fp4.largest) == max(magnitudes)
