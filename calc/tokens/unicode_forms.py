"""What happens to a text before it is cut: surrogates are replaced, and some tokenizers take a Unicode normal form.

Both keep track of the characters, so that every token can be shown over the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Literal

NormalForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
REPLACEMENT = "\ufffd"
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> tuple[str, tuple[int, ...]]:
    """A text without surrogates, and the places of lone ones.

    Half a character has no bytes in UTF-8. As in tiktoken, two halves side by side become their character, and a lone one
    becomes U+FFFD.

    >>> well_formed("a\\ud83d\\ude00b") == ("a😀b", ())
    True
    >>> well_formed("a\\ud83db")[1]
    (1,)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
        return _LONE.sub(REPLACEMENT, joined), tuple(match.start() for match in _LONE.finditer(joined))
    return text, ()


@dataclass(frozen=True, slots=True)
class NormalText:
    """A text in a normal form, and where each of its characters comes from.

    text     in the normal form
    starts   for each of its characters the first character of the given text it comes from; None where nothing changed
    ends     and one more than the last
    """

    text: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the given text that the characters `start` to `end` of the normal form come from."""
        if self.starts is None or self.ends is None:
            return start, end
        if start == end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]


def in_normal_form(text: str, form: NormalForm | None) -> str:
    """The text in a Unicode normal form, or as it is.

    >>> len(in_normal_form("e\\u0301", "NFC")), len(in_normal_form("e\\u0301", None))
    (1, 2)
    """
    return text if form is None or unicodedata.is_normalized(form, text) else _normalized(form, text)


def aligned_normal_form(text: str, form: NormalForm | None) -> NormalText:
    """The text in a normal form with the origin of every character.

    A normal form is made stretch by stretch: nothing moves across a character of combining class 0 that is the second
    part of no composition. Every character of a stretch is taken to come from the whole stretch.

    >>> normal = aligned_normal_form("cafe\\u0301s", "NFC")
    >>> normal.text, normal.span(3, 4), normal.span(4, 5)
    ('cafés', (3, 5), (5, 6))
    """
    if form is None or unicodedata.is_normalized(form, text):
        return NormalText(text)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    begin = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and _joins_what_is_before(text[end]):
            continue
        piece = _normalized(form, text[begin:end])
        pieces.append(piece)
        if piece == text[begin:end]:
            starts += range(begin, end)
            ends += range(begin + 1, end + 1)
        else:
            starts += [begin] * len(piece)
            ends += [end] * len(piece)
        begin = end
    return NormalText("".join(pieces), tuple(starts), tuple(ends))


def _normalized(form: NormalForm, text: str) -> str:
    """The normal form by the tables of the `tokenizers` package, or else by Python's.

    Models are used with the package, whose older Unicode does not put a later combining mark in order.
    """
    try:
        from tokenizers import normalizers
    except ImportError:
        return unicodedata.normalize(form, text)
    return getattr(normalizers, form)().normalize_str(text)


def _joins_what_is_before(character: str) -> bool:
    return bool(unicodedata.combining(character)) or character in _second_parts()


@cache
def _second_parts() -> frozenset[str]:
    """Characters of combining class 0 that compose with the one before: vowels of Hangul and of Indic scripts, mostly."""
    seconds = {chr(point) for first, last in ((0x1161, 0x1176), (0x11A8, 0x11C3)) for point in range(first, last)}
    for point in (*range(0x80, 0x3100), *range(0xF900, 0x12000), *range(0x1D100, 0x1D200)):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            second = chr(int(parts[1], 16))
            if not unicodedata.combining(second):
                seconds.add(second)
    return frozenset(seconds)
