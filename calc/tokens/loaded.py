"""A tokenizer of the catalogue, loaded once a process when it is first asked for: text → ids, id → bytes.

The ids come from the package splintr-rs, except for what it leaves to its caller:

- it has markers of its own, above the vocabulary: only `encode_ordinary` is called, which matches none;
- Qwen's text has to be brought to the normal form NFC first;
- Gemma's tags (`<table>`, `</b>` …) are entries that never merge: the text is cut at them here;
- a SentencePiece text is merged as one piece, a heap as long as the text. No entry has a space behind another
  character (a test in tests/tokens/ looks at all of them), so no merge crosses from a word into the space behind it: the
  words are merged one by one, and frequent ones are cached. The ids are the same, several times faster.
"""

from __future__ import annotations

import base64
import gzip
import re
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calc.errors import ConfigError
from calc.tokens.alignment import WORD_SEPARATOR
from calc.tokens.unicode_forms import in_normal_form
from calc.tokens.vocabularies import BYTE_LEVEL, TokenizerFacts, tokenizers

PACKAGE = "splintr-rs==0.22.0"
GPT2_FILE = Path(__file__).parents[1] / "data" / "gpt2_vocab.bpe.gz"

CACHED_WORDS = 100_000
LONGEST_CACHED = 32


class LoadedTokenizer:
    """One tokenizer: its facts, its special tokens, and what turns text into ids.

    special        id → name of every special token
    special_ids    name → id
    unused         ids without an entry
    """

    def __init__(self, facts: TokenizerFacts) -> None:
        self.facts = facts
        self._engine = _engine(facts)
        self._bytes: list[bytes | None] = [None] * facts.size
        self._entries: Mapping[bytes, int] = {}
        self._reading = threading.Lock()
        self.special, self.unused = self._special_names()
        self.special_ids = {name: token for token, name in self.special.items()}
        self._words = _Words(facts, self._engine) if facts.kind != BYTE_LEVEL else None

    def ids(self, text: str, at_the_beginning: bool = True) -> list[int]:
        """The ids of a text without surrogates; special tokens spelled out in it are text like any other.

        at_the_beginning   False for the rest of a text cut at a space or line end behind a letter or digit: no space
                           is put in front
        """
        if self._words is None:
            return self._engine.encode_ordinary(in_normal_form(text, self.facts.normal_form))
        return self._words.ids(text, at_the_beginning)

    def token_bytes(self, token: int) -> bytes:
        """The bytes of an entry, a SentencePiece ▁ as a space; none for a special or an unused one.

        Raises ConfigError: no_such_token.
        """
        if not 0 <= token < self.facts.size:
            raise ConfigError("no_such_token", token=token, size=f"{self.facts.size:,}")
        content = self._bytes[token]
        if content is None:
            is_text = token not in self.special and token not in self.unused
            content = self._bytes[token] = self._engine.decode_token_bytes(token) if is_text else b""
        return content

    def entries(self) -> Mapping[bytes, int]:
        """Bytes → id of everything that merging can make: without special tokens, and the bytes SentencePiece falls back to."""
        with self._reading:
            if not self._entries:
                tokens = range(self.facts.first_token, self.facts.end_of_tokens)
                self._entries = {self.token_bytes(token): token for token in tokens}
        return self._entries

    def unmerged(self) -> Mapping[str, int]:
        """SentencePiece: text entries that no merge makes or touches: runs of spaces and line ends, tags."""
        return {} if self._words is None else self._words.unmerged

    def words(self, text: str, at_the_beginning: bool = True) -> list[str]:
        """SentencePiece: the stretches of a text, each merged by itself, spaces for ▁, the space in front included."""
        return [] if self._words is None else self._words.words(text, at_the_beginning)

    def _special_names(self) -> tuple[Mapping[int, str], frozenset[int]]:
        """Of the ids that merging does not make and that are neither bytes nor text: names, and those without one."""
        facts = self.facts
        spelled = self._engine.special_tokens() if hasattr(self._engine, "special_tokens") else {}
        named = {token: name for name, token in spelled.items()}
        names = {}
        for token in _special_tokens(facts):
            numbered = next((each for each in facts.numbered_special if each.first <= token <= each.last), None)
            names[token] = numbered.name_of(token) if numbered else named.get(token) or _text_of(self._engine, token)
        return {token: name for token, name in names.items() if name}, frozenset(t for t, name in names.items() if not name)


def tokenizer(name: str) -> LoadedTokenizer:
    """The tokenizer of a catalogue name, loaded when it is first asked for.

    Raises ConfigError: tokenizer_package_missing.

    >>> tokenizer("llama-2").ids("strawberry")
    [380, 1610, 16344]
    >>> tokenizer("llama-3").ids("12345")
    [4513, 1774]
    """
    with _loading:
        lock = _locks.setdefault(name, threading.Lock())
    with lock:
        if name not in _loaded:
            _loaded[name] = LoadedTokenizer(tokenizers()[name])
        return _loaded[name]


_loading = threading.Lock()
_locks: dict[str, threading.Lock] = {}
_loaded: dict[str, LoadedTokenizer] = {}


