"""The chips on the page: pointed at, tapped or reached by keyboard, each says its id, bytes and characters."""

from __future__ import annotations

from collections.abc import Mapping

from ui.frame.language import text
from ui.html import Markup, component

_FRAME = '<div class="tokens"><div class="shown"></div><div class="tip" role="status" hidden></div></div>'
_component = component("token_chips", __file__, _FRAME, stem="chips")
_WORDS = ("id", "bytes", "no_bytes", "special", "part")


def show_chips(html: Markup, names: Mapping[str, str], key: str = "token_chips") -> None:
    """Show HTML in which elements of the class `chips` hold chips of `ui.tokens.chips`.

    names   of the characters: number in hexadecimal → Unicode's name
    """
    words = {word: text(f"tokens.tip_{word}") for word in _WORDS}
    _component(key=key, data={"html": html, "names": dict(names), "words": words})
