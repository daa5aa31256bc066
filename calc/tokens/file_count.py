"""Counting a file piece by piece, with a report after each; whoever stops asking stops it.

As a whole, the count is that of the whole text cut at once: the text is divided only where no token and no merge can
reach across, between a letter or digit and a space or line end behind it. No regular expression of the catalogue takes a
space behind a letter into the same word, no SentencePiece entry has one, no normal form composes across it, and what
follows is cut without looking back (tests/tokens/ tries it on every vocabulary). Row by row, every row is a text by itself,
with the space in front where a tokenizer puts one, and the count is the sum of the rows.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from calc.errors import ConfigError, quoted
from calc.tokens.loaded import LoadedTokenizer, tokenizer
from calc.tokens.text_files import CSV, JSONL, LINES, WHOLE, TextBlocks, cells, fields, lines_of_text
from calc.tokens.unicode_forms import well_formed
from calc.tokens.vocabularies import find_tokenizer

if TYPE_CHECKING:
    from calc.tokens.own_tokenizer import OwnTokenizer

LIMIT_BYTES = 50_000_000
OWN_SECONDS = 60.0
OWN_LIMIT_BYTES = 5_000_000
"""Of a file as a whole in a reader's own tokenizer, whose text has no known place to divide it."""
LONGEST_STRETCH = 4_000_000
"""Characters without a place to divide them."""
_SAFE_CUT = re.compile(r"[^\W_](?=[ \n])")


