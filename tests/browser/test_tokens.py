"""The pages on tokens as a person uses them: type, point, tap, step, search, upload, stop, come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from calc.tokens.encoding import encode

from .conftest import wait_until_idle
from .test_accessibility import violations
from .test_downloads import csv_rows

PAGES = ("tokens", "languages", "merges", "vocabulary", "token_files")
SHOWN = {  # something that stands on a page when its components have drawn themselves
    "tokens": ".chips b",
    "languages": '[data-testid="stVegaLiteChart"] svg, [data-testid="stVegaLiteChart"] canvas',
    "merges": ".merges li[aria-current]",
    "vocabulary": ".entries td",
    "token_files": '[data-testid="stFileUploader"]',
}
WIDER_THAN_THE_SCREEN = "document.documentElement.scrollWidth > innerWidth"
FIELD = ".text-field textarea"


def opened(open_page, path: str, **how) -> Page:
    """A page on tokens with everything drawn."""
    page = open_page(path, **how)
    expect(page.locator(SHOWN[re.search(r"/(\w+)", path)[1]]).first).to_be_visible()
    return page


def count(page: Page, tokenizer: str):
    """The count that stands in a tokenizer's panel."""
    return page.locator(f'[data-tokenizer="{tokenizer}"] strong')


def chips(page: Page, tokenizer: str):
    """Its chips."""
    return page.locator(f'[data-tokenizer="{tokenizer}"] .chips b')


def test_chips_follow_the_typing(open_page):
    page = opened(open_page, "/tokens?lang=en&text=a&tokenizers=llama-2,llama-3")
    field = page.locator(FIELD)
    field.fill("")
    expect(count(page, "llama-2")).to_have_text("0")
    field.focus()
    page.keyboard.type("strawberry")  # and nothing else: neither Enter nor leaving the field
    expect(chips(page, "llama-2")).to_have_text(["▁st", "raw", "berry"])
    expect(chips(page, "llama-3")).to_have_text(["str", "aw", "berry"])
    page.keyboard.type(" 12345")
    expect(count(page, "llama-2")).to_have_text(str(encode("llama-2", "strawberry 12345").count))
    assert (
        field.input_value() == "strawberry 12345"
        and page.evaluate("document.activeElement.shadowRoot?.activeElement.tagName") == "TEXTAREA"
    )
    assert "text=strawberry+12345" in page.url


def test_typing_on_is_never_overwritten(open_page):
    page = opened(open_page, "/tokens?lang=en&text=x&tokenizers=llama-3")
    field = page.locator(FIELD)
    field.fill("")
    written = "The quick brown fox jumps over the lazy dog. " * 3
    field.press_sequentially(written, delay=15)
    expect(count(page, "llama-3")).to_have_text(str(encode("llama-3", written).count))
    assert field.input_value() == written


def test_what_an_input_method_composes_is_sent_when_it_is_finished(open_page):
    page = opened(open_page, "/tokens?lang=zh&text=a&tokenizers=llama-2")
    page.evaluate("""() => {
      const host = [...document.querySelectorAll("*")].find(e => e.shadowRoot?.querySelector(".text-field textarea"));
      const field = window.field = (host?.shadowRoot ?? document).querySelector(".text-field textarea");
      field.focus();
      field.dispatchEvent(new CompositionEvent("compositionstart"));
      field.value = "chi";
      field.dispatchEvent(new InputEvent("input", { isComposing: true }));
    }""")
    page.evaluate("new Promise(done => setTimeout(done, 600))")  # three pauses: what is composed must not be sent
    expect(count(page, "llama-2")).to_have_text(str(encode("llama-2", "a").count))
    page.evaluate("""() => {
      field.value = "吃";
      field.dispatchEvent(new CompositionEvent("compositionend", { data: "吃" }));
    }""")
    expect(count(page, "llama-2")).to_have_text("4")
    expect(page.locator('[data-tokenizer="llama-2"] .group em')).to_have_text("吃")


