"""The formulas of a Llama that are no matrix products: RMSNorm, SiLU, softmax, rotary positions. All in float32.

Symbols: x a vector, or many with the numbers along the last axis; d its length.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray
"""Of float32, unless a docstring says otherwise."""


def rms_norm(x: Array, scale: Array, epsilon: float) -> Array:
    """x ÷ √(mean(x²) + ε) · scale. Source: Zhang and Sennrich 2019, arXiv:1910.07467.

    >>> rms_norm(np.array([3, 4], "float32"), np.array([1, 2], "float32"), 0.0).round(4).tolist()
    [0.8485000133514404, 2.262700080871582]
    """
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + np.float32(epsilon)) * scale


def sigmoid(x: Array) -> Array:
    """1 ÷ (1 + e^−x), written with tanh, which never overflows."""
    return np.float32(0.5) * (1 + np.tanh(x / 2))


def silu(x: Array) -> Array:
    """x · sigmoid(x). Source: Elfwing et al. 2017, arXiv:1702.03118.

    >>> silu(np.array([-100, 0, 2], "float32")).round(4).tolist()
    [-0.0, 0.0, 1.7616000175476074]
    """
    return x * sigmoid(x)


def softmax(scores: Array) -> Array:
    """e^s ÷ Σ e^s along the last axis; the largest score is taken off first, which changes nothing but overflow.

    >>> softmax(np.array([[0.43, 0.18], [0.15, 0.52]], "float32")).round(3).tolist()
    [[0.5619999766349792, 0.43799999356269836], [0.40900000929832458, 0.5910000205039978]]
    """
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def rotary_angles(first: int, tokens: int, head_dim: int, theta: float) -> tuple[Array, Array]:
    """Cosine and sine of position · θ^(−2i ÷ head_dim) for `tokens` positions from `first` on, [tokens, head_dim ÷ 2] each.

    Source: Su et al. 2021, arXiv:2104.09864.
    """
    frequencies = 1 / np.float32(theta) ** (np.arange(0, head_dim, 2, dtype=np.float32) / np.float32(head_dim))
    angles = np.arange(first, first + tokens, dtype=np.float32)[:, None] * frequencies
    return np.cos(angles), np.sin(angles)


def rotated(x: Array, cosine: Array, sine: Array) -> Array:
    """Each pair (i, i + head_dim ÷ 2) of a head turned by its angle: the first half against the second, as `transformers` has it.

    x   [heads, tokens, head_dim]

    >>> quarter = (np.zeros((1, 1), "float32"), np.ones((1, 1), "float32"))
    >>> rotated(np.array([[[3, 4]]], "float32"), *quarter).tolist()
    [[[-4.0, 3.0]]]
    """
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cosine - second * sine, second * cosine + first * sine], axis=-1)
