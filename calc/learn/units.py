"""Units and multipliers as people write them, in both languages, and what each measures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

Dimension = Literal["count", "shape", "bytes", "flops", "time", "rate", "percent", "number", "tokens", "hours", "bits"]
"""What a question asks for."""

Question = Literal["bits_or_bytes", "gb_or_gib", "mega_or_tera", "milli_or_mega"]
"""Why a word cannot be taken for one unit."""

PREFIXES = {"k": 3, "m": 6, "g": 9, "t": 12, "p": 15, "e": 18, "z": 21}
BINARY = {"k": 10, "m": 20, "g": 30, "t": 40, "p": 50}

MULTIPLIERS = {
    **{"k": 3, "m": 6, "b": 9, "g": 9, "t": 12, "bn": 9},
    **{"thousand": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9, "trillion": 12, "trillions": 12},
    **{"千": 3, "万": 4, "十万": 5, "百万": 6, "千万": 7, "亿": 8, "十亿": 9, "百亿": 10, "千亿": 11, "万亿": 12},
}
"""Word → power of ten."""


class Word(NamedTuple):
    """What a word behind a number means: a factor; a unit of a dimension, or a plain multiplier; or a question to ask back."""

    factor: Fraction
    dimensions: tuple[Dimension, ...] = ()
    question: Question | None = None


ONE = Fraction(1)
NAMES: Mapping[Dimension, Mapping[str, Fraction]] = {
    "count": dict.fromkeys(("parameters", "parameter", "params", "param", "参数", "个参数", "个数", "个"), ONE),
    "number": dict.fromkeys(("heads", "head", "个头", "头", "tokens", "token", "个", "个token", "词元", "个词元"), ONE),
    "tokens": dict.fromkeys(("tokens", "token", "tok", "个", "个token", "词元", "个词元"), ONE),
    "bits": dict.fromkeys(
        ("bits/weight", "bit/weight", "bits per weight", "bits a weight", "bpw", "bits", "bit", "b", "位", "位/权重", "比特"), ONE
    ),
    "rate": dict.fromkeys(
        ("token/s", "tokens/s", "tok/s", "toks/s", "t/s", "tps", "/s", "tokens per second", "token per second")
        + ("tokens a second", "个/秒", "token/秒", "tokens/秒", "tok/秒", "词元/秒", "个token/秒", "个词元/秒"),
        ONE,
    ),
    "hours": dict.fromkeys(
        ("h", "hr", "hrs", "hour", "hours", "小时", "个小时", "卡时", "gpu小时", "gpu 小时", "gpu·小时")
        + tuple(f"gpu{joint}{hour}" for joint in ("", "·", "*", "-", " ") for hour in ("h", "hour", "hours")),
        ONE,
    ),
    "percent": dict.fromkeys(("%", "percent", "per cent"), Fraction(1, 100)),
    "time": {
        **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒"), ONE),
        **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds", "毫秒"), Fraction(1, 10**3)),
        **dict.fromkeys(("µs", "μs", "us", "microsecond", "microseconds", "微秒"), Fraction(1, 10**6)),
        **dict.fromkeys(("ns", "nanosecond", "nanoseconds", "纳秒"), Fraction(1, 10**9)),
    },
}
"""Names of units by what they measure, in lower case. Those of bytes and FLOP are made of prefixes: `_made_names`."""

SYMBOLS: Mapping[str, tuple[Dimension, Fraction]] = {
    "B": ("bytes", ONE),
    **{f"{letter.upper() if letter != 'k' else 'k'}B": ("bytes", Fraction(10 ** PREFIXES[letter])) for letter in "kmgt"},
    **{f"{letter.upper()}iB": ("bytes", Fraction(2 ** BINARY[letter])) for letter in "kmgt"},
    "FLOP": ("flops", ONE),
    "s": ("time", ONE),
    "ms": ("time", Fraction(1, 1000)),
    "%": ("percent", Fraction(1, 100)),
    "token/s": ("rate", ONE),
    "GPU·h": ("hours", ONE),
    "bit": ("bits", ONE),
}
"""The units questions ask for, as they are printed."""


def unit_factor(unit: str | None) -> Fraction:
    """What one of an asked unit is in the unit its dimension is counted in: bytes, FLOP, seconds; 1 where none is asked.

    >>> unit_factor("GiB"), unit_factor(None)
    (Fraction(1073741824, 1), Fraction(1, 1))
    """
    return ONE if unit is None else SYMBOLS[unit][1]


def meanings(word: str, dimension: Dimension) -> Word | None:
    """What a word means behind a number where a dimension is asked for; None for a word that is no unit.

    >>> meanings("B", "bytes").dimensions, meanings("B", "count").factor, meanings("Gb", "bytes").question
    (('bytes',), Fraction(1000000000, 1), 'bits_or_bytes')
    """
    lower = word.lower()
    if lower == "兆":
        return Word(ONE, question="mega_or_tera")
    if dimension in ("bytes", "bits") or lower not in MULTIPLIERS:
        special = _byte_word(word, dimension)
        if special:
            return special
    if lower == "ms" and word != "ms":
        return Word(ONE, question="milli_or_mega")
    for names in (_names_of(dimension), None):
        if names and lower in names:
            return Word(names[lower], (dimension,))
    if lower in MULTIPLIERS:
        return Word(Fraction(10 ** MULTIPLIERS[lower]))
    elsewhere = _dimensions_by_name().get(lower)
    return Word(ONE, elsewhere) if elsewhere else None


def _byte_word(word: str, dimension: Dimension) -> Word | None:
    """A word of the byte family, where the case of b decides; a bare prefix where bytes are asked for."""
    found = re.fullmatch(r"([kmgtp]?)(i?)([bB])", word, re.IGNORECASE)
    if found and not (dimension == "bits" and word == "b"):
        prefix, binary, letter = found.groups()
        if binary and not prefix:
            return None
        if letter == "b":
            return Word(ONE, question="bits_or_bytes") if dimension == "bytes" else Word(ONE, ("bits",))
        size = 2 ** BINARY[prefix.lower()] if binary else 10 ** PREFIXES.get(prefix.lower(), 0)
        return Word(Fraction(size), ("bytes",))
    if dimension == "bytes" and word.lower() in ("k", "m", "g", "t"):
        return Word(ONE, question="gb_or_gib")
    if dimension == "bytes" and word.lower() in _names_of("bits"):
        return Word(ONE, question="bits_or_bytes")
    return None


@cache
def _names_of(dimension: Dimension) -> Mapping[str, Fraction]:
    return {**NAMES.get(dimension, {}), **dict(_made_names(dimension))}


def _made_names(dimension: Dimension) -> Iterator[tuple[str, Fraction]]:
    """Names of bytes and FLOP, with every prefix."""
    if dimension == "bytes":
        for prefix, power in {"": 0, **{letter: PREFIXES[letter] for letter in "kmgt"}}.items():
            yield from ((prefix + name, Fraction(10**power)) for name in ("byte", "bytes", "字节", "个字节"))
    if dimension == "flops":
        for prefix, power in {"": 0, **PREFIXES}.items():
            yield from ((prefix + name, Fraction(10**power)) for name in ("flop", "flops"))
        yield from dict.fromkeys(("次", "次运算", "次浮点运算", "次计算"), ONE).items()


@cache
def _dimensions_by_name() -> Mapping[str, tuple[Dimension, ...]]:
    found: dict[str, tuple[Dimension, ...]] = {}
    for dimension in ("count", "number", "tokens", "bits", "rate", "hours", "percent", "time", "bytes", "flops"):
        for name in _names_of(dimension):
            found[name] = (*found.get(name, ()), dimension)
    for prefix in ("", *PREFIXES):
        found[f"{prefix}flop/s"] = found[f"{prefix}flops/s"] = ("rate",)
        found[f"{prefix}b/s"] = ("rate",)
    return found


@cache
def word_pattern() -> re.Pattern[str]:
    """A unit or multiplier where a number may be followed by one, the longest first; an ASCII word must end there."""
    bytes_family = {f"{prefix}{binary}b" for prefix in BINARY for binary in ("", "i")}
    words = sorted({*MULTIPLIERS, *_dimensions_by_name(), *bytes_family, "兆"}, key=lambda word: (-len(word), word))
    spelled = "|".join(re.escape(word) + (r"(?![A-Za-z])" if word[-1].isascii() and word[-1].isalpha() else "") for word in words)
    return re.compile(spelled, re.IGNORECASE)
