"""A model is read once: the first visit of a page declares the family of the shown model once, a rerun not at all."""

from __future__ import annotations

import dataclasses

import pytest

from calc.families import FAMILIES
from calc.model import Model
from streamlit_app import PAGES
from ui.comparison.entries import entry_of
from ui.model.config_address import packed

from .token_pages import page

PAGE_NAMES = [name for names in PAGES.values() for name in names]
SHOW_NO_MODEL = {"method", "tokens", "merges", "vocabulary", "token_files"}


def small_llama(vocab_size: int) -> Model:
    """A Llama of four layers like no other one, so that no cache has it from another test."""
    sizes = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4, "num_attention_heads": 4}
    return Model({"model_type": "llama", "num_key_value_heads": 2, "vocab_size": vocab_size, **sizes}, "own")


def address_of(name: str, model: Model) -> dict[str, str]:
    """What the address of a page says to show this model."""
    if name == "compare":
        return {"models": f"gpt2,{entry_of(model)}"}
    if name == "difference":
        return {"before": "gpt2", "after": entry_of(model), "models": f"gpt2,{entry_of(model)}"}
    return {"model": "config", "config": packed(model)}


@pytest.fixture
def declared(monkeypatch):
    """The vocabulary size of every Llama that is declared from now on."""
    llama, sizes = FAMILIES["llama"], []

    def declare(config):
        tensors = tuple(llama.declare(config))
        sizes.append(tensors[0].input.value)
        return tensors

    monkeypatch.setitem(FAMILIES, "llama", dataclasses.replace(llama, declare=declare))
    return sizes


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_a_visit_reads_the_model_once_and_a_rerun_does_not(name, declared):
    vocab_size = 7_001 + PAGE_NAMES.index(name)
    query = address_of(name, small_llama(vocab_size))
    declared.clear()
    app = page(name, lang="en", **query)
    assert declared.count(vocab_size) == (name not in SHOW_NO_MODEL)
    declared.clear()
    app.run()
    assert not app.exception and vocab_size not in declared


@pytest.mark.parametrize("name", ["parts", "formats", "fit"])
def test_a_link_to_a_model_of_the_hub_is_read_once_too(name, declared):
    vocab_size = 8_001 + PAGE_NAMES.index(name)
    link = packed(small_llama(vocab_size))
    declared.clear()
    app = page(name, lang="en", model="hub", hub="org/own", config=link)
    assert declared.count(vocab_size) == 1
    app.run()
    assert not app.exception and declared.count(vocab_size) == 1


def test_a_change_is_read_once_beside_its_base(declared):
    link = packed(small_llama(9_001))
    declared.clear()
    app = page("formats", lang="en", model="config", config=link, num_hidden_layers="5")
    assert declared.count(9_001) == 2, "the base, and the changed model"
    app.run()
    assert declared.count(9_001) == 2
