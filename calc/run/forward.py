"""The forward pass: ids in, a score for every token of the vocabulary out.

Symbols: T tokens of this pass, S with those in the cache, d hidden_size, n_h query heads, n_kv key heads, V vocabulary.

Source: Touvron et al. 2023, arXiv:2302.13971; grouped-query attention: Ainslie et al. 2023, arXiv:2305.13245.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calc.errors import ConfigError
from calc.mixing import within_limit
from calc.run.formulas import Array, rms_norm, rotary_angles, rotated, silu, softmax
from calc.run.interventions import NONE, Interventions
from calc.run.kv_cache import KVCache
from calc.run.llama import Layer, Llama, Norm, Sizes
from calc.run.products import Products
from calc.run.trace import LayerTrace, Trace


def forward(
    model: Llama,
    ids: Sequence[int],
    cache: KVCache | None = None,
    products: Products | None = None,
    interventions: Interventions = NONE,
) -> Trace:
    """One pass over `ids`: all of a prompt (prefill), or the one token that came last (decode).

    cache      of the tokens before; those of this pass are added to it. None: there are none before
    products   whose books the FLOPs go into

    Raises ConfigError: no_tokens, no_such_token, context_over_limit.

    >>> from calc.run.checkpoint import stories
    >>> books = Products()
    >>> trace = forward(stories(), [1, 403, 407], products=books)
    >>> trace.logits.shape, books.total == 3 * 518_656 + 1_280 * (1 + 2 + 3)
    ((3, 512), True)
    """
    cache, products, sizes = cache or KVCache(), products or Products(), model.sizes
    first, ids = cache.tokens, _checked(ids, sizes, cache.tokens)
    angles = rotary_angles(first, len(ids), sizes.head_dim, sizes.rope_theta)

    x = model.embedding[list(ids)]  # [T, d]: rows looked up, nothing multiplied
    stream, layers = [x], []
    for index, layer in enumerate(model.layers):
        if index in interventions.layers_off:
            layers.append(None)
        else:
            layers.append(_through_layer(layer, index, x, angles, sizes, cache, products, interventions))
            x = layers[-1].after
        stream.append(x)
    final = _normed(x, model.final_norm, sizes)  # [T, d]
    logits = products.through(model.head, final)  # [T, V]
    return Trace(ids, first, tuple(layers), np.stack(stream), final, logits, interventions)


def _through_layer(
    layer: Layer,
    index: int,
    x: Array,
    angles: tuple[Array, Array],
    sizes: Sizes,
    cache: KVCache,
    products: Products,
    interventions: Interventions,
) -> LayerTrace:
    """Attention, ⊕, FFN, ⊕."""
    h = _normed(x, layer.norm_before_attention, sizes)  # [T, d]
    query_made = _by_head(products.through(layer.query, h), sizes)  # [n_h, T, head_dim]
    key_made = _by_head(products.through(layer.key, h), sizes)  # [n_kv, T, head_dim]
    new_values = _by_head(products.through(layer.value, h), sizes)  # [n_kv, T, head_dim]
    query = rotated(_normed(query_made, layer.query_norm, sizes), *angles)
    new_keys = rotated(_normed(key_made, layer.key_norm, sizes), *angles)
    key, value = cache.extended(index, new_keys, new_values)  # [n_kv, S, head_dim]
    off = [head for of_layer, head in interventions.heads_off if of_layer == index]
    rows, mixed = _attention(query, key, value, products, interventions, off)  # [T, n_h·head_dim]
    attention_output = products.through(layer.attention_output, mixed)  # [T, d]
    between = x + attention_output

    ffn_input = _normed(between, layer.norm_before_ffn, sizes)  # [T, d]
    gate = products.through(layer.gate, ffn_input)  # [T, d_ff]
    up = products.through(layer.up, ffn_input)  # [T, d_ff]
    gated = silu(gate) * up
    ffn_output = products.through(layer.down, gated)  # [T, d]
    after = between + ffn_output
    return LayerTrace(
        before=x,
        attention_input=h,
        query_made=query_made,
        key_made=key_made,
        query=query,
        key=key,
        value=value,
        weight_rows=rows,
        mixed=mixed,
        attention_output=attention_output,
        between=between,
        ffn_input=ffn_input,
        gate=gate,
        up=up,
        gated=gated,
        ffn_output=ffn_output,
        after=after,
    )


def _attention(
    query: Array, key: Array, value: Array, products: Products, interventions: Interventions, heads_off: Sequence[int]
) -> tuple[tuple[Array, ...], Array]:
    """Each token's weights over the tokens it sees, and the values they mix.

    A token is multiplied with those up to itself and no others: what a mask would hide is not computed.
    """
    heads, tokens, head_dim = query.shape
    kv_heads, everything, _ = key.shape
    shared = query.reshape(kv_heads, heads // kv_heads, tokens, head_dim)  # query heads beside those that share their keys
    divisor = np.sqrt(np.float32(head_dim)) if interventions.scaling else np.float32(1)
    rows, mixed = [], np.empty((tokens, heads, head_dim), np.float32)
    for token in range(tokens):
        seen = everything - tokens + token + 1 if interventions.mask else everything
        scores = products.multiply("scores", shared[:, :, token], key[:, :seen].swapaxes(1, 2))  # [n_kv, n_h ÷ n_kv, seen]
        weights = softmax(scores / divisor)
        mixed[token] = products.multiply("mixing", weights, value[:, :seen]).reshape(heads, head_dim)
        rows.append(weights.reshape(heads, seen))
    mixed[:, list(heads_off)] = 0
    return tuple(rows), mixed.reshape(tokens, heads * head_dim)


def _by_head(x: Array, sizes: Sizes) -> Array:
    """[T, heads·head_dim] → [heads, T, head_dim]: stripes of one matrix, seen as heads."""
    return x.reshape(len(x), -1, sizes.head_dim).swapaxes(0, 1)


def _normed(x: Array, norm: Norm | None, sizes: Sizes) -> Array:
    return x if norm is None else rms_norm(x, norm.scale, sizes.rms_norm_eps)


def _checked(ids: Sequence[int], sizes: Sizes, first: int) -> tuple[int, ...]:
    if not ids:
        raise ConfigError("no_tokens")
    for token in ids:
        if not 0 <= token < sizes.vocab_size:
            raise ConfigError("no_such_token", token=token, size=f"{sizes.vocab_size:,}")
    within_limit(first + len(ids), sizes.max_context)
    return tuple(ids)
