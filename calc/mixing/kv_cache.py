"""The KV cache: what a model keeps of a sequence so that the next token need not read it again.

Symbols: T context in tokens, B sequences (batch), b bits a number, L_kind layers of a kind.

    a layer of full attention    2 · n_kv · head_dim · T numbers; the query heads and the FFN's width play no part
    a latent one (MLA)           (r_kv + d_rope) · T
    a sliding one                2 · n_kv · head_dim · min(T, window)
    a recurrent one              a state of fixed size, whatever T is

Sources: Shazeer 2019, arXiv:1911.02150; DeepSeek-AI 2024, arXiv:2405.04434; Beltagy et al. 2020, arXiv:2004.05150.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from calc.config.fields import checked_count
from calc.errors import ConfigError, quoted
from calc.lengths import Length
from calc.mixing import Attention, Mixing
from calc.mixing.kinds import AttentionKind, RecurrenceKind

Bits = int | Fraction

DTYPES: dict[str, Bits] = {
    "fp32": 32,
    "fp16": 16,
    "bf16": 16,
    "fp8": 8,
    "int8": 8,
    "int4": 4,
    "q8_0": Fraction(17, 2),
    "q5_1": 6,
    "q5_0": Fraction(11, 2),
    "q4_1": 5,
    "q4_0": Fraction(9, 2),
}
"""Bits a number of keys and values may be kept in. fp8 to int4 are the numbers alone, without scales; the q types are
llama.cpp's `--cache-type`, blocks of 32 with a 16-bit scale and, in q5_1 and q4_1, a 16-bit minimum."""

PAGE = 16
"""Tokens of one page of an engine that sets the cache aside in pages: vLLM's default `block_size`."""

FLOAT32 = 32
"""Bits of the states that are kept in 32 bits whatever the model's dtype."""

LOADED = 16
"""Bits of a number of the model as it is loaded."""

LARGEST_BATCH = 1_000_000
"""The largest batch that is not taken for a slip."""


@dataclass(frozen=True, slots=True)
class CacheOfKind:
    """What the layers of one kind keep of `context` tokens in `batch` sequences.

    kind        how their tokens meet
    layers      ids
    window      positions a sliding or chunked layer keeps at most, None for all
    numbers     kept per position and layer; of a state, per sequence and layer
    entries     positions (or compressed entries) kept of each sequence; None for a state, which has none
    bytes_per_token   added by one more token while no window is full
    bytes       of all its layers and sequences
    formula     in symbols, `worked` in numbers
    """

    kind: AttentionKind | RecurrenceKind
    layers: tuple[int, ...]
    window: int | None
    numbers: Length
    entries: int | None
    bytes_per_token: int
    bytes: int
    formula: str
    worked: str


def kv_bytes_per_token(mixing: Mixing, bits: Bits = 16) -> int:
    """Bytes one more token adds in one sequence while no window is full: Σ layers · numbers · b ÷ 8.

    Layers that read another layer's cache add nothing. Where several positions become one entry (DeepSeek-V4) it is the
    average of a token, rounded up, as is each kind of layer: the lines of `cache_by_kind` sum to it.

    >>> from calc.model import Model
    >>> [kv_bytes_per_token(Model.of(name).mixing) for name in ("llama-2-7b", "llama-3-8b", "deepseek-v3")]
    [524288, 131072, 70272]
    """
    return sum(_whole_bytes(_numbers_per_token(attention), bits) for attention in mixing.attention)


def kv_bytes(mixing: Mixing, context: int, batch: int = 1, bits: Bits = 16) -> int:
    """Bytes of keys and values of `batch` sequences of `context` tokens, each sliding layer keeping its window alone.

    Σ layers · numbers · min(T, window) · B · b ÷ 8. The state of recurrent layers is not in it: see `state_bytes`.
    Llama-3-8B at 8192 tokens in 16 bits:

    >>> from calc.model import Model
    >>> kv_bytes(Model.of("llama-3-8b").mixing, 8192)
    1073741824
    """
    return sum(_whole_bytes(batch * _numbers(attention, context), bits) for attention in mixing.attention)


def kv_numbers(mixing: Mixing, context: int) -> int:
    """Numbers of keys and values that one sequence of `context` tokens keeps, in all layers."""
    return sum(_numbers(attention, context) for attention in mixing.attention)


