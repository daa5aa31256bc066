"""A training run in figures: 6ND beside the exact count, what it takes on GPUs, and what the laws say of its size."""

from __future__ import annotations

from dataclasses import dataclass

from calc.compute.scaling import TOKENS_PER_PARAMETER, LossLaw, chinchilla_optimum, chinchilla_tokens, over_training_factor
from calc.compute.si_prefixes import scientific, si
from calc.compute.training import Recomputation, TrainingFlops, exact_training_flops, training_flops, training_time
from calc.gpus import Gpu, find_gpu
from calc.model import Model
from ui.figures.worked import Line, large_flops_line
from ui.figures.written import DAY, YEAR, duration, exact, rounded, tokens_written
from ui.frame.fields import FIRST_GPU
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
    if model.mixing_if_described is None:
        return None
    return exact_training_flops(model.tensors, model.mixing_if_described, run.tokens, run.context, run.recomputation)


def training_headline(language: str, model: Model, run: Run) -> str:
    """6ND, largest; the exact count; days on one A100; days and cost on the GPUs at hand."""
    rule, counted = training_flops(model.active_parameters, run.tokens), exact_flops(model, run)
    days = one_gpu_seconds(rule, run.utilisation) / DAY
    figures = [
        (
            "total",
            f"{scientific(rule)} FLOP",
            text_in(language, "training.head_rule", si=si(rule), tokens=tokens_written(run.tokens)),
        ),
        (
            "part",
            duration(language, days * DAY),
            text_in(language, "training.head_a100", days=rounded(days), share=percent(run.utilisation, 1)),
        ),
    ]
    if counted is not None:
        ratio = rounded(counted.model_flops / rule)
        figures.insert(1, ("part", scientific(counted.model_flops), text_in(language, "training.head_exact", ratio=ratio)))
    if run.gpu.dense_tflops:
        time = training_time(rule, run.gpu.peak_flops_per_second(), run.utilisation, run.gpus, run.price)
        said = text_in(language, "training.head_time", gpus=grouped(run.gpus), gpu=run.gpu.name, cost=rounded(time.cost or 0))
        figures.append(("part", duration(language, time.days * DAY), said))
    spans = "".join(
        f'<span class="figure"><span class="{css}">{value}</span><small>{said}</small></span>' for css, value, said in figures
    )
    return f'<div class="headline figures">{spans}</div>'


def one_gpu_seconds(flops: int, utilisation: float) -> float:
    """Seconds on one A100, the GPU everybody knows."""
    return training_time(flops, find_gpu(FIRST_GPU).peak_flops_per_second(), utilisation).gpu_hours * 3600


def compute_lines(language: str, model: Model, run: Run) -> list[Line]:
    """6ND and the exact count, its parts, and their ratio."""
    rule = training_flops(model.active_parameters, run.tokens)
    n, d = grouped(model.active_parameters), grouped(run.tokens)
    note = "" if model.active_parameters == model.parameters else text_in(language, "compute.active_note")
    lines = [large_flops_line(text_in(language, "training.rule"), rule, f"6 × N × D = 6 × {n} × {d}", note)]
    counted = exact_flops(model, run)
    if counted is None:
        return lines
    context = grouped(run.context)
    lines += [
        large_flops_line(
            text_in(language, "training.forward"), counted.forward, text_in(language, "training.forward_rule", context=context)
        ),
        large_flops_line(
            text_in(language, "training.backward"),
            counted.backward,
            f"2 × {grouped(counted.forward)}",
            text_in(language, "training.backward_rule"),
        ),
        large_flops_line(text_in(language, "training.model_flops"), counted.model_flops, f"3 × {grouped(counted.forward)}"),
        Line(
            text_in(language, "training.ratio"),
            counted.model_flops / rule,
            "",
            (f"{grouped(counted.model_flops)} ÷ {grouped(rule)}",),
            shown=f"{rounded(counted.model_flops / rule, 4)} ×",
        ),
    ]
    if run.recomputation != "none":
        how = text_in(language, f"training.recomputed_{run.recomputation}")
        lines += [
            large_flops_line(text_in(language, "training.recomputed"), counted.recomputed, how),
            large_flops_line(
                text_in(language, "training.total"),
                counted.total,
                f"{grouped(counted.model_flops)} + {grouped(counted.recomputed)}",
            ),
        ]
    return lines


