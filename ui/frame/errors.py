"""A fault in an input, in the reader's language; and text of a visitor made safe for Streamlit's Markdown."""

from __future__ import annotations

import re

import streamlit as st

from calc.errors import ConfigError
from ui.frame.language import text


def error_text(error: ConfigError) -> str:
    """The fault as one sentence: the field, and the remedy."""
    return text(f"error.{error.code}", **error.details)


def show_error(error: ConfigError) -> None:
    """The fault as a box, where the reader is looking; what was typed stays as it is."""
    st.error(plain(error_text(error)))


def plain(sentence: str) -> str:
    """A sentence that Streamlit's Markdown shows as it is: no link, picture, colour, icon, emoji or formula comes of it.

    Escapes are not enough where Streamlit looks at the text once more when Markdown has been read: an address, `:smile:`
    and ` -> ` are kept from being seen by a word joiner, which has no width.

    >>> plain("num_hidden_layers is *0*")
    'num\\\\_hidden\\\\_layers is \\\\*0\\\\*'
    >>> plain("https://example.org").encode("ascii", "backslashreplace")
    b'\\\\u2060https\\\\://example\\\\.org'
    """
    joined = _READ_AGAIN.sub(_WORD_JOINER, " ".join(sentence.strip().splitlines()))
    return "".join(f"\\{character}" if character in _SIGNS else character for character in joined)


_SIGNS = r"\`*_{}[]()<>#+-.!|~$:&="
_WORD_JOINER = "\u2060"
_READ_AGAIN = re.compile(
    r"(?=https?://|www\.)|(?<=@)(?=[\w-]+\.)|(?<=:)(?=[\w+-]+:|material/)|(?<=(?<!\S)-)(?=[->](?!\S))"
    r"|(?<=(?<!\S)[<>~])(?=[=-]>?(?!\S))",
    re.IGNORECASE,
)
"""Before an address, which begins a word, and inside mail addresses, emoji, icons and arrows."""
