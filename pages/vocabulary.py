"""A vocabulary, entry by entry: searched by text, bytes, id, script and length; and how many tokens each script has."""

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.vocabulary import BYTES, SPECIAL, TEXT, UNUSED, Vocabulary, kind_counts, script_counts, vocabulary
from ui.frame import address
from ui.frame.errors import show_error
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show
from ui.numbers import grouped
from ui.tokens.choice import Chosen, can_cut, choose_one_tokenizer, show_licences
from ui.tokens.own_tokenizers import show_own_tokenizers
from ui.tokens.vocabulary_filters import ask, choose_sheet
from ui.tokens.vocabulary_list import SHEET, EntryQuery, entry_table, found_ids, letters_last, script_bars, scripts_of

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
        show(script_bars(current(), counts, len(entries)))
    with found:
        show_found(entries, letters_last(counts))
    show_licences([chosen])


def entries_of(chosen: Chosen) -> Vocabulary:
    """The entries; those of a reader's own tokenizer are asked for once."""
    if chosen.own is None:
        return vocabulary(chosen.name)
    own, entries = st.session_state.get("own_vocabulary", (None, None))
    if own is not chosen.own:
        entries = chosen.own.vocabulary()
        st.session_state["own_vocabulary"] = chosen.own, entries
    return entries


def show_found(entries: Vocabulary, scripts: list[str]) -> None:
    """The fields, and a sheet of the entries found."""
    query, number = ask(scripts, [kind for kind in KINDS if kind in kind_counts(entries)], len(entries))
    if number is None:
        ids = ids_of(entries, query)
        st.markdown(text("vocabulary.found", found=grouped(len(ids)), size=grouped(len(entries))))
    else:
        ids = tuple(range(number, min(number + SHEET, len(entries))))
        st.caption(text("vocabulary.from_id", id=number))
    sheets = -(-len(ids) // SHEET)
    sheet = choose_sheet(sheets) if sheets > 1 else 1
    if ids:
        show(entry_table(current(), [entries.entry(token) for token in ids[(sheet - 1) * SHEET : sheet * SHEET]]))


def ids_of(entries: Vocabulary, query: EntryQuery) -> tuple[int, ...]:
    """The ids looked for, in the session for turning the sheets; another query begins on the first."""
    searched, last_query, ids = st.session_state.get("vocabulary_ids", (None, None, ()))
    if searched is not entries or last_query != query:
        if searched is not None:
            address.put("sheet", None)
        ids = found_ids(entries, query)
        st.session_state["vocabulary_ids"] = entries, query, ids
    return ids


start_page()
main()
