"""Inference in figures: what a request costs, what a GPU must at least read and multiply for it, and a day of requests."""

from __future__ import annotations

from dataclasses import dataclass

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
from ui.numbers import gibibytes, gigabytes, grouped
from ui.texts import text_in


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader asks for.

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
class Answer:
    """What it takes on a GPU.

    served   the batch, prefill and all passes that generate
    last     the last of these passes, whose cache is the longest
    day      of requests
    """

    served: Request
    last: Step
    day: Traffic


def answer(model: Model, setting: Setting, asked: Asked) -> Answer:
    """Work it out. Raises ConfigError: gpu_without_peak."""
    served = request(model.tensors, model.mixing_if_described, setting, asked.prompt, asked.generated, asked.batch)
    last = decode_step(model.tensors, model.mixing_if_described, setting, asked.context, asked.batch)
    return Answer(served, last, traffic(served, asked.batch, asked.requests))


def request_lines(language: str, model: Model, asked: Asked) -> list[Line]:
    """FLOPs of one request, exact and by the rule, and of a day."""
    tensors, mixing = model.tensors, model.mixing_if_described
    passes = max(asked.generated - 1, 0)
    n = grouped(model.active_parameters)
    prompt, generated = grouped(asked.prompt), grouped(asked.generated)
    rules = [
        flops_line(
            text_in(language, "inference.rule_prefill"),
            rule_2n(model.active_parameters) * asked.prompt,
            f"2 × N × P = 2 × {n} × {prompt}",
        ),
        flops_line(
            text_in(language, "inference.rule_decode"),
            rule_2n(model.active_parameters) * asked.generated,
            f"2 × N × G = 2 × {n} × {generated}",
        ),
    ]
    if mixing is None:
        return rules
    first = prefill_flops(tensors, mixing, asked.prompt, last_scores_only=True)
    after = generation_flops(tensors, mixing, asked.prompt, passes)
    total = first.total + after.total
    a_token = matmul_flops_per_token(tensors, mixing) + recurrence_flops_per_token(mixing)
    head = matmul_flops_by_part(tensors, mixing)["lm_head"]
    matrices = text_in(language, "compute.matmul_short")
    product = f"{prompt} × {grouped(a_token)} − {grouped(asked.prompt - 1)} × {grouped(head)}"
    read = f"{matrices} {product} = {grouped(first.matmul + first.recurrence)}"
    made = f"{matrices} {grouped(passes)} × {grouped(a_token)} = {grouped(after.matmul + after.recurrence)}"
    return [
        flops_line(
            text_in(language, "inference.prefill_flops"),
            first.total,
            text_in(language, "inference.prefill_rule", tokens=prompt),
            read,
            *causal_steps(language, mixing, asked.prompt),
        ),
        flops_line(
            text_in(language, "inference.decode_flops"),
            after.total,
            text_in(language, "inference.decode_rule", tokens=grouped(passes)),
            made,
            *causal_steps(language, mixing, passes, asked.prompt, "absorbed"),
        ),
        flops_line(text_in(language, "inference.request_flops"), total, f"{grouped(first.total)} + {grouped(after.total)}"),
        *rules,
        flops_line(
            text_in(language, "inference.day_flops"), total * asked.requests, f"{grouped(total)} × {grouped(asked.requests)}"
        ),
    ]


def bound_lines(language: str, model: Model, setting: Setting, asked: Asked, found: Answer) -> list[Line]:
    """Lower bounds of time, and how each follows from peak and bandwidth."""
    first, last = found.served.prefill, found.last
    seconds = found.served.seconds
    per_second = asked.batch / last.seconds
    return [
        _time(language, "inference.ttft", first.seconds, *step_steps(language, first, setting)),
        _time(language, "inference.per_token", last.seconds, *step_steps(language, last, setting)),
        Line(
            text_in(language, "inference.tokens_per_second"),
            per_second,
            "token/s",
            (f"{grouped(asked.batch)} ÷ {duration(language, last.seconds)}",),
            shown=f"{rounded(per_second)} token/s",
        ),
        _time(
            language,
            "inference.request_seconds",
            seconds,
            f"{duration(language, first.seconds)} + {duration(language, found.served.decode.seconds)}",
            text_in(language, "inference.request_seconds_rule", passes=grouped(max(asked.generated - 1, 0))),
        ),
        floor_line(language, model, setting),
        Line(
            text_in(language, "inference.day_gpus"),
            found.day.gpus,
            "GPU",
            (
                f"{grouped(asked.requests)} ÷ {grouped(asked.batch)} × {duration(language, seconds)} ÷ {grouped(DAY)} s",
                text_in(language, "inference.day_gpus_note"),
            ),
            shown=f"{rounded(found.day.gpus)} GPU",
        ),
    ]


