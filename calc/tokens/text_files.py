"""A text file read block by block: as a whole, by lines, by the fields of JSONL records, by the cells of a CSV column."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator
from typing import BinaryIO

from calc.errors import ConfigError, quoted

BLOCK_BYTES = 250_000
"""Read at once: progress about ten times a second and more often."""
LONGEST_CELL = 16_000_000

WHOLE, LINES, JSONL, CSV = "whole", "lines", "jsonl", "csv"
"""How a file is read: as one text; a text a line; the field of a JSON object a line; the column of a table."""


class TextBlocks:
    """A file's text, a block at a time. Reading it raises ConfigError(text_not_utf8).

    bytes_done   of the file, so far
    """

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self.stream, self.file, self.bytes_done = stream, file, 0

    def __iter__(self) -> Iterator[str]:
        block = self.stream.read(BLOCK_BYTES)
        is_utf16 = block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        decoder = codecs.getincrementaldecoder("utf-16" if is_utf16 else "utf-8")()
        while True:
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                position = self.bytes_done + len(block) - len(error.object) + error.start
                raise ConfigError("text_not_utf8", file=quoted(self.file), position=position) from None
            self.bytes_done += len(block)
            if text:
                yield text
            if not block:
                return
            block = self.stream.read(BLOCK_BYTES)

    def lines(self) -> Iterator[str]:
        """The file's lines with their ends."""
        begun: list[str] = []
        for text in self:
            *whole, rest = text.split("\n")
            if whole:
                whole[0] = "".join([*begun, whole[0]])
                yield from (f"{line}\n" for line in whole)
                begun = []
            begun.append(rest)
        if last := "".join(begun):
            yield last


def first_columns(content: bytes, read_as: str) -> tuple[str, ...]:
    """The fields of the first record: what a reader may choose from. Empty where there is no record to read.

    >>> first_columns(b'{"id": 1, "text": "a", "m": {"c": "b"}}', "jsonl"), first_columns(b"id,text\\n1,a", "csv")
    (('text', 'm.c'), ('id', 'text'))
    """
    try:
        # the last line may be cut off, and with it a character
        first = content[:1_000_000].decode("utf-8-sig", "ignore").lstrip("\n\r")
        if read_as == CSV:
            return tuple(next(csv.reader(first.splitlines(keepends=True)), ()))
        record = json.loads(first.splitlines()[0])
    except (IndexError, ValueError, RecursionError, csv.Error):
        return ()
    return tuple(_text_fields(record)) if isinstance(record, dict) else ()


def _text_fields(record: dict[str, object], before: str = "") -> Iterator[str]:
    for name, value in record.items():
        if isinstance(value, str):
            yield f"{before}{name}"
        elif isinstance(value, dict) and before.count(".") < 3:
            yield from _text_fields(value, f"{before}{name}.")


def lines_of_text(blocks: TextBlocks, _field: str | None, _file: str) -> Iterator[tuple[int, str]]:
    """Each line without its end, by its number from 1."""
    for number, line in enumerate(blocks.lines(), 1):
        yield number, line.rstrip("\r\n")


def fields(blocks: TextBlocks, field: str | None, file: str) -> Iterator[tuple[int, str]]:
    """The field of each record, by the number of its line; empty lines are passed over.

    Raises ConfigError: row_not_json, row_without_field.
    """
    for number, line in enumerate(_without_mark(blocks.lines()), 1):
        line = line.strip()
        if not line:
            continue
        if field is None:
            yield number, line
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise ConfigError("row_not_json", file=quoted(file), line=number) from None
        for name in (field,) if isinstance(value, dict) and field in value else field.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if not isinstance(value, str):
            raise ConfigError("row_without_field", field=quoted(field), file=quoted(file), line=number)
        yield number, value


def cells(blocks: TextBlocks, field: str | None, file: str) -> Iterator[tuple[int, str]]:
    """The column's cell of each record, by the record's number; the record in front of the first names the columns.

    Raises ConfigError: csv_without_column, csv_malformed.
    """
    csv.field_size_limit(LONGEST_CELL)  # the usual 131,072 is short for a text; the setting is the process's
    records = csv.reader(_without_mark(blocks.lines()), strict=True)
    try:
        header = next(records, [])
        if field is None and len(header) == 1:
            column = 0
        elif field in header:
            column = header.index(field)
        else:
            known = ", ".join(quoted(name, 30) for name in header[:20])
            raise ConfigError("csv_without_column", field=quoted(field), file=quoted(file), known=known)
        for number, record in enumerate(records, 1):
            if record:
                yield number, record[column] if column < len(record) else ""
    except csv.Error as error:
        raise ConfigError("csv_malformed", file=quoted(file), line=records.line_num, reason=str(error)) from None


def _without_mark(lines: Iterator[str]) -> Iterator[str]:
    """The lines, the first without a byte-order mark."""
    for line in lines:
        yield line.removeprefix("\ufeff")
        yield from lines
