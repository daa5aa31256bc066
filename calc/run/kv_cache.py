"""The KV cache as it really is: two arrays a layer, exactly as long as the tokens so far."""

from __future__ import annotations

import numpy as np

from calc.run.formulas import Array


class KVCache:
    """Keys and values of the tokens so far, layer by layer, [n_kv, T, head_dim] each.

    >>> cache, k = KVCache(), np.zeros((4, 20, 8), "float32")
    >>> [cache.extended(layer, k, k)[0].shape for layer in range(5)][0], cache.tokens, cache.allocated_bytes
    ((4, 20, 8), 20, 25600)
    """

    def __init__(self) -> None:
        self.keys: dict[int, Array] = {}
        self.values: dict[int, Array] = {}

    def extended(self, layer: int, keys: Array, values: Array) -> tuple[Array, Array]:
        """A layer's keys and values with those of new tokens behind them; they stay so."""
        for cached, new in ((self.keys, keys), (self.values, values)):
            cached[layer] = np.concatenate([cached[layer], new], axis=1) if layer in cached else np.array(new)
        return self.keys[layer], self.values[layer]

    @property
    def tokens(self) -> int:
        """Tokens whose keys and values it has."""
        return next((keys.shape[1] for keys in self.keys.values()), 0)

    @property
    def allocated_bytes(self) -> int:
        """B of its arrays, as numpy has allocated them."""
        return sum(array.nbytes for array in (*self.keys.values(), *self.values.values()))
