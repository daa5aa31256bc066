"""Tokens laid over the text they were cut from: the bytes of each, and the characters it covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from calc.tokens.unicode_forms import NormalText

WORD_SEPARATOR = "▁"
"""What SentencePiece writes for a space; one in the text is cut as if it were a space."""

_STARTS_A_CHARACTER = bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256))
"""For bytes.translate: 1 for the first byte of a character in UTF-8, 0 for those that continue it."""


@dataclass(frozen=True, slots=True)
class TokenPiece:
    """One token of a text.

    id        its number in the vocabulary
    bytes     of the text; those of all pieces, one after the other, are the text's
    start     the first character of the text it covers, whole or in part
    end       one more than the last
    whole     whether it covers these characters whole; else it shares one with a neighbour
    added     whether it is also a space the tokenizer put in front, which the text does not have
    special   the name of a special token, None for text
    """

    id: int
    bytes: bytes
    start: int
    end: int
    whole: bool = True
    added: bool = False
    special: str | None = None


def pieces_by_bytes(
    tokens: Iterable[tuple[int, int, str | None]],
    normal: NormalText,
    offset: int = 0,
    separator_is_space: bool = False,
    adds_space: bool = False,
) -> Iterator[TokenPiece]:
    """Pieces of tokens whose bytes, one after the other, are the text's.

    tokens               of each the id, the number of bytes, and the name of a special one
    normal               the text, in the normal form the tokenizer brings it to
    offset               characters of the whole text in front of it
    separator_is_space   whether a ▁ of the text counts as the one byte of a space
    adds_space           whether the tokens' bytes begin with a space the text does not have

    >>> pieces = pieces_by_bytes([(7, 2, None), (8, 3, None)], NormalText("a吃b"))
    >>> [(piece.bytes, piece.start, piece.end, piece.whole) for piece in pieces]
    [(b'a\\xe5', 0, 2, False), (b'\\x90\\x83b', 1, 3, False)]
    """
    text = normal.text
    content = (text.replace(WORD_SEPARATOR, " ") if separator_is_space else text).encode()
    started = list(accumulate(content.translate(_STARTS_A_CHARACTER), initial=0))
    begin = -1 if adds_space else 0
    for token, length, special in tokens:
        end = begin + length
        added, begin_here = begin < 0 < length, max(begin, 0)
        first, last = (started[begin_here + 1] - 1, started[end]) if end > begin_here else (started[begin_here],) * 2
        start, stop = normal.span(first, last)
        own = content[begin_here : max(end, 0)]
        if separator_is_space and WORD_SEPARATOR in text[first:last]:
            own = text[first:last].encode()
        yield TokenPiece(token, own, offset + start, offset + stop, _is_whole(content, begin_here, max(end, 0)), added, special)
        begin = end


def pieces_by_characters(
    ids: Sequence[int], names: Sequence[str | None], spans: Sequence[Sequence[int]], text: str
) -> Iterator[TokenPiece]:
    """Pieces by the characters a library gives for each token: a gap goes to the token behind it, the last gap to the last
    token that has characters, and characters that two tokens claim to the first of them.

    >>> [piece.bytes for piece in pieces_by_characters([1, 2], [None, None], [(1, 3), (4, 5)], " He x ")]
    [b' He', b' x ']
    """
    at = 0
    last = max((place for place, (start, end) in enumerate(spans) if end > start), default=None)
    for place, (token, name, (start, end)) in enumerate(zip(ids, names, spans, strict=True)):
        end = len(text) if place == last else end
        if end > at:
            yield TokenPiece(token, text[at:end].encode(), at, end, special=name)
            at = end
        else:
            yield TokenPiece(token, b"", min(start, at), at, whole=start >= at, special=name)


def _is_whole(content: bytes, begin: int, end: int) -> bool:
    """Whether a stretch of UTF-8 begins and ends with a character."""
    return not (begin < len(content) and 0x80 <= content[begin] < 0xC0 or end < len(content) and 0x80 <= content[end] < 0xC0)
