"""What one token costs a model, in one answer: by the rules of thumb and exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from calc.compute.attention import attention_flops_per_token
from calc.compute.flops import flops_by_part, matmul_flops_per_token, rule_2n
from calc.compute.recurrence import recurrence_flops_per_token
from calc.mixing import checked_context
from calc.model import Model
from calc.tensors import Part


@dataclass(frozen=True, slots=True)
class TokenFlops:
    """FLOPs of the forward pass of one token that attends to `context` positions, itself included.

    matmul       in matrices: Σ 2 · in · out
    attention    scores and the weighing of values
    recurrence   in states of fixed size
    by_part      all of them by part of the model
    rule_2n      the rule of thumb, 2 · active parameters
    """

    context: int
    matmul: int
    attention: int
    recurrence: int
    rule_2n: int
    by_part: Mapping[Part, int] = field(hash=False)

    @property
    def total(self) -> int:
        """matmul + attention + recurrence."""
        return self.matmul + self.attention + self.recurrence


def flops(model: Model, context: int = 1) -> TokenFlops:
    """The FLOPs of one token of a model.

    Raises ConfigError: mixing_not_described, not_an_integer, not_positive, too_big, context_over_limit.

    >>> token = flops(Model.of("llama-2-7b"), context=4096)
    >>> token.matmul, token.attention, round(token.total / token.rule_2n, 2)
    (13214154752, 2147483648, 1.14)
    """
    mixing = model.mixing
    context = checked_context(mixing, context)
    return TokenFlops(
        context,
        matmul_flops_per_token(model.tensors, mixing),
        attention_flops_per_token(mixing, context),
        recurrence_flops_per_token(mixing),
        rule_2n(model.active_parameters),
        flops_by_part(model.tensors, mixing, context),
    )
