"""A cache of what the Hub has answered, for all visitors of this process: answers an hour at most, refusals a minute.

When a class of ten presses one button and the Hub does not answer, the first waits for the time limit, and whoever asks
in the minute after that gets the refusal at once. Nobody ever waits for another visitor's question: it is asked outside
the lock.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from calc.errors import ConfigError

T = TypeVar("T")
Key = tuple[Hashable, ...]
"""What is asked, and everything the answer depends on: ("config", "org/name", "main")."""

MAX_ANSWERS = 64
MAX_REFUSALS = 256
ANSWER_SECONDS = 3600.0
"""How long an answer counts: a branch of the Hub changes now and then."""
REFUSAL_SECONDS = 60.0
"""How long a refusal is repeated without asking again."""


class HubAnswers:
    """Answers and refusals by what was asked; the least recently used is forgotten first.

    capacity   the weights of the answers in the cache sum to at most this
    weight     of an answer, 1 unless given; an answer heavier than `capacity` is given but not stored
    clock      seconds that only go forward
    """

    def __init__(
        self,
        capacity: int = MAX_ANSWERS,
        weight: Callable[[Any], int] = lambda answer: 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capacity, self._weight, self._clock = capacity, weight, clock
        self._answers: OrderedDict[Key, tuple[float, Any]] = OrderedDict()
        self._refusals: OrderedDict[Key, tuple[float, ConfigError]] = OrderedDict()
        self._lock = threading.RLock()

    def ask(self, key: Key, function: Callable[[], T]) -> T:
        """The answer in the cache, or what `function` gives; the fault it raises is raised again for a minute.

        Any other exception passes through and is not stored.

        Raises ConfigError: all that `function` raises.

        >>> answers = HubAnswers()
        >>> answers.ask(("config", "gpt2"), lambda: {"n_layer": 12}), answers.ask(("config", "gpt2"), lambda: {})
        ({'n_layer': 12}, {'n_layer': 12})
        """
        with self._lock:
            if self.has(key):
                self._answers.move_to_end(key)
                return self._answers[key][1]
            refusal = self._refusal(key)
            if refusal is not None:
                raise _again(refusal)
        try:
            answer = function()
        except ConfigError as error:
            with self._lock:
                self._refusals[key] = (self._clock() + REFUSAL_SECONDS, _again(error))
                self._refusals.move_to_end(key)
                while len(self._refusals) > MAX_REFUSALS:
                    self._refusals.popitem(last=False)
            raise
        with self._lock:
            self._refusals.pop(key, None)
            self._answers.pop(key, None)
            if self._weight(answer) <= self._capacity:
                self._answers[key] = (self._clock() + ANSWER_SECONDS, answer)
            while sum(self._weight(stored) for _, stored in self._answers.values()) > self._capacity:
                self._answers.popitem(last=False)
        return answer

    def has(self, key: Key) -> bool:
        """Whether an answer that still counts is in the cache; one whose time is up is forgotten."""
        with self._lock:
            if key in self._answers and self._answers[key][0] <= self._clock():
                del self._answers[key]
            return key in self._answers

    def seconds_left(self, key: Key) -> int:
        """s for which the refusal of `key` is still repeated, rounded up; 0 where the next `ask` asks."""
        with self._lock:
            return math.ceil(self._refusals[key][0] - self._clock()) if self._refusal(key) else 0

    def _refusal(self, key: Key) -> ConfigError | None:
        """The refusal that still counts; one whose time is up is forgotten."""
        until, refusal = self._refusals.get(key, (0.0, None))
        if refusal is not None and until <= self._clock():
            del self._refusals[key]
            return None
        return refusal


def _again(error: ConfigError) -> ConfigError:
    """The same fault without its traceback, whose frames would stay in memory with all their values."""
    make, arguments = error.__reduce__()
    return make(*arguments)


_ANSWERS = HubAnswers()
ask = _ANSWERS.ask
"""The process's answer to a small question, such as a config.json or a list of names."""
