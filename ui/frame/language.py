"""The language of a session: Chinese or English.

A valid `?lang` decides, else a browser whose locale is Chinese, else English. The choice then lives in the session until
the switch at the top of the page changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from ui.texts import text_in

LANGUAGES = ("zh", "en")
DOCUMENT_LANGUAGE = {"zh": "zh-CN", "en": "en"}
SWITCH_LABELS = {"zh": "中", "en": "EN"}

_outside_a_run: ContextVar[str | None] = ContextVar("language_outside_a_run", default=None)
_CHOSEN = "_language"
_SWITCH = "language"


def first_language(asked: str | None, locale: str | None) -> str:
    """The language a session starts in.

    asked    the value of `?lang`, missing or nonsense perhaps
    locale   the browser's, likewise

    >>> first_language("en", "zh-CN")
    'en'
    >>> first_language("fr", "zh-Hant-TW")
    'zh'
    >>> first_language(None, None)
    'en'
    """
    if asked in LANGUAGES:
        return asked
    return "zh" if (locale or "").lower().startswith("zh") else "en"


def current() -> str:
    """The language of this session, "zh" or "en"."""
    return _outside_a_run.get() or st.session_state.get(_CHOSEN) or begin()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make a language current where no run of a session is under way, as when a download is written.

    >>> with speaking("zh"):
    ...     text("frame.brand")
    '大模型零件图'
    """
    before = _outside_a_run.set(language)
    try:
        yield
    finally:
        _outside_a_run.reset(before)


def text(key: str, **values: object) -> str:
    """The text `key` in the language of this session: see `ui.texts.text_in`."""
    return text_in(current(), key, **values)


def begin(address_wins: bool = False) -> str:
    """Decide the language of this run; called before any text is made.

    address_wins   take `?lang` although the session has a language
    """
    chosen = st.session_state.get(_CHOSEN)
    if chosen is None or address_wins:
        chosen = first_language(st.query_params.get("lang"), chosen or st.context.locale)
    st.session_state[_CHOSEN] = chosen
    return chosen


def show_switch() -> None:
    """Show the switch 中 | EN."""
    if st.session_state.get(_SWITCH) != current():  # unlike `settle`, also before the switch is first drawn
        st.session_state[_SWITCH] = current()
    st.segmented_control(
        text("frame.language"),
        LANGUAGES,
        format_func=SWITCH_LABELS.__getitem__,
        key=_SWITCH,
        required=True,
        on_change=_switch,
        label_visibility="collapsed",
    )


def _switch() -> None:
    """Take the language of the switch, and store every choice once more, as if the code had made it.

    Streamlit forgets the choice of a selectbox, radio, multiselect or select_slider on the second run after its labels
    were translated; a value that the code has set stays. A button's value (bool) may not be set, nor an upload's, and
    neither has labels; the key of an upload of several files, which is a list, begins with `upload_`. Nor may the value of
    a field in a form, whose key begins with `unsent_`: what is typed there and not yet sent would be overwritten.
    """
    st.session_state[_CHOSEN] = st.session_state[_SWITCH]
    for key, value in st.session_state.items():
        if str(key).startswith(("unsent_", "upload_")):
            continue
        if _is_plain(value) or (isinstance(value, list | tuple) and all(map(_is_plain, value))):
            st.session_state[key] = value


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
