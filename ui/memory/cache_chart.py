"""The KV cache over the context, stacked on the weights: where the cache overtakes the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.mixing import Mixing
from calc.mixing.kv_cache import Bits, kv_bytes, reserved_bytes, state_bytes
from ui.frame.charts import BYTE_LABELS
from ui.frame.theme import MEMORY_COLOURS
from ui.html import Markup, tag
from ui.memory.bytes_written import gb_and_gib
from ui.numbers import gigabytes, grouped
from ui.texts import text_in

if TYPE_CHECKING:
    import altair

POINTS = 48
LONGEST_SHOWN = 131_072
"""Tokens: the right end where the model sets no limit."""
_TOKEN_LABELS = (
    "datum.value >= 1024 && datum.value % 1024 == 0 ? format(datum.value / 1024, ',') + 'k' : format(datum.value, ',')"
)


def contexts_up_to(end: int, points: int) -> list[int]:
    """Evenly spaced contexts from 1 to `end`.

    >>> contexts_up_to(100, 4)
    [1, 25, 50, 75, 100]
    """
    return sorted({1, *(max(1, round(end * step / points)) for step in range(1, points + 1))})


def cache_rows(language: str, mixing: Mixing, weight_bytes: int, context: int, batch: int, bits: Bits) -> list[dict[str, object]]:
    """Weights and cache at contexts up to the model's limit, what full pages reserve, and the chosen context."""
    end = mixing.max_context or max(LONGEST_SHOWN, 2 * context)
    states = state_bytes(mixing, batch)
    weights, cache = (text_in(language, f"memory.kind.{kind}") for kind in ("weights", "cache"))
    rows: list[dict[str, object]] = []

    def row(kind: str, length: int, number_of_bytes: int, **more: object) -> None:
        rows.append({"kind": kind, "context": length, "bytes": number_of_bytes, **more})

    for length in contexts_up_to(end, POINTS):
        size = kv_bytes(mixing, length, batch, bits) + states
        written = f"{grouped(length)} token · {gb_and_gib(size)}"
        row("area", length, weight_bytes, low=0, what=weights, written=gb_and_gib(weight_bytes))
        row("area", length, weight_bytes + size, low=weight_bytes, what=cache, written=written)
        row("reserved", length, weight_bytes + reserved_bytes(mixing, length, batch, bits) + states)
    size = kv_bytes(mixing, context, batch, bits) + states
    side = "left" if context > end / 2 else "right"
    row("mark", context, weight_bytes + size, label=f"{grouped(context)} · {gigabytes(size)}", side=side)
    return rows


def context_axis(language: str) -> altair.X:
    """The context in tokens, from 0 to the model's limit."""
    import altair

    axis = altair.Axis(labelExpr=_TOKEN_LABELS, labelAngle=0, grid=False, tickCount=6)
    scale = altair.Scale(nice=False, zero=True)
    return altair.X("context:Q", title=text_in(language, "memory.axis_context"), axis=axis, scale=scale)


def cache_chart(language: str) -> altair.TopLevelMixin:
    """Bytes against context: weights beneath, the cache on them, a dashed line for full pages."""
    import altair

    names = [text_in(language, f"memory.kind.{kind}") for kind in ("weights", "cache")]
    colours = [MEMORY_COLOURS["weights"], MEMORY_COLOURS["cache"]]
    up = altair.Axis(labelExpr=BYTE_LABELS, labelAngle=0, tickCount=5)
    y = altair.Y("bytes:Q", title=text_in(language, "memory.axis_bytes"), axis=up, scale=altair.Scale(zero=True))
    base = altair.Chart(altair.Data(name="rows")).encode(x=context_axis(language), y=y)
    areas = (
        base.transform_filter("datum.kind == 'area'")
        .mark_area(opacity=0.85, line=False)
        .encode(
            y2="low:Q",
            color=altair.Color("what:N", scale=altair.Scale(domain=names, range=colours), legend=None),
            tooltip=[altair.Tooltip("what:N", title=" "), altair.Tooltip("written:N", title=" ")],
        )
    )
    reserved = base.transform_filter("datum.kind == 'reserved'")
    marks = base.transform_filter("datum.kind == 'mark'")
    left, right = (marks.transform_filter(f"datum.side == '{side}'") for side in ("left", "right"))
    return altair.layer(
        areas,
        reserved.mark_line(strokeDash=[5, 4], strokeWidth=1.75, color="#8A8F98"),
        marks.mark_point(filled=True, size=90, color="#8A8F98", opacity=1, stroke="white"),
        left.mark_text(align="right", dx=-8, dy=-12, fontSize=13, fontWeight=600).encode(text="label:N"),
        right.mark_text(align="left", dx=8, dy=-12, fontSize=13, fontWeight=600).encode(text="label:N"),
    )


def memory_legend(language: str, kinds: tuple[str, ...], dashed: str = "") -> Markup:
    """The names and colours of what fills memory, and of a dashed line."""
    items = [tag("li", tag("i", class_=f"swatch memory-{kind}"), text_in(language, f"memory.kind.{kind}")) for kind in kinds]
    return tag("ul", *items, tag("li", tag("i", class_="dashed"), dashed) if dashed else None, class_="part-legend")
