"""The KV cache in figures: by kind of layer with formulas, per token, reserved by pages, and by context in 16, 8 and 4 bits."""

from __future__ import annotations

from calc.memory.fit import largest
from calc.mixing import Mixing
from calc.mixing.kv_cache import (
    PAGE,
    Bits,
    CacheOfKind,
    cache_by_kind,
    kv_bytes,
    kv_bytes_per_token,
    kv_numbers,
    reserved_bytes,
    state_bytes,
)
from calc.mixing.reading import LONGEST
from ui.figures.worked import Line
from ui.memory.bytes_written import gb_and_gib
from ui.numbers import gibibytes, gigabytes, grouped, grouped_within, percent
from ui.texts import TEXTS, text_in

BITS_SHOWN: tuple[int, ...] = (16, 8, 4)


def cache_headline(language: str, mixing: Mixing, context: int, batch: int, bits: Bits) -> str:
    """All of it, largest; what a token adds; what full pages reserve; states."""
    kept, states = kv_bytes(mixing, context, batch, bits), state_bytes(mixing, batch)
    per_token = kv_bytes_per_token(mixing, bits)
    reserved = reserved_bytes(mixing, context, batch, bits)
    shape = {"context": grouped(context), "batch": grouped(batch)}
    figures = [
        ("total", f"{grouped(kept)} B", text_in(language, "memory.cache_head", size=gb_and_gib(kept), **shape)),
        ("part", f"{grouped(per_token)} B", text_in(language, "memory.cache_per_token_head")),
        ("part", gigabytes(reserved), text_in(language, "memory.cache_reserved_head", page=PAGE, gib=gibibytes(reserved))),
    ]
    if states:
        figures.append(("part", gigabytes(states), text_in(language, "memory.cache_state_head", gib=gibibytes(states))))
    spans = "".join(
        f'<span class="figure"><span class="{css}" data-{name}="{number}">{value}</span><small>{said}</small></span>'
        for (css, value, said), (name, number) in zip(
            figures, (("total", kept), ("per-token", per_token), ("reserved", reserved), ("state", states)), strict=False
        )
    )
    return f'<div class="headline figures">{spans}</div>{per_token_formula(language, mixing, bits)}'


def per_token_formula(language: str, mixing: Mixing, bits: Bits) -> str:
    """What a token adds, in symbols and in numbers, all kinds of layers; empty where nothing grows with the context."""
    kinds = [kind for kind in cache_by_kind(mixing, 1, 1, bits) if kind.bytes_per_token]
    if not kinds:
        return ""
    one = len(kinds) == 1
    symbols = " + ".join(f"{'L' if one else f'L_{kind.kind}'}·{kind.numbers.factor_symbol}" for kind in kinds)
    numbers = " + ".join(f"{grouped(len(kind.layers))}·{grouped_within(kind.numbers.factor_numbers)}" for kind in kinds)
    if not one:
        symbols, numbers = f"({symbols})", f"({numbers})"
    per_token = kv_bytes_per_token(mixing, bits)
    if sum(len(kind.layers) * kind.numbers.value for kind in kinds) * bits != 8 * per_token:
        return ""  # several passes a layer, or entries that stand for several positions: told line by line
    said = text_in(
        language, "memory.cache_formula", symbols=symbols, numbers=numbers, bits=f"{float(bits):g}", bytes=grouped(per_token)
    )
    return f'<p class="formula">{said}</p>'


def kind_lines(language: str, mixing: Mixing, context: int, batch: int, bits: Bits) -> list[Line]:
    """A line for each kind of layer, with its formula in symbols and in numbers."""
    kinds = cache_by_kind(mixing, context, batch, bits)
    total = sum(kind.bytes for kind in kinds) or 1
    return [
        Line(
            f"{kind_title(language, kind)} · {_layers(language, kind)}",
            kind.bytes,
            "B",
            _kind_steps(language, kind),
            shown=gigabytes(kind.bytes),
            small=gibibytes(kind.bytes),
            share=kind.bytes / total,
        )
        for kind in kinds
    ]


def kinds_note(language: str, mixing: Mixing) -> str:
    """What the symbols mean, and a sentence for each kind of layer that there is."""
    kinds = {attention.kind for attention in mixing.attention}
    said = [text_in(language, "memory.cache_kinds_note")]
    if kinds & {"full", "sliding", "chunked"}:
        said.append(text_in(language, "memory.cache_note.full"))
    said += [text_in(language, f"memory.cache_note.{kind}") for kind in ("sliding", "latent") if kind in kinds]
    if mixing.recurrences:
        said.append(text_in(language, "memory.cache_note.state"))
    return "".join(said)


