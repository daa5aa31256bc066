"""Every text a person sees, in Chinese and English.

A module in this folder holds one dictionary `TEXTS`: key → language → text. All of them are merged here, so that a new
module is found without being named anywhere:

    TEXTS = {"parts.total": {"zh": "参数量", "en": "parameters"}}

Placeholders are those of `str.format`. Where calc writes the English, `english_of_calc` takes it over, and another module
has the Chinese alone, key → text. A text without Chinese is shown in English, and a test says where it is missing.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping

Texts = Mapping[str, Mapping[str, str] | str]


def merge(modules: Iterable[tuple[str, Texts]]) -> dict[str, dict[str, str]]:
    """The texts of all modules, (name, texts) each, in one dictionary.

    Raises ValueError: two modules have the same key in the same language.

    >>> merge([("a", {"yes": "是"}), ("b", {"yes": {"en": "yes"}})])
    {'yes': {'zh': '是', 'en': 'yes'}}
    >>> merge([("a", {"yes": {"en": "yes"}}), ("b", {"yes": {"en": "yes"}})])
    Traceback (most recent call last):
        ...
    ValueError: text 'yes' stands in both a and b
    """
    merged: dict[str, dict[str, str]] = {}
    origin: dict[tuple[str, str], str] = {}
    for name, texts in modules:
        for key, text in texts.items():
            languages = {"zh": text} if isinstance(text, str) else text
            for language in languages:
                if (key, language) in origin:
                    raise ValueError(f"text {key!r} stands in both {origin[key, language]} and {name}")
                origin[key, language] = name
            merged[key] = {**merged.get(key, {}), **languages}
    return merged


def _modules() -> Iterable[tuple[str, Texts]]:
    for module in pkgutil.iter_modules(__path__):
        yield module.name, importlib.import_module(f"{__name__}.{module.name}").TEXTS


TEXTS: dict[str, dict[str, str]] = merge(_modules())


def text_in(language: str, key: str, **values: object) -> str:
    """The text `key` in a language, "zh" or "en", its placeholders filled; in English where there is no Chinese.

    Raises KeyError: no such text, or no value for a placeholder.

    >>> text_in("zh", "frame.brand")
    '大模型零件图'
    >>> text_in("en", "frame.no_such_text")
    Traceback (most recent call last):
        ...
    KeyError: "no text 'frame.no_such_text' in 'en'"
    """
    languages = TEXTS.get(key, {})
    text = languages.get(language) or languages.get("en")
    if text is None:
        raise KeyError(f"no text {key!r} in {language!r}")
    return text.format(**values) if values else text
