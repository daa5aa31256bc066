"""A text as tokens: the ids, and for each its bytes and the characters it covers, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from calc.tokens.alignment import TokenPiece, pieces_by_bytes
from calc.tokens.loaded import LoadedTokenizer, tokenizer
from calc.tokens.unicode_forms import aligned_normal_form, well_formed
from calc.tokens.vocabularies import BYTE_LEVEL, find_tokenizer


@dataclass(frozen=True, slots=True)
class Encoding:
    """A text and its tokens.

    tokenizer   name of the tokenizer
    text        the text that was cut: as given, surrogates settled (`calc.tokens.unicode_forms`)
    ids         the ids, in order
    replaced    places of characters that were lone surrogates and are U+FFFD in `text`
    cut         from a limit to the pieces: the first ones, without a limit all
    """

    tokenizer: str
    text: str
    ids: tuple[int, ...]
    replaced: tuple[int, ...]
    cut: Callable[[int | None], tuple[TokenPiece, ...]] = field(repr=False, compare=False)

    @property
    def count(self) -> int:
        """Tokens."""
        return len(self.ids)

    def pieces(self, limit: int | None = None) -> tuple[TokenPiece, ...]:
        """Every token with its bytes and characters, or the first `limit`."""
        return self.cut(limit)


def encode(name: str, text: str, special: bool = False) -> Encoding:
    """A text cut by a tokenizer of the catalogue, as the model's own tokenizer cuts it.

    special   True: special tokens spelled out in the text count as such, and what the model begins with (BOS) is put in
              front. False: the ids of the text alone, in which `<s>` is three characters like any other.

    Raises ConfigError: unknown_tokenizer, unknown_tokenizer_similar, tokenizer_package_missing.

    >>> encode("llama-2", "12345").ids
    (29871, 29896, 29906, 29941, 29946, 29945)
    >>> [piece.bytes.decode() for piece in encode("llama-3", "12345").pieces()]
    ['123', '45']
    >>> [(piece.bytes.hex(), piece.start, piece.end) for piece in encode("llama-2", "吃").pieces()]
    [('', 0, 0), ('e5', 0, 1), ('90', 0, 1), ('83', 0, 1)]
    >>> encode("llama-2", "</s>", special=True).ids
    (1, 2)
    """
    loaded = tokenizer(find_tokenizer(name).name)
    text, replaced = well_formed(text)
    stretches = tuple(_stretches(loaded, text)) if special else (_Stretch(0, text, tuple(loaded.ids(text))),)
    ids = stretches[0].ids if len(stretches) == 1 else tuple(token for stretch in stretches for token in stretch.ids)
    return Encoding(loaded.facts.name, text, ids, replaced, lambda limit: _pieces(loaded, stretches, limit))


def count(name: str, text: str) -> int:
    """Tokens of a text, special ones not counted.

    >>> count("llama-2", "我吃了一个苹果"), count("llama-3", "我吃了一个苹果")
    (12, 5)
    """
    return len(tokenizer(find_tokenizer(name).name).ids(well_formed(text)[0]))


def groups(pieces: Sequence[TokenPiece]) -> Iterator[tuple[TokenPiece, ...]]:
    """Pieces in groups: those that share a character together, every other one by itself.

    >>> [len(group) for group in groups(encode("llama-2", "我吃了").pieces())]
    [1, 1, 3, 1]
    """
    group: list[TokenPiece] = []
    end = 0
    for piece in pieces:
        if group and not (piece.start < end and piece.bytes):
            yield tuple(group)
            group = []
        group.append(piece)
        end = piece.end
    if group:
        yield tuple(group)


@dataclass(frozen=True, slots=True)
class LettersInToken:
    """How often a letter is in the text of one token."""

    piece: TokenPiece
    times: int


def letters_in_tokens(name: str, word: str, letter: str) -> tuple[LettersInToken, ...]:
    """The letter counted in each token of a word: what a model that sees only ids has to know by heart.

    >>> [(each.piece.bytes.decode(), each.times) for each in letters_in_tokens("llama-2", "strawberry", "r")]
    [('st', 0), ('raw', 1), ('berry', 2)]
    """
    wanted = letter.encode("utf-8", "replace")
    pieces = encode(name, word).pieces()
    return tuple(LettersInToken(piece, piece.bytes.count(wanted) if wanted else 0) for piece in pieces)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of the text without special tokens, or (with its name) one of them."""

    start: int
    text: str
    ids: tuple[int, ...]
    special: str | None = None


def _stretches(loaded: LoadedTokenizer, text: str) -> Iterator[_Stretch]:
    """What the model begins with, then the text with its special tokens, the longest name first."""
    for token in loaded.facts.begins_with:
        yield _Stretch(0, "", (token,), loaded.special[token])
    at = 0
    for match in _special_pattern(loaded.facts.name).finditer(text):
        if match.start() > at:
            yield _Stretch(at, text[at : match.start()], tuple(loaded.ids(text[at : match.start()])))
        yield _Stretch(match.start(), match[0], (loaded.special_ids[match[0]],), match[0])
        at = match.end()
    if at < len(text):
        yield _Stretch(at, text[at:], tuple(loaded.ids(text[at:])))


@cache
def _special_pattern(name: str) -> re.Pattern[str]:
    names = sorted(tokenizer(name).special_ids, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)))


def _pieces(loaded: LoadedTokenizer, stretches: Sequence[_Stretch], limit: int | None) -> tuple[TokenPiece, ...]:
    pieces: list[TokenPiece] = []
    for stretch in stretches:
        left = None if limit is None else limit - len(pieces)
        if left is not None and left <= 0:
            break
        if stretch.special is not None:
            end = stretch.start + len(stretch.text)
            pieces.append(TokenPiece(stretch.ids[0], stretch.text.encode(), stretch.start, end, special=stretch.special))
        else:
            facts = loaded.facts
            normal = aligned_normal_form(stretch.text, facts.normal_form)
            tokens = ((token, len(loaded.token_bytes(token)), None) for token in stretch.ids[:left])
            pieces += pieces_by_bytes(tokens, normal, stretch.start, facts.kind != BYTE_LEVEL, facts.adds_space)
    return tuple(pieces)
