"""A model of the Hub: its id or address is read, words are looked up, and only when the reader asks.

What came of the last question stays on the screen, and with it the model that was shown before, until another is read.
"""

from __future__ import annotations

import difflib
import re
import time
from dataclasses import dataclass, replace

import streamlit as st

from calc.catalogue import catalogue, find_model
from calc.checkpoint.hub import endpoint, is_offline, open_copy_of, read_hub_config
from calc.checkpoint.hub_address import HubAddress, hub_address
from calc.checkpoint.hub_search import FoundModel, search_hub
from calc.checkpoint.stored import Progress
from calc.errors import ConfigError
from calc.model import Model
from ui.frame.errors import plain, show_error
from ui.frame.fields import settle
from ui.frame.language import text
from ui.frame.visitor import hub_token
from ui.model import shown as shown_model
from ui.model.hub_answers import Key, ask
from ui.model.shown import HUB, HUB_WORDS, show_catalogue_model, show_hub_model

CONFIG_SECONDS = 10.0
"""A config.json is a few KB; whoever waits longer had better try again."""
SIMILAR = 6
"""Models of the catalogue that are offered."""
CHECKPOINT_PAGE = "pages/checkpoint.py"
VARIANTS = frozenset(["base", "chat", "instruct", "it", "hf", "gguf", "awq", "gptq", "fp8", "bnb", "4bit", "8bit", "mlx"])
"""Words of a name that leave a model's shape as it is."""
NOT_TO_BE_HAD = ("hub_not_found", "hub_needs_token", "hub_forbidden")
"""Faults after which models of such a name are looked up: what was meant, or an open copy."""
ANSWER_TO_A_TOKEN = ("hub_needs_token", "hub_forbidden", "hub_forbidden_mirror")


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader asks the Hub for.

    words   as typed
    is_id   whether they are an id or address for certain, as those of a suggestion are
    """

    words: str
    is_id: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a question that no model came of.

    fault     what is wrong
    unread    the model whose config.json cannot be counted, but whose weights' headers can be read
    found     models of the Hub with such names, None where nobody looked
    words     what was looked up
    similar   models of the catalogue with such names
    """

    fault: ConfigError | None = None
    unread: str | None = None
    found: tuple[FoundModel, ...] | None = None
    words: str = ""
    similar: tuple[str, ...] = ()


