"""Weights are rounded as llama.cpp rounds them."""

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType

from calc.run.checkpoint import stories
from calc.run.rounding import BITS, relative_error, rounded, rounded_model
from calc.run.training import loss

NORMAL = np.random.default_rng(0).normal(size=(50, 96)).astype("float32")
KIND = {8: GGMLQuantizationType.Q8_0, 5: GGMLQuantizationType.Q5_0, 4: GGMLQuantizationType.Q4_0}


@pytest.mark.parametrize("bits", KIND)
@pytest.mark.parametrize("scale", [1e-2, 1, 300])
def test_as_llama_cpp_does(bits, scale):
    weights = NORMAL * np.float32(scale)
    weights[3, :32] = 0
    weights[4, 0], weights[5, 1] = 5 * scale, -5 * scale
    expected = gguf.quants.dequantize(gguf.quants.quantize(weights, KIND[bits]), KIND[bits])
    np.testing.assert_array_equal(rounded(weights, bits), expected)


@pytest.mark.parametrize("bits", BITS)
def test_a_block_has_at_most_2_to_the_bits_values(bits):
    block = rounded(NORMAL[:, :32], bits)
    most = max(len(np.unique(row)) for row in block)
    assert 2 ** (bits - 1) < most <= 2**bits or bits == 8 and most <= 32
    assert len(np.unique(rounded(np.linspace(-1, 1, 32, dtype="float32")[None], bits))) == min(2**bits, 32)


def test_a_short_block_at_the_end_is_rounded_on_its_own():
    weights = NORMAL[:, :44]
    np.testing.assert_array_equal(rounded(weights, 4)[:, :32], rounded(weights[:, :32], 4))
    np.testing.assert_array_equal(rounded(weights, 4)[:, 32:], rounded(weights[:, 32:], 4))


def test_fewer_bits_cost_more_loss():
    ids = [1, 403, 407, 261, 378, 432, 383, 286, 261, 376, 298, 315, 421, 395, 317, 426, 338, 401, 396, 267]
    exact = loss(stories(), ids)
    losses = [loss(rounded_model(stories(), bits), ids) for bits in BITS]
    assert losses == sorted(losses) and abs(losses[0] - exact) < 0.01 and losses[-1] > 10 * exact


def test_each_bit_less_doubles_the_error():
    """A step is twice as wide; of 8 bits to 4 that is 16 times. The error of even steps over a block is about a step ÷ √12."""
    errors = [relative_error(NORMAL, rounded(NORMAL, bits)) for bits in BITS]
    for (more, fewer), wider in zip(zip(errors, errors[1:], strict=False), (127 / 8, 2, 2), strict=True):
        assert fewer / more == pytest.approx(wider, rel=0.1)


def test_norms_stay():
    model = rounded_model(stories(), 2)
    same = [name for name, tensor in model.tensors.items() if np.array_equal(tensor, stories().tensors[name])]
    assert sorted(same) == sorted(name for name in model.tensors if "norm" in name)
