"""Compute-optimal training: how many parameters and tokens a budget should buy, by the published laws.

These are fits to experiments, not counts: numbers here are floats. N is all parameters and D the tokens seen once; the laws
come from dense models, and say nothing about experts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

FLOPS_PER_PARAMETER_AND_TOKEN = 6
"""C = 6·N·D, as the laws' authors count compute."""

TOKENS_PER_PARAMETER = 20
"""Chinchilla's allocation, 70B parameters and 1.4T tokens. Source: Hoffmann et al. 2022, arXiv:2203.15556."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """How a compute budget is spent: parameters N and tokens D, 6·N·D in all; `loss` where a law predicts one."""

    parameters: float
    tokens: float
    loss: float | None = None

    @property
    def flops(self) -> float:
        """C = 6·N·D."""
        return FLOPS_PER_PARAMETER_AND_TOKEN * self.parameters * self.tokens

    @property
    def tokens_per_parameter(self) -> float:
        """D ÷ N."""
        return self.tokens / self.parameters


@dataclass(frozen=True, slots=True)
class LossLaw:
    """L(N, D) = E + A ÷ N^α + B ÷ D^β, in nats a token.

    name             how it is called here: `hoffmann`, `besiroglu`
    irreducible      E, the loss that no model of this text can undercut
    parameter_scale  A
    token_scale      B
    alpha, beta      how fast more parameters, and more tokens, lower the loss
    source           paper
    """

    name: str
    irreducible: float
    parameter_scale: float
    token_scale: float
    alpha: float
    beta: float
    source: str

    def loss(self, parameters: float, tokens: float) -> float:
        """The loss predicted for N parameters trained on D tokens.

        >>> round(HOFFMANN.loss(70e9, 1.4e12), 3), round(BESIROGLU.loss(70e9, 1.4e12), 3)
        (1.937, 1.974)
        """
        return self.irreducible + self.parameter_scale / parameters**self.alpha + self.token_scale / tokens**self.beta

    @property
    def parameter_exponent(self) -> float:
        """a in N_opt ∝ C^a: β ÷ (α + β).

        >>> round(HOFFMANN.parameter_exponent, 2), round(BESIROGLU.parameter_exponent, 3)
        (0.45, 0.513)
        """
        return self.beta / (self.alpha + self.beta)

    def optimum(self, flops: float) -> Allocation:
        """The parameters and tokens with the least loss for C FLOPs.

        N = G·(C ÷ 6)^a and D = (C ÷ 6)^b ÷ G with G = (α·A ÷ (β·B))^(1 ÷ (α + β)).
        Source: Hoffmann et al. 2022, arXiv:2203.15556, equation 4.

        >>> best = BESIROGLU.optimum(5.76e23)
        >>> round(best.parameters / 1e9, 1), round(best.tokens / 1e12, 2)
        (72.2, 1.33)
        """
        budget = flops / FLOPS_PER_PARAMETER_AND_TOKEN
        parameters = self._balance * budget**self.parameter_exponent
        tokens = budget / parameters
        return Allocation(parameters, tokens, self.loss(parameters, tokens))

    def optimum_of_size(self, parameters: float) -> Allocation:
        """The tokens for which N parameters are the best use of the compute: the inverse of `optimum`."""
        budget = (parameters / self._balance) ** (1 / self.parameter_exponent)
        tokens = budget / parameters
        return Allocation(parameters, tokens, self.loss(parameters, tokens))

    def iso_flop(self, flops: float, parameters: Iterable[float]) -> tuple[Allocation, ...]:
        """One budget spent on models of several sizes: the U-shaped curve whose lowest point is `optimum`.

        >>> [round(point.loss, 3) for point in HOFFMANN.iso_flop(1e21, (1e8, 1e9, 1e10))]
        [2.62, 2.34, 2.416]
        """
        budget = flops / FLOPS_PER_PARAMETER_AND_TOKEN
        return tuple(Allocation(size, budget / size, self.loss(size, budget / size)) for size in parameters)

    @property
    def _balance(self) -> float:
        """G: which of the two terms needs more of the budget."""
        ratio = self.alpha * self.parameter_scale / (self.beta * self.token_scale)
        return ratio ** (1 / (self.alpha + self.beta))


HOFFMANN = LossLaw("hoffmann", 1.69, 406.4, 410.7, 0.34, 0.28, "Hoffmann et al. 2022, arXiv:2203.15556, approach 3")
"""As printed. The exponents are rounded; see HOFFMANN_UNROUNDED."""

HOFFMANN_UNROUNDED = LossLaw(
    "hoffmann_unrounded",
    1.6934,
    406.4,
    410.7,
    0.3392,
    0.2849,
    "Hoffmann et al. 2022, with the digits of the paper's source, arXiv:2404.10102",
)
"""The same fit with the digits of the paper's source: it reproduces the paper's Table A3, the printed one does not quite."""

BESIROGLU = LossLaw(
    "besiroglu", 1.8172, 482.01, 2085.43, 0.3478, 0.3658, "Besiroglu et al. 2024, arXiv:2404.10102: the fit redone and corrected"
)
"""The corrected fit: the first one's does not follow from its data, and the optimum is about 20 tokens a parameter again."""

LAWS = (BESIROGLU, HOFFMANN, HOFFMANN_UNROUNDED)


def chinchilla_optimum(flops: float) -> Allocation:
    """The allocation by 20 tokens a parameter: N = √(C ÷ 120), D = 20·N.

    >>> best = chinchilla_optimum(5.88e23)
    >>> round(best.parameters / 1e9, 1), round(best.tokens / 1e12, 2)
    (70.0, 1.4)
    """
    parameters = math.sqrt(flops / (FLOPS_PER_PARAMETER_AND_TOKEN * TOKENS_PER_PARAMETER))
    return Allocation(parameters, TOKENS_PER_PARAMETER * parameters)


def chinchilla_tokens(parameters: int) -> int:
    """Tokens for N parameters by the rule of 20.

    >>> chinchilla_tokens(6_738_415_616)
    134768312320
    """
    return TOKENS_PER_PARAMETER * parameters


def over_training_factor(parameters: int, tokens: float, law: LossLaw | None = None) -> float:
    """How many times as many tokens as optimal for the model's size: by 20 tokens a parameter, or by a law.

    Above 1 the model is smaller than its compute could have made it, and cheaper to serve. Llama-3-8B on 15T tokens:

    >>> round(over_training_factor(8_030_261_248, 15e12), 1), round(over_training_factor(8_030_261_248, 15e12, BESIROGLU), 1)
    (93.4, 91.2)
    """
    optimal = chinchilla_tokens(parameters) if law is None else law.optimum_of_size(parameters).tokens
    return tokens / optimal
