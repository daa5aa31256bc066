"""The KV cache of a model: all that is kept of its sequences, in one answer."""

from __future__ import annotations

from dataclasses import dataclass

from calc.mixing import checked_context
from calc.mixing.kv_cache import CacheOfKind, bits_of, cache_by_kind, checked_batch, kv_bytes, kv_bytes_per_token, state_bytes
from calc.model import Model


@dataclass(frozen=True, slots=True)
class KvCache:
    """What a model keeps of `batch` sequences of `context` tokens.

    bytes             of keys and values, each sliding layer keeping its window alone
    bytes_per_token   that one more token of one sequence adds while no window is full
    state_bytes       of the states of recurrent layers, which do not grow
    kinds             the same by kind of layer, with formulas; their bytes sum to bytes + state_bytes
    """

    context: int
    batch: int
    dtype: str
    bytes: int
    bytes_per_token: int
    state_bytes: int
    kinds: tuple[CacheOfKind, ...]


def kv_cache(model: Model, context: int, batch: int = 1, dtype: str = "fp16") -> KvCache:
    """The KV cache of a model at a context in tokens.

    dtype   of keys and values, one of `calc.mixing.kv_cache.DTYPES`

    Raises ConfigError: mixing_not_described, not_an_integer, not_positive, too_big, context_over_limit, not_among.

    >>> cache = kv_cache(Model.of("llama-3-8b"), 8192)
    >>> cache.bytes, cache.bytes_per_token
    (1073741824, 131072)
    """
    mixing, bits = model.mixing, bits_of(dtype)
    context, batch = checked_context(mixing, context), checked_batch(batch)
    return KvCache(
        context,
        batch,
        dtype.lower(),
        kv_bytes(mixing, context, batch, bits),
        kv_bytes_per_token(mixing, bits),
        state_bytes(mixing, batch),
        cache_by_kind(mixing, context, batch, bits),
    )
