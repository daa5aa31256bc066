"""1N, 2N and 6N side by side: each rule of thumb with the exact count of the same thing."""

from __future__ import annotations

from fractions import Fraction

from calc.compute.attention import attention_flops_per_token, causal_attention_flops_per_token
from calc.compute.flops import forward_total, matmul_flops_per_token, square_forward_total
from calc.compute.recurrence import recurrence_flops_per_token
from calc.compute.rule_difference import gap_from_rule
from calc.model import Model
from calc.tensors import Part
from ui.comparison.waterfall import Bar, waterfall
from ui.compute.derivations import attention_steps, causal_steps, matmul_steps
from ui.figures.worked import Line, flops_line, worked_list
from ui.figures.written import exact, rounded, si
from ui.html import Markup, headline, tag
from ui.numbers import grouped
from ui.texts import text_in

RULES = (1, 2, 6)
"""FLOPs a parameter: multiplications alone, forward, forward and backward."""
_PART_OF: dict[str, Part] = {
    "unchosen_experts": "ffn",
    "lookup": "embedding",
    "vectors": "norm",
    "tied": "lm_head",
    "attention": "attention",
    "recurrence": "attention",
}


def exact_per_token(model: Model, context: int) -> int:
    """All FLOPs of the token that attends to `context` positions; in matrices alone where more is not described."""
    matmul, mixing = matmul_flops_per_token(model), model.mixing_if_described
    if mixing is None:
        return matmul
    return matmul + attention_flops_per_token(mixing, context) + recurrence_flops_per_token(mixing)


def flops_headline(language: str, model: Model, context: int) -> Markup:
    """The exact matrix products of a token, largest on the page; attention beside it, and the ratio to 2N."""
    matmul, total = matmul_flops_per_token(model), exact_per_token(model, context)
    figures = [("total", grouped(matmul), text_in(language, "compute.headline_matmul"))]
    if model.mixing_fault is None:
        ratio = _ratio(total, 2 * model.active_parameters)
        attention = text_in(language, "compute.headline_attention", context=grouped(context))
        figures.append(("part", f"+ {grouped(total - matmul)}", attention))
        figures.append(("part", f"= {si(total)}", text_in(language, "compute.headline_ratio", ratio=ratio)))
    return headline(*figures, data_total=matmul)


def convention_lines(language: str, model: Model, context: int, rule: int) -> list[Line]:
    """The lines of one convention: the rule, the exact matrices, attention in full and on average, and the ratios."""

    def line(key: str, flops: int | Fraction, *steps: str, **names: str) -> Line:
        return flops_line(text_in(language, f"compute.{key}", **names), flops, *steps)

    factor, shown_context = Fraction(rule, 2), grouped(context)
    times = "" if rule == 2 else text_in(language, f"compute.factor_{rule}n")
    n, active, mixing = model.parameters, model.active_parameters, model.mixing_if_described
    matmul, by_rule = matmul_flops_per_token(model), rule * active
    symbol, note = ("N", "") if active == n else ("N_active", text_in(language, "compute.active_note"))
    lines = [line("rule", by_rule, f"{rule} × {symbol} = {rule} × {grouped(active)}", note)]
    if active != n:
        all_steps = f"{rule} × N = {rule} × {grouped(n)}", text_in(language, "compute.all_experts_wrong")
        lines.append(line("rule_all", rule * n, *all_steps))
    lines.append(line("matmul", factor * matmul, *matmul_steps(language, model, times)))
    if mixing is None:
        return [*lines, _ratio_line(language, "compute.ratio_matmul", factor * matmul, by_rule)]
    full = factor * attention_flops_per_token(mixing, context)
    average = factor * causal_attention_flops_per_token(mixing, context)
    half = text_in(language, "compute.average_rule", context=shown_context, half=exact(Fraction(context + 1, 2)))
    average_steps = half, *causal_steps(language, mixing, context), f"÷ {shown_context}", times
    lines += [
        line("attention_full", full, *attention_steps(language, mixing, context), times, context=shown_context),
        line("attention_average", average, *average_steps, context=shown_context),
    ]
    if any(entry.kind == "latent" for entry in mixing.attention):
        absorbed = factor * attention_flops_per_token(mixing, context, "absorbed")
        lines.append(line("attention_absorbed", absorbed, *attention_steps(language, mixing, context, "absorbed"), times))
    recurrence = factor * recurrence_flops_per_token(mixing)
    if recurrence:
        lines.append(line("recurrence", recurrence, text_in(language, "compute.recurrence_rule"), times))
    matrices = factor * matmul + recurrence
    return [
        *lines,
        _ratio_line(language, "compute.ratio_full", matrices + full, by_rule),
        _ratio_line(language, "compute.ratio_average", matrices + average, by_rule),
    ]


def conventions(language: str, model: Model, context: int) -> Markup:
    """Three cards."""
    cards = (
        worked_list(text_in(language, f"compute.convention_{rule}n"), convention_lines(language, model, context, rule))
        for rule in RULES
    )
    return tag("div", *cards, class_="conventions")


def sequence_lines(language: str, model: Model, context: int) -> list[Line]:
    """The forward pass over a whole sequence: causal, and with all pairs computed and masked afterwards."""
    each = matmul_flops_per_token(model) + recurrence_flops_per_token(model.mixing)
    fixed, square = context * each, square_forward_total(model, context)
    matrices = f"{text_in(language, 'compute.matmul_short')} {grouped(context)} × {grouped(each)} = {grouped(fixed)}"
    pairs = text_in(language, "compute.square_rule", context=grouped(context))
    attention = f"{text_in(language, 'compute.attention_short')} {grouped(square - fixed)}"
    causal = causal_steps(language, model.mixing, context)
    return [
        flops_line(text_in(language, "compute.sequence_causal"), forward_total(model, context), matrices, *causal),
        flops_line(text_in(language, "compute.sequence_square"), square, pairs, matrices, attention),
    ]


def gap_figure(language: str, model: Model, context: int) -> Markup:
    """From 2N to the exact count, a bar a cause."""
    bars = [
        Bar(text_in(language, f"compute.gap.{cause}"), text_in(language, f"compute.gap_why.{cause}"), flops, _PART_OF.get(cause))
        for cause, flops in gap_from_rule(model, context).items()
    ]
    first = text_in(language, "compute.gap_first"), 2 * model.parameters
    last = text_in(language, "compute.gap_last"), exact_per_token(model, context)
    return waterfall(text_in(language, "compute.gap_title"), text_in(language, "compute.gap_note"), first, bars, last)


def _ratio(value: float | Fraction, by_rule: int) -> str:
    return rounded(float(Fraction(value) / by_rule), 4)


def _ratio_line(language: str, key: str, value: Fraction, by_rule: int) -> Line:
    ratio, step = float(value / by_rule), f"{exact(value)} ÷ {grouped(by_rule)}"
    return Line(text_in(language, key), ratio, "", (step,), shown=f"{_ratio(value, by_rule)} ×")
