"""1N, 2N and 6N side by side: each rule of thumb beside the exact count of the same thing."""

from __future__ import annotations

from fractions import Fraction

from calc.compute.attention import attention_flops_per_token, causal_attention_flops_per_token
from calc.compute.flops import forward_total, matmul_flops_per_token, square_forward_total
from calc.compute.recurrence import recurrence_flops_per_token
from calc.compute.rule_difference import gap_from_rule
from calc.model import Model
from ui.comparison.waterfall import Bar, waterfall
from ui.compute.derivations import attention_steps, causal_steps, matmul_steps
from ui.figures.worked import Line, flops_line, worked_list
from ui.figures.written import exact, rounded, si
from ui.numbers import grouped
from ui.texts import text_in

RULES = (1, 2, 6)
"""FLOPs a parameter: multiplications alone, forward, forward and backward."""
_PART_OF = {
    "unchosen_experts": "ffn",
    "lookup": "embedding",
    "vectors": "norm",
    "tied": "lm_head",
    "attention": "attention",
    "recurrence": "attention",
}


def exact_per_token(model: Model, context: int) -> int:
    """All FLOPs of the token that attends to `context` positions; in matrices alone where more is not described."""
    matmul = matmul_flops_per_token(model.tensors, model.mixing_if_described)
    if model.mixing_if_described is None:
        return matmul
    return (
        matmul
        + attention_flops_per_token(model.mixing_if_described, context)
        + recurrence_flops_per_token(model.mixing_if_described)
    )


def flops_headline(language: str, model: Model, context: int) -> str:
    """The exact matrix products of a token, largest on the page; attention beside it, and the ratio to 2N."""
    matmul, total = matmul_flops_per_token(model.tensors, model.mixing_if_described), exact_per_token(model, context)
    figures = [
        f'<span class="figure"><span class="total" data-total="{matmul}">{grouped(matmul)}</span>'
        f"<small>{text_in(language, 'compute.headline_matmul')}</small></span>"
    ]
    if model.mixing_if_described is not None:
        more = grouped(total - matmul)
        said = text_in(language, "compute.headline_attention", context=grouped(context))
        figures.append(f'<span class="figure"><span class="part">+ {more}</span><small>{said}</small></span>')
        figures.append(
            f'<span class="figure"><span class="part">= {si(total)}</span>'
            f"<small>{text_in(language, 'compute.headline_ratio', ratio=_ratio(total, 2 * model.active_parameters))}</small></span>"
        )
    return f'<div class="headline figures">{"".join(figures)}</div>'


def convention_lines(language: str, model: Model, context: int, rule: int) -> list[Line]:
    """The lines of one convention: the rule, the exact matrices, attention in full and on average, and the ratios."""
    factor = Fraction(rule, 2)
    times = "" if rule == 2 else text_in(language, f"compute.factor_{rule}n")
    active, matmul = model.active_parameters, matmul_flops_per_token(model.tensors, model.mixing_if_described)
    symbol = "N" if active == model.parameters else "N_active"
    by_rule = rule * active
    lines = [
        flops_line(
            text_in(language, "compute.rule"),
            by_rule,
            f"{rule} × {symbol} = {rule} × {grouped(active)}",
            _which_n(language, model),
        ),
        flops_line(text_in(language, "compute.matmul"), factor * matmul, *matmul_steps(language, model, times)),
    ]
    if active != model.parameters:
        all_steps = f"{rule} × N = {rule} × {grouped(model.parameters)}", text_in(language, "compute.all_experts_wrong")
        lines.insert(1, flops_line(text_in(language, "compute.rule_all"), rule * model.parameters, *all_steps))
    if model.mixing_if_described is None:
        return [*lines, _ratio_line(language, "compute.ratio_matmul", factor * matmul, by_rule)]
    mixing = model.mixing_if_described
    full = factor * attention_flops_per_token(mixing, context)
    average = factor * causal_attention_flops_per_token(mixing, context)
    steps = attention_steps(language, mixing, context)
    average_step = text_in(language, "compute.average_rule", context=grouped(context), half=exact(Fraction(context + 1, 2)))
    summed = *causal_steps(language, mixing, context), f"÷ {grouped(context)}"
    lines += [
        flops_line(text_in(language, "compute.attention_full", context=grouped(context)), full, *steps, times),
        flops_line(
            text_in(language, "compute.attention_average", context=grouped(context)), average, average_step, *summed, times
        ),
    ]
    if any(entry.kind == "latent" for entry in mixing.attention):
        absorbed = factor * attention_flops_per_token(mixing, context, "absorbed")
        steps = attention_steps(language, mixing, context, "absorbed")
        lines.append(flops_line(text_in(language, "compute.attention_absorbed"), absorbed, *steps, times))
    recurrence = factor * recurrence_flops_per_token(mixing)
    if recurrence:
        lines.append(
            flops_line(text_in(language, "compute.recurrence"), recurrence, text_in(language, "compute.recurrence_rule"), times)
        )
    matrices = factor * matmul + recurrence
    return [
        *lines,
        _ratio_line(language, "compute.ratio_full", matrices + full, by_rule),
        _ratio_line(language, "compute.ratio_average", matrices + average, by_rule),
    ]


