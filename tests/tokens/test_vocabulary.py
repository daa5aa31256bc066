"""The entries: scripts as the regex package knows them, searches as looking through all gives them."""

import pytest
import regex

from calc.errors import ConfigError
from calc.tokens import vocabulary as vocabulary_module
from calc.tokens.loaded import tokenizer
from calc.tokens.scripts import COMMON, is_only, script_of, script_of_character
from calc.tokens.vocabularies import tokenizers
from calc.tokens.vocabulary import BYTES, SPECIAL, TEXT, UNUSED, kind_counts, script_counts, search, vocabulary


def counts(name):
    """Script → what was counted."""
    return {each.script: each for each in script_counts(vocabulary(name))}


class TestScripts:
    """The table in calc/data against the database it was made from."""

    @pytest.mark.parametrize("script", ["Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Hangul", "Hiragana", "Devanagari"])
    def test_characters_of_a_script(self, script):
        own = regex.compile(rf"\p{{Script={script}}}")
        for point in (*range(0x3400), *range(0xA000, 0xD800), *range(0xF900, 0x10000), *range(0x1D000, 0x1F200)):
            assert (script_of_character(chr(point)) == script) == bool(own.match(chr(point)))

    def test_han_is_the_unified_ideographs(self):
        own = regex.compile(r"\p{Unified_Ideograph}")
        for point in range(0x2E80, 0x33000):
            if not 0xD800 <= point < 0xE000:
                assert (script_of_character(chr(point)) == "Han") == bool(own.match(chr(point)))

    def test_what_all_scripts_share_belongs_to_none(self):
        shared = regex.compile(r"[\p{Script=Common}\p{Script=Inherited}]")
        assert all(script_of_character(chr(p)) == COMMON for p in range(0x3000) if shared.match(chr(p)))

    def test_a_rare_script_is_other(self):
        assert script_of("𐎀") == "Other" and script_of("") == COMMON and not is_only("", COMMON)


class TestCounts:
    """Tokens by script."""

    def test_han_in_llama(self):
        """The published figures: entries of nothing but ideographs."""
        assert counts("llama-2")["Han"].only == 700 and counts("llama-3")["Han"].only == 3630

    @pytest.mark.parametrize("name", ["llama-2", "llama-3"])
    def test_every_script_as_regex_counts_it(self, name):
        texts = [text for text in vocabulary(name).texts if text]
        ordinary = {token for token, kind in enumerate(vocabulary(name).kinds) if kind == TEXT}
        assert sum(each.in_all for each in counts(name).values()) == len(ordinary)
        for script in ("Latin", "Cyrillic", "Hangul"):
            own = rf"\p{{Script={script}}}"
            whole = regex.compile(rf"{own}+")
            with_others = regex.compile(rf"(?=.*{own})[{own}\p{{Common}}\p{{Inherited}}]+", regex.S)
            special = set(tokenizer(name).special.values())
            found = [text for text in texts if text not in special]
            assert counts(name)[script].only == sum(bool(whole.fullmatch(text)) for text in found)
            assert counts(name)[script].in_all == sum(bool(with_others.fullmatch(text)) for text in found)

    def test_the_largest_script_stands_first_and_common_last(self):
        scripts = [each.script for each in script_counts(vocabulary("llama-3"))]
        assert scripts[0] == "Latin" and set(scripts[-2:]) == {"Common", "Several"}


@pytest.mark.parametrize("name", tokenizers())
def test_every_id_is_an_entry(name):
    facts, entries = tokenizers()[name], vocabulary(name)
    assert len(entries) == facts.size == sum(kind_counts(entries).values())
    for token in (*range(0, facts.size, 997), facts.size - 1):
        entry = entries.entry(token)
        if entry.kind == SPECIAL:
            assert entry.text == tokenizer(name).special[token]
        elif entry.kind == UNUSED:
            assert entry.bytes == b"" and entry.script is None
        else:
            assert entry.bytes == tokenizer(name).token_bytes(token)
            assert (entry.kind == TEXT) == (entry.text is not None)
        if entry.kind == BYTES:
            assert entry.characters is None
    with pytest.raises(ConfigError) as fault:
        entries.entry(facts.size)
    assert fault.value.code == "no_such_token"


class TestSearch:
    """In Llama 3's 128,256 entries."""

    def test_by_text(self):
        entries = vocabulary("llama-3")
        found = search(entries, "Berry")
        expected = [token for token, text in enumerate(entries.texts) if text and "berry" in text.lower()]
        assert found == expected and len(found) > 5

    def test_by_script_and_length(self):
        entries = vocabulary("llama-3")
        found = search(entries, script="Han", shortest=4, longest=4)
        assert found and all(regex.fullmatch(r"(?=.*\p{Unified_Ideograph}).{4}", entries.texts[t], regex.S) for t in found)
        assert len(search(entries, script="Han")) == counts("llama-3")["Han"].in_all

    def test_by_bytes(self):
        entries = vocabulary("llama-3")
        found = search(entries, "E5 90", kind=BYTES)
        assert found == [t for t, own in enumerate(entries.bytes) if entries.texts[t] is None and b"\xe5\x90" in own]
        assert found

    def test_by_kind(self):
        assert search(vocabulary("llama-3"), kind=SPECIAL) == list(range(128000, 128256))
        assert search(vocabulary("o200k"), kind=UNUSED)[:2] == [199998, 200000]

    def test_nothing_is_found_where_nothing_is(self):
        assert search(vocabulary("llama-3"), "\ud800") == search(vocabulary("llama-3"), "zzzzqqqq") == []

    def test_an_empty_search_gives_all(self):
        assert search(vocabulary("llama-2")) == list(range(32000))


def test_only_a_few_vocabularies_are_kept():
    for name in ("llama-2", "llama-3", "mistral", "cl100k", "gpt-2"):
        vocabulary(name)
    assert list(vocabulary_module._read) == ["mistral", "cl100k", "gpt-2"]
    assert vocabulary("gpt2") is vocabulary("gpt-2")
