"""The parts page as a person uses it: what the browser tests of that page share."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import qwen3_configs
from playwright.sync_api import Locator, Page, expect

from .conftest import wait_until_idle

LLAMA_2_7B, LLAMA_2_13B, LLAMA_3_8B = 6_738_415_616, 13_015_864_320, 8_030_261_248
LLAMA_3_8B_LAYER = 218_112_000
QWEN3_0_6B = 596_049_920
QWEN3_0_6B_CONFIG = json.dumps(qwen3_configs.QWEN3_0_6B, indent=2)
Q, K = "model.layers.*.self_attn.q_proj.weight", "model.layers.*.self_attn.k_proj.weight"

TEXTAREA = "textarea"
PASTE = """
([text, times]) => {
  const field = document.querySelector("textarea");
  const pasted = text.repeat(times);
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", pasted);
  const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  field.select();
  if (field.dispatchEvent(paste)) {
    // Laying out 50 MB takes a browser a minute; what is under test is what the app does with them.
    field.style.display = times > 1 ? "none" : "";
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;
    set.call(field, field.maxLength < 0 ? pasted : pasted.slice(0, field.maxLength));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
}
"""
FOCUSED = """
() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.dataset?.tensor ?? null;
}
"""


def query(page: Page) -> dict[str, str]:
    """What the address says."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def expect_total(page: Page, total: int) -> None:
    """Wait for the headline to show this total."""
    shown = page.locator("[data-total]")
    expect(shown).to_have_attribute("data-total", str(total))
    expect(shown).to_have_text(f"{total:,}")


def expect_sum(page: Page, total: int) -> None:
    """Wait for the addition to end in this total."""
    expect(page.locator(".addition .sum")).to_contain_text(f"{total:,}")


def tensor(page: Page, name: str) -> Locator:
    """A tensor in the diagram."""
    return page.locator(f'.tensor[data-tensor="{name}"]')


def expect_chosen(page: Page, name: str) -> None:
    """Wait for a tensor to be marked in the diagram, to be on the card and in the address."""
    expect(tensor(page, name)).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.tensor[aria-pressed="true"]')).to_have_count(1)
    expect(page.locator(".tensor-card h2")).to_contain_text(name.split(".")[-2])
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("tensor") == [name])


def focused(page: Page) -> str | None:
    """The tensor that has the keyboard's focus."""
    return page.evaluate(FOCUSED)


def choose(page: Page, label: str) -> None:
    """Click a pill: a model, or a language."""
    page.get_by_role("radio", name=label, exact=True).click()
    wait_until_idle(page)


def what_if(page: Page) -> Locator:
    """The fields of the what-if, opened."""
    box = page.locator(".st-key-what_if")
    if not box.get_by_role("spinbutton").first.is_visible():
        box.locator("summary").click()
        expect(box.get_by_role("spinbutton").first).to_be_visible()
    return box


def set_field(page: Page, label: str, value: str) -> None:
    """Write a number into a field of the what-if."""
    field = what_if(page).get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")
    wait_until_idle(page)


def paste(page: Page, text: str, times: int = 1) -> None:
    """Replace the text of the config field, as a paste and Ctrl+Enter do, by `text` repeated."""
    page.locator(TEXTAREA).wait_for(state="attached")
    page.evaluate(PASTE, [text, times])
    wait_until_idle(page)
