"""The decode floor of every GPU, the fastest first, and how it moves with the context and the format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calc.compute.traffic import cache_bytes_read
from calc.errors import ConfigError
from calc.export import csv_text
from calc.gpus import Gpu, gpus
from calc.memory.decode import Floor, StepRead, floor, step_read
from calc.mixing.kv_cache import Bits
from calc.model import Model
from calc.weights.weights import LineSize
from ui.figures.worked import Line
from ui.figures.written import duration, rounded
from ui.frame.charts import PLAIN_LABELS
from ui.frame.theme import MEMORY_COLOURS
from ui.html import Markup, headline, tag
from ui.memory.bytes_written import bytes_line, gb_and_gib
from ui.memory.cache_chart import LONGEST_SHOWN, context_axis, contexts_up_to
from ui.memory.sizes import lines_or_fault
from ui.memory.titles import title_in
from ui.numbers import gigabytes, grouped
from ui.texts import text_in

if TYPE_CHECKING:
    import altair

CURVES = ("fp16", "Q8_0", "Q4_K_M", "Q2_K")
"""Formats whose floors are drawn, besides the chosen one's."""
DASHES = ([1, 0], [7, 4], [4, 3], [2, 2], [8, 3, 2, 3])
POINTS = 32


def all_floors(read: StepRead, resident_bytes: int, chosen: Gpu) -> list[Floor]:
    """Every GPU of the list, and one typed in, the fastest first."""
    listed = (*gpus().values(), *(() if chosen.name in gpus() else (chosen,)))
    return sorted((floor(read, gpu, resident_bytes) for gpu in listed), key=lambda of: of.seconds)


def decode_headline(language: str, gpu: Gpu, read: StepRead, alone: StepRead, resident_bytes: int, context: int) -> Markup:
    """The floor of the chosen GPU with the cache, largest; by the weights alone; tokens a second; bytes."""
    whole, of_weights = floor(read, gpu, resident_bytes), floor(alone, gpu, resident_bytes)
    shape = {"context": grouped(context), "batch": grouped(read.batch)}
    by_weights = {"weights": gigabytes(alone.weight_bytes), "bandwidth": _bandwidth(gpu)}
    return headline(
        ("total", f"≥ {duration(language, whole.seconds)}", text_in(language, "memory.floor_head", gpu=gpu.name, **shape)),
        ("part", f"≤ {_rate(whole)}", text_in(language, "memory.floor_rate", **shape)),
        (
            "part",
            f"{duration(language, of_weights.seconds)} · {_rate(of_weights)}",
            text_in(language, "memory.floor_alone", **by_weights),
        ),
    )


def floors_list(language: str, floors: Sequence[Floor], read: StepRead, chosen: Gpu, resident_bytes: int) -> Markup:
    """A row a GPU, the longest bar the fastest; a GPU that cannot hold the weights says so."""
    most = max(of.tokens_per_second for of in floors)
    rows = (_row(language, of, read, most, of.gpu.name == chosen.name, resident_bytes) for of in floors)
    return tag("section", *rows, class_="formats floors")


def read_lines(language: str, read: StepRead, resident_bytes: int, format_name: str) -> list[Line]:
    """What one step reads."""
    lines = [
        bytes_line(
            text_in(language, "memory.read_weights"),
            read.weight_bytes,
            title_in(language, format_name),
            text_in(language, "memory.read_experts", all=gb_and_gib(resident_bytes))
            if read.weight_bytes < resident_bytes
            else "",
        ),
        bytes_line(text_in(language, "memory.read_cache"), read.cache_bytes, text_in(language, "memory.read_cache_note")),
        bytes_line(
            text_in(language, "memory.read_all"), read.bytes, f"{grouped(read.weight_bytes)} + {grouped(read.cache_bytes)}"
        ),
    ]
    if read.table_bytes:
        lines.append(
            bytes_line(
                text_in(language, "memory.read_least"),
                read.least_bytes,
                text_in(language, "memory.read_least_note"),
                f"{grouped(read.bytes)} − {grouped(read.table_bytes)} + {grouped(read.rows_bytes)}",
            )
        )
    return lines


def floors_csv(headings: Sequence[str], floors: Sequence[Floor], read: StepRead) -> str:
    """A row a GPU."""
    return csv_text(
        headings,
        [
            (
                of.gpu.name,
                of.gpu.bandwidth_bytes_per_second,
                read.weight_bytes,
                read.cache_bytes,
                of.seconds * 1000,
                of.tokens_per_second,
                of.least_seconds * 1000,
                "yes" if of.holds_weights else "no",
            )
            for of in floors
        ],
    )


