"""FLOPs of attention itself: what scores and the weighing of values cost, which no matrix of the parts list shows.

A token that attends to n positions multiplies, in each layer and for each of its n_h heads, its query with n keys (2·key_width
FLOPs each) and its n weights with n values (2·value_width each). All is whole numbers, windows and chunks included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from calc.mixing import Attention, Mixing

LatentForm = Literal["expanded", "absorbed"]
"""How latent attention (MLA) is computed. `expanded`: keys and values are made of the latent, head by head, as when a prompt
is read. `absorbed`: query and output take over the matrices that would make them, so that every head attends to the latent
itself, as when tokens are generated from a cache of latents. Source: DeepSeek-AI 2024, arXiv:2405.04434, section 2.1.2."""

WEIGHED_INDEX = ("deepseek_v32", "deepseek_v4", "glm_moe_dsa", "axk2")
"""Types whose indexer weighs the scores of its heads before it adds them up: one more product per head and position."""


@dataclass(frozen=True, slots=True)
class HeadWidths:
    """What one head multiplies per attended position: `key` numbers for its score, `value` numbers for its sum."""

    key: int
    value: int


def head_widths(entry: Attention, mixing: Mixing, latent: LatentForm = "expanded") -> HeadWidths:
    """Widths of the products of one head and one attended position.

    DeepSeek-V3's heads are 192 and 128 wide expanded; absorbed they read the latent: 512 + 64, and 512.

    >>> from calc.model import Model
    >>> deepseek = Model.of({"model_type": "deepseek_v3"}).mixing
    >>> [head_widths(deepseek.attention[0], deepseek, form) for form in ("expanded", "absorbed")]
    [HeadWidths(key=192, value=128), HeadWidths(key=576, value=512)]
    """
    if entry.kind == "latent" and latent == "absorbed":
        return HeadWidths(entry.cached.value, entry.cached.value - int(mixing.sizes["qk_rope_head_dim"]))
    if entry.kind == "index":
        return HeadWidths(entry.key_width.value, 1 if mixing.model_type in WEIGHED_INDEX else 0)
    return HeadWidths(entry.key_width.value, entry.value_width.value)


def flops_per_position(entry: Attention, mixing: Mixing, latent: LatentForm = "expanded") -> int:
    """FLOPs of one token and one position it attends to, in all layers of an entry: 2·n_h·(key_width + value_width) each.

    Cross-attention costs nothing here: a causal model that reads text alone does not run it.

    >>> from calc.model import Model
    >>> llama = Model.of({"model_type": "llama"}).mixing
    >>> flops_per_position(llama.attention[0], llama)
    524288
    """
    if entry.kind == "cross":
        return 0
    widths = head_widths(entry, mixing, latent)
    return entry.copies * 2 * entry.heads.value * (widths.key + widths.value)


def attended_in_all(entry: Attention, tokens: int) -> int:
    """Pairs of a token and a position it attends to, over the first `tokens` tokens: Σ entry.attended(t), t = 1 … T.

    Without limits T·(T + 1) ÷ 2; with a window w, w·(w + 1) ÷ 2 + (T − w)·w; in chunks, each chunk for itself.

    >>> from calc.model import Model
    >>> mistral = Model.of({"model_type": "mistral"}).mixing.attention[0]
    >>> attended_in_all(mistral, 4096), attended_in_all(mistral, 8192)
    (8390656, 25167872)
    >>> attended_in_all(mistral, 100) == sum(mistral.attended(length) for length in range(1, 101))
    True
    """
    if entry.kind == "cross" or tokens <= 0:
        return 0
    if entry.chunk is not None:
        chunks, rest = divmod(tokens, entry.chunk)
        return chunks * _triangle(entry.chunk) + _triangle(rest)
    every = entry.every
    limits = [limit for limit in (entry.picks, None if entry.window is None else entry.window // every) if limit is not None]
    most = min(limits, default=tokens)
    growing = min(tokens, most * every)  # up to here ⌊t ÷ every⌋ entries are attended to, then `most`
    whole, rest = divmod(growing + 1, every)
    below = every * _triangle(whole - 1) + whole * rest
    return below + (tokens - growing) * most


def attention_flops_per_token(mixing: Mixing, context: int, latent: LatentForm = "expanded") -> int:
    """FLOPs of attention for the token that has `context` positions to attend to, itself included, over all layers.

    Σ over layers of 2·n_h·(key_width + value_width) per attended position, 4·n_h·head_dim where both are equal.
    Llama-2-7B: 524,288 × context.

    >>> from calc.model import Model
    >>> attention_flops_per_token(Model.of({"model_type": "llama"}).mixing, 4096)
    2147483648
    """
    return sum(
        flops_per_position(entry, mixing, latent) * replace(entry, every=_every(entry, mixing)).attended(context)
        for entry in mixing.attention
    )


def causal_attention_flops(mixing: Mixing, tokens: int, first: int = 0, latent: LatentForm = "expanded") -> int:
    """FLOPs of attention for a whole sequence, each token attending to those up to itself.

    first   tokens before it that are not computed again, but attended to

    Llama-2-7B on 4096 tokens: 524,288 · 4096 · 4097 ÷ 2.

    >>> from calc.model import Model
    >>> llama = Model.of({"model_type": "llama"}).mixing
    >>> causal_attention_flops(llama, 4096)
    4399120252928
    >>> causal_attention_flops(llama, 96, first=4000) + causal_attention_flops(llama, 4000) == causal_attention_flops(llama, 4096)
    True
    """
    entries = [replace(entry, every=_every(entry, mixing)) for entry in mixing.attention]
    return sum(
        flops_per_position(entry, mixing, latent) * (attended_in_all(entry, first + tokens) - attended_in_all(entry, first))
        for entry in entries
    )


def causal_attention_flops_per_token(mixing: Mixing, tokens: int, latent: LatentForm = "expanded") -> Fraction:
    """The same divided by the tokens: without windows half of what the last token costs, (T + 1) ÷ 2 positions.

    >>> from calc.model import Model
    >>> causal_attention_flops_per_token(Model.of({"model_type": "llama"}).mixing, 4096)
    Fraction(1074003968, 1)
    """
    return Fraction(causal_attention_flops(mixing, tokens, latent=latent), tokens)


def square_attention_flops(mixing: Mixing, tokens: int, latent: LatentForm = "expanded") -> int:
    """FLOPs where every token is multiplied with every token and the mask applied afterwards: T² pairs, whatever the window.

    This is what eager attention does, what torch's FlopCounterMode counts, and twice what a causal kernel needs.

    >>> from calc.model import Model
    >>> square_attention_flops(Model.of({"model_type": "llama"}).mixing, 128)
    8589934592
    """
    return sum(
        flops_per_position(entry, mixing, latent) * tokens * (tokens // _every(entry, mixing)) for entry in mixing.attention
    )


def _every(entry: Attention, mixing: Mixing) -> int:
    """Positions that stand behind one score: an indexer of Qwen4-Exp scores blocks, though it keeps every position."""
    blocks = mixing.sizes.get("indexer_compress_ratio") if entry.kind == "index" else None
    return blocks if isinstance(blocks, int) else entry.every


def _triangle(number: int) -> int:
    """1 + 2 + … + n."""
    return number * (number + 1) // 2