def is_installed() -> bool:
    """Whether the package with the vocabularies can be imported."""
    try:
        import splintr  # noqa: F401
    except ImportError:
        return False
    return True


class _Words:
    """A SentencePiece tokenizer's words, merged one by one."""

    def __init__(self, facts: TokenizerFacts, engine: Any) -> None:
        self.facts, self.engine = facts, engine
        self.cache: dict[str, tuple[int, ...]] = {}
        halves = (piece.partition(" ") for piece in facts.pieces_across_spaces)
        across = "".join(rf"|(?<={re.escape(left)}) (?={re.escape(right)})" for left, _, right in halves)
        inside = f"(?:[^ \\n]{across})" if across else "[^ \\n]"
        self.pattern = re.compile(rf" *[^ \n]{inside}*|\n+| +")
        self.unmerged = {
            engine.decode_token_bytes(token).decode(): token
            for each in facts.user_defined
            if not each.special
            for token in range(each.first, each.last + 1)
        }
        self.tags = {piece: token for piece, token in self.unmerged.items() if piece.startswith("<")}
        self.tag = re.compile("(" + "|".join(map(re.escape, self.tags)) + ")") if self.tags else None

    def ids(self, text: str, at_the_beginning: bool) -> list[int]:
        """The ids of a text."""
        ids: list[int] = []
        for part in self._parts(text, at_the_beginning):
            if part in self.tags:
                ids.append(self.tags[part])
            else:
                self._add(part, ids)
        return ids

    def words(self, text: str, at_the_beginning: bool) -> list[str]:
        """The stretches of a text that merge by themselves, and the tags."""
        parts = self._parts(text, at_the_beginning)
        return [word for part in parts for word in ((part,) if part in self.tags else self.pattern.findall(part))]

    def _parts(self, text: str, at_the_beginning: bool) -> Sequence[str]:
        """The text with spaces for ▁ and with the one in front, cut at the tags."""
        if not text:
            return ()
        text = text.replace(WORD_SEPARATOR, " ")
        if self.facts.adds_space and at_the_beginning:
            text = f" {text}"
        return self.tag.split(text) if self.tag and "<" in text else (text,)

    def _add(self, text: str, ids: list[int]) -> None:
        get, extend = self.cache.get, ids.extend
        for word in self.pattern.findall(text):
            tokens = get(word)
            if tokens is None:
                tokens = self._merged(word)
                if len(word) <= LONGEST_CACHED:
                    if len(self.cache) >= CACHED_WORDS:
                        self.cache.clear()
                    self.cache[word] = tokens
            extend(tokens)

    def _merged(self, word: str) -> tuple[int, ...]:
        if not self.facts.adds_space:
            return tuple(self.engine.encode_ordinary(word))
        # the space it puts in front and a line end, which merges with nothing, are two tokens: dropped again
        return tuple(self.engine.encode_ordinary(f"\n{word}")[2:])


def _special_tokens(facts: TokenizerFacts) -> list[int]:
    """Ids outside the entries that merging makes, the bytes, and the user-defined pieces that are text."""
    ordinary = set(range(facts.first_token, facts.end_of_tokens))
    if facts.first_byte is not None:
        ordinary |= set(range(facts.first_byte, facts.first_byte + 256))
    for each in facts.user_defined:
        if not each.special:
            ordinary |= set(range(each.first, each.last + 1))
    return [token for token in range(facts.size) if token not in ordinary]


def _text_of(engine: Any, token: int) -> str | None:
    try:
        return engine.decode_token_bytes(token).decode() or None
    except ValueError:  # the package knows no name for it
        return None


def _engine(facts: TokenizerFacts) -> Any:
    """splintr's tokenizer. Raises ConfigError: tokenizer_package_missing."""
    try:
        import splintr
    except ImportError:
        raise ConfigError("tokenizer_package_missing", package=PACKAGE) from None
    if facts.embedded:
        return splintr.Tokenizer.from_pretrained(facts.embedded)
    return splintr.Tokenizer.from_bytes(_gpt2_ranks(), splintr.GPT2_PATTERN)


def _gpt2_ranks() -> bytes:
    """GPT-2's published vocab.bpe as ranks, one a line: first the bytes in its alphabet's order, then each merge."""
    alphabet = bytes_of_alphabet()
    lines = gzip.decompress(GPT2_FILE.read_bytes()).decode().splitlines()[1:]
    tokens = [bytes([byte]) for byte in alphabet.values()]
    tokens += [bytes(alphabet[character] for character in line if character != " ") for line in lines]
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def bytes_of_alphabet() -> Mapping[str, int]:
    """GPT-2's alphabet: a visible character for each of the 256 bytes, in the order of their ids.

    A byte that is a visible character of Latin-1 stands for itself, the others for the characters from U+0100 on.

    >>> alphabet = bytes_of_alphabet()
    >>> len(alphabet), alphabet["!"], alphabet["Ġ"]
    (256, 33, 32)
    """
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(0x100 + at): byte for at, byte in enumerate(hidden)}
