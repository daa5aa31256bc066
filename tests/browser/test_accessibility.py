"""The parts page for everyone: axe-core without violations, and contrast where axe does not look."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from .parts_page import LLAMA_3_8B, K, choose, expect_total, paste, set_field

axe = Axe()


# Streamlit 1.67 gives the drop zone of st.file_uploader role="presentation" and a label at once. The zone is not in
# the order of Tab; the button inside it is, and has a name.
# Its folded menu, once pages stand in sections, puts the sections between the list and its items. Our own lists have no
# class of Streamlit's.
STREAMLITS_OWN = [
    ("presentation-role-conflict", 'data-testid="stFileUploaderDropzone"'),
    ("list", 'data-testid="stSidebarNavItems"'),
    ("listitem", '<li class="st-emotion-cache'),
]


def violations(page: Page) -> list[str]:
    """What axe-core finds, one line for each element, without what only Streamlit could mend."""
    found = axe.run(page).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['html'][:160]}"
        for rule in found
        for node in rule["nodes"]
        if not any(rule["id"] == known and mark in node["html"] for known, mark in STREAMLITS_OWN)
    ]


CONTRAST = """
() => {
  const light = channel => channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  const luminance = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
    return 0.2126 * light(r / 255) + 0.7152 * light(g / 255) + 0.0722 * light(b / 255);
  };
  const ratio = (one, other) => {
    const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const root = document.querySelector(".stApp");
  const diagram = [...document.querySelectorAll("*")].find(e => e.shadowRoot?.querySelector(".diagram"))?.shadowRoot ?? document;
  const panel = getComputedStyle(diagram.querySelector(".panel")).fill;
  const grounds = [getComputedStyle(root).backgroundColor, panel];
  return [...diagram.querySelectorAll("svg text")].map(text => {
    const fill = getComputedStyle(text).fill;
    return [text.textContent, Math.min(...grounds.map(ground => ratio(fill, ground)))];
  });
}
"""


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_clean_in_both_languages(open_page, scheme, width):
    page = open_page(f"/parts?lang=zh&model=llama-3-8b&tensor={K}", width=width, color_scheme=scheme)
    for language, label in (("zh", None), ("en", "EN")):
        if label:
            choose(page, label)
        expect_total(page, LLAMA_3_8B)
        expect(page.get_by_role("button", name="PNG")).to_be_visible()  # the picture's script has run
        assert violations(page) == [], language
        texts = page.evaluate(CONTRAST)
        assert len(texts) > 20
        assert [(text, ratio) for text, ratio in texts if ratio < 4.5] == [], "labels of the picture are legible"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_clean_with_everything_opened(open_page, scheme):
    page = open_page("/parts?lang=en&model=llama-3-8b", color_scheme=scheme)
    set_field(page, "layers L", "40")
    for row in page.locator(".addition summary").all():
        row.click()
    assert violations(page) == []
    set_field(page, "layers L", "0")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_clean_with_an_own_config_and_its_fault(open_page, scheme):
    page = open_page("/parts?lang=zh&model=config", color_scheme=scheme)
    expect(page.get_by_role("button", name="下载 PNG")).to_be_visible()  # the picture's script has run
    assert violations(page) == []
    paste(page, '{"hidden_size": oops')
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    assert violations(page) == []


def test_the_document_says_its_language(open_page):
    page = open_page("/parts?lang=zh")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    choose(page, "EN")
    assert page.evaluate("document.documentElement.lang") == "en"