def reserved_bytes(mixing: Mixing, context: int, batch: int = 1, bits: Bits = 16, page: int = PAGE) -> int:
    """Bytes an engine sets aside that gives every layer whole pages for the whole context: windows save nothing.

    Σ layers · numbers · ⌈T ÷ page⌉ · page · B · b ÷ 8. The assumption: pages of `page` tokens, 16 as in vLLM, one page
    table for all layers. Engines that give sliding layers pages of their own come closer to `kv_bytes`.

    >>> from calc.model import Model
    >>> gemma = Model.of("gemma-3-27b").mixing
    >>> kv_bytes(gemma, 131072), reserved_bytes(gemma, 131072)
    (11173625856, 66571993088)
    """
    numbers = sum(
        attention.copies * attention.cached.value * -(-_unwindowed(attention, context) // page) * page
        for attention in mixing.attention
    )
    return _whole_bytes(batch * numbers, bits)


def state_bytes(mixing: Mixing, batch: int = 1, bits: Bits = LOADED, float32_bits: int = FLOAT32) -> int:
    """Bytes of the states of recurrent layers, which do not grow with the context: Σ layers · numbers · B · b ÷ 8.

    bits           of convolutions and of what else the model keeps in its own dtype, 16 as it is loaded
    float32_bits   of the states proper, which transformers keeps in 32 bits for precision whatever the model's dtype;
                   give 16 for an engine that does not

    >>> from calc.model import Model
    >>> state_bytes(Model.of({"model_type": "mamba"}).mixing)
    3538944
    """
    total = Fraction()
    for recurrence in mixing.recurrences:
        for state in recurrence.state:
            each = float32_bits if state.in_float32 else bits
            total += Fraction(len(recurrence.layers) * state.numbers.value) * each
    return -(-batch * total // 8)


def cache_by_kind(mixing: Mixing, context: int, batch: int = 1, bits: Bits = 16) -> tuple[CacheOfKind, ...]:
    """What each kind of layer keeps, with the formula in symbols and in numbers; the bytes sum to kv_bytes + state_bytes.

    bits   of keys and values; what a recurrent layer keeps in the model's own dtype takes 16, as in `state_bytes`

    >>> from calc.model import Model
    >>> for kind in cache_by_kind(Model.of({"model_type": "gemma3_text", "sliding_window": 512}).mixing, 4096):
    ...     print(kind.kind, kind.bytes, kind.formula, "=", kind.worked)
    sliding 46137344 L_sliding·2·n_kv·head_dim·min(T, window)·B·b ÷ 8 = 22·2·4·256·min(4096, 512)·1·16 ÷ 8
    full 67108864 L_full·2·n_kv·head_dim·T·B·b ÷ 8 = 4·2·4·256·4096·1·16 ÷ 8
    """
    kinds = [_of_attention(attention, context, batch, bits) for attention in mixing.attention if _keeps(attention)]
    for recurrence in mixing.recurrences:
        for state in recurrence.state:
            each = FLOAT32 if state.in_float32 else LOADED
            number = len(recurrence.layers)
            kinds.append(
                CacheOfKind(
                    recurrence.kind,
                    recurrence.layers,
                    None,
                    state.numbers,
                    None,
                    0,
                    _whole_bytes(batch * number * state.numbers.value, each),
                    f"L_{recurrence.kind}·{state.numbers.factor_symbol}·B·b ÷ 8",
                    f"{number}·{state.numbers.factor_numbers}·{batch}·{_written(each)} ÷ 8",
                )
            )
    return tuple(kinds)


def checked_batch(batch: object) -> int:
    """A number of sequences. Raises ConfigError: not_an_integer, not_positive, too_big."""
    return checked_count("batch", batch, LARGEST_BATCH)


def bits_of(dtype: str) -> Bits:
    """Bits of a number in this dtype. Raises ConfigError: not_among.

    >>> bits_of("bf16"), bits_of("q8_0")
    (16, Fraction(17, 2))
    """
    if dtype.lower() not in DTYPES:
        raise ConfigError("not_among", "dtype", value=quoted(dtype), among=", ".join(DTYPES))
    return DTYPES[dtype.lower()]


def _of_attention(attention: Attention, context: int, batch: int, bits: Bits) -> CacheOfKind:
    window, kind = attention.window or attention.chunk, attention.kind
    copies, entries = attention.copies, attention.kept(context)
    number = f"L_{kind}" if attention.repeats == 1 else f"L_{kind}·{attention.repeats}"
    if window is not None:
        limit = "window" if attention.window else "chunk"
        kept, written = f"min(T, {limit})", f"min({context}, {window})"
    elif attention.every > 1:
        kept, written = "⌊T ÷ rate⌋", f"⌊{context} ÷ {attention.every}⌋"
    else:
        kept, written = "T", str(context)
    return CacheOfKind(
        kind,
        attention.layers,
        window,
        attention.cached,
        entries,
        _whole_bytes(_numbers_per_token(attention), bits),
        _whole_bytes(batch * copies * attention.cached.value * entries, bits),
        f"{number}·{attention.cached.factor_symbol}·{kept}·B·b ÷ 8",
        f"{copies}·{attention.cached.factor_numbers}·{written}·{batch}·{_written(bits)} ÷ 8",
    )


def _keeps(attention: Attention) -> bool:
    return attention.keeps_own_cache and attention.kind != "cross"


def _numbers(attention: Attention, context: int) -> int:
    return attention.copies * attention.cached.value * attention.kept(context)


def _numbers_per_token(attention: Attention) -> Fraction:
    return Fraction(attention.copies * attention.cached.value, attention.every) if _keeps(attention) else Fraction()


def _unwindowed(attention: Attention, context: int) -> int:
    """Entries of the whole context, whatever the window."""
    return -(-context // attention.every) if _keeps(attention) else 0


def _whole_bytes(numbers: int | Fraction, bits: Bits) -> int:
    """Whole bytes that so many numbers take, rounded up."""
    return -(-Fraction(numbers) * bits // 8)


def _written(bits: Bits) -> str:
    return f"{float(bits):g}"