def test_point_tap_and_walk_by_keyboard(open_page):
    page = opened(open_page, "/tokens?lang=en&text=我吃了&tokenizers=llama-2,llama-3")
    tip = page.locator(".tip")
    expect(tip).to_be_hidden()
    chips(page, "llama-2").nth(3).hover()
    expect(tip).to_contain_text("id 147")
    expect(tip).to_contain_text("U+5403 CJK UNIFIED IDEOGRAPH-5403 byte 2 of 3")
    expect(chips(page, "llama-3").nth(1)).to_have_class(re.compile("same"))
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    chips(page, "llama-3").nth(0).click()
    expect(tip).to_contain_text("E6 88 91")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("E5 90 83")
    page.keyboard.press("End")
    expect(tip).to_contain_text("U+4E86")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+Tab")  # the panel before has one stop of its own
    expect(tip).to_contain_text("id 29871")
    expect(tip).to_contain_text("the space ▁")


def test_examples_reload_and_language_lose_nothing(open_page):
    page = opened(open_page, "/tokens?lang=zh")
    page.get_by_role("button", name="我吃了一个苹果", exact=True).click()
    expect(count(page, "llama-2")).to_have_text("12")
    expect(count(page, "llama-3")).to_have_text("5")
    page.get_by_role("button", name="GPT-2", exact=True).click()
    expect(count(page, "gpt-2")).to_have_text(str(encode("gpt-2", "我吃了一个苹果").count))
    wait_until_idle(page)
    for label in ("EN", "中", "EN"):  # choices were once lost on the second run after the labels changed
        page.get_by_role("radio", name=label, exact=True).click()
        wait_until_idle(page)
        expect(count(page, "llama-2")).to_have_text("12")
        expect(count(page, "gpt-2")).to_be_visible()
        assert page.locator(FIELD).input_value() == "我吃了一个苹果"
    again = opened(open_page, page.url[page.url.index("/tokens") :])
    expect(count(again, "llama-2")).to_have_text("12")
    expect(count(again, "gpt-2")).to_be_visible()
    assert again.locator(FIELD).input_value() == "我吃了一个苹果"


def test_another_page_and_back(open_page):
    page = opened(open_page, "/tokens?lang=en&text=12345&tokenizers=o200k")
    page.locator(FIELD).fill("strawberry 12345")
    expect(count(page, "o200k")).to_have_text(str(encode("o200k", "strawberry 12345").count))
    page.get_by_test_id("stTopNavSection").filter(has_text="Tokens").click()
    page.get_by_role("menuitem", name="The vocabulary").click()
    expect(page.locator(".entries td").first).to_be_visible()
    page.go_back()
    expect(count(page, "o200k")).to_have_text(str(encode("o200k", "strawberry 12345").count))
    assert page.locator(FIELD).input_value() == "strawberry 12345"


def test_the_merges_step_by_step_to_the_end(open_page):
    page = opened(open_page, "/merges?lang=en&tokenizer=llama-2&word=strawberry&step=0")
    lines = page.locator(".merges li")
    expect(lines).to_have_count(1)
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(lines).to_have_count(2)
    expect(lines.last).to_contain_text("1. e + r")
    page.keyboard.press("End")
    expect(lines).to_have_count(9)
    expect(lines.last.locator("b")).to_have_text(["▁st380", "raw1610", "berry16344"])
    expect(page.get_by_text("Done: 3 tokens with the ids 380, 1610, 16344")).to_be_visible()
    page.get_by_role("radio", name="Llama 3", exact=True).click()
    expect(lines.last.locator("b")).to_have_text(["str496", "aw675", "berry15717"])


