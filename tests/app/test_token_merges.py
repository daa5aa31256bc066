"""Merges and vocabularies without a browser: replayed to the tokenizer's own result, found, and counted by script."""

from __future__ import annotations

import pytest

from calc.tokens.encoding import encode, letters_in_tokens
from calc.tokens.merges import replay
from calc.tokens.pretokens import pre_tokens
from calc.tokens.vocabularies import tokenizers
from calc.tokens.vocabulary import vocabulary
from ui.tokens.merge_figure import letters_figure, replay_figure
from ui.tokens.vocabulary_list import EntryQuery, entry_table, found_ids, script_bars, scripts_of

from .screen import elements, figures, of_class, spaced, words
from .token_pages import kept, page


@pytest.mark.parametrize("name", tokenizers())
@pytest.mark.parametrize("text", ["strawberry", "12345", "我吃了一个苹果", "  two  spaces"])
def test_the_replay_ends_in_what_the_tokenizer_gives(name, text):
    kind = tokenizers()[name].kind
    shown = []
    for word in pre_tokens(name, text):
        found = replay(name, word)
        figure = elements(replay_figure("en", found, len(found.states) - 1, kind))
        last = list(figure.iter("li"))[-1]
        shown += [int(small.text) for chip in last.iter("b") for small in chip.iter("small")]
        assert len(list(figure.iter("li"))) == len(found.states)
    assert shown == list(encode(name, text).ids)


def test_the_slider_shows_the_steps_before():
    app = page("merges", lang="zh", tokenizer="llama-2", word="strawberry", step="2")
    assert app.slider(key="step").max == 8 and app.slider(key="step").value == 2
    lines = [spaced(line) for line in of_class(figures(app), "merges")[0].iter("li")]
    assert len(lines) == 3 and lines[1].startswith("1. e + r 序号 2")
    app.slider(key="step").set_value(8).run()
    assert kept(app, "step") is None and any("380，1610，16344" in caption.value for caption in app.caption)
    app.button_group(key="tokenizer").set_value("llama-3").run()
    assert app.slider(key="step").value == app.slider(key="step").max


def test_a_number_is_explained():
    shown = [spaced(section) for section in of_class(figures(page("merges", lang="en")), "merges")]
    assert any(text.startswith("Llama 3 123 4513 45 1774") and "at most 3 digits" in text for text in shown)
    assert any(text.startswith("Llama 2 ▁ 29871 1 29896") and "every digit by itself" in text for text in shown)


@pytest.mark.parametrize("name", ["llama-2", "llama-3", "o200k", "gpt-2"])
@pytest.mark.parametrize(("word", "letter"), [("strawberry", "r"), ("Mississippi", "s"), ("吃吃", "吃"), ("abc", "x")])
def test_letters_are_counted_from_the_tokens(name, word, letter):
    said = words(elements(letters_figure("en", letter, "x", letters_in_tokens(name, word, letter))))
    expected = word.count(letter) if letter != "吃" or name in ("llama-3", "o200k") else 0
    assert f"= {expected} × {letter}" in said


@pytest.mark.parametrize("word", ["", " ", "x" * 1_999, "\x00", "👩‍👩‍👧"])
def test_any_word_can_be_replayed_or_is_refused(word):
    app = page("merges", lang="en", word=word, tokenizer="gpt-2", place="7", step="999")
    assert len(app.error) <= 1


@pytest.mark.parametrize(("name", "han"), [("llama-2", "700"), ("llama-3", "3,630")])
def test_the_scripts_are_counted_as_published(name, han):
    shown = elements(script_bars("en", scripts_of(name), tokenizers()[name].size))
    [line] = [line for line in shown.iter("li") if line.get("data-script") == "Han"]
    assert words(of_class(line, "count")[0]).startswith(f"{han} /")


@pytest.mark.parametrize("name", tokenizers())
def test_every_hundredth_entry_can_be_listed(name):
    entries = vocabulary(name)
    shown = elements(entry_table("zh", [entries.entry(token) for token in range(0, len(entries), 97)]))
    assert len(list(shown.iter("tr"))) == 1 + len(range(0, len(entries), 97))
    assert "\ufffd" not in words(shown)


def test_entries_are_found_by_text_bytes_id_and_length():
    app = page("vocabulary", lang="en", tokenizer="llama-2", find="berry")
    assert [spaced(row).split()[:2] for row in of_class(figures(app), "entries")[0].iter("tr")][1:] == [["16344", "berry"]]
    assert found_ids(vocabulary("llama-2"), EntryQuery("E5", kind="bytes")) == (232,)
    longest = found_ids(vocabulary("llama-3"), EntryQuery(script="Latin", longest_first=True))
    texts = vocabulary("llama-3").texts
    assert [len(texts[token]) for token in longest[:50]] == sorted((len(texts[token]) for token in longest), reverse=True)[:50]
    by_id = page("vocabulary", lang="en", tokenizer="llama-3", id="128000")
    assert "<|begin_of_text|>" in words(of_class(figures(by_id), "entries")[0])


def test_the_sheets_are_turned():
    app = page("vocabulary", lang="en", tokenizer="gemma", sheet="2622")
    rows = list(of_class(figures(app), "entries")[0].iter("tr"))[1:]
    assert [spaced(row).split()[0] for row in rows] == [str(token) for token in range(262_100, 262_144)]
    app.button_group(key="tokenizer").set_value("llama-2").run()
    assert not app.exception and kept(app, "sheet") is None


def test_a_field_of_the_vocabulary_can_be_emptied():
    app = page("vocabulary", lang="en", tokenizer="llama-2", shortest="3", script="Han")
    assert app.number_input(key="shortest").value == 3 and app.selectbox(key="script").value == "Han"
    app.number_input(key="shortest").set_value(None).run()
    app.selectbox(key="script").set_value(None).run()
    assert app.number_input(key="shortest").value is None and app.selectbox(key="script").value is None
    assert kept(app, "shortest") is None and kept(app, "script") is None
