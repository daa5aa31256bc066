"""The frame in a browser: deep links, language, address, history, phone, dark mode.

Most tests run the app with trial pages of their own in place of the real ones.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from .conftest import REPOSITORY, run_server, wait_until_idle

# A selectbox with translated labels is what Streamlit forgets: see ui/frame/language.py.
TRIAL_PARTS = """
import streamlit as st
from ui.frame import address, language, page

page.start_page()
MODELS = {"a": {"zh": "甲", "en": "first"}, "b": {"zh": "乙", "en": "second"}}

def label(name):
    return MODELS[name][language.current()]

def seed(key, read, default):
    if key not in st.session_state:
        st.session_state[key] = read(address.get(key)) or default

def known(value):
    return value if value in MODELS else None

seed("model", known, "a")
seed("drawn", known, "a")
seed("layers", lambda value: int(value) if (value or "").isdecimal() else None, 32)
seed("notes", str, "")
st.segmented_control("model", MODELS, format_func=label, key="model", required=True)
st.selectbox("drawn", MODELS, format_func=label, key="drawn")
st.number_input("layers", 1, 999, key="layers")
st.text_area("notes", key="notes")
for key in ("model", "drawn", "layers"):
    address.put(key, str(st.session_state[key]))
st.write("SHOWN", st.session_state.model, st.session_state.drawn, str(st.session_state.layers))
"""
TRIAL_METHOD = """
import streamlit as st
from ui.frame import address, page

