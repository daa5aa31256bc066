"""The pages of the app and the frame around each: navigation, brand, language switch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from ui.frame import address, language, theme
from ui.frame.language import text
from ui.texts import text_in

_STYLED = ("figures", "checkpoint", "comparison", "compute", "tokens", "memory")
"""Rooms of `ui` whose style sheet lies beside what it styles: `figures/figures.css` first, of which the others may change rules."""
_FIGURES = "".join((Path(__file__).parents[1] / room / f"{room}.css").read_text(encoding="utf-8") for room in _STYLED)

_ENTERED = "_entered"
_SENT_BACK = "_sent_back"
_PAGES_MADE = "_pages_made"


@dataclass(frozen=True)
class PageEntry:
    """A page: the script ``pages/<name>.py``, at the address ``/<name>``.

    ``title`` and ``section`` are keys of texts. Pages without a section stand side by
    side in the navigation; those of a section drop down from its title.
    """

    name: str
    title: str
    section: str = ""


# The first is the start page: it is also what the bare address shows.
PAGES = (
    PageEntry("parts", title="frame.page_parts"),
    PageEntry("checkpoint", title="frame.page_checkpoint"),
    PageEntry("compare", title="frame.page_compare"),
    PageEntry("difference", title="frame.page_difference"),
    PageEntry("method", title="frame.page_method"),
    PageEntry("flops", title="frame.page_flops", section="frame.section_compute"),
    PageEntry("inference", title="frame.page_inference", section="frame.section_compute"),
    PageEntry("training", title="frame.page_training", section="frame.section_compute"),
    PageEntry("formats", title="frame.page_formats", section="frame.section_memory"),
    PageEntry("kv_cache", title="frame.page_kv_cache", section="frame.section_memory"),
    PageEntry("fit", title="frame.page_fit", section="frame.section_memory"),
    PageEntry("decode", title="frame.page_decode", section="frame.section_memory"),
    PageEntry("training_memory", title="frame.page_training_memory", section="frame.section_memory"),
    PageEntry("units", title="frame.page_units", section="frame.section_memory"),
    PageEntry("tokens", title="frame.page_tokens", section="frame.section_tokens"),
    PageEntry("languages", title="frame.page_languages", section="frame.section_tokens"),
    PageEntry("merges", title="frame.page_merges", section="frame.section_tokens"),
    PageEntry("vocabulary", title="frame.page_vocabulary", section="frame.section_tokens"),
    PageEntry("token_files", title="frame.page_token_files", section="frame.section_tokens"),
)

_FOLDER = Path(__file__).parents[2] / "pages"
_START = "start"


def navigation() -> st.Page:
    """Register all pages, their titles in the language of this run; return the one to run.

    The pages are made once a session and language: making twenty of them took longer than counting the model.
    """
    kept = st.session_state.get(_PAGES_MADE)
    if kept is None or kept[0] != language.current():
        kept = st.session_state[_PAGES_MADE] = (language.current(), _pages())
    return st.navigation(kept[1], position="top")


def _pages() -> dict[str, list[st.Page]]:
    """All pages by the title of their section, in the language of this run.

    Streamlit serves its default page at the bare address only, so the start page is
    registered twice: as the default, and hidden under its own name for deep links.
    """
    sections: dict[str, list[st.Page]] = {"": []}
    for entry in PAGES:
        path, title = _FOLDER / f"{entry.name}.py", text(entry.title)
        section = sections.setdefault(text(entry.section) if entry.section else "", [])
        if entry is PAGES[0]:
            section.append(st.Page(path, title=title, url_path=_START, default=True))
        section.append(st.Page(path, title=title, url_path=entry.name, visibility="hidden" if entry is PAGES[0] else "visible"))
    return sections


def run() -> None:
    """Run the app once: the frame, then the page that is open, then the address."""
    st.session_state[_ENTERED] = True
    language.begin(address_wins=address.came_by_history())
    page = navigation()
    address.begin(page.url_path or PAGES[0].name)
    st.html(_frame(language.current(), section_of(page.url_path)), unsafe_allow_javascript=True)
    language.show_switch()
    page.run()
    address.write()


def start_page() -> None:
    """Make sure that the frame stands around this page; the first call of every page.

    Because there is a folder ``pages``, the first request of a fresh server for
    ``/method`` runs that page alone. Registering the navigation turns the folder's
    meaning off, and a rerun, which keeps the address, then goes through the entry.

    A page run on its own by a test is sent back once, and then runs without the frame.
    """
    if _ENTERED in st.session_state or _SENT_BACK in st.session_state:
        return
    st.session_state[_SENT_BACK] = True
    language.begin()
    navigation()
    st.rerun()


def section_of(name: str) -> str:
    """Return the section of the page ``name``, a key of a text; "" for a page without one.

    >>> section_of("parts"), section_of("training")
    ('', 'frame.section_compute')
    """
    return next((entry.section for entry in PAGES if entry.name == name), "")


@lru_cache(maxsize=len(language.LANGUAGES) * len(PAGES))
def _frame(chosen: str, section: str) -> str:
    """Return the style sheet and script that are the same on every page of a section.

    One element, the same text on every run in one language, so that the browser acts
    on it only when the language or the section changes.
    """
    brand = text_in(chosen, "frame.brand")
    return (
        f"<style>{theme.stylesheet(brand)}{_FIGURES}{_underlined(section)}</style>"
        f"<script>{_SCRIPT % (language.DOCUMENT_LANGUAGE[chosen], quote(_icon()))}</script>"
    )


def _underlined(section: str) -> str:
    """Return the rules that underline a section's title in the navigation while one of its pages is open.

    Streamlit marks the page in the list that drops down, but not the title.
    """
    if not section:
        return ""
    sections = list(dict.fromkeys(entry.section for entry in PAGES if entry.section))
    place = sum(not entry.section for entry in PAGES) + sections.index(section) + 1
    navigation = '[data-testid="stTopNav"]'
    title = f'{navigation} .rc-overflow-item:nth-child({place}) [data-testid="stTopNavSection"]'
    first = f'{navigation}:not(:has([aria-current="page"])) .rc-overflow-item:first-child a'
    return (
        f"{title} {{ border-radius: 0; border-bottom: 2px solid var(--ink); }} {title} p {{ color: var(--ink); }}"
        f"{first} {{ border-bottom-color: transparent; }} {first} p {{ color: var(--ink-soft); }}"
    )


def _icon() -> str:
    """Return the icon of the browser's tab as SVG: matrices of three parts, to no scale."""
    colours = (theme.PART_COLOURS[part] for part in ("embedding", "attention", "ffn"))
    boxes = ("x='1' y='1' width='4' height='14'", "x='7' y='1' width='8' height='6'", "x='7' y='9' width='8' height='6'")
    marks = "".join(f"<rect {box} fill='{c}'/>" for box, c in zip(boxes, colours, strict=True))
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>{marks}</svg>"


