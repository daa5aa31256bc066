"""What a reader looks for in a vocabulary: fields that the address remembers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.frame import address
from ui.frame.language import current, text
from ui.tokens.text_field import text_field
from ui.tokens.vocabulary_list import EntryQuery, script_name

LONGEST_TOKEN = 1_000
"""Characters of any entry."""


def ask(scripts: list[str], kinds: list[str], size: int) -> tuple[EntryQuery, int | None]:
    """Show the fields; what is asked for, and the id from which on entries are wanted, None for no certain one."""
    wanted = text_field("find", text("vocabulary.find"), "", longest=100)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="vocabulary_filters"):
        script = _one_of("script", scripts, lambda name: script_name(current(), name))
        kind = _one_of("kind", kinds, lambda name: text(f"vocabulary.kind.{name}"))
        shortest = _number_field("shortest", LONGEST_TOKEN)
        longest = _number_field("longest", LONGEST_TOKEN)
        number = _number_field("id", size - 1)
    return EntryQuery(wanted, script, kind, shortest, longest, _longest_first()), number


def choose_sheet(sheets: int) -> int:
    """Which hundred of the entries is shown."""
    asked = st.session_state.get("sheet", _number(address.get("sheet")) or 1)
    st.session_state["sheet"] = min(max(asked, 1), sheets)
    st.pagination(sheets, key="sheet")
    address.put("sheet", str(st.session_state["sheet"]) if st.session_state["sheet"] > 1 else None)
    return st.session_state["sheet"]


def _longest_first() -> bool:
    st.session_state["order"] = st.session_state.get("order") or ("length" if address.get("order") == "length" else "id")
    order = st.segmented_control(
        text("vocabulary.order"),
        ("id", "length"),
        format_func=lambda name: text(f"vocabulary.order_{name}"),
        key="order",
        required=True,
        label_visibility="collapsed",
    )
    address.put("order", "length" if order == "length" else None)
    return order == "length"


def _one_of(name: str, offered: list[str], label: Callable[[str], str]) -> str | None:
    if name not in st.session_state:
        st.session_state[name] = address.get(name)
    if st.session_state[name] not in offered:
        st.session_state[name] = None
    st.session_state[name] = st.session_state[name]  # told on every run, for a browser that draws it late
    chosen = st.selectbox(
        text(f"vocabulary.{name}"),
        offered,
        index=None,
        format_func=label,
        key=name,
        placeholder=text("vocabulary.any"),
        width=150,
    )
    address.put(name, chosen)
    return chosen


def _number_field(name: str, most: int) -> int | None:
    if name not in st.session_state:
        st.session_state[name] = _number(address.get(name))
    if st.session_state[name] is not None:
        st.session_state[name] = min(st.session_state[name], most)
    given = st.number_input(text(f"vocabulary.{name}"), 0, most, value=None, step=1, key=name, placeholder="—", width=112)
    address.put(name, None if given is None else str(given))
    return given


def _number(written: str | None) -> int | None:
    return int(written) if written and written.isascii() and written.isdecimal() and len(written) < 8 else None
