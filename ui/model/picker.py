"""Which model a page speaks of: of the catalogue, of the Hub, or a config.json of the reader's own; and what if changed.

Every page calls `pick_model` first and reads its figures from the `Choice` it returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from calc.catalogue import catalogue
from calc.config import NotRead
from calc.model import Model, catalogue_model
from calc.parts_list import PartsList
from ui.frame import address
from ui.frame.errors import error_text, plain
from ui.frame.fields import settle
from ui.frame.language import text
from ui.model import shown as shown_model
from ui.model.config_address import indented
from ui.model.own_config import ask_own_config, assumed, own_config
from ui.model.recent import recents, remember, show_recent
from ui.model.shown import FIRST, HUB, OWN_CONFIG, OwnConfig
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
    """The model that is shown; None where how its tokens meet cannot be told: the text `refused` then says so in one line."""
    if choice.model.mixing_fault is None:
        return choice.model
    st.info(plain(text(refused, type=choice.model.model_type)), icon=":material/info:")
    return None


def pick_model() -> Choice | None:
    """Show the picker and return what is chosen; None where a config of the reader's own cannot be counted (the reason
    is then on the screen)."""
    asks_hub, name = shown_model.asks_hub(), shown_model.shown()
    _show_row(HUB if asks_hub else name)
    row = st.container() if recents().models or name not in REFERENCE else None
    if asks_hub:
        from ui.model.hub_picker import ask_hub_model  # it brings what reads the Hub, which few readers ask for

        ask_hub_model(_shown_title(name))
        name = shown_model.shown()
    own = ask_own_config() if name == OWN_CONFIG else None
    hub = shown_model.hub_model() if name == HUB else None
    address.put("model", name)
    shown = own or hub or name
    if name not in REFERENCE and not (own and (own.fault or own.untouched)):
        remember(shown)
    if row:
        with row:
            show_recent(shown)
    if own:
        return _choice(name, text("picker.own_title"), own.model) if own.model else None
    model = hub or catalogue_model(name)
    return _choice(name, model.title, model)


def _choice(name: str, title: str, base: Model) -> Choice:
    """What is assumed, not counted and not read, and the what-if."""
    parts_list = base.parts_list
    fields = text("frame.comma").join(parts_list.not_counted)
    said = [text("picker.not_counted", fields=fields)] if parts_list.not_counted else []
    if base.not_read:
        fields = text("frame.comma").join(map(_not_read, base.not_read))
        said.append(text("picker.not_read", type=base.model_type, fields=fields))
    said += [error_text(remark) for remark in base.remarks]
    if name == HUB and parts_list.assumed:
        said.append(assumed(parts_list))
    if said:
        st.caption(plain(" ".join(said)))
    return Choice(name, title, base, *ask_what_if(base))


def _not_read(entry: NotRead) -> str:
    return text("picker.similar", field=entry.field, similar=entry.similar) if entry.similar else entry.field


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


def _shown_title(name: str) -> str:
    if name == HUB:
        return shown_model.hub_model().title
    return text("picker.own_title") if name == OWN_CONFIG else _title(name)


def _choose(key: str) -> None:
    """Take the model of the widget `key`; a click that takes the choice away leaves it as it was."""
    name, before = st.session_state[key], shown_model.shown()
    if name is None:
        return
    if name == HUB:
        shown_model.ask_hub()
    elif name == before:
        shown_model.close_hub()
    elif name == OWN_CONFIG:
        shown_model.show_own_config(own_config() or OwnConfig.of(indented(_values_of(before)), untouched=True))
    else:
        shown_model.show_catalogue_model(name)


def _values_of(name: str) -> Mapping[str, object]:
    """The config of the model that is shown, for a reader who wants to change it."""
    return shown_model.hub_model().values if name == HUB else catalogue()[name].config
