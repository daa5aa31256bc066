"""The pages on compute as a person uses them: type, slide, open a derivation, switch the language, reload, download."""

from __future__ import annotations

import pandas
import pytest
from playwright.sync_api import Page, expect

from .conftest import wait_until_idle
from .test_accessibility import violations
from .test_compare import WIDER_THAN_THE_SCREEN, saved
from .test_downloads import csv_rows


def type_into(page: Page, label: str, text: str) -> None:
    """Fill a field and leave it."""
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")
    wait_until_idle(page)


def headline(page: Page) -> str:
    return page.locator(".headline").inner_text()


def wait_until_drawn(page: Page) -> None:
    """Wait for the charts, which draw themselves after the page is idle."""
    for chart in page.get_by_test_id("stVegaLiteChart").all():
        expect(chart.locator("canvas, svg").first).to_be_visible()


def test_a_line_opens_into_its_derivation(open_page):
    page = open_page("/flops?lang=en&model=llama-2-7b")
    expect(page.locator(".headline .total")).to_have_text("13,214,154,752")
    line = page.locator("details", has_text="gate_proj").first
    line.locator("summary").click()
    expect(line.locator(".how")).to_contain_text("2 × d × d_ff × 32")
    expect(line.locator(".how")).to_contain_text("2 × 4,096 × 11,008 × 32 = 2,885,681,152")


def test_the_section_is_marked_in_the_navigation(open_page):
    page = open_page("/flops?lang=en")
    section = page.get_by_test_id("stTopNavSection").filter(has_text="Compute")
    assert section.evaluate("e => getComputedStyle(e).borderBottomWidth") == "2px"
    first = page.get_by_test_id("stTopNavLink").first
    assert first.evaluate("e => getComputedStyle(e).borderBottomColor") == "rgba(0, 0, 0, 0)"
    section.click()
    page.get_by_role("menuitem", name="Training").click()
    wait_until_idle(page)
    assert "/training" in page.url and "8.09e22" in headline(page)


def test_slide_type_and_reload_from_the_address(open_page):
    page = open_page("/training?lang=en&model=llama-2-7b")
    slider = page.get_by_role("slider")
    slider.focus()
    for _ in range(2):
        slider.press("ArrowLeft")
    wait_until_idle(page)
    expect(page.get_by_label("training tokens D", exact=True)).to_have_value("1T")
    assert "4.04e22" in headline(page) and "tokens=1T" in page.url
    type_into(page, "training tokens D", "2e12")
    type_into(page, "utilisation", "39.06%")
    assert "8.09e22" in headline(page)
    before = headline(page)
    again = open_page(page.url)
    expect(again.get_by_label("training tokens D", exact=True)).to_have_value("2e12")
    expect(again.get_by_label("utilisation", exact=True)).to_have_value("39.06%")
    assert headline(again) == before


def test_the_language_switch_keeps_everything_over_two_reruns(open_page):
    page = open_page("/inference?lang=en&prompt=2000&generated=50&requests=5M&gpu=T4&weight_bits=8&batch=16&model=tinyllama-1.1b")
    before = page.locator(".headline .total").inner_text()
    page.get_by_role("radio", name="中").first.click()
    wait_until_idle(page)
    type_into(page, "生成 G（token）", "40")
    type_into(page, "生成 G（token）", "0")
    expect(page.get_by_test_id("stAlert")).to_contain_text("大于 0")
    type_into(page, "生成 G（token）", "48")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    for kept in ("prompt=2000", "generated=48", "requests=5M", "gpu=T4", "weight_bits=8", "batch=16", "lang=zh"):
        assert kept in page.url
    expect(page.get_by_label("提示 P（token）", exact=True)).to_have_value("2000")
    assert abs(float(page.locator(".headline .total").inner_text().split()[0]) - float(before.split()[0])) < 0.1


def test_what_is_wrong_stays_beside_its_field(open_page):
    page = open_page("/training?lang=zh")
    type_into(page, "利用率", "140%")
    expect(page.get_by_test_id("stAlert")).to_contain_text("利用率")
    field, alert = page.get_by_label("利用率", exact=True), page.get_by_test_id("stAlert")
    expect(field).to_have_value("140%")
    assert abs(field.bounding_box()["x"] - alert.bounding_box()["x"]) < 20
    assert 0 < alert.bounding_box()["y"] - field.bounding_box()["y"] < 90


def test_the_files_are_of_what_is_on_the_page(open_page, tmp_path):
    page = open_page("/flops?lang=zh&model=llama-2-7b&context=1000")
    rows = csv_rows(saved(page, "本页全部数字 CSV", tmp_path))
    assert {"组", "数字", "值", "单位", "算式"} == set(rows[0])
    matrices = [int(row["值"]) for row in rows if row["组"] == "逐个矩阵"]
    assert sum(matrices) == 13_214_154_752 + 524_288 * 1000
    page = open_page("/training?lang=en")
    frame = pandas.read_csv(saved(page, "Published runs, CSV", tmp_path))
    low = frame.set_index("model")["utilisation, low"]
    assert [round(100 * low[name], 1) for name in ("Llama-2-7B", "Llama-2-13B", "Llama-2-70B")] == [39.1, 37.7, 42.8]
    figures = pandas.read_csv(saved(page, "All figures, CSV", tmp_path)).set_index("figure")["value"]
    assert float(figures["rule of thumb 6ND"]) == pytest.approx(6 * 6_738_415_616 * 2e12)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        "/flops?lang=zh&model=deepseek-v3",
        "/inference?lang=en&model=deepseek-v3&batch=64&prompt=0",
        "/training?lang=zh&model=gpt2&utilisation=140%25",
    ],
)
def test_the_pages_are_clean_and_fit_a_phone(open_page, scheme, path):
    page = open_page(path, color_scheme=scheme)
    wait_until_drawn(page)
    assert violations(page) == []
    phone = open_page(path, width=390, height=844, color_scheme=scheme)
    wait_until_drawn(phone)
    for row in phone.locator(".worked summary").all()[:6]:
        row.click()
    assert not phone.evaluate(WIDER_THAN_THE_SCREEN) and violations(phone) == []
