"""Every text a person sees, in Chinese and English.

A module in this folder holds one dictionary ``TEXTS``: key → language → text. All of
them are merged here, so that a new module is found without being named anywhere::

    TEXTS = {"parts.total": {"zh": "参数量", "en": "parameters"}}

Placeholders are those of ``str.format``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping

Texts = Mapping[str, Mapping[str, str]]


def merge(modules: Iterable[tuple[str, Texts]]) -> dict[str, dict[str, str]]:
    """Return one dictionary of the texts of all ``(module name, texts)``.

    Raises:
        ValueError: two modules have the same key.

    >>> merge([("a", {"yes": {"zh": "是", "en": "yes"}})])
    {'yes': {'zh': '是', 'en': 'yes'}}
    >>> merge([("a", {"yes": {}}), ("b", {"yes": {}})])
    Traceback (most recent call last):
        ...
    ValueError: text 'yes' stands in both a and b
    """
    merged: dict[str, dict[str, str]] = {}
    origin: dict[str, str] = {}
    for name, texts in modules:
        for key, languages in texts.items():
            if key in merged:
                raise ValueError(f"text {key!r} stands in both {origin[key]} and {name}")
            merged[key] = dict(languages)
            origin[key] = name
    return merged


def _modules() -> Iterable[tuple[str, Texts]]:
    for found in pkgutil.iter_modules(__path__):
        yield found.name, importlib.import_module(f"{__name__}.{found.name}").TEXTS


TEXTS: dict[str, dict[str, str]] = merge(_modules())


def text_in(language: str, key: str, **values: object) -> str:
    """Return the text ``key`` in ``language`` ("zh" or "en"), its placeholders filled.

    Raises:
        KeyError: no such text or language; a value for a placeholder is missing.

    >>> text_in("zh", "frame.brand")
    '大模型零件图'
    >>> text_in("en", "frame.no_such_text")
    Traceback (most recent call last):
        ...
    KeyError: "no text 'frame.no_such_text' in 'en'"
    """
    try:
        found = TEXTS[key][language]
    except KeyError:
        raise KeyError(f"no text {key!r} in {language!r}") from None
    return found.format(**values) if values else found
