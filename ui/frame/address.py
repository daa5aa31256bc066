"""The address of the app holds what a person has chosen.

A page asks `get` what the address says and hands `put` what is chosen now; the frame calls `begin` before the page and
`write` after it. A name belongs to a page when the page has asked for it or put it in this run; only these names, and
`lang`, are in the address while that page is open. The choices on other pages stay in the session, so that coming back to
a page finds them again.

A widget and its name in the address share one key; see `ui.frame.fields` for how they are held together. After the
browser's back or forward the address wins: `begin` then removes the keys whose values it changed. A page that ends early
with `st.stop()` calls `write` first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import quote_plus

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.frame import language

MAX_NAMES = 40
MAX_VALUE_CHARACTERS = 8_000
# Servers refuse a longer first line of a request: 64 KiB here, 8 KiB is common in proxies.
MAX_ADDRESS_CHARACTERS = 16_000

_SESSION_KEY = "_address"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def accepted(query: Mapping[str, str]) -> dict[str, str]:
    """What is taken from an address: the well-formed names, at most 40 of them, whose values have at most 8,000 characters.

    `lang` is not among them: it belongs to the frame.

    >>> accepted({"model": "gpt2", "lang": "zh", "<script>": "1", "tie": "x" * 8001})
    {'model': 'gpt2'}
    >>> len(accepted({f"n{i}": "" for i in range(100)}))
    40
    """
    names = (name for name in query if name != "lang" and _NAME.fullmatch(name) and len(query[name]) <= MAX_VALUE_CHARACTERS)
    return {name: query[name] for name in islice(names, MAX_NAMES)}


@dataclass
class Choices:
    """What a session has chosen, by name, and which names each page uses.

    >>> choices = Choices()
    >>> choices.begin("parts", {"model": "gpt2", "unknown": "1"}, query_wins=True)
    ['model', 'unknown']
    >>> choices.get("model")
    'gpt2'
    >>> choices.put("layers", "12")
    >>> choices.finish()
    {'model': 'gpt2', 'layers': '12'}

    Another page has its own names, and the first page finds its own again:

    >>> choices.begin("method", {}, query_wins=False)
    []
    >>> choices.finish()
    {}
    >>> choices.begin("parts", {}, query_wins=False)
    []
    >>> choices.get("model"), choices.get("layers"), choices.get("unknown")
    ('gpt2', '12', None)

    Back in the browser's history, the address wins:

    >>> choices.begin("parts", {"model": "llama-2-7b"}, query_wins=True)
    ['model', 'layers']
    >>> choices.get("model"), choices.get("layers")
    ('llama-2-7b', None)
    """

    values: dict[str, str] = field(default_factory=dict)
    page: str = ""
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    used: dict[str, None] = field(default_factory=dict)  # an ordered set: the order of the names in the address

    def begin(self, page: str, query: Mapping[str, str], query_wins: bool) -> list[str]:
        """Start a run of a page; the names whose values the query has changed."""
        self.page = page
        self.used = {}
        if not query_wins:
            return []
        before = dict(self.values)
        for name in self.names.get(page, ()):
            self.values.pop(name, None)
        self.values.update(query)
        return [name for name in {**before, **self.values} if before.get(name) != self.values.get(name)]

    def get(self, name: str) -> str | None:
        """The value of a name, or None."""
        self.used[name] = None
        return self.values.get(name)

    def put(self, name: str, value: str | None) -> None:
        """Set the value of a name, or remove it with None."""
        self.used[name] = None
        if value is None:
            self.values.pop(name, None)
        else:
            # An address cannot have a lone surrogate.
            self.values[name] = value.encode("utf-8", "ignore").decode("utf-8")

    def finish(self) -> dict[str, str]:
        """The names and values of this page; names that no page uses are forgotten."""
        self.names[self.page] = tuple(self.used)
        known = {name for names in self.names.values() for name in names}
        self.values = {name: value for name, value in self.values.items() if name in known}
        return {name: self.values[name] for name in self.used if name in self.values}


def fitting(values: Mapping[str, str]) -> dict[str, str]:
    """The values that an address can carry and `accepted` takes.

    >>> fitting({"model": "gpt2", "config": "x" * 9000})
    {'model': 'gpt2'}
    """
    fit: dict[str, str] = {}
    length = 0
    for name, value in values.items():
        if len(value) > MAX_VALUE_CHARACTERS or len(fit) == MAX_NAMES:
            continue
        added = len(name) + len(quote_plus(value)) + 2
        if length + added <= MAX_ADDRESS_CHARACTERS:
            fit[name] = value
            length += added
    return fit


def came_by_history() -> bool:
    """Whether the browser's back or forward started this run."""
    context = get_script_run_ctx()
    return context is not None and getattr(context, "is_history_navigation", False)


def begin(page: str) -> None:
    """Read the address at the start of a run of a page."""
    first = _SESSION_KEY not in st.session_state
    query = st.query_params.to_dict() if first or came_by_history() else {}
    # An address that says nothing, such as one typed by hand, takes nothing away.
    for name in _choices().begin(page, accepted(query), query_wins=bool(query)):
        if not first:
            st.session_state.pop(name, None)


def get(name: str) -> str | None:
    """What the address said of a name when the session began, or what was put since."""
    return _choices().get(name)


def put(name: str, value: str | None) -> None:
    """Set the choice of a name; None removes it. A value too long for an address stays in the session but is not written.

    Raises ValueError: the name is not lower case letters, digits and _, or is "lang".
    """
    if name == "lang" or not _NAME.fullmatch(name):
        raise ValueError(f"not a name for the address: {name!r}")
    _choices().put(name, value)


def write() -> None:
    """Write the choices of this page, and the language, if the address says anything else; called once, after the page."""
    query = {**fitting(_choices().finish()), "lang": language.current()}
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def _choices() -> Choices:
    if _SESSION_KEY not in st.session_state:
        st.session_state[_SESSION_KEY] = Choices()
    return st.session_state[_SESSION_KEY]
