"""A tokenizer of the reader's own: a model's on the Hub, asked for with a button, or an uploaded file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from calc.errors import ConfigError, quoted
from ui.frame.errors import plain, show_error
from ui.frame.language import text
from ui.frame.visitor import hub_token
from ui.model.hub_answers import HubAnswers
from ui.tokens.choice import ADDED, OWN, own_tokenizers

if TYPE_CHECKING:
    from calc.tokens.own_tokenizer import OwnTokenizer

MOST = 2
"""A session keeps; the one brought first makes room."""
UPLOAD_MEGABYTES = 50
HUB_SECONDS = 30.0
_ANSWERS = HubAnswers(capacity=4)


def show_own_tokenizers() -> None:
    """The fields behind a button, and the tokenizers brought so far."""
    with st.popover(text("tokens.own"), icon=":material/add:"):
        with st.form("own_hub", border=False):
            model = st.text_input(
                text("tokens.own_hub"), key="unsent_tokenizer_model", placeholder="Qwen/Qwen3-0.6B", max_chars=200
            )
            if st.form_submit_button(text("tokens.own_hub_read"), icon=":material/download:"):
                with st.spinner(plain(text("tokens.own_hub_wait", model=quoted(model.strip(), 80)))):
                    _bring("hub", lambda: _from_hub(model))
        _show_fault("hub")
        st.caption(text("tokens.own_hub_note"))
        file = st.file_uploader(
            text("tokens.own_upload"), type=["json", "model"], key="upload_tokenizer", max_upload_size=UPLOAD_MEGABYTES
        )
        if (file.file_id if file else None) != st.session_state.get("tokenizer_uploaded"):
            st.session_state["tokenizer_uploaded"] = file.file_id if file else None
            st.session_state.setdefault("tokenizer_faults", {}).pop("upload", None)
            if file:
                _bring("upload", lambda: _from_file(file.name, file.getvalue()))
        _show_fault("upload")
        for name, own in own_tokenizers().items():
            st.button(
                plain(text("tokens.own_remove", name=own.name)),
                key=f"remove_{name}",
                on_click=_remove,
                args=(name,),
                type="tertiary",
            )


def _bring(where: str, read: Callable[[], OwnTokenizer]) -> None:
    """Take the tokenizer and draw the page with it; keep the fault where there is one, beside its field."""
    faults = st.session_state.setdefault("tokenizer_faults", {})
    try:
        own = read()
    except ConfigError as fault:
        faults[where] = fault.with_traceback(None)
        return
    faults.pop(where, None)
    name = f"{OWN}{own.name}"
    kept = own_tokenizers()
    kept.pop(name, None)
    while len(kept) >= MOST:
        kept.pop(next(iter(kept)))
    kept[name] = own
    st.session_state[ADDED] = name  # chosen in the next run, wherever the page shows the choice
    st.rerun()


def _remove(name: str) -> None:
    own_tokenizers().pop(name, None)


def _from_hub(model: str) -> OwnTokenizer:
    from calc.hub.configs import endpoint
    from calc.tokens.own_tokenizer import read_hub_tokenizer

    token = hub_token()
    key = ("tokenizer", model.strip(), endpoint(), token)
    return _ANSWERS.ask(key, lambda: read_hub_tokenizer(model, HUB_SECONDS, token))


def _from_file(name: str, content: bytes) -> OwnTokenizer:
    from calc.tokens.own_tokenizer import read_tokenizer

    return read_tokenizer(name, content)


def _show_fault(where: str) -> None:
    fault = st.session_state.get("tokenizer_faults", {}).get(where)
    if fault:
        show_error(fault)
