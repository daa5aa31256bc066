"""Which model a page is about: of the catalogue, of the Hub, or a config.json of the reader's own; and what if it changed.

Every page calls `pick_model` first and reads its figures from the `Choice` it returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from calc.catalogue import catalogue
from calc.model import Model, catalogue_model
from calc.parts_list import PartsList
from ui.frame import address
from ui.frame.errors import plain
from ui.frame.fields import settle
from ui.frame.language import text
from ui.model import selection
from ui.model.own_config import ask_own_config, assumed, own_config
from ui.model.recent import recents, remember, show_recent
from ui.model.selection import FIRST, HUB, OWN_CONFIG, OwnConfig
from ui.model.what_if import ask_what_if

REFERENCE = (FIRST, "llama-2-13b", "llama-2-70b", "llama-3-8b", "tinyllama-1.1b", "gpt2")
PILLS = (*REFERENCE, OWN_CONFIG, HUB)


@dataclass(frozen=True, slots=True)
class Choice:
    """The model a reader has chosen.

    name      catalogue name, OWN_CONFIG or HUB
    title     as a person writes it
    base      the model as published
    model     the model with the changes made, `base` without any
    changes   what-if changes: generic field → value
    """

    name: str
    title: str
    base: Model
    model: Model
    changes: Mapping[str, int | bool] = field(default_factory=dict)

    @property
    def full_title(self) -> str:
        """The title, saying so where something is changed."""
        return text("what_if.changed_title", title=self.title) if self.changes else self.title

    @property
    def changed_from(self) -> PartsList | None:
        """What differences are taken against: the base where something is changed, otherwise nothing."""
        return self.base.parts_list if self.changes else None


def described(choice: Choice, refused: str) -> Model | None:
    """The model that is shown; None where calc does not describe how its tokens meet: the text `refused` then says so."""
    if choice.model.mixing_fault is None:
        return choice.model
    st.info(plain(text(refused, type=choice.model.model_type)), icon=":material/info:")
    return None


def pick_model() -> Choice | None:
    """Show the picker and return what is chosen; None where a config of the reader's own cannot be counted (the reason
    is then on the screen)."""
    asks_hub, name = selection.asks_hub(), selection.model_name()
    _show_row(HUB if asks_hub else name)
    row = st.container() if recents().models or name not in REFERENCE else None
    if asks_hub:
        from ui.model.hub_picker import ask_hub_model  # it brings what reads the Hub, which few readers ask for

        ask_hub_model(_title_until_then(name))
        name = selection.model_name()
    own = ask_own_config() if name == OWN_CONFIG else None
    hub = selection.hub_model() if name == HUB else None
    model = own.model if own else hub or catalogue_model(name)
    address.put("model", name)
    selected = own or hub or name
    if name not in REFERENCE and not (own and (own.fault or own.untouched)):
        remember(selected)
    if row:
        with row:
            show_recent(selected)
    return model and _choice(name, text("picker.own_title") if own else model.title, model)


def _published(name: str) -> Model:
    """The model of the Hub that is shown, or the one of this name in the catalogue."""
    hub = selection.hub_model() if name == HUB else None
    return hub or catalogue_model(name)


def _choice(name: str, title: str, base: Model) -> Choice:
    """What is assumed and not counted, and the what-if."""
    parts_list, remarks = base.parts_list, []
    if parts_list.not_counted:
        remarks.append(text("picker.not_counted", fields=text("frame.comma").join(parts_list.not_counted)))
    if name == HUB and parts_list.assumed:
        remarks.append(assumed(parts_list))
    if remarks:
        st.caption(plain(" ".join(remarks)))
    return Choice(name, title, base, *ask_what_if(base))


def _show_row(selected: str) -> None:
    """The pills with the reference models, `config.json …` and `Hub …`, and the list of all other models."""
    others = [name for name in catalogue() if name not in REFERENCE]
    other = settle("other_model", None if selected in PILLS else selected)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="model_picker"):
        st.pills(
            text("picker.model"),
            PILLS,
            default=settle("reference_model", selected if selected in PILLS else None),
            format_func=_title,
            key="reference_model",
            on_change=_choose,
            args=("reference_model",),
            label_visibility="collapsed",
        )
        st.selectbox(
            text("picker.more"),
            others,
            index=None if other is None else others.index(other),
            format_func=_title,
            key="other_model",
            on_change=_choose,
            args=("other_model",),
            placeholder=text("picker.more_hint"),
            label_visibility="collapsed",
            width=220,
        )


def _title(name: str) -> str:
    return {OWN_CONFIG: "config.json …", HUB: "Hub …"}.get(name) or catalogue()[name].title


def _title_until_then(name: str) -> str:
    """The title of the model that is shown until another is read."""
    return text("picker.own_title") if name == OWN_CONFIG else _published(name).title


def _choose(key: str) -> None:
    """Take the model of the widget `key`; a click that takes the choice away leaves it as it was."""
    name, before = st.session_state[key], selection.model_name()
    if name is None:
        return
    if name == HUB:
        selection.ask_hub()
    elif name == before:
        selection.close_hub()
    elif name == OWN_CONFIG:
        selection.show_own_config(own_config() or OwnConfig.of_values(_published(before).values, untouched=True))
    else:
        selection.show_model(name)
