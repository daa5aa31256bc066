"""The model picker in a browser: a model of the Hub, by the real client from a server on loopback, and recent models."""

from __future__ import annotations

import json
import os

import pytest
from checkpoint.hub_server import Repository, serve
from playwright.sync_api import Page, expect
from qwen3_configs import QWEN3_8B, QWEN3_8B_PARAMETERS

from calc.catalogue import catalogue

from .conftest import REPOSITORY, run_server, wait_until_idle
from .parts_page import (
    LLAMA_2_7B,
    LLAMA_3_8B,
    QWEN3_0_6B,
    QWEN3_0_6B_CONFIG,
    TEXTAREA,
    Q,
    choose,
    expect_chosen,
    expect_total,
    paste,
    query,
    set_field,
    tensor,
)
from .test_accessibility import violations
from .test_parts import CHINESE, expect_no_sideways_scrolling

NAMES = ("Qwen3-8B", "Qwen3-8B-FP8", "a-name-of-the-Hub-as-long-as-names-get-there-Qwen3-8B-Instruct-2507-bnb-4bit-v2.1")


@pytest.fixture(scope="module")
def hub():
    """A Hub with a few models, which the app of this module asks."""
    running, end = serve()
    for downloads, name in enumerate(NAMES):
        running.repositories[f"org/{name}"] = Repository(
            {"config.json": json.dumps(QWEN3_8B).encode()}, downloads=10**6 >> 4 * downloads
        )
    running.repositories["org/strange"] = Repository({"config.json": b'{"model_type": "xyzzy"}'})
    yield running
    end()


@pytest.fixture(scope="module")
def app(hub, tmp_path_factory):
    """The address of a server of the app that asks this Hub."""
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
            environment.delenv(name)
        environment.setenv("HF_ENDPOINT", hub.url)
        with run_server(REPOSITORY, tmp_path_factory.mktemp("home")) as address:
            yield address


@pytest.fixture
def opened(app, open_page, hub):
    """Open the parts page of this app; the Hub answers again."""
    hub.fault = None
    return lambda path="", **view: open_page(f"{app}/parts?{path}", **view)


def field(page: Page):
    """The field for a model of the Hub."""
    return page.get_by_role("textbox", name="Hub")


def open_hub(page: Page) -> None:
    """Show the field."""
    choose(page, "Hub …")
    expect(field(page)).to_be_visible()


def ask(page: Page, words: str) -> None:
    """Type and press Enter."""
    field(page).fill(words)
    field(page).press("Enter")
    wait_until_idle(page)


def test_an_id_is_taken_apart_on_enter_and_stays_over_two_runs_in_either_language(opened):
    page = opened("lang=en")
    open_hub(page)
    expect_total(page, LLAMA_2_7B)
    ask(page, "org/Qwen3-8B")
    expect_total(page, QWEN3_8B_PARAMETERS)
    tensor(page, Q).click()
    wait_until_idle(page)
    for label in ("中", "EN"):
        choose(page, label)
        for name in ("model.layers.*.self_attn.q_norm.weight", Q):
            expect_total(page, QWEN3_8B_PARAMETERS)
            expect(field(page)).to_have_value("org/Qwen3-8B")
            expect(page.get_by_role("radio", name="Hub …")).to_be_checked()
            tensor(page, name).click()
            wait_until_idle(page)
            expect_chosen(page, name)
    asked = query(page)
    assert (asked["model"], asked["hub"], asked["tensor"]) == ("hub", "org/Qwen3-8B", Q)


def test_a_link_opens_elsewhere_with_its_changes_and_without_asking(opened, hub):
    page = opened("lang=zh")
    open_hub(page)
    field(page).fill(f"{hub.url}/org/Qwen3-8B-FP8/tree/main")
    page.get_by_role("button", name="查找").click()
    wait_until_idle(page)
    expect_total(page, QWEN3_8B_PARAMETERS)
    set_field(page, "词表大小 V", "151937")
    expect_total(page, QWEN3_8B_PARAMETERS + 2 * 4096)
    hub.asked.clear()
    other = opened(page.url.partition("?")[2])
    expect_total(other, QWEN3_8B_PARAMETERS + 2 * 4096)
    expect(field(other)).to_have_value("org/Qwen3-8B-FP8")
    assert query(other) == query(page) and hub.asked == []
    other.get_by_role("navigation").get_by_role("link", name="怎么数的").click()
    wait_until_idle(other)
    other.go_back()
    wait_until_idle(other)
    expect_total(other, QWEN3_8B_PARAMETERS + 2 * 4096)
    assert query(other) == query(page) and hub.asked == []


