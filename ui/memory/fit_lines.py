"""Does it fit, in figures and in words: what fills a GPU's memory, the longest context, the largest batch, the story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

from calc.errors import ConfigError
from calc.gpus import Gpu, gpus
from calc.memory.fit import USUAL_FORMATS, Bounds, Demand, Fit
from calc.memory.tensor_parallel import checked_gpus
from calc.mixing.kv_cache import Bits, cache_by_kind
from calc.model import Model
from calc.weights.formats import arithmetic_on
from calc.weights.weights import LineSize
from ui.figures.worked import Line
from ui.html import Markup, headline, section, tag
from ui.memory.bytes_written import all_units, bytes_line, gb_and_gib, span
from ui.memory.gpu_bars import GpuBar, gpu_bar, verdict_sentence
from ui.memory.sizes import block_of, lines_or_fault
from ui.memory.titles import title_in
from ui.numbers import gibibytes, gigabytes, grouped, grouped_within
from ui.texts import text_in

MOST_SHARED = 256
"""GPUs: single matrices are not shared out to more."""


@dataclass(frozen=True)
class Workload:
    """What is to fit.

    sizes           the weights in `format`
    context, batch, gpus, cache_bits   as `calc.memory.fit.Demand` takes them
    """

    model: Model
    format: str
    sizes: tuple[LineSize, ...]
    context: int
    batch: int
    gpus: int
    cache_bits: Bits

    @cached_property
    def demand(self) -> Demand:
        """What it takes on each GPU."""
        return Demand(self.model, self.sizes, gpus=self.gpus, cache_bits=self.cache_bits)

    def on(self, gpu: Gpu) -> Fit:
        """On a GPU."""
        return self.demand.fit(gpu, self.context, self.batch)

    def longest_context(self, gpu: Gpu) -> Bounds:
        """Of `batch` sequences."""
        return self.demand.longest_context(gpu, self.batch)

    def largest_batch(self, gpu: Gpu) -> Bounds:
        """Of sequences of `context` tokens."""
        return self.demand.largest_batch(gpu, self.context)


def fit_headline(language: str, workload: Workload, gpu: Gpu, fit: Fit) -> Markup:
    """The verdict, largest; what is needed; how long a context and how large a batch."""
    text = partial(text_in, language)
    least, most = fit.left_bytes
    named = gpu.name if workload.gpus == 1 else f"{workload.gpus} × {gpu.name}"
    needed = span(*(fit.counted_bytes + overhead for overhead in fit.overhead_bytes))
    longest, batch = (bounds_written(language, of(gpu)) for of in (workload.longest_context, workload.largest_batch))
    return headline(
        ("total", text(f"memory.verdict.{fit.verdict}"), f"{named} · {verdict_sentence(language, fit)}"),
        ("part", needed, text("memory.head_needed", capacity=gb_and_gib(fit.capacity.high_bytes))),
        ("part", longest, text("memory.head_context", batch=grouped(workload.batch))),
        ("part", batch, text("memory.head_batch", context=grouped(workload.context))),
        data_verdict=fit.verdict,
        data_left=f"{least},{most}",
    )


def fit_lines(language: str, workload: Workload, gpu: Gpu, fit: Fit) -> list[Line]:
    """What fills the memory of each GPU, each line with its derivation."""
    text = partial(text_in, language)
    (smallest, largest), (least, most) = fit.overhead_bytes, fit.left_bytes
    low, high = fit.capacity.low_bytes, fit.capacity.high_bytes
    in_bytes = grouped(low) if low == high else f"{grouped(low)} … {grouped(high)}"
    kinds = cache_by_kind(workload.demand.mixing, workload.context, workload.batch, workload.cache_bits)
    of_kinds = [f"{kind.formula} = {grouped_within(kind.worked)} = {grouped(kind.bytes)} B" for kind in kinds]
    shared = text("memory.shared", gpus=grouped(workload.gpus)) if workload.gpus > 1 else ""
    return [
        bytes_line(
            text("memory.capacity", gpu=gpu.name),
            high,
            text(f"memory.basis.{fit.capacity.basis}"),
            f"{in_bytes} B",
            all_units(high),
        ),
        bytes_line(
            text("memory.kind.weights"),
            fit.weight_bytes,
            title_in(language, workload.format),
            f"Σ = {grouped(sum(size.bytes for size in workload.sizes))} B",
            shared,
        ),
        bytes_line(text("memory.kind.cache"), fit.cache_bytes + fit.state_bytes, *of_kinds, shared),
        bytes_line(
            text("memory.kind.activations"),
            fit.activations.bytes,
            text("memory.activations_note"),
            f"{fit.activations.formula} = {grouped_within(fit.activations.worked)}",
        ),
        overhead_line(language, smallest, largest),
        Line(
            text("memory.kind.free"),
            least,
            "B",
            (
                f"{grouped(low)} − {grouped(fit.counted_bytes)} − {grouped(largest)} = {_signed(least)} B",
                f"{grouped(high)} − {grouped(fit.counted_bytes)} − {grouped(smallest)} = {_signed(most)} B",
            ),
            shown=f"{_signed_gb(least)} … {_signed_gb(most)}",
        ),
    ]


def overhead_line(language: str, smallest: int, largest: int) -> Line:
    """The range of the overhead."""
    return Line(
        text_in(language, "memory.kind.overhead"),
        largest,
        "B",
        (text_in(language, "memory.overhead_note"),),
        shown=span(smallest, largest),
        small=f"{gibibytes(smallest)} – {gibibytes(largest)}",
    )


def bounds_lines(language: str, workload: Workload, gpu: Gpu) -> list[Line]:
    """The longest context and the largest batch, found by halving."""
    text = partial(text_in, language)
    token = text("memory.token_costs", bytes=grouped(workload.demand.bytes_per_token))
    steps = (text("memory.halving"), token, text("memory.bounds_range"))
    return [
        Line(text(key), "" if bounds.sure is None else bounds.sure, unit, steps, shown=bounds_written(language, bounds))
        for key, bounds, unit in (
            ("memory.longest_context", workload.longest_context(gpu), "token"),
            ("memory.largest_batch", workload.largest_batch(gpu), ""),
        )
    ]


def bounds_written(language: str, bounds: Bounds) -> str:
    """`3,012 – 4,918`: with the largest overhead and with the smallest; at the model's own limit it says so."""
    if bounds.possible is None or bounds.sure is None:
        return text_in(language, "memory.unbounded")
    if not bounds.possible:
        return text_in(language, "memory.none_fits")
    if bounds.sure == bounds.possible:
        if bounds.limit is not None and bounds.sure == bounds.limit:
            return text_in(language, "memory.at_limit", limit=grouped(bounds.limit))
        return grouped(bounds.sure)
    return f"{grouped(bounds.sure)} – {grouped(bounds.possible)}"


