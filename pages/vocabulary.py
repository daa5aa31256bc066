"""A vocabulary, entry by entry: searched by text, bytes, id, script and length; and how many tokens each script has."""

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.vocabulary import BYTES, SPECIAL, TEXT, UNUSED, Vocabulary, kind_counts, script_counts, vocabulary
from ui.frame.errors import show_error
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.numbers import grouped
from ui.tokens.choice import Chosen, can_cut, choose_one_tokenizer, show_licences
from ui.tokens.own_tokenizers import show_own_tokenizers
from ui.tokens.vocabulary_filters import ask, choose_sheet
from ui.tokens.vocabulary_list import SHEET, Asked, entry_table, found_ids, letters_last, script_bars, scripts_of

KINDS = (TEXT, BYTES, SPECIAL, UNUSED)


def main() -> None:
    """The page from top to bottom."""
    if not can_cut():
        return
    chosen = choose_one_tokenizer("llama-3")
    show_own_tokenizers()
    try:
        entries = entries_of(chosen)
    except ConfigError as error:
        show_error(error)
        return
    counts = script_counts(entries) if chosen.own else scripts_of(chosen.name)
    found, beside = st.columns([62, 38], gap="large")
    with beside:
        st.html(script_bars(current(), counts, len(entries)))
    with found:
        show_found(entries, letters_last(counts))
    show_licences([chosen])


def entries_of(chosen: Chosen) -> Vocabulary:
    """The entries; of a tokenizer of the reader's own they are asked for once."""
    if chosen.own is None:
        return vocabulary(chosen.name)
    kept = st.session_state.get("own_vocabulary")
    if kept is None or kept[0] is not chosen.own:
        kept = st.session_state["own_vocabulary"] = (chosen.own, chosen.own.vocabulary())
    return kept[1]


def show_found(entries: Vocabulary, scripts: list[str]) -> None:
    """What is asked for, and the entries that are so."""
    asked, number = ask(scripts, [kind for kind in KINDS if kind in kind_counts(entries)], len(entries))
    if number is None:
        ids = ids_of(entries, asked)
        st.markdown(text("vocabulary.found", found=grouped(len(ids)), size=grouped(len(entries))))
    else:
        ids = tuple(range(number, min(number + SHEET, len(entries))))
        st.caption(text("vocabulary.from_id", id=number))
    sheets = -(-len(ids) // SHEET)
    sheet = choose_sheet(sheets) if sheets > 1 else 1
    if ids:
        st.html(entry_table(current(), [entries.entry(token) for token in ids[(sheet - 1) * SHEET : sheet * SHEET]]))


def ids_of(entries: Vocabulary, asked: Asked) -> tuple[int, ...]:
    """The ids asked for, kept for turning the sheets; another question begins on the first."""
    kept = st.session_state.get("vocabulary_found")
    if kept is None or kept[0] is not entries or kept[1] != asked:
        if kept is not None:
            st.session_state["sheet"] = 1
        kept = st.session_state["vocabulary_found"] = (entries, asked, found_ids(entries, asked))
    return kept[2]


start_page()
main()
