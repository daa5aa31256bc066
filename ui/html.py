"""HTML in one place: whatever is not markup already is escaped here, so that nothing a reader types can become any.

A `Markup` is text that is HTML. Only `tag` makes one out of other text, and it escapes all it is given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path

import streamlit as st
from markupsafe import Markup, escape
from streamlit.components import v2
from streamlit.components.v2.types import ComponentRenderer

from calc.tensors import Part
from ui.texts import text_in

__all__ = [
    "Child",
    "Markup",
    "component",
    "difference",
    "headline",
    "joined",
    "marked",
    "section",
    "show",
    "swatch",
    "table",
    "tag",
]

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


def show(markup: Markup) -> None:
    """Put HTML on the page."""
    st.html(markup)


def headline(*figures: tuple[str, Child, Child], **attributes: Attribute) -> Markup:
    """The figures a page is about, the most important one as `total`, the rest as `part`: (class, figure, what it is) each.

    attributes   of the one that is `total`

    >>> print(headline(("total", "13.5 GB", "weights"), data_total=5))
    <div class="headline figures"><span class="figure"><span class="total" data-total="5">13.5 GB</span><small>weights</small></span></div>
    """

    def figure(css: str, value: Child, meaning: Child) -> Markup:
        shown = tag("span", value, class_=css, **(attributes if css == "total" else {}))
        return tag("span", shown, tag("small", meaning), class_="figure")

    return tag("div", *(figure(*each) for each in figures), class_="headline figures")


def section(title: str, *children: Child, class_: str | None = None) -> Markup:
    """A part of the page under its title; without one, no heading."""
    return tag("section", tag("h2", title) if title else None, *children, class_=class_)


def table(headings: Sequence[Child], rows: Iterable[Sequence[Child]], numbers: Collection[int] = ()) -> Markup:
    """Rows of text or markup; the columns of `numbers` are right-aligned. Without headings there is no head.

    >>> print(table(["model"], [["GPT-2"]]))
    <div class="plain-table" tabindex="0"><table><thead><tr><th scope="col">model</th></tr></thead><tbody><tr><td>GPT-2</td></tr></tbody></table></div>
    """

    def line(name: str, cells: Sequence[Child], scope: str | None = None) -> Markup:
        written = (tag(name, cell, scope=scope, class_="number" if at in numbers else None) for at, cell in enumerate(cells))
        return tag("tr", *written)

    head = tag("thead", line("th", headings, "col")) if headings else None
    body = tag("tbody", *(line("td", row) for row in rows))
    return tag("div", tag("table", head, body), class_="plain-table", tabindex=0)


def swatch(part: Part | str | None) -> Markup:
    """The square of a part's colour; nothing without a part.

    >>> print(swatch("ffn"))
    <i class="swatch" style="background:var(--part-ffn)"></i>
    """
    return tag("i", class_="swatch", style=f"background:var(--part-{part})") if part else Markup()


def difference(written: str) -> Markup:
    """A change as it is written, `+131,072,000`, marked as one; where nothing is written, nothing."""
    return tag("em", written, class_="difference") if written else Markup()


def component(name: str, beside: str, html: str, *, stem: str = "component") -> ComponentRenderer:
    """A component of Streamlit whose script and style sheet, `stem`.js and `stem`.css, lie beside the module file `beside`."""
    place = Path(beside).parent
    return v2.component(
        name,
        html=html,
        css=(place / f"{stem}.css").read_text(encoding="utf-8"),
        js=(place / f"{stem}.js").read_text(encoding="utf-8"),
    )


def marked(language: str, key: str, **values: object) -> Markup:
    """A text that is markup in `ui.texts`, `<b>{bytes} B</b>`; what fills its placeholders is escaped."""
    return Markup(text_in(language, key)).format(**values)