def time_lines(language: str, model: Model, run: Run) -> list[Line]:
    """GPU-hours, days and cost by the rule and by the exact count, and the days on one A100."""
    rule, counted = training_flops(model.active_parameters, run.tokens), exact_flops(model, run)
    share = percent(run.utilisation, 1)
    one = one_gpu_seconds(rule, run.utilisation)
    lines = [
        Line(
            text_in(language, "training.one_a100"),
            one / DAY,
            "day",
            (f"{scientific(rule, 4)} ÷ (312 TFLOP/s × {share}) ÷ 86,400 s",),
            shown=text_in(language, "compute.days", number=rounded(one / DAY)),
            small=duration(language, one) if one >= 2 * YEAR else "",
        )
    ]
    if not run.gpu.dense_tflops:
        return lines
    peak = run.gpu.peak_flops_per_second()
    ways = [("rule", rule)] if counted is None else [("rule", rule), ("exact", counted.total)]
    for way, flops in ways:
        time = training_time(flops, peak, run.utilisation, run.gpus, run.price)
        hours = rounded(time.gpu_hours)
        lines += [
            Line(
                text_in(language, f"training.hours_{way}"),
                time.gpu_hours,
                "GPU-hour",
                (f"{scientific(flops, 4)} ÷ ({si(peak, 'FLOP/s')} × {share}) ÷ 3,600 s",),
                shown=f"{hours} GPU·h",
            ),
            Line(
                text_in(language, f"training.days_{way}"),
                time.days,
                "day",
                (f"{hours} GPU·h ÷ {grouped(run.gpus)} GPU ÷ 24 h",),
                shown=duration(language, time.days * DAY),
            ),
            Line(
                text_in(language, f"training.cost_{way}"),
                time.cost or 0,
                "",
                (f"{hours} GPU·h × {run.price:g}", text_in(language, "training.cost_note")),
                shown=rounded(time.cost or 0),
            ),
        ]
    return lines


def rule_lines(language: str, model: Model, run: Run) -> list[Line]:
    """The rule of 20 tokens a parameter: what it gives this size, and how over-trained the run is by it."""
    n, tokens = model.active_parameters, run.tokens
    rule, best = chinchilla_tokens(n), chinchilla_optimum(training_flops(n, tokens))
    written = f"N {tokens_written(best.parameters)} · D {tokens_written(best.tokens)}"
    steps = (f"N = √(C ÷ (6 × {TOKENS_PER_PARAMETER})), D = {TOKENS_PER_PARAMETER} × N", CHINCHILLA)
    return [
        _tokens(language, rule, f"{TOKENS_PER_PARAMETER} × N = {TOKENS_PER_PARAMETER} × {grouped(n)}", CHINCHILLA),
        _factor(language, over_training_factor(n, tokens), f"{grouped(tokens)} ÷ {grouped(rule)}"),
        Line(text_in(language, "training.best_spent"), best.parameters, "parameter", steps, shown=written),
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
    written = f"N {tokens_written(best.parameters)} · D {tokens_written(best.tokens)}"
    least = text_in(
        language,
        "training.best_note",
        flops=scientific(budget),
        parameters=exact(round(best.parameters)),
        tokens=exact(round(best.tokens)),
    )
    return [
        _tokens(language, of_size.tokens, balance, fitted, law.source),
        _factor(language, tokens / of_size.tokens, f"{grouped(tokens)} ÷ {grouped(round(of_size.tokens))}"),
        Line(
            text_in(language, "training.best_spent"),
            best.parameters,
            "parameter",
            (balance, least, fitted, law.source),
            shown=written,
        ),
        Line(
            text_in(language, "training.loss"),
            loss,
            "nat/token",
            ("L(N, D) = E + A ÷ N^α + B ÷ D^β", numbers, law.source),
            shown=f"{loss:.3f} nat",
        ),
        Line(
            text_in(language, "training.loss_best"),
            best.loss or 0,
            "nat/token",
            (least, fitted, law.source),
            shown=f"{best.loss:.3f} nat",
        ),
    ]


def _tokens(language: str, tokens: float, *steps: str) -> Line:
    number = round(tokens)
    return Line(text_in(language, "training.for_size"), number, "token", steps, f"{tokens_written(tokens)} token", exact(number))


def _factor(language: str, factor: float, *steps: str) -> Line:
    return Line(text_in(language, "training.over"), factor, "", steps, shown=f"{rounded(factor)} ×")
