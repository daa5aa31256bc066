"""tokenizer.json gives the ids that llama2.c's encoder gives, from the published tok512.bin."""

import struct

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calc import ConfigError
from calc.run.checkpoint import STORIES_FOLDER, files_of, stories
from calc.run.tokens import read_run_tokenizer, stories_tokenizer
from run.truth import FIXTURES, ids_of


def published_pieces():
    """Score and bytes of every piece of tok512.bin, by id."""
    content = (FIXTURES / "tok512.bin").read_bytes()
    at, pieces = 4, []
    while at < len(content):
        score, length = struct.unpack_from("<fi", content, at)
        pieces.append((score, content[at + 8 : at + 8 + length]))
        at += 8 + length
    return pieces


PIECES = published_pieces()
ID_OF = {piece: token for token, (_, piece) in reversed(list(enumerate(PIECES)))}


def as_llama2_c_does(text):
    """A space in front; each character its piece, or else its bytes; then, as long as a neighbouring pair joins to a piece, the pair
    whose piece has the highest score, the first of equals."""
    ids = []
    for character in f" {text}" if text else "":
        piece = character.encode()
        ids += [ID_OF[piece]] if piece in ID_OF else [3 + byte for byte in piece]
    while True:
        pairs = [(ID_OF.get(PIECES[a][1] + PIECES[b][1]), at) for at, (a, b) in enumerate(zip(ids, ids[1:], strict=False))]
        possible = [(PIECES[token][0], -at, token) for token, at in pairs if token is not None]
        if not possible:
            return [1, *ids]
        _, minus_at, token = max(possible)
        ids[-minus_at : 2 - minus_at] = [token]


def test_the_beginning_of_the_story():
    text = "Once upon a time, there was a little girl named Lily. She loved to"
    assert stories_tokenizer().ids(text) == as_llama2_c_does(text) == ids_of("stories/1/ids")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "  two  spaces ",
        '\n\tLily\'s mom said, "No!"\r\n',
        "吃了一个苹果 🙂 é ñ … ™ \u00a0 \u200a — “x” ’s",
        "<s> </s> <unk> <0x41>",
        "ﬁ １２ ① Å",
        "aaaa llllll eeeee ...... oooo the the thethe",
    ],
)
def test_texts_that_are_hard_to_cut(text):
    assert stories_tokenizer().ids(text) == as_llama2_c_does(text)
    assert stories_tokenizer().text(stories_tokenizer().ids(text)) == text


LIKE_STORIES = st.lists(
    st.sampled_from([piece.decode() for _, piece in PIECES[259:]] + ["the", "Lily", "\n", "0", "吃"]), max_size=30
).map("".join)
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="▁\0"), max_size=40)


@given(LIKE_STORIES | ANY | st.text("aehlo .", max_size=40))
@settings(max_examples=400, deadline=None)
@example("hahaha lalala")
def test_any_text(text):
    ids = stories_tokenizer().ids(text)
    assert ids == as_llama2_c_does(text)
    assert stories_tokenizer().text(ids) == text


def test_pieces_are_those_of_the_published_file():
    tokenizer = stories_tokenizer()
    assert list(tokenizer.bytes[259:]) == [piece for _, piece in PIECES[259:]]
    assert list(tokenizer.bytes[3:259]) == [bytes([byte]) for byte in range(256)]
    assert set(tokenizer.bytes[:3]) == {b""} and len(tokenizer.bytes) == 512


def test_half_a_character_is_written_in_bytes():
    assert stories_tokenizer().text([1, *(3 + byte for byte in "吃".encode()[:2])]) == "\\xe5\\x90"
    with pytest.raises(ConfigError, match="512"):
        stories_tokenizer().piece(512)


def test_half_of_a_surrogate_pair_can_be_read():
    """What a terminal gives for a byte that is no UTF-8."""
    assert stories_tokenizer().ids("a\udcff") == stories_tokenizer().ids("a\ufffd")


def test_read_as_a_model_of_ones_own_it_is_the_same_tokenizer():
    own, carried = read_run_tokenizer(files_of(STORIES_FOLDER), stories().description), stories_tokenizer()
    text = "Lily saw <s> a big… 吃 ball"
    assert (own.ids(text), own.bytes, own.start, own.stops) == (carried.ids(text), carried.bytes, 1, frozenset({1, 2}))
    assert own.text(own.ids(text)) == text


def test_a_model_without_a_tokenizer_is_told():
    with pytest.raises(ConfigError) as refusal:
        read_run_tokenizer([("config.json", b"{}")], stories().description)
    assert refusal.value.code == "no_tokenizer_to_run"
