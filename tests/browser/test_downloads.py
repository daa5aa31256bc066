"""Every file a person can take home from the parts page, read back with other programs than those that wrote it."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pandas
import pytest
from PIL import Image
from playwright.sync_api import Page

from .conftest import wait_until_idle
from .parts_page import (
    LLAMA_2_13B,
    LLAMA_3_8B,
    LLAMA_3_8B_LAYER,
    QWEN3_0_6B,
    QWEN3_0_6B_CONFIG,
    K,
    choose,
    expect_total,
    paste,
    set_field,
    tensor,
)

SVG = "{http://www.w3.org/2000/svg}"
CHINESE = re.compile("[\u4e00-\u9fff]")
LABELS = {
    "csv": {"zh": "零件清单 CSV", "en": "Parts list, CSV"},
    "md": {"zh": "演算单 Markdown", "en": "Worksheet, Markdown"},
    "svg": {"zh": "下载 SVG", "en": "Save SVG"},
    "png": {"zh": "下载 PNG", "en": "Save PNG"},
}
ADDS = {"zh": "计入总数", "en": "adds to the total"}


def download(page: Page, form: str, language: str, folder: Path) -> Path:
    """Click the button of a form of file; the file under the name it was offered."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=LABELS[form][language]).click()
    assert waiting.value.failure() is None
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.suffix == f".{form}" and path.stat().st_size > 0
    return path


