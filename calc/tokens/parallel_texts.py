"""The same meaning in eleven languages: sentences written for this project, with what they cost in tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from calc.tokens.encoding import count

PARALLEL_TEXTS_FILE = Path(__file__).parents[1] / "data" / "parallel_texts.json"

LANGUAGES = ("en", "zh-Hans", "zh-Hant", "ja", "ko", "es", "fr", "de", "ru", "ar", "hi")
"""BCP 47 tags; English, which the others are compared with, first."""
TOPICS = ("everyday", "news", "classical", "technical", "code", "numbers", "emoji")
ENGLISH = LANGUAGES[0]


@dataclass(frozen=True, slots=True)
class ParallelText:
    """One text in all languages.

    topic   of `TOPICS`
    name    of the text
    texts   by language tag
    """

    topic: str
    name: str
    texts: Mapping[str, str]


@cache
def parallel_texts() -> tuple[ParallelText, ...]:
    """All texts, topic by topic.

    >>> [text.name for text in parallel_texts() if text.topic == "everyday"]
    ['breakfast', 'rain']
    """
    return tuple(ParallelText(**entry) for entry in json.loads(PARALLEL_TEXTS_FILE.read_text(encoding="utf-8")))


def texts_of(topics: Sequence[str]) -> tuple[ParallelText, ...]:
    """The texts of some topics, of all where none is named."""
    return tuple(text for text in parallel_texts() if not topics or text.topic in topics)


def tokens_by_language(texts: Sequence[ParallelText], counted: str | Callable[[str], int]) -> dict[str, int]:
    """Tokens of all texts together, each text cut by itself, by language.

    counted   a tokenizer of the catalogue, or what counts the tokens of a text

    Raises ConfigError: all that `encode` raises.

    >>> by_language = tokens_by_language(parallel_texts()[:1], "llama-2")
    >>> by_language["en"], by_language["zh-Hans"]
    (20, 38)
    """
    counts = counted if callable(counted) else lambda text: count(counted, text)
    return {language: sum(counts(text.texts[language]) for text in texts) for language in LANGUAGES}
