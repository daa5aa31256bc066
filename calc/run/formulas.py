"""The formulas of a Llama that are no matrix products: RMSNorm, SiLU, softmax, rotary positions. All in float32.

Symbols: x a vector, or many with the numbers along the last axis; d its length.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray
"""Of float32, unless a docstring says otherwise."""


def rms_norm(x: Array, scale: Array, epsilon: float) -> Array:
    """x ÷ √(mean(x²) + ε) · scale. Source: Zhang and Sennrich 2019, arXiv:1910.07467.

    >>> [f"{number:.4f}" for number in rms_norm(np.array([3, 4], "float32"), np.array([1, 2], "float32"), 0.0)]
    ['0.8485', '2.2627']
    """
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + np.float32(epsilon)) * scale


def sigmoid(x: Array) -> Array:
    """1 ÷ (1 + e^−x), written with tanh, which never overflows."""
    return np.float32(0.5) * (1 + np.tanh(x / 2))


def silu(x: Array) -> Array:
    """x · sigmoid(x). Source: Elfwing et al. 2017, arXiv:1702.03118.

    >>> [f"{number:.4f}" for number in silu(np.array([-1, 0, 2], "float32"))]
    ['-0.2689', '0.0000', '1.7616']
    """
    return x * sigmoid(x)


def softmax(scores: Array) -> Array:
    """e^s ÷ Σ e^s along the last axis; the largest score is taken off first, which changes nothing but overflow.

    >>> [[f"{weight:.3f}" for weight in row] for row in softmax(np.array([[0.43, 0.18], [0.15, 0.52]], "float32"))]
    [['0.562', '0.438'], ['0.409', '0.591']]
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
