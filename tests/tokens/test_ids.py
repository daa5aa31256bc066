"""Every vocabulary's ids against other implementations, on thousands of strings made to be difficult."""

import pytest
from tokenizers.normalizers import NFC

from calc.tokens.loaded import tokenizer

from . import references
from .nasty_strings import nasty_strings

STRINGS = 4200
OF_PLAIN = 1500
"""The implementations written in Python take fewer of them."""


def disagreements(name, reference, texts):
    """Texts on which the two differ, the shortest first."""
    loaded = tokenizer(name)
    return sorted((text for text in texts if loaded.ids(text) != reference(text)), key=len)[:5]


def in_its_normal_form(name, reference):
    """A reference that knows no normal form, given texts in Qwen's."""
    return reference if name != "qwen3" else lambda text: reference(NFC().normalize_str(text))


@pytest.fixture(scope="module")
def texts():
    """The strings of a vocabulary, made once."""
    made = {}

    def of(name):
        if name not in made:
            made[name] = nasty_strings(STRINGS, references.words_of(name))
            assert len(set(made[name])) > 0.9 * STRINGS
        return made[name]

    return of


@pytest.mark.parametrize("name", references.BYTE_LEVEL)
class TestByteLevel:
    """tiktoken's merges and expressions (fancy-regex), tokenizers' (Oniguruma), and plain ones (the regex package)."""

    def test_as_tiktoken(self, name, texts):
        reference = references.with_tiktoken(name)
        if reference is None:
            assert name == "deepseek-v3", "tokenizers and the plain implementation stand in: it cuts with three expressions"
            return
        assert disagreements(name, in_its_normal_form(name, reference), texts(name)) == []

    def test_as_tokenizers(self, name, texts):
        assert disagreements(name, references.with_tokenizers(name), texts(name)) == []

    def test_as_plain_merging(self, name, texts):
        plain = in_its_normal_form(name, references.plain_byte_level(name))
        number = STRINGS if name == "deepseek-v3" else OF_PLAIN
        assert disagreements(name, plain, texts(name)[:number]) == []


@pytest.mark.parametrize("name", references.SENTENCEPIECE)
class TestSentencePiece:
    """sentencepiece on a model of the same pieces and scores, tokenizers on merges made from them, and plain merging."""

    def test_as_sentencepiece(self, name, texts):
        assert disagreements(name, references.with_sentencepiece(name), texts(name)) == []

    def test_as_tokenizers_or_plain_merging(self, name, texts):
        if name == "gemma":  # pieces that stand as they are have no like among merges
            assert disagreements(name, references.plain_sentencepiece(name), texts(name)) == []
        else:
            reference = references.with_tokenizers_from_pieces(name)
            assert disagreements(name, reference, [text for text in texts(name) if text]) == []

    def test_runs_of_every_length(self, name):
        reference = references.with_sentencepiece(name)
        runs = [f"{a}{c * n}{b}" for c in " \n\t▁" for n in range(1, 70) for a in ("", "a", "\n", " ") for b in ("", "b", "\t")]
        assert disagreements(name, reference, runs) == []

    def test_the_rest_of_a_text_is_cut_without_a_space_in_front(self, name):
        loaded = tokenizer(name)
        assert loaded.ids("one two", at_the_beginning=True) == loaded.ids("one") + loaded.ids(" two", at_the_beginning=False)


@pytest.mark.parametrize("name", references.SENTENCEPIECE)
def test_no_entry_reaches_across_a_space_but_those_declared(name):
    """What merging word by word rests on."""
    entries = [token.decode() for token in references.ranks(name)]
    across = {text for text in entries if " " in text.lstrip(" ")}
    assert across == set(references.tokenizers()[name].pieces_across_spaces)
    assert not any("\n" in text for text in entries), "a line end merges with nothing"


def test_a_long_text_is_the_sum_of_its_words_too():
    text = "".join(nasty_strings(STRINGS, references.words_of("llama-2"), seed=5))
    assert tokenizer("llama-2").ids(text) == references.with_sentencepiece("llama-2")(text)
    assert tokenizer("llama-3").ids(text) == references.with_tiktoken("llama-3")(text)
