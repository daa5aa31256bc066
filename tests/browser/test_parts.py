"""The parts page in a browser: diagram, keyboard, models, what if, own configs, addresses, phone, light and dark."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from catalogue_sample import SAMPLE
from playwright.sync_api import Page, expect

from calc.model import Model
from ui.diagram.component import NARROW, WIDE, picture

from .conftest import wait_until_idle
from .parts_page import (
    LLAMA_2_7B,
    LLAMA_2_13B,
    LLAMA_3_8B,
    LLAMA_3_8B_LAYER,
    QWEN3_0_6B,
    QWEN3_0_6B_CONFIG,
    TEXTAREA,
    K,
    Q,
    choose,
    expect_chosen,
    expect_sum,
    expect_total,
    focused,
    paste,
    query,
    set_field,
    tensor,
    what_if,
)

GATE = "model.layers.*.mlp.gate_proj.weight"
CHINESE = re.compile("[\u4e00-\u9fff]")
LINE = "0123456789abcde\n"


def test_a_deep_link_is_the_first_request_of_a_fresh_server(fresh_server, open_page):
    page = open_page(f"{fresh_server}/parts?lang=zh&model=llama-3-8b&tensor={Q}")
    expect(page).to_have_title("零件图")
    expect_total(page, LLAMA_3_8B)
    expect_sum(page, LLAMA_3_8B)
    expect_chosen(page, Q)
    expect(page.locator(".tensor-card")).to_contain_text("查询矩阵")
    assert query(page) == {"lang": "zh", "model": "llama-3-8b", "tensor": Q}


class TestDiagram:
    """Choosing a matrix in the picture."""

    def test_a_click_on_a_matrix_chooses_it(self, open_page):
        page = open_page("/parts?lang=en&model=llama-2-7b")
        for name, says in ((Q, "4,096 × 32·128"), ("lm_head.weight", "4,096 × 32,000"), ("model.norm.weight", "length 4,096")):
            tensor(page, name).click()
            wait_until_idle(page)
            expect_chosen(page, name)
            expect(page.locator(".tensor-card")).to_contain_text(says)
        assert query(page)["tensor"] == "model.norm.weight"

    def test_the_keyboard_alone_reaches_and_chooses_a_matrix(self, open_page):
        page = open_page(f"/parts?lang=en&model=llama-2-7b&tensor={Q}")
        for _ in range(40):
            page.keyboard.press("Tab")
            if focused(page):
                break
        assert focused(page) == Q, "Tab comes to the chosen matrix"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
        assert focused(page) == K
        expect_chosen(page, Q)  # looking around chooses nothing
        page.keyboard.press("Enter")
        wait_until_idle(page)
        expect_chosen(page, K)
        assert focused(page) == K, "the run of the page leaves the focus where it was"
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press(" ")
        wait_until_idle(page)
        expect_chosen(page, "model.layers.*.input_layernorm.weight")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        assert focused(page) == "lm_head.weight", "from the first, back to the last"
        page.keyboard.press("Tab")
        assert focused(page) is None, "the picture is one stop of Tab"

    def test_the_list_beside_the_picture_chooses_as_well(self, open_page):
        page = open_page("/parts?lang=zh&model=gpt2")
        page.get_by_role("combobox", name="零件").click()
        page.get_by_role("option", name="transformer.h.*.attn.c_attn.bias").click()
        wait_until_idle(page)
        expect(page.locator(".tensor-card h2")).to_contain_text("c_attn")
        expect(page.locator(".tensor-card")).to_contain_text("2,304")
        assert query(page)["tensor"] == "transformer.h.*.attn.c_attn.bias"
        page.get_by_role("combobox", name="零件").click()
        page.get_by_role("option", name="transformer.wpe.weight").click()
        wait_until_idle(page)
        expect_chosen(page, "transformer.wpe.weight")

    def test_a_tooltip_appears_under_the_mouse_and_goes_with_it(self, open_page):
        page = open_page("/parts?lang=zh&model=llama-3-8b")
        tip = page.locator(".tip")
        expect(tip).to_be_hidden()
        for name, says in ((K, "k_proj：进 4,096，出 1,024，4,194,304 个参数"), ("lm_head.weight", "525,336,576")):
            tensor(page, name).hover()
            expect(tip).to_be_visible()
            expect(tip).to_contain_text(says)
            box, frame = tip.bounding_box(), page.locator(".diagram").bounding_box()
            assert box["x"] >= frame["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"]
        page.mouse.move(5, 5)
        expect(tip).to_be_hidden()

    def test_labels_stand_apart_in_every_picture(self, browser):
        """With the fonts of a real browser: no label on another, on a matrix, or beyond the edge."""
        page = browser.new_page()
        faults = []
        for name, language in itertools.product(SAMPLE, ("zh", "en")):
            model = Model.of(name)
            for width, svg in [(px, picture(model.parts_list, model.title, language, px)) for px in (WIDE, NARROW)]:
                page.set_content(f"<body style='margin:0'>{svg}")
                faults += [f"{name} {language} {width}: {fault}" for fault in page.evaluate(LABEL_FAULTS)]
        page.close()
        assert faults == []


LABEL_FAULTS = """
() => {
  const svg = document.querySelector("svg"), view = svg.viewBox.baseVal, faults = [];
  const boxes = [...svg.querySelectorAll("text")].map(text => ({ says: text.textContent, ...box(text) }));
  const matrices = [...svg.querySelectorAll(".matrix")].map(
    rect => ({ says: "matrix " + rect.closest(".tensor").dataset.tensor, ...box(rect) }));
  function box(element) {
    const { x, y, width, height } = element.getBBox();
    // A line of text is higher than its letters.
    const inset = element.tagName === "text" ? height * 0.2 : 0;
    return { left: x, right: x + width, top: y + inset, bottom: y + height - inset };
  }
  for (const one of boxes)
    if (one.left < -0.5 || one.top < -0.5 || one.right > view.width + 0.5 || one.bottom > view.height + 0.5)
      faults.push(`${one.says} reaches beyond the edge`);
  boxes.forEach((one, i) => {
    for (const other of [...boxes.slice(i + 1), ...matrices]) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 0.5 && high > 0.5) faults.push(`${one.says} on ${other.says}`);
    }
  });
  return faults;
}
"""


class TestModelAndLanguage:
    """What is chosen stays chosen."""

    def test_a_model_is_chosen_by_pill_and_from_the_list(self, open_page):
        page = open_page("/parts?lang=en")
        expect_total(page, LLAMA_2_7B)
        choose(page, "Llama-2-13B")
        expect_total(page, LLAMA_2_13B)
        expect_sum(page, LLAMA_2_13B)
        more = page.get_by_role("combobox", name="More models")
        more.fill("qwen3-0")
        more.press("Enter")
        wait_until_idle(page)
        expect_total(page, QWEN3_0_6B)
        assert query(page)["model"] == "qwen3-0.6b"
        expect(page.get_by_role("radio", name="Llama-2-13B")).not_to_be_checked()
        choose(page, "GPT-2")
        expect_total(page, 124_439_808)
        expect(page.get_by_role("radio", name="GPT-2")).to_be_checked()
        choose(page, "GPT-2")
        expect_total(page, 124_439_808)  # a second click does not take the choice away
        assert query(page)["model"] == "gpt2"
        expect(tensor(page, "transformer.h.*.attn.c_attn.weight")).to_be_visible()

    def test_the_switch_keeps_model_tensor_and_what_if_over_two_runs_and_back(self, open_page):
        page = open_page(f"/parts?lang=en&model=qwen2.5-7b&tensor={Q}")
        set_field(page, "layers L", "30")
        total = 7_615_616_512 + 2 * 233_057_792
        expect_total(page, total)
        for label, layers, vocabulary in (("中", "层数 L", "词表大小 V"), ("EN", "layers L", "vocabulary V")):
            choose(page, label)
            for run in (1, 2):
                expect_total(page, total)
                expect_chosen(page, Q)
                expect(what_if(page).get_by_label(layers, exact=True)).to_have_value("30")
                asked = query(page)
                assert (asked["model"], asked["num_hidden_layers"], asked["tensor"]) == ("qwen2.5-7b", "30", Q)
                set_field(page, vocabulary, str(152064 + run))
                total += 2 * 3584
            set_field(page, vocabulary, "152064")
            total -= 2 * 2 * 3584
        expect(page.get_by_text(CHINESE)).to_have_count(1)  # the switch itself

    def test_two_sessions_do_not_disturb_each_other(self, open_page):
        one = open_page(f"/parts?lang=en&model=llama-3-8b&tensor={Q}")
        other = open_page("/parts?lang=zh&model=llama-2-7b")
        set_field(one, "layers L", "40")
        tensor(other, Q).click()
        wait_until_idle(other)
        choose(other, "Llama-2-13B")
        expect_total(one, LLAMA_3_8B + 8 * LLAMA_3_8B_LAYER)
        expect_chosen(one, Q)
        expect_total(other, LLAMA_2_13B)
        expect_chosen(other, Q)
        set_field(one, "layers L", "32")
        expect_total(one, LLAMA_3_8B)
        expect_total(other, LLAMA_2_13B)
        assert (query(one)["model"], query(one)["tensor"]) == ("llama-3-8b", Q)
        assert query(other) == {"lang": "zh", "model": "llama-2-13b", "tensor": Q}


class TestWhatIf:
    """Changed numbers."""

    def test_forty_layers_and_their_difference_on_every_figure(self, open_page):
        page = open_page(f"/parts?lang=en&model=llama-3-8b&tensor={K}")
        set_field(page, "layers L", "40")
        difference = 8 * LLAMA_3_8B_LAYER
        expect_total(page, LLAMA_3_8B + difference)
        expect_sum(page, LLAMA_3_8B + difference)
        for figure in (".headline", ".addition .sum"):
            expect(page.locator(figure)).to_contain_text(f"+{difference:,}")
        expect(page.locator(".composition")).to_contain_text(f"+{8 * 176_160_768:,}")
        expect(page.locator(".tensor-card")).to_contain_text(f"+{8 * 4_194_304:,}")
        expect(page.locator(".diagram")).to_contain_text("× 40 blocks")
        page.get_by_role("button", name="Reset").click()
        wait_until_idle(page)
        expect_total(page, LLAMA_3_8B)
        expect(page.locator(".difference")).to_have_count(0)
        expect(page.get_by_label("layers L", exact=True)).to_have_value("32")
        assert query(page) == {"lang": "en", "model": "llama-3-8b", "tensor": K}

    @pytest.mark.parametrize(("language", "label"), [("zh", "层数 L"), ("en", "layers L")])
    def test_nonsense_never_loses_the_page(self, open_page, language, label):
        page = open_page(f"/parts?lang={language}&model=llama-2-7b")
        ends, layer = 2 * 131_072_000 + 4_096, 202_383_360
        error = page.get_by_test_id("stAlert")
        for typed in ("0", "-5", "99999", "1e20", "", "abc", "33"):
            field = what_if(page).get_by_label(label, exact=True)
            field.press("Control+a")
            field.press("Delete")
            field.press_sequentially(typed)
            field.press("Enter")
            wait_until_idle(page)
            expect(page.get_by_test_id("stException")).to_have_count(0)
            stands = field.input_value()
            if typed.lstrip("-").isdecimal():
                assert stands == typed
            # Whatever the field makes of 1e20 or of letters: what stands in it is counted, or refused by name.
            layers = int(stands) if stands else 32
            if 1 <= layers <= 10_000:
                expect_total(page, ends + layers * layer)
                expect(error).to_have_count(0)
            else:
                expect_total(page, LLAMA_2_7B)
                expect(error).to_contain_text("num_hidden_layers")
                expect(error).to_contain_text(stands)
                assert bool(CHINESE.search(error.inner_text())) == (language == "zh")
        expect(page.locator(".tensor-card")).to_be_visible()

    def test_the_switch_of_the_tied_head(self, open_page):
        page = open_page("/parts?lang=en&model=llama-2-7b")
        what_if(page).get_by_text("tie embedding and head").last.click()
        wait_until_idle(page)
        expect_total(page, LLAMA_2_7B - 131_072_000)
        expect(page.locator(".addition .sum")).to_contain_text("−131,072,000")
        expect(page.locator(".diagram")).to_contain_text("the embedding table again")
        assert query(page)["tie_word_embeddings"] == "true"


class TestOwnConfig:
    """A config.json of the reader's own."""

    def test_a_pasted_config_is_counted_and_opens_elsewhere(self, open_page):
        page = open_page("/parts?lang=zh")
        choose(page, "config.json …")
        paste(page, QWEN3_0_6B_CONFIG)
        expect_total(page, QWEN3_0_6B)
        set_field(page, "层数 L", "30")
        more = QWEN3_0_6B + 2 * 15_730_944
        expect_total(page, more)
        tensor(page, Q).click()
        wait_until_idle(page)
        expect_chosen(page, Q)
        other = open_page(page.url)
        expect(other).to_have_title("零件图")
        expect_total(other, more)
        expect_sum(other, more)
        expect_chosen(other, Q)
        expect(what_if(other).get_by_label("层数 L", exact=True)).to_have_value("30")
        assert query(other) == query(page)
        assert json.loads(other.locator(TEXTAREA).input_value())["model_type"] == "qwen3"

    def test_the_typed_text_survives_another_page_and_the_switch(self, open_page):
        page = open_page("/parts?lang=en&model=config")
        paste(page, QWEN3_0_6B_CONFIG)
        for label in ("中", "EN"):
            choose(page, label)
            expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)
            expect_total(page, QWEN3_0_6B)
            tensor(page, Q if label == "EN" else K).click()
            wait_until_idle(page)
            expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)
        page.get_by_role("navigation").get_by_role("link", name="How it is counted").click()
        wait_until_idle(page)
        page.get_by_role("navigation").get_by_role("link", name="Parts").click()
        wait_until_idle(page)
        expect_total(page, QWEN3_0_6B)
        expect_chosen(page, Q)
        expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)

    def test_text_with_a_fault_survives_another_page(self, open_page):
        page = open_page("/parts?lang=en&model=config")
        paste(page, '{"hidden_size": 4096,, oops')
        page.get_by_role("navigation").get_by_role("link", name="How it is counted").click()
        wait_until_idle(page)
        page.get_by_role("navigation").get_by_role("link", name="Parts").click()
        wait_until_idle(page)
        expect(page.locator(TEXTAREA)).to_have_value('{"hidden_size": 4096,, oops')
        expect(page.get_by_test_id("stAlert")).to_contain_text("line 1, column 22")

    def test_garbage_and_three_megabytes_are_refused_and_the_page_lives_on(self, open_page):
        page = open_page("/parts?lang=zh&model=config")
        alert = page.get_by_test_id("stAlert")
        for text, times, says in (("garbage", 1, "JSON"), ("[1, 2]", 1, "array"), (LINE, 200_000, "3.2 MB")):
            paste(page, text, times)
            expect(alert).to_contain_text(says)
            assert CHINESE.search(alert.inner_text())
            expect(page.get_by_test_id("stException")).to_have_count(0)
        paste(page, QWEN3_0_6B_CONFIG)
        expect_total(page, QWEN3_0_6B)
        expect(alert).to_have_count(0)

    def test_fifty_megabytes_are_refused_and_the_page_lives_on(self, open_page):
        page = open_page("/parts?lang=en&model=config")
        paste(page, LINE, 3_200_000)
        expect(page.get_by_test_id("stAlert")).to_contain_text(" MB", timeout=20_000)
        expect(page.locator("[data-total]")).to_have_count(0)
        paste(page, QWEN3_0_6B_CONFIG)
        expect_total(page, QWEN3_0_6B)

    def test_a_file_is_uploaded_and_a_wrong_one_refused(self, open_page, tmp_path):
        page = open_page("/parts?lang=zh&model=config")
        choose_file = page.locator("input[type=file]")
        alert = page.get_by_test_id("stAlert")
        config = tmp_path / "config.json"
        config.write_text(QWEN3_0_6B_CONFIG, encoding="utf-8")
        choose_file.set_input_files(config)
        wait_until_idle(page)
        expect_total(page, QWEN3_0_6B)
        expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)
        binary = tmp_path / "model.json"
        binary.write_bytes(bytes(range(256)) * 100)
        choose_file.set_input_files(binary)
        wait_until_idle(page)
        expect(alert).to_contain_text("UTF-8")
        assert CHINESE.search(alert.inner_text())
        expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)
        expect_total(page, QWEN3_0_6B)
        choose(page, "EN")
        expect(page.locator(TEXTAREA)).to_have_value(QWEN3_0_6B_CONFIG)
        assert not CHINESE.search(" ".join(alert.all_inner_texts()))
        expect(page.get_by_test_id("stException")).to_have_count(0)


