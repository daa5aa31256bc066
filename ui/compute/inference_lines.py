"""Inference in figures: what a request costs, what a GPU must at least read and multiply for it, and a day of requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from calc.compute.flops import generation_flops, matmul_flops_by_part, matmul_flops_per_token, prefill_flops, rule_2n
from calc.compute.inference import (
    Request,
    Setting,
    Step,
    Traffic,
    decode_step,
    request,
    ridge_point,
    traffic,
    weights_by_bandwidth_seconds,
)
from calc.compute.recurrence import recurrence_flops_per_token
from calc.compute.si_prefixes import si
from calc.compute.traffic import bytes_of, weights_read
from calc.mixing.kv_cache import kv_bytes, state_bytes
from calc.model import Model
from ui.compute.derivations import causal_steps
from ui.figures.worked import Line, flops_line
from ui.figures.written import DAY, both, duration, rounded
from ui.html import Markup, headline, tag
from ui.numbers import gibibytes, gigabytes, grouped
from ui.texts import text_in


@dataclass(frozen=True, slots=True)
class Workload:
    """What a reader wants served.

    prompt, generated   tokens of a request
    requests            a day
    batch               requests at a time
    """

    prompt: int
    generated: int
    requests: int
    batch: int

    @property
    def context(self) -> int:
        """Tokens of a request when it ends."""
        return self.prompt + self.generated


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a workload takes on a GPU.

    batch   requests at a time, prefill and all passes that generate
    last    the last of these passes, whose cache is the longest
    day     of requests
    """

    batch: Request
    last: Step
    day: Traffic

    @classmethod
    def of(cls, model: Model, setting: Setting, workload: Workload) -> Self:
        """Work it out. Raises ConfigError: gpu_without_peak, and all that `Model.mixing` raises."""
        batch = request(model, setting, workload.prompt, workload.generated, workload.batch)
        last = decode_step(model, setting, workload.context, workload.batch)
        return cls(batch, last, traffic(batch, workload.batch, workload.requests))


def request_lines(language: str, model: Model, workload: Workload) -> list[Line]:
    """FLOPs of one request, exact and by the rule, and of a day."""
    passes = max(workload.generated - 1, 0)
    n = grouped(model.active_parameters)
    prompt = grouped(workload.prompt)
    by_rule = rule_2n(model.active_parameters)
    rules = [
        flops_line(
            text_in(language, f"inference.rule_{name}"), by_rule * tokens, f"2 × N × {symbol} = 2 × {n} × {grouped(tokens)}"
        )
        for name, symbol, tokens in (("prefill", "P", workload.prompt), ("decode", "G", workload.generated))
    ]
    if model.mixing_fault:
        return rules
    first = prefill_flops(model, workload.prompt, last_scores_only=True)
    after = generation_flops(model, workload.prompt, passes)
    total = first.total + after.total
    a_token = matmul_flops_per_token(model) + recurrence_flops_per_token(model.mixing)
    head = matmul_flops_by_part(model)["lm_head"]
    matrices = text_in(language, "compute.matmul_short")
    product = f"{prompt} × {grouped(a_token)} − {grouped(workload.prompt - 1)} × {grouped(head)}"
    prefill = f"{matrices} {product} = {grouped(first.matmul + first.recurrence)}"
    decode = f"{matrices} {grouped(passes)} × {grouped(a_token)} = {grouped(after.matmul + after.recurrence)}"
    return [
        flops_line(
            text_in(language, "inference.prefill_flops"),
            first.total,
            text_in(language, "inference.prefill_rule", tokens=prompt),
            prefill,
            *causal_steps(language, model.mixing, workload.prompt),
        ),
        flops_line(
            text_in(language, "inference.decode_flops"),
            after.total,
            text_in(language, "inference.decode_rule", tokens=grouped(passes)),
            decode,
            *causal_steps(language, model.mixing, passes, workload.prompt, "absorbed"),
        ),
        flops_line(text_in(language, "inference.request_flops"), total, f"{grouped(first.total)} + {grouped(after.total)}"),
        *rules,
        flops_line(
            text_in(language, "inference.day_flops"),
            total * workload.requests,
            f"{grouped(total)} × {grouped(workload.requests)}",
        ),
    ]


def bound_lines(language: str, model: Model, setting: Setting, workload: Workload, estimate: Estimate) -> list[Line]:
    """Lower bounds of time, and how each follows from peak and bandwidth."""
    first, last, seconds = estimate.batch.prefill, estimate.last, estimate.batch.seconds
    per_second = workload.batch / last.seconds
    return [
        _time(language, "inference.ttft", first.seconds, *step_steps(language, first, setting)),
        _time(language, "inference.per_token", last.seconds, *step_steps(language, last, setting)),
        Line(
            text_in(language, "inference.tokens_per_second"),
            per_second,
            "token/s",
            (f"{grouped(workload.batch)} ÷ {duration(language, last.seconds)}",),
            shown=f"{rounded(per_second)} token/s",
        ),
        _time(
            language,
            "inference.request_seconds",
            seconds,
            f"{duration(language, first.seconds)} + {duration(language, estimate.batch.decode.seconds)}",
            text_in(language, "inference.request_seconds_rule", passes=grouped(max(workload.generated - 1, 0))),
        ),
        floor_line(language, model, setting),
        Line(
            text_in(language, "inference.day_gpus"),
            estimate.day.gpus,
            "GPU",
            (
                f"{grouped(workload.requests)} ÷ {grouped(workload.batch)} × {duration(language, seconds)} ÷ {grouped(DAY)} s",
                text_in(language, "inference.day_gpus_note"),
            ),
            shown=f"{rounded(estimate.day.gpus)} GPU",
        ),
    ]


