"""The entries of a vocabulary: looked up, searched, and counted by script."""

from __future__ import annotations

import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from calc.errors import ConfigError
from calc.tokens.loaded import LoadedTokenizer, tokenizer
from calc.tokens.scripts import COMMON, SEVERAL, is_only, script_of
from calc.tokens.vocabularies import find_tokenizer

TEXT, BYTES, SPECIAL, UNUSED = "text", "bytes", "special", "unused"
"""Kinds of entries: whole characters; bytes that are no whole characters by themselves; a special token; none."""

CACHED = 3
"""Vocabularies; the largest takes about 60 MB."""


@dataclass(frozen=True, slots=True)
class VocabularyEntry:
    """One entry of a vocabulary.

    id       its number
    bytes    of its text; of a special token the UTF-8 of its name
    text     the same as characters, None where the bytes are none; a SentencePiece ▁ as a space
    kind     `TEXT`, `BYTES`, `SPECIAL` or `UNUSED`
    script   of its letters: Latin, Han …, Common, Several; None where it is no text
    """

    id: int
    bytes: bytes
    text: str | None
    kind: str
    script: str | None

    @property
    def characters(self) -> int | None:
        """Its length in characters."""
        return None if self.text is None else len(self.text)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All entries of a vocabulary, a tuple a column, numbered by id."""

    name: str
    bytes: tuple[bytes, ...]
    texts: tuple[str | None, ...]
    kinds: tuple[str, ...]
    scripts: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.bytes)

    def entry(self, token: int) -> VocabularyEntry:
        """The entry of an id. Raises ConfigError: no_such_token."""
        if not 0 <= token < len(self):
            raise ConfigError("no_such_token", token=token, size=f"{len(self):,}")
        return VocabularyEntry(token, self.bytes[token], self.texts[token], self.kinds[token], self.scripts[token])


@dataclass(frozen=True, slots=True)
class ScriptCount:
    """Entries of a script.

    only     nothing but characters of the script: 吃了
    in_all   all whose letters are of the script, with spaces, digits, punctuation or signs beside them: ▁吃
    """

    script: str
    only: int
    in_all: int


def vocabulary(name: str) -> Vocabulary:
    """The entries of a tokenizer of the catalogue, cached for the last few of them.

    Raises ConfigError: unknown_tokenizer, unknown_tokenizer_similar, tokenizer_package_missing.

    >>> vocabulary("llama-2").entry(380)
    VocabularyEntry(id=380, bytes=b' st', text=' st', kind='text', script='Latin')
    """
    name = find_tokenizer(name).name
    with _reading:
        if name not in _read:
            _read[name] = vocabulary_of(name, *_columns(tokenizer(name)))
            while len(_read) > CACHED:
                _read.popitem(last=False)
        _read.move_to_end(name)
        return _read[name]


_reading = threading.Lock()
_read: OrderedDict[str, Vocabulary] = OrderedDict()


def vocabulary_of(name: str, contents: Sequence[bytes], kinds: Sequence[str | None]) -> Vocabulary:
    """A vocabulary from the bytes of its entries, and their kinds, None where the bytes tell.

    >>> vocabulary_of("x", [b"a", b"\\xe5"], [None, None]).kinds
    ('text', 'bytes')
    """
    texts = tuple(map(_text_of, contents))
    kinds_of = tuple(kind or (BYTES if text is None else TEXT) for kind, text in zip(kinds, texts, strict=True))
    scripts = tuple(
        script_of(text) if kind == TEXT and text is not None else None for kind, text in zip(kinds_of, texts, strict=True)
    )
    return Vocabulary(name, tuple(contents), texts, kinds_of, scripts)


def search(
    entries: Vocabulary,
    text: str = "",
    script: str | None = None,
    kind: str | None = None,
    shortest: int = 0,
    longest: int | None = None,
) -> list[int]:
    """Ids of the entries with a text in them, of a script and kind, `shortest` to `longest` characters long.

    Upper and lower case are the same. Bytes that are no characters are found by their hexadecimal notation (`E5 90`), and
    their length is in bytes.

    >>> found = vocabulary("llama-2")
    >>> [found.entry(token).text for token in search(found, "berry")]
    ['berry']
    >>> len(search(found, script="Han"))
    700
    >>> search(found, "e5", kind="bytes")
    [232]
    """
    wanted, wanted_bytes = text.casefold(), text.replace(" ", "").casefold()
    limit = sys.maxsize if longest is None else longest
    columns = zip(entries.texts, entries.bytes, entries.kinds, entries.scripts, strict=True)
    return [
        token
        for token, (characters, content, entry_kind, entry_script) in enumerate(columns)
        if (script is None or entry_script == script)
        and (kind is None or entry_kind == kind)
        and shortest <= len(content if characters is None else characters) <= limit
        and (not text or (wanted_bytes in content.hex() if characters is None else wanted in characters.casefold()))
    ]


def script_counts(entries: Vocabulary) -> tuple[ScriptCount, ...]:
    """Entries by script, the script with the most first; Common and Several last.

    Han counts the unified ideographs: an entry of 吃了 is Han only, one of a space and 吃 is not.

    >>> {count.script: count.only for count in script_counts(vocabulary("llama-2"))}["Han"]
    700
    """
    in_all = Counter(script for script in entries.scripts if script is not None)
    only = Counter(
        script
        for script, text in zip(entries.scripts, entries.texts, strict=True)
        if script is not None and text is not None and is_only(text, script)
    )
    counts = [ScriptCount(script, only[script], number) for script, number in in_all.items()]
    return tuple(sorted(counts, key=lambda each: (each.script in (COMMON, SEVERAL), -each.in_all, each.script)))


def kind_counts(entries: Vocabulary) -> dict[str, int]:
    """Entries by kind.

    >>> kind_counts(vocabulary("llama-2"))
    {'special': 3, 'text': 31869, 'bytes': 128}
    """
    return dict(Counter(entries.kinds))


def _columns(loaded: LoadedTokenizer) -> tuple[list[bytes], list[str | None]]:
    contents: list[bytes] = []
    kinds: list[str | None] = []
    for token in range(loaded.facts.size):
        name = loaded.special.get(token)
        contents.append(loaded.token_bytes(token) if name is None else name.encode())
        kinds.append(SPECIAL if name is not None else UNUSED if token in loaded.unused else None)
    return contents, kinds


def _text_of(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
