"""The comparison's charts: size against width, composition side by side, the KV cache against size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from calc.comparison.comparison import ModelRow
from calc.tensors import PARTS
from ui.frame.charts import BYTE_LABELS, PARAMETER_LABELS, PLAIN_LABELS, part_colours
from ui.numbers import grouped, percent
from ui.texts import text_in

if TYPE_CHECKING:
    import altair

POINT = 90
"""px², area of a point."""
SIDES: dict[str, tuple[Literal["left", "right"], int, int]] = {
    "above_right": ("left", 8, -8),
    "below_right": ("left", 8, 9),
    "above_left": ("right", -8, -8),
    "below_left": ("right", -8, 9),
}
"""Where a label may be at its point: its alignment, and how far from it, px."""
WIDTH, HEIGHT, LETTER = 480, 250, 7.5
"""px, about: a chart's plotting area on a desktop, and a letter of a label."""
_IS_ROUND = "indexof([1, 2, 5], round(1000 * datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9))) / 1000) >= 0"
"""Whether a tick is 1, 2 or 5 times a power of ten."""


def size_rows(rows: Sequence[ModelRow]) -> list[dict[str, Any]]:
    """A point a model: hidden size and parameters."""
    return _points(rows, "hidden_size", "parameters", "")


def size_chart(language: str) -> altair.TopLevelMixin:
    """Parameters against hidden size, both logarithmic, each point labelled."""
    return _labelled_points(
        language,
        ("hidden_size", "compare.axis_hidden_size", PLAIN_LABELS),
        ("parameters", "compare.axis_parameters", PARAMETER_LABELS),
    )


def cache_rows(rows: Sequence[ModelRow]) -> list[dict[str, Any]]:
    """A point a model: parameters and KV bytes a token; a model without a KV cache has no place on a logarithmic axis."""
    return _points(rows, "parameters", "kv_bytes_per_token", " B")


def cache_chart(language: str) -> altair.TopLevelMixin:
    """KV-cache bytes a token against parameters, both logarithmic, each point labelled."""
    return _labelled_points(
        language,
        ("parameters", "compare.axis_parameters", PARAMETER_LABELS),
        ("kv_bytes_per_token", "compare.axis_kv_bytes", BYTE_LABELS),
    )


def composition_rows(language: str, rows: Sequence[ModelRow]) -> list[dict[str, Any]]:
    """A bar's piece for each model and part."""
    return [
        {
            "model": row.title,
            "place": place,
            "part": text_in(language, f"part.{part}"),
            "order": PARTS.index(part),
            "share": row.value(f"{part}_percent") / 100,
            "written": f"{grouped(row.value(f'{part}_parameters'))} · {percent(row.value(f'{part}_percent') / 100)}",
        }
        for place, row in enumerate(rows)
        for part in PARTS
        if row.value(f"{part}_parameters")
    ]


def composition_chart(language: str) -> altair.Chart:
    """Each model's parts as one bar of a hundred per cent, in the colours parts have everywhere."""
    import altair

    share = altair.Axis(format=".0%", labelAngle=0, tickCount=5)
    return (
        altair.Chart(altair.Data(name="rows"))
        .mark_bar(height={"band": 0.7})
        .encode(
            y=altair.Y("model:N", sort=altair.EncodingSortField("place", op="min"), title=None, axis=altair.Axis(labelLimit=150)),
            x=altair.X("share:Q", title=text_in(language, "compare.axis_share"), axis=share, scale=altair.Scale(domain=[0, 1])),
            color=part_colours(language),
            order=altair.Order("order:Q"),
            tooltip=[altair.Tooltip(f"{column}:N", title=" ") for column in ("model", "part", "written")],
        )
    )


def _labelled_points(language: str, across: tuple[str, str, str], up: tuple[str, str, str]) -> altair.TopLevelMixin:
    """Points named at their side; of both axes the column, its title and how its ticks are written."""
    import altair

    def axis(channel: Callable[..., Any], field: str, title: str, labels: str) -> Any:
        return channel(
            f"{field}:Q",
            title=text_in(language, title),
            scale=altair.Scale(type="log", nice=False, padding=36),
            axis=altair.Axis(labelExpr=f"{_IS_ROUND} ? {labels} : ''", labelAngle=0, grid=False, domain=True, labelFlush=False),
        )

    base = altair.Chart(altair.Data(name="rows")).encode(
        x=axis(altair.X, *across),
        y=axis(altair.Y, *up),
        tooltip=[altair.Tooltip("model:N", title=" "), altair.Tooltip("written:N", title=" ")],
    )
    layers = [base.mark_point(filled=True, size=POINT, color="#0072B2", opacity=0.9)]
    for side, (align, dx, dy) in SIDES.items():
        mark = base.mark_text(align=align, dx=dx, dy=dy, fontSize=13, baseline="middle")
        layers.append(mark.encode(text="model:N").transform_filter(f"datum.side == '{side}'"))
    return altair.layer(*layers)


def sides(
    points: Sequence[tuple[float, float]], labels: Sequence[str], width: int = WIDTH, height: int = HEIGHT
) -> list[str | None]:
    """On which side of its point each label finds room; None where it would cover another.

    points   both coordinates positive; their logarithms are spread over a chart of width by height, px

    >>> sides([(1, 1), (1, 1.01), (1000, 1000)], ["a", "b", "c"])
    ['above_right', 'below_right', 'above_right']
    """
    spread = [_spread([math.log(point[axis]) for point in points], size) for axis, size in ((0, width), (1, height))]
    places = list(zip(*spread, strict=True))
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in places]
    chosen: list[str | None] = []
    for (x, y), label in zip(places, labels, strict=True):
        for side, (align, dx, dy) in SIDES.items():
            long = LETTER * len(label)
            left = x + dx - (long if align == "right" else 0)
            box = (left, y - dy - 7, left + long, y - dy + 7)
            if box[0] >= 0 and box[2] <= width and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                chosen.append(side)
                break
        else:
            chosen.append(None)
    return chosen


def _points(rows: Sequence[ModelRow], across: str, up: str, unit: str) -> list[dict[str, Any]]:
    """A point for each model that has a value in both columns, with the side its label is on."""
    drawn = [row for row in rows if row.value(across) and row.value(up)]
    label_sides = sides([(row.value(across), row.value(up)) for row in drawn], [row.title for row in drawn])
    return [
        {column: row.value(column) for column in (across, up)}
        | {"model": row.title, "written": f"{grouped(row.value(up))}{unit}", "side": side}
        for row, side in zip(drawn, label_sides, strict=True)
    ]


def _spread(values: Sequence[float], size: float) -> list[float]:
    low, high = min(values, default=0), max(values, default=0)
    return [36 + (size - 72) * ((value - low) / (high - low) if high > low else 0.5) for value in values]


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
