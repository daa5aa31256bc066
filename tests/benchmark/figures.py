"""Two things measured in turn, A B A B …, and how they compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

Measurement = Callable[[], float]
UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Seconds of ours and of the yardstick, one pair a round.

    >>> pairs = Pairs(ours=(1.0, 2.0, 9.0), yardstick=(2.0, 8.0, 9.0))
    >>> pairs.ratio, pairs.ours_seconds, pairs.yardstick_seconds
    (0.5, 2.0, 8.0)
    """

    ours: Sequence[float]
    yardstick: Sequence[float]

    @property
    def ratio(self) -> float:
        """Median of the rounds' ratios: what disturbs one round disturbs both of its halves."""
        return median(a / b for a, b in zip(self.ours, self.yardstick, strict=True))

    @property
    def ours_seconds(self) -> float:
        """Median of ours."""
        return median(self.ours)

    @property
    def yardstick_seconds(self) -> float:
        """Median of the yardstick."""
        return median(self.yardstick)


def in_turn(ours: Measurement, yardstick: Measurement, rounds: int) -> Pairs:
    """Measure both once a round; the order changes from round to round, so that neither is always first."""
    ours_seconds, yardstick_seconds = [], []
    both = [(ours, ours_seconds), (yardstick, yardstick_seconds)]
    for _ in range(rounds):
        for measure, seconds in both:
            seconds.append(measure())
        both.reverse()
    return Pairs(ours_seconds, yardstick_seconds)


def written(seconds: float) -> str:
    """A duration in the unit that suits it.

    >>> written(1.25), written(0.4612), written(0.0213), written(0.000046)
    ('1.25 s', '461 ms', '21.3 ms', '46.0 µs')
    """
    unit, size = next(((unit, size) for unit, size in UNITS if abs(seconds) >= size), UNITS[-1])
    value = seconds / size
    return f"{value:.{2 if unit == 's' else 0 if abs(value) >= 100 else 1}f} {unit}"
