"""Does it fit, in figures and in words: what stands in a GPU's memory, the longest context, the largest batch, the story."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape

from calc.errors import ConfigError
from calc.gpus import Gpu, gpus
from calc.memory.fit import USUAL_FORMATS, Bounds, Fit, Model, cache_bytes_per_token, fit, largest_batch, longest_context
from calc.memory.tensor_parallel import checked_gpus, mixing_of_a_gpu
from calc.mixing.kv_cache import Bits, cache_by_kind
from calc.weights.formats import arithmetic_on
from calc.weights.weights import LineSize
from ui.figures.worked import Line
from ui.memory.bytes_written import all_units, gb_and_gib, span
from ui.memory.gpu_bars import GpuBar, pieces_of, verdict_said
from ui.memory.sizes import block_of, size_or_fault
from ui.memory.titles import title_in
from ui.numbers import gibibytes, gigabytes, grouped, grouped_within
from ui.texts import text_in

MOST_SHARED = 256
"""GPUs: beyond so many nobody shares out single matrices."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to fit.

    sizes           the weights in `format`
    context, batch, gpus, cache_bits   as `calc.memory.fit.fit` takes them
    """

    model: Model
    format: str
    sizes: tuple[LineSize, ...]
    context: int
    batch: int
    gpus: int
    cache_bits: Bits

    def on(self, gpu: Gpu, sizes: tuple[LineSize, ...] | None = None) -> Fit:
        """On a GPU, in this format or another."""
        return fit(
            self.model,
            self.sizes if sizes is None else sizes,
            gpu,
            context=self.context,
            batch=self.batch,
            gpus=self.gpus,
            cache_bits=self.cache_bits,
        )

    def longest_context(self, gpu: Gpu) -> Bounds:
        """Of `batch` sequences."""
        return longest_context(self.model, self.sizes, gpu, batch=self.batch, gpus=self.gpus, cache_bits=self.cache_bits)

    def largest_batch(self, gpu: Gpu) -> Bounds:
        """Of sequences of `context` tokens."""
        return largest_batch(self.model, self.sizes, gpu, context=self.context, gpus=self.gpus, cache_bits=self.cache_bits)


def fit_headline(language: str, wanted: Wanted, gpu: Gpu, placed: Fit) -> str:
    """The verdict, largest; what is needed; how long a context and how large a batch."""
    least, most = placed.left_bytes
    named = gpu.name if wanted.gpus == 1 else f"{wanted.gpus} × {gpu.name}"
    needed = placed.counted_bytes + placed.overhead_bytes[0], placed.counted_bytes + placed.overhead_bytes[1]
    figures = [
        ("total", text_in(language, f"memory.verdict.{placed.verdict}"), f"{named} · {verdict_said(language, placed)}"),
        ("part", span(*needed), text_in(language, "memory.head_needed", capacity=gb_and_gib(placed.capacity.high_bytes))),
        (
            "part",
            bounds_written(language, wanted.longest_context(gpu)),
            text_in(language, "memory.head_context", batch=grouped(wanted.batch)),
        ),
        (
            "part",
            bounds_written(language, wanted.largest_batch(gpu)),
            text_in(language, "memory.head_batch", context=grouped(wanted.context)),
        ),
    ]
    spans = "".join(
        f'<span class="figure"><span class="{css}">{escape(value)}</span><small>{escape(said)}</small></span>'
        for css, value, said in figures
    )
    return f'<div class="headline figures" data-verdict="{placed.verdict}" data-left="{least},{most}">{spans}</div>'


def fit_lines(language: str, wanted: Wanted, gpu: Gpu, placed: Fit) -> list[Line]:
    """What stands in the memory of each GPU, each line with its derivation."""
    smallest, largest = placed.overhead_bytes
    low, high = placed.capacity.low_bytes, placed.capacity.high_bytes
    basis = text_in(language, f"memory.basis.{placed.capacity.basis}")
    in_bytes = grouped(low) if low == high else f"{grouped(low)} … {grouped(high)}"
    kinds = cache_by_kind(mixing_of_a_gpu(wanted.model.mixing, wanted.gpus), wanted.context, wanted.batch, wanted.cache_bits)
    of_kinds = tuple(f"{kind.formula} = {grouped_within(kind.worked)} = {grouped(kind.bytes)} B" for kind in kinds)
    shared = (text_in(language, "memory.shared", gpus=grouped(wanted.gpus)),) if wanted.gpus > 1 else ()
    least, most = placed.left_bytes
    lines = [
        _bytes(text_in(language, "memory.capacity", gpu=gpu.name), high, basis, f"{in_bytes} B", all_units(high)),
        _bytes(
            text_in(language, "memory.kind.weights"),
            placed.weight_bytes,
            title_in(language, wanted.format),
            f"Σ = {grouped(sum(size.bytes for size in wanted.sizes))} B",
            *shared,
        ),
        _bytes(text_in(language, "memory.kind.cache"), placed.cache_bytes + placed.state_bytes, *of_kinds, *shared),
        _bytes(
            text_in(language, "memory.kind.activations"),
            placed.activations.bytes,
            text_in(language, "memory.activations_note"),
            f"{placed.activations.formula} = {grouped_within(placed.activations.worked)}",
        ),
        Line(
            text_in(language, "memory.kind.overhead"),
            largest,
            "B",
            (text_in(language, "memory.overhead_note"),),
            shown=span(smallest, largest),
            small=f"{gibibytes(smallest)} – {gibibytes(largest)}",
        ),
        Line(
            text_in(language, "memory.kind.free"),
            least,
            "B",
            (
                f"{grouped(low)} − {grouped(placed.counted_bytes)} − {grouped(largest)} = {_signed(least)} B",
                f"{grouped(high)} − {grouped(placed.counted_bytes)} − {grouped(smallest)} = {_signed(most)} B",
            ),
            shown=f"{_signed_gb(least)} … {_signed_gb(most)}",
        ),
    ]
    return lines


def bounds_lines(language: str, wanted: Wanted, gpu: Gpu) -> list[Line]:
    """The longest context and the largest batch, found by halving."""
    per_token = cache_bytes_per_token(wanted.model, wanted.gpus, wanted.cache_bits)
    said = text_in(language, "memory.halving")
    token = text_in(language, "memory.token_costs", bytes=grouped(per_token))
    found = (
        ("memory.longest_context", wanted.longest_context(gpu), "token"),
        ("memory.largest_batch", wanted.largest_batch(gpu), ""),
    )
    return [
        Line(
            text_in(language, key),
            "" if bounds.sure is None else bounds.sure,
            unit,
            (said, token, text_in(language, "memory.bounds_range")),
            shown=bounds_written(language, bounds),
        )
        for key, bounds, unit in found
    ]


def bounds_written(language: str, bounds: Bounds) -> str:
    """`3,012 – 4,918`: with the largest overhead and with the smallest; at the model's own limit it says so."""
    if bounds.possible is None:
        return text_in(language, "memory.unbounded")
    if not bounds.possible:
        return text_in(language, "memory.none_fits")
    if bounds.sure == bounds.possible:
        if bounds.limit is not None and bounds.sure == bounds.limit:
            return text_in(language, "memory.at_limit", limit=grouped(bounds.limit))
        return grouped(bounds.sure)
    return f"{grouped(bounds.sure or 0)} – {grouped(bounds.possible)}"


