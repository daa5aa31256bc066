"""A text that writes on, token by token: a prefill, then a decode for each new token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calc.mixing import within_limit
from calc.run import prediction
from calc.run.formulas import Array, softmax
from calc.run.forward import forward
from calc.run.interventions import NONE, Interventions
from calc.run.kv_cache import KVCache
from calc.run.llama import Llama
from calc.run.products import Products
from calc.run.sampling import Sampling, chances, drawn
from calc.run.trace import Trace


@dataclass(frozen=True, slots=True)
class Choice:
    """A token that was chosen.

    id            the token
    probability   what the model gave it: softmax of its scores, whatever the temperature
    chance        with which it was drawn, after temperature, top_k and top_p; 1.0 where the likeliest is always taken
    """

    id: int
    probability: float
    chance: float


@dataclass(frozen=True, slots=True)
class Books:
    """What was done beside what was predicted.

    tokens                                         that went through the model
    flops_done, flops_predicted                    counted while multiplying, and from the config alone
    cache_bytes_done, cache_bytes_predicted        allocated by numpy, and from the config alone
    """

    tokens: int
    flops_done: int
    flops_predicted: int
    cache_bytes_done: int
    cache_bytes_predicted: int


class Continuation:
    """A model and the tokens so far.

    ids            all of them, the prompt in front
    probabilities  of each token what the model gave it, as far as the model has read; None of the first

    >>> from calc.run.checkpoint import stories
    >>> from calc.run.tokens import stories_tokenizer
    >>> story = Continuation(stories(), stories_tokenizer().ids("Once upon a time"))
    >>> [stories_tokenizer().piece(story.write().id) for _ in range(5)]
    [',', ' there', ' was', ' a', ' little']
    >>> story.books()
    Books(tokens=9, flops_done=4725504, flops_predicted=4725504, cache_bytes_done=11520, cache_bytes_predicted=11520)
    """

    def __init__(
        self,
        model: Llama,
        ids: Sequence[int],
        sampling: Sampling | None = None,
        seed: int = 0,
        interventions: Interventions = NONE,
    ) -> None:
        self.model, self.ids = model, list(ids)
        self.sampling, self.interventions = sampling or Sampling(), interventions.checked(model.sizes)
        self.products, self.cache = Products(), KVCache()
        self.probabilities: list[float | None] = [None]
        self.passes: list[int] = []
        self.last: Trace | None = None
        self._chance = np.random.default_rng(seed)

    def read(self) -> Trace:
        """Let the model read what it has not read yet: the whole prompt, or the token written last.

        Raises ConfigError: no_tokens, no_such_token, context_over_limit.
        """
        if self.last is not None and self.last.first + len(self.last.ids) == len(self.ids):
            return self.last
        if not self.interventions.mask:  # what earlier tokens have in the cache was made without the newer ones
            self.cache = KVCache()
        unread = self.ids[self.cache.tokens :] if self.cache.keys else self.ids
        self.last = forward(self.model, unread, self.cache, self.products, self.interventions)
        self.passes.append(len(unread))
        self._remember(self.last)
        return self.last

    def next_probabilities(self) -> Array:
        """[V]: what the model gives each token as the next."""
        return softmax(self.read().logits[-1])

    def next_chances(self) -> Array:
        """[V]: with which probability each token is drawn as the next."""
        return chances(self.read().logits[-1], self.sampling)

    def write(self) -> Choice:
        """Choose the next token and write it behind the others. Raises ConfigError as `read` does, when the context is full."""
        within_limit(len(self.ids) + 1, self.model.sizes.max_context)
        given, possible = self.next_probabilities(), self.next_chances()
        token = drawn(possible, self._chance)
        self.ids.append(token)
        self.probabilities.append(float(given[token]))
        return Choice(token, float(given[token]), float(possible[token]))

    def books(self) -> Books:
        """FLOPs and cache so far, done and predicted."""
        model, tokens, off = self.model.description, self.cache.tokens, len(self.interventions.layers_off)
        if self.interventions.mask:
            predicted = prediction.forward_flops(model, sum(self.passes), off)
        else:
            predicted = prediction.unmasked_flops(model, self.passes, off)
        cache_bytes = prediction.cache_bytes(model, tokens, off)
        return Books(sum(self.passes), self.products.total, predicted, self.cache.allocated_bytes, cache_bytes)

    def _remember(self, trace: Trace) -> None:
        """What the model gave the tokens of a prompt, each by the scores of the one before it."""
        known = len(self.probabilities)
        for position in range(known, len(self.ids)):
            row = softmax(trace.logits[position - 1 - trace.first])
            self.probabilities.append(float(row[self.ids[position]]))
