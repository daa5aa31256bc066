"""What the Hub has answered, kept for all visitors of this process: answers an hour at most, refusals a minute.

When a class of ten presses one button and the Hub does not answer, the first waits for the time limit, and whoever asks
in the minute after that is told at once. Nobody ever waits for another visitor's question: it is asked outside the lock.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from calc.errors import ConfigError

T = TypeVar("T")
Key = tuple[Hashable, ...]
"""What is asked, and everything the answer depends on: ("config", "org/name", "main")."""

KEPT_ANSWERS = 64
KEPT_REFUSALS = 256
ANSWER_SECONDS = 3600.0
"""How long an answer counts: what stands under a branch of the Hub changes now and then."""
REFUSAL_SECONDS = 60.0
"""How long a refusal is repeated without asking again."""


class HubAnswers:
    """Answers and refusals by what was asked, those asked for least lately forgotten first.

    capacity   the weights of what is kept sum to at most this
    weight     of an answer, 1 unless given; an answer heavier than `capacity` is given but not kept
    clock      seconds that only go forward
    """

    def __init__(
        self,
        capacity: int = KEPT_ANSWERS,
        weight: Callable[[object], int] = lambda answer: 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capacity, self._weight, self._clock = capacity, weight, clock
        self._answers: OrderedDict[Key, tuple[float, object]] = OrderedDict()
        self._refusals: OrderedDict[Key, tuple[float, ConfigError]] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, key: Key, function: Callable[[], T]) -> T:
        """The answer kept for `key`, or what `function` gives; the fault it raises is raised again for a minute.

        Any other exception passes through and is not kept.

        Raises ConfigError: all that `function` raises.

        >>> answers = HubAnswers()
        >>> answers.ask(("config", "gpt2"), lambda: {"n_layer": 12}), answers.ask(("config", "gpt2"), lambda: {})
        ({'n_layer': 12}, {'n_layer': 12})
        """
        with self._lock:
            if self._is_kept(key):
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
                while len(self._refusals) > KEPT_REFUSALS:
                    self._refusals.popitem(last=False)
            raise
        with self._lock:
            self._refusals.pop(key, None)
            self._answers.pop(key, None)
            if self._weight(answer) <= self._capacity:
                self._answers[key] = (self._clock() + ANSWER_SECONDS, answer)
            while sum(self._weight(kept) for _, kept in self._answers.values()) > self._capacity:
                self._answers.popitem(last=False)
        return answer

    def kept(self, key: Key) -> bool:
        """Whether the answer is here, so that asking for it costs nothing."""
        with self._lock:
            return self._is_kept(key)

    def seconds_left(self, key: Key) -> int:
        """s for which the refusal of `key` is still repeated, rounded up; 0 where the next `ask` asks."""
        with self._lock:
            if self._refusal(key) is None:
                return 0
            return math.ceil(self._refusals[key][0] - self._clock())

    def _is_kept(self, key: Key) -> bool:
        """Whether there is an answer that still counts; one whose time is up is forgotten."""
        if key in self._answers and self._answers[key][0] <= self._clock():
            del self._answers[key]
        return key in self._answers

    def _refusal(self, key: Key) -> ConfigError | None:
        """The refusal that still holds; one whose time is up is forgotten."""
        until, refusal = self._refusals.get(key, (0.0, None))
        if refusal is not None and until <= self._clock():
            del self._refusals[key]
            return None
        return refusal


def _again(error: ConfigError) -> ConfigError:
    """The same fault without its traceback, which would keep everything alive that its frames hold."""
    make, arguments = error.__reduce__()
    return make(*arguments)


_ANSWERS = HubAnswers()


def ask(key: Key, function: Callable[[], T]) -> T:
    """The process's answer to a small question, such as a config.json or a list of names: see `HubAnswers.ask`.

    Raises ConfigError: all that `function` raises.
    """
    return _ANSWERS.ask(key, function)


def seconds_left(key: Key) -> int:
    """s for which `ask` repeats its refusal of `key`: see `HubAnswers.seconds_left`."""
    return _ANSWERS.seconds_left(key)
