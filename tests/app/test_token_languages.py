"""Chinese beside English without a browser: the parallel texts, the ratios, and what they cost."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from calc.model import Model
from calc.tokens.encoding import encode
from calc.tokens.parallel_texts import LANGUAGES as SPOKEN
from calc.tokens.parallel_texts import TOPICS, parallel_texts, tokens_by_language
from calc.tokens.scripts import script_of_character
from ui.tokens.choice import chosen_of
from ui.tokens.language_cost import language_costs
from ui.tokens.languages import ratio_rows, sentences

from .screen import elements, figures, spaced
from .token_pages import page


def test_the_parallel_texts_are_parallel():
    assert {text.topic for text in parallel_texts()} == set(TOPICS)
    assert len({text.name for text in parallel_texts()}) == len(parallel_texts())
    for text in parallel_texts():
        assert tuple(text.texts) == SPOKEN and len(set(text.texts.values())) == len(SPOKEN), text.name
    own = {
        "ru": "Cyrillic",
        "ar": "Arabic",
        "hi": "Devanagari",
        "ko": "Hangul",
        "ja": "Hiragana",
        "zh-Hans": "Han",
        "zh-Hant": "Han",
        "en": "Latin",
    }
    for text in parallel_texts():
        for language, script in own.items():
            assert script in {script_of_character(character) for character in text.texts[language]}, (text.name, language)


@pytest.mark.parametrize("text", [text for text in parallel_texts() if text.topic == "numbers"], ids=lambda text: text.name)
def test_the_numbers_are_the_same_in_every_language(text):
    digits = {language: Counter(re.sub(r"\D", "", content)) for language, content in text.texts.items()}
    assert all(found == digits["en"] for found in digits.values())


@pytest.mark.parametrize("text", [text for text in parallel_texts() if text.topic == "emoji"], ids=lambda text: text.name)
def test_the_emoji_are_the_same_in_every_language(text):
    signs = {
        language: "".join(c for c in content if ord(c) > 0x1F000 or c in "\u200d\ufe0f❤⏰♀")
        for language, content in text.texts.items()
    }
    assert len(set(signs.values())) == 1 and len(signs["en"]) > 5


@pytest.mark.parametrize("text", [text for text in parallel_texts() if text.topic == "code"], ids=lambda text: text.name)
def test_the_code_differs_only_in_its_comments(text):
    code = {re.sub(r"(#|//).*", "", content) for content in text.texts.values()}
    assert len(code) == 1


def test_simplified_and_traditional_differ_in_their_characters():
    for text in parallel_texts():
        assert Counter(text.texts["zh-Hans"]) != Counter(text.texts["zh-Hant"])


def test_the_ratios_are_those_of_the_tokens():
    chosen = [chosen_of("llama-2"), chosen_of("o200k")]
    texts = [text for text in parallel_texts() if text.name == "breakfast"]
    counted = {each.name: tokens_by_language(texts, each.name) for each in chosen}
    bars = [row for row in ratio_rows("en", counted, chosen) if "ratio" in row]
    assert len(bars) == (len(SPOKEN) - 1) * 2
    chinese = [row for row in bars if row["language"] == "Chinese (simplified)"]
    ratio = {
        name: len(encode(name, texts[0].texts["zh-Hans"]).ids) / len(encode(name, texts[0].texts["en"]).ids)
        for name in ("llama-2", "o200k")
    }
    assert [row["label"] for row in chinese] == [f"{ratio['llama-2']:.2f} × Llama 2", f"{ratio['o200k']:.2f} × GPT-4o (o200k)"]
    assert [row["ratio"] for row in chinese] == list(ratio.values()) and ratio["llama-2"] > 1.8
    shown = elements(sentences("en", texts, chosen))
    [row] = [row for row in shown.iter("tr") if spaced(row).startswith("Chinese (simplified)")]
    assert spaced(row).endswith(f"{counted['llama-2']['zh-Hans']} {counted['o200k']['zh-Hans']}")


def test_ones_own_pair():
    app = page("languages", lang="en", tokenizers="llama-2,llama-3")
    rows = [spaced(row) for row in figures(app).iter("tr")]
    assert "Llama 2 5 12 2.40 ×" in rows and "Llama 3 4 5 1.25 ×" in rows


@pytest.mark.parametrize(
    ("model", "bytes_per_token"), [("llama-2-7b", 524_288), ("llama-3-8b", 131_072), ("deepseek-v3", 70_272)]
)
def test_the_cost_is_that_of_the_models_published_cache(model, bytes_per_token):
    tokens = {language: 100 + 50 * place for place, language in enumerate(SPOKEN)}
    costs = language_costs(Model.of(model), tokens)
    assert [cost.cache_bytes for cost in costs] == [bytes_per_token * tokens[cost.language] for cost in costs]
    assert all(later.flops > earlier.flops for earlier, later in zip(costs, costs[1:], strict=False))


def test_the_cost_uses_the_models_own_tokenizer_or_says_which():
    own = page("languages", lang="en", model="llama-3-8b", tokenizers="gpt-2")
    assert any("own tokenizer (Llama 3)" in caption.value for caption in own.caption)
    other = page("languages", lang="en", model="bloom", tokenizers="gpt-2")
    assert any("GPT-2 stands in" in caption.value for caption in other.caption)