def conventions(language: str, model: Model, context: int) -> str:
    """Three cards."""
    cards = "".join(
        worked_list(text_in(language, f"compute.convention_{rule}n"), convention_lines(language, model, context, rule))
        for rule in RULES
    )
    return f'<div class="conventions">{cards}</div>'


def sequence_lines(language: str, model: Model, context: int) -> list[Line]:
    """The forward pass over a whole sequence: causal, and with all pairs computed and masked afterwards."""
    matmul = matmul_flops_per_token(model.tensors, model.mixing_if_described)
    fixed = context * (matmul + recurrence_flops_per_token(model.mixing_if_described))
    causal = forward_total(model.tensors, model.mixing_if_described, context)
    square = square_forward_total(model.tensors, model.mixing_if_described, context)
    matrices = f"{text_in(language, 'compute.matmul_short')} {grouped(context)} × {grouped(fixed // context)} = {grouped(fixed)}"
    pairs = text_in(language, "compute.square_rule", context=grouped(context))
    attention = f"{text_in(language, 'compute.attention_short')} {grouped(square - fixed)}"
    return [
        flops_line(
            text_in(language, "compute.sequence_causal"),
            causal,
            matrices,
            *causal_steps(language, model.mixing_if_described, context),
        ),
        flops_line(text_in(language, "compute.sequence_square"), square, pairs, matrices, attention),
    ]


def gap_figure(language: str, model: Model, context: int) -> str:
    """From 2N to the exact count, a bar a cause."""
    bars = [
        Bar(text_in(language, f"compute.gap.{cause}"), text_in(language, f"compute.gap_why.{cause}"), flops, _PART_OF.get(cause))
        for cause, flops in gap_from_rule(model.tensors, model.mixing_if_described, context).items()
    ]
    first = text_in(language, "compute.gap_first"), 2 * model.parameters
    last = text_in(language, "compute.gap_last"), exact_per_token(model, context)
    return waterfall(text_in(language, "compute.gap_title"), text_in(language, "compute.gap_note"), first, bars, last)


def _which_n(language: str, model: Model) -> str:
    return "" if model.active_parameters == model.parameters else text_in(language, "compute.active_note")


def _ratio(value: float | Fraction, by_rule: int) -> str:
    return rounded(float(Fraction(value) / by_rule), 4)


def _ratio_line(language: str, key: str, value: Fraction, by_rule: int) -> Line:
    ratio = Fraction(value) / by_rule
    return Line(
        text_in(language, key), float(ratio), "", (f"{exact(value)} ÷ {grouped(by_rule)}",), shown=f"{_ratio(value, by_rule)} ×"
    )
