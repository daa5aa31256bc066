"""Pieces: their bytes are the text's, their characters cover it, and what is no text is marked."""

import unicodedata

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers.normalizers import NFC

from calc.errors import ConfigError
from calc.tokens.encoding import count, encode, groups, letters_in_tokens
from calc.tokens.loaded import tokenizer
from calc.tokens.unicode_forms import aligned_normal_form, well_formed
from calc.tokens.vocabularies import tokenizers

from . import references
from .nasty_strings import nasty_strings


def shown(name, text):
    """The bytes of a text's pieces, joined by dots, as text."""
    return "·".join(piece.bytes.decode() for piece in encode(name, text).pieces())


class TestKnownValues:
    """What the tokens page teaches."""

    def test_llama_2(self):
        assert shown("llama-2", "strawberry") == "st·raw·berry"
        assert count("llama-2", "12345") == 6 and encode("llama-2", "12345").pieces()[0].added
        chinese = encode("llama-2", "我吃了一个苹果")
        assert chinese.count == 12
        assert [len(group) for group in groups(chinese.pieces())] == [1, 1, 3, 1, 1, 1, 3, 1]
        assert sum(not piece.whole for piece in chinese.pieces()) == 6
        assert shown("llama-2", "I ate an apple") == "I· a·te· an· apple"

    def test_llama_3(self):
        assert shown("llama-3", "strawberry") == "str·aw·berry"
        assert shown("llama-3", "12345") == "123·45"
        assert (count("llama-3", "我吃了一个苹果"), count("llama-3", "I ate an apple")) == (5, 4)

    def test_a_leading_space_keeps_its_token(self):
        """The fault of a usual loader: one token short."""
        assert encode("llama-2", " Hello").ids == (29871, 15043)
        assert encode("llama-2", "  Hello").ids == (259, 15043)
        assert encode("llama-2", "Hello").ids == (15043,)

    @pytest.mark.parametrize(("name", "letter", "times"), [("llama-2", "r", [0, 1, 2]), ("llama-3", "r", [1, 0, 2])])
    def test_letters_of_strawberry(self, name, letter, times):
        found = [each.times for each in letters_in_tokens(name, "strawberry", letter)]
        assert found == times and sum(found) == "strawberry".count(letter)
        assert all(each.times == 0 for each in letters_in_tokens(name, "strawberry", ""))


@pytest.mark.parametrize("name", tokenizers())
class TestPieces:
    """On every vocabulary."""

    def test_bytes_add_up_and_characters_are_covered_in_order(self, name):
        facts = tokenizers()[name]
        for text in nasty_strings(1500, references.words_of(name), seed=3):
            encoding = encode(name, text)
            pieces = encoding.pieces()
            expected = NFC().normalize_str(text) if facts.normal_form else text
            assert b"".join(piece.bytes for piece in pieces) == expected.encode(), ascii(text)
            assert tuple(piece.id for piece in pieces) == encoding.ids == tuple(tokenizer(name).ids(text))
            at = 0
            for piece in pieces:
                assert piece.start <= at <= piece.end or piece.start == piece.end == at, ascii(text)
                at = max(at, piece.end)
                assert piece.special is None
                if piece.whole and not facts.normal_form:
                    assert piece.bytes == text[piece.start : piece.end].encode()
            assert at == len(text), ascii(text)
            assert [piece.added for piece in pieces] == [facts.adds_space and place == 0 for place in range(len(pieces))]

    def test_bytes_are_those_of_the_vocabulary(self, name):
        for text in nasty_strings(600, references.words_of(name), seed=4):
            if "▁" in text and tokenizers()[name].kind == "sentencepiece":
                continue  # its bytes stay the text's own, the vocabulary's are a space
            for piece in encode(name, text).pieces():
                assert piece.added * b" " + piece.bytes == tokenizer(name).token_bytes(piece.id)

    def test_groups_are_whole_characters(self, name):
        for text in nasty_strings(600, references.words_of(name), seed=5):
            pieces = encode(name, text).pieces()
            found = list(groups(pieces))
            assert [piece for group in found for piece in group] == list(pieces)
            for group in found:
                b"".join(piece.bytes for piece in group).decode()
                assert len(group) == 1 or any(not piece.whole for piece in group) or tokenizers()[name].normal_form

    def test_the_first_pieces_are_the_beginning_of_all(self, name):
        for text in nasty_strings(300, seed=6):
            for special in (False, True):
                pieces = encode(name, text, special).pieces()
                assert encode(name, text, special).pieces(3) == pieces[:3]
                assert encode(name, text, special).pieces(0) == ()

    def test_markers_are_text_unless_asked_for(self, name):
        own = tokenizer(name)
        for marker in list(own.special.values())[:40]:
            text = f"a {marker}b"
            as_text = encode(name, text)
            assert not set(as_text.ids) & own.special.keys()
            assert all(piece.special is None for piece in as_text.pieces())
            as_special = encode(name, text, special=True)
            begins = tokenizers()[name].begins_with
            assert as_special.ids[: len(begins)] == begins
            assert as_special.ids[len(begins) :] == (*own.ids("a "), own.special_ids[marker], *own.ids("b"))
            pieces = as_special.pieces()
            assert b"".join(piece.bytes for piece in pieces) == text.encode()
            assert [piece.special for piece in pieces if piece.special] == [*(own.special[token] for token in begins), marker]

    def test_what_the_model_begins_with_covers_no_text(self, name):
        pieces = encode(name, "a", special=True).pieces()
        begins = len(tokenizers()[name].begins_with)
        assert [(piece.bytes, piece.start, piece.end) for piece in pieces[:begins]] == [(b"", 0, 0)] * begins
        assert encode(name, "").ids == () and encode(name, "").pieces() == ()
        assert encode(name, "", special=True).count == begins


