"""A model of the Hub: its id or address is read, words are looked up, and only when the reader asks.

The reply to the last question stays on the screen, and with it the model that was shown before, until another is read.
"""

from __future__ import annotations

import difflib
import re
import time
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from calc.catalogue import catalogue, find_model
from calc.errors import ConfigError
from calc.hub.address import HubAddress, hub_address, open_copy_of
from calc.hub.configs import endpoint, is_offline, read_hub_config
from calc.hub.requests import Progress
from calc.hub.search import SearchResult, search_hub
from calc.model import Model
from ui.frame.errors import plain, show_error
from ui.frame.fields import settle
from ui.frame.language import text
from ui.frame.visitor import hub_token
from ui.model import selection
from ui.model.hub_answers import Key, ask
from ui.model.selection import HUB, HUB_WORDS, show_hub_model, show_model

CONFIG_SECONDS = 10.0
"""A config.json is a few KB; whoever waits longer should try again."""
MAX_SIMILAR = 6
"""Models of the catalogue that are offered."""
CHECKPOINT_PAGE = "pages/checkpoint.py"
VARIANTS = frozenset(["base", "chat", "instruct", "it", "hf", "gguf", "awq", "gptq", "fp8", "bnb", "4bit", "8bit", "mlx"])
"""Words of a name that leave a model's shape as it is."""
UNAVAILABLE = ("hub_not_found", "hub_needs_token", "hub_forbidden")
"""Faults after which models of such a name are looked up: what was meant, or an open copy."""
NEEDS_TOKEN = ("hub_needs_token", "hub_forbidden", "hub_forbidden_mirror")


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
    """The answer to a question where it is no model.

    fault       what is wrong
    uncounted   the model whose config.json cannot be counted, but whose weights' headers can be read
    results     models of the Hub with such names, None where nobody looked
    words       what was looked up
    similar     models of the catalogue with such names
    """

    fault: ConfigError | None = None
    uncounted: str | None = None
    results: tuple[SearchResult, ...] | None = None
    words: str = ""
    similar: tuple[str, ...] = ()


