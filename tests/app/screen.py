"""What a person would read off the parts page, from a run of the app without a browser.

Figures stand on the page as pieces of HTML; here they are read back with a parser of their own.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder

from streamlit.testing.v1 import AppTest

REPOSITORY = Path(__file__).parents[2]
LANGUAGES = ("zh", "en")
PUBLISHED = {
    fact["id"].partition(" (")[0]: fact
    for fact in json.loads((REPOSITORY / "tests/fixtures/models.json").read_text(encoding="utf-8"))
}
"""Totals and breakdowns from outside this project, by Hub id."""
PART_OF = {"mlp": "ffn", "pos_embedding": "embedding", **dict.fromkeys(("routed_experts", "shared_expert", "router"), "ffn")}
"""The facts' names of the parts that are not this project's."""


def opened(**query: str) -> AppTest:
    """The app after its first run at this address."""
    app = AppTest.from_file(str(REPOSITORY / "streamlit_app.py"), default_timeout=60)
    app.query_params.update(query)
    return app.run()


class _Reader(HTMLParser):
    """HTML → elements. Fails where a tag is left open or closed twice."""

    VOID = ("br", "hr", "img", "input", "wbr")

    def __init__(self) -> None:
        super().__init__()
        self.builder, self.open = TreeBuilder(), []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attributes})
        self.open.append(tag)
        if tag in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> does not close {self.open}"
        self.open.pop()
        self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.data(data)


def elements(html: str) -> Element:
    """A piece of HTML as one element around it."""
    reader = _Reader()
    reader.feed(f"<main>{html}</main>")
    reader.close()
    assert not reader.open, f"never closed: {reader.open}"
    return reader.builder.close()


def figures(app: AppTest) -> Element:
    """All figures on the page."""
    return elements("".join(piece.value for piece in app.html if not piece.value.startswith("<style")))


def of_class(within: Element, name: str) -> list[Element]:
    """The elements with this class."""
    return [element for element in within.iter() if name in element.get("class", "").split()]


def words(element: Element) -> str:
    """The text of an element, with all that is inside it."""
    return "".join(element.itertext())


def spaced(element: Element) -> str:
    """The text of an element with a space between its pieces, as they stand apart on the screen."""
    return " ".join(" ".join(element.itertext()).split())


def whole_number(text: str) -> int:
    """The one number of a text like `+1,744,896,000`."""
    [number] = whole_numbers(text)
    return number


def whole_numbers(text: str) -> list[int]:
    """The numbers of a text, `4,096 → 1,024`, in its order."""
    found = re.findall(r"([+−-]?)(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d+)(?![\d.]|,\d)", text)
    return [int(digits.replace(",", "")) * (-1 if sign in ("−", "-") else 1) for sign, digits in found]


def total(app: AppTest) -> int:
    """The total of the headline, which reads the same as its data."""
    [element] = [element for element in figures(app).iter() if element.get("data-total")]
    assert whole_number(words(element)) == int(element.get("data-total"))
    return int(element.get("data-total"))


def counts(addition: Element) -> list[int]:
    """The counts of the addition's rows, top to bottom, without its sum."""
    rows = [of_class(row, "count")[0] for row in addition.iter("summary")]
    return [whole_number(row.text) for row in rows]


def differences(within: Element) -> list[int]:
    """The differences from the base model, in the order they stand."""
    return [whole_number(words(element)) for element in of_class(within, "difference")]


def messages(app: AppTest) -> list[str]:
    """What the error boxes say, without the signs that keep Markdown from reading it."""
    return [re.sub(r"\\(.)", r"\1", box.value) for box in app.error]


def is_chinese(text: str) -> bool:
    """Whether a text holds Chinese characters."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def published_parts(hub_id: str) -> list[int] | None:
    """The published sizes of a model's parts, without empty ones, ascending; None where only the total is known from outside."""
    if "breakdown" not in PUBLISHED[hub_id]:
        return None
    parts: dict[str, int] = {}
    for name, count in PUBLISHED[hub_id]["breakdown"].items():
        parts[PART_OF.get(name, name)] = parts.get(PART_OF.get(name, name), 0) + count
    return sorted(filter(None, parts.values()))
