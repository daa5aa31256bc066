"""Files a person takes home: each written only when it is asked for, and named after its model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import streamlit as st

from ui.frame.language import current, speaking

EXCEL_ENCODING = "utf-8-sig"
"""With its byte-order mark: Excel reads Chinese headings only then."""


def file_name(title: str, *rest: str) -> str:
    """A name that every file system takes.

    >>> file_name("Llama-2-7B", "parts")
    'Llama-2-7B-parts'
    >>> file_name("你的模型", "parts")
    '你的模型-parts'
    """
    return "-".join(re.sub(r"[^\w.-]+", "-", word).strip("-") for word in (title, *rest))


def download_csv(label: str, name: str, write: Callable[[], str], key: str) -> None:
    """A button that saves the CSV that `write` returns, in the form Excel reads."""
    _download(label, f"{name}.csv", write, "text/csv", key, EXCEL_ENCODING)


def download_markdown(label: str, name: str, write: Callable[[], str], key: str) -> None:
    """A button that saves the Markdown text that `write` returns."""
    _download(label, f"{name}.md", write, "text/markdown", key)


def download_json(label: str, name: str, write: Callable[[], object], key: str) -> None:
    """A button that saves the JSON document that `write` returns."""
    _download(label, f"{name}.json", lambda: json.dumps(write(), ensure_ascii=False, indent=1), "application/json", key)


def download_svg(label: str, name: str, write: Callable[[], str], key: str) -> None:
    """A button that saves the picture that `write` returns."""
    _download(label, f"{name}.svg", write, "image/svg+xml", key)


def _download(label: str, name: str, write: Callable[[], str], mime: str, key: str, encoding: str = "utf-8") -> None:
    """Written when it is pressed, outside any run: in the language of the run that showed the button."""
    language = current()

    def content() -> bytes:
        with speaking(language):
            return write().encode(encoding)

    st.download_button(label, content, name, mime, key=key, on_click="ignore", icon=":material/download:")
