"""A training run in figures: 6ND beside the exact count, what it takes on GPUs, and what the laws say of its size."""

from __future__ import annotations

from dataclasses import dataclass

from calc.compute.scaling import (
    TOKENS_PER_PARAMETER,
    Allocation,
    LossLaw,
    chinchilla_optimum,
    chinchilla_tokens,
    over_training_factor,
)
from calc.compute.si_prefixes import scientific, si
from calc.compute.training import Recomputation, TrainingFlops, exact_training_flops, training_flops, training_time
from calc.gpus import Gpu, find_gpu
from calc.model import Model
from ui.figures.worked import Line, large_flops_line
from ui.figures.written import DAY, YEAR, duration, exact, rounded, tokens_written
from ui.frame.fields import FIRST_GPU
from ui.html import Markup, headline
from ui.numbers import grouped, percent
from ui.texts import text_in

CHINCHILLA = "Hoffmann et al. 2022, arXiv:2203.15556"


@dataclass(frozen=True, slots=True)
class Run:
    """A training run as a reader asks for it.

    tokens          D
    context         tokens of a sequence
    recomputation   what the backward pass computes again
    gpu, gpus       on how many of which
    utilisation     share of the peak, 0 … 1
    price           of a GPU for an hour, in a currency of the reader's
    """

    tokens: int
    context: int
    recomputation: Recomputation
    gpu: Gpu
    gpus: int
    utilisation: float
    price: float


def exact_flops(model: Model, run: Run) -> TrainingFlops | None:
    """The exact count, None where it is not described how the tokens meet."""
    if model.mixing_fault:
        return None
    return exact_training_flops(model, run.tokens, run.context, run.recomputation)


def training_headline(language: str, model: Model, run: Run, counted: TrainingFlops | None) -> Markup:
    """6ND, largest; the exact count; days on one A100; days and cost on the chosen GPUs."""

    def say(key: str, **names: object) -> str:
        return text_in(language, f"training.head_{key}", **names)

    rule = training_flops(model.active_parameters, run.tokens)
    figures = [("total", f"{scientific(rule)} FLOP", say("rule", si=si(rule), tokens=tokens_written(run.tokens)))]
    if counted is not None:
        ratio = rounded(counted.model_flops / rule)
        figures.append(("part", scientific(counted.model_flops), say("exact", ratio=ratio)))
    seconds = one_gpu_seconds(rule, run.utilisation)
    one_gpu = say("a100", days=rounded(seconds / DAY), share=percent(run.utilisation, 1))
    figures.append(("part", duration(language, seconds), one_gpu))
    if run.gpu.dense_tflops:
        time = training_time(rule, run.gpu.peak_flops_per_second(), run.utilisation, run.gpus, run.price)
        all_gpus = say("time", gpus=grouped(run.gpus), gpu=run.gpu.name, cost=rounded(time.cost or 0))
        figures.append(("part", duration(language, time.days * DAY), all_gpus))
    return headline(*figures)


def one_gpu_seconds(flops: int, utilisation: float) -> float:
    """Seconds on one A100, the GPU everybody knows."""
    return training_time(flops, find_gpu(FIRST_GPU).peak_flops_per_second(), utilisation).gpu_hours * 3600


def compute_lines(language: str, model: Model, run: Run, counted: TrainingFlops | None) -> list[Line]:
    """6ND and the exact count, its parts, and their ratio."""

    def say(key: str, **names: object) -> str:
        return text_in(language, f"training.{key}", **names)

    rule = training_flops(model.active_parameters, run.tokens)
    product = f"6 × N × D = 6 × {grouped(model.active_parameters)} × {grouped(run.tokens)}"
    note = "" if model.active_parameters == model.parameters else text_in(language, "compute.active_note")
    lines = [large_flops_line(say("rule"), rule, product, note)]
    if counted is None:
        return lines
    forward, of_model = grouped(counted.forward), grouped(counted.model_flops)
    ratio = counted.model_flops / rule
    lines += [
        large_flops_line(say("forward"), counted.forward, say("forward_rule", context=grouped(run.context))),
        large_flops_line(say("backward"), counted.backward, f"2 × {forward}", say("backward_rule")),
        large_flops_line(say("model_flops"), counted.model_flops, f"3 × {forward}"),
        Line(say("ratio"), ratio, "", (f"{of_model} ÷ {grouped(rule)}",), shown=f"{rounded(ratio, 4)} ×"),
    ]
    if run.recomputation != "none":
        total = f"{of_model} + {grouped(counted.recomputed)}"
        lines += [
            large_flops_line(say("recomputed"), counted.recomputed, say(f"recomputed_{run.recomputation}")),
            large_flops_line(say("total"), counted.total, total),
        ]
    return lines


