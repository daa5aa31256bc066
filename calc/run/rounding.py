"""Weights rounded to a few bits, as llama.cpp rounds them: in blocks of 32 along a row that share a scale.

    8 bits     scale = max |w| ÷ 127, as Q8_0 does
    fewer      scale = w_max ÷ −2^(b−1), w_max the weight of largest magnitude with its sign, as Q4_0 and Q5_0 do: that one becomes
               the outermost of the 2^b steps, which lie one further on its side than on the other

Either way w becomes round(w ÷ scale) · scale, and the scale is kept in float16: b + 16 ÷ 32 bits a weight. Of 3 and 2 bits llama.cpp
has no such type; the rule is that of Q4_0. Source: llama.cpp, ggml/src/ggml-quants.c.
"""

from __future__ import annotations

import numpy as np

from calc.run.formulas import Array
from calc.run.llama import Llama

BLOCK = 32
BITS = (8, 4, 3, 2)


def rounded(weights: Array, bits: int) -> Array:
    """A matrix [out, in] as it comes back out of so many bits. A row's last block may be shorter.

    >>> rounded(np.array([[-8, 3.4, 0.4, 7.9]], "float32"), 4).tolist()
    [[-8.0, 3.0, 0.0, 7.0]]
    >>> rounded(np.array([[-8, 3.4, 0.4, 7.9]], "float32"), 2).tolist()
    [[-8.0, 4.0, 0.0, 4.0]]
    """
    blocks = [_rounded_block(weights[:, at : at + BLOCK], bits) for at in range(0, weights.shape[1], BLOCK)]
    return np.concatenate(blocks, axis=1)


def rounded_model(model: Llama, bits: int) -> Llama:
    """A model whose matrices are rounded, the embedding among them; norms and biases stay, as in llama.cpp's files."""
    return model.with_tensors({name: rounded(tensor, bits) for name, tensor in model.tensors.items() if tensor.ndim == 2})


def relative_error(weights: Array, after: Array) -> float:
    """√(Σ(w − w′)² ÷ Σw²): how far rounding moved a matrix, against its own length.

    >>> round(relative_error(np.array([[3, 4]], "float32"), np.array([[3, 3]], "float32")), 3)
    0.2
    """
    return float(np.linalg.norm(weights - after) / np.linalg.norm(weights))


def _rounded_block(block: Array, bits: int) -> Array:
    """Each row of a block [rows, ≤ 32] on its own."""
    outermost = np.take_along_axis(block, np.abs(block).argmax(axis=1, keepdims=True), axis=1)
    half = np.float32(0.5)
    if bits == 8:
        scale = np.abs(outermost) / 127
        ratio = _ratio(block, scale)
        steps = np.sign(ratio) * np.floor(np.abs(ratio) + half)  # halves away from 0
    else:
        most = 2 ** (bits - 1)
        scale = outermost / -most
        steps = np.minimum(np.floor(_ratio(block, scale) + half), most - 1)  # halves up
    return steps * scale.astype(np.float16).astype(np.float32)


def _ratio(block: Array, scale: Array) -> Array:
    """w ÷ scale, 0 in a row of zeros."""
    return block * np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)
