"""Which tokenizers a page cuts with: of the catalogue, and those a reader has brought. All pages on tokens share the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.encoding import Encoding, encode
from calc.tokens.loaded import PACKAGE, is_installed
from calc.tokens.vocabularies import BYTE_LEVEL, find_tokenizer, tokenizers
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.language import current, text
from ui.texts import text_in

if TYPE_CHECKING:
    from calc.tokens.own_tokenizer import OwnTokenizer

FIRST = ("llama-2", "llama-3")
OWN = "own:"
"""What the names of a reader's own tokenizers begin with."""
ADDED = "own_tokenizer_added"
"""Where the session keeps the name of one that was brought in the last run and is to be chosen."""
_KINDS = {True: "byte-level BPE", False: "SentencePiece BPE"}


@dataclass(frozen=True)
class Chosen:
    """A tokenizer that is shown.

    name    of the catalogue, or `OWN` and the name of its file
    title   as a person writes it
    kind    how it cuts, and `size` how many entries it has
    own     the reader's own, None for one of the catalogue
    """

    name: str
    title: str
    kind: str
    size: int
    own: OwnTokenizer | None = None

    def encode(self, written: str, special: bool = False) -> Encoding:
        """A text cut by it. Raises ConfigError: all that its own `encode` raises."""
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


def title_of(name: str) -> str:
    """How a person writes it, the same in both languages."""
    return chosen_of(name).title


def choose_tokenizers(first: Sequence[str] = FIRST) -> list[Chosen]:
    """Show all tokenizers and return those chosen, in the order of the list."""
    offered = (*tokenizers(), *own_tokenizers())
    if "tokenizers" not in st.session_state:
        asked = address.get("tokenizers")
        known = [found for name in (asked or "").split(",") if (found := _known(name))]
        st.session_state["tokenizers"] = list(first) if asked is None else list(dict.fromkeys(known))
    wanted = [*st.session_state["tokenizers"], st.session_state.pop(ADDED, "")]
    st.session_state["tokenizers"] = [name for name in dict.fromkeys(wanted) if name in offered]  # told on every run
    chosen = st.pills(
        text("tokens.tokenizers"),
        offered,
        selection_mode="multi",
        format_func=lambda name: plain(title_of(name)),
        key="tokenizers",
        label_visibility="collapsed",
    )
    address.put("tokenizers", ",".join(name for name in tokenizers() if name in chosen))
    if not chosen:
        st.info(text("tokens.none_chosen"))
    return [chosen_of(name) for name in offered if name in chosen]


def choose_one_tokenizer(first: str, with_own: bool = True) -> Chosen:
    """Show all tokenizers and return the one chosen."""
    offered = (*tokenizers(), *(own_tokenizers() if with_own else ()))
    if "tokenizer" not in st.session_state:
        st.session_state["tokenizer"] = _known(address.get("tokenizer") or "") or first
    wanted = (st.session_state.pop(ADDED, None) if with_own else None) or st.session_state["tokenizer"]
    st.session_state["tokenizer"] = wanted if wanted in offered else first  # told on every run, for a browser that draws it late
    name = st.pills(
        text("tokens.tokenizer"),
        offered,
        required=True,
        format_func=lambda name: plain(title_of(name)),
        key="tokenizer",
        label_visibility="collapsed",
    )
    name = name or first
    address.put("tokenizer", None if name.startswith(OWN) else name)
    return chosen_of(name)


def show_licences(chosen: Sequence[Chosen]) -> None:
    """Where the vocabularies shown come from, and the line each licence asks for."""
    shown = {each.name for each in chosen if not each.own}
    if shown:
        with st.expander(text("tokens.licences")):
            st.html(licences(current(), shown))


def licences(language: str, names: Sequence[str] | Mapping[str, object] | set[str]) -> str:
    """The licence lines of vocabularies as HTML."""
    lines = "".join(
        f"<li><b>{escape(facts.title)}</b> · {escape(facts.notice)} "
        f"{escape(text_in(language, 'tokens.source', source=facts.source))}</li>"
        for facts in tokenizers().values()
        if facts.name in names
    )
    return f'<ul class="names">{lines}</ul><p class="names">{escape(text_in(language, "tokens.notice"))}</p>'


def _known(name: str) -> str | None:
    try:
        return find_tokenizer(name).name
    except ConfigError:
        return None
