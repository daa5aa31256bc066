"""`tokens`: a text cut by one or several tokenizers."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from calc.commands.models import STANDARD_INPUT, read_standard_input
from calc.errors import ConfigError, quoted, unreadable
from calc.read_config import opened
from calc.tokens.vocabularies import find_tokenizer, similar_tokenizer, tokenizers

if TYPE_CHECKING:
    from calc.tokens.encoding import Encoding

HELP = "a text cut into tokens"
LIMIT_BYTES = 50_000_000
SHOWN = 200
"""Pieces printed of a text; all are counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """[TEXT | --file F] --tokenizer NAME… [--special] [--json]."""
    text = parser.add_mutually_exclusive_group()
    text.add_argument("text", metavar="TEXT", nargs="?", help="the text; without it and --file, what comes on standard input")
    text.add_argument("--file", metavar="F", help="a UTF-8 text file instead; - for standard input")
    parser.add_argument(
        "--tokenizer",
        metavar="NAME",
        nargs="+",
        action="extend",
        required=True,
        help=f"one or several: {', '.join(tokenizers())}; a path to a tokenizer.json or tokenizer.model; a Hub id",
    )
    parser.add_argument("--special", action="store_true", help="special tokens in the text count as such, BOS goes in front")
    parser.add_argument("--json", action="store_true", help="as a JSON document, bytes in hexadecimal")


def run(arguments: argparse.Namespace) -> None:
    """Print the tokens of a text in every tokenizer asked for.

    Raises ConfigError: unreadable_file, not_a_file, text_too_large, text_not_utf8, and all that loading a tokenizer raises.
    """
    text, names = arguments.text, arguments.tokenizer
    if text is None and arguments.file is None and len(names) > 1 and _is_text(names[-1]):
        text = names.pop()  # `--tokenizer llama-2 "I ate an apple"`: the option has taken the text
    for name in names:
        if not _is_place(name):
            find_tokenizer(name)  # a slip is told before anything is read
    if text is None:
        text = _text_of(arguments.file)
    encodings = [_encoded(name, text, arguments.special) for name in names]
    if arguments.json:
        print(json.dumps([tokens_document(encoding) for encoding in encodings]))
    else:
        print("\n".join(map(tokens_as_text, encodings)))


def tokens_document(encoding: Encoding) -> dict[str, object]:
    """What --json prints of one tokenizer; the bytes of the pieces, one after the other, are the text's.

    >>> from calc.tokens.encoding import encode
    >>> tokens_document(encode("llama-3", "12345"))
    {'tokenizer': 'llama-3', 'count': 2, 'ids': [4513, 1774], 'pieces': ['313233', '3435']}
    """
    pieces = [piece.bytes.hex() for piece in encoding.pieces()]
    return {"tokenizer": encoding.tokenizer, "count": encoding.count, "ids": list(encoding.ids), "pieces": pieces}


def tokens_as_text(encoding: Encoding) -> str:
    """The count, then the pieces: ▁ for a space put in front, bytes that are no characters in hexadecimal.

    >>> from calc.tokens.encoding import encode
    >>> print(tokens_as_text(encode("llama-2", "吃 strawberry")))
    llama-2       7 tokens, 12 characters, 14 bytes
      ▁·<E5>·<90>·<83>· st·raw·berry
    """
    text = encoding.text
    shown = []
    for piece in encoding.pieces(SHOWN):
        own = piece.bytes.decode() if piece.whole else "".join(f"<{byte:02X}>" for byte in piece.bytes)
        visible = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in own)
        shown.append(piece.special or f"{'▁' if piece.added else ''}{visible}")
    more = "·…" if encoding.count > SHOWN else ""
    count = f"{encoding.count:,} tokens, {len(text):,} characters, {len(text.encode()):,} bytes"
    return f"{encoding.tokenizer:<12}  {count}\n  {'·'.join(shown)}{more}"


def _is_text(word: str) -> bool:
    """Whether a word after --tokenizer can only be the text: no name, nothing like one, no file, no Hub id."""
    try:
        find_tokenizer(word)
    except ConfigError:
        return not _is_place(word) and similar_tokenizer(word) is None
    return False


def _is_place(name: str) -> bool:
    """Whether a name can be a file's or a model's on the Hub."""
    try:
        return os.path.isfile(name) or "/" in name and not any(character.isspace() for character in name)
    except ValueError:  # no file has such a name
        return False


def _encoded(name: str, text: str, special: bool) -> Encoding:
    from calc.tokens.encoding import encode

    try:
        facts = find_tokenizer(name)
    except ConfigError:
        from calc.tokens.own_tokenizer import read_hub_tokenizer, read_tokenizer

        if os.path.isfile(name):
            return read_tokenizer(name, _content_of(name)).encode(text, special)
        if "/" not in name:
            raise
        return read_hub_tokenizer(name).encode(text, special)
    return encode(facts.name, text, special)


def _content_of(path: str) -> bytes:
    """The beginning of a file. Raises ConfigError: unreadable_file, not_a_file."""
    with opened(path) as file:
        try:
            return file.read(2 * LIMIT_BYTES)
        except OSError as error:
            raise unreadable(path, error) from None


def _text_of(path: str | None) -> str:
    """The text of a file, or of standard input.

    Raises ConfigError: unreadable_file, not_a_file, text_too_large, text_not_utf8.
    """
    if path is None or path == STANDARD_INPUT:
        name, content = "standard input", read_standard_input(LIMIT_BYTES + 1)
    else:
        name, content = path, _content_of(path)
    if len(content) > LIMIT_BYTES:
        size_mb = f"{len(content) / 1e6:.1f}"
        raise ConfigError("text_too_large", file=quoted(name), size_mb=size_mb, limit_mb=LIMIT_BYTES // 10**6)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ConfigError("text_not_utf8", file=quoted(name), position=error.start) from None
