"""Two things measured in turn, A B A B …, and how they compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

Measurement = Callable[[], float]


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
    for turn in range(rounds):
        for measure, seconds in ((ours, ours_seconds), (yardstick, yardstick_seconds))[:: 1 if turn % 2 == 0 else -1]:
            seconds.append(measure())
    return Pairs(ours_seconds, yardstick_seconds)


def written(seconds: float) -> str:
    """A duration in the unit that suits it.

    >>> written(1.25), written(0.0213), written(0.000046)
    ('1.25 s', '21.3 ms', '46.0 µs')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}" if seconds / size >= 100 else f"{seconds / size:.{2 if unit == 's' else 1}f} {unit}"
    return f"{seconds / 1e-6:.1f} µs"