def gpu_rows(language: str, wanted: Wanted, chosen: Gpu) -> list[GpuBar]:
    """A bar for every GPU of the list, the chosen one marked."""
    times = "" if wanted.gpus == 1 else f"{wanted.gpus} × "
    rows = []
    for gpu in (*gpus().values(), *(() if chosen.name in gpus() else (chosen,))):
        placed = wanted.on(gpu)
        rows.append(
            GpuBar(
                f"{times}{gpu.name}",
                pieces_of(placed),
                placed.capacity.high_bytes,
                placed.verdict,
                verdict_said(language, placed),
                text_in(language, "memory.row_context", context=bounds_written(language, wanted.longest_context(gpu))),
                gpu.name == chosen.name,
            )
        )
    return rows


def format_rows(language: str, wanted: Wanted, gpu: Gpu) -> list[GpuBar]:
    """A bar for each usual format on the chosen GPU; formats that the model has no file in are left out."""
    rows = []
    for name in dict.fromkeys((wanted.format, *USUAL_FORMATS)):
        sizes = size_or_fault(wanted.model, name)
        if isinstance(sizes, ConfigError):
            continue
        placed = wanted.on(gpu, sizes)
        title = title_in(language, name)
        rows.append(
            GpuBar(
                title,
                pieces_of(placed),
                placed.capacity.high_bytes,
                placed.verdict,
                verdict_said(language, placed),
                chosen=name == wanted.format,
            )
        )
    return sorted(rows, key=lambda row: -row.pieces[0].bytes)