def floor_line(language: str, model: Model, setting: Setting) -> Line:
    """The rule of thumb for the time of a token, which needs no peak: bytes of the weights ÷ bandwidth."""
    seconds = weights_by_bandwidth_seconds(model.tensors, setting.gpu, setting.weight_bits)
    divided = (
        f"{grouped(bytes_of(model.parameters, setting.weight_bits))} B ÷ {grouped(setting.gpu.bandwidth_bytes_per_second)} B/s"
    )
    steps = (divided, text_in(language, "inference.rule_floor_note"))
    return Line(text_in(language, "inference.rule_floor"), seconds, "s", steps, shown=duration(language, seconds))


def memory_lines(language: str, model: Model, setting: Setting, asked: Asked) -> list[Line]:
    """What has to lie in the GPU's memory, and what a token's pass reads of it."""
    weights = bytes_of(model.parameters, setting.weight_bits)
    bits = _bits(setting)
    lines = [
        _bytes(text_in(language, "inference.weights"), weights, f"N × {bits} ÷ 8 = {grouped(model.parameters)} × {bits} ÷ 8")
    ]
    if model.mixing_if_described is None:
        return lines
    cache = kv_bytes(model.mixing_if_described, asked.context, asked.batch, setting.cache_bits) + state_bytes(
        model.mixing_if_described, asked.batch, setting.cache_bits
    )
    rule = text_in(language, "inference.cache_rule", batch=grouped(asked.batch), context=grouped(asked.context))
    lines.append(_bytes(text_in(language, "inference.cache"), cache, rule))
    lines.append(_bytes(text_in(language, "inference.needed"), weights + cache, f"{grouped(weights)} + {grouped(cache)}"))
    read = weights_read(model.tensors, asked.batch)
    if read.least != read.most:
        for name in ("least", "expected", "most"):
            read_bytes = bytes_of(getattr(read, name), setting.weight_bits)
            lines.append(
                _bytes(
                    text_in(language, f"inference.experts_{name}"),
                    read_bytes,
                    text_in(language, f"inference.experts_{name}_note"),
                )
            )
    return lines


def fits(language: str, setting: Setting, lines: list[Line]) -> str:
    """Whether one GPU holds what `memory_lines` say there is, in words."""
    needed = max(line.amount for line in lines)
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


def inference_headline(language: str, setting: Setting, asked: Asked, found: Answer) -> str:
    """The time of a token, largest; the time to the first; FLOPs of a request."""
    first, last = found.served.prefill, found.last
    figures = [
        ("total", duration(language, last.seconds), text_in(language, "inference.head_token", gpu=setting.gpu.name)),
        ("part", duration(language, first.seconds), text_in(language, "inference.head_ttft")),
        (
            "part",
            f"{rounded(asked.batch / last.seconds)} token/s",
            text_in(language, "inference.head_rate", batch=grouped(asked.batch)),
        ),
        ("part", si(found.served.flops / asked.batch), text_in(language, "inference.head_request", flops=both(found.day.flops))),
    ]
    spans = "".join(
        f'<span class="figure"><span class="{css}">{value}</span><small>{said}</small></span>' for css, value, said in figures
    )
    return f'<div class="headline figures">{spans}</div>'


def bound_sentences(language: str, setting: Setting, found: Answer) -> str:
    """In words: what bounds prefill and decode, and by how much."""
    ridge = ridge_point(setting.gpu)
    sentences = []
    for name, step in (("prefill", found.served.prefill), ("decode", found.last)):
        said = text_in(
            language,
            f"inference.{name}_{step.bound}",
            intensity=rounded(step.intensity),
            ridge=rounded(ridge),
            share=rounded(100 * min(1, step.intensity / ridge)),
        )
        sentences.append(f'<p class="bound-{step.bound}">{said}</p>')
    return f'<div class="bounds">{"".join(sentences)}</div>'


def _time(language: str, key: str, seconds: float, *steps: str) -> Line:
    return Line(text_in(language, key), seconds, "s", steps, shown=f"≥ {duration(language, seconds)}")


def _bytes(label: str, number: int, *steps: str) -> Line:
    return Line(label, number, "B", (*steps, f"= {grouped(number)} B"), shown=gigabytes(number), small=gibibytes(number))


def _bits(setting: Setting) -> str:
    return f"{float(setting.weight_bits):g}"
