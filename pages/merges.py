"""How byte-pair encoding gets there: the merges of a word step by step; why numbers and letters come out as they do."""

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.encoding import encode, letters_in_tokens
from calc.tokens.merges import Replay, replay
from calc.tokens.pretokens import longest_number, pre_tokens, shown
from calc.tokens.vocabularies import BYTE_LEVEL, tokenizers
from ui.frame.errors import plain, show_error
from ui.frame.fields import settle
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import joined, show
from ui.tokens.choice import can_cut, choose_one_tokenizer, chosen_of, show_licences
from ui.tokens.linked import linked_number, put, take
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
    """The word of the text that is replayed: words never merge across one another."""
    if not words:
        st.caption(text("merges.no_word"))
        return None
    places, linked = range(min(len(words), MOST_WORDS)), linked_number("place")
    place = linked if linked is not None and linked < len(places) else 0
    if len(places) > 1:
        st.pills(
            text("merges.words_byte_level" if kind == BYTE_LEVEL else "merges.words_sentencepiece", count=len(words)),
            places,
            default=settle("place", place),
            format_func=lambda at: plain(_word_label(shown(words[at], kind))),
            key="place",
            required=True,
            on_change=take,
            args=("place", 0),
        )
    put("place", place, 0)
    return words[place]


def show_replay(found: Replay, kind: str) -> None:
    """The slider, and every state up to it."""
    last, linked, word = len(found.states) - 1, linked_number("step"), (found.word, kind, found.ids)
    is_same = st.session_state.get("replayed_word") in (None, word)
    st.session_state["replayed_word"] = word
    step = min(linked, last) if linked is not None and is_same else last
    if last:
        label = text("merges.step", last=last)
        st.slider(label, 0, last, settle("step", step), key="step", on_change=take, args=("step", last))
    put("step", step, last)
    show(replay_figure(current(), found, step, kind))
    if step == last:
        st.caption(text("merges.done", count=len(found.ids), ids=text("frame.comma").join(map(str, found.ids))))


def show_numbers() -> None:
    """One number in the tokenizers that treat numbers differently."""
    number = text_field("number", text("merges.number"), "12345", longest=40)
    figures = []
    for name in ("llama-2", "llama-3", "qwen3", "gpt-2", "o200k", "gemma"):
        kind = tokenizers()[name].kind
        tokens = [
            (joined([symbol(b" ", kind) if piece.added else None, symbol(piece.bytes, kind)]), piece.id)
            for piece in encode(name, number).pieces()
        ]
        figures.append(number_figure(current(), tokenizers()[name].title, tokens, longest_number(name)))
    show(side_by_side(figures))


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
        show(side_by_side(figures))


def _word_label(word: str) -> str:
    return "".join(c if c.isprintable() and c != " " else {"\n": "↵", "\t": "⇥", " ": "·"}.get(c, "□") for c in word)[:40]


start_page()
main()