def time_lines(language: str, model: Model, run: Run, counted: TrainingFlops | None) -> list[Line]:
    """GPU-hours, days and cost by the rule and by the exact count, and the days on one A100."""

    def line(key: str, amount: float, unit: str, shown: str, *steps: str, small: str = "") -> Line:
        return Line(text_in(language, f"training.{key}"), amount, unit, steps, shown, small)

    rule = training_flops(model.active_parameters, run.tokens)
    share, one = percent(run.utilisation, 1), one_gpu_seconds(rule, run.utilisation)
    divided = f"{scientific(rule, 4)} ÷ (312 TFLOP/s × {share}) ÷ 86,400 s"
    days, small = text_in(language, "compute.days", number=rounded(one / DAY)), duration(language, one)
    lines = [line("one_a100", one / DAY, "day", days, divided, small=small if one >= 2 * YEAR else "")]
    if not run.gpu.dense_tflops:
        return lines
    peak = run.gpu.peak_flops_per_second()
    for way, flops in (("rule", rule), ("exact", counted and counted.total)):
        if flops is None:
            continue
        time = training_time(flops, peak, run.utilisation, run.gpus, run.price)
        hours, cost = f"{rounded(time.gpu_hours)} GPU·h", time.cost or 0
        divided = f"{scientific(flops, 4)} ÷ ({si(peak, 'FLOP/s')} × {share}) ÷ 3,600 s"
        shared, note = f"{hours} ÷ {grouped(run.gpus)} GPU ÷ 24 h", text_in(language, "training.cost_note")
        lines += [
            line(f"hours_{way}", time.gpu_hours, "GPU-hour", hours, divided),
            line(f"days_{way}", time.days, "day", duration(language, time.days * DAY), shared),
            line(f"cost_{way}", cost, "", rounded(cost), f"{hours} × {run.price:g}", note),
        ]
    return lines


def rule_lines(language: str, model: Model, run: Run) -> list[Line]:
    """The rule of 20 tokens a parameter: what it gives this size, and how over-trained the run is by it."""
    n, tokens = model.active_parameters, run.tokens
    rule, best = chinchilla_tokens(n), chinchilla_optimum(training_flops(n, tokens))
    steps = (f"N = √(C ÷ (6 × {TOKENS_PER_PARAMETER})), D = {TOKENS_PER_PARAMETER} × N", CHINCHILLA)
    return [
        _tokens(language, rule, f"{TOKENS_PER_PARAMETER} × N = {TOKENS_PER_PARAMETER} × {grouped(n)}", CHINCHILLA),
        _factor(language, over_training_factor(n, tokens), f"{grouped(tokens)} ÷ {grouped(rule)}"),
        _best_spent(language, best, *steps),
    ]


def law_lines(language: str, model: Model, run: Run, law: LossLaw) -> list[Line]:
    """What a law gives this size, how over-trained the run is by it, and the losses it predicts."""
    n, tokens = model.active_parameters, run.tokens
    budget = training_flops(n, tokens)
    of_size, best, loss = law.optimum_of_size(n), law.optimum(budget), law.loss(n, tokens)
    balance = "N = G·(C ÷ 6)^(β ÷ (α + β)), D = C ÷ (6·N), G = (α·A ÷ (β·B))^(1 ÷ (α + β))"
    fitted = f"E = {law.irreducible:g}, A = {law.parameter_scale:g}, B = {law.token_scale:g}, α = {law.alpha:g}, β = {law.beta:g}"
    of_parameters, of_tokens = f"{grouped(n)}^{law.alpha:g}", f"{grouped(tokens)}^{law.beta:g}"
    numbers = f"{law.irreducible:g} + {law.parameter_scale:g} ÷ {of_parameters} + {law.token_scale:g} ÷ {of_tokens}"
    sizes = {"parameters": exact(round(best.parameters)), "tokens": exact(round(best.tokens))}
    least = text_in(language, "training.best_note", flops=scientific(budget), **sizes)
    return [
        _tokens(language, of_size.tokens, balance, fitted, law.source),
        _factor(language, tokens / of_size.tokens, f"{grouped(tokens)} ÷ {grouped(round(of_size.tokens))}"),
        _best_spent(language, best, balance, least, fitted, law.source),
        _loss(language, "loss", loss, "L(N, D) = E + A ÷ N^α + B ÷ D^β", numbers, law.source),
        _loss(language, "loss_best", best.loss or 0, least, fitted, law.source),
    ]


def _tokens(language: str, tokens: float, *steps: str) -> Line:
    number = round(tokens)
    return Line(text_in(language, "training.for_size"), number, "token", steps, f"{tokens_written(tokens)} token", exact(number))


def _factor(language: str, factor: float, *steps: str) -> Line:
    return Line(text_in(language, "training.over"), factor, "", steps, shown=f"{rounded(factor)} ×")


def _best_spent(language: str, best: Allocation, *steps: str) -> Line:
    shown = f"N {tokens_written(best.parameters)} · D {tokens_written(best.tokens)}"
    return Line(text_in(language, "training.best_spent"), best.parameters, "parameter", steps, shown)


def _loss(language: str, key: str, loss: float, *steps: str) -> Line:
    return Line(text_in(language, f"training.{key}"), loss, "nat/token", steps, shown=f"{loss:.3f} nat")
