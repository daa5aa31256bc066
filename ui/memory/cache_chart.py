"""The KV cache over the context, stacked on the weights: where the cache overtakes the model."""

from __future__ import annotations

from calc.mixing import Mixing
from calc.mixing.kv_cache import Bits, kv_bytes, reserved_bytes, state_bytes
from ui.frame.charts import BYTE_LABELS
from ui.frame.theme import MEMORY_COLOURS
from ui.memory.bytes_written import gb_and_gib
from ui.numbers import grouped
from ui.texts import text_in

POINTS = 48
LONGEST_SHOWN = 131_072
"""Tokens: the right end where the model sets no limit."""
_TOKEN_LABELS = (
    "datum.value >= 1024 && datum.value % 1024 == 0 ? format(datum.value / 1024, ',') + 'k' : format(datum.value, ',')"
)


def cache_rows(language: str, mixing: Mixing, weight_bytes: int, context: int, batch: int, bits: Bits) -> list[dict[str, object]]:
    """Weights and cache at contexts up to the model's limit, what full pages reserve, and the chosen context."""
    end = mixing.max_context or max(LONGEST_SHOWN, 2 * context)
    steps = sorted({1, *(max(1, round(end * step / POINTS)) for step in range(1, POINTS + 1))})
    states = state_bytes(mixing, batch)
    rows: list[dict[str, object]] = []
    for length in steps:
        kept = kv_bytes(mixing, length, batch, bits) + states
        reserved = reserved_bytes(mixing, length, batch, bits) + states
        written = {"written": f"{grouped(length)} token · {gb_and_gib(kept)}"}
        rows.append(
            {
                "kind": "area",
                "context": length,
                "low": 0,
                "bytes": weight_bytes,
                "what": text_in(language, "memory.kind.weights"),
                "written": gb_and_gib(weight_bytes),
            }
        )
        rows.append(
            {
                "kind": "area",
                "context": length,
                "low": weight_bytes,
                "bytes": weight_bytes + kept,
                "what": text_in(language, "memory.kind.cache"),
            }
            | written
        )
        rows.append({"kind": "reserved", "context": length, "bytes": weight_bytes + reserved})
    kept = kv_bytes(mixing, context, batch, bits) + states
    rows.append(
        {
            "kind": "mark",
            "context": context,
            "bytes": weight_bytes + kept,
            "label": f"{grouped(context)} · {gb_and_gib(kept).partition(' · ')[0]}",
            "side": "left" if context > end / 2 else "right",
        }
    )
    return rows


def cache_chart(language: str):
    """Bytes against context: weights beneath, the cache on them, a dashed line for full pages."""
    import altair

    names = [text_in(language, f"memory.kind.{kind}") for kind in ("weights", "cache")]
    colours = [MEMORY_COLOURS["weights"], MEMORY_COLOURS["cache"]]
    base = altair.Chart(altair.Data(name="rows"))
    across = altair.Axis(labelExpr=_TOKEN_LABELS, labelAngle=0, grid=False, tickCount=6)
    x = altair.X(
        "context:Q", title=text_in(language, "memory.axis_context"), axis=across, scale=altair.Scale(nice=False, zero=True)
    )
    up = altair.Axis(labelExpr=BYTE_LABELS, labelAngle=0, tickCount=5)
    y = altair.Y("bytes:Q", title=text_in(language, "memory.axis_bytes"), axis=up, scale=altair.Scale(zero=True))
    areas = (
        base.transform_filter("datum.kind == 'area'")
        .mark_area(opacity=0.85, line=False)
        .encode(
            x=x,
            y=y,
            y2="low:Q",
            color=altair.Color("what:N", scale=altair.Scale(domain=names, range=colours), legend=None),
            tooltip=[altair.Tooltip("what:N", title=" "), altair.Tooltip("written:N", title=" ")],
        )
    )
    reserved = (
        base.transform_filter("datum.kind == 'reserved'")
        .mark_line(strokeDash=[5, 4], strokeWidth=1.75, color="#8A8F98")
        .encode(x=x, y=y)
    )
    marks = base.transform_filter("datum.kind == 'mark'")
    layers = [
        areas,
        reserved,
        marks.mark_point(filled=True, size=90, color="#8A8F98", opacity=1, stroke="white").encode(x=x, y=y),
    ]
    for side, align, dx in (("left", "right", -8), ("right", "left", 8)):
        text = marks.transform_filter(f"datum.side == '{side}'").mark_text(
            align=align, dx=dx, dy=-12, fontSize=13, fontWeight=600
        )
        layers.append(text.encode(x=x, y=y, text="label:N"))
    return altair.layer(*layers)


def memory_legend(language: str, kinds: tuple[str, ...], dashed: str = "") -> str:
    """The names and colours of what fills memory, as HTML."""
    items = "".join(f'<li><i class="swatch memory-{kind}"></i>{text_in(language, f"memory.kind.{kind}")}</li>' for kind in kinds)
    line = f'<li><i class="dashed"></i>{dashed}</li>' if dashed else ""
    return f'<ul class="part-legend">{items}{line}</ul>'
