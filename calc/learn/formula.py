"""A formula, written once: its value, its symbols and its numbers are readings of one expression.

A question states its right value and its wrong ones as formulas of the numbers drawn, so that what is judged, what the
solution shows and what a diagnosis says cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor, isqrt

from calc.learn.units import Dimension
from calc.learn.words import Words, number_text

Given = Mapping[str, int | Fraction]
"""The numbers of a drawing, by the names of their symbols."""

DIGITS = 50
"""To which e and square roots are worked out, in decimal arithmetic that is the same on every machine."""

SUM, PRODUCT, POWER, ATOM = range(4)


class Formula:
    """An expression of symbols and numbers, built with + - * / and **.

    >>> d, n_h, h = Symbol("d"), Symbol("n_h"), Symbol("h", "head_dim")
    >>> query, llama = d * (n_h * h), {"d": 4096, "n_h": 32, "h": 128}
    >>> query.symbols, query.numbers(llama), int(query.value(llama))
    ('d × n_h × head_dim', '4,096 × 32 × 128', 16777216)
    """

    __slots__ = ()

    @property
    def strength(self) -> int:
        """How strongly it binds: a sum less than a product, a product less than a power."""
        return ATOM

    def value(self, given: Given) -> Fraction:
        """Its value for these numbers."""
        raise NotImplementedError

    def written(self, given: Given | None) -> str:
        """In the numbers of a drawing; in symbols where none is given."""
        raise NotImplementedError

    def parts(self) -> tuple[Formula, ...]:
        """The formulas it is made of."""
        return ()

    @property
    def symbols(self) -> str:
        """It in symbols."""
        return self.written(None)

    def numbers(self, given: Given) -> str:
        """It in numbers; a step inside it stands as its value."""
        return self.written(given)

    def steps(self) -> tuple[Step, ...]:
        """The steps it is worked out in, each once, those that others need first."""
        return tuple(dict.fromkeys(self._steps()))

    def _steps(self) -> Iterator[Step]:
        for part in self.parts():
            yield from part._steps()
        if isinstance(self, Step):
            yield self

    def within(self, strength: int, given: Given | None) -> str:
        """It as a part of an expression that binds this strongly: in brackets where it needs them."""
        text = self.written(given)
        return f"({text})" if self.strength < strength else text

    def __add__(self, other: Formula | int | Fraction) -> Formula:
        return Operation("+", self, as_formula(other))

    def __sub__(self, other: Formula | int | Fraction) -> Formula:
        return Operation("−", self, as_formula(other))

    def __mul__(self, other: Formula | int | Fraction) -> Formula:
        return Operation("×", self, as_formula(other))

    def __truediv__(self, other: Formula | int | Fraction) -> Formula:
        return Operation("÷", self, as_formula(other))

    def __pow__(self, power: int) -> Formula:
        return Power(self, power)

    def __radd__(self, other: int | Fraction) -> Formula:
        return as_formula(other) + self

    def __rsub__(self, other: int | Fraction) -> Formula:
        return as_formula(other) - self

    def __rmul__(self, other: int | Fraction) -> Formula:
        return as_formula(other) * self

    def __rtruediv__(self, other: int | Fraction) -> Formula:
        return as_formula(other) / self


def as_formula(value: Formula | int | Fraction) -> Formula:
    """A formula as it is; a number as the formula of it."""
    return value if isinstance(value, Formula) else Number(Fraction(value))


@dataclass(frozen=True, slots=True)
class Symbol(Formula):
    """A number of the drawing: its name there, and how a formula writes it where that differs."""

    name: str
    sign: str = ""

    def value(self, given: Given) -> Fraction:
        """The number drawn."""
        return Fraction(given[self.name])

    def written(self, given: Given | None) -> str:
        """`n_kv`, or `8`."""
        return self.sign or self.name if given is None else _bracketed_negative(number_text(given[self.name]))


@dataclass(frozen=True, slots=True)
class Number(Formula):
    """A number that is the same in every drawing."""

    number: Fraction

    def value(self, given: Given) -> Fraction:
        """Itself."""
        return self.number

    def written(self, given: Given | None) -> str:
        """Itself."""
        return number_text(self.number)


@dataclass(frozen=True, slots=True)
class Power(Formula):
    """A formula to a whole power, written with a raised figure: 10⁹."""

    base: Formula
    power: int

    @property
    def strength(self) -> int:
        """Less than its base."""
        return POWER

    def value(self, given: Given) -> Fraction:
        """base ** power."""
        return self.base.value(given) ** self.power

    def written(self, given: Given | None) -> str:
        """`d²`."""
        return self.base.within(ATOM, given) + str(self.power).translate(RAISED)

    def parts(self) -> tuple[Formula, ...]:
        """Its base."""
        return (self.base,)


RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
OPERATIONS: Mapping[str, tuple[int, Callable[[Fraction, Fraction], Fraction]]] = {
    "+": (SUM, lambda left, right: left + right),
    "−": (SUM, lambda left, right: left - right),
    "×": (PRODUCT, lambda left, right: left * right),
    "÷": (PRODUCT, lambda left, right: left / right),
}


@dataclass(frozen=True, slots=True)
class Operation(Formula):
    """Two formulas added, subtracted, multiplied or divided."""

    sign: str
    left: Formula
    right: Formula

    @property
    def strength(self) -> int:
        """How strongly its sign binds."""
        return OPERATIONS[self.sign][0]

    def value(self, given: Given) -> Fraction:
        """left sign right."""
        return OPERATIONS[self.sign][1](self.left.value(given), self.right.value(given))

    def written(self, given: Given | None) -> str:
        """`2 × d`; brackets on the right of − and ÷ where they matter."""
        right = self.strength + (self.sign in "−÷")
        return f"{self.left.within(self.strength, given)} {self.sign} {self.right.within(right, given)}"

    def parts(self) -> tuple[Formula, ...]:
        """Both sides."""
        return self.left, self.right


@dataclass(frozen=True, slots=True)
class Function(Formula):
    """A function of one formula, between the marks it is written with: ⌊x⌋."""

    before: str
    inner: Formula
    after: str
    work: Callable[[Fraction], Fraction]

    def value(self, given: Given) -> Fraction:
        """The function of the inner value."""
        return self.work(self.inner.value(given))

    def written(self, given: Given | None) -> str:
        """`⌊8 × d ÷ 3⌋`, `√128`."""
        inner = self.inner.written(given) if self.after else self.inner.within(ATOM, given)
        return self.before + inner + self.after

    def parts(self) -> tuple[Formula, ...]:
        """What it is a function of."""
        return (self.inner,)


@dataclass(frozen=True, slots=True)
class Step(Formula):
    """A formula with a name of its own: a line of the solution, and what a hint can ask for.

    >>> d, f = Symbol("d"), Symbol("f", "d_ff")
    >>> ffn = Step("ffn", Words("parameters of the FFN", "前馈的参数量"), 3 * d * f)
    >>> (32 * ffn).symbols, (32 * ffn).numbers({"d": 4096, "f": 11008}), ffn.inner.numbers({"d": 4096, "f": 11008})
    ('32 × ffn', '32 × 135,266,304', '3 × 4,096 × 11,008')
    """

    sign: str
    name: Words
    inner: Formula
    dimension: Dimension = "count"

    def value(self, given: Given) -> Fraction:
        """The value of what it names."""
        return self.inner.value(given)

    def written(self, given: Given | None) -> str:
        """Its sign, or its value."""
        return self.sign if given is None else number_text(self.value(given))

    def parts(self) -> tuple[Formula, ...]:
        """What it names."""
        return (self.inner,)


def whole(formula: Formula) -> Formula:
    """Cut to a whole number: ⌊x⌋."""
    return Function("⌊", formula, "⌋", lambda value: Fraction(floor(value)))


def up(formula: Formula, multiple: Formula) -> Formula:
    """Rounded up to a multiple of k: ⌈x ÷ k⌉ × k.

    >>> up(whole(8 * Symbol("d") / 3), Symbol("k")).numbers({"d": 4096, "k": 256})
    '⌈⌊8 × 4,096 ÷ 3⌋ ÷ 256⌉ × 256'
    """
    return Function("⌈", formula / multiple, "⌉", lambda value: Fraction(ceil(value))) * multiple


def exp(formula: Formula) -> Formula:
    """e to the power of it, to 50 digits."""
    return Function("e^", formula, "", exponential)


def sqrt(formula: Formula) -> Formula:
    """Its square root; exact where there is one, else to 50 digits."""
    return Function("√", formula, "", square_root)


def exponential(value: Fraction) -> Fraction:
    """e to the power of a fraction, to 50 digits.

    >>> float(exponential(Fraction("0.43")))
    1.5372575235482815
    """
    context = Context(prec=DIGITS)
    power = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Fraction(context.exp(power))


def square_root(value: Fraction) -> Fraction:
    """The square root of a fraction, exact where there is one, else to 50 digits.

    >>> square_root(Fraction(64)), float(square_root(Fraction(128)))
    (Fraction(8, 1), 11.313708498984761)
    """
    exact = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if exact * exact == value:
        return exact
    context = Context(prec=DIGITS)
    return Fraction(context.sqrt(context.divide(Decimal(value.numerator), Decimal(value.denominator))))


def _bracketed_negative(number: str) -> str:
    return f"({number})" if number.startswith("−") else number
