"""The models of this session that a reader has looked at, each with its config, one click away."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from calc.catalogue import catalogue
from calc.model import Model
from ui.frame.errors import plain
from ui.frame.fields import settle
from ui.frame.language import text
from ui.model.own_config import own_config
from ui.model.selection import HUB_WORDS, OwnConfig, show_hub_model, show_model, show_own_config
from ui.numbers import grouped

Selection = str | Model | OwnConfig
"""A catalogue name, a model of the Hub, or an own config."""

MAX_RECENT = 8
MAX_CHARACTERS = 100_000
"""Of an own config; published ones hold a few thousand."""
EDITED_VALUES = 2
"""An own config that differs from the last in no more values is the same one, edited."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A model that was looked at.

    key     names it among the others, whatever the language
    title   as a person reads it
    """

    key: str
    title: str
    model: Selection


@dataclass(frozen=True, slots=True)
class Recents:
    """Models that were looked at, in the order they first were; `used` has their keys, the last one last.

    >>> recents = Recents().with_model("gpt2").with_model("qwen3-0.6b").with_model("gpt2")
    >>> [recent.title for recent in recents.models], recents.used
    (['GPT-2', 'Qwen3-0.6B'], ('qwen3-0.6b', 'gpt2'))
    """

    models: tuple[Recent, ...] = ()
    used: tuple[str, ...] = ()

    def with_model(self, model: Selection) -> Recents:
        """The same with `model` as the last; of more than `MAX_RECENT` the least recently used is dropped."""
        new = self._recent_of(model)
        used = (*(key for key in self.used if key != new.key), new.key)[-MAX_RECENT:]
        models = {recent.key: recent for recent in self.models} | {new.key: new}
        return Recents(tuple(recent for key, recent in models.items() if key in used), used)

    def last(self) -> Selection | None:
        """What was looked at last."""
        return next((recent.model for recent in self.models if recent.key == self.used[-1]), None)

    def _recent_of(self, model: Selection) -> Recent:
        if isinstance(model, str):
            return Recent(model, catalogue()[model].title, model)
        if isinstance(model, Model):
            return Recent(f"hub {model.title}", model.title, model)
        summary = f"{model.model.model_type} · {grouped(model.model.parameters)}" if model.model else "…"
        return Recent(self._key_of(model), f"config.json · {summary}", model)

    def _key_of(self, own: OwnConfig) -> str:
        """The key of the same own config, or of the one it was edited from; otherwise a new one."""
        owns = {recent.key: recent.model for recent in self.models if isinstance(recent.model, OwnConfig)}
        for key, other in owns.items():
            if other.text == own.text:
                return key
        last = self.used[-1] if self.used else ""
        if last in owns and _differing(owns[last].model, own.model) <= EDITED_VALUES:
            return last
        return next(key for key in (f"config {number}" for number in range(MAX_RECENT + 1)) if key not in owns)


def _differing(one: Model | None, other: Model | None) -> float:
    """In how many values two configs differ; a text that is no config differs in all."""
    if one is None or other is None:
        return math.inf
    nothing = object()
    names = one.values.keys() | other.values.keys()
    return sum(one.values.get(name, nothing) != other.values.get(name, nothing) for name in names)


def recents() -> Recents:
    """What was looked at in this session."""
    return st.session_state.get("recent_models") or Recents()


def remember(model: Selection) -> None:
    """Put a model that is shown into the row."""
    if _is(model, recents().last()) or (isinstance(model, OwnConfig) and len(model.text) > MAX_CHARACTERS):
        return
    st.session_state["recent_models"] = recents().with_model(model)


def show_recent(model: Selection) -> None:
    """The row of models to go back to, where there is another than `model`, which is shown."""
    titles = {recent.key: recent.title for recent in recents().models}
    current = next((recent.key for recent in recents().models if _is(model, recent.model)), None)
    if all(key == current for key in titles):
        return
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small", key="recent"):
        st.caption(text("picker.recent"), width="content")
        st.pills(
            text("picker.recent"),
            list(titles),
            default=settle("recent_model", current),
            format_func=lambda key: plain(titles[key]),
            key="recent_model",
            on_change=_go_back,
            label_visibility="collapsed",
        )


def _is(one: Selection, other: Selection | None) -> bool:
    return one is other or (isinstance(one, str) and one == other)


def _go_back() -> None:
    key = st.session_state["recent_model"]
    chosen = next((recent.model for recent in recents().models if recent.key == key), None)
    if isinstance(chosen, Model):
        st.session_state[HUB_WORDS] = chosen.title
        show_hub_model(chosen)
    elif isinstance(chosen, OwnConfig):
        _remember_unfinished()
        show_own_config(chosen)
    elif chosen:
        show_model(chosen)


def _remember_unfinished() -> None:
    """A text in the field that cannot be counted yet is not lost when another takes its place."""
    own = own_config()
    if own and own.fault and own.text.strip():
        remember(own)
