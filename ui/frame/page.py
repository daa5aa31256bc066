"""The frame around every page: navigation, brand, language switch, style sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from ui.frame import address, language, theme
from ui.frame.language import text
from ui.html import Markup, joined, show, tag
from ui.texts import text_in

Sections = Mapping[str, Sequence[str]]
"""Section → names of its pages, as in streamlit_app.py; "" for pages that stand side by side in the navigation."""

_HERE = Path(__file__).parent
_STYLED = ("figures", "checkpoint", "comparison", "compute", "tokens", "memory")
"""Rooms of `ui` whose style sheet lies beside what it styles: `figures/figures.css` first, of which the others may change rules."""
_FIGURES = "".join((_HERE.parent / room / f"{room}.css").read_text(encoding="utf-8") for room in _STYLED)
_RULES = (_HERE / "frame.css").read_text(encoding="utf-8")
_SCRIPT = (_HERE / "frame.js").read_text(encoding="utf-8")
_PAGES_FOLDER = _HERE.parents[1] / "pages"

_ENTERED = "_entered"
_SENT_BACK = "_sent_back"
_PAGES_MADE = "_pages_made"
_START = "start"


def run(sections: Sections) -> None:
    """Run the app once: the frame, then the page that is open, then the address."""
    st.session_state[_ENTERED] = True
    language.begin(address_wins=address.came_by_history())
    page = _navigation(sections)
    address.begin(page.url_path or _first(sections))
    show(_frame(language.current(), _place_in_bar(sections, page.url_path)), run_scripts=True)
    language.show_switch()
    page.run()
    address.write()


def start_page() -> None:
    """Make sure that the frame is around this page; the first call of every page.

    Because there is a folder `pages`, the first request of a fresh server for /method runs that page alone. Registering
    pages, here all files of the folder, ends the folder's meaning for Streamlit; a rerun, which keeps the address, then
    goes through the entry. A page that a test runs alone is sent back once, and then runs without the frame.
    """
    if _ENTERED in st.session_state or _SENT_BACK in st.session_state:
        return
    st.session_state[_SENT_BACK] = True
    start = st.Page(start_page, url_path=_START, default=True)
    st.navigation([start, *sorted(_PAGES_FOLDER.glob("*.py"))], position="hidden")
    st.rerun()


def _navigation(sections: Sections) -> st.Page:
    """Register all pages, their titles in the language of this run; the one to run.

    The pages are made once a session and language: making twenty of them took longer than counting the model.
    """
    made_in, pages = st.session_state.get(_PAGES_MADE, (None, {}))
    if made_in != language.current():
        pages = _pages(sections)
        st.session_state[_PAGES_MADE] = language.current(), pages
    return st.navigation(pages, position="top")


def _pages(sections: Sections) -> dict[str, list[st.Page]]:
    """All pages by the title of their section, in the language of this run.

    The first page is there twice: at the bare address, in the navigation, and at the address with its name.
    """
    first = _first(sections)
    pages = {
        text(f"frame.section_{section}") if section else "": [
            st.Page(
                _PAGES_FOLDER / f"{name}.py",
                title=text(f"frame.page_{name}"),
                url_path=name,
                visibility="hidden" if name == first else "visible",
            )
            for name in names
        ]
        for section, names in sections.items()
    }
    start = st.Page(_PAGES_FOLDER / f"{first}.py", title=text(f"frame.page_{first}"), url_path=_START, default=True)
    next(iter(pages.values())).insert(0, start)
    return pages


def _first(sections: Sections) -> str:
    return next(iter(sections.values()))[0]


def _place_in_bar(sections: Sections, name: str) -> int:
    """Which item of the navigation drops down to this page, the first being 1; 0 for a page without a section.

    >>> _place_in_bar({"": ["parts", "method"], "compute": ["flops"]}, "flops")
    3
    """
    titles = [section for section in sections if section]
    place = next((titles.index(section) + 1 for section in titles if name in sections[section]), None)
    return len(sections.get("", ())) + place if place else 0


@lru_cache(maxsize=64)
def _frame(chosen: str, place: int) -> Markup:
    """The style sheet and the script: one element, the same text on every run in one language and section, so that the
    browser acts on it only when one of them changes."""
    sheet = f"{theme.variables_rule(text_in(chosen, 'frame.brand'))}\n{_RULES}{_FIGURES}{_underlined(place)}"
    data = {"language": language.DOCUMENT_LANGUAGE[chosen], "icon": f"data:image/svg+xml,{quote(_icon())}"}
    return joined([tag("style", Markup(sheet)), tag("script", Markup(f"{_SCRIPT}prepareFrame({json.dumps(data)});"))])


def _underlined(place: int) -> str:
    """The rules that underline the title of a section in the navigation while one of its pages is open.

    Streamlit marks the page in the list that drops down, but not the title.
    """
    if not place:
        return ""
    navigation = '[data-testid="stTopNav"]'
    title = f'{navigation} .rc-overflow-item:nth-child({place}) [data-testid="stTopNavSection"]'
    first = f'{navigation}:not(:has([aria-current="page"])) .rc-overflow-item:first-child a'
    return (
        f"{title} {{ border-radius: 0; border-bottom: 2px solid var(--ink); }} {title} p {{ color: var(--ink); }}"
        f"{first} {{ border-bottom-color: transparent; }} {first} p {{ color: var(--ink-soft); }}"
    )


def _icon() -> Markup:
    """The icon of the browser's tab as SVG: matrices of three parts, to no scale."""
    boxes = {"embedding": (1, 1, 4, 14), "attention": (7, 1, 8, 6), "ffn": (7, 9, 8, 6)}
    marks = (
        tag("rect", x=x, y=y, width=width, height=height, fill=theme.PART_COLOURS[part])
        for part, (x, y, width, height) in boxes.items()
    )
    return tag("svg", *marks, xmlns="http://www.w3.org/2000/svg", viewBox="0 0 16 16")
