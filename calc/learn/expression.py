"""Sums of products of numbers with brackets, worked out in interval arithmetic. No names, no calls, nothing is evaluated.

sum      = [+ −] product { (+ −) product }
product  = power { (× ÷) power }
power    = atom [ ^ whole number ]
atom     = number | ( sum ) | √ atom        each with the words that follow it: a multiplier, a unit
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from calc.learn.asking_back import Unreadable
from calc.learn.formula import square_root
from calc.learn.numerals import LARGEST_POWER, Numeral
from calc.learn.signs import Token, tokens_of
from calc.learn.units import Dimension

DEEPEST = 12
LARGEST_BITS = 2048
"""Of a whole number on the way: a longer one is nothing that is asked for."""


@dataclass(frozen=True, slots=True)
class Amount:
    """What an expression may stand for.

    low, high    the smallest and the largest amount
    value        as written
    figures      significant figures of its least exact number; None where all are exact
    dimensions   of its unit; empty without one
    suffixed     whether a multiplier or a unit stands behind it
    """

    low: Fraction
    high: Fraction
    value: Fraction
    figures: int | None = None
    dimensions: tuple[Dimension, ...] = ()
    suffixed: bool = False

    def times(self, factor: Fraction) -> Amount:
        """So many of it, exactly."""
        ends = sorted((self.low * factor, self.high * factor))
        return replace(self, low=ends[0], high=ends[1], value=self.value * factor)


@dataclass(frozen=True, slots=True)
class Expression:
    """A worked-out text: the amount; where the text is one single number, that number, and whether all its digits are written."""

    amount: Amount
    single: Numeral | None
    in_full: bool


def work_out(text: str, dimension: Dimension, blurred: bool = False, in_other_unit: bool = False) -> Expression:
    """A text in plain signs → what it may stand for.

    blurred         whether a whole number that stands alone is taken for a rounded one, as of milliseconds
    in_other_unit   whether it is so without a word behind it, as where GB are asked for

    Raises Unreadable.

    >>> amount = work_out("32*202.4M", "count").amount
    >>> int(amount.low), int(amount.high), amount.figures
    (6475200000, 6478400000, 4)
    >>> work_out("(3+4)*2^10", "count").amount.value
    Fraction(7168, 1)
    """
    tokens = tokens_of(text, dimension)
    parser = _Parser(tokens, dimension, blurred, in_other_unit)
    amount = parser.whole()
    numbers = [token for token in tokens if token.number is not None]
    single = numbers[0] if len(numbers) == 1 and all(token.number or token.word for token in tokens) else None
    number = single.number if single else None
    in_full = bool(single and number and not number.decimal and not single.scaled and parser.factor == 1)
    return Expression(amount, number, in_full)


class _Parser:
    """Reads the tokens once, from left to right."""

    def __init__(self, tokens: Sequence[Token], dimension: Dimension, blurred: bool, in_other_unit: bool) -> None:
        self.tokens = tokens
        self.in_percent = dimension == "percent"  # of 20% the nought counts, of 20 ms it does not
        self.place = 0
        self.depth = 0
        self.divides = False
        words = [number for number, token in enumerate(tokens) if token.word]
        last = len(tokens) - len(words)
        self.spreads = bool(words) and words == list(range(last, len(tokens))) and tokens[last - 1].text != ")"
        self.factor = Fraction(1)
        for token in tokens:
            self.factor *= token.word.factor if token.word else 1
        self.larger_unit = self.factor != 1 if words else in_other_unit
        self.blurs = blurred or self.larger_unit and (self.spreads or not words)

    def whole(self) -> Amount:
        """Everything, up to the last token."""
        amount = self.sum()
        if self.place < len(self.tokens):
            raise Unreadable("not_a_number")
        return amount

    def next_is(self, signs: str) -> bool:
        """Whether the next token is one of these signs."""
        return self.place < len(self.tokens) and self.tokens[self.place].text in tuple(signs)

    def taken(self) -> Token:
        """The next token."""
        if self.place == len(self.tokens):
            raise Unreadable("not_a_number")
        self.place += 1
        return self.tokens[self.place - 1]

    def sum(self) -> Amount:
        """Products, added and subtracted; a word that stands only behind the last counts for all."""
        terms = []
        sign = self.taken().text if self.next_is("+-") else "+"
        while True:
            product = self.product()
            terms.append(product.times(Fraction(-1)) if sign == "-" else product)
            if not self.next_is("+-"):
                break
            sign = self.taken().text
        if len(terms) > 1 and self.spreads and self.depth == 0:
            terms = self.spread(terms)
        dimensions = {term.dimensions for term in terms}
        if len(dimensions) > 1:
            raise Unreadable("mixed_units")
        return Amount(
            sum((term.low for term in terms), Fraction()),
            sum((term.high for term in terms), Fraction()),
            sum((term.value for term in terms), Fraction()),
            _fewest(terms),
            terms[0].dimensions,
            any(term.suffixed for term in terms),
        )

    def spread(self, terms: list[Amount]) -> list[Amount]:
        """The words at the end of a sum, given to every term of it."""
        words = [token.word for token in self.tokens if token.word]
        if not words[-1].dimensions and any(abs(term.value) >= 1000 for term in terms[:-1]):
            raise Unreadable("mixed_units")  # 266,240 + 6.738B: the first stands for itself, or does it?
        *first, last = terms
        return [*(replace(term.times(self.factor), dimensions=last.dimensions, suffixed=True) for term in first), last]

    def product(self) -> Amount:
        """Powers, multiplied and divided."""
        amount = self.power()
        while self.next_is("*/"):
            sign = self.taken().text
            self.divides = sign == "/"
            other = self.power()
            if amount.dimensions and other.dimensions:
                raise Unreadable("not_a_number")
            if self.divides:
                if other.low <= 0 <= other.high:
                    raise Unreadable("not_a_number")
                other = replace(other, low=1 / other.high, high=1 / other.low, value=1 / other.value)
            ends = [left * right for left in (amount.low, amount.high) for right in (other.low, other.high)]
            amount = _bounded(
                Amount(
                    min(ends),
                    max(ends),
                    amount.value * other.value,
                    _fewest((amount, other)),
                    amount.dimensions or other.dimensions,
                    amount.suffixed or other.suffixed,
                )
            )
            self.divides = False
            amount = self.words_behind(amount)
        return amount

    def power(self) -> Amount:
        """An atom, to a whole power."""
        amount = self.atom()
        if not self.next_is("^"):
            return amount
        self.taken()
        exponent = self.atom(words=False)
        if exponent.value.denominator != 1 or exponent.low != exponent.high or exponent.suffixed or amount.dimensions:
            raise Unreadable("not_a_number")
        power = int(exponent.value)
        size = max(amount.high.numerator.bit_length(), amount.low.numerator.bit_length(), amount.high.denominator.bit_length())
        if abs(power) > LARGEST_POWER or size * abs(power) > LARGEST_BITS:
            raise Unreadable("too_big")
        if power < 0 and amount.low <= 0 <= amount.high:
            raise Unreadable("not_a_number")
        ends = [amount.low**power, amount.high**power]
        low = Fraction(0) if power % 2 == 0 and amount.low < 0 < amount.high else min(ends)
        return self.words_behind(Amount(low, max(ends), amount.value**power, amount.figures, (), amount.suffixed))

    def atom(self, words: bool = True) -> Amount:
        """A number, a sum in brackets or a root, with the words behind it."""
        token = self.taken()
        if token.number:
            return self.words_behind(self.number(token)) if words else _exactly(token.number)
        if token.text in "(√":
            self.depth += 1
            if self.depth > DEEPEST:
                raise Unreadable("too_big")
            inner = self.sum() if token.text == "(" else self.root()
            if token.text == "(" and self.taken().text != ")":
                raise Unreadable("not_a_number")
            self.depth -= 1
            return self.words_behind(inner) if words else inner
        if token.text == "-" and self.place > 1 and self.tokens[self.place - 2].text == "^":
            return self.atom(words).times(Fraction(-1))
        raise Unreadable("not_a_number")

    def root(self) -> Amount:
        """The root of what follows √."""
        inner = self.atom()
        if inner.low < 0 or inner.dimensions:
            raise Unreadable("not_a_number")
        return Amount(
            square_root(inner.low), square_root(inner.high), square_root(inner.value), inner.figures, (), inner.suffixed
        )

    def words_behind(self, amount: Amount) -> Amount:
        """The amount times the multiplier that follows it, in the unit that follows it; a unit behind a divisor is of the quotient."""
        while self.place < len(self.tokens) and (word := self.tokens[self.place].word):
            if self.divides and word.dimensions:
                break
            if amount.dimensions:
                raise Unreadable("not_a_number")
            self.place += 1
            amount = replace(amount.times(word.factor), dimensions=word.dimensions, suffixed=True)
        return _bounded(amount)

    def number(self, token: Token) -> Amount:
        """A number with the room that its writing leaves: half a unit of its last figure, none where it is exact."""
        number = token.number
        assert number is not None
        behind = self.tokens[self.place].word if self.place < len(self.tokens) else None
        alone = self.stands_alone()
        larger = (behind and behind.factor != 1) or (alone and self.blurs and self.larger_unit)
        of_more = token.scaled or (larger and not self.in_percent)
        room, figures = Fraction(0), number.figures
        if number.value and number.decimal:
            room = number.unit / 2
        elif number.value and (of_more or (alone and number.digits >= 7 and number.noughts >= 3)):
            room = number.coarse / 2
        elif number.value and (larger or (self.blurs and alone)):
            room, figures = number.unit / 2, number.figures + number.noughts
        return Amount(number.value - room, number.value + room, number.value, figures if room else None, (), token.scaled)

    def stands_alone(self) -> bool:
        """Whether the number just read is a whole term of a sum."""
        before = self.tokens[self.place - 2].text if self.place > 1 else "+"
        after = self.tokens[self.place] if self.place < len(self.tokens) else None
        return before in "+-(" and (after is None or after.word is not None or after.text in "+-)")


def _exactly(number: Numeral) -> Amount:
    return Amount(number.value, number.value, number.value)


def _fewest(amounts: Sequence[Amount]) -> int | None:
    return min((amount.figures for amount in amounts if amount.figures is not None), default=None)


def _bounded(amount: Amount) -> Amount:
    if max(amount.high.numerator.bit_length(), amount.high.denominator.bit_length()) > 2 * LARGEST_BITS:
        raise Unreadable("too_big")
    return amount
