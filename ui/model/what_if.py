"""What if: change the numbers of a model and see every figure with its difference from the base model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import streamlit as st

from calc.config import FIELDS
from calc.errors import ConfigError
from calc.model import Model
from calc.parts_list import PartsList
from calc.what_if import WhatIf, changeable, what_if
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.language import text
from ui.numbers import grouped

FIELD_WIDTH = 160
"""px: two fields side by side on a phone, seven in a row on a wide screen."""

Changes = dict[str, int | bool]


def ask_what_if(base: Model) -> tuple[Model, Changes]:
    """Show a field for each number that may change; return the changed model and the changes.

    Where the changed numbers fit no model, the reason is shown, and the base model is returned without changes.
    """
    changes = asked_changes(base.parts_list)
    changed, followed, error = base, {}, None
    if changes:
        outcome = _what_if(base, tuple(changes.items()))
        if isinstance(outcome, ConfigError):
            error = outcome
        else:
            changed, followed = outcome.model, outcome.followed
    st.session_state["what_if"] = st.session_state.setdefault("what_if_open", bool(changes))
    panel = st.expander(text("what_if.title"), key="what_if", type="compact", on_change=_open_or_close)
    if panel.open:  # closed, its fields would still cost a third of the run
        with panel, st.container(horizontal=True, vertical_alignment="bottom"):
            _fields(base.parts_list, {**base.parts_list.sizes, **followed, **changes})
            if changes:
                st.button(text("what_if.reset"), on_click=_reset, args=(changeable(base.parts_list),))
    if changes:
        st.caption(plain(_what_changed(changes, {} if error else followed)))
    if error:
        show_error(error)
        st.caption(text("what_if.base_shown"))
    return changed, {} if error else changes


@lru_cache(maxsize=64)
def _what_if(base: Model, changes: tuple[tuple[str, int | bool], ...]) -> WhatIf | ConfigError:
    """The changed model, counted once for as long as the change stands."""
    try:
        return what_if(base, dict(changes))
    except ConfigError as fault:
        return fault.with_traceback(None)


def asked_changes(base: PartsList) -> Changes:
    """The changes the address asks for, without those that change nothing or cannot be read."""
    changes: Changes = {}
    for field in changeable(base):
        asked = address.get(field)
        value = _value(field, asked) if asked is not None else None
        if value is not None and value != base.sizes[field]:
            changes[field] = value
    return changes


def _value(field: str, asked: str) -> int | bool | None:
    """A value as the address writes it; None for nonsense. Whether the model can have it is the config's own check."""
    if field not in FIELDS:
        return {"true": True, "false": False}.get(asked)
    digits = asked.removeprefix("-")
    return int(asked) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else None


def _fields(base: PartsList, shown: Mapping[str, int | bool]) -> None:
    for field in changeable(base):
        key, name = f"what_if_{field}", text(f"field.{field}")
        st.session_state[key] = shown[field]
        if field in FIELDS:
            st.number_input(name, value=None, step=_step(field), key=key, on_change=_change, args=(field,), width=FIELD_WIDTH)
        else:
            st.toggle(name, key=key, on_change=_change, args=(field,))


def _step(field: str) -> int:
    """How much the + and − of a field change: a plausible next size, not one more element."""
    return {"hidden_size": 128, "intermediate_size": 256, "head_dim": 16, "vocab_size": 1000}.get(field, 1)


def _change(field: str) -> None:
    value = st.session_state[f"what_if_{field}"]
    address.put(field, None if value is None else str(value).lower())


def _open_or_close() -> None:
    """Keep whether the fields are shown, also where Streamlit forgets it: in another language, on coming back."""
    st.session_state["what_if_open"] = st.session_state["what_if"]


def _what_changed(changes: Changes, followed: Mapping[str, int | bool]) -> str:
    """The changes in words, and after them what followed."""
    said = text("what_if.changed", changes=_as_words(changes))
    return f"{said} {text('what_if.followed', fields=_as_words(followed))}" if followed else said


def _reset(fields: tuple[str, ...]) -> None:
    for field in fields:
        address.put(field, None)


def _as_words(values: Mapping[str, int | bool]) -> str:
    """`layers L = 40, tie embedding and head = true`."""
    return text("frame.comma").join(
        f"{text(f'field.{field}')} = {grouped(value) if field in FIELDS else str(value).lower()}"
        for field, value in values.items()
    )
