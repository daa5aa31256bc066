"""Charts of a token and of a request: attention's share against context, and the roofline."""

from __future__ import annotations

from typing import Literal

from calc.compute.attention import attention_flops_per_token
from calc.compute.flops import crossover_context, matmul_flops_by_part
from calc.compute.inference import Step, attainable_flops_per_second, ridge_point
from calc.compute.recurrence import recurrence_flops_per_token
from calc.gpus import Gpu
from calc.model import Model
from calc.tensors import Part
from ui.compute.matrices import MIXING, PALER_ATTENTION, piece_name
from ui.figures.written import rounded, si
from ui.frame.theme import PART_COLOURS
from ui.numbers import grouped, percent
from ui.texts import text_in

SHORTEST_SHOWN, LONGEST_SHOWN = 128, 2**20
"""Tokens: the ends of the chart of shares, the right one 1M."""
STEPS_A_DOUBLING = 4
PIECES: tuple[Part | Literal["mixing"], ...] = ("ffn", "lm_head", "embedding", "other", "attention", MIXING)
"""From bottom to top; the products of attention in no matrix lie on top, where their share is read off."""
_TOKEN_LABELS = "datum.value >= 1048576 ? '1M' : datum.value >= 1024 ? datum.value / 1024 + 'k' : datum.value"
IS_DECADE = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6"


def crossing_shown(model: Model) -> int | None:
    """The context from which attention costs a token more than the matrices, where the chart reaches it."""
    crossing = crossover_context(model, LONGEST_SHOWN)
    return crossing if crossing is not None and crossing >= SHORTEST_SHOWN else None


def share_rows(language: str, model: Model) -> list[dict[str, object]]:
    """The share of each piece at contexts from 128 to 1M, and the marks: the crossing point, the model's limit."""
    rows: list[dict[str, object]] = []
    mixing, matrices = model.mixing, matmul_flops_by_part(model)
    recurrence = recurrence_flops_per_token(mixing)
    names = {piece: piece_name(language, piece) for piece in PIECES}
    for step in range(7 * STEPS_A_DOUBLING, 20 * STEPS_A_DOUBLING + 1):
        context = round(2 ** (step / STEPS_A_DOUBLING))
        flops = {**matrices, MIXING: recurrence + attention_flops_per_token(mixing, context)}
        total = sum(flops.values())
        rows += [
            {
                "kind": "share",
                "context": context,
                "piece": names[piece],
                "order": order,
                "share": flops[piece] / total,
                "written": f"{grouped(context)} · {percent(flops[piece] / total, 1)}",
            }
            for order, piece in enumerate(PIECES)
            if flops[piece]
        ]
    crossing, limit = crossing_shown(model), model.max_context
    if crossing is not None:
        label = text_in(language, "compute.crossing", context=grouped(crossing))
        rows.append({"kind": "mark", "context": crossing, "label": label, "y": 0.5})
    if limit is not None and SHORTEST_SHOWN <= limit < LONGEST_SHOWN:
        label = text_in(language, "compute.limit_mark", context=grouped(limit))
        rows.append({"kind": "limit", "context": limit, "label": label, "y": 0.06})
    return rows


def share_chart(language: str):
    """Shares of a token's FLOPs, stacked, over the logarithm of its context."""
    import altair

    names = [piece_name(language, piece) for piece in PIECES]
    colours = [
        PALER_ATTENTION if piece == "attention" else PART_COLOURS.get(piece, PART_COLOURS["attention"]) for piece in PIECES
    ]
    axis = altair.Axis(values=[2**power for power in range(7, 21)], labelExpr=_TOKEN_LABELS, labelAngle=0, grid=False)
    scale = altair.Scale(type="log", base=2, domain=[SHORTEST_SHOWN, LONGEST_SHOWN], nice=False)
    x = altair.X("context:Q", title=text_in(language, "compute.axis_context"), scale=scale, axis=axis)
    y = altair.Axis(format=".0%", tickCount=5, labelAngle=0)
    base = altair.Chart(altair.Data(name="rows"))
    areas = (
        base.transform_filter("datum.kind == 'share'")
        .mark_area(line=False, opacity=1)
        .encode(
            x=x,
            y=altair.Y(
                "share:Q", stack="zero", title=text_in(language, "compute.axis_share"), axis=y, scale=altair.Scale(domain=[0, 1])
            ),
            color=altair.Color("piece:N", scale=altair.Scale(domain=names, range=colours), legend=None),
            order=altair.Order("order:Q"),
            tooltip=[altair.Tooltip("piece:N", title=" "), altair.Tooltip("written:N", title=" ")],
        )
    )
    layers = [areas]
    sides: tuple[tuple[str, Literal["left", "right"], int], ...] = (
        ("datum.context >= 16384", "right", -7),
        ("datum.context < 16384", "left", 7),
    )
    for kind, dash in (("limit", [2, 3]), ("mark", [])):
        marks = base.transform_filter(f"datum.kind == '{kind}'")
        layers.append(marks.mark_rule(color="#14171c", strokeWidth=1.5, strokeDash=dash or [1, 0]).encode(x=x))
        for where, align, dx in sides:
            label = marks.transform_filter(where).mark_text(
                align=align, dx=dx, fontSize=13, fontWeight=600, color="#14171c", baseline="middle"
            )
            layers.append(label.encode(x=x, y=altair.Y("y:Q"), text="label:N"))
    point = base.transform_filter("datum.kind == 'mark'").mark_point(filled=True, size=90, color="#14171c", opacity=1)
    layers.append(point.encode(x=x, y=altair.Y("y:Q")))
    return altair.layer(*layers)


