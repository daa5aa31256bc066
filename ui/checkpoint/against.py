"""What a file is held against: the model that is shown, the file's own config.json, or nothing.

A file of the model itself is held against that model; any other file that brings a config, against its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from calc.checkpoint.hub import open_copy_of
from calc.checkpoint.reconcile import Reconciliation, reconcile
from calc.checkpoint.report import Overview, checkpoint_document, overview
from calc.errors import ConfigError
from calc.model import Model
from calc.parts_list import PartsList
from ui.checkpoint.source import Reading
from ui.frame import address
from ui.frame.errors import error_text, plain
from ui.frame.language import text
from ui.model.hub_answers import HubAnswers
from ui.model.picker import Choice
from ui.numbers import grouped

T = TypeVar("T")
WEIGHT_KEPT = 200_000
"""Lines of all ledgers and lists kept for everybody."""


@dataclass(frozen=True, slots=True)
class Against:
    """A model to hold a file against, under the title a person gives it."""

    title: str
    model: Model


def pick_against(reading: Reading, hub_id: str | None, choice: Choice | None) -> Against | None:
    """Ask what to hold the file against, and say where its own config differs; None for nothing."""
    own, reason = own_model(reading)
    found = {"model": choice, "own": own, "none": True}
    ways = tuple(way for way, there in found.items() if there)
    likely = "model" if choice and is_of(reading, hub_id) else "own" if own else "none" if reason or not choice else "model"
    if st.session_state.get("against_of", reading.number) != reading.number:
        st.session_state.pop("against", None)
        st.session_state.pop("against_offered", None)
        address.put("against", None)
    st.session_state["against_of"] = reading.number
    kept = st.session_state.get("against", address.get("against") or likely)
    if kept not in ways or kept == st.session_state.get("against_offered"):
        kept = likely  # what nobody chose follows the model that is shown
    st.session_state["against"], st.session_state["against_offered"] = kept, likely
    titles = {"model": choice.full_title if choice else ""}
    with st.container(horizontal=True, vertical_alignment="center", key="against_row"):
        st.caption(text("checkpoint.against"), width="content")
        way = st.segmented_control(
            text("checkpoint.against"),
            ways,
            format_func=lambda name: text(f"checkpoint.against_{name}", **({"title": titles[name]} if name in titles else {})),
            key="against",
            required=True,
            label_visibility="collapsed",
        )
    address.put("against", None if way == likely else way)
    if reason:
        st.caption(plain(text("checkpoint.own_unknown", reason=error_text(reason))))
    elif own and choice:
        fields = differing_fields(choice.model.parts_list, own.parts_list)
        if fields:
            st.caption(plain(text("checkpoint.config_differs", title=choice.full_title, fields=text("frame.comma").join(fields))))
    if way == "none":
        return None
    if way == "own":
        return Against(text("checkpoint.own_title", source=reading.checkpoint.source), own)
    return Against(choice.full_title, choice.model)


def is_of(reading: Reading, hub_id: str | None) -> bool:
    """Whether a file was read from a model's repository, or from the open copy of it."""
    ids = {name.lower() for name in (hub_id, open_copy_of(hub_id or "")) if name}
    return reading.repo_id is not None and reading.repo_id.lower() in ids


def own_model(reading: Reading) -> tuple[Model | None, ConfigError | None]:
    """The model of a file's own config.json, and why there is none; neither where it brought no config."""
    config = reading.checkpoint.config
    if config is None:
        return None, None
    try:
        return Model(config), None
    except ConfigError as error:
        return None, error


def differing_fields(chosen: PartsList, own: PartsList) -> list[str]:
    """Type and sizes in which two models differ: `vocab_size 32,000 → 128,256`.

    >>> llama_2, llama_3 = (Model.of(name).parts_list for name in ("llama-2-7b", "llama-3-8b"))
    >>> differing_fields(llama_2, llama_3)[-1], differing_fields(llama_2, llama_2)
    ('vocab_size 32,000 → 128,256', [])
    """
    if chosen.model_type != own.model_type:
        return [f"model_type {chosen.model_type} → {own.model_type}"]
    names = [name for name in chosen.sizes if name in own.sizes]
    return [
        f"{name} {_written(chosen.sizes[name])} → {_written(own.sizes[name])}"
        for name in names
        if chosen.sizes[name] != own.sizes[name]
    ]


def held(reading: Reading, against: Against) -> Reconciliation:
    """The reconciliation, worked out once for everybody. Raises ConfigError: packing_unclear."""
    return _derived(reading, against.model, lambda: reconcile(against.model, reading.checkpoint))


def figures_of(reading: Reading) -> Overview:
    """The file in figures."""
    return _derived(reading, "overview", lambda: overview(reading.checkpoint))


def document_of(reading: Reading) -> Mapping[str, object]:
    """What the file holds, as `checkpoint_document` has it. Raises ConfigError: packing_unclear."""
    return _derived(reading, "document", lambda: checkpoint_document(reading.checkpoint))


def _derived(reading: Reading, what: Hashable, function: Callable[[], T]) -> T:
    return _DERIVED.ask((reading.number, what), function)


def _lines(derived: object) -> int:
    """How much room it takes: the lines of a ledger or a document."""
    if isinstance(derived, Reconciliation):
        return 100 + len(derived.entries)
    return 100 + (len(derived["tensors"]) if isinstance(derived, dict) else 0)


_DERIVED = HubAnswers(WEIGHT_KEPT, _lines)


def _written(value: object) -> str:
    return grouped(value) if type(value) is int else str(value).lower()