def expect_no_sideways_scrolling(page: Page, width: int) -> None:
    for box in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        assert page.evaluate(f"{box}.scrollWidth") <= width
    over = page.evaluate(
        """width => [...document.querySelectorAll("[data-testid=stMain] .stHtml *, .diagram *")]
          .filter(e => e.getClientRects().length && e.getBoundingClientRect().right > width + 1
            && !e.closest("[style*=overflow]")).map(e => e.outerHTML.slice(0, 80))""",
        width,
    )
    assert over == []


class TestPhone:
    """390 px wide."""

    @pytest.mark.parametrize("language", ["zh", "en"])
    def test_targets_order_and_no_scrolling_sideways(self, open_page, language):
        page = open_page(f"/parts?lang={language}&model=qwen3-0.6b", width=390, height=844)
        for label, total in ((None, QWEN3_0_6B), ("Llama-3-8B", LLAMA_3_8B), ("GPT-2", 124_439_808)):
            if label:
                choose(page, label)
            expect_total(page, total)
            expect_no_sideways_scrolling(page, 390)
            small = page.locator(".tensor .target").evaluate_all(
                """targets => targets.map(target => [target.closest(".tensor").dataset.tensor, target.getBoundingClientRect()])
                  .filter(([, box]) => box.width < 24 || box.height < 24).map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
            )
            assert small == []
            picture, card, bar = (page.locator(part).bounding_box() for part in (".picture", ".tensor-card", ".composition"))
            assert picture["y"] + picture["height"] <= card["y"], "the card comes after the picture"
            assert card["y"] + card["height"] <= bar["y"], "and before the composition"
            assert picture["x"] >= 0 and picture["x"] + picture["width"] <= 390

    def test_a_tap_chooses_and_changes_and_errors_fit(self, open_page):
        page = open_page("/parts?lang=en&model=llama-3-8b", width=390, height=844)
        tensor(page, "model.layers.*.self_attn.v_proj.weight").click()
        wait_until_idle(page)
        expect_chosen(page, "model.layers.*.self_attn.v_proj.weight")
        set_field(page, "layers L", "40")
        expect_total(page, LLAMA_3_8B + 8 * LLAMA_3_8B_LAYER)
        expect_no_sideways_scrolling(page, 390)
        set_field(page, "layers L", "0")
        expect(page.get_by_test_id("stAlert")).to_be_visible()
        expect_no_sideways_scrolling(page, 390)
        for row in page.locator(".addition summary").all():
            row.click()
        expect_no_sideways_scrolling(page, 390)


def test_a_wide_page_has_the_picture_beside_the_card(open_page):
    page = open_page("/parts?lang=zh&model=llama-2-7b", width=1440)
    expect_no_sideways_scrolling(page, 1440)
    picture, card = page.locator(".picture").bounding_box(), page.locator(".tensor-card").bounding_box()
    assert picture["x"] + picture["width"] <= card["x"]
    assert card["x"] + card["width"] <= 1440
    sizes = page.locator("h1, h2, h3, .headline > *, .tensor-card *, .addition *").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    total = page.locator("[data-total]").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert total == max(sizes) and sizes.count(total) == 1, "the total is the largest thing on the page"


PART_COLOURS = {
    "embedding": "rgb(0, 114, 178)",
    "attention": "rgb(230, 159, 0)",
    "ffn": "rgb(0, 158, 115)",
    "norm": "rgb(138, 143, 152)",
    "lm_head": "rgb(204, 121, 167)",
}
"""Okabe and Ito's, and a grey, as the design fixes them."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_parts_have_the_same_colours_in_both_modes(open_page, scheme):
    page = open_page("/parts?lang=en&model=llama-2-7b", color_scheme=scheme)
    for name, part in (
        ("model.embed_tokens.weight", "embedding"),
        (Q, "attention"),
        (GATE, "ffn"),
        ("lm_head.weight", "lm_head"),
    ):
        style = tensor(page, name).locator(".matrix").evaluate("e => [getComputedStyle(e).fill, getComputedStyle(e).stroke]")
        assert style == [PART_COLOURS[part]] * 2
    colours = page.locator(".composition .bar i, .addition .swatch").evaluate_all(
        "all => all.map(e => getComputedStyle(e).backgroundColor)"
    )
    # The bar in the order of the parts, the addition in the order on paper, where the norms follow the FFN as well.
    assert colours == 2 * list(PART_COLOURS.values())