def test_llama_3s_specials_are_metas():
    """As llama_models/llama3/tokenizer.py numbers them."""
    first = [
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|reserved_special_token_0|>",
        "<|reserved_special_token_1|>",
        "<|finetune_right_pad_id|>",
        "<|step_id|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eom_id|>",
        "<|eot_id|>",
        "<|python_tag|>",
        "<|image|>",
    ]
    names = first + [f"<|reserved_special_token_{2 + number}|>" for number in range(256 - len(first))]
    assert dict(tokenizer("llama-3").special) == {128000 + at: name for at, name in enumerate(names)}


@pytest.mark.parametrize("name", references.OPENAI)
def test_openais_specials_are_tiktokens(name):
    assert tokenizer(name).special_ids == references.openai_definition(name)["special_tokens"]


@pytest.mark.parametrize("name", ["cl100k", "o200k"])
def test_special_tokens_in_a_text_as_tiktoken_takes_them(name):
    reference = tiktoken.Encoding(**references.openai_definition(name))
    for text in nasty_strings(500, list(tokenizer(name).special_ids), seed=8):
        assert list(encode(name, text, special=True).ids) == reference.encode(text, allowed_special="all")


def test_gemmas_tags_are_entries_and_its_turns_are_text():
    assert encode("gemma", "<b>x</b>").ids == (200, 236781, 209)
    assert 105 not in encode("gemma", "<start_of_turn>").ids
    assert encode("gemma", "<start_of_turn>", special=True).ids == (2, 105)


def test_a_word_separator_of_the_text_keeps_its_bytes():
    encoding = encode("llama-2", "a▁b c")
    assert encoding.ids == encode("llama-2", "a b c").ids
    assert b"".join(piece.bytes for piece in encoding.pieces()) == "a▁b c".encode()


class TestSurrogates:
    """Half a character has no bytes; tiktoken says what becomes of it."""

    TEXTS = ("\ud800", "a\udcffb", "\ud83d\ude00", "\ude00\ud83d", "x\ud83d\ud83d\ude00y\udc00", "吃\ud800吃")

    @pytest.mark.parametrize("text", TEXTS, ids=ascii)
    def test_ids_are_tiktokens(self, text):
        reference = tiktoken.Encoding(**references.openai_definition("cl100k"))
        encoding = encode("cl100k", text)
        assert list(encoding.ids) == reference.encode(text, disallowed_special=())
        assert b"".join(piece.bytes for piece in encoding.pieces()) == encoding.text.encode()

    def test_places_are_told(self):
        encoding = encode("llama-2", "x\ud83d\ud83d\ude00y\udc00")
        assert encoding.text == "x\ufffd😀y\ufffd" and encoding.replaced == (1, 4)
        assert encode("llama-2", "x\ufffd").replaced == (), "a replacement character of the text's own is none of ours"

    @given(st.lists(st.integers(0, 0x10FFFF).map(chr) | st.sampled_from("\ud800\udbff\udc00\udfff")).map("".join))
    @settings(max_examples=300, deadline=None)
    def test_the_text_is_what_utf_16_makes_of_it(self, text):
        expected = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        settled, replaced = well_formed(text)
        assert settled == expected
        assert all(settled[place] == "\ufffd" for place in replaced)
        lone = len(settled) - sum(not 0xD800 <= ord(c) < 0xE000 for c in text) - (len(text) - len(settled))
        assert len(replaced) == lone


class TestNormalForm:
    """Qwen's NFC, with every character's origin."""

    def test_a_composed_letter_comes_from_both_characters(self):
        [piece] = encode("qwen3", "e\u0301").pieces()
        assert (piece.bytes, piece.start, piece.end) == ("é".encode(), 0, 2)

    MOVING = "ae한각가\u1100\u1161\u11a8\u0301\u0323\u093c\u09c7\u09be\u0344\u212b \n\uf900"

    @given(st.lists(st.sampled_from([*MOVING])).map("".join))
    @settings(max_examples=500, deadline=None)
    def test_stretch_by_stretch_is_the_whole(self, text):
        normal = aligned_normal_form(text, "NFC")
        assert normal.text == unicodedata.normalize("NFC", text)
        spans = [normal.span(at, at + 1) for at in range(len(normal.text))]
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert {place for start, end in spans for place in range(start, end)} == set(range(len(text)))
        for (start, end), character in zip(spans, normal.text, strict=True):
            assert character in unicodedata.normalize("NFC", text[start:end])


def test_an_unknown_tokenizer_is_a_fault():
    for function in (encode, count):
        with pytest.raises(ConfigError, match="Did you mean llama-3"):
            function("lama-3", "a")
