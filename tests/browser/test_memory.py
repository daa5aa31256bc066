"""The pages on memory as a person uses them: change a format, a context, a GPU; reload; save; on a phone, in the dark."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from .conftest import wait_until_idle
from .test_accessibility import violations
from .test_compare import WIDER_THAN_THE_SCREEN, saved
from .test_downloads import csv_rows

PAGES = ("formats", "kv_cache", "fit", "decode", "training_memory", "units")
CHARTS = {"kv_cache": 1, "decode": 1}


def wait_until_drawn(page: Page, name: str) -> None:
    """Wait for the charts, which draw themselves after the page is idle."""
    expect(page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)")).to_have_count(CHARTS.get(name, 0))


def choose_in(page: Page, label: str, option: str) -> None:
    """Choose in a list; what is typed cuts it down to what can be seen."""
    page.get_by_role("combobox", name=label, exact=True).fill(option)
    page.get_by_role("option", name=option, exact=True).click()
    wait_until_idle(page)


def fill(page: Page, label: str, value: str) -> None:
    """Type into a field and leave it."""
    page.get_by_label(label, exact=True).fill(value)
    page.keyboard.press("Enter")
    wait_until_idle(page)


def test_another_format_context_and_gpu_stand_in_the_address(open_page):
    page = open_page("/fit?lang=en")
    verdict = page.locator("[data-verdict]")
    expect(verdict).to_have_attribute("data-verdict", "does_not_fit")
    choose_in(page, "format of the weights", "GGUF Q4_K_M")
    expect(verdict).to_have_attribute("data-verdict", "fits")
    choose_in(page, "GPU", "typed in …")
    fill(page, "its memory, GB", "6")
    expect(verdict).to_have_attribute("data-verdict", "does_not_fit")
    fill(page, "context T, tokens", "512")
    expect(page.locator(".story")).to_contain_text("1 × 512 tokens")
    for told in ("format=Q4_K_M", "gpu=own", "own_memory=6", "context=512"):
        assert told in page.url
    again = open_page(page.url)
    expect(again.locator("[data-left]")).to_have_attribute("data-left", verdict.get_attribute("data-left"))
    expect(again.get_by_label("its memory, GB")).to_have_value("6")


def test_the_language_switch_loses_nothing_over_two_reruns(open_page):
    page = open_page("/kv_cache?lang=en&model=gemma-3-27b&format=nf4-dq&context=9000&batch=3&cache_dtype=q8_0")
    bytes_before = page.locator("[data-total]").get_attribute("data-total")
    page.get_by_role("radio", name="中").click()
    wait_until_idle(page)
    fill(page, "批大小 B（序列数）", "6")
    expect(page.locator("[data-total]")).to_have_attribute("data-total", str(2 * int(bytes_before)))
    expect(page.get_by_role("combobox", name="权重的格式")).to_have_value("NF4（双重量化）")
    for told in ("format=nf4-dq", "context=9000", "batch=6", "cache_dtype=q8_0"):
        assert told in page.url


def test_a_fault_is_said_beside_the_field_and_goes_when_it_is_mended(open_page):
    page = open_page("/kv_cache?lang=zh")
    fill(page, "上下文 T（token）", "0")
    fault = page.get_by_test_id("stAlert")
    expect(fault).to_contain_text("必须大于 0")
    field, said = page.get_by_label("上下文 T（token）", exact=True), fault.bounding_box()
    assert abs(field.bounding_box()["x"] - said["x"]) < 40 and said["y"] - field.bounding_box()["y"] < 120
    expect(field).to_have_value("0")
    fill(page, "上下文 T（token）", "100")
    expect(fault).to_have_count(0)
    expect(page.locator("[data-total]")).to_have_attribute("data-total", "52428800")


def test_the_tables_are_taken_home(open_page, tmp_path):
    page = open_page("/formats?lang=zh&format=Q4_K_M")
    formats = csv_rows(saved(page, "这张表 CSV", tmp_path))
    [row] = [row for row in formats if row["格式"] == "GGUF Q4_K_M"]
    assert row["字节（B）"] == "4080263168"
    tensors = csv_rows(saved(page, "逐个张量 CSV", tmp_path))
    assert sum(int(row["字节（B）"]) for row in tensors) == 4_080_263_168
    page.get_by_text("逐个张量", exact=True).click()
    wait_until_idle(page)
    expect(page.locator(".plain-table tbody tr")).to_have_count(len(tensors))


def test_files_are_written_in_the_language_of_the_page(open_page, tmp_path):
    page = open_page("/fit?lang=zh&model=tinyllama-1.1b", locale="en-US")
    headings = [heading for label in ("所有 GPU CSV", "这块 GPU CSV") for heading in csv_rows(saved(page, label, tmp_path))[0]]
    assert sum(any("\u4e00" <= letter <= "\u9fff" for letter in heading) for heading in headings) > len(headings) / 2
    picture = saved(page, "图 SVG", tmp_path).read_text(encoding="utf-8")
    assert "权重" in picture and "weights" not in picture


def test_the_picture_of_every_gpu_is_taken_home(open_page, tmp_path):
    page = open_page("/fit?lang=en&format=Q4_K_M")
    path: Path = saved(page, "Picture, SVG", tmp_path)
    drawing = ElementTree.parse(path).getroot()
    written = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert path.name == "Llama-2-7B-gpus.svg" and "H100 SXM" in written and any("Q4_K_M" in words for words in written)
    rows = csv_rows(saved(page, "All GPUs, CSV", tmp_path))
    [t4] = [row for row in rows if row["GPU"] == "T4"]
    assert (t4["weights, B"], t4["KV cache and states, B"], t4["memory, B"]) == ("4080263168", "2147483648", str(15_360 * 2**20))


def test_the_decode_floor_moves_with_the_format(open_page):
    page = open_page("/decode?lang=en&model=tinyllama-1.1b")
    expect(page.locator(".headline")).to_contain_text("6.88 ms · 145 token/s")
    choose_in(page, "format of the weights", "GGUF Q8_0")
    expect(page.locator(".headline")).not_to_contain_text("6.88 ms")
    row = page.locator('details[data-gpu="T4"]')
    row.locator("summary").click()
    expect(row.locator(".how")).to_contain_text("÷ 320,000,000,000 B/s")


def test_training_with_adapters(open_page):
    page = open_page("/training_memory?lang=en")
    page.get_by_role("radio", name="QLoRA").click()
    wait_until_idle(page)
    fill(page, "rank r", "8")
    expect(page.locator("section.worked").last).to_contain_text("B·A beside each matrix")
    expect(page.locator(".headline")).to_contain_text("19,988,480")
    assert "method=qlora" in page.url and "rank=8" in page.url


def test_a_row_opens_with_the_keyboard(open_page):
    page = open_page("/formats?lang=en")
    row = page.locator('details[data-format="Q4_K_M"]')
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(row.locator(".how")).to_contain_text(re.compile("= 1,152 bit ÷ 256 = 4.5 bit"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_clean_and_fit_a_phone(open_page, name, scheme):
    path = f"/{name}?lang={'zh' if scheme == 'light' else 'en'}&model={'llama-2-7b' if scheme == 'light' else 'deepseek-v3'}&method=lora"
    page = open_page(path, color_scheme=scheme)
    wait_until_drawn(page, name)
    assert violations(page) == []
    phone = open_page(path, width=390, height=844, color_scheme=scheme)
    wait_until_drawn(phone, name)
    assert not phone.evaluate(WIDER_THAN_THE_SCREEN) and violations(phone) == []