def gpu_rows(language: str, workload: Workload, chosen: Gpu) -> list[GpuBar]:
    """A bar for every GPU of the list, the chosen one marked."""
    times = "" if workload.gpus == 1 else f"{workload.gpus} × "
    rows = []
    for gpu in (*gpus().values(), *(() if chosen.name in gpus() else (chosen,))):
        longest = bounds_written(language, workload.longest_context(gpu))
        row = gpu_bar(language, f"{times}{gpu.name}", workload.on(gpu), chosen=gpu.name == chosen.name)
        rows.append(replace(row, small=text_in(language, "memory.row_context", context=longest)))
    return rows


def format_rows(language: str, workload: Workload, gpu: Gpu) -> list[GpuBar]:
    """A bar for each usual format on the chosen GPU; formats that the model has no file in are left out."""
    rows = []
    for name in dict.fromkeys((workload.format, *USUAL_FORMATS)):
        sizes = lines_or_fault(workload.model, name)
        if not isinstance(sizes, ConfigError):
            fit = workload.demand.in_format(sizes).fit(gpu, workload.context, workload.batch)
            rows.append(gpu_bar(language, title_in(language, name), fit, chosen=name == workload.format))
    return sorted(rows, key=lambda row: -row.stretches[0].bytes)


def fewest_gpus(workload: Workload, gpu: Gpu) -> Fit | None:
    """On the smallest power of two of such GPUs that the model's heads share out to and that hold it; None where none does."""
    number = 2
    while number <= MOST_SHARED:
        try:
            fit = replace(workload, gpus=checked_gpus(workload.model.mixing, number)).on(gpu)
        except ConfigError:
            return None
        if number > workload.gpus and fit.verdict == "fits":
            return fit
        number *= 2
    return None


def story(language: str, title: str, workload: Workload, gpu: Gpu, fit: Fit, formats: list[GpuBar]) -> Markup:
    """The same as sentences, one after another."""
    text = partial(text_in, language)
    names = {"title": title, "gpu": gpu.name, "gpus": grouped(workload.gpus), "format": title_in(language, workload.format)}
    sentences = [*_story_of_memory(language, workload, gpu, fit, names)]
    if arithmetic_on(block_of(workload.format), gpu.native) == "emulated":
        sentences.append(text("memory.story_emulated", **names))
    elif gpu.native.get("bf16") is False:
        sentences.append(text("memory.story_no_bf16", **names))
    if fit.verdict != "fits":
        sentences += _story_of_remedies(language, workload, gpu, formats, names)
    return section(text("memory.story_title", **names), tag("ol", *(tag("li", each) for each in sentences)), class_="story")


def _story_of_memory(language: str, workload: Workload, gpu: Gpu, fit: Fit, names: dict[str, str]) -> Iterator[str]:
    text = partial(text_in, language)
    capacity, (smallest, largest) = fit.capacity.high_bytes, fit.overhead_bytes
    key = "memory.story_weights" if workload.gpus == 1 else "memory.story_weights_shared"
    yield text(key, weights=gb_and_gib(fit.weight_bytes), capacity=gb_and_gib(capacity), **names)
    after = capacity - fit.weight_bytes
    if after <= 0:
        yield text("memory.story_too_large", lacks=gigabytes(-after))
        return
    yield text("memory.story_left", left=gigabytes(after))
    yield text("memory.story_overhead", low=_signed_gb(after - largest), high=_signed_gb(after - smallest))
    yield text(
        "memory.story_cache",
        per_token=grouped(workload.demand.bytes_per_token),
        context=grouped(workload.context),
        batch=grouped(workload.batch),
        cache=gigabytes(fit.cache_bytes + fit.state_bytes),
        longest=bounds_written(language, workload.longest_context(gpu)),
    )


def _story_of_remedies(
    language: str, workload: Workload, gpu: Gpu, formats: list[GpuBar], names: dict[str, str]
) -> Iterator[str]:
    fitting = [row.title for row in formats if row.verdict == "fits"]
    key = "memory.story_formats" if fitting else "memory.story_no_format"
    yield text_in(language, key, formats=text_in(language, "frame.comma").join(fitting), **names)
    more = fewest_gpus(workload, gpu)
    if more:
        shared = {"gpus": grouped(more.gpus), "left": gigabytes(more.left_bytes[0]), "gpu": gpu.name}
        yield text_in(language, "memory.story_gpus", **shared)


def _signed(number: int) -> str:
    return grouped(number) if number >= 0 else f"−{grouped(-number)}"


def _signed_gb(number: int) -> str:
    return gigabytes(number) if number >= 0 else f"−{gigabytes(-number)}"
