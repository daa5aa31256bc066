"""A number as it is written: its digits, and which of them say something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from calc.learn.asking_back import Unreadable

MARKS = ",_'’ "
"""Between groups of three digits, or of four as Chinese readers write."""

LITERAL = re.compile(r"(?:\d|\.(?=\d))(?:[\d.,_'’]|[ ](?=\d))*")
"""What may be one number; whether it is, `numeral` says."""

LARGEST_POWER = 64


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written.

    value     its value
    unit      one of the last figure that was written: 0.01 of 6.74, 1 of 131072
    coarse    one of the last figure that is not 0: 100 of 2200
    figures   significant figures written, noughts at the end of a whole number not counted
    digits    digits before the decimal point
    noughts   noughts at the end of a whole number
    decimal   whether it has a decimal point
    """

    value: Fraction
    unit: Fraction
    coarse: Fraction
    figures: int
    digits: int
    noughts: int
    decimal: bool

    def scaled(self, factor: Fraction) -> Numeral:
        """The same figures, of this size."""
        return Numeral(
            self.value * factor, self.unit * factor, self.coarse * factor, self.figures, self.digits, self.noughts, self.decimal
        )


def numeral(text: str) -> Numeral:
    """The number of a text that `LITERAL` matches.

    Raises Unreadable: which_number for a comma or a second point that may be a decimal one, not_a_number.

    >>> numeral("6,738,415,616").value == numeral("67,3841,5616").value == 6738415616
    True
    >>> numeral("2200").coarse, numeral("6.740").figures
    (Fraction(100, 1), 4)
    """
    whole, point, places = text.strip(MARKS).partition(".")
    if any(mark in places for mark in MARKS + "."):
        raise Unreadable("which_number", text=text)
    digits = _without_marks(whole, text)
    places = places.rstrip(".")
    value = Fraction(int(digits + places or 0), 10 ** len(places))
    decimal = bool(point and places)
    significant = (digits + places).lstrip("0")
    noughts = 0 if decimal else len(significant) - len(significant.rstrip("0"))
    unit = Fraction(1, 10 ** len(places))
    return Numeral(value, unit, unit * 10**noughts, len(significant) - noughts, len(digits), noughts, decimal)


def _without_marks(whole: str, text: str) -> str:
    marks = {character for character in whole if character in MARKS}
    if not marks:
        return whole
    if len(marks) == 1:
        [mark] = marks
        first, *groups = whole.split(mark)
        for size in (3, 4):
            if 1 <= len(first) <= size and first[0] != "0" and all(len(group) == size for group in groups):
                return first + "".join(groups)
    raise Unreadable("not_a_number" if marks == {" "} else "which_number", text=text)
