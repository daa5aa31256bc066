"""The next token: the likeliest, or drawn from the probabilities, sharpened, flattened or cut short."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calc.errors import ConfigError, quoted
from calc.run.formulas import Array, softmax

LARGEST_TEMPERATURE = 100


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a token is chosen.

    temperature   scores are divided by it; 0: always the likeliest token
    top_k         only the k likeliest; None: all
    top_p         only the likeliest that together have at least this probability; None: all

    Raises ConfigError: negative, too_big, not_positive, not_a_share, not_a_quantity.
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None

    def __post_init__(self) -> None:
        if not math.isfinite(self.temperature):
            raise ConfigError("not_a_quantity", "temperature", value=quoted(self.temperature), example="0.8")
        if self.temperature < 0:
            raise ConfigError("negative", "temperature", value=quoted(self.temperature))
        if self.temperature > LARGEST_TEMPERATURE:
            raise ConfigError("too_big", "temperature", value=quoted(self.temperature), largest=LARGEST_TEMPERATURE)
        if self.top_k is not None and self.top_k < 1:
            raise ConfigError("not_positive", "top_k", value=quoted(self.top_k))
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise ConfigError("not_a_share", "top_p", value=quoted(self.top_p))


def chances(logits: Array, sampling: Sampling) -> Array:
    """[V]: with which probability each token is drawn.

    >>> logits = np.log(np.array([0.5, 0.3, 0.2], "float32"))
    >>> chances(logits, Sampling(temperature=1, top_k=2)).round(3).tolist()
    [0.625, 0.375, 0.0]
    >>> chances(logits, Sampling(temperature=1, top_p=0.5)).tolist(), chances(logits, Sampling()).tolist()
    ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    """
    if sampling.temperature == 0:
        return np.eye(len(logits), dtype=np.float32)[logits.argmax()]
    scaled = logits / np.float32(sampling.temperature)
    order = np.argsort(-scaled, kind="stable")  # of equal scores the lower id comes first
    left_out = order[sampling.top_k :] if sampling.top_k else order[:0]
    scaled[left_out] = -np.inf
    if sampling.top_p is not None:
        before = np.cumsum(softmax(scaled)[order]) - softmax(scaled)[order]  # what the likelier ones have together
        scaled[order[before >= sampling.top_p]] = -np.inf
    return softmax(scaled)


def drawn(probabilities: Array, chance: np.random.Generator) -> int:
    """A token, each with its probability: where a uniform number falls on the line of all of them."""
    ends = np.cumsum(probabilities, dtype=np.float64)
    return int(np.searchsorted(ends, chance.random() * ends[-1], side="right"))
