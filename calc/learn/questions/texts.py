"""Questions about tokens: how many a text is cut into."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

from calc.learn.formula import Symbol
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.words import Words

TEXTS_FILE = Path(__file__).parents[2] / "data" / "quiz_texts.json"
"""Texts with their tokens by tokenizer, written down so that a paper needs no tokenizer; a test counts them anew."""

TITLES = {"llama-2": "Llama-2", "llama-3": "Llama-3"}
n, characters, size, words, marker, digits = (Symbol(name) for name in ("n", "characters", "bytes", "words", "marker", "digits"))
PROMPT = Words(
    "How many tokens does {tok} make of “{text}”, nothing put in front?", "{tok} 把“{text}”切成几个 token（开头不另加）？"
)


@cache
def quiz_texts() -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    """Every text with (tokenizer, tokens).

    >>> quiz_texts()[0]
    ('我吃了一个苹果', (('llama-2', 12), ('llama-3', 5)))
    """
    entries = json.loads(TEXTS_FILE.read_text(encoding="utf-8"))
    return tuple((entry["text"], tuple(sorted(entry["tokens"].items()))) for entry in entries)


def of_text(text: str, tokenizer: str, tokens: int) -> Drawn:
    """The numbers of one text in one tokenizer."""
    given = {
        "n": tokens,
        "characters": len(text),
        "bytes": len(text.encode()),
        "words": len(text.split()),
        "marker": int(tokenizer == "llama-2"),
    }
    return Drawn(given, {"tok": TITLES[tokenizer], "text": text})


def _text(dice: Dice) -> Drawn:
    text, counts = dice.pick(quiz_texts())
    return of_text(text, *dice.pick(counts))


def of_number(number: str) -> Drawn:
    """The numbers of a number written in digits, which Llama-2 cuts one by one behind a ▁."""
    return Drawn({"n": len(number) + 1, "digits": len(number)}, {"tok": TITLES["llama-2"], "text": number})


def _number(dice: Dice) -> Drawn:
    return of_number(str(dice.pick(range(1, 10))) + "".join(str(dice.pick(range(10))) for _ in range(dice.pick(range(2, 9)))))


TOKENS = (
    Kind(
        "tokens_of_text",
        1,
        "/tokens",
        "tokens",
        PROMPT,
        Words("A frequent word or character is one token; a rare one falls apart.", "常见的词或字是一个 token，少见的会拆开。"),
        n,
        (
            ("characters_are_tokens", characters),
            ("bytes_are_tokens", size),
            ("words_are_tokens", words),
            ("marker_forgotten", n - marker),
        ),
        _text,
        figures=1,
        slack=Fraction(0),
        exact=True,
    ),
    Kind(
        "number_tokens",
        1,
        "/merges",
        "tokens",
        PROMPT,
        Words("Llama-2 cuts numbers digit by digit; what stands in front?", "Llama-2 把数一位一位切开；最前面还有什么？"),
        n,
        (("number_is_one_token", n / n), ("marker_forgotten", digits), ("start_token_counted", digits + 2)),
        _number,
        figures=1,
        slack=Fraction(0),
        exact=True,
    ),
)
"""The kinds about tokens."""
