"""The HTML that pages share: headlines, sections, tables, swatches, components. `calc.markup` escapes all text in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import streamlit as st
from streamlit.components import v2
from streamlit.components.v2.types import ComponentRenderer

from calc.markup import Attribute, Child, Markup, joined, tag
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


def show(markup: Markup, *, run_scripts: bool = False) -> None:
    """Put HTML on the page."""
    st.html(markup, unsafe_allow_javascript=run_scripts)


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
