"""The decode floor of every GPU, the fastest first, and how it moves with the context and the format."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from calc.compute.traffic import cache_bytes_read
from calc.errors import ConfigError
from calc.export import csv_text
from calc.gpus import Gpu, gpus
from calc.memory.decode import Floor, Read, floor, step_read
from calc.mixing.kv_cache import Bits
from calc.model import Model
from calc.weights.weights import LineSize
from ui.figures.worked import Line
from ui.figures.written import duration, rounded
from ui.frame.theme import MEMORY_COLOURS
from ui.memory.bytes_written import gb_and_gib
from ui.memory.sizes import size_or_fault
from ui.memory.titles import title_in
from ui.numbers import gibibytes, gigabytes, grouped
from ui.texts import text_in

CURVES = ("fp16", "Q8_0", "Q4_K_M", "Q2_K")
"""Formats whose floors are drawn beside the chosen one's."""
DASHES = ([1, 0], [7, 4], [4, 3], [2, 2], [8, 3, 2, 3])
POINTS = 32
LONGEST_SHOWN = 131_072


def all_floors(read: Read, resident_bytes: int, chosen: Gpu) -> list[tuple[Gpu, Floor]]:
    """Every GPU of the list, and one typed in, the fastest first."""
    listed = (*gpus().values(), *(() if chosen.name in gpus() else (chosen,)))
    return sorted(((gpu, floor(read, gpu, resident_bytes)) for gpu in listed), key=lambda pair: pair[1].seconds)


def decode_headline(language: str, gpu: Gpu, read: Read, alone: Read, resident_bytes: int, context: int) -> str:
    """The floor of the chosen GPU with the cache, largest; by the weights alone; tokens a second; bytes."""
    whole, of_weights = floor(read, gpu, resident_bytes), floor(alone, gpu, resident_bytes)
    shape = {"context": grouped(context), "batch": grouped(read.batch)}
    figures = [
        (
            "total",
            f"≥ {duration(language, whole.seconds)}",
            text_in(language, "memory.floor_head", gpu=gpu.name, **shape),
            whole.seconds,
        ),
        (
            "part",
            f"≤ {rounded(whole.tokens_per_second)} token/s",
            text_in(language, "memory.floor_rate", **shape),
            whole.tokens_per_second,
        ),
        (
            "part",
            f"{duration(language, of_weights.seconds)} · {rounded(of_weights.tokens_per_second)} token/s",
            text_in(language, "memory.floor_alone", weights=gigabytes(alone.weight_bytes), bandwidth=_bandwidth(gpu)),
            of_weights.seconds,
        ),
    ]
    spans = "".join(
        f'<span class="figure"><span class="{css}" data-figure="{number:.9g}">{escape(value)}</span><small>{escape(said)}</small></span>'
        for css, value, said, number in figures
    )
    return f'<div class="headline figures">{spans}</div>'


def floors_list(language: str, found: Sequence[tuple[Gpu, Floor]], read: Read, chosen: Gpu, resident_bytes: int) -> str:
    """A row a GPU, the longest bar the fastest; a GPU that cannot hold the weights says so."""
    most = max(of.tokens_per_second for _, of in found)
    rows = "".join(_row(language, gpu, of, read, most, gpu.name == chosen.name, resident_bytes) for gpu, of in found)
    return f'<section class="formats floors">{rows}</section>'


def read_lines(language: str, read: Read, resident_bytes: int, format_name: str) -> list[Line]:
    """What one step reads."""
    lines = [
        _bytes(
            text_in(language, "memory.read_weights"),
            read.weight_bytes,
            title_in(language, format_name),
            text_in(language, "memory.read_experts", all=gb_and_gib(resident_bytes))
            if read.weight_bytes < resident_bytes
            else "",
        ),
        _bytes(text_in(language, "memory.read_cache"), read.cache_bytes, text_in(language, "memory.read_cache_note")),
        _bytes(text_in(language, "memory.read_all"), read.bytes, f"{grouped(read.weight_bytes)} + {grouped(read.cache_bytes)}"),
    ]
    if read.table_bytes:
        lines.append(
            _bytes(
                text_in(language, "memory.read_least"),
                read.least_bytes,
                text_in(language, "memory.read_least_note"),
                f"{grouped(read.bytes)} − {grouped(read.table_bytes)} + {grouped(read.rows_bytes)}",
            )
        )
    return lines


def floors_csv(headings: Sequence[str], found: Sequence[tuple[Gpu, Floor]], read: Read) -> str:
    """A row a GPU."""
    return csv_text(
        headings,
        [
            (
                gpu.name,
                gpu.bandwidth_bytes_per_second,
                read.weight_bytes,
                read.cache_bytes,
                of.seconds * 1000,
                of.tokens_per_second,
                of.least_seconds * 1000,
                "yes" if of.holds_weights else "no",
            )
            for gpu, of in found
        ],
    )


