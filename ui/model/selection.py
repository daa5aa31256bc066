"""Which model the pages show: one of the catalogue, one read from the Hub, or a config.json of the reader's own.

The address says which (`model`), with the config where it is none of the catalogue (`config`, packed) and its id on the
Hub (`hub`), so that a link shows the same model elsewhere without asking anybody. What the address leaves out of a
config stays in the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.hub.address import HubAddress, hub_address
from calc.model import Model
from calc.read_config import read_config
from calc.what_if import CHANGEABLE
from ui.frame import address
from ui.model.config_address import indented, packed, packed_text, unpacked

FIRST = "llama-2-7b"
"""Shown where nothing else is asked for."""
OWN_CONFIG = "config"
"""What the address says instead of a catalogue name when the model is a config.json of the reader's own."""
HUB = "hub"
"""What it says when the model was read from the Hub."""
HUB_WORDS = "unsent_hub_words"
"""The key of the field for a model of the Hub. What is typed there is in the browser alone until it is sent."""


@dataclass(frozen=True, slots=True)
class OwnConfig:
    """A text in the field for an own config: the model it describes, or the fault why it cannot be counted.

    untouched   whether it is still the config of another model, for the reader to change
    """

    text: str
    model: Model | None = None
    fault: ConfigError | None = None
    untouched: bool = False

    @classmethod
    def of(cls, text: str) -> OwnConfig:
        """Count a text as it was typed."""
        try:
            return cls(text, Model(read_config(text)))
        except ConfigError as fault:
            return cls(text, fault=fault.with_traceback(None))

    @classmethod
    def of_values(cls, values: Mapping[str, object], untouched: bool = False) -> OwnConfig:
        """Count the values of a config, their text indented for reading."""
        try:
            return cls(indented(values), Model(values), untouched=untouched)
        except ConfigError as fault:
            return cls(indented(values), fault=fault.with_traceback(None), untouched=untouched)

    @classmethod
    def of_address(cls, value: str) -> OwnConfig | None:
        """Count what the address holds; None where it holds no text."""
        text = unpacked(value)
        if not text:
            return None
        try:
            values = read_config(text)
        except ConfigError as fault:
            return cls(text, fault=fault.with_traceback(None))
        return cls.of_values(values)

    @property
    def packed(self) -> str | None:
        """As the address holds it, None for a text too long to be a config."""
        return packed(self.model) if self.model else packed_text(self.text)


def model_name() -> str:
    """The catalogue name the address asks for, HUB or OWN_CONFIG; FIRST for an unknown model and one that cannot be shown."""
    name = address.get("model")
    if name is None or (name == HUB and not hub_model()):
        return FIRST
    return name if name in catalogue() or name in (HUB, OWN_CONFIG) else FIRST


def hub_model() -> Model | None:
    """The model of the Hub that the address holds, None where it holds none that can be counted."""
    title, config = address.get("hub") or "", address.get("config") or ""
    last: Model | None = st.session_state.get("hub_model")
    if last and (title, config) == (last.title, packed(last)):
        return last
    if not title or title_of(title) != title:
        return None
    try:
        model = Model(read_config(unpacked(config) or ""), title)
    except ConfigError:
        return None
    st.session_state["hub_model"] = model
    address.put("config", packed(model))
    return model


def asks_hub() -> bool:
    """Whether the field for a model of the Hub is on the page: such a model is shown, or the reader wants one.

    A link whose config was too long to be carried opens the field too, with the id in it.
    """
    if address.get("model") == HUB and not hub_model():
        st.session_state["hub_open"] = True
        st.session_state["hub_sent"] = title_of(address.get("hub") or "") or ""
    return address.get("model") == HUB or st.session_state.get("hub_open", False)


def ask_hub() -> None:
    """Show the model of the Hub that was shown last; where there was none, the field that asks for one."""
    last = st.session_state.get("hub_model")
    if last:
        show_hub_model(last)
    else:
        st.session_state["hub_open"] = True


def title_of(words: str) -> str | None:
    """The id, with its revision unless that is `main`, of the model that an id or address means; None for other text.

    >>> title_of("https://huggingface.co/Qwen/Qwen3-0.6B/blob/main/config.json")
    'Qwen/Qwen3-0.6B'
    >>> title_of("a small llama") is None
    True
    """
    try:
        model = hub_address(words)
    except ConfigError:
        return None
    return model and str(HubAddress(model.repo_id, model.revision))


def show_hub_model(model: Model) -> None:
    """Show a model of the Hub."""
    st.session_state["hub_model"], st.session_state["hub_sent"] = model, model.title
    st.session_state["hub_reply"] = None
    show_model(HUB)
    address.put("hub", model.title)
    address.put("config", packed(model))


def show_own_config(own: OwnConfig) -> None:
    """Show an own config, its text in the field."""
    st.session_state["own_config"] = own
    st.session_state["config_text"] = own.text
    st.session_state["config_file_error"] = None
    show_model(OWN_CONFIG)
    address.put("config", own.packed)


def show_model(name: str) -> None:
    """Show the model of this name as it is, without the what-if changes made to the last."""
    for field in CHANGEABLE:
        address.put(field, None)
    address.put("model", name)
    address.put("hub", None)
    close_hub()


def close_hub() -> None:
    """Take the field for a model of the Hub from the page."""
    st.session_state["hub_open"] = False
