"""The pages of the app and the frame around each: navigation, brand, language switch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from ui import address, language, theme
from ui.language import text
from ui.texts import text_in

_FIGURES = (Path(__file__).parent / "figures" / "figures.css").read_text(encoding="utf-8")

_ENTERED = "_entered"
_SENT_BACK = "_sent_back"


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
)

_FOLDER = Path(__file__).parents[1] / "pages"
_START = "start"


def navigation() -> st.Page:
    """Register all pages, their titles in the language of this run; return the one to run.

    Streamlit serves its default page at the bare address only, so the start page is
    registered twice: as the default, and hidden under its own name for deep links.
    """
    sections: dict[str, list[st.Page]] = {"": []}
    for entry in PAGES:
        path, title = _FOLDER / f"{entry.name}.py", text(entry.title)
        section = sections.setdefault(text(entry.section) if entry.section else "", [])
        if entry is PAGES[0]:
            section.append(st.Page(path, title=title, url_path=_START, default=True))
        section.append(
            st.Page(
                path,
                title=title,
                url_path=entry.name,
                visibility="hidden" if entry is PAGES[0] else "visible",
            )
        )
    return st.navigation(sections, position="top")


def run() -> None:
    """Run the app once: the frame, then the page that is open, then the address."""
    st.session_state[_ENTERED] = True
    language.begin(address_wins=address.came_by_history())
    page = navigation()
    address.begin(page.url_path or PAGES[0].name)
    st.html(_frame(language.current()), unsafe_allow_javascript=True)
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


@lru_cache(maxsize=len(language.LANGUAGES))
def _frame(chosen: str) -> str:
    """Return the style sheet and script that are the same on every page.

    One element, the same text on every run in one language, so that the browser acts
    on it only when the language changes.
    """
    brand = text_in(chosen, "frame.brand")
    return (
        f"<style>{theme.stylesheet(brand)}{_FIGURES}</style>"
        f"<script>{_SCRIPT % (language.DOCUMENT_LANGUAGE[chosen], quote(_icon()))}</script>"
    )


def _icon() -> str:
    """Return the icon of the browser's tab as SVG: matrices of three parts, to no scale."""
    colours = (theme.PART_COLOURS[part] for part in ("embedding", "attention", "ffn"))
    boxes = ("x='1' y='1' width='4' height='14'", "x='7' y='1' width='8' height='6'",
             "x='7' y='9' width='8' height='6'")  # fmt: skip
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
