"""The frame without a browser: texts, colours, and runs of the app through AppTest."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from itertools import product
from pathlib import Path
from string import Formatter

import pytest
from streamlit.testing.v1 import AppTest

from streamlit_app import PAGES
from ui.frame import theme
from ui.texts import TEXTS, text_in

REPOSITORY = Path(__file__).parents[2]
ENTRY = str(REPOSITORY / "streamlit_app.py")
LANGUAGES = ("zh", "en")
PAGE_NAMES = [name for names in PAGES.values() for name in names]


def sources() -> str:
    """All Python that may ask for a text: the entry, the pages, and ui except its texts."""
    files = [
        REPOSITORY / "streamlit_app.py",
        *(REPOSITORY / "pages").glob("*.py"),
        *(f for f in (REPOSITORY / "ui").rglob("*.py") if f.parent.name != "texts"),
    ]
    return "\n".join(f.read_text(encoding="utf-8") for f in files)


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def chinese_file(key: str) -> str:
    """The file in ui/texts that has the Chinese of this kind of text alone: an error's, a caveat's."""
    kind = key.partition(".")[0] + "."
    for path in sorted((REPOSITORY / "ui/texts").glob("[!_]*.py")):
        texts = getattr(importlib.import_module(f"ui.texts.{path.stem}"), "TEXTS", {})
        if any(name.startswith(kind) and isinstance(text, str) for name, text in texts.items()):
            return f"ui/texts/{path.name}"
    return "ui/texts"


def missing_text(key: str) -> str | None:
    """What a contributor has to write for this text, None where nothing is missing."""
    languages = TEXTS[key]
    if not languages.get("en", "").strip():
        return f"no English for {key!r}: calc has no such text any more, or {chinese_file(key)} lacks it"
    if not languages.get("zh", "").strip():
        return f"no Chinese for {key!r} ({languages['en']!r}): add it to {chinese_file(key)}"
    return None


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_has_both_languages_with_the_same_placeholders(key):
    assert missing_text(key) is None
    assert placeholders(TEXTS[key]["zh"]) == placeholders(TEXTS[key]["en"])


def test_a_text_without_chinese_is_shown_in_english_and_its_file_is_named(monkeypatch):
    """As when a GPU with a caveat was added to calc's data: the app starts, and the test says what is left to do."""
    monkeypatch.setitem(TEXTS, "gpu_caveat.H20", {"en": "Cut down for export."})
    assert text_in("zh", "gpu_caveat.H20") == "Cut down for export."
    assert missing_text("gpu_caveat.H20") == (
        "no Chinese for 'gpu_caveat.H20' ('Cut down for export.'): add it to ui/texts/gpu_caveats.py"
    )


def test_every_text_is_used():
    """A key stands in the sources as a string, or begins like an f-string: f"error.{code}"."""
    code = sources()
    families = tuple(re.findall(r"""\bf["']([a-z_]+\.[a-z_.]*)\{""", code))
    unused = [key for key in TEXTS if not re.search(rf"""["']{re.escape(key)}["']""", code) and not key.startswith(families)]
    assert unused == []


def channel(value: int) -> float:
    """The linear value of one 8-bit sRGB channel (WCAG 2.2, relative luminance)."""
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours #rrggbb, from 1 to 21."""
    lights = sorted(
        sum(weight * channel(value) for weight, value in zip((0.2126, 0.7152, 0.0722), bytes.fromhex(colour[1:]), strict=True))
        for colour in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_contrast_of_known_colours():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize(("mode", "ground"), list(product(("light", "dark"), ("paper", "panel"))))
def test_texts_in_part_colours_are_legible(mode, ground):
    neutral = theme.NEUTRAL_COLOURS[mode]
    texts = {**theme.PART_TEXT_COLOURS[mode], "ink": neutral["ink"], "soft": neutral["ink-soft"]}
    assert set(theme.PART_TEXT_COLOURS[mode]) == set(theme.PART_COLOURS)
    too_pale = {n: c for n, c in texts.items() if contrast(c, neutral[ground]) < 4.5}
    assert too_pale == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_neutral_colours_are_those_of_the_configuration(mode):
    config = tomllib.loads((REPOSITORY / ".streamlit/config.toml").read_text(encoding="utf-8"))
    widgets, ours = config["theme"][mode], theme.NEUTRAL_COLOURS[mode]
    assert widgets["backgroundColor"] == ours["paper"]
    assert widgets["secondaryBackgroundColor"] == ours["panel"]
    assert widgets["textColor"] == widgets["primaryColor"] == ours["ink"]
    assert widgets["borderColor"] == ours["line"]


@pytest.mark.parametrize("script", ["streamlit_app", *(f"pages/{name}" for name in PAGE_NAMES)])
def test_a_script_holds_no_text_that_streamlit_would_put_on_the_page(script):
    """It writes any bare string but a docstring, also where the project's own configuration is not read."""
    tree = ast.parse((REPOSITORY / f"{script}.py").read_text(encoding="utf-8"))
    bare = [node for node in tree.body[1:] if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call)]
    assert [ast.unparse(node) for node in bare] == []


def opened(entry: str = ENTRY, **query: str) -> AppTest:
    app = AppTest.from_file(entry, default_timeout=30)
    app.query_params.update(query)
    return app.run()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_runs_in_both_languages(language):
    app = opened(lang=language)
    for name in PAGE_NAMES[1:]:
        assert not app.exception
        assert app.query_params["lang"] == language
        app.switch_page(f"pages/{name}.py").run()
    assert not app.exception


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_page_run_alone_ends(name):
    assert not opened(str(REPOSITORY / "pages" / f"{name}.py")).exception


def test_switch_changes_the_language_of_the_address():
    app = opened(lang="zh")
    app.segmented_control(key="language").set_value("en").run()
    assert app.query_params["lang"] == "en"
    assert app.segmented_control(key="language").value == "en"


@pytest.mark.parametrize("value", ["x" * 100_000, "\x00", "ZH", ""])
def test_nonsense_language_is_no_language(value):
    app = opened(lang=value)
    assert not app.exception
    assert app.query_params["lang"] == "en"
