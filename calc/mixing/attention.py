"""Attention, read off the tensors of a layer: who queries, how many heads share a key, what is kept of a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from calc.families.reach import Reach
from calc.lengths import ONE, Length
from calc.mixing.kinds import Attention, AttentionKind
from calc.tensors import Band, Tensor


def attention_of_layer(tensors: Sequence[Tensor], reach: Reach) -> list[Attention]:
    """Every way in which the tokens of a layer attend, without the layer's id.

    tensors   the layer's
    reach     which positions it attends to
    """
    own = [tensor for tensor in tensors if tensor.part == "attention" and not tensor.role.startswith("cross_")]
    bands = _bands(own, outputs=True)
    if any(tensor.role == "fixed_decay" for tensor in own):  # lightning attention, a recurrence
        return _cross_attention(tensors)
    found = []
    if _holds(own, "key_value_down"):
        found.append(_latent(own, bands, reach))
    elif _holds(own, "single_key_value"):
        found += _compressed(own, bands, reach)
    elif "query" in bands or "query_and_gate" in bands or "query_key_value" in bands:
        found.append(_grouped(own, bands, reach))
    return [*found, *_index(own, bands), *_cross_attention(tensors)]


def _grouped(tensors: Sequence[Tensor], bands: Mapping[str, Band], reach: Reach) -> Attention:
    """Multi-head, grouped-query and multi-query attention: 2·n_kv·head_dim numbers a position."""
    out = _bands(tensors, outputs=False)
    fused, key = bands.get("query_key_value"), bands.get("key")
    if "query_and_gate" in bands:
        query = replace(bands["query_and_gate"], width=bands["query_and_gate"].width // 2)
    elif fused:
        query = out["query"]
        shared = fused.heads if fused.kv_heads else query.heads
        key = Band("key", shared, query.width)
    else:
        query = bands["query"]
    own_keys = key is not None
    key = key or Band("key", query.kv_heads or query.heads, query.width)
    value = bands.get("value") or key
    chosen = next((tensor.experts_chosen for tensor in tensors if tensor.role == "expert_query"), None)
    heads, kv_heads = Length.of("n_h", query.heads * (chosen or 1)), Length.of("n_kv", key.heads)
    if kv_heads.value == heads.value:
        kv_heads = heads
    key_width, value_width = _widths(key.width, value.width)
    cached = 2 * (kv_heads * key_width) if key.width == value.width else kv_heads * (key_width + value_width)
    if _holds(tensors, "difference_weight"):  # both attentions of a pair weigh the values of both heads
        value_width = 2 * value_width
    kind: AttentionKind = "chunked" if reach.chunk else "sliding" if reach.window else "full"
    return Attention(
        (),
        kind,
        heads,
        kv_heads,
        key_width,
        value_width,
        cached,
        window=reach.window,
        chunk=reach.chunk,
        picks=reach.picks,
        repeats=reach.repeats,
        keeps_own_cache=own_keys,
    )


def _widths(key: int, value: int) -> tuple[Length, Length]:
    """Lengths of a key head and of a value head: head_dim both, or head_dim and d_v."""
    width = Length.of("head_dim", key)
    return width, width if key == value else Length.of("d_v", value)


def _latent(tensors: Sequence[Tensor], bands: Mapping[str, Band], reach: Reach) -> Attention:
    """MLA: every head has its own keys and values, but what is kept is the latent they come from, r_kv + d_rope.

    A key head is d_nope long, made of the latent, and d_rope, rotated and shared by all heads.
    """
    value, down = _bands(tensors, outputs=False)["value"], _tensor(tensors, "key_value_down")
    heads, latent = Length.of("n_h", value.heads), _tensor(tensors, "key_value_up").input
    nope = Length.of("d_nope", bands["key_value"].width - value.width)
    rope = Length.of("d_rope", down.output.value - latent.value)
    return Attention(
        (),
        "latent",
        heads,
        heads,
        nope + rope,
        Length.of("d_v", value.width),
        down.output,
        window=reach.window,
        picks=reach.picks,
        repeats=down.repeats,
        latent=latent,
    )


def _compressed(tensors: Sequence[Tensor], bands: Mapping[str, Band], reach: Reach) -> list[Attention]:
    """DeepSeek-V4: a window over single heads that are key and value at once, and compressed entries of the past beyond."""
    heads, width = Length.of("n_h", bands["query"].heads), Length.of("head_dim", bands["key_value"].width)
    near = Attention((), "sliding", heads, ONE, width, width, width, window=reach.window)
    rate = next((tensor.input.value for tensor in tensors if _is_compressor(tensor)), None)
    if rate is None:
        return [near]
    indexed = "index_query" in bands
    return [near, replace(near, kind="compressed", window=None, every=rate, picks=reach.picks if indexed else None)]


def _is_compressor(tensor: Tensor) -> bool:
    return tensor.role == "compressor_position"


def _index(tensors: Sequence[Tensor], bands: Mapping[str, Band]) -> list[Attention]:
    """An indexer: a score for every position, one index key kept of each (or of each compressed entry), no values."""
    query = bands.get("index_query")
    if query is None:
        return []
    width = Length.of("d_i", query.width)
    rate = next((tensor.input.value for tensor in tensors if _is_compressor(tensor) and "indexer" in tensor.name), 1)
    return [Attention((), "index", Length.of("n_i", query.heads), ONE, width, Length.of("0", 0), width, every=rate)]


def _cross_attention(tensors: Iterable[Tensor]) -> list[Attention]:
    """Attention to an encoder's vectors: its keys and values are kept for each of these, not for the sequence."""
    cross = [tensor for tensor in tensors if tensor.role.startswith("cross_") and tensor.part == "attention"]
    bands = _bands(cross, outputs=True)
    if not cross or "query" not in bands:
        return []
    key = bands["key"]
    heads, kv_heads, width = (
        Length.of("n_h", bands["query"].heads),
        Length.of("n_kv", key.heads),
        Length.of("head_dim", key.width),
    )
    kv_heads = heads if kv_heads.value == heads.value else kv_heads
    return [Attention((), "cross", heads, kv_heads, width, width, 2 * (kv_heads * width))]


def _bands(tensors: Iterable[Tensor], *, outputs: bool) -> dict[str, Band]:
    """The heads of each role that matrices make, or take in; the first of a role."""
    found: dict[str, Band] = {}
    for tensor in tensors:
        if tensor.kind == "matrix":
            for band in tensor.output_bands if outputs else tensor.input_bands:
                found.setdefault(band.role, band)
    return found


def _holds(tensors: Iterable[Tensor], role: str) -> bool:
    return any(tensor.role == role for tensor in tensors)


def _tensor(tensors: Iterable[Tensor], role: str) -> Tensor:
    return next(tensor for tensor in tensors if tensor.role == role)
