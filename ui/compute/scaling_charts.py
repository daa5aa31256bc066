"""Charts of compute-optimal training: iso-FLOP curves, and where models lie by their tokens a parameter."""

from __future__ import annotations

from collections.abc import Sequence

from calc.compute.scaling import BESIROGLU, HOFFMANN, TOKENS_PER_PARAMETER, LossLaw
from calc.compute.si_prefixes import scientific
from calc.compute.training import PublishedRun
from ui.comparison.charts import SIDES, sides
from ui.compute.charts import decades
from ui.figures.written import rounded, tokens_written
from ui.frame.charts import PARAMETER_LABELS
from ui.frame.theme import PART_COLOURS
from ui.texts import text_in

BUDGETS = (1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25)
"""FLOPs of the curves drawn next to the run's."""
SHOWN_LAWS = {law.name: law for law in (BESIROGLU, HOFFMANN)}
_WIDEST = 24
"""A curve goes from its best size ÷ this to its best size × this."""
_STEPS = 36
_PLANE = 560, 330
"""px, about: the plane's plotting area on a desktop."""
_LOW, _HIGH = 1e8, 1e12
"""Parameters, the ends of the lines in the plane of N and D ÷ N."""


def iso_flop_rows(language: str, law: LossLaw, parameters: int, tokens: int) -> list[dict[str, object]]:
    """Curves of equal compute, their lowest points, and this run on its curve."""
    own = 6.0 * parameters * tokens
    rows: list[dict[str, object]] = []
    for budget in (*(other for other in BUDGETS if not 0.24 < other / own < 4.2), own):
        best, kind = law.optimum(budget), "own" if budget == own else "other"
        name = scientific(budget)
        sizes = [best.parameters * _WIDEST ** (2 * step / _STEPS - 1) for step in range(_STEPS + 1)]
        if kind == "own" and not sizes[0] < parameters < sizes[-1]:
            sizes = sorted({*sizes, *(best.parameters * (parameters / best.parameters) ** (step / 12) for step in range(13))})
        for point in law.iso_flop(budget, sizes):
            written = f"{tokens_written(point.parameters)} · {tokens_written(point.tokens)} · {point.loss:.3f}"
            place = {"parameters": point.parameters, "loss": point.loss}
            rows.append({"kind": kind, "budget": name, **place, "written": written})
        end = law.loss(sizes[-1], budget / 6 / sizes[-1])
        label = scientific(budget, 1) if kind == "other" else name
        rows.append({"kind": "name", "parameters": sizes[-1], "loss": end, "label": label})
        written = tokens_written(best.parameters)
        rows.append({"kind": "best", "parameters": best.parameters, "loss": best.loss, "written": written})
    here = text_in(language, "training.this_run")
    loss = law.loss(parameters, tokens)
    rows.append({"kind": "here", "parameters": float(parameters), "loss": loss, "label": here, "written": f"{loss:.3f}"})
    return rows


def iso_flop_chart(language: str):
    """Predicted loss against parameters, a curve a budget; the lowest points joined by a line."""
    import altair

    base = altair.Chart(altair.Data(name="rows")).encode(
        x=decades(altair.X, "parameters", text_in(language, "training.axis_parameters"), PARAMETER_LABELS),
        y=altair.Y(
            "loss:Q",
            title=text_in(language, "training.axis_loss"),
            scale=altair.Scale(zero=False, type="log", nice=False, padding=12),
            axis=altair.Axis(format=".1f", labelAngle=0, gridOpacity=0.4, tickCount=5),
        ),
    )
    tooltip = [altair.Tooltip("written:N", title=" ")]

    def of(kind: str):
        return base.transform_filter(f"datum.kind == '{kind}'")

    here = of("here")
    return altair.layer(
        of("other").mark_line(color="#8A8F98", opacity=0.75, strokeWidth=1.5).encode(detail="budget:N", tooltip=tooltip),
        of("own").mark_line(color=PART_COLOURS["embedding"], strokeWidth=3).encode(detail="budget:N", tooltip=tooltip),
        of("best")
        .mark_line(color=PART_COLOURS["ffn"], strokeDash=[4, 3], strokeWidth=1.5)
        .encode(order=altair.Order("parameters:Q")),
        of("best").mark_point(filled=True, color=PART_COLOURS["ffn"], size=50, opacity=1).encode(tooltip=tooltip),
        of("name").mark_text(align="left", dx=5, fontSize=12).encode(text="label:N"),
        here.mark_point(filled=True, color=PART_COLOURS["lm_head"], size=150, opacity=1).encode(tooltip=tooltip),
        here.mark_text(align="center", dy=20, fontSize=13, fontWeight=600).encode(text="label:N"),
    )


