"""What a reader looks for in a vocabulary: fields that the address remembers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.frame import address
from ui.frame.fields import settle
from ui.frame.language import current, text
from ui.tokens.linked import linked_number, put, take
from ui.tokens.text_field import text_field
from ui.tokens.vocabulary_list import EntryQuery, script_name

LONGEST_TOKEN = 1_000
"""Characters of any entry."""


def ask(scripts: list[str], kinds: list[str], size: int) -> tuple[EntryQuery, int | None]:
    """Show the fields: the query, and the id from which on entries are wanted, None for no certain one."""
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
    sheet = min(max(linked_number("sheet") or 1, 1), sheets)
    st.pagination(sheets, default=settle("sheet", sheet), key="sheet", on_change=take, args=("sheet", 1))
    put("sheet", sheet, 1)
    return sheet


def _longest_first() -> bool:
    order = "length" if address.get("order") == "length" else "id"
    st.segmented_control(
        text("vocabulary.order"),
        ("id", "length"),
        default=settle("order", order),
        format_func=lambda name: text(f"vocabulary.order_{name}"),
        key="order",
        required=True,
        on_change=take,
        args=("order", "id"),
        label_visibility="collapsed",
    )
    return order == "length"


def _one_of(name: str, options: list[str], label: Callable[[str], str]) -> str | None:
    linked = address.get(name)
    chosen = linked if linked in options else None
    _hold(name, chosen)
    st.selectbox(
        text(f"vocabulary.{name}"),
        options,
        index=None,
        format_func=label,
        key=name,
        on_change=take,
        args=(name,),
        placeholder=text("vocabulary.any"),
        width=150,
    )
    put(name, chosen)
    return chosen


def _number_field(name: str, most: int) -> int | None:
    linked = linked_number(name)
    number = None if linked is None else min(linked, most)
    _hold(name, number)
    label = text(f"vocabulary.{name}")
    st.number_input(label, 0, most, None, 1, key=name, on_change=take, args=(name,), placeholder="—", width=112)
    put(name, number)
    return number


def _hold(name: str, value: str | int | None) -> None:
    """Make `value` what a widget holds, without a default: a field with one cannot be emptied."""
    if st.session_state.get(name) != value:
        st.session_state[name] = value