# Streamlit leaves lang="en", whatever the page says.
#
# It also adds an entry to the browser's history for every change of the address, so that
# going back would step through all values of a number field. Within one page the entry is
# replaced instead. And on a change of page it may write the new page's query into the
# entry of the old one, just before it adds the new entry: then the old one is put back.
#
# A paste of tens of megabytes would break the connection (server.maxWidgetStateSize): of
# such a paste five are kept, enough for the server to say that it is too much.
_SCRIPT = """
document.documentElement.lang = "%s";
document.querySelector("link[rel~=icon]").href = "data:image/svg+xml,%s";
if (!window.oneEntryPerPage) {
  window.oneEntryPerPage = true;
  const push = history.pushState.bind(history);
  let replaced = null;
  history.pushState = (state, unused, url) => {
    const target = new URL(url, location.href);
    if (target.pathname === location.pathname) {
      const before = location.href;
      replaced = before;
      setTimeout(() => { if (replaced === before) replaced = null; }, 1000);
      history.replaceState(state, unused, url);
      return;
    }
    if (replaced !== null && target.search === location.search) {
      history.replaceState(history.state, unused, replaced);
    }
    replaced = null;
    push(state, unused, url);
  };
  document.addEventListener("paste", (event) => {
    const field = event.target, pasted = event.clipboardData?.getData("text") ?? "";
    if (field.tagName !== "TEXTAREA" || pasted.length <= 5000000) return;
    event.preventDefault();
    field.setRangeText(pasted.slice(0, 5000000), field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, true);
}
"""
