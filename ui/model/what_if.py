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
from ui.frame.fields import settle
from ui.frame.language import text
from ui.numbers import grouped

FIELD_WIDTH = 160
"""px: two fields side by side on a phone, seven in a row on a wide screen."""

LARGEST = 2**53 - 1
"""The largest number a field can hold: JavaScript's."""
STEPS = {"hidden_size": 128, "intermediate_size": 256, "head_dim": 16, "vocab_size": 1000}
"""How much the + and − of a field change: a plausible next size, not one more element."""

Changes = dict[str, int | bool]


def ask_what_if(base: Model) -> tuple[Model, Changes]:
    """A field for each number that may change; the changed model and the changes.

    Where the changed numbers fit no model, the reason is on the screen, and it is the base model without changes.
    """
    changes = changes_in_address(base.parts_list)
    outcome = _what_if(base, tuple(changes.items())) if changes else WhatIf(base, {})
    error = outcome if isinstance(outcome, ConfigError) else None
    model, followed = (base, {}) if isinstance(outcome, ConfigError) else (outcome.model, outcome.followed)
    st.session_state["what_if"] = st.session_state.setdefault("what_if_open", bool(changes))
    panel = st.expander(text("what_if.title"), key="what_if", type="compact", on_change=_open_or_close)
    if panel.open:  # closed, its fields would still cost a third of the run
        with panel, st.container(horizontal=True, vertical_alignment="bottom"):
            _fields(base.parts_list, {**base.parts_list.sizes, **followed, **changes})
            if changes:
                st.button(text("what_if.reset"), on_click=_reset, args=(changeable(base.parts_list),))
    if changes:
        st.caption(plain(_what_changed(changes, followed)))
    if error:
        show_error(error)
        st.caption(text("what_if.base_shown"))
    return model, {} if error else changes


@lru_cache(maxsize=64)
def _what_if(base: Model, changes: tuple[tuple[str, int | bool], ...]) -> WhatIf | ConfigError:
    """The changed model, counted once for as long as the change stands."""
    try:
        return what_if(base, dict(changes))
    except ConfigError as fault:
        return fault.with_traceback(None)


def changes_in_address(base: PartsList) -> Changes:
    """The changes the address asks for, without those that change nothing or cannot be read."""
    changes: Changes = {}
    for field in changeable(base):
        typed = address.get(field)
        value = _value(field, typed) if typed is not None else None
        if value is not None and value != base.sizes[field]:
            changes[field] = value
    return changes


def _value(field: str, typed: str) -> int | bool | None:
    """A value as the address writes it; None for nonsense. Whether the model can have it is the config's own check."""
    if field not in FIELDS:
        return {"true": True, "false": False}.get(typed)
    digits = typed.removeprefix("-")
    return int(typed) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else None


def _fields(base: PartsList, sizes: Mapping[str, int | bool]) -> None:
    for field in changeable(base):
        key, name = f"what_if_{field}", text(f"field.{field}")
        st.session_state.setdefault(key, sizes[field])  # it may be more than a default can be: the address has it
        value = max(-LARGEST, min(settle(key, sizes[field]), LARGEST))
        if field in FIELDS:
            step = STEPS.get(field, 1)
            st.number_input(name, value=value, step=step, key=key, on_change=_change, args=(field,), width=FIELD_WIDTH)
        else:
            st.toggle(name, value=bool(value), key=key, on_change=_change, args=(field,))


def _change(field: str) -> None:
    value = st.session_state[f"what_if_{field}"]
    address.put(field, None if value is None else str(value).lower())


def _open_or_close() -> None:
    """Remember whether the fields are shown, also where Streamlit forgets it: in another language, on coming back."""
    st.session_state["what_if_open"] = st.session_state["what_if"]


def _what_changed(changes: Changes, followed: Mapping[str, int | bool]) -> str:
    """The changes in words, and after them what followed."""
    sentences = [text("what_if.changed", changes=_as_words(changes))]
    if followed:
        sentences.append(text("what_if.followed", fields=_as_words(followed)))
    return " ".join(sentences)


def _reset(fields: tuple[str, ...]) -> None:
    for field in fields:
        address.put(field, None)


def _as_words(values: Mapping[str, int | bool]) -> str:
    """`layers L = 40, tie embedding and head = true`."""
    return text("frame.comma").join(
        f"{text(f'field.{field}')} = {grouped(value) if field in FIELDS else str(value).lower()}"
        for field, value in values.items()
    )
