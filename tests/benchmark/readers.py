"""What readers do on the parts and comparison pages, and on the yardstick: a Streamlit app of one slider on default settings."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from playwright.sync_api import Page

from calc.catalogue import catalogue

REPOSITORY = Path(__file__).parents[2]
PARTS_SCRIPT = REPOSITORY / "streamlit_app.py"
PARTS_PATH, CHANGED_PATH = "/parts?model=llama-2-7b", "/parts?model=llama-2-7b&num_hidden_layers=40"
PARTS_SHOWN = "[data-total]"
FIFTY = list(islice(catalogue(), 50))
COMPARE_PATH = f"/compare?models={','.join(FIFTY)}&groups=config-total-memory"
COMPARE_SHOWN = ".comparison tbody tr"
SLIDER_APP = 'import streamlit as st\n\nst.slider("n", 0, 1000)\n'
SLIDER_SHOWN = "[data-testid=stSlider]"


def press_arrow(page: Page, turn: int) -> None:
    """One step on the slider."""
    page.locator(f"{SLIDER_SHOWN} input").press("ArrowRight")


def choose_tensor(page: Page, turn: int) -> None:
    """A click in the diagram, on W_k and W_up in turn."""
    name = ("self_attn.k_proj", "mlp.up_proj")[turn % 2]
    page.locator(f".tensor[data-tensor='model.layers.*.{name}.weight']").click()


def switch_model(page: Page, turn: int) -> None:
    """Another reference model."""
    page.get_by_role("radio", name=("Llama-3-8B", "Llama-2-7B")[turn % 2], exact=True).click()


def step_layers(page: Page, turn: int) -> None:
    """What if it had one layer more, then one less."""
    _press(page, ("Up", "Down")[turn % 2])


def add_layer(page: Page, turn: int) -> None:
    """What if it had one layer more, again and again: every model is new to the server."""
    _press(page, "Up")


def sort_models(page: Page, turn: int) -> None:
    """Fifty models sorted by another column, or the other way round."""
    _press_in_table(page, "sort", ("parameters", "fp16_bytes")[turn % 2])


def work_out_cell(page: Page, turn: int) -> None:
    """A figure of one of fifty models, worked out."""
    _press_in_table(page, "cell", f"{turn % 3}.parameters")


def move_model(page: Page, turn: int) -> None:
    """The first of fifty models changes places with the second."""
    _press_in_table(page, "down", "0")


def _press_in_table(page: Page, do: str, on: str) -> None:
    page.locator(f".comparison button[data-do='{do}'][data-on='{on}']").click()


def _press(page: Page, direction: str) -> None:
    field = page.locator("[data-testid=stNumberInput]").filter(has_text="layers").first
    field.locator(f"[data-testid=stNumberInputStep{direction}]").click()