def ask_hub_model(before: str) -> None:
    """Show the field, and what the last question brought; where a question waits, ask the Hub now.

    before   the title of the model that is shown until one is read
    """
    with st.form("hub", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(text("picker.hub"), value=_words(), key=HUB_WORDS, placeholder=text("picker.hub_hint"))
        st.form_submit_button(text("picker.hub_ask"), on_click=_ask_for_words, icon=":material/search:")
    question = st.session_state.pop("hub_question", None)
    if question:
        waiting = st.empty()
        outcome = _outcome_of(question, _told_in(waiting))
        if isinstance(outcome, Model):
            show_hub_model(outcome)
        else:
            st.session_state["hub_reply"] = outcome
        waiting.empty()
    reply = st.session_state.get("hub_reply") or Reply()
    _show_reply(reply)
    if shown_model.shown() != HUB or reply != Reply():
        st.caption(plain(text("picker.hub_before", title=before)))


def similar_models(words: str) -> tuple[str, ...]:
    """The names of catalogue models with these words in them; where there are none, of those spelled much the same.

    >>> similar_models("llama 2"), similar_models("phi-3")
    (('llama-2-7b', 'llama-2-13b', 'llama-2-70b'), ('phi-3-mini', 'phi-3-medium', 'phi-3.5-moe'))
    >>> similar_models("Qwen/Qwen2.5-7B-Instruct"), similar_models("mistrl-7b-v0.3"), similar_models("")
    (('qwen2.5-7b',), ('mistral-7b-v0.3', 'mistral-7b-v0.1'), ())
    """
    wanted = [word for word in _words_of(words.rpartition("/")[2][:100]) if word not in VARIANTS]
    if not wanted:
        return ()
    holding = [name for name in catalogue() if all(any(part.startswith(word) for part in _words_of(name)) for word in wanted)]
    spelled = difflib.get_close_matches("-".join(wanted), catalogue(), n=SIMILAR, cutoff=0.8)
    return tuple(holding or spelled)[:SIMILAR]


def _words_of(name: str) -> list[str]:
    return re.findall(r"[\w.]+", name.lower())


def shortened(downloads: int) -> str:
    """A number of downloads as the Hub writes it.

    >>> [shortened(number) for number in (7, 999, 1_260, 999_999, 13_400_000)]
    ['7', '999', '1.3K', '1.0M', '13.4M']
    """
    value, unit = float(downloads), 0
    while round(value, 1) >= 1000 and unit < 3:
        value, unit = value / 1000, unit + 1
    return f"{value:.1f}{' KMB'[unit]}" if unit else str(downloads)


def _words() -> str:
    """What stands in the field: what was sent last; at first the model that is shown."""
    model = shown_model.hub_model() if shown_model.shown() == HUB else None
    return st.session_state.get("hub_sent", model.title if model else "")


def _ask_for_words() -> None:
    words = st.session_state[HUB_WORDS].strip()
    st.session_state["hub_sent"] = words
    if words:
        _ask_for(Question(words))


def _ask_for_chosen(key: str) -> None:
    """Ask for the model a reader has clicked on."""
    chosen = st.session_state[key]
    if chosen:
        _ask_for(Question(chosen, is_id=True))


def _ask_for(question: Question) -> None:
    """Show the model at once where the catalogue has it, otherwise leave the question to the run of the page."""
    try:
        show_catalogue_model(find_model(shown_model.title_of(question.words) or question.words).name)
    except ConfigError:
        st.session_state["hub_question"], st.session_state["hub_reply"] = question, None
        if question.is_id:
            st.session_state[HUB_WORDS] = st.session_state["hub_sent"] = question.words


def _outcome_of(question: Question, progress: Progress) -> Model | Reply:
    """The model asked for; where there is none, what is wrong, and what may have been meant."""
    try:
        meant = hub_address(question.words, endpoint())
    except ConfigError as fault:
        return Reply(fault)
    if meant is None or not (question.is_id or "/" in question.words or "@" in question.words):
        return _look_up(question.words, progress)
    outcome = _read(HubAddress(meant.repo_id, meant.revision), progress)
    if isinstance(outcome, Reply) and outcome.fault.code in NOT_TO_BE_HAD:
        others = _look_up(meant.repo_id.rpartition("/")[2], progress)
        found = others.found and tuple(model for model in others.found if model.repo_id != meant.repo_id)
        return replace(others, fault=outcome.fault, found=found)
    return outcome


def _read(meant: HubAddress, progress: Progress) -> Model | Reply:
    """The model of a config.json on the Hub."""
    title, token = str(meant), hub_token()
    try:
        values = ask(_key("config", title, token), lambda: read_hub_config(meant, CONFIG_SECONDS, token, progress))
    except ConfigError as fault:
        copy = open_copy_of(meant.repo_id) if fault.code == "hub_forbidden_mirror" else None
        return Reply(fault, unread=title if fault.code == "hub_no_config" else None, found=(FoundModel(copy),) if copy else None)
    try:
        return Model(values, title)
    except ConfigError as fault:
        return Reply(fault, unread=title)


def _look_up(words: str, progress: Progress) -> Reply:
    """Models whose names hold some words, of the catalogue and of the Hub."""
    similar, token = similar_models(words), hub_token()
    try:
        found = ask(_key("search", words, token), lambda: search_hub(words, token=token, progress=progress))
    except ConfigError as fault:
        return Reply(fault, words=words, similar=similar)
    return Reply(found=found, words=words, similar=similar)


def _key(kind: str, words: str, token: bool | None) -> Key:
    """What is asked, and all that the answer depends on: what the machine's token opens is not for everybody."""
    return (kind, words, token, endpoint(), is_offline())


def _told_in(waiting: st.delta_generator.DeltaGenerator) -> Progress:
    """Say how long the Hub has been asked for. A run that the reader has given up ends here."""
    start = time.monotonic()

    def tell(*_: object) -> None:
        waiting.caption(plain(text("picker.hub_asking", endpoint=endpoint(), seconds=round(time.monotonic() - start))))

    tell()
    return tell


def _show_reply(reply: Reply) -> None:
    if reply.fault:
        show_error(reply.fault)
        if reply.fault.code in ANSWER_TO_A_TOKEN and hub_token() is False:
            st.caption(plain(text("checkpoint.token_kept")))
    if reply.unread and st.button(
        plain(text("picker.hub_read_checkpoint", model=reply.unread)),
        key="hub_read_checkpoint",
        on_click=_fill_in_source,
        args=(reply.unread,),
        icon=":material/arrow_forward:",
    ):
        st.switch_page(CHECKPOINT_PAGE)
    if reply.similar:
        _offer("picker.hub_similar", "hub_similar", [(name, catalogue()[name].title) for name in reply.similar])
    if reply.found:
        _offer("picker.hub_found", "hub_found", [(model.repo_id, _label_of(model)) for model in reply.found])
    elif reply.found is not None and not reply.fault:
        st.caption(plain(text("picker.hub_nothing", endpoint=endpoint(), words=reply.words)))


def _fill_in_source(title: str) -> None:
    """Put a model into the field of the page that reads the headers of weights."""
    st.session_state["source"] = title


def _offer(label: str, key: str, models: list[tuple[str, str]]) -> None:
    """Models to click on."""
    settle(key, None)
    labels = dict(models)
    st.pills(text(label), labels, format_func=lambda name: plain(labels[name]), key=key, on_change=_ask_for_chosen, args=(key,))


def _label_of(model: FoundModel) -> str:
    """`Qwen/Qwen3-8B · 3.0M`, and whether it is gated."""
    said = [model.repo_id]
    if model.downloads is not None:
        said.append(shortened(model.downloads))
    if model.gated:
        said.append(text("picker.hub_gated"))
    return " · ".join(said)
