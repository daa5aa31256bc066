"""Which model a page speaks of: one of the catalogue, or a config.json pasted or uploaded; and what if it were changed.

Every page calls `pick_model` first and reads its figures from the `Choice` it returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from calc.build import build_parts_list
from calc.catalogue import CatalogueModel, catalogue
from calc.config import config_defaults
from calc.errors import ConfigError
from calc.parts_list import PartsList
from calc.read_config import LIMIT_BYTES, read_config, text_of
from calc.what_if import CHANGEABLE
from ui import address
from ui.config_address import indented, packed, unpacked
from ui.errors import plain, show_error
from ui.language import text
from ui.what_if import ask_what_if

REFERENCE = ("llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3-8b", "tinyllama-1.1b", "gpt2")
OWN_CONFIG = "config"
"""What the address says instead of a catalogue name when the model is a config.json of the reader's own."""


@dataclass(frozen=True)
class Choice:
    """The model a reader has chosen.

    name         catalogue name, or OWN_CONFIG
    title        as a person writes it
    values       the content of its config.json
    base         its parts list as published
    parts_list   its parts list with the changes made, `base` without any
    model        its entry in the catalogue, None for an own config
    changes      what-if changes: generic field → value
    """

    name: str
    title: str
    values: Mapping[str, object]
    base: PartsList
    parts_list: PartsList
    model: CatalogueModel | None
    changes: Mapping[str, int | bool] = field(default_factory=dict)

    @property
    def full_title(self) -> str:
        """The title, saying so where something is changed."""
        return text("what_if.changed_title", title=self.title) if self.changes else self.title

    @property
    def changed_from(self) -> PartsList | None:
        """What differences are taken against: the base where something is changed, otherwise nothing."""
        return self.base if self.changes else None


def pick_model() -> Choice | None:
    """Show the picker and return what is chosen; None where a config of the reader's own cannot be counted (the reason
    is then on the screen)."""
    name = _pick_name()
    if name == OWN_CONFIG:
        read = _own_config()
        if read is None:
            return None
        values, base = read
        model, title = None, text("picker.own_title")
    else:
        model = catalogue()[name]
        values, base, title = model.config, model.parts_list(), model.title
    parts_list, changes = ask_what_if(values, base)
    return Choice(name, title, values, base, parts_list, model, changes)


def _pick_name() -> str:
    """The row of pills with the reference models, the list of all others, and `config.json …`."""
    asked = address.get("model")
    name = asked if asked in catalogue() or asked == OWN_CONFIG else REFERENCE[0]
    st.session_state["reference_model"] = name if name in (*REFERENCE, OWN_CONFIG) else None
    st.session_state["other_model"] = name if name not in (*REFERENCE, OWN_CONFIG) else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="model_picker"):
        st.pills(
            text("picker.model"),
            (*REFERENCE, OWN_CONFIG),
            format_func=_title,
            key="reference_model",
            on_change=_choose,
            args=("reference_model",),
            label_visibility="collapsed",
        )
        st.selectbox(
            text("picker.more"),
            [name for name in catalogue() if name not in REFERENCE],
            format_func=_title,
            key="other_model",
            on_change=_choose,
            args=("other_model",),
            placeholder=text("picker.more_hint"),
            label_visibility="collapsed",
            width=220,
        )
    address.put("model", name)
    return name


def _title(name: str) -> str:
    return "config.json …" if name == OWN_CONFIG else catalogue()[name].title


def _choose(key: str) -> None:
    """Take the model of the widget `key`; a click that takes the choice away leaves it as it was."""
    name = st.session_state[key]
    before = address.get("model") or REFERENCE[0]
    if name is None or name == before:
        return
    if name == OWN_CONFIG and "own_config" not in st.session_state and not address.get("config"):
        st.session_state["own_config"] = indented(catalogue()[before].config)
    for changed in CHANGEABLE:
        address.put(changed, None)
    address.put("model", name)


def _own_config() -> tuple[Mapping[str, object], PartsList] | None:
    """The field for a config.json, and what it holds; None, with the reason shown, where it cannot be counted."""
    if "config_text" not in st.session_state:  # Streamlit forgets a field that was not shown for a run
        kept = st.session_state.get("own_config") or unpacked(address.get("config") or "")
        st.session_state["config_text"] = kept or indented(catalogue()[REFERENCE[0]].config)
    st.session_state["config_text"] = st.session_state["config_text"]  # told on every run, for a browser that draws it late
    writing, uploading = st.columns([3, 1])
    with uploading:
        st.file_uploader(text("picker.upload"), type=["json"], key="config_file", on_change=_take_upload)
    with writing:
        typed = st.text_area(text("picker.config"), key="config_text", height=200, on_change=_forget_upload)
        st.session_state["own_config"] = typed
        upload_error = st.session_state.get("config_file_error")
        if upload_error:
            show_error(upload_error)
    address.put("config", packed(typed) if len(typed) <= LIMIT_BYTES else None)
    try:
        values = read_config(typed)
        base = build_parts_list(values)
    except ConfigError as error:
        with writing:
            show_error(error)
        return None
    if base.assumed:
        with writing:
            st.caption(plain(_assumed(base)))
    return values, base


def _assumed(parts_list: PartsList) -> str:
    """What the config did not say and how it was filled in."""
    fields = (
        f"{item.field} = {item.rule} = {item.value}" if item.rule else f"{item.field} = {str(item.value).lower()}"
        for item in parts_list.assumed
    )
    config_class = config_defaults()[parts_list.model_type]["class"]
    return text("picker.assumed", config_class=config_class, fields=text("frame.comma").join(fields))


def _forget_upload() -> None:
    """What was wrong with an upload no longer matters once the reader types on."""
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
