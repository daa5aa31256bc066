"""The length of a vector, carried as a symbol and as a value at once.

Every count in this package is a product of lengths, so a length that remembers how it is written lets the
formula on screen (`d × n_kv·head_dim`) and the number beside it come from the same expression.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Length:
    """A vector length: its symbol, its value, and how the value is made of the config's numbers.

    Lengths multiply and add like the integers they hold; an integer on the left is a plain factor.

    >>> n_kv, head_dim = Length.of("n_kv", 8), Length.of("head_dim", 128)
    >>> n_kv * head_dim
    Length(symbol='n_kv·head_dim', value=1024, numbers='8·128', is_sum=False)
    >>> (Length.of("n_h", 32) * head_dim + 2 * (n_kv * head_dim)).symbol
    'n_h·head_dim + 2·n_kv·head_dim'
    """

    symbol: str
    value: int
    numbers: str
    is_sum: bool = False

    @classmethod
    def of(cls, symbol: str, value: int) -> Length:
        """A length read straight from a config: its numbers are its value."""
        return cls(symbol, value, str(value))

    def __mul__(self, other: Length) -> Length:
        return Length(
            f"{self.factor_symbol}·{other.factor_symbol}",
            self.value * other.value,
            f"{self.factor_numbers}·{other.factor_numbers}",
        )

    def __rmul__(self, times: int) -> Length:
        return Length.of(str(times), times) * self

    def __add__(self, other: Length) -> Length:
        return Length(
            f"{self.symbol} + {other.symbol}", self.value + other.value, f"{self.numbers} + {other.numbers}", is_sum=True
        )

    @property
    def factor_symbol(self) -> str:
        """The symbol, in brackets where it is a sum, ready to stand in a product."""
        return f"({self.symbol})" if self.is_sum else self.symbol

    @property
    def factor_numbers(self) -> str:
        """The numbers, in brackets where they are a sum, ready to stand in a product."""
        return f"({self.numbers})" if self.is_sum else self.numbers


ONE = Length.of("1", 1)
