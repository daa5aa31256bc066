"""Adding a model to the comparison: from the catalogue, a config.json, or the Hub."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from calc.catalogue import catalogue
from calc.comparison.cells import LARGEST_COMPARISON
from calc.errors import ConfigError
from calc.model import Model
from calc.read_config import read_config
from ui.comparison.entries import FIRST, entries, entry_of, put_entries
from ui.frame.errors import plain, show_error
from ui.frame.language import text
from ui.model.selection import title_of


def show_adding(listed: Sequence[str]) -> None:
    """The list of catalogue models, and behind a button the fields for any other."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="adding"):
        st.selectbox(
            text("compare.add"),
            [name for name in catalogue() if name not in listed],
            index=None,
            format_func=lambda name: catalogue()[name].title,
            key="add_model",
            on_change=_add_chosen,
            placeholder=text("compare.add_hint"),
            label_visibility="collapsed",
            width=260,
            disabled=len(listed) >= LARGEST_COMPARISON,
        )
        with st.popover(text("compare.add_own"), disabled=len(listed) >= LARGEST_COMPARISON):
            _own_fields()
        if list(listed) != list(FIRST):
            st.button(text("compare.start_again"), on_click=_start_again, type="tertiary")
    if len(listed) >= LARGEST_COMPARISON:
        st.caption(text("compare.full", limit=LARGEST_COMPARISON))


def _start_again() -> None:
    put_entries(FIRST)


def add(entry: str) -> None:
    """Put an entry at the end of the list."""
    put_entries([*entries(), entry])


def _add_chosen() -> None:
    name = st.session_state["add_model"]
    if name:
        add(name)
    st.session_state["add_model"] = None


def _own_fields() -> None:
    with st.form("add_hub", border=False):
        asked = st.text_input(text("compare.hub_id"), key="compare_hub_id")
        if st.form_submit_button(text("compare.hub_add")):
            _answer("hub", lambda: _hub_entry(asked))
    _show_fault("hub")
    with st.form("add_config", border=False):
        name = st.text_input(text("compare.own_name"), key="compare_own_name", placeholder=text("picker.own_title"))
        typed = st.text_area(text("compare.own_config"), key="compare_own_config", height=160)
        if st.form_submit_button(text("compare.own_add")):
            _answer("config", lambda: entry_of(Model(read_config(typed), name.strip() or text("picker.own_title"))))
    _show_fault("config")


def _answer(where: str, make_entry: Callable[[], str]) -> None:
    """Add what `make_entry` returns and draw the page with it; keep the fault where there is one, beside its field."""
    faults = st.session_state.setdefault("compare_faults", {})
    try:
        add(make_entry())
    except ConfigError as fault:
        faults[where] = fault
    else:
        faults.pop(where, None)
        st.rerun()


def _show_fault(where: str) -> None:
    fault = st.session_state.get("compare_faults", {}).get(where)
    if fault:
        show_error(fault)


def _hub_entry(asked: str) -> str:
    """Ask the Hub, and only now."""
    from calc.hub.address import hub_address
    from calc.hub.configs import read_hub_config
    from ui.model.hub_answers import ask

    address = hub_address(asked)
    if address is None:
        raise ConfigError("not_a_hub_model", value=asked[:100])
    with st.spinner(plain(text("compare.hub_wait", model=str(address)))):
        values = ask(("config", str(address)), lambda: read_hub_config(address))
    return entry_of(Model(values, title_of(asked) or str(address)))