def test_search_the_vocabulary(open_page):
    page = opened(open_page, "/vocabulary?lang=en&tokenizer=llama-3")
    page.locator(".text-field input").press_sequentially("berry")
    expect(page.locator(".entries tbody tr")).to_have_count(10)
    expect(page.locator(".entries tbody tr").first).to_contain_text("15717")
    page.get_by_role("radio", name="Gemma 3", exact=True).click()
    expect(page.get_by_text(re.compile("of 262,144 entries"))).to_be_visible()
    page.get_by_role("combobox", name="Script").click()
    page.get_by_role("option", name="Han", exact=True).click()
    expect(page.get_by_text(re.compile("^0 found"))).to_be_visible()
    page.locator(".text-field input").fill("吃")
    expect(page.locator(".entries tbody tr").first).to_contain_text("吃")
    for label in ("中", "EN"):
        page.get_by_role("radio", name=label, exact=True).click()
        wait_until_idle(page)
    assert "script=Han" in page.url and page.locator(".text-field input").input_value() == "吃"


def test_a_file_is_counted_and_its_result_saved(open_page, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "x", "text": "strawberry"}\n{"id": "y", "text": "12345"}\n', encoding="utf-8")
    page = opened(open_page, "/token_files?lang=en&tokenizers=llama-2,llama-3")
    page.locator("input[type=file]").last.set_input_files(tmp_path / "a.jsonl")
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.locator(".plain-table")).to_contain_text("Llama 2")
    expect(page.locator('[data-rows="2"]')).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Result as CSV").click()
    saved = Path(tmp_path, "saved.csv")
    waiting.value.save_as(saved)
    rows = csv_rows(saved)
    assert list(rows[0]) == ["row", "characters", "bytes (UTF-8)", "Llama 2", "Llama 3"]
    assert [list(row.values()) for row in rows] == [["1", "10", "10", "3", "3"], ["2", "5", "5", "6", "2"]]


def test_a_long_count_is_stopped_while_the_page_stays_alive(open_page, tmp_path):
    line = "".join(chr(0x4E00 + place) for place in range(0, 20_000, 7)) + "\n"
    (tmp_path / "long.txt").write_text(line * 5_000, encoding="utf-8")  # 43 MB
    page = opened(
        open_page, "/token_files?lang=en&tokenizers=llama-2,llama-3,qwen3,deepseek-v3,glm-4,kimi,gemma,mistral,o200k,gpt-2"
    )
    page.locator("input[type=file]").last.set_input_files(tmp_path / "long.txt")
    page.get_by_role("button", name="Count", exact=True).click(timeout=60_000)
    expect(page.get_by_text(re.compile("tokens so far"))).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped: below is only what was counted until then.")).to_be_visible(timeout=30_000)
    expect(page.locator(".plain-table")).to_contain_text("GPT-2")


def test_a_wrong_tokenizer_file_is_one_line(open_page, tmp_path):
    (tmp_path / "tokenizer.json").write_text('{"not": "a tokenizer"}', encoding="utf-8")
    page = opened(open_page, "/tokens?lang=zh")
    page.get_by_role("button", name=re.compile("别的分词器")).click()
    page.locator("input[type=file]").set_input_files(tmp_path / "tokenizer.json")
    expect(page.get_by_test_id("stAlert")).to_contain_text("不是分词器文件")
    expect(page.locator(".chips b").first).to_be_attached()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_phone_shows_everything_without_scrolling_sideways(open_page, name, language):
    page = opened(open_page, f"/{name}?lang={language}", width=390, height=844)
    wait_until_idle(page)
    assert not page.evaluate(WIDER_THAN_THE_SCREEN)
    if name == "tokens":
        chips(page, "llama-2").nth(3).tap() if page.evaluate("'ontouchstart' in window") else chips(page, "llama-2").nth(
            3
        ).click()
        box = page.locator(".tip").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_clean(open_page, name, scheme):
    page = opened(open_page, f"/{name}?lang=zh" + ("&options=special,ids" if name == "tokens" else ""), color_scheme=scheme)
    wait_until_idle(page)
    assert violations(page) == []
    if name == "tokens":
        chips(page, "llama-2").nth(4).click()
        expect(page.locator(".tip")).to_be_visible()
        assert violations(page) == []
