"""How the tokens of a sequence meet: what a layer's mixer attends to, and what it keeps of the tokens before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from calc.lengths import Length

AttentionKind = Literal["full", "sliding", "chunked", "latent", "compressed", "index", "cross"]
"""`full` attends to every position so far, `sliding` to the last `window`, `chunked` to those of its own chunk, `latent`
to every position through a compressed vector (MLA), `compressed` to entries that each stand for several positions.
`index` only scores positions, for an attention of the same layer that reads those it picks. `cross` attends to what an
encoder gives, not to the sequence."""

RecurrenceKind = Literal[
    "mamba", "mamba2", "gated_delta", "kimi_delta", "lightning", "mlstm", "rwkv", "rg_lru", "short_convolution", "compressor"
]


@dataclass(frozen=True, slots=True)
class Attention:
    """Layers whose tokens meet by attention, all in the same way.

    layers           their ids, ascending
    kind             which positions a token attends to
    heads            n_h, query heads
    kv_heads         n_kv, key-value heads; n_h ÷ n_kv query heads share one
    key_width        length of a query and of a key head: a score costs that many multiplications
    value_width      length of a value head; 0 for an index, which has no values
    cached           numbers kept per position and layer: 2·n_kv·head_dim; MLA: r_kv + d_rope
    window           positions a token attends to at most, itself included; None for all
    chunk            `chunked`: length of the chunks; a token attends to those of its own chunk up to itself
    picks            positions an indexer picks at most; all are kept all the same
    every            `compressed`: so many positions become one entry
    repeats          times a token passes such an attention in one layer, each with a cache of its own
    keeps_own_cache  False where the layers read the keys and values of another layer
    latent           `latent`: r_kv, length of the vector that keys and values are made of; d_rope of `cached` is beside it

    Source: Vaswani et al. 2017, arXiv:1706.03762; windows: Beltagy et al. 2020, arXiv:2004.05150.
    """

    layers: tuple[int, ...]
    kind: AttentionKind
    heads: Length
    kv_heads: Length
    key_width: Length
    value_width: Length
    cached: Length
    window: int | None = None
    chunk: int | None = None
    picks: int | None = None
    every: int = 1
    repeats: int = 1
    keeps_own_cache: bool = True
    latent: Length | None = None

    @property
    def copies(self) -> int:
        """How many such attentions a token passes, each with a cache of its own: layers · repeats."""
        return len(self.layers) * self.repeats

    def attended(self, length: int) -> int:
        """Entries that the last of `length` tokens attends to: min(length, window), or what is there of its chunk.

        >>> width = Length.of("head_dim", 128)
        >>> heads = Length.of("n_h", 8)
        >>> sliding = Attention((0,), "sliding", heads, heads, width, width, 2 * (heads * width), window=1024)
        >>> sliding.attended(100), sliding.attended(4096)
        (100, 1024)
        """
        if self.kind == "cross":
            return 0
        if self.chunk is not None:
            return (length - 1) % self.chunk + 1 if length else 0
        entries = self._within_window(length) // self.every
        return entries if self.picks is None else min(entries, self.picks)

    def kept(self, length: int) -> int:
        """Entries the cache of one layer holds after `length` tokens: min(length, window); nothing where it is not its own.

        A window of w is counted with its w positions; transformers drops the oldest as soon as it is of no use to the next
        token, and so holds w − 1. A chunk is counted up to its length.
        """
        if self.kind == "cross" or not self.keeps_own_cache:
            return 0
        if self.chunk is not None:
            return min(length, self.chunk)
        return self._within_window(length) // self.every

    def _within_window(self, length: int) -> int:
        return length if self.window is None else min(length, self.window)


@dataclass(frozen=True, slots=True)
class State:
    """Numbers kept of a sequence, however long it is.

    name         `convolution` (the last inputs of a convolution), `matrix`, `channels` … : what they are
    numbers      how many per sequence and layer
    in_float32   whether they are kept in 32 bits whatever the model's dtype, as transformers does
    """

    name: str
    numbers: Length
    in_float32: bool = False


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Layers whose tokens meet in a state of fixed size, all in the same way.

    layers       their ids, ascending
    kind         the recurrence
    state        what is kept of a sequence
    heads        heads, each with a state of key_width × value_width; Mamba: each channel is a head of value_width 1
    key_width    length of what writes to and reads from the state: N of a state space, d_k of linear attention
    value_width  length of what is written: head_dim of Mamba-2, d_v of linear attention
    convolved    channels that pass a causal convolution, None without one
    kernel       tokens the convolution sees, the present one included
    """

    layers: tuple[int, ...]
    kind: RecurrenceKind
    state: tuple[State, ...]
    heads: Length | None = None
    key_width: Length | None = None
    value_width: Length | None = None
    convolved: Length | None = None
    kernel: Length | None = None


@dataclass(frozen=True, slots=True)
class Mixing:
    """How the tokens of a model's sequence meet, layer by layer.

    A layer may stand in several entries: some hold attention and a recurrence side by side.

    model_type    the config's type
    attention     attention, in the order of the first layer
    recurrences   mixers with a state of fixed size
    sizes         the config fields that were asked for, by their generic names
    max_context   positions the config allows for (`max_position_embeddings` or the type's own name); None if the config
                  does not say or there is no limit
    """

    model_type: str
    attention: tuple[Attention, ...]
    recurrences: tuple[Recurrence, ...]
    sizes: Mapping[str, Any] = field(hash=False)
    max_context: int | None = None
