"""Puts inputs in and notes what must not happen: an exception, a long time, much memory, sums that are not their headline."""

from __future__ import annotations

import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from calc.errors import ConfigError
from tests.fuzz.entries import ENTRIES, Trial
from ui.texts import text_in

LIMIT_SECONDS = 4.0
"""Of processor time here, for one input."""
LIMIT_MEGABYTES = 200
"""That one input may add to the largest memory the process has had."""


@dataclass(frozen=True)
class Finding:
    """An input, and what it did."""

    entry: str
    number: int
    what: str
    given: str


@dataclass
class Report:
    """What a run has seen.

    outcomes   answers and refusals, by entry
    slowest    s, and the entry
    """

    findings: list[Finding] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    seconds: float = 0.0


class TookTooLong(BaseException):
    """Not to be caught by what is tried."""


def run(inputs: int, seed: int, entries: dict[Callable[[Random], Trial], int] | None = None) -> Report:
    """Put in so many inputs. The same seed makes the same ones."""
    weighed, report, start = entries or ENTRIES, Report(), time.monotonic()
    chances = Random(seed)
    with _offline():
        for number in range(inputs):
            [entry] = chances.choices(list(weighed), list(weighed.values()))
            _try(entry, number, Random(f"{seed}/{number}"), report)
    report.seconds = time.monotonic() - start
    return report


def _try(entry: Callable[[Random], Trial], number: int, random: Random, report: Report) -> None:
    given, put = entry(random)
    name, before, start = entry.__name__, _megabytes(), time.process_time()
    what, outcome = [], "answered"
    try:
        with _time_limit():
            what += put()
    except ConfigError as fault:
        outcome = "refused"
        what += _of_sentence(fault)
    except TookTooLong:
        what.append(f"more than {LIMIT_SECONDS} s")
    except Exception as error:
        frames, last = error.__traceback__, ""
        while frames:
            last, frames = f"{frames.tb_frame.f_code.co_filename.rpartition('/')[2]}:{frames.tb_lineno}", frames.tb_next
        what.append(f"{type(error).__name__} in {last}: {str(error)[:100]}")
    seconds = time.process_time() - start
    if (grown := _megabytes() - before) > LIMIT_MEGABYTES:
        what.append(f"{grown:.0f} MB")
    report.outcomes[f"{name} {outcome}"] += 1
    report.slowest = max(report.slowest, (round(seconds, 2), name))
    report.findings += [Finding(name, number, each, repr(given)[:300]) for each in what]


def _of_sentence(fault: ConfigError) -> Iterator[str]:
    """What a refusal says stands in both languages, on a line, without the length of what was put in."""
    for sentence in (str(fault), *(text_in(language, f"error.{fault.code}", **fault.details) for language in ("zh", "en"))):
        if len(sentence) > 1_000 or len(sentence.splitlines()) != 1:
            yield f"{fault.code} is no short sentence: {sentence[:200]!r}"


@contextmanager
def _time_limit() -> Iterator[None]:
    def end(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _offline() -> Iterator[None]:
    """Nothing is asked of the Hub."""
    from huggingface_hub import constants

    before, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


def _megabytes() -> float:
    """The largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000)