def floor_rows(
    language: str, model: Model, chosen: str, sizes: tuple[LineSize, ...], gpu: Gpu, batch: int, bits: Bits
) -> list[dict[str, object]]:
    """Tokens a second over the context: the chosen format, and a few others that the model has files in."""
    contexts = contexts_up_to(model.mixing.max_context or LONGEST_SHOWN, POINTS)
    cache_bytes = [batch * cache_bytes_read(model.mixing, context, bits) for context in contexts]
    rows: list[dict[str, object]] = []
    for order, name in enumerate(dict.fromkeys((chosen, *CURVES))):
        lines = sizes if name == chosen else lines_or_fault(model, name)
        if isinstance(lines, ConfigError) or (name == "fp16" and chosen in ("bf16", "F16", "gguf-BF16")):
            continue
        weight_bytes = step_read(model, lines, context=0, batch=batch).bytes
        title = title_in(language, name)
        for context, of_cache in zip(contexts, cache_bytes, strict=True):
            seconds = (weight_bytes + of_cache) / gpu.bandwidth_bytes_per_second
            written = f"{grouped(context)} token · {rounded(batch / seconds)} token/s · {duration(language, seconds)}"
            rows.append(
                {
                    "context": context,
                    "rate": batch / seconds,
                    "format": title,
                    "order": str(order),
                    "written": written,
                    "first": context == 1,
                }
            )
    return rows


def floor_chart(language: str) -> altair.TopLevelMixin:
    """Tokens a second against context, a line a format, named where it begins."""
    import altair

    up = altair.Axis(labelExpr=PLAIN_LABELS, labelAngle=0, tickCount=5)
    y = altair.Y("rate:Q", title=text_in(language, "memory.axis_rate"), axis=up, scale=altair.Scale(zero=True))
    base = altair.Chart(altair.Data(name="rows")).encode(x=context_axis(language), y=y)
    names = [str(order) for order in range(len(DASHES))]
    colours = [MEMORY_COLOURS[kind] for kind in ("weights", "overhead", "optimizer", "activations", "gradients")]
    lines = base.mark_line(strokeWidth=2.5).encode(
        detail="format:N",
        color=altair.Color("order:N", scale=altair.Scale(domain=names, range=colours), legend=None),
        strokeDash=altair.StrokeDash("order:N", scale=altair.Scale(domain=names, range=list(DASHES)), legend=None),
        tooltip=[altair.Tooltip("format:N", title=" "), altair.Tooltip("written:N", title=" ")],
    )
    names_of_lines = base.transform_filter("datum.first").mark_text(align="left", dy=-9, dx=6, fontSize=13, fontWeight=600)
    return altair.layer(lines, names_of_lines.encode(text="format:N"))


def _row(language: str, of: Floor, read: StepRead, most: float, chosen: bool, resident_bytes: int) -> Markup:
    gpu = of.gpu
    bandwidth, seconds = grouped(gpu.bandwidth_bytes_per_second), duration(language, of.seconds)
    steps = [
        f"({grouped(read.weight_bytes)} + {grouped(read.cache_bytes)}) B ÷ {bandwidth} B/s = {seconds}",
        text_in(language, "memory.floor_least", seconds=duration(language, of.least_seconds)),
    ]
    if not of.holds_weights:
        steps.append(text_in(language, "memory.floor_not_held", weights=gb_and_gib(resident_bytes)))
    if gpu.source:
        steps.append(text_in(language, "memory.gpu_source", source=gpu.source, caveat=""))
    small = seconds if of.holds_weights else f"{seconds} · {text_in(language, 'memory.not_held')}"
    bar = tag("i", style=f"width:{of.tokens_per_second / most * 100:.3f}%")
    summary = tag(
        "summary",
        tag("span", gpu.name, class_="what"),
        tag("span", _bandwidth(gpu), class_="bits"),
        tag("span", bar, class_="track", aria_hidden="true"),
        tag("span", _rate(of), tag("small", small), class_="figure", data_amount=f"{of.seconds:.9g}"),
    )
    marks = " ".join(name for name, holds in (("current", chosen), ("not-held", not of.holds_weights)) if holds)
    how = tag("div", *(tag("p", step) for step in steps), class_="how")
    return tag("details", summary, how, class_=marks, data_gpu=gpu.name)


def _bandwidth(gpu: Gpu) -> str:
    return f"{gpu.bandwidth_gb_per_second:,} GB/s"


def _rate(of: Floor) -> str:
    return f"{rounded(of.tokens_per_second)} token/s"
