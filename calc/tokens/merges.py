"""How byte-pair encoding gets from single symbols to tokens: the merges of one word, one at a time.

    repeat: of all neighbours whose joined bytes are an entry, join the pair of the lowest rank, the leftmost of equals

Byte-level vocabularies start from the bytes of the word; an entry's rank is its id. SentencePiece starts from the
characters and ranks entries by score, which in these vocabularies is minus the place behind the first entry; runs of
spaces have the score −10⁹ and are joined last. In the end a character that is no entry falls apart into its bytes.

Sources: Sennrich et al. 2016 (arXiv:1508.07909); tiktoken's `_byte_pair_merge`; SentencePiece's `bpe_model.cc`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from calc.errors import ConfigError
from calc.tokens.loaded import LoadedTokenizer, tokenizer
from calc.tokens.vocabularies import BYTE_LEVEL, find_tokenizer

LONGEST_WORD = 256
"""Symbols; the work grows with the square of it."""

RANK_OF_SPACES = 10**9
"""Of a run of spaces in a SentencePiece vocabulary that has no unmerged piece for it."""

START, MERGE, WHOLE, BYTES = "start", "merge", "whole", "bytes"


@dataclass(frozen=True, slots=True)
class MergeState:
    """The word between two merges.

    parts     its symbols, as bytes
    ranks     of each pair of neighbours the rank of the entry they make, None where they make none: len(parts) − 1
    chosen    index of the pair that is joined next, None where none is left
    reached   by what: `START`; `MERGE`; `WHOLE`, the whole word is an entry although no merges lead to it;
              `BYTES`, characters that are no entry fell apart
    """

    parts: tuple[bytes, ...]
    ranks: tuple[int | None, ...]
    chosen: int | None
    reached: str

    @property
    def next_merge(self) -> tuple[tuple[bytes, bytes], int]:
        """The pair that is joined next, and its rank. Raises ValueError in a last state."""
        rank = None if self.chosen is None else self.ranks[self.chosen]
        if self.chosen is None or rank is None:
            raise ValueError("no merge is left")
        return (self.parts[self.chosen], self.parts[self.chosen + 1]), rank


@dataclass(frozen=True, slots=True)
class Replay:
    """All states of a word, from single symbols to the ids the tokenizer gives."""

    word: str
    states: tuple[MergeState, ...]
    ids: tuple[int, ...]


def replay(name: str, word: str) -> Replay:
    """The merges of one word of `calc.tokens.pretokens.pre_tokens`, spaces written as spaces.

    Raises ConfigError: word_too_long, unknown_tokenizer, unknown_tokenizer_similar, tokenizer_package_missing.

    >>> [b"-".join(state.parts).decode() for state in replay("llama-2", " straw").states]
    [' -s-t-r-a-w', ' s-t-r-a-w', ' s-t-ra-w', ' st-ra-w', ' st-raw']
    >>> first = replay("llama-2", " straw").states[0]
    >>> first.ranks, first.chosen
    ((10, 44, 250, 77, 1191), 0)
    """
    facts = find_tokenizer(name)
    loaded = tokenizer(facts.name)
    byte_level = facts.kind == BYTE_LEVEL
    parts = [bytes([byte]) for byte in word.encode()] if byte_level else _symbols(loaded, word)
    if len(parts) > LONGEST_WORD:
        raise ConfigError("word_too_long", symbols=len(parts), limit=LONGEST_WORD)
    states = list(_merges(loaded, parts))
    parts, whole = states[-1].parts, word.encode()
    if byte_level and len(parts) > 1 and whole in loaded.entries():
        parts = (whole,)
        states.append(MergeState(parts, (), None, WHOLE))
    ids = tuple(token for part in parts for token in _ids_of(loaded, part))
    if len(ids) != len(parts):
        apart = tuple(piece for part in parts for piece in ([part] if _is_entry(loaded, part) else [bytes([b]) for b in part]))
        states.append(MergeState(apart, (None,) * (len(apart) - 1), None, BYTES))
    return Replay(word, tuple(states), ids)


def _merges(loaded: LoadedTokenizer, parts: list[bytes]) -> Iterator[MergeState]:
    """The states from single symbols until no two neighbours make an entry."""
    unmerged = frozenset(piece.encode() for piece in loaded.unmerged())
    reached = START
    while True:
        ranks = tuple(_rank(loaded, left, right, unmerged) for left, right in pairwise(parts))
        _, chosen = min(((rank, at) for at, rank in enumerate(ranks) if rank is not None), default=(None, None))
        yield MergeState(tuple(parts), ranks, chosen, reached)
        if chosen is None:
            return
        parts = [*parts[:chosen], parts[chosen] + parts[chosen + 1], *parts[chosen + 2 :]]
        reached = MERGE


def _symbols(loaded: LoadedTokenizer, word: str) -> list[bytes]:
    """The characters of a SentencePiece word; a piece that never merges, the longest first, is one symbol."""
    symbols, at, unmerged = [], 0, loaded.unmerged()
    if word in unmerged:
        return [word.encode()]
    longest = max(map(len, unmerged), default=1)
    while at < len(word):
        length = next((n for n in range(min(longest, len(word) - at), 0, -1) if word[at : at + n] in unmerged), 1)
        symbols.append(word[at : at + length].encode())
        at += length
    return symbols


def _rank(loaded: LoadedTokenizer, left: bytes, right: bytes, unmerged: frozenset[bytes]) -> int | None:
    token = None if left in unmerged or right in unmerged else loaded.entries().get(left + right)
    if token is None:
        return None
    if loaded.facts.kind != BYTE_LEVEL and not (left + right).strip(b" "):
        return RANK_OF_SPACES
    return token - loaded.facts.first_token


def _is_entry(loaded: LoadedTokenizer, part: bytes) -> bool:
    return part in loaded.entries() or part.decode(errors="replace") in loaded.unmerged()


def _ids_of(loaded: LoadedTokenizer, part: bytes) -> Sequence[int]:
    token = loaded.entries().get(part)
    if token is None and loaded.facts.first_byte is not None:
        token = loaded.unmerged().get(part.decode())
        return [loaded.facts.first_byte + byte for byte in part] if token is None else [token]
    return [] if token is None else [token]
