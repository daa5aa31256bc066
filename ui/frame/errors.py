"""A fault in an input, in the reader's language; and text of a visitor made safe for Streamlit's Markdown."""

from __future__ import annotations

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
    """A sentence with everything escaped that Markdown would take for a sign: a field name keeps its underscores.

    >>> plain("num_hidden_layers is *0*")
    'num\\\\_hidden\\\\_layers is \\\\*0\\\\*'
    """
    return "".join(f"\\{character}" if character in r"\`*_{}[]()<>#+-.!|~$:" else character for character in sentence)
