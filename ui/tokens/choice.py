"""Which tokenizers a page cuts with: of the catalogue, and a reader's own. All pages on tokens share the choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.encoding import Encoding, encode
from calc.tokens.loaded import PACKAGE, is_installed
from calc.tokens.vocabularies import BYTE_LEVEL, find_tokenizer, tokenizers
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.fields import settle
from ui.frame.language import current, text
from ui.html import Markup, joined, show, tag
from ui.texts import text_in

if TYPE_CHECKING:
    from calc.tokens.own_tokenizer import OwnTokenizer

FIRST = ("llama-2", "llama-3")
OWN = "own:"
"""The beginning of the names of a reader's own tokenizers."""
ADDED = "own_tokenizer_added"
"""The session's key for the name of one that was brought in the last run and is to be chosen."""
_KINDS = {True: "byte-level BPE", False: "SentencePiece BPE"}


@dataclass(frozen=True)
class Chosen:
    """A tokenizer that is shown.

    name    of the catalogue, or `OWN` and the name of its file
    title   as a person writes it
    kind    how it cuts
    size    entries
    own     the reader's own, None for one of the catalogue
    """

    name: str
    title: str
    kind: str
    size: int
    own: OwnTokenizer | None = None

    @property
    def label(self) -> str:
        """The title as Markdown, in which the name of a reader's file is to be read as it is."""
        return plain(self.title) if self.own else self.title

    def encode(self, written: str, special: bool = False) -> Encoding:
        """A text cut by it. Raises ConfigError: all that `encode` of the catalogue, or of the reader's own tokenizer, raises."""
        return self.own.encode(written, special) if self.own else encode(self.name, written, special)


def can_cut() -> bool:
    """Whether the package with the vocabularies is here; where it is not, the page says how to install it."""
    if is_installed():
        return True
    show_error(ConfigError("tokenizer_package_missing", package=PACKAGE))
    return False


def own_tokenizers() -> dict[str, OwnTokenizer]:
    """Those the reader has brought, by name."""
    return st.session_state.setdefault("own_tokenizers", {})


def chosen_of(name: str) -> Chosen:
    """The tokenizer of a name that is offered."""
    if name.startswith(OWN):
        own = own_tokenizers()[name]
        return Chosen(name, own.name, own.kind, own.size, own)
    facts = tokenizers()[name]
    return Chosen(name, facts.title, _KINDS[facts.kind == BYTE_LEVEL], facts.size)


def choose_tokenizers(first: Sequence[str] = FIRST) -> list[Chosen]:
    """Show all tokenizers; those chosen, in the order of the list."""
    linked = address.get("tokenizers")
    names = list(first) if linked is None else [known for name in linked.split(",") if (known := _known(name))]
    names += [*st.session_state.get("own_of_tokenizers", ()), st.session_state.pop(ADDED, "")]
    offered = (*tokenizers(), *own_tokenizers())
    chosen = [name for name in offered if name in names]
    if sorted(st.session_state.get("tokenizers", chosen)) != sorted(chosen):
        settle("tokenizers", chosen)
    st.pills(
        text("tokens.tokenizers"),
        offered,
        selection_mode="multi",
        default=chosen,
        format_func=lambda name: chosen_of(name).label,
        key="tokenizers",
        on_change=lambda: _keep("tokenizers", st.session_state["tokenizers"]),
        label_visibility="collapsed",
    )
    _keep("tokenizers", chosen)
    if not chosen:
        st.info(text("tokens.none_chosen"))
    return [chosen_of(name) for name in chosen]


def choose_one_tokenizer(first: str, with_own: bool = True) -> Chosen:
    """Show all tokenizers; the one chosen."""
    names = [_known(address.get("tokenizer") or ""), first]
    if with_own:
        names = [st.session_state.pop(ADDED, None), *st.session_state.get("own_of_tokenizer", ()), *names]
    offered = (*tokenizers(), *(own_tokenizers() if with_own else ()))
    chosen = next(name for name in names if name in offered)
    st.pills(
        text("tokens.tokenizer"),
        offered,
        default=settle("tokenizer", chosen),
        required=True,
        format_func=lambda name: chosen_of(name).label,
        key="tokenizer",
        on_change=lambda: _keep("tokenizer", [st.session_state["tokenizer"]]),
        label_visibility="collapsed",
    )
    _keep("tokenizer", [chosen])
    return chosen_of(chosen)


def _keep(key: str, names: Sequence[str]) -> None:
    """Put the chosen tokenizers of the catalogue into the address, and a reader's own ones into the session."""
    own = [name for name in names if name.startswith(OWN)]
    st.session_state[f"own_of_{key}"] = own
    address.put(key, None if key == "tokenizer" and own else ",".join(name for name in names if name not in own))


def show_licences(chosen: Sequence[Chosen]) -> None:
    """Where the vocabularies shown come from, and the line each licence asks for."""
    shown = {each.name for each in chosen if not each.own}
    if shown:
        with st.expander(text("tokens.licences")):
            show(licences(current(), shown))


def licences(language: str, names: Collection[str]) -> Markup:
    """The licence lines of vocabularies."""
    lines = (
        tag("li", tag("b", facts.title), f" · {facts.notice} ", text_in(language, "tokens.source", source=facts.source))
        for facts in tokenizers().values()
        if facts.name in names
    )
    return joined([tag("ul", *lines, class_="names"), tag("p", text_in(language, "tokens.notice"), class_="names")])


def _known(name: str) -> str | None:
    try:
        return find_tokenizer(name).name
    except ConfigError:
        return None
