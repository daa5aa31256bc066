"""What a person typed → the interval of all values it may stand for. Never a float, never a guess: what is unclear is asked back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from calc.learn.asking_back import Unreadable
from calc.learn.expression import Expression, work_out
from calc.learn.numerals import LITERAL, numeral
from calc.learn.signs import plain_signs
from calc.learn.units import Dimension, unit_factor

LONGEST = 200
MILLION = 10**6


@dataclass(frozen=True, slots=True)
class Asked:
    """What the reader may know of a question, which is the same for every drawing of its kind.

    dimension   what is asked for
    unit        the unit named in the prompt, None where none is
    large       whether the right answer is always a million or more
    exact       whether it is a small whole number or a plain fraction, so that a whole number typed is that number
    share       whether it is a share of 1, which may be written in percent
    """

    dimension: Dimension
    unit: str | None = None
    large: bool = False
    exact: bool = False
    share: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a writing stands for, in bytes, FLOP, seconds, or plain numbers.

    low, high   the interval
    value       as written
    figures     significant figures; None for a writing that is exact
    in_full     whether every digit is typed
    loose       what it might be rounded or cut from if the noughts at its end said nothing; loose_figures, those before them
    shape       the two lengths, where a shape is asked for
    """

    low: Fraction
    high: Fraction
    value: Fraction
    figures: int | None = None
    in_full: bool = False
    loose: tuple[Fraction, Fraction] | None = None
    loose_figures: int | None = None
    shape: tuple[int, int] | None = None

    @property
    def width(self) -> Fraction:
        """One unit of its last figure; 0 where it is exact."""
        return self.high - self.low


def read(text: str, asked: Asked) -> Reading:
    """The interval a writing stands for.

    Raises Unreadable where it stands for no one amount.

    >>> reading = read("67.4 亿", Asked("count", large=True))
    >>> int(reading.low), int(reading.high), reading.figures
    (6735000000, 6745000000, 3)
    >>> read("12.55 GiB", Asked("bytes", "GB")).low == Fraction("12.545") * 2**30
    True
    >>> read("4,096 × 128", Asked("shape")).shape
    (4096, 128)
    """
    if len(text) > LONGEST:
        raise Unreadable("too_long")
    plain = plain_signs(text)
    if not plain:
        raise Unreadable("empty")
    if asked.dimension == "shape":
        return _shape(plain)
    factor = unit_factor(asked.unit)
    blurred = not (asked.exact or asked.dimension in ("count", "flops", "bytes", "tokens"))
    dimension: Dimension = "percent" if asked.share and plain.endswith("%") else asked.dimension
    expression = work_out(_without_per_token(plain, asked.dimension), dimension, blurred, factor != 1)
    return _in_base_unit(plain, expression, asked, factor)


PER_TOKEN = re.compile(r"\s*(?:/|per\s+(?:each\s+)?|每个?)\s*(?:token|tok|词元|个)\s*$", re.IGNORECASE)


def _without_per_token(text: str, dimension: Dimension) -> str:
    """“B/token” is bytes where the bytes of a token are asked for."""
    return PER_TOKEN.sub("", text) if dimension in ("bytes", "flops", "time") else text


def _in_base_unit(text: str, expression: Expression, asked: Asked, factor: Fraction) -> Reading:
    """An amount that was worked out, in the unit its dimension is counted in; asked back where its unit is in doubt."""
    amount, single = expression.amount, expression.single
    if not amount.dimensions:
        _ask_for_unit(text, amount.value, amount.suffixed, single is not None and single.decimal, asked)
        amount = amount.times(factor)
    elif asked.dimension == "bytes" and amount.value.denominator != 1 and re.search(r"[\d.]\s*B$", text):
        raise Unreadable("not_whole", text=text)
    elif asked.dimension == "bytes" and asked.large and amount.value < 1000:
        raise Unreadable("unit_missing", text=text)
    in_full = expression.in_full and (factor == 1 or bool(amount.dimensions))
    loose = loose_figures = None
    if (
        single is not None
        and single.noughts
        and (in_full or asked.dimension == "percent")
        and (not asked.exact or single.digits > 3)
    ):
        coarse = single.coarse * amount.value / single.value
        loose, loose_figures = (amount.value - coarse / 2, amount.value + coarse), single.figures
    return Reading(
        amount.low, amount.high, amount.value, amount.figures, in_full or amount.low == amount.high, loose, loose_figures
    )


def _ask_for_unit(text: str, value: Fraction, suffixed: bool, decimal: bool, asked: Asked) -> None:
    """Ask back where a number without a unit may stand for several amounts."""
    size = abs(value)
    base = unit_factor(asked.unit) == 1
    if asked.unit is None and asked.dimension in ("bytes", "time"):
        raise Unreadable("amount_missing", text=text)
    if asked.dimension == "percent":
        if 0 < size < 1:
            raise Unreadable("percent_or_share", text=text)
        return
    if not base and size >= MILLION:
        raise Unreadable("write_bytes" if asked.dimension == "bytes" else "write_base", text=text, unit=asked.unit or "")
    if base and not suffixed and asked.dimension in ("count", "flops", "bytes", "tokens"):
        if asked.large and size < 1000:
            raise Unreadable("unit_missing", text=text)
        if decimal and value.denominator != 1:
            raise Unreadable("not_whole", text=text)


SHAPE_MARKS = re.compile(
    r"\s*(?:\*|\bby\b|->|→|乘以?|[行进入],?|\brows?\b[,，]?(?:\s*(?:and|by))?)\s*(?![^()]*\))", re.IGNORECASE
)
SHAPE_END = re.compile(r"\s*(?:列|出|\bcol(?:umn)?s?\b)\s*$", re.IGNORECASE)


def _shape(text: str) -> Reading:
    """Two lengths: `4096*128`, `[4096, 128]`, `4096 行 128 列`, `4096 by 128`."""
    inner = SHAPE_END.sub("", text)
    bracketed = re.fullmatch(r"[\[(](.*)[\])]", inner)
    if bracketed and "(" not in bracketed.group(1):
        inner = bracketed.group(1)
    for lengths in (SHAPE_MARKS.split(inner), re.split(r"\s*[,;]\s+|\s*;\s*", inner), _comma_pair(inner, bool(bracketed))):
        lengths = [length for length in lengths if length]
        if len(lengths) == 2:
            rows, columns = (_length(length) for length in lengths)
            return Reading(Fraction(rows), Fraction(rows), Fraction(rows), in_full=True, shape=(rows, columns))
        if len(lengths) > 2:
            break
    if re.fullmatch(r"[\d,._'’ +\-*/^()]+\s*[A-Za-z\u4e00-\u9fff]*", inner):
        raise Unreadable("shape_wanted")
    raise Unreadable("not_a_number")


def _comma_pair(text: str, bracketed: bool) -> list[str]:
    """`4096,128`: two lengths, as the first has four digits; `640,512` is one number, unless it stands in brackets."""
    lengths = text.split(",")
    return lengths if len(lengths) == 2 and (bracketed or len(lengths[0]) > 3) else [text]


def _length(text: str) -> int:
    """One of the two lengths: a whole number, or a product in brackets."""
    if LITERAL.fullmatch(text):
        value = numeral(text).value
    elif text.startswith("(") and text.endswith(")"):
        value = work_out(text, "number").amount.value
    else:
        raise Unreadable("not_a_number")
    if value.denominator != 1 or value <= 0:
        raise Unreadable("not_a_number")
    return int(value)
