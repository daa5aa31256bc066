"""The tokenizers this project carries: which models use them, how they cut, where they come from, under which licence.

The catalogue (calc/data/tokenizers.json) needs nothing but Python. The vocabularies themselves are in the package
splintr-rs, GPT-2's is in calc/data; `calc.tokens.loaded` loads them.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from calc.errors import ConfigError, quoted
from calc.tokens.unicode_forms import NormalForm

TOKENIZERS_FILE = Path(__file__).parents[1] / "data" / "tokenizers.json"

BYTE_LEVEL, SENTENCEPIECE = "byte-level", "sentencepiece"
"""The two kinds of byte-pair encoding. Byte-level: a regular expression cuts the text into words, and merging starts from
the bytes of each. SentencePiece: merging starts from characters, a space is the character ▁, and a character the
vocabulary lacks falls apart into its bytes."""


@dataclass(frozen=True, slots=True)
class SpecialRange:
    """Special tokens numbered through: ids `first` to `last`, `name` with {} for a number that starts at `number`."""

    first: int
    last: int
    name: str
    number: int

    def name_of(self, token: int) -> str:
        """The name of one of its ids."""
        return self.name.format(self.number + token - self.first)


@dataclass(frozen=True, slots=True)
class UserDefinedRange:
    """Pieces that a SentencePiece vocabulary never merges, ids `first` to `last`.

    special   whether they mark turns, images and the like; the others are runs of spaces, tabs and line ends, and tags
    """

    first: int
    last: int
    special: bool


@dataclass(frozen=True, slots=True)
class TokenizerFacts:
    """One tokenizer of the catalogue.

    name            how the command line and the address call it: `llama-2`
    title           how a person writes it
    kind            `BYTE_LEVEL` or `SENTENCEPIECE`
    size            entries of the vocabulary, special ones included
    first_token     id of the first entry that merging makes; for byte-level the first byte
    end_of_tokens   one more than the id of the last
    first_byte      SentencePiece: id of the byte 0; the byte b has first_byte + b
    adds_space      SentencePiece: a space is put in front of the text
    patterns        byte-level: the regular expressions that cut the text into words, one after the other
    pieces_across_spaces   SentencePiece: the few pieces with a space behind another character; none merges across others
    normal_form     the Unicode normal form the text is brought to first, None for none
    begins_with     ids the model's own tokenizer puts in front of every text (BOS)
    used_by         models that use it
    catalogue       those of them among calc's own models, by name
    source          where the vocabulary was published
    licence         the licence's name; notice is the line it asks for
    embedded        its name in splintr-rs, None for the one in calc/data
    """

    name: str
    title: str
    kind: str
    size: int
    first_token: int
    end_of_tokens: int
    begins_with: tuple[int, ...]
    patterns: tuple[str, ...]
    used_by: tuple[str, ...]
    catalogue: tuple[str, ...]
    aliases: tuple[str, ...]
    source: str
    licence: str
    notice: str
    embedded: str | None
    first_byte: int | None = None
    adds_space: bool = False
    pieces_across_spaces: tuple[str, ...] = ()
    normal_form: NormalForm | None = None
    numbered_special: tuple[SpecialRange, ...] = ()
    user_defined: tuple[UserDefinedRange, ...] = ()


@cache
def tokenizers() -> Mapping[str, TokenizerFacts]:
    """Every tokenizer of the catalogue by name.

    >>> [(facts.name, facts.size) for facts in tokenizers().values()][:3]
    [('llama-2', 32000), ('llama-3', 128256), ('qwen3', 151669)]
    """
    found = {}
    for entry in json.loads(TOKENIZERS_FILE.read_text(encoding="utf-8")):
        entry: dict[str, Any] = {field: tuple(value) if isinstance(value, list) else value for field, value in entry.items()}
        entry["numbered_special"] = tuple(SpecialRange(**each) for each in entry.get("numbered_special", ()))
        entry["user_defined"] = tuple(UserDefinedRange(**each) for each in entry.get("user_defined", ()))
        found[entry["name"]] = TokenizerFacts(**entry)
    return found


def find_tokenizer(value: str) -> TokenizerFacts:
    """The tokenizer of this name, one of its other names, or a model of the catalogue; upper or lower case.

    Raises ConfigError: unknown_tokenizer, unknown_tokenizer_similar.

    >>> find_tokenizer("TinyLlama").name, find_tokenizer("qwen2.5-7b").name
    ('llama-2', 'qwen3')
    """
    wanted = value.strip().lower()
    for facts in tokenizers().values():
        if wanted == facts.name or wanted in facts.aliases or wanted in facts.catalogue:
            return facts
    similar = similar_tokenizer(wanted)
    if similar:
        raise ConfigError("unknown_tokenizer_similar", value=quoted(value), similar=similar)
    raise ConfigError("unknown_tokenizer", value=quoted(value), known=", ".join(tokenizers()))


def similar_tokenizer(value: str) -> str | None:
    """The name a person may mean.

    >>> similar_tokenizer("lama-3"), similar_tokenizer("strawberry")
    ('llama-3', None)
    """
    names = [name for facts in tokenizers().values() for name in (facts.name, *facts.aliases)]
    return next(iter(difflib.get_close_matches(value.strip().lower()[:100], names, n=1, cutoff=0.75)), None)


def tokenizer_of_model(model: str) -> TokenizerFacts | None:
    """The tokenizer of a model of calc's catalogue, None where it is not carried here.

    >>> tokenizer_of_model("llama-3-8b").title, tokenizer_of_model("bloom")
    ('Llama 3', None)
    """
    return next((facts for facts in tokenizers().values() if model in facts.catalogue), None)