def sum_lines(language: str, mixing: Mixing, context: int, batch: int, bits: Bits) -> list[Line]:
    """One token more; theory beside what full pages reserve; states."""
    kept, reserved = kv_bytes(mixing, context, batch, bits), reserved_bytes(mixing, context, batch, bits)
    states = state_bytes(mixing, batch)
    paged = -(-context // PAGE) * PAGE
    per_token = kv_bytes_per_token(mixing, bits)
    parts = " + ".join(
        grouped(kind.bytes_per_token) for kind in cache_by_kind(mixing, context, 1, bits) if kind.entries is not None
    )
    lines = [
        Line(
            text_in(language, "memory.cache_per_token"),
            per_token,
            "B",
            (text_in(language, "memory.cache_per_token_rule"), f"{parts} = {grouped(per_token)} B"),
            shown=f"{grouped(per_token)} B",
        ),
        _bytes(text_in(language, "memory.cache_theory"), kept, text_in(language, "memory.cache_theory_rule")),
        _bytes(
            text_in(language, "memory.cache_reserved", page=PAGE),
            reserved,
            text_in(language, "memory.cache_reserved_rule", page=PAGE),
            f"⌈{grouped(context)} ÷ {PAGE}⌉ × {PAGE} = {grouped(paged)}",
        ),
    ]
    if reserved > kept:
        lines.append(
            Line(
                text_in(language, "memory.cache_wasted"),
                reserved - kept,
                "B",
                (f"{grouped(reserved)} − {grouped(kept)}",),
                shown=gigabytes(reserved - kept),
                small=gibibytes(reserved - kept),
            )
        )
    if states:
        lines.append(_bytes(text_in(language, "memory.cache_states"), states, text_in(language, "memory.cache_states_rule")))
    return lines


def crossing_said(language: str, mixing: Mixing, weight_bytes: int, batch: int, bits: Bits) -> str:
    """From which context on the cache takes more than the weights, in words; empty where it keeps no positions."""
    limit = mixing.max_context or LONGEST
    if not kv_bytes(mixing, limit, batch, bits):
        return text_in(language, "memory.no_cache")
    below = largest(lambda length: kv_bytes(mixing, length, batch, bits) <= weight_bytes, limit)
    if below == limit:
        share = kv_bytes(mixing, limit, batch, bits) / weight_bytes if weight_bytes else 0
        return text_in(language, "memory.crossing_never", limit=grouped(limit), share=percent(share, 1))
    return text_in(language, "memory.crossing", context=grouped(below + 1))


def shown_contexts(mixing: Mixing, context: int) -> list[int]:
    """Powers of four up to what the model takes, and the chosen context."""
    limit = mixing.max_context or 2**20
    found = {context, limit, *(4**power for power in range(5, 11))}
    return sorted(length for length in found if length <= limit)[-7:]


def context_rows(mixing: Mixing, context: int, batch: int) -> list[list[str]]:
    """A row a context: 16, 8 and 4 bits, and 16 bits in full pages."""
    return [
        [
            grouped(length),
            *(gb_and_gib(kv_bytes(mixing, length, batch, bits)) for bits in BITS_SHOWN),
            gb_and_gib(reserved_bytes(mixing, length, batch, 16)),
        ]
        for length in shown_contexts(mixing, context)
    ]


def cache_csv_rows(mixing: Mixing, context: int, batch: int) -> list[tuple[int, ...]]:
    """The same in bytes, with the numbers kept."""
    return [
        (
            length,
            batch,
            batch * kv_numbers(mixing, length),
            *(kv_bytes(mixing, length, batch, bits) for bits in BITS_SHOWN),
            reserved_bytes(mixing, length, batch, 16),
            state_bytes(mixing, batch),
        )
        for length in shown_contexts(mixing, context)
    ]


def kind_title(language: str, kind: CacheOfKind) -> str:
    """`sliding window of 1,024`; a recurrence by its name."""
    key = f"compute.kind.{kind.kind}"
    if key not in TEXTS:
        key = f"memory.recurrence.{kind.kind}"
        return text_in(language, key) if key in TEXTS else kind.kind
    named = text_in(language, key)
    return text_in(language, "compute.kind_of_size", kind=named, size=grouped(kind.window)) if kind.window else named


def _layers(language: str, kind: CacheOfKind) -> str:
    return text_in(language, "memory.layers", layers=grouped(len(kind.layers)))


def _kind_steps(language: str, kind: CacheOfKind) -> tuple[str, ...]:
    kept = f"{kind.numbers.symbol} = {grouped(kind.numbers.value)}"
    if kind.entries is None:
        said = text_in(language, "memory.kept_state", numbers=kept)
    else:
        said = text_in(language, "memory.kept_entry", numbers=kept, entries=grouped(kind.entries))
    return (said, kind.formula, f"= {grouped_within(kind.worked)} = {grouped(kind.bytes)} B")


def _bytes(label: str, number: int, *steps: str) -> Line:
    return Line(label, number, "B", (*steps, f"= {grouped(number)} B"), shown=gigabytes(number), small=gibibytes(number))
