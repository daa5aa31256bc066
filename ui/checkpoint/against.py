"""What a file is compared with: the model that is shown, the file's own config.json, or nothing.

A file of the model itself is compared with that model; any other file that brings a config, with its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from calc.checkpoint.reconcile import Reconciliation, reconcile
from calc.checkpoint.report import Contents, DtypeSum, contents, dtype_sums
from calc.errors import ConfigError
from calc.hub.address import open_copy_of
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
CAPACITY = 200_000
"""Lines of all ledgers and lists in the cache."""


@dataclass(frozen=True, slots=True)
class Against:
    """A model to compare a file with, and its title."""

    title: str
    model: Model


def pick_against(reading: Reading, hub_id: str | None, choice: Choice | None) -> Against | None:
    """Ask what to compare the file with, and say where its own config differs; None for nothing."""
    own, reason = own_model(reading)
    models = {
        "model": choice and Against(choice.full_title, choice.model),
        "own": own and Against(text("checkpoint.own_title", source=reading.checkpoint.source), own),
        "none": None,
    }
    ways = tuple(way for way, against in models.items() if against or way == "none")
    likely = "model" if choice and is_of(reading, hub_id) else "own" if own else "none" if reason or not choice else "model"
    if st.session_state.get("against_of", reading.number) != reading.number:
        st.session_state.pop("against", None)
        st.session_state.pop("against_offered", None)
        address.put("against", None)
    st.session_state["against_of"] = reading.number
    chosen = st.session_state.get("against", address.get("against") or likely)
    if chosen not in ways or chosen == st.session_state.get("against_offered"):
        chosen = likely  # what nobody chose follows the model that is shown
    st.session_state["against"], st.session_state["against_offered"] = chosen, likely
    title = choice.full_title if choice else ""
    with st.container(horizontal=True, vertical_alignment="center", key="against_row"):
        st.caption(text("checkpoint.against"), width="content")
        way = st.segmented_control(
            text("checkpoint.against"),
            ways,
            format_func=lambda name: plain(text(f"checkpoint.against_{name}", title=title)),
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
            st.caption(plain(text("checkpoint.config_differs", title=title, fields=text("frame.comma").join(fields))))
    return models[way or likely]


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
    sizes = ((name, value, own.sizes.get(name, value)) for name, value in chosen.sizes.items())
    return [f"{name} {_written(value)} → {_written(other)}" for name, value, other in sizes if value != other]


def reconciliation_of(reading: Reading, against: Against) -> Reconciliation:
    """The reconciliation, worked out once for everybody. Raises ConfigError: packing_unclear."""
    return _derived(reading, against.model, lambda: reconcile(against.model, reading.checkpoint))


def dtypes_of(reading: Reading) -> tuple[DtypeSum, ...]:
    """The file by number format."""
    return _derived(reading, "dtypes", lambda: dtype_sums(reading.checkpoint))


def contents_of(reading: Reading) -> Contents:
    """What the file has. Raises ConfigError: packing_unclear."""
    return _derived(reading, "contents", lambda: contents(reading.checkpoint))


def _derived(reading: Reading, what: Hashable, function: Callable[[], T]) -> T:
    return _DERIVED.ask((reading.number, what), function)


def _lines(derived: object) -> int:
    """How much room it takes: the lines of a ledger or a list."""
    lines = derived.entries if isinstance(derived, Reconciliation) else derived.tensors if isinstance(derived, Contents) else ()
    return 100 + len(lines)


_DERIVED = HubAnswers(CAPACITY, _lines)


def _written(value: object) -> str:
    return grouped(value) if type(value) is int else str(value).lower()