def floor_rows(
    language: str, model: Model, chosen: str, sizes: tuple[LineSize, ...], gpu: Gpu, batch: int, bits: Bits
) -> list[dict[str, object]]:
    """Tokens a second over the context: the chosen format, and a few others that the model has files in."""
    end = model.mixing.max_context or LONGEST_SHOWN
    contexts = sorted({1, *(max(1, round(end * step / POINTS)) for step in range(1, POINTS + 1))})
    rows: list[dict[str, object]] = []
    for order, name in enumerate(dict.fromkeys((chosen, *CURVES))):
        found = sizes if name == chosen else size_or_fault(model, name)
        if isinstance(found, ConfigError) or (name == "fp16" and chosen in ("bf16", "F16", "gguf-BF16")):
            continue
        weight_bytes = step_read(model, found, context=0, batch=batch).bytes
        title = title_in(language, name)
        for context in contexts:
            seconds = (weight_bytes + batch * cache_bytes_read(model.mixing, context, bits)) / gpu.bandwidth_bytes_per_second
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


def floor_chart(language: str):
    """Tokens a second against context, a line a format, named where it begins."""
    import altair

    base = altair.Chart(altair.Data(name="rows"))
    labels = "datum.value >= 1024 && datum.value % 1024 == 0 ? format(datum.value / 1024, ',') + 'k' : format(datum.value, ',')"
    across = altair.Axis(labelExpr=labels, labelAngle=0, grid=False, tickCount=6)
    x = altair.X("context:Q", title=text_in(language, "memory.axis_context"), axis=across, scale=altair.Scale(nice=False))
    up = altair.Axis(labelExpr="format(datum.value, ',')", labelAngle=0, tickCount=5)
    y = altair.Y("rate:Q", title=text_in(language, "memory.axis_rate"), axis=up, scale=altair.Scale(zero=True))
    names = [str(order) for order in range(len(DASHES))]
    colours = [MEMORY_COLOURS[kind] for kind in ("weights", "overhead", "optimizer", "activations", "gradients")]
    lines = base.mark_line(strokeWidth=2.5).encode(
        x=x,
        y=y,
        detail="format:N",
        color=altair.Color("order:N", scale=altair.Scale(domain=names, range=colours), legend=None),
        strokeDash=altair.StrokeDash("order:N", scale=altair.Scale(domain=names, range=list(DASHES)), legend=None),
        tooltip=[altair.Tooltip("format:N", title=" "), altair.Tooltip("written:N", title=" ")],
    )
    names_of_lines = base.transform_filter("datum.first").mark_text(align="left", dy=-9, dx=6, fontSize=13, fontWeight=600)
    return altair.layer(lines, names_of_lines.encode(x=x, y=y, text="format:N"))


def _row(language: str, gpu: Gpu, of: Floor, read: Read, most: float, chosen: bool, resident_bytes: int) -> str:
    bandwidth = grouped(gpu.bandwidth_bytes_per_second)
    steps = (
        f"({grouped(read.weight_bytes)} + {grouped(read.cache_bytes)}) B ÷ {bandwidth} B/s = {duration(language, of.seconds)}",
        text_in(language, "memory.floor_least", seconds=duration(language, of.least_seconds)),
        "" if of.holds_weights else text_in(language, "memory.floor_not_held", weights=gb_and_gib(resident_bytes)),
        text_in(language, "memory.gpu_source", source=gpu.source, caveat="") if gpu.source else "",
    )
    how = "".join(f"<p>{escape(step)}</p>" for step in steps if step)
    small = (
        duration(language, of.seconds)
        if of.holds_weights
        else f"{duration(language, of.seconds)} · {text_in(language, 'memory.not_held')}"
    )
    marked = " ".join(name for name, holds in (("current", chosen), ("not-held", not of.holds_weights)) if holds)
    return (
        f'<details class="{marked}" data-gpu="{escape(gpu.name)}"><summary><span class="what">{escape(gpu.name)}</span>'
        f'<span class="bits">{_bandwidth(gpu)}</span>'
        f'<span class="track" aria-hidden="true"><i style="width:{of.tokens_per_second / most * 100:.3f}%"></i></span>'
        f'<span class="figure" data-amount="{of.seconds:.9g}">{rounded(of.tokens_per_second)} token/s<small>{escape(small)}</small></span></summary>'
        f'<div class="how">{how}</div></details>'
    )


def _bandwidth(gpu: Gpu) -> str:
    return f"{gpu.bandwidth_gb_per_second:,} GB/s"


def _bytes(label: str, number: int, *steps: str) -> Line:
    return Line(label, number, "B", (*steps, f"= {grouped(number)} B"), shown=gigabytes(number), small=gibibytes(number))