@dataclass(frozen=True, slots=True)
class TextCount:
    """The count of one row: a line, a record, or the whole file.

    number       of the line or record, from 1
    characters   of its text
    bytes        of its text in UTF-8
    tokens       one figure a tokenizer, in their order
    """

    number: int
    characters: int
    bytes: int
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the count is.

    bytes_done    of the file
    bytes_in_all  of the file
    total         of all rows so far; its number is the number of rows
    rows          new since the last report; of a file counted as a whole, itself at the end
    is_done       whether this is the last report
    """

    bytes_done: int
    bytes_in_all: int
    total: TextCount
    rows: tuple[TextCount, ...] = ()
    is_done: bool = False


def count_file(
    content: bytes | BinaryIO,
    names: Sequence[str | OwnTokenizer],
    read_as: str = WHOLE,
    field: str | None = None,
    file: str = "file",
) -> Iterator[Progress]:
    """The tokens of a file of at most 50 MB in one or several tokenizers, reported as they are counted.

    content    the file's bytes, or the open file: UTF-8, or UTF-16 with a byte-order mark; a byte-order mark of UTF-8 is
               a character like any other, except in front of JSONL and CSV
    names      names of the catalogue, or a reader's own tokenizers (as a whole, these count at most 5 MB)
    read_as    `WHOLE`, `LINES`, `JSONL` or `CSV`
    field      the field of a JSONL record (dots lead inwards: `message.content`) or the column of a CSV file; None: the
               whole line of JSONL, the only column of CSV
    file       its name, for messages

    Raises ConfigError: text_too_large, text_not_utf8, text_without_breaks, row_not_json, row_without_field, csv_malformed,
    csv_without_column, unknown_tokenizer, unknown_tokenizer_similar, tokenizer_package_missing.

    >>> *_, last = count_file(b"I ate an apple\\nstrawberry", ["llama-2", "llama-3"])
    >>> last.total
    TextCount(number=1, characters=25, bytes=25, tokens=(9, 8))
    >>> *_, last = count_file(b'{"a": "strawberry"}\\n{"a": "12345"}', ["llama-3"], read_as="jsonl", field="a")
    >>> last.total, [row.tokens for row in last.rows]
    (TextCount(number=2, characters=15, bytes=15, tokens=(5,)), [(3,), (2,)])
    """
    loaded = [tokenizer(find_tokenizer(name).name) if isinstance(name, str) else name for name in names]
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    size_bytes = _size(stream)
    has_own = not all(isinstance(each, LoadedTokenizer) for each in loaded)
    limit_bytes = OWN_LIMIT_BYTES if has_own and read_as == WHOLE else LIMIT_BYTES
    if size_bytes > limit_bytes:
        raise ConfigError("text_too_large", file=quoted(file), size_mb=f"{size_bytes / 1e6:.1f}", limit_mb=limit_bytes // 10**6)
    blocks = TextBlocks(stream, file)
    if read_as == WHOLE:
        return _whole(blocks, loaded, size_bytes)
    texts = {LINES: lines_of_text, JSONL: fields, CSV: cells}[read_as](blocks, field, file)
    return _row_by_row(blocks, texts, loaded, size_bytes)


def _size(stream: BinaryIO) -> int:
    at = stream.tell()
    size = stream.seek(0, io.SEEK_END) - at
    stream.seek(at)
    return size


def _whole(blocks: TextBlocks, loaded: Sequence[LoadedTokenizer | OwnTokenizer], size_bytes: int) -> Iterator[Progress]:
    """The whole file: in the catalogue's tokenizers part by part, in a reader's own ones all of it at the end."""
    has_own = not all(isinstance(each, LoadedTokenizer) for each in loaded)
    tokens, parts = [0] * len(loaded), []
    characters = bytes_ = 0
    for part, is_first, is_last in _parts(blocks):
        if has_own:
            parts.append(part)
        characters, bytes_ = characters + len(part), bytes_ + len(part.encode())
        for at, each in enumerate(loaded):
            if isinstance(each, LoadedTokenizer):
                tokens[at] += len(each.ids(part, at_the_beginning=is_first))
            elif is_last:
                tokens[at] = len(each.ids("".join(parts), OWN_SECONDS))
        total = TextCount(1, characters, bytes_, tuple(tokens))
        yield Progress(blocks.bytes_done, size_bytes, total, (total,) if is_last else (), is_last)


def _parts(blocks: TextBlocks) -> Iterator[tuple[str, bool, bool]]:
    """The text in parts that are cut apart without harm, with whether each is the first and the last."""
    rest, is_first = "", True
    for text in blocks:
        rest += text
        at = last_safe_cut(rest)
        if at is not None:
            yield rest[:at], is_first, False
            rest, is_first = rest[at:], False
        elif len(rest) > LONGEST_STRETCH:
            raise ConfigError("text_without_breaks", file=quoted(blocks.file), limit=f"{LONGEST_STRETCH:,}")
    yield rest, is_first, True


def last_safe_cut(text: str) -> int | None:
    """The last place between a letter or digit and a space or line end behind it; None where there is none.

    >>> last_safe_cut("one two, 3"), last_safe_cut("one ... \\n")
    (3, 3)
    >>> last_safe_cut("一二三。") is None
    True
    """
    for end in range(len(text), 0, -10_000):  # from behind: one is near the end
        cuts = [match.end() for match in _SAFE_CUT.finditer(text, max(end - 10_000, 0), end + 1)]
        if cuts:
            return cuts[-1]
    return None


def _row_by_row(
    blocks: TextBlocks, texts: Iterable[tuple[int, str]], loaded: Sequence[LoadedTokenizer | OwnTokenizer], size_bytes: int
) -> Iterator[Progress]:
    in_all = [0] * len(loaded)
    number = characters = bytes_ = reported = 0
    rows: list[TextCount] = []
    for line, text in texts:
        try:
            length = len(text.encode())
        except UnicodeEncodeError:  # JSON can spell half a character
            text = well_formed(text)[0]
            length = len(text.encode())
        row = TextCount(line, len(text), length, tuple(len(each.ids(text)) for each in loaded))
        rows.append(row)
        in_all = [before + now for before, now in zip(in_all, row.tokens, strict=True)]
        number, characters, bytes_ = number + 1, characters + row.characters, bytes_ + row.bytes
        if blocks.bytes_done > reported:  # another block has begun
            if reported:
                yield Progress(reported, size_bytes, TextCount(number, characters, bytes_, tuple(in_all)), tuple(rows))
                rows = []
            reported = blocks.bytes_done
    total = TextCount(number, characters, bytes_, tuple(in_all))
    yield Progress(blocks.bytes_done, size_bytes, total, tuple(rows), is_done=True)
