"""A field whose text is sent while a person types, a quarter of a second after the last key.

Streamlit's own sends only when it is left or on Ctrl+Enter. What an input method composes is sent when it is finished.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.frame import address
from ui.frame.language import text
from ui.html import component

LONGEST = 200_000
"""Characters; a longer text is a file."""
PAUSE_MILLISECONDS = 200

_component = component("text_field", __file__, '<div class="text-field"></div>', stem="text_field")


def text_field(
    name: str, label: str, first: str = "", *, lines: int = 1, examples: Sequence[tuple[str, str]] = (), longest: int = LONGEST
) -> str:
    """Show the field; its text, at most `longest` characters, stays in the session and the address.

    name       in the address and in the session
    first      the text where the address has none
    lines      of the field; one of 1 takes no line ends
    examples   label and text of buttons that fill the field
    longest    characters; a longer text counts as empty, and the field says so
    """
    key, typed, revision = f"{name}_field", f"_{name}_typed", f"_{name}_revision"
    state = st.session_state

    def sent() -> None:
        content = state[key].get("text")
        if isinstance(content, str):
            state[name] = state[typed] = content

    if name not in state:
        linked = address.get(name)
        state[name] = first if linked is None else linked
    if state[name] != state.get(typed):  # the field takes over only what it did not send itself
        state[typed], state[revision] = state[name], state.get(revision, 0) + 1
    _component(
        key=key,
        data={
            "text": state[name],
            "revision": state[revision],
            "label": label,
            "lines": lines,
            "longest": longest,
            "pause": PAUSE_MILLISECONDS,
            "examples": [list(example) for example in examples],
            "examples_label": text("tokens.examples"),
        },
        on_text_change=sent,
    )
    address.put(name, state[name])
    if len(state[name]) > longest:
        st.info(text("tokens.too_long", longest=f"{longest:,}"))
        return state[name][:0]
    return state[name]
