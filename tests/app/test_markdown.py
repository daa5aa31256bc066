"""Nothing that a link, a file or the Hub brings is read as Markdown, whichever page shows it."""

import ast
import json
import re
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from calc.model import Model
from ui.comparison.entries import entry_of
from ui.frame.errors import plain
from ui.model.config_address import packed, packed_text
from ui.model.selection import OWN_CONFIG

from .screen import REPOSITORY
from .token_pages import page

HOSTILE = (
    "![evil](https://evil.example/x.png) [evil](//evil.example) https://evil.example www.evil.example a@evil.example :red[evil] "
    ":material/home: :smile: :streamlit: __evil__ *evil* ~~evil~~ $evil^2$ `evil` <b>evil</b> &copy; evil -> evil"
)
LIVE = {
    "a sign that is not escaped": r"(?<!\\)(?:\\\\)*[][*_`$<~&#]",
    "an address": r"(?<!\u2060)(?:https?\\?:\\?/\\?/|www\\?\.[a-z])",
    "a mail address": r"[\w.+-]@[\w-]+\\?\.",
    "an icon, emoji or colour": r"(?<!\\):[\w+-]|:[\w+-]+\\?:|:material/",
    "an arrow": r"(?<!\S)\\?-\\?>(?!\S)",
}
"""What Streamlit 1.67 gives a meaning, also once its escapes are gone: its Markdown looks at the text again."""
ELEMENTS = {
    "alert": ["body"],
    "markdown": ["body"],
    "heading": ["body"],
    "button_group": ["label", "options"],
    "button": ["label"],
    "download_button": ["label"],
    "checkbox": ["label"],
    "selectbox": ["label"],
    "text_input": ["label"],
    "text_area": ["label"],
    "number_input": ["label"],
    "slider": ["label"],
    "file_uploader": ["label"],
    "progress": ["text"],
    "spinner": ["text"],
    "expandable": ["label"],
    "popover": ["label"],
}
"""Fields that Streamlit shows as Markdown, by the name of the element's message. A selectbox shows its options as they are."""


def markdown_of(app):
    """Every text of the page that goes through Markdown."""
    texts, waiting = [], list(app._tree.children.values())
    while waiting:
        block = waiting.pop()
        waiting += getattr(block, "children", {}).values()
        proto = getattr(block, "proto", None)
        for part in filter(None, (proto, getattr(proto, block.type, None) if proto is not None else None)):
            name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(part).__name__).lower()
            for field in ELEMENTS.get(name, ()):
                value = getattr(part, field, "")
                texts += [value] if isinstance(value, str) else [getattr(option, "content", option) for option in value]
    return texts


def hostile_in(app):
    """The texts that hold data of the visitor, each shown to be harmless."""
    assert not app.exception
    found = [body for body in markdown_of(app) if "evil" in body]
    for body in found:
        inner = body[2:-2] if body.startswith("**") else body  # bold by the page itself
        for what, pattern in LIVE.items():
            assert not re.search(pattern, inner), f"{what} in {body}"
    return found


@pytest.mark.parametrize("what", LIVE)
def test_the_signs_looked_for_are_in_the_hostile_text_and_not_in_the_plain_one(what):
    assert re.search(LIVE[what], HOSTILE) and not re.search(LIVE[what], plain(HOSTILE))


def test_what_is_shown_is_what_was_given():
    assert re.sub(r"\\(.)", r"\1", plain(HOSTILE)).replace("\u2060", "") == HOSTILE
    assert plain("one\r\n\n    # two") == "one      \\# two"


@pytest.mark.parametrize("name", ["compare", "difference"])
def test_a_title_in_a_link(name):
    entry = entry_of(Model({"model_type": "xlnet"}, HOSTILE))
    shown = hostile_in(page(name, models=f"gpt2,{entry}", before=entry, after="gpt2", lang="en"))
    assert shown, "its title stands on the page"


PAGES = sorted(path.stem for path in (REPOSITORY / "pages").glob("*.py"))


@pytest.mark.parametrize("name", PAGES)
def test_every_field_of_every_page(name):
    """Whatever the page takes from the address is hostile, and the model a config that cannot be counted, or one of the Hub."""
    app = page(name)
    named = dict.fromkeys(app.session_state["_address"].used, HOSTILE)
    refused = page(name, **named | {"model": OWN_CONFIG, "config": packed_text(json.dumps({"model_type": HOSTILE})) or ""})
    assert hostile_in(refused) or "model" not in named, "the fault names the type"
    config = packed(Model({"model_type": "gpt2"}))
    hostile_in(page(name, **named | {"model": "hub", "hub": "__evil__/www.evil.example", "config": config}))


@pytest.mark.parametrize("name", ["tokens", "vocabulary", "merges"])
def test_a_tokenizer_and_a_word(name):
    app = AppTest.from_file(str(REPOSITORY / "streamlit_app.py"), default_timeout=60)
    app.session_state["own_tokenizers"] = {"own:1": SimpleNamespace(name=HOSTILE, kind="", size=1)}
    app.query_params["word"] = HOSTILE
    assert hostile_in(app.switch_page(f"pages/{name}.py").run())


def test_the_name_of_a_file():
    app = AppTest.from_file(str(REPOSITORY / "streamlit_app.py"), default_timeout=60)
    count = SimpleNamespace(file=HOSTILE, is_over=True, fault=None, state="stopped", STOPPED="stopped", progress=None)
    app.session_state["file_count"] = count
    assert hostile_in(app.switch_page("pages/token_files.py").run())


SHOWS_MARKDOWN = re.compile(
    r"caption|markdown|write|title|(sub)?header|info|warning|error|success|(form_submit_|link_)?button|checkbox|toggle|expander"
    r"|popover|spinner|progress|metric"
)
VISITORS = re.compile(
    r"title|titles|model|file|name|names|source|words|own|error|reason|address|where|endpoint|said|fault|field|fields"
)
"""Names of variables and attributes that hold what a visitor brought."""


OURS = {"pages/compare.py text(title)", "ui/model/what_if.py name"}
"""Texts of this project by such a name."""


def unneutralised(node):
    """The visitor's names in an expression, outside of `plain(…)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "plain":
        return
    if isinstance(node, ast.Name | ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr
        if VISITORS.fullmatch(name):
            yield name
    children = (
        node.args + [keyword.value for keyword in node.keywords] if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    )
    for child in children:
        yield from unneutralised(child)


def test_no_call_shows_a_visitors_text_without_plain():
    found = []
    for path in [*(REPOSITORY / "ui").rglob("*.py"), *(REPOSITORY / "pages").glob("*.py")]:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            shows = (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and bool(SHOWS_MARKDOWN.fullmatch(call.func.attr))
            )
            if shows and call.args and any(unneutralised(call.args[0])):
                found.append(f"{path.relative_to(REPOSITORY)} {ast.unparse(call.args[0])}")
    assert set(found) <= OURS, sorted(set(found) - OURS)