def ask_hub_model(before: str) -> None:
    """Show the field, and the reply to the last question; where a question waits, ask the Hub now.

    before   the title of the model that is shown until one is read
    """
    with st.form("hub", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(text("picker.hub"), value=_words(), key=HUB_WORDS, placeholder=text("picker.hub_hint"))
        st.form_submit_button(text("picker.hub_ask"), on_click=_ask_for_words, icon=":material/search:")
    question = st.session_state.pop("hub_question", None)
    if question:
        waiting = st.empty()
        answer = _answer_to(question, _progress_in(waiting))
        if isinstance(answer, Model):
            show_hub_model(answer)
        else:
            st.session_state["hub_reply"] = answer
        waiting.empty()
    reply = st.session_state.get("hub_reply") or Reply()
    _show_reply(reply)
    if selection.model_name() != HUB or reply != Reply():
        st.caption(plain(text("picker.hub_before", title=before)))


def similar_models(words: str) -> tuple[str, ...]:
    """The names of catalogue models with these words in them; where there are none, of those with a similar spelling.

    >>> similar_models("llama 2"), similar_models("phi-3")
    (('llama-2-7b', 'llama-2-13b', 'llama-2-70b'), ('phi-3-mini',))
    >>> similar_models("Qwen/Qwen2.5-7B-Instruct"), similar_models("mistrl-7b-v0.3"), similar_models("")
    (('qwen2.5-7b',), ('mistral-7b-v0.3', 'mistral-7b-v0.1'), ())
    """
    parts = [word for word in _words_of(words.rpartition("/")[2][:100]) if word not in VARIANTS]
    if not parts:
        return ()
    names = [name for name in catalogue() if all(any(word.startswith(part) for word in _words_of(name)) for part in parts)]
    return tuple(names or difflib.get_close_matches("-".join(parts), catalogue(), n=MAX_SIMILAR, cutoff=0.8))[:MAX_SIMILAR]


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
    """The words in the field: what was sent last; at first the model that is shown."""
    model = selection.hub_model() if selection.model_name() == HUB else None
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
        show_model(find_model(selection.title_of(question.words) or question.words).name)
    except ConfigError:
        st.session_state["hub_question"], st.session_state["hub_reply"] = question, None
        if question.is_id:
            st.session_state[HUB_WORDS] = st.session_state["hub_sent"] = question.words


def _answer_to(question: Question, progress: Progress) -> Model | Reply:
    """The model asked for; where there is none, what is wrong, and which model may be right."""
    try:
        model = hub_address(question.words, endpoint())
    except ConfigError as fault:
        return Reply(fault)
    if model is None or not (question.is_id or "/" in question.words or "@" in question.words):
        return _look_up(question.words, progress)
    answer = _read(HubAddress(model.repo_id, model.revision), progress)
    if isinstance(answer, Reply) and answer.fault and answer.fault.code in UNAVAILABLE:
        others = _look_up(model.repo_id.rpartition("/")[2], progress)
        results = others.results and tuple(result for result in others.results if result.repo_id != model.repo_id)
        return replace(others, fault=answer.fault, results=results)
    return answer


def _read(model: HubAddress, progress: Progress) -> Model | Reply:
    """The model of a config.json on the Hub."""
    title, token = str(model), hub_token()
    try:
        values = ask(_key("config", title, token), lambda: read_hub_config(model, CONFIG_SECONDS, token, progress))
    except ConfigError as fault:
        copy = open_copy_of(model.repo_id) if fault.code == "hub_forbidden_mirror" else None
        uncounted = title if fault.code == "hub_no_config" else None
        return Reply(fault, uncounted, results=(SearchResult(copy),) if copy else None)
    try:
        return Model(values, title)
    except ConfigError as fault:
        return Reply(fault, uncounted=title)


def _look_up(words: str, progress: Progress) -> Reply:
    """Models whose names hold some words, of the catalogue and of the Hub."""
    similar, token = similar_models(words), hub_token()
    try:
        results = ask(_key("search", words, token), lambda: search_hub(words, token=token, progress=progress))
    except ConfigError as fault:
        return Reply(fault, words=words, similar=similar)
    return Reply(results=results, words=words, similar=similar)


def _key(kind: str, words: str, token: bool | None) -> Key:
    """What is asked, and all that the answer depends on: what the machine's token opens is not for everybody."""
    return (kind, words, token, endpoint(), is_offline())


def _progress_in(waiting: DeltaGenerator) -> Progress:
    """Show how long the reader has waited for the Hub. A run that the reader has given up ends here."""
    start = time.monotonic()

    def show_seconds(*_: object) -> None:
        waiting.caption(plain(text("picker.hub_asking", endpoint=endpoint(), seconds=round(time.monotonic() - start))))

    show_seconds()
    return show_seconds


def _show_reply(reply: Reply) -> None:
    if reply.fault:
        show_error(reply.fault)
        if reply.fault.code in NEEDS_TOKEN and hub_token() is False:
            st.caption(plain(text("checkpoint.token_kept")))
    if reply.uncounted and st.button(
        plain(text("picker.hub_read_checkpoint", model=reply.uncounted)),
        key="hub_read_checkpoint",
        on_click=_fill_in_source,
        args=(reply.uncounted,),
        icon=":material/arrow_forward:",
    ):
        st.switch_page(CHECKPOINT_PAGE)
    if reply.similar:
        _offer("picker.hub_similar", "hub_similar", [(name, catalogue()[name].title) for name in reply.similar])
    if reply.results:
        _offer("picker.hub_found", "hub_found", [(model.repo_id, _label_of(model)) for model in reply.results])
    elif reply.results is not None and not reply.fault:
        st.caption(plain(text("picker.hub_nothing", endpoint=endpoint(), words=reply.words)))


def _fill_in_source(title: str) -> None:
    """Put a model into the field of the page that reads the headers of weights."""
    st.session_state["source"] = title


def _offer(label: str, key: str, models: list[tuple[str, str]]) -> None:
    """Models to click on."""
    settle(key, None)
    labels = dict(models)
    st.pills(text(label), labels, format_func=lambda name: plain(labels[name]), key=key, on_change=_ask_for_chosen, args=(key,))


def _label_of(model: SearchResult) -> str:
    """`Qwen/Qwen3-8B · 3.0M`, and whether it is gated."""
    downloads = "" if model.downloads is None else shortened(model.downloads)
    return " · ".join(filter(None, (model.repo_id, downloads, text("picker.hub_gated") if model.gated else "")))
