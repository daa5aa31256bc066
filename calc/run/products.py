"""Matrix products, and what they cost: counted from the shapes of what is multiplied, as it is multiplied."""

from __future__ import annotations

from collections import Counter

import numpy as np

from calc.run.formulas import Array
from calc.run.llama import Linear

ATTENTION = ("scores", "mixing")
"""Products of two vectors of the sequence; all others multiply a matrix of the model."""


class Products:
    """Multiplies, and keeps the books: FLOPs by the role of the product, two for a multiplication and its addition.

    >>> books = Products()
    >>> books.multiply("query", np.ones((3, 64), "float32"), np.ones((64, 32), "float32")).shape
    (3, 32)
    >>> books.flops["query"] == 3 * 2 * 64 * 32
    True
    """

    def __init__(self) -> None:
        self.flops: Counter[str] = Counter()

    def multiply(self, role: str, a: Array, b: Array) -> Array:
        """a · b, […, m, k] · […, k, n] → […, m, n]: each number of the result is a sum of k products, 2·k FLOPs."""
        product = np.matmul(a, b)
        self.flops[role] += 2 * a.shape[-1] * product.size
        return product

    def through(self, linear: Linear, x: Array) -> Array:
        """x · Wᵀ + b, [T, in] → [T, out]."""
        y = self.multiply(linear.role, x, linear.weight.T)
        return y if linear.bias is None else y + linear.bias

    @property
    def total(self) -> int:
        """All FLOPs so far."""
        return self.flops.total()

    @property
    def attention(self) -> int:
        """FLOPs of scores and of mixing values; the rest are the model's matrices."""
        return sum(self.flops[role] for role in ATTENTION)
