"""The comparison as a person uses it: add, sort, move, hide, work out, download, reload from the address."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest
from playwright.sync_api import Page, expect

from .conftest import wait_until_idle
from .test_accessibility import violations
from .test_downloads import csv_rows

TITLES = ["Llama-2-7B", "Llama-2-13B", "Llama-3-8B", "TinyLlama-1.1B"]
WIDER_THAN_THE_SCREEN = "document.documentElement.scrollWidth > innerWidth"


def titles(page: Page) -> list[str]:
    """The models of the table from top to bottom."""
    expect(page.locator(".comparison tbody .title").first).to_be_visible()
    return page.locator(".comparison tbody .title").all_inner_texts()


def wait_until_drawn(page: Page) -> None:
    """Wait for the components, which draw themselves after the page is idle."""
    if "/compare" in page.url:
        titles(page)
    else:
        saves = page.locator('[data-save="png"]')
        expect(saves).to_have_count(2)
        for button in saves.all():
            expect(button).to_be_visible()


def press(page: Page, do: str, on: str) -> None:
    """Press a button of the table."""
    page.locator(f'.comparison button[data-do="{do}"][data-on="{on}"]').click()
    wait_until_idle(page)


def saved(page: Page, label: str, folder: Path) -> Path:
    """Click a download; the file."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_sort_move_remove_and_reload(open_page):
    page = open_page("/compare?lang=en")
    assert titles(page) == TITLES
    press(page, "sort", "parameters")
    assert titles(page) == ["TinyLlama-1.1B", "Llama-2-7B", "Llama-3-8B", "Llama-2-13B"]
    press(page, "sort", "parameters")
    assert titles(page)[0] == "Llama-2-13B" and "sort=-parameters" in page.url
    press(page, "down", "0")
    assert titles(page) == ["Llama-3-8B", "Llama-2-13B", "Llama-2-7B", "TinyLlama-1.1B"] and "sort" not in page.url
    press(page, "remove", "2")
    assert titles(page) == ["Llama-3-8B", "Llama-2-13B", "TinyLlama-1.1B"]
    press(page, "cell", "0.parameters")
    expect(page.locator(".tensor-card")).to_contain_text("8,030,261,248")
    again = open_page(page.url)
    expect(again.locator(".comparison tbody .title")).to_have_text(["Llama-3-8B", "Llama-2-13B", "TinyLlama-1.1B"])
    expect(again.locator(".tensor-card")).to_contain_text("8,030,261,248")


def test_hide_columns_add_a_model_and_take_the_tables_home(open_page, tmp_path):
    page = open_page("/compare?lang=zh")
    page.get_by_role("combobox", name="添加模型").click()
    page.get_by_role("option", name="GPT-2", exact=True).click()
    wait_until_idle(page)
    assert titles(page) == [*TITLES, "GPT-2"]
    page.get_by_role("button", name="配置", exact=True).click()
    wait_until_idle(page)
    shown = csv_rows(saved(page, "此表 CSV", tmp_path))
    full = saved(page, "全部列 CSV", tmp_path)
    assert len(shown) == 5 and "隐藏维度" not in " ".join(shown[0])
    frame = pandas.read_csv(full)
    assert len(frame) == 5 and len(frame.columns) > 40
    assert frame["参数量（精确），个参数"].tolist() == [6738415616, 13015864320, 8030261248, 1100048384, 124439808]
    document = json.loads(saved(page, "JSON", tmp_path).read_text(encoding="utf-8"))
    assert [model["parameters"] for model in document] == frame["参数量（精确），个参数"].tolist()
    markdown = saved(page, "Markdown", tmp_path).read_text(encoding="utf-8").splitlines()
    assert len(markdown) == 7 and "13,015,864,320" in markdown[3]


def test_the_language_switch_keeps_the_comparison_over_two_reruns(open_page):
    page = open_page("/compare?lang=en&models=gpt2,llama-3-8b&groups=parts-memory&sort=-parameters")
    page.get_by_role("radio", name="中").click()
    wait_until_idle(page)
    assert titles(page) == ["Llama-3-8B", "GPT-2"]
    press(page, "sort", "fp16_bytes")
    assert titles(page) == ["GPT-2", "Llama-3-8B"] and "groups=parts-memory" in page.url
    expect(page.locator(".comparison thead")).to_contain_text("显存")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/compare?lang=zh&models=llama-2-7b,deepseek-v3,gpt2", "/difference?lang=en"])
def test_the_pages_are_clean_and_fit_a_phone(open_page, scheme, path):
    page = open_page(path, color_scheme=scheme)
    wait_until_drawn(page)
    assert violations(page) == []
    phone = open_page(path, width=390, height=844, color_scheme=scheme)
    wait_until_drawn(phone)
    assert not phone.evaluate(WIDER_THAN_THE_SCREEN) and violations(phone) == []


def test_two_models_are_drawn_on_one_scale(open_page):
    page = open_page("/difference?lang=en&before=tinyllama-1.1b&after=llama-2-7b")
    box = [
        page.locator('.tensor[data-tensor="model.layers.*.self_attn.q_proj.weight"] .matrix').nth(n).bounding_box()
        for n in (0, 1)
    ]
    assert box[1]["width"] / box[0]["width"] == pytest.approx(2, rel=0.03)  # 4096 against 2048


def test_another_pair_is_chosen_and_the_average_opens(open_page):
    page = open_page("/difference?lang=en")
    page.get_by_role("combobox", name="To").click()
    page.get_by_role("option", name="TinyLlama-1.1B", exact=True).click()
    wait_until_idle(page)
    expect(page.locator(".headline .total")).to_have_text("−5,638,367,232")
    page.get_by_text("Without an order").click()
    wait_until_idle(page)
    expect(page.locator(".plain-table")).to_contain_text("−480,772,096")


def test_the_difference_is_taken_home_in_the_readers_language(open_page, tmp_path):
    page = open_page("/difference?lang=zh")
    rows = csv_rows(saved(page, "差额 CSV", tmp_path))
    assert list(rows[0]) == ["分法", "步骤", "改动", "增量（个参数）"]
    assert sum(int(row["增量（个参数）"]) for row in rows if row["分法"] == "按原因") == 1_291_845_632
