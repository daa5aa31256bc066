"""Characters made visible: spaces, line ends, what has no shape, and bytes that are no whole character."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from ui.html import Markup, joined, tag

SIGNS = {" ": "·", "\n": "↵", "\t": "⇥"}
"""What is drawn for characters without a shape."""
_CONTROL_NAMES = {0x00: "NULL", 0x09: "TAB", 0x0A: "LINE FEED", 0x0D: "CARRIAGE RETURN", 0x1B: "ESCAPE", 0x7F: "DELETE"}


def code_point(character: str) -> str:
    """How Unicode writes a character's number.

    >>> code_point("吃"), code_point("👩")
    ('U+5403', 'U+1F469')
    """
    return f"U+{ord(character):04X}"


@lru_cache(maxsize=1 << 14)
def character_name(character: str) -> str:
    """Unicode's name of a character; of a control character the usual one.

    >>> character_name("吃"), character_name("\\n"), character_name("\\u200d")
    ('CJK UNIFIED IDEOGRAPH-5403', 'LINE FEED', 'ZERO WIDTH JOINER')
    """
    return unicodedata.name(character, "") or _CONTROL_NAMES.get(ord(character), "control" if ord(character) < 0xA0 else "")


@lru_cache(maxsize=1 << 14)
def visible(text: str) -> Markup:
    """A text in which every character can be seen; a mark that would sit on the one before gets a circle.

    >>> print(visible(" a"), visible("\\u200d"), visible("<"))
    <i>·</i>a <i class="code">U+200D</i> &lt;
    """
    if text.isascii() and text.isalnum():
        return Markup(text)
    first = "◌" if text and unicodedata.category(text[0]).startswith("M") and unicodedata.combining(text[0]) else ""
    return joined([first, *map(_visible_character, text)])


def hexadecimal(content: bytes) -> Markup:
    """Bytes, two digits each.

    >>> print(hexadecimal(b"\\xe5\\x90"))
    <i class="byte">E5</i><i class="byte">90</i>
    """
    return joined(tag("i", f"{byte:02X}", class_="byte") for byte in content)


def names_of(characters: Iterable[str]) -> dict[str, str]:
    """Names of characters by their number in hexadecimal.

    >>> names_of("é")
    {'E9': 'LATIN SMALL LETTER E WITH ACUTE'}
    """
    return {f"{ord(character):X}": character_name(character) for character in characters}


@lru_cache(maxsize=1 << 14)
def _visible_character(character: str) -> Markup:
    if character in SIGNS:
        return tag("i", SIGNS[character])
    if character == "\ufffd" or not character.isprintable() or "VARIATION SELECTOR" in character_name(character):
        return tag("i", code_point(character), class_="code")
    return joined([character])
