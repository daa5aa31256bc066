"""The page of real files in Chromium: upload, read from a Hub on loopback, take the ledger home, and lose nothing."""

from __future__ import annotations

import csv
import io
import json

import pandas
import pytest
from checkpoint.hub_server import Repository, serve
from checkpoint.test_reconcile import as_stored
from checkpoint.writing import safetensors_head, write_safetensors
from playwright.sync_api import Page, expect

from calc.catalogue import catalogue
from calc.model import Model

from .conftest import REPOSITORY, run_server, wait_until_idle
from .parts_page import choose, query
from .test_accessibility import violations

GPT2, GPT2_FOUND, GPT2_MASKS = 124_439_808, 137_022_720, 12_582_912
MASKS = {f"h.{i}.attn.bias": ("F32", (1, 1, 1024, 1024)) for i in range(12)}
READ = ".st-key-read_hub button"


def gpt2_tensors():
    """The published checkpoint's: without the prefix of the modules, and with 12 masks."""
    stored = as_stored(Model.of("gpt2").parts_list, "F32")
    return {name.removeprefix("transformer."): tensor for name, tensor in stored.items()} | MASKS


@pytest.fixture(scope="module")
def hub():
    """A Hub on loopback with GPT-2."""
    running, end = serve()
    config = json.dumps(dict(catalogue()["gpt2"].config)).encode()
    running.repositories["openai-community/gpt2"] = Repository(
        {"config.json": config, "model.safetensors": safetensors_head(gpt2_tensors())}
    )
    yield running
    end()


@pytest.fixture(scope="module")
def app(hub, tmp_path_factory):
    """The address of a server that is turned to it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", hub.url)
        for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            patch.delenv(name, raising=False)
        with run_server(REPOSITORY, tmp_path_factory.mktemp("home")) as address:
            yield address


@pytest.fixture(autouse=True)
def working(hub):
    """Each test begins with a Hub that answers."""
    hub.fault, hub.fault_at = None, "/"
    yield
    hub.fault = None


def expect_ledger(page: Page, **causes: int) -> None:
    """Wait for the ledger to show these causes, and check that it adds up."""
    rows = page.locator(".ledger details[data-cause]")
    expect(rows).to_have_count(len(causes))
    shown = {row.get_attribute("data-cause"): int(row.get_attribute("data-elements")) for row in rows.all()}
    assert shown == causes
    expected, found, gap = (
        int(page.locator(f"[data-{name}]").get_attribute(f"data-{name}")) for name in ("expected", "found", "gap")
    )
    assert expected + sum(causes.values()) == found and gap == found - expected
    expect(page.locator(".ledger .sum .number")).to_have_text(f"{found:,}")


def fill(page: Page, source: str) -> None:
    """Write into the field of the Hub's models."""
    field = page.locator(".st-key-source input")
    field.fill(source)
    field.press("Enter")
    wait_until_idle(page)


def read(page: Page) -> None:
    """Press the button, and wait for what comes of it."""
    page.locator(READ).click()
    wait_until_idle(page)


