"""Markup, HTML or SVG, in one place: whatever is not markup already is escaped here, so that no text can become any.

A `Markup` is text that is markup. Only `tag` makes one out of other text, and it escapes all it is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from markupsafe import Markup, escape

__all__ = ["Attribute", "Child", "Markup", "joined", "tag"]

Child = str | Markup | None
Attribute = str | int | float | bool | None

VOID = frozenset(("br", "hr", "img", "input", "col"))
"""Elements without an end."""
SHAPES = frozenset(("path", "rect", "line", "circle"))
"""Elements of SVG without content, which end with a slash there and in a file."""


def tag(name: str, *children: Child, **attributes: Attribute) -> Markup:
    """An element. Text among its children is escaped, None and "" leave nothing.

    attributes   `class_` for class, `data_total` for data-total; True stands alone, None and False are left out

    >>> print(tag("p", "a < b", tag("b", "c"), class_="note", hidden=True, title=None, data_total=5))
    <p class="note" hidden data-total="5">a &lt; b<b>c</b></p>
    """
    written = "".join(
        [
            f" {_name(key)}" if value is True else f' {_name(key)}="{escape(value)}"'
            for key, value in attributes.items()
            if value is not None and value is not False
        ]
    )
    if name in VOID or name in SHAPES:
        return Markup(f"<{name}{written}{'/' if name in SHAPES else ''}>")
    content = "".join([child if isinstance(child, Markup) else escape(child) for child in children if child])
    return Markup(f"<{name}{written}>{content}</{name}>")


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def joined(children: Iterable[Child], between: Child = "") -> Markup:
    """Elements and texts one after the other.

    >>> print(joined(["<", tag("br"), None]))
    &lt;<br>
    """
    return escape(between or "").join([child if isinstance(child, Markup) else escape(child) for child in children if child])