def roofline_rows(language: str, gpu: Gpu, steps: dict[str, Step]) -> list[dict[str, object]]:
    """The roof, its ridge, and a point for each of the named steps."""
    ridge = ridge_point(gpu)
    intensities = [step.intensity for step in steps.values()]
    low, high = min([*intensities, ridge / 30]) / 3, max([*intensities, ridge]) * 10
    rows: list[dict[str, object]] = [
        {"kind": "roof", "intensity": x, "flops": attainable_flops_per_second(gpu, x)} for x in (low, ridge, high)
    ]
    label = text_in(language, "inference.ridge_mark", ridge=rounded(ridge))
    rows.append({"kind": "ridge", "intensity": ridge, "flops": gpu.peak_flops_per_second(), "label": label})
    for name, step in steps.items():
        attained = attainable_flops_per_second(gpu, step.intensity)
        intensity = rounded(step.intensity)
        label = text_in(language, "inference.point", name=text_in(language, f"inference.{name}"), intensity=intensity)
        written = f"{intensity} FLOP/B · {si(attained, 'FLOP/s')}"
        side = "left" if step.intensity > ridge else "right"
        place = {"intensity": step.intensity, "flops": attained, "side": side}
        rows.append({"kind": "step", "name": name, "label": label, "written": written, **place})
    return rows


def roofline_chart(language: str):
    """Attainable FLOP/s against arithmetic intensity, both logarithmic."""
    import altair

    x_title, y_title = (text_in(language, f"inference.axis_{name}") for name in ("intensity", "flops"))
    base = altair.Chart(altair.Data(name="rows")).encode(
        x=decades(altair.X, "intensity", x_title, "format(datum.value, ',')", padding=8, ticks=6),
        y=decades(altair.Y, "flops", y_title, "format(datum.value, '~s')", padding=8, ticks=6),
    )
    roof = base.transform_filter("datum.kind == 'roof'").mark_line(strokeWidth=2.5, color="#8A8F98", interpolate="linear")
    ridge = base.transform_filter("datum.kind == 'ridge'")
    steps = base.transform_filter("datum.kind == 'step'")
    colour = altair.Color(
        "name:N",
        legend=None,
        scale=altair.Scale(domain=["prefill", "decode"], range=[PART_COLOURS["embedding"], PART_COLOURS["lm_head"]]),
    )
    layers = [
        roof,
        ridge.mark_rule(strokeDash=[2, 3], color="#8A8F98").encode(y=altair.value(0), y2=altair.value("height")),
        ridge.mark_text(align="center", dy=-10, fontSize=12).encode(text="label:N"),
        steps.mark_point(filled=True, size=160, opacity=1).encode(
            color=colour, tooltip=[altair.Tooltip("label:N", title=" "), altair.Tooltip("written:N", title=" ")]
        ),
        steps.transform_filter("datum.side == 'left'")
        .mark_text(align="center", dy=20, fontSize=13, fontWeight=600)
        .encode(text="label:N"),
        steps.transform_filter("datum.side == 'right'")
        .mark_text(align="left", dx=12, dy=8, fontSize=13, fontWeight=600)
        .encode(text="label:N"),
    ]
    return altair.layer(*layers)


def decades(channel, field: str, title: str, labels: str, padding: int = 14, ticks: int = 8):
    """A logarithmic axis with labels at powers of ten; `labels` is what Vega writes there."""
    import altair

    scale = altair.Scale(type="log", nice=False, padding=padding)
    labels = f"{IS_DECADE} ? {labels} : ''"
    axis = altair.Axis(labelExpr=labels, labelAngle=0, gridOpacity=0.4, tickCount=ticks)
    return channel(f"{field}:Q", title=title, scale=scale, axis=axis)
