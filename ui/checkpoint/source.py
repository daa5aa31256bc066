"""The real file a reader chooses: a model of the Hub, uploads, or a path of this machine; read only when they say so.

What was read last stays until something else is read; a fault is shown under the field it came from.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calc.checkpoint.hub import read_hub
from calc.checkpoint.local import read_path
from calc.checkpoint.stored import Checkpoint
from calc.checkpoint.uploads import read_uploads
from calc.errors import ConfigError, quoted
from calc.hub.address import HubAddress, hub_address, open_copy_of
from calc.hub.configs import endpoint
from calc.hub.requests import Progress
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.language import text
from ui.frame.visitor import hub_token, is_own_user
from ui.model.hub_answers import HubAnswers, Key
from ui.numbers import gigabytes

READ_SECONDS = 30.0
"""Of a whole read: DeepSeek-V3's 163 headers take 10 to 20 s on an ordinary line."""
UPLOAD_MEGABYTES = 30
"""As much as the longest header read: 25 MB."""
CUT_MEGABYTES = 20
"""Advised where a file is too large: a .gguf's header with 262,144 pieces of vocabulary takes 16 MB."""
CUT_COMMANDS = """\
# Linux, macOS
head -c {size} model.safetensors > head.safetensors
# Windows
python -c "open('head.safetensors', 'wb').write(open('model.safetensors', 'rb').read({size}))"
"""
CAPACITY = 400_000
"""Tensors of all checkpoints in the cache, about 120 MB: DeepSeek-V3 has 91,991."""
MAIN = "main"
LONGEST = 1_000
"""Characters of what is written into a field; `hub_address` reads no more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A checkpoint that was read.

    checkpoint   what was read
    repo_id      the model's id, None where it is not of the Hub
    number       one for each read, whoever sees it
    """

    checkpoint: Checkpoint
    repo_id: str | None = None
    number: int = field(default_factory=count().__next__)


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, in which of the ways a file is chosen, and what was asked."""

    where: str
    error: ConfigError
    key: Key = ()


_ANSWERS = HubAnswers(CAPACITY, lambda answer: 1_000 + len(answer.checkpoint.tensors) if isinstance(answer, Reading) else 1)


def ask_source(hub_id: str | None) -> Reading | None:
    """Ask how a file is chosen and for the file; what was read last, None where nothing was.

    hub_id   of the model that is shown, to begin with
    """
    ways = {"hub": _ask_hub, "upload": _ask_upload, "path": _ask_path}
    if not is_own_user():
        del ways["path"]
    for name in ("source", "revision", "against"):
        address.get(name)  # stays in the address also while nothing on the page shows it
    ways[_pick_way(tuple(ways))](hub_id)
    return st.session_state.get("reading")


def hub_address_of(source: str, revision: str) -> HubAddress:
    """The model that the two fields mean; a revision inside a pasted address counts unless the field says another.

    Raises ConfigError: not_a_hub_model.

    >>> hub_address_of("org/name", "v1.0"), hub_address_of("org/name@v2", "main").revision
    (HubAddress(repo_id='org/name', revision='v1.0', path=None), 'v2')
    """
    meant = hub_address(source, endpoint())
    if meant is not None and revision.strip() not in ("", MAIN):
        other = hub_address(f"{meant.repo_id}@{revision.strip()}")
        meant = other and replace(meant, revision=other.revision)
    if meant is None:
        raise ConfigError("not_a_hub_model", value=quoted(source.strip()))
    return meant


def _pick_way(ways: tuple[str, ...]) -> str:
    wanted = st.session_state.get("from") or address.get("from")
    st.session_state["from"] = wanted if wanted in ways else ways[0]
    way = st.segmented_control(
        text("checkpoint.from"),
        ways,
        format_func=lambda name: text(f"checkpoint.from_{name}"),
        key="from",
        required=True,
        label_visibility="collapsed",
    )
    address.put("from", None if way == ways[0] else way)
    return way or ways[0]


def _ask_hub(hub_id: str | None) -> None:
    _keep_fields(hub_id)
    with st.container(horizontal=True, vertical_alignment="bottom", key="hub_fields"):
        source = st.text_input(
            text("checkpoint.source"), key="source", on_change=_forget_fault, max_chars=LONGEST, placeholder="org/name"
        )
        revision = st.text_input(
            text("checkpoint.revision"), key="revision", on_change=_forget_fault, max_chars=LONGEST, width=160
        )
        pressed = st.button(text("checkpoint.read"), key="read_hub", icon=":material/manage_search:")
    below = st.empty()
    _offer_open_copy(source)
    st.caption(text("checkpoint.hub_note", seconds=round(READ_SECONDS)))
    if pressed:
        _read_from_hub(source, revision, below)
    _show_fault("hub", below)


def _keep_fields(hub_id: str | None) -> None:
    """The fields say what the address says, else the model that is shown; untouched, they follow it to the next model."""
    source, known = st.session_state.get("source"), hub_id or ""
    if source is None:
        source = (address.get("source") or known)[:LONGEST]
    elif source == st.session_state.get("source_offered") and known:
        if source != known:
            st.session_state["revision"] = MAIN
        source = known
    revision = st.session_state.get("revision", (address.get("revision") or MAIN)[:LONGEST])
    st.session_state["source"], st.session_state["source_offered"], st.session_state["revision"] = source, known, revision
    address.put("source", source if source not in ("", known) else None)
    address.put("revision", revision if revision not in ("", MAIN) else None)


def _offer_open_copy(source: str) -> None:
    try:
        meant = hub_address(source)
    except ConfigError:
        return
    mirror = open_copy_of(meant.repo_id) if meant else None
    if meant and mirror:
        with st.container(horizontal=True, vertical_alignment="center", key="open_copy"):
            st.caption(plain(text("checkpoint.gated", model=meant.repo_id)), width="content")
            st.button(plain(text("checkpoint.use_mirror", mirror=mirror)), key="use_mirror", on_click=_fill_in, args=(mirror,))


def _fill_in(repo_id: str) -> None:
    st.session_state["source"], st.session_state["revision"] = repo_id, MAIN
    _forget_fault()


def _read_from_hub(source: str, revision: str, below: DeltaGenerator) -> None:
    token = hub_token()

    try:
        meant = hub_address_of(source, revision)
    except ConfigError as error:
        st.session_state["reading_fault"] = Fault("hub", error)
        return
    key = ("checkpoint", str(meant), endpoint(), token)

    def read() -> Reading:
        return Reading(read_hub(meant, _progress_in(below), READ_SECONDS, token), meant.repo_id)

    _attempt("hub", key, lambda: _ANSWERS.ask(key, read))
    below.empty()


def _progress_in(below: DeltaGenerator) -> Progress:
    """A bar over the files, with a way to stop: any choice on the page, and this button, ends the read."""
    asking = plain(text("checkpoint.asking", where=endpoint()))
    with below.container(horizontal=True, vertical_alignment="center", key="reading_hub"):
        bar = st.progress(0.0, asking)
        st.button(text("checkpoint.stop"), key="stop_reading")

    def show(read: int, files: int, transferred: int) -> None:
        done = text("checkpoint.reading", read=read, files=files, transferred=gigabytes(transferred)) if files else asking
        bar.progress(read / files if files else 0.0, done)

    return show


def _ask_upload(_: str | None) -> None:
    files = st.file_uploader(
        text("checkpoint.upload"),
        type=["safetensors", "gguf", "json"],
        accept_multiple_files=True,
        key="upload_checkpoint",
        max_upload_size=UPLOAD_MEGABYTES,
    )
    below = st.empty()
    with st.expander(text("checkpoint.cut", megabytes=CUT_MEGABYTES)):
        st.code(CUT_COMMANDS.format(size=CUT_MEGABYTES * 1_000_000).rstrip(), language=None, wrap_lines=True)
    if not is_own_user():
        st.caption(text("checkpoint.path_withheld"))
    key = ("upload", *(file.file_id for file in files))
    if key != st.session_state.get("uploads_read", ("upload",)):
        st.session_state["uploads_read"] = key
        _forget_fault()
        if files:
            _attempt("upload", key, lambda: Reading(read_uploads([(file.name, file.getvalue()) for file in files])))
    _show_fault("upload", below)


def _ask_path(_: str | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="path_fields"):
        st.session_state["path"] = st.session_state.get("path", st.session_state.get("path_kept", ""))
        path = st.text_input(text("checkpoint.path"), key="path", on_change=_forget_fault, placeholder="~/models/Llama-2-7b-hf")
        st.session_state["path_kept"] = path
        pressed = st.button(text("checkpoint.read"), key="read_path", icon=":material/manage_search:")
    below = st.empty()
    st.caption(text("checkpoint.path_note"))
    if pressed:
        _attempt("path", (), lambda: Reading(read_path(os.path.expanduser(path.strip()), _progress_in(below))))
        below.empty()
    _show_fault("path", below)


def _attempt(where: str, key: Key, read: Callable[[], Reading]) -> None:
    """Take what is read; a fault leaves what was read before."""
    try:
        st.session_state["reading"] = read()
    except ConfigError as error:
        st.session_state["reading_fault"] = Fault(where, error, key)
    else:
        _forget_fault()


def _forget_fault() -> None:
    st.session_state.pop("reading_fault", None)


def _show_fault(where: str, below: DeltaGenerator) -> None:
    """What is wrong, right under the field it came from, and that nothing is lost by it."""
    fault, reading = st.session_state.get("reading_fault"), st.session_state.get("reading")
    if fault is None or fault.where != where:
        return
    seconds = _ANSWERS.seconds_left(fault.key)
    notes = [text("checkpoint.again_in", seconds=seconds)] if seconds else []
    if fault.error.code in ("hub_needs_token", "hub_forbidden", "hub_forbidden_mirror") and hub_token() is False:
        notes.append(text("checkpoint.token_kept"))
    if reading:
        notes.append(text("checkpoint.still_shown", source=reading.checkpoint.source))
    with below.container():
        show_error(fault.error)
        if notes:
            st.caption(plain(" ".join(notes)))