def test_what_is_typed_and_not_sent_survives_the_language_and_other_choices(opened, hub):
    page = opened("lang=en")
    open_hub(page)
    hub.asked.clear()
    field(page).fill("org/Qwen3-8")
    for label in ("中", "EN"):
        choose(page, label)
        expect(field(page)).to_have_value("org/Qwen3-8")
        tensor(page, Q).click()
        wait_until_idle(page)
        expect(field(page)).to_have_value("org/Qwen3-8")
    assert hub.asked == []
    field(page).press("End")
    field(page).press_sequentially("B")
    field(page).press("Enter")
    wait_until_idle(page)
    expect_total(page, QWEN3_8B_PARAMETERS)


@pytest.mark.parametrize(
    ("width", "language", "scheme"), [(1440, "en", "light"), (1440, "zh", "dark"), (390, "zh", "light"), (390, "en", "dark")]
)
def test_suggestions_faults_and_recent_ones_fit_and_are_clean(opened, width, language, scheme):
    page = opened(f"lang={language}", width=width, color_scheme=scheme)
    open_hub(page)
    ask(page, "qwen3 8b")
    for name in NAMES:
        expect(page.get_by_role("radio", name=f"org/{name}").first).to_be_visible()
    expect_no_sideways_scrolling(page, width)
    assert violations(page) == []
    page.get_by_role("radio", name=f"org/{NAMES[2]}").click()
    wait_until_idle(page)
    expect_total(page, QWEN3_8B_PARAMETERS)
    ask(page, "org/strange")
    expect(page.get_by_test_id("stAlert")).to_contain_text("xyzzy")
    expect_total(page, QWEN3_8B_PARAMETERS)  # what was shown stays
    ask(page, "org/Qwen3-8B")
    expect(page.locator(".st-key-recent")).to_contain_text(NAMES[2])
    ask(page, "org/strange")
    assert bool(CHINESE.search(page.get_by_test_id("stAlert").inner_text())) == (language == "zh")
    expect_no_sideways_scrolling(page, width)
    assert violations(page) == []


def test_what_cannot_be_counted_leads_to_the_page_that_reads_headers(opened):
    page = opened("lang=en&model=llama-3-8b")
    open_hub(page)
    ask(page, "org/strange")
    expect_total(page, LLAMA_3_8B)
    page.get_by_role("button", name="See what the weights of org/strange really hold").click()
    wait_until_idle(page)
    expect(page).to_have_title("Real file")
    expect(page.locator(".st-key-source input")).to_have_value("org/strange")
    page.go_back()
    wait_until_idle(page)
    expect_total(page, LLAMA_3_8B)


def test_a_hub_that_does_not_answer_keeps_nobody_from_going_on(opened, hub):
    page, other = opened("lang=en"), opened("lang=zh&model=llama-3-8b")
    open_hub(page)
    hub.fault = "stall"
    field(page).fill("org/nobody-answers")
    field(page).press("Enter")
    expect(page.get_by_text("Asking")).to_be_visible()
    tensor(other, Q).click()
    wait_until_idle(other)
    expect_chosen(other, Q)
    expect(page.get_by_text("Asking")).to_be_visible()  # still: the other visitor did not wait for it
    choose(page, "Llama-3-8B")
    expect_total(page, LLAMA_3_8B)
    expect(page.get_by_text("Asking")).to_have_count(0)
    hub.fault = None
    open_hub(page)
    expect(field(page)).to_have_value("org/nobody-answers")


def test_recent_models_come_back_by_one_click_with_all_they_had(opened, hub):
    page = opened("lang=en&model=config")
    paste(page, QWEN3_0_6B_CONFIG)
    open_hub(page)
    ask(page, "org/Qwen3-8B")
    more = page.get_by_role("combobox", name="More models")
    more.fill("deepseek-v3")
    more.press("Enter")
    wait_until_idle(page)
    hub.asked.clear()
    recent = page.locator(".st-key-recent")
    for label, parameters in (
        ("org/Qwen3-8B", QWEN3_8B_PARAMETERS),
        ("config.json · qwen3", QWEN3_0_6B),
        ("DeepSeek-V3", catalogue()["deepseek-v3"].parameters),
        ("config.json · qwen3", QWEN3_0_6B),
        ("org/Qwen3-8B", QWEN3_8B_PARAMETERS),
    ):
        recent.get_by_role("radio", name=label).click()
        wait_until_idle(page)
        expect_total(page, parameters)
        expect(recent.get_by_role("radio", name=label)).to_be_checked()
        if "config" in label:
            expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)
    expect(field(page)).to_have_value("org/Qwen3-8B")
    choose(page, "中")
    expect(page.locator(".st-key-recent").get_by_role("radio")).to_have_count(3)
    assert hub.asked == []