def fewest_gpus(wanted: Wanted, gpu: Gpu) -> Fit | None:
    """On the smallest power of two of such GPUs that the model's heads share out to and that hold it; None where none does."""
    number = 2
    while number <= MOST_SHARED:
        try:
            placed = replace(wanted, gpus=checked_gpus(wanted.model.mixing, number)).on(gpu)
        except ConfigError:
            return None
        if number > wanted.gpus and placed.verdict == "fits":
            return placed
        number *= 2
    return None


def story(language: str, title: str, wanted: Wanted, gpu: Gpu, placed: Fit, formats: list[GpuBar]) -> str:
    """The same as sentences, one after another."""
    capacity, weights = placed.capacity.high_bytes, placed.weight_bytes
    smallest, largest = placed.overhead_bytes
    names = {"title": title, "gpu": gpu.name, "gpus": grouped(wanted.gpus), "format": title_in(language, wanted.format)}
    key = "memory.story_weights" if wanted.gpus == 1 else "memory.story_weights_shared"
    said = [text_in(language, key, weights=gb_and_gib(weights), capacity=gb_and_gib(capacity), **names)]
    after = capacity - weights
    if after <= 0:
        said.append(text_in(language, "memory.story_too_large", lacks=gigabytes(-after)))
    else:
        said.append(text_in(language, "memory.story_left", left=gigabytes(after)))
        said.append(
            text_in(language, "memory.story_overhead", low=_signed_gb(after - largest), high=_signed_gb(after - smallest))
        )
        per_token = cache_bytes_per_token(wanted.model, wanted.gpus, wanted.cache_bits)
        said.append(
            text_in(
                language,
                "memory.story_cache",
                per_token=grouped(per_token),
                context=grouped(wanted.context),
                batch=grouped(wanted.batch),
                cache=gigabytes(placed.cache_bytes + placed.state_bytes),
                longest=bounds_written(language, wanted.longest_context(gpu)),
            )
        )
    if arithmetic_on(block_of(wanted.format), gpu.native) == "emulated":
        said.append(text_in(language, "memory.story_emulated", **names))
    elif gpu.native.get("bf16") is False:
        said.append(text_in(language, "memory.story_no_bf16", **names))
    fitting = [row.title for row in formats if row.verdict == "fits"]
    if placed.verdict != "fits":
        key = "memory.story_formats" if fitting else "memory.story_no_format"
        said.append(text_in(language, key, formats=text_in(language, "frame.comma").join(fitting), **names))
        more = fewest_gpus(wanted, gpu)
        if more:
            said.append(
                text_in(language, "memory.story_gpus", gpus=grouped(more.gpus), left=gigabytes(more.left_bytes[0]), gpu=gpu.name)
            )
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in said)
    return f'<section class="story"><h2>{escape(text_in(language, "memory.story_title", **names))}</h2><ol>{items}</ol></section>'


def _bytes(label: str, number: int, *steps: str) -> Line:
    return Line(label, number, "B", (*steps, f"= {grouped(number)} B"), shown=gigabytes(number), small=gibibytes(number))


def _signed(number: int) -> str:
    return grouped(number) if number >= 0 else f"−{grouped(-number)}"


def _signed_gb(number: int) -> str:
    return gigabytes(number) if number >= 0 else f"−{gigabytes(-number)}"
