"""The tokenizer of a model that runs: text to ids, ids back to text, and the bytes each id stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from calc.errors import ConfigError
from calc.model import Model
from calc.run.checkpoint import STORIES_FOLDER, Files
from calc.tokens.own_tokenizer import JSON_FILE, read_tokenizer
from calc.tokens.unicode_forms import well_formed
from calc.tokens.vocabulary import SPECIAL, UNUSED, Vocabulary

PACKAGE = "tokenizers==0.23.3"


class RunTokenizer:
    """Text to ids and back.

    start   the id that every text begins with, None where the model has none
    stops   ids that end a text
    bytes   what each id stands for; nothing, of special tokens
    """

    def __init__(
        self, encode: Callable[[str], list[int]], contents: Sequence[bytes], start: int | None, stops: frozenset[int]
    ) -> None:
        self._encode = encode
        self.bytes = tuple(contents)
        self.start = start
        self.stops = stops
        self._adds_space = self._joined(encode("a")) == b" a"

    def ids(self, text: str) -> list[int]:
        """The ids of a text, the start in front; special tokens in it are text.

        >>> stories_tokenizer().ids("Once upon a time")
        [1, 403, 407, 261, 378]
        """
        return ([] if self.start is None else [self.start]) + (self._encode(well_formed(text)[0]) if text else [])

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids; bytes that are no whole character are written out, `\\xe5`.

        >>> stories_tokenizer().text([1, 403, 407]), stories_tokenizer().text([1, 3 + 0xE5])
        ('Once upon', '\\\\xe5')
        """
        joined = self._joined(ids)
        return (joined.removeprefix(b" ") if self._adds_space else joined).decode(errors="backslashreplace")

    def piece(self, token: int) -> str:
        """One id's bytes as text. Raises ConfigError: no_such_token.

        >>> stories_tokenizer().piece(403), stories_tokenizer().piece(1)
        (' Once', '')
        """
        if not 0 <= token < len(self.bytes):
            raise ConfigError("no_such_token", token=token, size=f"{len(self.bytes):,}")
        return self.bytes[token].decode(errors="backslashreplace")

    def _joined(self, ids: Sequence[int]) -> bytes:
        return b"".join(self.bytes[token] for token in ids if 0 <= token < len(self.bytes))


@cache
def stories_tokenizer() -> RunTokenizer:
    """The 512 pieces of stories260K, read in this process. Raises ConfigError: tokenizer_package_missing.

    llama2.c stops at BOS as well as at EOS: its model was trained on stories that follow one another.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ConfigError("tokenizer_package_missing", package=PACKAGE) from None
    own = Tokenizer.from_str(Path(STORIES_FOLDER, JSON_FILE).read_text(encoding="utf-8"))
    own.encode_special_tokens = True  # `<s>` in a text is text
    special, entries = {0, 1, 2}, own.get_vocab_size()
    contents = [b"" if token in special else _bytes_of(own.id_to_token(token) or "") for token in range(entries)]
    return RunTokenizer(lambda text: own.encode(text, add_special_tokens=False).ids, contents, 1, frozenset((1, 2)))


def read_run_tokenizer(files: Files, model: Model) -> RunTokenizer:
    """The tokenizer.json among a model's files, read in a process of its own. Raises ConfigError: no_tokenizer_to_run, and all
    that `read_tokenizer` raises.
    """
    content = next((content for name, content in files if Path(name).name == JSON_FILE), None)
    if content is None:
        raise ConfigError("no_tokenizer_to_run")
    own = read_tokenizer(JSON_FILE, content)
    with_start = own.encode("", special=True).ids
    stops = {token for field in ("bos_token_id", "eos_token_id") for token in _ids_of(model.values.get(field))}
    return RunTokenizer(own.ids, _contents(own.vocabulary()), with_start[0] if with_start else None, frozenset(stops))


def _contents(vocabulary: Vocabulary) -> list[bytes]:
    return [
        b"" if kind in (SPECIAL, UNUSED) else content for content, kind in zip(vocabulary.bytes, vocabulary.kinds, strict=True)
    ]


def _bytes_of(piece: str) -> bytes:
    """`▁Once` is a space and four letters, `<0x0A>` a byte."""
    if piece.startswith("<0x") and piece.endswith(">"):
        return bytes.fromhex(piece[3:-1])
    return piece.replace("▁", " ").encode()


def _ids_of(value: object) -> list[int]:
    values = value if isinstance(value, list) else [value]
    return [token for token in values if isinstance(token, int) and not isinstance(token, bool)]
