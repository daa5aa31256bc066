"""The replay of merges ends in the tokenizer's own ids, and every state follows from the one before."""

import pytest

from calc.errors import ConfigError
from calc.tokens.encoding import encode
from calc.tokens.loaded import tokenizer
from calc.tokens.merges import BYTES, LONGEST_WORD, MERGE, START, WHOLE, replay
from calc.tokens.pretokens import longest_number, pre_tokens, shown
from calc.tokens.unicode_forms import in_normal_form
from calc.tokens.vocabularies import tokenizers

from . import references
from .nasty_strings import nasty_strings


@pytest.mark.parametrize("name", tokenizers())
class TestEveryVocabulary:
    """On texts made to be difficult."""

    def test_words_are_the_text_and_their_merges_its_ids(self, name):
        facts, own = tokenizers()[name], tokenizer(name)
        for text in nasty_strings(1500, references.words_of(name), seed=11):
            words = pre_tokens(name, text)
            expected = in_normal_form(text, facts.normal_form)
            if facts.kind == "sentencepiece":
                expected = " " * (facts.adds_space and bool(text)) + text.replace("▁", " ")
            assert "".join(words) == expected
            assert [token for word in words for token in replay(name, word).ids] == own.ids(text), ascii(text)

    def test_every_state_joins_the_best_pair_of_the_one_before(self, name):
        facts = tokenizers()[name]
        for text in nasty_strings(400, references.words_of(name), seed=12):
            for word in pre_tokens(name, text):
                found = replay(name, word)
                first = found.states[0]
                assert b"".join(first.parts) == word.encode() and first.reached == START
                if facts.kind == "byte-level":
                    assert all(len(part) == 1 for part in first.parts)
                for before, after in zip(found.states, found.states[1:], strict=False):
                    assert len(before.ranks) == len(before.parts) - 1
                    if after.reached == MERGE:
                        at = before.chosen
                        known = [rank for rank in before.ranks if rank is not None]
                        assert before.ranks[at] == min(known) and min(known) not in before.ranks[:at]
                        merged = (*before.parts[:at], before.parts[at] + before.parts[at + 1], *before.parts[at + 2 :])
                        assert after.parts == merged
                    else:
                        assert before.chosen is None and b"".join(after.parts) == word.encode()
                assert found.states[-1].chosen is None and len(found.states[-1].parts) == len(found.ids)

    def test_a_rank_is_the_place_among_the_merges(self, name):
        own = references.ranks(name)
        ranked = {
            left + right: rank
            for word in pre_tokens(name, "I ate an apple, strawberries and 12345 pears. 我吃了一个苹果")
            for state in replay(name, word).states
            for left, right, rank in zip(state.parts, state.parts[1:], state.ranks, strict=False)
            if rank is not None and (left + right).strip()
        }
        first = tokenizers()[name].first_token
        assert len(ranked) > 10
        assert ranked == {joined: own[joined] - first for joined in ranked}


class TestKnownWords:
    """What the page shows."""

    def test_strawberry_in_llama_2(self):
        [word] = pre_tokens("llama-2", "strawberry")
        found = replay("llama-2", word)
        assert [b"-".join(state.parts).decode() for state in found.states] == [
            " -s-t-r-a-w-b-e-r-r-y",
            " -s-t-r-a-w-b-er-r-y",
            " s-t-r-a-w-b-er-r-y",
            " s-t-ra-w-b-er-r-y",
            " st-ra-w-b-er-r-y",
            " st-ra-w-ber-r-y",
            " st-ra-w-ber-ry",
            " st-raw-ber-ry",
            " st-raw-berry",
        ]
        assert found.ids == (380, 1610, 16344)

    def test_a_character_that_is_no_entry_falls_apart(self):
        found = replay("llama-2", " 吃")
        assert [state.reached for state in found.states] == [START, BYTES]
        assert found.states[-1].parts == (b" ", b"\xe5", b"\x90", b"\x83") and found.ids == (29871, 232, 147, 134)

    def test_a_word_that_is_an_entry_no_merge_leads_to(self):
        for word in (" việc", " jeho", "ektedir"):
            found = replay("llama-3", word)
            assert found.states[-1].reached == WHOLE and len(found.states[-2].parts) > 1
            assert found.ids == encode("llama-3", word).ids and len(found.ids) == 1

    def test_numbers(self):
        groups = {name: longest_number(name) for name in tokenizers()}
        assert groups == {
            "llama-2": 1,
            "llama-3": 3,
            "qwen3": 1,
            "deepseek-v3": 3,
            "glm-4": 3,
            "kimi": 3,
            "gemma": 1,
            "mistral": 1,
            "mistral-nemo": 1,
            "o200k": 3,
            "cl100k": 3,
            "gpt-2": None,
        }

    def test_a_space_is_written_as_its_tokenizer_writes_it(self):
        assert [shown(word, tokenizers()["llama-2"].kind) for word in pre_tokens("llama-2", "a b")] == ["▁a", "▁b"]

    @pytest.mark.parametrize("name", ["llama-2", "llama-3"])
    def test_a_word_that_is_too_long_is_a_fault(self, name):
        assert replay(name, "a" * LONGEST_WORD).ids
        with pytest.raises(ConfigError) as fault:
            replay(name, "a" * (LONGEST_WORD + 1))
        assert fault.value.code == "word_too_long"
