"""How byte-pair encoding gets there: the merges of a word step by step; why numbers and letters come out as they do."""

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.encoding import encode, letters_in_tokens
from calc.tokens.merges import Replay, replay
from calc.tokens.pretokens import longest_number, pre_tokens, shown
from calc.tokens.vocabularies import BYTE_LEVEL, tokenizers
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.tokens.choice import can_cut, choose_one_tokenizer, chosen_of, show_licences
from ui.tokens.merge_figure import letters_figure, number_figure, replay_figure, side_by_side, symbol
from ui.tokens.text_field import text_field

EXAMPLES = ("strawberry", "12345", "我吃了一个苹果", "tokenization", "    return x")
MOST_WORDS = 40
LONGEST_TEXT = 2_000


def main() -> None:
    """The page from top to bottom."""
    st.markdown(text("merges.intro"))
    if not can_cut():
        return
    chosen = choose_one_tokenizer("llama-2", with_own=False)
    kind = tokenizers()[chosen.name].kind
    written = text_field(
        "word", text("merges.word"), EXAMPLES[0], examples=[(_word_label(each), each) for each in EXAMPLES], longest=LONGEST_TEXT
    )
    try:
        word = choose_word(pre_tokens(chosen.name, written), kind)
        if word:
            show_replay(replay(chosen.name, word), kind)
    except ConfigError as error:
        show_error(error)
    st.subheader(text("merges.numbers"))
    st.markdown(text("merges.numbers_why"))
    show_numbers()
    st.subheader(text("merges.letters"))
    st.markdown(text("merges.letters_why"))
    show_letters()
    show_licences([chosen_of(name) for name in tokenizers()])


def choose_word(words: tuple[str, ...], kind: str) -> str | None:
    """Which of the words of the text is replayed: they never merge across one another."""
    if not words:
        st.caption(text("merges.no_word"))
        return None
    places = range(min(len(words), MOST_WORDS))
    asked = st.session_state.get("place", _number(address.get("place")))
    st.session_state["place"] = asked if asked in places else 0
    if len(places) > 1:
        said = text("merges.words_byte_level" if kind == BYTE_LEVEL else "merges.words_sentencepiece", count=len(words))
        st.pills(said, places, format_func=lambda at: plain(_word_label(shown(words[at], kind))), key="place", required=True)
    address.put("place", str(st.session_state["place"]) if st.session_state["place"] else None)
    return words[st.session_state["place"]]


def show_replay(found: Replay, kind: str) -> None:
    """The slider, and every state up to it."""
    last = len(found.states) - 1
    asked = st.session_state.get("step", _number(address.get("step")))
    same = st.session_state.get("replayed") in (None, (found.word, kind, found.ids))
    st.session_state["replayed"] = (found.word, kind, found.ids)
    st.session_state["step"] = min(asked, last) if asked is not None and same else last
    if last:
        st.slider(text("merges.step", last=last), 0, last, key="step")
    address.put("step", str(st.session_state["step"]) if st.session_state["step"] != last else None)
    st.html(replay_figure(current(), found, st.session_state["step"], kind))
    if st.session_state["step"] == last:
        st.caption(text("merges.done", count=len(found.ids), ids=text("frame.comma").join(map(str, found.ids))))


def show_numbers() -> None:
    """One number in the tokenizers that treat numbers differently."""
    number = text_field("number", text("merges.number"), "12345", longest=40)
    figures = []
    for name in ("llama-2", "llama-3", "qwen3", "gpt-2", "o200k", "gemma"):
        kind = tokenizers()[name].kind
        tokens = [
            ((symbol(b" ", kind) if piece.added else "") + symbol(piece.bytes, kind), piece.id)
            for piece in encode(name, number).pieces()
        ]
        figures.append(number_figure(current(), tokenizers()[name].title, tokens, longest_number(name).longest))
    st.html(side_by_side(figures))


def show_letters() -> None:
    """A letter counted in the tokens of a word."""
    left, right = st.columns([3, 1], gap="medium")
    with left:
        word = text_field("spelled", text("merges.spelled"), "strawberry", longest=60)
    with right:
        letter = text_field("letter", text("merges.letter"), "r", longest=1)
    if letter:
        names = ("llama-2", "llama-3", "o200k")
        figures = [
            letters_figure(current(), letter, tokenizers()[name].title, letters_in_tokens(name, word, letter)) for name in names
        ]
        st.html(side_by_side(figures))


def _word_label(word: str) -> str:
    return "".join(c if c.isprintable() and c != " " else {"\n": "↵", "\t": "⇥", " ": "·"}.get(c, "□") for c in word)[:40]


def _number(written: str | None) -> int | None:
    return int(written) if written and written.isascii() and written.isdecimal() and len(written) < 6 else None


start_page()
main()
