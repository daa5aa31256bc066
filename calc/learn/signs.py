"""What a person typed, as plain signs, and these as numbers, words and signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from calc.learn.asking_back import Unreadable
from calc.learn.numerals import LARGEST_POWER, LITERAL, Numeral, numeral
from calc.learn.units import Dimension, Word, meanings, word_pattern

MOST_NUMBERS = 40
SCALE = re.compile(r"\s*\*\s*10\s*\^\s*(?:\(\s*([+-]?\d{1,4})\s*\)|([+-]?\d{1,4}))(?![\d.])|[eE]([+-]?\d{1,4})(?![A-Za-z\d.])")


def plain_signs(text: str) -> str:
    """Superscripts as ^, full-width characters as plain ones, every sign of multiplying as *, words of doubt taken off;
    of an equation its last side.

    >>> plain_signs("≈６．７３８×10⁹ 左右。"), plain_signs("4096 x 128"), plain_signs("13−2")
    ('6.738*10^9', '4096*128', '13-2')
    >>> plain_signs("32 × 128 = 4096")
    '4096'
    """
    text = RAISED.sub(lambda found: "^" + _power(found.group()), text)
    text = unicodedata.normalize("NFKC", text).strip()
    for pattern, sign in SIGNS:
        text = pattern.sub(sign, text)
    text = re.split("[=≈]", text.strip("=≈ "))[-1]
    while text != (shorter := DOUBT.sub("", text).strip()):
        text = shorter
    found = PER_HUNDRED.fullmatch(text)
    return found.group(1) + "%" if found else text


RAISED = re.compile(r"(?<=[\d)０-９])[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
SIGNS = (
    (re.compile(r"[×✕✖∗]|\*\*?"), "*"),
    (re.compile(r"[·•⋅∙・](?=\s*[\d(√.])"), "*"),
    (re.compile(r"(?<=[\dA-Za-z)\u4e00-\u9fff])\s+[xX]\s+(?=[\d(√])|(?<=[\d)])\s*[xX]\s*(?=[\d(√])"), "*"),
    (re.compile(r"[÷⁄∕]"), "/"),
    (re.compile(r"[−–—‐‑]"), "-"),
)
DOUBT = re.compile(
    r"^\s*(?:≈|~|∼|≃|≅|=|约为|大约|约|大概|about|approximately|approx\.?|roughly|around|ca\.?(?![a-z]))"
    r"|(?:左右|上下|。|(?<!\d)\.|(?<=\d)\.(?=$))\s*$",
    re.IGNORECASE,
)
PER_HUNDRED = re.compile(r"百分之\s*([\d.]+)")


def _power(raised: str) -> str:
    digits = unicodedata.normalize("NFKC", raised).replace("−", "-")
    return f"({digits})" if digits[0] in "+-" else digits


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: a number, a word behind one, or a sign."""

    text: str
    number: Numeral | None = None
    scaled: bool = False
    word: Word | None = None


def tokens_of(text: str, dimension: Dimension) -> Sequence[Token]:
    """A text in plain signs → its numbers, words and signs. Raises Unreadable.

    >>> [token.text for token in tokens_of("4*10.5M", "count")]
    ['4', '*', '10.5', 'M']
    """
    tokens: list[Token] = []
    place = numbers = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        token, place = _token(text, place, tokens, dimension)
        tokens.append(token)
        numbers += token.number is not None
        if numbers > MOST_NUMBERS:
            raise Unreadable("too_big")
    return tokens


def _token(text: str, place: int, before: Sequence[Token], dimension: Dimension) -> tuple[Token, int]:
    literal = LITERAL.match(text, place)
    if literal:
        written = literal.group().rstrip(",_'’ ")
        place += len(written)
        number = numeral(written)
        scale = SCALE.match(text, place)
        if not scale or (before and before[-1].text == "^"):
            return Token(written, number), place
        power = int(next(group for group in scale.groups() if group))
        if abs(power) > LARGEST_POWER:
            raise Unreadable("too_big")
        return Token(written, number.scaled(Fraction(10) ** power), scaled=True), scale.end()
    if before and (before[-1].number or before[-1].word or before[-1].text == ")"):
        found = word_pattern().match(text, place)
        if found:
            return Token(found.group(), word=_meaning(found.group(), before, dimension)), found.end()
    if text[place] in "+-*/^()√":
        return Token(text[place]), place + 1
    raise Unreadable("not_a_number")


def _meaning(written: str, before: Sequence[Token], dimension: Dimension) -> Word:
    word = meanings(written, dimension)
    if word is None:
        raise Unreadable("not_a_number")
    number = f"{before[-1].text} {written}".strip()
    if word.question:
        raise Unreadable(word.question, text=number)
    if word.dimensions and dimension not in word.dimensions:
        raise Unreadable("wrong_unit", text=number)
    return word
