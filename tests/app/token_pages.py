"""The pages on tokens in a run of the app without a browser, and what their components are given."""

from __future__ import annotations

import json
from xml.etree.ElementTree import Element

from streamlit.testing.v1 import AppTest

from .screen import REPOSITORY, elements

PAGES = ("tokens", "languages", "merges", "vocabulary", "token_files")


def page(name: str, **query: str) -> AppTest:
    """A page of the app at this address."""
    app = AppTest.from_file(str(REPOSITORY / "streamlit_app.py"), default_timeout=60)
    app.query_params.update(query)
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def kept(app: AppTest, name: str) -> str | None:
    """What the page keeps for the address."""
    return app.session_state["_address"].values.get(name)


def sent(app: AppTest, key: str) -> dict:
    """What a component of the page is given."""
    [component] = [component for component in app.get("bidi_component") if component.key == key]
    found = component.proto
    return json.loads(found.json or found.mixed.json)


def sections(app: AppTest) -> dict[str, Element]:
    """The panels of the live page by tokenizer, read back."""
    shown = elements(sent(app, "token_chips")["html"])
    return {section.get("data-tokenizer"): section for section in shown.iter("section")}


def counts(app: AppTest) -> dict[str, int]:
    """The count that stands in each panel."""
    return {name: int(next(section.iter("strong")).get("data-count")) for name, section in sections(app).items()}


def bytes_of(section: Element) -> bytes:
    """The bytes of all chips, one after the other."""
    return b"".join(bytes.fromhex(chip.get("data-h")) for chip in section.iter("b"))