def plane_rows(
    language: str, runs: Sequence[PublishedRun], parameters: int, tokens: int, current: str = ""
) -> list[dict[str, object]]:
    """The lines of the rule and the laws, the published runs, and this run.

    current   the catalogue name of this run's model: where the run is the published one, it is one point
    """
    rows: list[dict[str, object]] = []
    for size in (_LOW, _HIGH):
        rows.append({"kind": "line", "law": "chinchilla", "parameters": size, "ratio": TOKENS_PER_PARAMETER})
        rows += [
            {"kind": "line", "law": name, "parameters": size, "ratio": law.optimum_of_size(size).tokens_per_parameter}
            for name, law in SHOWN_LAWS.items()
        ]
    others = [run for run in runs if run.catalogue_name != current or run.tokens != tokens]
    points: list[tuple[float, float]] = [(run.parameters, run.tokens / run.parameters) for run in others]
    points.append((parameters, tokens / parameters))
    labels = [run.model for run in others] + [text_in(language, "training.this_run")]
    *label_sides, own_side = sides(points, labels, *_PLANE)
    for (size, ratio), label, side in zip(points, labels, [*label_sides, own_side or "above_left"], strict=True):
        factor = text_in(language, "training.per_parameter", number=rounded(ratio), factor=rounded(ratio / TOKENS_PER_PARAMETER))
        written = f"N {tokens_written(size)} · D {tokens_written(ratio * size)} · {factor}"
        kind = "here" if label == labels[-1] else "run"
        rows.append({"kind": kind, "parameters": size, "ratio": ratio, "label": label, "side": side, "written": written})
    return rows


def plane_chart(language: str):
    """Tokens a parameter against parameters, both logarithmic: above a line a model is trained on more than it prescribes."""
    import altair

    base = altair.Chart(altair.Data(name="rows")).encode(
        x=decades(altair.X, "parameters", text_in(language, "training.axis_parameters"), PARAMETER_LABELS),
        y=decades(altair.Y, "ratio", text_in(language, "training.axis_ratio"), PARAMETER_LABELS),
    )
    laws = ["chinchilla", *SHOWN_LAWS]
    colours = altair.Scale(domain=laws, range=["#8A8F98", PART_COLOURS["ffn"], PART_COLOURS["attention"]])
    lines = base.transform_filter("datum.kind == 'line'").mark_line(strokeWidth=2)
    tooltip = [altair.Tooltip("label:N", title=" "), altair.Tooltip("written:N", title=" ")]
    layers = [lines.encode(color=altair.Color("law:N", scale=colours, legend=None))]
    for kind, colour, size in (("run", PART_COLOURS["embedding"], 80), ("here", PART_COLOURS["lm_head"], 150)):
        points = base.transform_filter(f"datum.kind == '{kind}'")
        layers.append(points.mark_point(filled=True, color=colour, size=size, opacity=1).encode(tooltip=tooltip))
    for side, (align, dx, dy) in SIDES.items():
        marks = base.transform_filter(f"datum.side == '{side}'")
        layers.append(marks.mark_text(align=align, dx=dx, dy=dy, fontSize=12, baseline="middle").encode(text="label:N"))
    return altair.layer(*layers)