def floor_line(language: str, model: Model, setting: Setting) -> Line:
    """The rule of thumb for the time of a token, which needs no peak: bytes of the weights ÷ bandwidth."""
    seconds = weights_by_bandwidth_seconds(model, setting.gpu, setting.weight_bits)
    divided = (
        f"{grouped(bytes_of(model.parameters, setting.weight_bits))} B ÷ {grouped(setting.gpu.bandwidth_bytes_per_second)} B/s"
    )
    steps = (divided, text_in(language, "inference.rule_floor_note"))
    return Line(text_in(language, "inference.rule_floor"), seconds, "s", steps, shown=duration(language, seconds))


def memory_lines(language: str, model: Model, setting: Setting, workload: Workload) -> list[Line]:
    """What has to lie in the GPU's memory, and what a token's pass reads of it."""
    weights = bytes_of(model.parameters, setting.weight_bits)
    bits = _bits(setting)
    lines = [
        _bytes(text_in(language, "inference.weights"), weights, f"N × {bits} ÷ 8 = {grouped(model.parameters)} × {bits} ÷ 8")
    ]
    mixing = model.mixing_if_described
    if mixing is None:
        return lines
    cache = kv_bytes(mixing, workload.context, workload.batch, setting.cache_bits) + state_bytes(
        mixing, workload.batch, setting.cache_bits
    )
    rule = text_in(language, "inference.cache_rule", batch=grouped(workload.batch), context=grouped(workload.context))
    lines.append(_bytes(text_in(language, "inference.cache"), cache, rule))
    lines.append(_bytes(text_in(language, "inference.needed"), weights + cache, f"{grouped(weights)} + {grouped(cache)}"))
    read = weights_read(model.tensors, workload.batch)
    if read.least != read.most:
        for name, numbers in (("least", read.least), ("expected", read.expected), ("most", read.most)):
            label, note = (text_in(language, f"inference.experts_{name}{end}") for end in ("", "_note"))
            lines.append(_bytes(label, bytes_of(numbers, setting.weight_bits), note))
    return lines


def fits(language: str, setting: Setting, lines: list[Line]) -> str:
    """Whether one GPU holds what `memory_lines` say there is, in words."""
    needed = max(line.amount for line in lines if isinstance(line.amount, int))
    key = "inference.fits" if needed <= setting.gpu.memory_bytes else "inference.fits_not"
    return text_in(language, key, gpu=setting.gpu.name, memory=gigabytes(setting.gpu.memory_bytes), needed=gigabytes(needed))


def step_steps(language: str, step: Step, setting: Setting) -> tuple[str, ...]:
    """The two limits of a pass, and which holds."""
    peak, bandwidth = setting.gpu.peak_flops_per_second(), setting.gpu.bandwidth_bytes_per_second
    moved = f"{grouped(step.weight_bytes)} + {grouped(step.cache_bytes)}"
    holds = text_in(language, f"inference.bound_{step.bound}")
    return (
        f"{grouped(step.flops)} FLOP ÷ {si(peak, 'FLOP/s')} = {duration(language, step.compute_seconds)}",
        f"({moved}) B ÷ {si(bandwidth, 'B/s')} = {duration(language, step.memory_seconds)}",
        text_in(language, "inference.reads_note"),
        f"{grouped(step.flops)} ÷ {grouped(step.bytes)} = {rounded(step.intensity)} FLOP/B",
        text_in(language, "inference.larger", bound=holds),
    )


def inference_headline(language: str, setting: Setting, workload: Workload, estimate: Estimate) -> Markup:
    """The time of a token, largest; the time to the first; FLOPs of a request."""
    first, last = estimate.batch.prefill, estimate.last
    return headline(
        ("total", duration(language, last.seconds), text_in(language, "inference.head_token", gpu=setting.gpu.name)),
        ("part", duration(language, first.seconds), text_in(language, "inference.head_ttft")),
        (
            "part",
            f"{rounded(workload.batch / last.seconds)} token/s",
            text_in(language, "inference.head_rate", batch=grouped(workload.batch)),
        ),
        (
            "part",
            si(estimate.batch.flops / workload.batch),
            text_in(language, "inference.head_request", flops=both(estimate.day.flops)),
        ),
    )


def bound_sentences(language: str, setting: Setting, estimate: Estimate) -> Markup:
    """In words: what bounds prefill and decode, and by how much."""
    ridge = ridge_point(setting.gpu)
    sentences = []
    for name, step in (("prefill", estimate.batch.prefill), ("decode", estimate.last)):
        sentence = text_in(
            language,
            f"inference.{name}_{step.bound}",
            intensity=rounded(step.intensity),
            ridge=rounded(ridge),
            share=rounded(100 * min(1, step.intensity / ridge)),
        )
        sentences.append(tag("p", sentence, class_=f"bound-{step.bound}"))
    return tag("div", *sentences, class_="bounds")


def _time(language: str, key: str, seconds: float, *steps: str) -> Line:
    return Line(text_in(language, key), seconds, "s", steps, shown=f"≥ {duration(language, seconds)}")


def _bytes(label: str, number: int, *steps: str) -> Line:
    return Line(label, number, "B", (*steps, f"= {grouped(number)} B"), shown=gigabytes(number), small=gibibytes(number))


def _bits(setting: Setting) -> str:
    return f"{float(setting.weight_bits):g}"