def csv_rows(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV. Fails where Excel would not read it: no byte-order mark, or bare line feeds."""
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\n") == content.count(b"\r\n") > 1
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_csv_and_the_worksheet_are_of_what_is_on_the_page(open_page, tmp_path, language):
    page = open_page(f"/parts?lang={language}&model=llama-3-8b")
    path = download(page, "csv", language, tmp_path)
    assert path.name == "Llama-3-8B-parts.csv"
    rows = csv_rows(path)
    assert sum(int(row[ADDS[language]]) for row in rows) == LLAMA_3_8B
    assert len(rows) == 12 and all(bool(CHINESE.search(heading)) == (language == "zh") for heading in rows[0])
    frame = pandas.read_csv(path)
    assert list(frame.columns) == list(rows[0]) and frame[ADDS[language]].sum() == LLAMA_3_8B
    [key] = [row for row in rows if K in row.values()]
    assert "1024 × 4096" in key.values() and "d × n_kv·head_dim" in key.values()

    text = download(page, "md", language, tmp_path).read_text(encoding="utf-8")
    assert "Llama-3-8B" in text.splitlines()[0] and "**8,030,261,248**" in text
    assert bool(CHINESE.search(text)) == (language == "zh")

    set_field(page, {"zh": "层数 L", "en": "layers L"}[language], "40")
    total = LLAMA_3_8B + 8 * LLAMA_3_8B_LAYER
    expect_total(page, total)
    changed = download(page, "csv", language, tmp_path)
    assert sum(int(row[ADDS[language]]) for row in csv_rows(changed)) == total
    assert changed.name != path.name, "a changed model is not filed under the name of the original"
    text = download(page, "md", language, tmp_path).read_text(encoding="utf-8")
    assert f"**{total:,}**" in text and "8.03B" not in text

    choose(page, "Llama-2-13B")
    expect_total(page, LLAMA_2_13B)
    path = download(page, "csv", language, tmp_path)
    assert path.name == "Llama-2-13B-parts.csv"
    assert sum(int(row[ADDS[language]]) for row in csv_rows(path)) == LLAMA_2_13B


def test_the_files_of_an_own_config_have_a_name_and_its_total(open_page, tmp_path):
    page = open_page("/parts?lang=zh&model=config")
    paste(page, QWEN3_0_6B_CONFIG)
    expect_total(page, QWEN3_0_6B)
    path = download(page, "csv", "zh", tmp_path)
    assert re.fullmatch(r"[\w.-]+\.csv", path.name) and CHINESE.search(path.name)
    assert sum(int(row[ADDS["zh"]]) for row in csv_rows(path)) == QWEN3_0_6B
    assert "**596,049,920**" in download(page, "md", "zh", tmp_path).read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "width", "scheme"), [("zh", 1440, "dark"), ("en", 1440, "light"), ("zh", 390, "light")])
def test_the_picture_is_complete_in_any_viewer(open_page, tmp_path, language, width, scheme):
    """Black on white also from a dark page, with its labels, and nothing that only the page could resolve."""
    page = open_page(f"/parts?lang={language}&model=llama-3-8b&tensor={K}", width=width, color_scheme=scheme)
    path = download(page, "svg", language, tmp_path)
    assert path.name == "Llama-3-8B-parts.svg"
    source = path.read_text(encoding="utf-8")
    for foreign in ("var(", "light-dark(", "url(", "http://127", "<script", "<foreignObject"):
        assert foreign not in source
    svg = ElementTree.fromstring(source)
    assert svg.tag == f"{SVG}svg"
    width_px, height_px = (float(svg.get(side)) for side in ("width", "height"))
    assert [float(number) for number in svg.get("viewBox").split()] == pytest.approx([0, 0, width_px, height_px], abs=0.01)
    paper = svg[0]
    assert paper.tag == f"{SVG}rect" and paper.get("fill") == "#ffffff"
    assert (float(paper.get("width")), float(paper.get("height"))) == (width_px, height_px)
    labels = ["".join(label.itertext()) for label in svg.iter(f"{SVG}text")]
    assert bool(CHINESE.search("".join(labels))) == (language == "zh")
    assert {"q_proj", "k_proj", "gate_proj", "lm_head", {"zh": "注意力", "en": "attention"}[language]} <= set(labels)
    assert "8,030,261,248" in "".join(labels)
    assert len([rect for rect in svg.iter(f"{SVG}rect") if rect.get("class") == "matrix"]) == 9
    titles = [title.text for title in svg.iter(f"{SVG}title")]
    assert any("k_proj" in title and "4,194,304" in title for title in titles), "a tooltip in a viewer"

    with Image.open(download(page, "png", language, tmp_path)) as image:
        image.load()
        assert image.format == "PNG" and image.size == (round(3 * width_px), round(3 * height_px))
        picture = image.convert("RGB")
    assert [picture.getpixel(corner) for corner in ((0, 0), (picture.width - 1, picture.height - 1))] == [(255, 255, 255)] * 2
    [table] = [g for g in svg.iter(f"{SVG}g") if g.get("data-tensor") == "model.embed_tokens.weight"]
    [rect] = [rect for rect in table.iter(f"{SVG}rect") if rect.get("class") == "matrix"]
    middle = tuple(round(3 * (float(rect.get(at)) + float(rect.get(side)) / 3)) for at, side in (("x", "width"), ("y", "height")))
    # A fifth of #0072B2 on white.
    assert picture.getpixel(middle) == pytest.approx((204, 227, 240), abs=3)
    heading = next(label for label in svg.iter(f"{SVG}text") if label.text)
    x, y = (round(3 * float(heading.get(at))) for at in ("x", "y"))
    inked = picture.crop((x, y - 36, x + 60, y)).convert("L").getextrema()
    assert inked[0] < 90 and inked[1] == 255, "the first heading is written in ink"


def test_the_picture_of_a_changed_model_is_the_changed_one(open_page, tmp_path):
    page = open_page("/parts?lang=en&model=llama-2-7b")
    set_field(page, "kv heads n_kv", "8")
    tensor(page, K).click()
    wait_until_idle(page)
    svg = ElementTree.fromstring(download(page, "svg", "en", tmp_path).read_text(encoding="utf-8"))
    [group] = [g for g in svg.iter(f"{SVG}g") if g.get("data-tensor") == K]
    [rect] = [rect for rect in group.iter(f"{SVG}rect") if rect.get("class") == "matrix"]
    assert float(rect.get("height")) / float(rect.get("width")) == pytest.approx(4, rel=0.02)
