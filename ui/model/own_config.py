"""The field for a config.json of the reader's own: pasted, uploaded or from the address."""

from __future__ import annotations

import streamlit as st

from calc.catalogue import catalogue
from calc.config import config_defaults
from calc.errors import ConfigError
from calc.parts_list import PartsList
from calc.read_config import LIMIT_BYTES, text_of
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.fields import settle
from ui.frame.language import text
from ui.model.selection import FIRST, OwnConfig


def ask_own_config() -> OwnConfig:
    """The field and what it holds; where that cannot be counted, the reason is on the screen."""
    own = _in_field()
    writing, uploading = st.columns([3, 1])
    with uploading:
        st.file_uploader(
            text("picker.upload"),
            type=["json"],
            key="config_file",
            on_change=_take_upload,
            max_upload_size=LIMIT_BYTES // 1_000_000,
        )
    with writing:
        typed = st.text_area(text("picker.config"), own.text, height=200, key="config_text", on_change=_forget_upload)
        upload_error = st.session_state.get("config_file_error")
        if upload_error:
            show_error(upload_error)
        own = own if typed == own.text else OwnConfig.of(typed)
        st.session_state["own_config"] = own
        address.put("config", own.packed)
        if own.fault:
            show_error(own.fault)
        elif own.model and own.model.parts_list.assumed:
            st.caption(plain(assumed(own.model.parts_list)))
    return own


def own_config() -> OwnConfig | None:
    """What the field held when it was last shown."""
    return st.session_state.get("own_config")


def assumed(parts_list: PartsList) -> str:
    """What the config does not say and how it is filled in."""
    fields = (
        f"{item.field} = {item.rule} = {item.value}" if item.rule else f"{item.field} = {str(item.value).lower()}"
        for item in parts_list.assumed
    )
    config_class = config_defaults()[parts_list.model_type]["class"]
    return text("picker.assumed", config_class=config_class, fields=text("frame.comma").join(fields))


def _in_field() -> OwnConfig:
    """What the field held last, unless the address was changed meanwhile: by a link, or by the browser's back."""
    own, value = own_config(), address.get("config")
    if own and value in (None, own.packed):
        return own
    linked = OwnConfig.of_address(value or "")
    if own and not linked:
        return own
    linked = linked or OwnConfig.of_values(catalogue()[FIRST].config, untouched=True)
    settle("config_text", linked.text)
    return linked


def _forget_upload() -> None:
    """What is wrong with an upload no longer matters once the reader types on."""
    st.session_state["config_file_error"] = None


def _take_upload() -> None:
    """Put an uploaded config.json into the text field, where it can be seen and changed."""
    st.session_state["config_file_error"] = None
    upload = st.session_state["config_file"]
    if upload is None:
        return
    try:
        st.session_state["config_text"] = text_of(upload.getvalue())
    except ConfigError as error:
        st.session_state["config_file_error"] = error
