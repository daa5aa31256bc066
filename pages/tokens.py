"""The tokens of a text, as it is typed: in one or several tokenizers side by side."""

import streamlit as st

from calc.tokens.unicode_forms import well_formed
from ui.frame import address
from ui.frame.errors import error_text
from ui.frame.fields import ask_some
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show
from ui.tokens.chips import show_chips
from ui.tokens.choice import can_cut, choose_tokenizers, show_licences
from ui.tokens.own_tokenizers import show_own_tokenizers
from ui.tokens.panels import cut, panels, text_counts
from ui.tokens.text_field import text_field

FIRST_TEXT = "我吃了一个苹果。I ate an apple. strawberry 12345"
EXAMPLES = (
    "strawberry",
    "12345",
    "我吃了一个苹果",
    "I ate an apple",
    "👩‍👩‍👧 🏳️‍🌈 👍🏽",
    "def mean(xs):\n    return sum(xs) / len(xs)  # 平均值\n",
)
OPTIONS = ("special", "ids")


def main() -> None:
    """The page from top to bottom."""
    if not can_cut():
        return
    written = text_field("text", text("tokens.text"), FIRST_TEXT, lines=3, examples=[(_label(each), each) for each in EXAMPLES])
    if len(written) > address.MAX_VALUE_CHARACTERS:
        st.caption(text("tokens.too_long_for_link"))
    chosen = choose_tokenizers()
    special, ids = choose_options()
    settled, halves = well_formed(written)
    show(text_counts(current(), settled))
    if halves:
        st.caption(text("tokens.surrogates", count=len(halves)))
    html, names = panels(current(), cut(chosen, written, special, error_text), ids)
    show_chips(html, names)
    show_licences(chosen)


def choose_options() -> tuple[bool, bool]:
    """Whether special tokens count, and whether ids are shown; the button for a reader's own tokenizer is with them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="token_options"):
        chosen = ask_some("options", OPTIONS, lambda name: text(f"tokens.option_{name}"), text("tokens.options"))
        show_own_tokenizers()
    if "special" in chosen:
        st.caption(text("tokens.help_special"))
    return "special" in chosen, "ids" in chosen


def _label(example: str) -> str:
    first, *rest = example.split("\n")
    return f"{first} …" if rest else first


start_page()
main()