def saved(page: Page, label: str, folder):
    """Press a button of a download; the file."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_upload_is_held_against_the_model_and_the_ledger_taken_home(open_page, app, tmp_path, language):
    head, _ = safetensors_head(gpt2_tensors())
    (tmp_path / "head.safetensors").write_bytes(head + bytes(1000))
    page = open_page(f"{app}/checkpoint?lang={language}&model=gpt2&from=upload")
    page.locator("input[type=file]").set_input_files(tmp_path / "head.safetensors")
    expect_ledger(page, causal_mask=GPT2_MASKS)
    path = saved(page, {"zh": "对账表 CSV", "en": "Ledger, CSV"}[language], tmp_path)
    assert path.name == "head.safetensors-reconciliation.csv"
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf") and content.count(b"\n") == content.count(b"\r\n")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    headings, *rows = rows
    assert ("相差" in headings) == (language == "zh") and ("difference" in headings) == (language == "en")
    assert [sum(int(row[column]) for row in rows) for column in (-3, -2, -1)] == [GPT2, GPT2_FOUND, GPT2_MASKS]
    assert sum(int(row[2]) for row in rows) == 160
    assert {row[1]: row[0] for row in rows if row[1]} == {
        {"zh": "因果掩码", "en": "causal mask, a buffer"}[language]: "h.*.attn.bias"
    }
    assert pandas.read_csv(path)[headings[-1]].sum() == GPT2_MASKS
    document = json.loads(
        saved(page, {"zh": "对账表 JSON", "en": "Ledger, JSON"}[language], tmp_path).read_text(encoding="utf-8")
    )
    assert (document["expected"], document["found"]) == (GPT2, GPT2_FOUND) and len(document["tensors"]) == len(rows)
    assert document["gap"] == [{"cause": "causal_mask", "elements": GPT2_MASKS, "tensors": ["h.*.attn.bias"], "copies": 12}]


def test_a_link_asks_nobody_until_the_button_is_pressed(open_page, app, hub):
    hub.asked.clear()
    page = open_page(
        f"{app}/checkpoint?lang=en&model=llama-2-7b&source=openai-community%2Fgpt2&revision=refs%2Fpr%2F1&against=model"
    )
    expect(page.locator(".st-key-source input")).to_have_value("openai-community/gpt2")
    expect(page.locator(".st-key-revision input")).to_have_value("refs/pr/1")
    page.reload()
    wait_until_idle(page)
    assert hub.asked == [] and query(page)["source"] == "openai-community/gpt2" and query(page)["revision"] == "refs/pr/1"
    read(page)
    assert hub.asked and query(page)["against"] == "model"
    expect(page.locator(".headline.figures")).to_contain_text("another model")
    page.get_by_role("radio", name="its own config.json").click()
    expect_ledger(page, causal_mask=GPT2_MASKS)
    assert "against" not in query(page)


def test_the_language_changes_nothing_else(open_page, app):
    page = open_page(f"{app}/checkpoint?lang=en&model=llama-2-7b&source=openai-community/gpt2")
    read(page)
    page.get_by_role("radio", name="just the file").click()
    wait_until_idle(page)
    choose(page, "中")
    for label in ("只看文件", "Hub 上的模型"):
        expect(page.get_by_role("radio", name=label)).to_be_checked()
    choose(page, "EN")
    page.get_by_role("radio", name="Upload").click()
    wait_until_idle(page)
    choose(page, "中")
    choose(page, "EN")
    expect(page.get_by_role("radio", name="Upload")).to_be_checked()
    expect(page.get_by_role("radio", name="just the file")).to_be_checked()
    expect(page.locator("[data-found]")).to_have_attribute("data-found", str(GPT2_FOUND))


def test_a_failure_keeps_the_last_result_and_other_pages_come_back_to_it(open_page, app, hub):
    page = open_page(f"{app}/checkpoint?lang=en&model=gpt2")
    read(page)
    expect_ledger(page, causal_mask=GPT2_MASKS)
    hub.fault = "503"
    fill(page, "org/failing")
    read(page)
    expect(page.get_by_test_id("stAlert")).to_contain_text("answers with fault 503")
    expect_ledger(page, causal_mask=GPT2_MASKS)
    page.get_by_role("link", name="Parts").click()
    wait_until_idle(page)
    page.get_by_role("link", name="Real file").click()
    wait_until_idle(page)
    expect(page.locator(".st-key-source input")).to_have_value("org/failing")
    expect_ledger(page, causal_mask=GPT2_MASKS)


def test_a_read_can_be_stopped(open_page, app, hub):
    page = open_page(f"{app}/checkpoint?lang=en&model=gpt2")
    read(page)
    hub.fault = "stall"
    fill(page, "org/stalling")
    page.locator(READ).click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    wait_until_idle(page)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    expect_ledger(page, causal_mask=GPT2_MASKS)


def test_nobody_waits_for_another_visitors_hub(open_page, app, hub):
    waiting, other = (open_page(f"{app}/checkpoint?lang=en&model=gpt2") for _ in range(2))
    hub.fault, hub.fault_at = "stall", "/org/waits"
    fill(waiting, "org/waits")
    waiting.locator(READ).click()
    expect(waiting.get_by_role("button", name="Stop")).to_be_visible()
    read(other)
    expect_ledger(other, causal_mask=GPT2_MASKS)
    expect(waiting.get_by_role("button", name="Stop")).to_be_visible()
    waiting.get_by_role("button", name="Stop").click()


def test_whoever_runs_the_app_may_name_a_path(open_page, app, tmp_path):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors())
    page = open_page(f"{app}/checkpoint?lang=en&model=gpt2")
    page.get_by_role("radio", name="On this machine").click()
    field = page.locator(".st-key-path input")
    field.fill(str(tmp_path))
    field.press("Enter")
    page.locator(".st-key-read_path button").click()
    expect_ledger(page, causal_mask=GPT2_MASKS)
    assert str(tmp_path) not in page.url and query(page)["from"] == "path"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_it_is_clean_and_fits(open_page, app, hub, scheme, width):
    page = open_page(f"{app}/checkpoint?lang=zh&model=gpt2", width=width, color_scheme=scheme)
    read(page)
    for language, label in (("zh", None), ("en", "EN")):
        if label:
            choose(page, label)
        expect_ledger(page, causal_mask=GPT2_MASKS)
        for row in page.locator(".lists summary").all():
            row.click()
        assert violations(page) == [], language
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(
            "[...document.querySelectorAll('.ledger, .file-card, .headline')].every(e => e.scrollWidth <= e.clientWidth)"
        )
    fill(page, "not a model")
    read(page)
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("radio", name="Upload").click()
    wait_until_idle(page)
    page.locator("details", has_text="Too large?").locator("summary").first.click()
    assert violations(page) == [] and page.evaluate("document.documentElement.scrollWidth") <= width