page.start_page()
st.toggle("long", key="long", value=address.get("long") == "1")
address.put("long", "1" if st.session_state.long else None)
"""


@pytest.fixture(scope="module")
def trial_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = tmp_path_factory.mktemp("app")
    for name in ("ui", "calc", "pages", ".streamlit"):
        shutil.copytree(REPOSITORY / name, app / name)
    shutil.copy(REPOSITORY / "streamlit_app.py", app)
    (app / "pages" / "parts.py").write_text(TRIAL_PARTS, encoding="utf-8")
    (app / "pages" / "method.py").write_text(TRIAL_METHOD, encoding="utf-8")
    with run_server(app, tmp_path_factory.mktemp("home")) as address:
        yield address


def query(page: Page) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def path(page: Page) -> str:
    return urlsplit(page.url).path


def choose(page: Page, label: str) -> None:
    page.get_by_role("radio", name=label, exact=True).click()
    wait_until_idle(page)


def set_layers(page: Page, number: int) -> None:
    page.get_by_label("layers", exact=True).fill(str(number))
    page.keyboard.press("Enter")
    wait_until_idle(page)


def set_drawn(page: Page, label: str) -> None:
    page.get_by_role("combobox").click()
    page.get_by_role("option", name=label).click()
    wait_until_idle(page)


def go_to(page: Page, title: str) -> None:
    page.get_by_role("navigation").get_by_role("link", name=title).click()
    wait_until_idle(page)


def expect_shown(page: Page, model: str, drawn: str, layers: int) -> None:
    expect(page.get_by_text(re.compile("^SHOWN"))).to_have_text(f"SHOWN {model} {drawn} {layers}")


@pytest.mark.parametrize(
    ("address", "title"), [("/parts?lang=zh", "零件图"), ("/method?lang=zh&long=1", "怎么数的"), ("/", "Parts")]
)
def test_first_request_of_a_fresh_server_has_the_frame(fresh_server, open_page, address, title):
    page = open_page(fresh_server + address)
    expect(page).to_have_title(title)
    assert path(page) == urlsplit(address).path
    language = "zh" if "zh" in address else "en"
    assert query(page)["lang"] == language
    links = page.get_by_test_id("stTopNav").get_by_role("link")
    expected = {"zh": ["零件图", "怎么数的"], "en": ["Parts", "How it is counted"]}[language]
    expect(links).to_contain_text(expected)
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_deep_link_keeps_the_choices_of_its_address(trial_server, open_page):
    page = open_page(f"{trial_server}/parts?lang=zh&model=b&layers=7&drawn=b")
    expect_shown(page, "b", "b", 7)
    assert query(page) == {"lang": "zh", "model": "b", "drawn": "b", "layers": "7"}


@pytest.mark.parametrize(
    ("address", "locale", "language"),
    [
        ("/", "zh-CN", "zh"),
        ("/", "zh-TW", "zh"),
        ("/", "de-DE", "en"),
        ("/?lang=en", "zh-CN", "en"),
        ("/?lang=%3Cscript%3E", "zh-CN", "zh"),
    ],
)
def test_language_of_a_new_session(trial_server, open_page, address, locale, language):
    page = open_page(trial_server + address, locale=locale)
    expect(page).to_have_title({"zh": "零件图", "en": "Parts"}[language])
    assert query(page)["lang"] == language
    tag = page.evaluate("document.documentElement.lang")
    assert tag == {"zh": "zh-CN", "en": "en"}[language]


def test_language_switch_keeps_every_choice_over_two_runs(trial_server, open_page):
    page = open_page(trial_server)
    choose(page, "second")
    set_drawn(page, "second")
    set_layers(page, 48)
    page.get_by_label("notes").fill("typed")
    page.keyboard.press("Control+Enter")
    wait_until_idle(page)

    choose(page, "中")
    expect(page).to_have_title("零件图")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    expect_shown(page, "b", "b", 48)
    set_layers(page, 49)
    expect_shown(page, "b", "b", 49)
    set_layers(page, 50)
    expect_shown(page, "b", "b", 50)
    expect(page.get_by_label("notes")).to_have_value("typed")
    expect(page.get_by_role("radio", name="乙")).to_be_checked()
    assert query(page) == {"lang": "zh", "model": "b", "drawn": "b", "layers": "50"}

    choose(page, "EN")
    set_layers(page, 51)
    set_layers(page, 52)
    expect_shown(page, "b", "b", 52)
    expect(page.get_by_label("notes")).to_have_value("typed")
    expect(page.get_by_role("radio", name="second")).to_be_checked()
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_address_restores_the_choices_in_another_browser(trial_server, open_page):
    page = open_page(trial_server, locale="zh-CN")
    choose(page, "乙")
    set_layers(page, 12)
    other = open_page(page.url)
    expect_shown(other, "b", "a", 12)
    assert query(other) == query(page) == {"lang": "zh", "model": "b", "drawn": "a", "layers": "12"}


def test_choices_survive_another_page_and_a_language_change_there(trial_server, open_page):
    page = open_page(f"{trial_server}/?lang=en")
    choose(page, "second")
    set_layers(page, 12)
    go_to(page, "How it is counted")
    assert path(page) == "/method"
    assert query(page) == {"lang": "en"}
    page.get_by_text("long", exact=True).click()
    wait_until_idle(page)
    assert query(page) == {"lang": "en", "long": "1"}
    choose(page, "中")
    go_to(page, "零件图")
    expect_shown(page, "b", "a", 12)
    assert query(page) == {"lang": "zh", "model": "b", "drawn": "a", "layers": "12"}
    go_to(page, "怎么数的")
    expect(page.get_by_role("switch", name="long")).to_be_checked()


def test_back_and_forward_go_from_page_to_page(trial_server, open_page):
    page = open_page(f"{trial_server}/?lang=en&model=a&drawn=a&layers=1")
    for layers in (2, 3, 4):
        set_layers(page, layers)
    go_to(page, "How it is counted")
    page.go_back()
    wait_until_idle(page)
    assert (path(page), query(page)["layers"]) == ("/", "4")
    expect_shown(page, "a", "a", 4)
    page.go_forward()
    wait_until_idle(page)
    assert (path(page), query(page)) == ("/method", {"lang": "en"})
    expect(page).to_have_title("How it is counted")


def test_going_back_shows_what_the_address_says(trial_server, open_page):
    """Also where this session has chosen something else since."""
    page = open_page(f"{trial_server}/?lang=en&layers=1")
    go_to(page, "How it is counted")
    go_to(page, "Parts")
    choose(page, "second")
    set_layers(page, 9)
    choose(page, "中")
    page.go_back()
    wait_until_idle(page)
    assert path(page) == "/method"
    page.go_back()
    wait_until_idle(page)
    assert query(page) == {"lang": "en", "model": "a", "drawn": "a", "layers": "1"}
    expect_shown(page, "a", "a", 1)
    expect(page).to_have_title("Parts")


def test_quick_clicks_are_not_undone_by_an_older_address(trial_server, open_page):
    page = open_page(f"{trial_server}/?lang=en&layers=1")
    more = page.get_by_test_id("stNumberInputStepUp")
    for _ in range(15):
        more.click(no_wait_after=True)
    wait_until_idle(page)
    expect_shown(page, "a", "a", 16)
    assert query(page)["layers"] == "16"


@pytest.mark.parametrize(
    "hostile",
    [
        "layers=-1",
        "layers=%C2%B2",
        "model=%FF%FE%00&model=",
        "model=" + "x" * 9000,
        "&".join(f"n{i}=1" for i in range(300)),
        "=1&%3Cb%3E=%3Cscript%3E&embed_options=&lang=&&__proto__=1&_address=1&model[]=b",
    ],
)
def test_hostile_addresses_show_the_page_as_if_they_were_not_there(trial_server, open_page, hostile):
    page = open_page(f"{trial_server}/?{hostile}")
    expect_shown(page, "a", "a", 32)
    assert query(page) == {"lang": "en", "model": "a", "drawn": "a", "layers": "32"}
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_phone_does_not_scroll_sideways_and_reaches_every_page(trial_server, open_page, locale):
    page = open_page(trial_server, width=390, height=844, locale=locale)
    for box in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        assert page.evaluate(f"{box}.scrollWidth") <= 390
    switch = page.locator(".st-key-language").bounding_box()
    assert switch["y"] + switch["height"] <= 60
    assert switch["x"] + switch["width"] <= 390
    page.get_by_test_id("stExpandSidebarButton").click()
    title = "怎么数的" if locale == "zh-CN" else "How it is counted"
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title).click()
    wait_until_idle(page)
    expect(page).to_have_title(title)


def test_switch_stands_in_the_bar_and_content_in_the_middle(trial_server, open_page):
    page = open_page(trial_server, width=1600)
    switch = page.locator(".st-key-language").bounding_box()
    assert switch["y"] + switch["height"] <= 60
    assert switch["x"] > 1450
    content = page.get_by_test_id("stMain").get_by_test_id("stVerticalBlock").first.bounding_box()
    assert content["width"] == 1264
    assert abs(content["x"] - (1600 - 1264) / 2) <= 8


@pytest.mark.parametrize(
    ("scheme", "paper", "ink"),
    [("light", "rgb(255, 255, 255)", "rgb(20, 23, 28)"), ("dark", "rgb(15, 18, 22)", "rgb(232, 234, 237)")],
)
def test_our_colours_follow_the_mode_as_those_of_streamlit_do(trial_server, open_page, scheme, paper, ink):
    page = open_page(trial_server, color_scheme=scheme)
    probe = """() => {
      const mark = document.querySelector("[data-testid=stMain]").appendChild(
        document.createElement("p"));
      mark.style = "background: var(--paper); color: var(--ink)";
      const ours = getComputedStyle(mark);
      const app = getComputedStyle(document.querySelector(".stApp"));
      return [ours.backgroundColor, ours.color, app.backgroundColor, app.color];
    }"""
    assert page.evaluate(probe) == [paper, ink, paper, ink]
