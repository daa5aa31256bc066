"""Where a tokenizer cuts before it merges: no token ever crosses one of these cuts."""

from __future__ import annotations

from functools import cache
from typing import Any

from calc.errors import ConfigError
from calc.tokens.alignment import WORD_SEPARATOR
from calc.tokens.loaded import tokenizer
from calc.tokens.unicode_forms import in_normal_form, well_formed
from calc.tokens.vocabularies import BYTE_LEVEL, find_tokenizer, tokenizers

PACKAGE = "tokenizers==0.23.3"


def pre_tokens(name: str, text: str) -> tuple[str, ...]:
    """The words of a text, each merged by itself; one after the other they are the text.

    Byte-level: what the regular expressions of `TokenizerFacts.patterns` cut out, each cutting further what the one
    before has left; that is why Llama 3 sees 12345 as 123 and 45. SentencePiece cuts nothing; but as no entry has a
    space behind another character, no merge crosses from a word into the space behind it. The space that such a
    tokenizer may put in front belongs to the first word.

    Raises ConfigError: unknown_tokenizer, unknown_tokenizer_similar, tokenizer_package_missing.

    >>> pre_tokens("llama-3", "I ate 12345 apples")
    ('I', ' ate', ' ', '123', '45', ' apples')
    >>> pre_tokens("llama-2", "I ate 12345 apples")
    (' I', ' ate', ' 12345', ' apples')
    """
    facts = find_tokenizer(name)
    text, _ = well_formed(text)
    if facts.kind != BYTE_LEVEL:
        return tuple(tokenizer(facts.name).words(text))
    normal = in_normal_form(text, facts.normal_form)
    return tuple(word for word, _ in _cutter(facts.name).pre_tokenize_str(normal)) if normal else ()


def longest_number(name: str) -> int | None:
    """How many digits of a number at most become one word, tried with a row of 12 digits; None for no limit.

    SentencePiece vocabularies without an entry of two digits leave every digit alone, for want of a merge.

    >>> longest_number("llama-3"), longest_number("qwen3"), longest_number("llama-2"), longest_number("gpt-2")
    (3, 1, 1, None)
    """
    digits = "1" * 12
    facts = find_tokenizer(name)
    if facts.kind != BYTE_LEVEL:
        loaded = tokenizer(facts.name)
        longest = max(len(loaded.token_bytes(token).strip()) for token in loaded.ids(f"a{digits}")[1:])
    else:
        longest = max(map(len, pre_tokens(name, digits)))
    return longest if longest < len(digits) else None


@cache
def _cutter(name: str) -> Any:
    """The regular expressions as the `tokenizers` package applies them."""
    try:
        from tokenizers import Regex, pre_tokenizers
    except ImportError:
        raise ConfigError("tokenizer_package_missing", package=PACKAGE) from None
    # its engine takes $ for the end of a line; the published expression means the end of the text
    patterns = [pattern.replace(r"\s+$|", r"\s+\z|") for pattern in tokenizers()[name].patterns]
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns])


def shown(word: str, kind: str) -> str:
    """A word as its tokenizer writes it: SentencePiece has ▁ for a space.

    >>> shown(" ate", "sentencepiece"), shown(" ate", "byte-level")
    ('▁ate', ' ate')
    """
    return word if kind == BYTE_LEVEL else word.replace(" ", WORD_SEPARATOR)
