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
from ui.html import Markup, headline, marked, tag
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

    def line(key: str, flops: int, *steps: str) -> Line:
        return flops_line(text_in(language, f"inference.{key}"), flops, *steps)

    n, prompt, generated = model.active_parameters, workload.prompt, workload.generated
    rules = [
        line(f"rule_{name}", rule_2n(n) * tokens, f"2 × N × {symbol} = 2 × {grouped(n)} × {grouped(tokens)}")
        for name, symbol, tokens in (("prefill", "P", prompt), ("decode", "G", generated))
    ]
    if model.mixing_fault:
        return rules
    passes = max(generated - 1, 0)
    first, after = prefill_flops(model, prompt, last_scores_only=True), generation_flops(model, prompt, passes)
    total = first.total + after.total
    a_token = grouped(matmul_flops_per_token(model) + recurrence_flops_per_token(model.mixing))
    head, matrices = grouped(matmul_flops_by_part(model)["lm_head"]), text_in(language, "compute.matmul_short")
    prefill = f"{grouped(prompt)} × {a_token} − {grouped(prompt - 1)} × {head} = {grouped(first.matmul + first.recurrence)}"
    decode = f"{grouped(passes)} × {a_token} = {grouped(after.matmul + after.recurrence)}"
    return [
        line(
            "prefill_flops",
            first.total,
            text_in(language, "inference.prefill_rule", tokens=grouped(prompt)),
            f"{matrices} {prefill}",
            *causal_steps(language, model.mixing, prompt),
        ),
        line(
            "decode_flops",
            after.total,
            text_in(language, "inference.decode_rule", tokens=grouped(passes)),
            f"{matrices} {decode}",
            *causal_steps(language, model.mixing, passes, prompt, "absorbed"),
        ),
        line("request_flops", total, f"{grouped(first.total)} + {grouped(after.total)}"),
        *rules,
        line("day_flops", total * workload.requests, f"{grouped(total)} × {grouped(workload.requests)}"),
    ]


def bound_lines(language: str, model: Model, setting: Setting, workload: Workload, estimate: Estimate) -> list[Line]:
    """Lower bounds of time, and how each follows from peak and bandwidth."""

    def line(key: str, amount: float, unit: str, shown: str, *steps: str) -> Line:
        return Line(text_in(language, f"inference.{key}"), amount, unit, steps, shown)

    def time(key: str, seconds: float, *steps: str) -> Line:
        return line(key, seconds, "s", f"≥ {duration(language, seconds)}", *steps)

    first, last, batch = estimate.batch.prefill, estimate.last, grouped(workload.batch)
    per_second, gpus = workload.batch / last.seconds, estimate.day.gpus
    one, then, in_all = (duration(language, each.seconds) for each in (first, estimate.batch.decode, estimate.batch))
    passes = text_in(language, "inference.request_seconds_rule", passes=grouped(max(workload.generated - 1, 0)))
    day = f"{grouped(workload.requests)} ÷ {batch} × {in_all} ÷ {grouped(DAY)} s"
    rate = f"{batch} ÷ {duration(language, last.seconds)}"
    return [
        time("ttft", first.seconds, *step_steps(language, first, setting)),
        time("per_token", last.seconds, *step_steps(language, last, setting)),
        line("tokens_per_second", per_second, "token/s", f"{rounded(per_second)} token/s", rate),
        time("request_seconds", estimate.batch.seconds, f"{one} + {then}", passes),
        floor_line(language, model, setting),
        line("day_gpus", gpus, "GPU", f"{rounded(gpus)} GPU", day, text_in(language, "inference.day_gpus_note")),
    ]


def floor_line(language: str, model: Model, setting: Setting) -> Line:
    """The rule of thumb for the time of a token, which needs no peak: bytes of the weights ÷ bandwidth."""
    seconds = weights_by_bandwidth_seconds(model, setting.gpu, setting.weight_bits)
    weights, bandwidth = bytes_of(model.parameters, setting.weight_bits), setting.gpu.bandwidth_bytes_per_second
    steps = (f"{grouped(weights)} B ÷ {grouped(bandwidth)} B/s", text_in(language, "inference.rule_floor_note"))
    return Line(text_in(language, "inference.rule_floor"), seconds, "s", steps, shown=duration(language, seconds))


def memory_lines(language: str, model: Model, setting: Setting, workload: Workload) -> list[Line]:
    """What has to lie in the GPU's memory, and what a token's pass reads of it."""

    def line(key: str, number: int, *steps: str) -> Line:
        exactly = f"= {grouped(number)} B"
        label = text_in(language, f"inference.{key}")
        return Line(label, number, "B", (*steps, exactly), shown=gigabytes(number), small=gibibytes(number))

    weights, bits = bytes_of(model.parameters, setting.weight_bits), f"{float(setting.weight_bits):g}"
    lines = [line("weights", weights, f"N × {bits} ÷ 8 = {grouped(model.parameters)} × {bits} ÷ 8")]
    mixing, context, batch = model.mixing_if_described, workload.context, workload.batch
    if mixing is None:
        return lines
    cache = kv_bytes(mixing, context, batch, setting.cache_bits) + state_bytes(mixing, batch, setting.cache_bits)
    lines.append(line("cache", cache, text_in(language, "inference.cache_rule", batch=grouped(batch), context=grouped(context))))
    lines.append(line("needed", weights + cache, f"{grouped(weights)} + {grouped(cache)}"))
    read = weights_read(model.tensors, batch)
    if read.least != read.most:
        for name, numbers in (("least", read.least), ("expected", read.expected), ("most", read.most)):
            note = text_in(language, f"inference.experts_{name}_note")
            lines.append(line(f"experts_{name}", bytes_of(numbers, setting.weight_bits), note))
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

    def say(key: str, **names: object) -> str:
        return text_in(language, f"inference.head_{key}", **names)

    first, last, batch = estimate.batch.prefill, estimate.last, workload.batch
    return headline(
        ("total", duration(language, last.seconds), say("token", gpu=setting.gpu.name)),
        ("part", duration(language, first.seconds), say("ttft")),
        ("part", f"{rounded(batch / last.seconds)} token/s", say("rate", batch=grouped(batch))),
        ("part", si(estimate.batch.flops / batch), say("request", flops=both(estimate.day.flops))),
    )


def bound_sentences(language: str, setting: Setting, estimate: Estimate) -> Markup:
    """In words: what bounds prefill and decode, and by how much."""
    ridge, sentences = ridge_point(setting.gpu), []
    for name, step in (("prefill", estimate.batch.prefill), ("decode", estimate.last)):
        figures = {"intensity": rounded(step.intensity), "ridge": rounded(ridge)}
        share = rounded(100 * min(1, step.intensity / ridge))
        sentence = marked(language, f"inference.{name}_{step.bound}", **figures, share=share)
        sentences.append(tag("p", sentence, class_=f"bound-{step.bound}"))
    return tag("div", *sentences, class_="bounds")
