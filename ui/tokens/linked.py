"""What a widget holds, in the address under the widget's key."""

from __future__ import annotations

import streamlit as st

from ui.frame import address


def linked_number(name: str) -> int | None:
    """A whole number of the address; None where there is none."""
    written = address.get(name)
    return int(written) if written and written.isascii() and written.isdecimal() and len(written) < 8 else None


def put(name: str, value: object, default: object = None) -> None:
    """Write a value into the address, which leaves out the default."""
    address.put(name, None if value in (None, default) else str(value))


def take(name: str, default: object = None) -> None:
    """Take what the widget of this name holds, before the next run."""
    put(name, st.session_state[name], default)
