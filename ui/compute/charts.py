"""Charts of a token and of a request: attention's share against context, and the roofline."""

from __future__ import annotations

from calc.compute.attention import attention_flops_per_token
from calc.compute.flops import crossover_context
from calc.compute.inference import Step, attainable_flops_per_second, ridge_point
from calc.gpus import Gpu
from calc.model import Model
from ui.compute.matrices import MEETING, PALER_ATTENTION, piece_name, pieces
from ui.figures.written import rounded, si
from ui.frame.theme import PART_COLOURS
from ui.numbers import grouped, percent
from ui.texts import text_in

LONGEST_SHOWN = 2**20
"""Tokens: 1M, the right end of the chart of shares."""
STEPS_A_DOUBLING = 4
PIECES = ("ffn", "lm_head", "embedding", "other", "attention", MEETING)
"""From bottom to top; attention's own products lie on top, where their share is read off."""
_TOKEN_LABELS = "datum.value >= 1048576 ? '1M' : datum.value >= 1024 ? datum.value / 1024 + 'k' : datum.value"
IS_DECADE = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6"


def share_rows(language: str, model: Model) -> list[dict[str, object]]:
    """The share of each piece at contexts from 128 to 1M, and the marks: the crossing point, the model's limit."""
    rows: list[dict[str, object]] = []
    contexts = [round(2 ** (step / STEPS_A_DOUBLING)) for step in range(7 * STEPS_A_DOUBLING, 20 * STEPS_A_DOUBLING + 1)]
    matrices = {piece: flops for piece, flops in pieces(model, 1).items() if piece != MEETING}
    fixed = pieces(model, 1).get(MEETING, 0) - attention_flops_per_token(model.mixing_if_described, 1)
    for context in contexts:
        found = matrices | {MEETING: fixed + attention_flops_per_token(model.mixing_if_described, context)}
        total = sum(found.values())
        rows += [
            {
                "kind": "share",
                "context": context,
                "piece": piece_name(language, piece),
                "order": PIECES.index(piece),
                "share": found.get(piece, 0) / total,
                "written": f"{grouped(context)} · {percent(found.get(piece, 0) / total, 1)}",
            }
            for piece in PIECES
            if found.get(piece)
        ]
    crossing = crossover_context(model.tensors, model.mixing_if_described)
    if crossing is not None and 128 <= crossing <= LONGEST_SHOWN:
        rows.append(
            {
                "kind": "mark",
                "context": crossing,
                "label": text_in(language, "compute.crossing", context=grouped(crossing)),
                "y": 0.5,
            }
        )
    if model.max_context is not None and 128 <= model.max_context < LONGEST_SHOWN:
        said = text_in(language, "compute.limit_mark", context=grouped(model.max_context))
        rows.append({"kind": "limit", "context": model.max_context, "label": said, "y": 0.06})
    return rows


def share_chart(language: str):
    """Shares of a token's FLOPs, stacked, over the logarithm of its context."""
    import altair

    names = [piece_name(language, piece) for piece in PIECES]
    colours = [
        PALER_ATTENTION if piece == "attention" else PART_COLOURS.get(piece, PART_COLOURS["attention"]) for piece in PIECES
    ]
    axis = altair.Axis(values=[2**power for power in range(7, 21)], labelExpr=_TOKEN_LABELS, labelAngle=0, grid=False)
    scale = altair.Scale(type="log", base=2, domain=[128, LONGEST_SHOWN], nice=False)
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
    for kind, dash in (("limit", [2, 3]), ("mark", [])):
        marks = base.transform_filter(f"datum.kind == '{kind}'")
        layers.append(marks.mark_rule(color="#14171c", strokeWidth=1.5, strokeDash=dash or [1, 0]).encode(x=x))
        for side, align, dx in (("left", "right", -7), ("right", "left", 7)):
            where = "datum.context >= 16384" if side == "left" else "datum.context < 16384"
            text = marks.transform_filter(where).mark_text(
                align=align, dx=dx, fontSize=13, fontWeight=600, color="#14171c", baseline="middle"
            )
            layers.append(text.encode(x=x, y=altair.Y("y:Q"), text="label:N"))
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
    said = text_in(language, "inference.ridge_mark", ridge=rounded(ridge))
    peak = gpu.peak_flops_per_second()
    rows.append({"kind": "ridge", "intensity": ridge, "flops": peak, "label": said})
    for name, step in steps.items():
        attained = attainable_flops_per_second(gpu, step.intensity)
        label = text_in(
            language, "inference.point", name=text_in(language, f"inference.{name}"), intensity=rounded(step.intensity)
        )
        written = f"{rounded(step.intensity)} FLOP/B · {si(attained, 'FLOP/s')}"
        side = "left" if step.intensity > ridge else "right"
        rows.append(
            {
                "kind": "step",
                "intensity": step.intensity,
                "flops": attained,
                "label": label,
                "written": written,
                "side": side,
                "name": name,
            }
        )
    return rows


def roofline_chart(language: str):
    """Attainable FLOP/s against arithmetic intensity, both logarithmic."""
    import altair

    def axis(channel, field: str, title: str, labels: str):
        # `zero` is not for logarithms; ticks only at powers of ten
        return channel(
            f"{field}:Q",
            title=text_in(language, title),
            scale=altair.Scale(type="log", nice=False, padding=8),
            axis=altair.Axis(labelExpr=labels, labelAngle=0, gridOpacity=0.4, tickCount=6),
        )

    plain = f"{IS_DECADE} ? format(datum.value, ',') : ''"
    base = altair.Chart(altair.Data(name="rows")).encode(
        x=axis(altair.X, "intensity", "inference.axis_intensity", plain),
        y=axis(altair.Y, "flops", "inference.axis_flops", f"{IS_DECADE} ? format(datum.value, '~s') : ''"),
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
