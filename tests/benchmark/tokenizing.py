"""Tokens a second of `calc.tokens` against tiktoken and tokenizers, on the same vocabulary and the same text."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from pydoc_data.topics import topics

from calc.tokens.loaded import tokenizer
from tests.tokens.references import with_sentencepiece, with_tiktoken, with_tokenizers, with_tokenizers_from_pieces

from .figures import Pairs, in_turn

PARALLEL_TEXTS = Path(__file__).parents[2] / "calc" / "data" / "parallel_texts.json"
CHARACTERS = 400_000
Encode = Callable[[str], list[int]]

YARDSTICKS: dict[str, tuple[str, Callable[[str], Encode]]] = {
    "llama-3 against tiktoken": ("llama-3", with_tiktoken),
    "llama-3 against tokenizers": ("llama-3", with_tokenizers),
    "llama-2 against sentencepiece": ("llama-2", with_sentencepiece),
    "llama-2 against tokenizers": ("llama-2", with_tokenizers_from_pieces),
}


def english_lines() -> list[str]:
    """Prose with code in it: what Python's own help says."""
    return [line for topic in topics.values() for line in topic.splitlines() if line.strip()]


def mixed_lines() -> list[str]:
    """Sentences in many languages, Chinese among them."""

    def texts(value: object) -> list[str]:
        if isinstance(value, str):
            return [value]
        values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [text for each in values for text in texts(each)]

    return texts(json.loads(PARALLEL_TEXTS.read_text(encoding="utf-8")))


def tokenizing(subject: str, lines: list[str], rounds: int) -> Pairs:
    """Seconds for the same text, by us and by a yardstick of YARDSTICKS; every round shuffles the lines anew.

    Raises ValueError where the two do not agree on the ids.
    """
    name, make = YARDSTICKS[subject]
    ours, theirs = tokenizer(name).ids, make(name)
    chosen = random.Random(0)
    drawn: list[str] = []

    def fresh_text() -> str:
        found: list[str] = []
        while sum(map(len, found)) < CHARACTERS:
            found += chosen.sample(lines, min(len(lines), 500))
        return "\n".join(found)

    def spent(encode: Encode) -> float:
        if len(drawn) == 2:
            drawn.clear()
        drawn.append(drawn[0] if drawn else fresh_text())
        start = time.perf_counter()
        encode(drawn[-1])
        return time.perf_counter() - start

    text = fresh_text()
    if ours(text) != theirs(text):
        raise ValueError(f"{subject}: the ids differ")
    return in_turn(lambda: spent(ours), lambda: spent(theirs), rounds)
