"""A text in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple


class Words(NamedTuple):
    """A text in English and in Chinese.

    >>> Words("{n} heads", "{n} 个头").filled({"n": 1024}).zh
    '1,024 个头'
    """

    en: str
    zh: str

    def filled(self, values: Mapping[str, object]) -> Words:
        """The text with its gaps filled: numbers with thousands marks, texts as they are."""
        return Words(
            *(
                text.format_map({name: _written(value, place) for name, value in values.items()})
                for place, text in enumerate(self)
            )
        )

    def in_language(self, language: str) -> str:
        """The text in `en` or `zh`."""
        return self.zh if language == "zh" else self.en


def number_text(value: int | Fraction) -> str:
    """A number as a formula writes it: thousands marks, decimals where they end within ten places, else a fraction.

    >>> number_text(32000), number_text(Fraction("1.3")), number_text(Fraction(1, 3)), number_text(-2)
    ('32,000', '1.3', '1/3', '−2')
    """
    value = Fraction(value)
    sign, size = ("−" if value < 0 else ""), abs(value)
    scaled = size * 10**10
    if scaled.denominator != 1:
        return f"{sign}{size.numerator:,}/{size.denominator:,}"
    whole, places = divmod(scaled.numerator, 10**10)
    return f"{sign}{whole:,}" + (f".{places:010}".rstrip("0") if places else "")


def _written(value: object, place: int) -> str:
    if isinstance(value, Words):
        return value[place]
    return number_text(value) if isinstance(value, int | Fraction) else str(value)
