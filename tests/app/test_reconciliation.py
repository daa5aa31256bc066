"""The figures of a model held against its file: verdicts, bars, lists, and a sentence for every cause."""

from __future__ import annotations

import re

import pytest
from checkpoint.test_reconcile import as_stored
from checkpoint.writing import safetensors_head

from calc.checkpoint.causes import CAUSES
from calc.checkpoint.local import read_upload
from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.stored import Checkpoint, StoredTensor
from calc.model import Model
from ui.checkpoint.reconciliation import FIRST_NAMES, MOST_NAMES, ledger, verdict
from ui.checkpoint.reconciliation_lists import MOST_ROWS, reconciliation_lists
from ui.texts import TEXTS

from .checkpoint_page import lists
from .screen import LANGUAGES, elements, is_chinese, of_class, spaced


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_has_a_name_and_a_reason_in_both_languages(cause):
    for key, longest in ((f"cause.{cause}", 40), (f"cause_why.{cause}", 220)):
        zh, en = TEXTS[key]["zh"], TEXTS[key]["en"]
        assert is_chinese(zh) and not is_chinese(en) and len(zh) < longest and len(en) < longest
    assert TEXTS[f"cause_why.{cause}"]["zh"].endswith("。") and TEXTS[f"cause_why.{cause}"]["en"].endswith(".")


def held(tensors, name="gpt2"):
    """A model held against a file of these tensors."""
    head, size = safetensors_head(tensors)
    return reconcile(Model.of(name), read_upload("model.safetensors", head, size))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdict_agrees_only_where_every_parameter_is_there(language):
    parts_list = Model.of("gpt2").parts_list
    tensors = as_stored(parts_list)
    assert verdict(language, "GPT-2", held(tensors))[1]
    assert verdict(language, "GPT-2", held(tensors | {"h.0.attn.bias": ("F32", (1, 1, 8, 8))}))[1]
    rows = {"transformer.wte.weight": ("F32", (50304, 768))}
    assert verdict(language, "GPT-2", held(tensors | rows))[1], "filling"
    for changed in (
        {"transformer.wte.weight": ("F32", (50000, 768))},
        {"transformer.h.3.mlp.c_fc.weight": ("F32", (768, 3000))},
        {"transformer.h.12.ln_1.weight": ("F32", (768,))},
        {"something.else": ("F32", (1,))},
    ):
        sentence, agrees = verdict(language, "GPT-2", held(tensors | changed))
        assert not agrees and "GPT-2" in sentence and is_chinese(sentence) == (language == "zh")
    del tensors["transformer.ln_f.weight"]
    assert "−768" in verdict(language, "GPT-2", held(tensors))[0]
    assert "0%" in verdict(language, "GPT-2", held({"w": ("F32", (3,))}))[0]


def test_bars_stand_where_the_running_sum_stands():
    """Each bar begins where the one before it ends, at the ends of the two totals."""
    tensors = as_stored(Model.of("gpt2").parts_list) | {"h.0.attn.bias": ("F32", (1, 1, 8, 8)), "odd": ("F32", (5,))}
    del tensors["transformer.ln_f.weight"]
    [section] = of_class(elements(ledger("en", "GPT-2", "file", held(tensors))), "ledger")
    bars = [
        [float(number) for number in re.findall(r"[\d.]+(?=%)", bar.get("style"))]
        for bar in section.iter("i")
        if bar.get("style")
    ]
    at = bars[0][0]
    assert len(bars) == 5 and len(of_class(section, "cut")) == 2
    for (left, width), kind in zip(bars[1:-1], ("less", "more", "more"), strict=True):
        assert [bar.get("class") for bar in section.iter("i") if bar.get("style") and f"left:{left:.2f}%" in bar.get("style")][
            :1
        ] != []
        assert (left + width if kind == "less" else left) == pytest.approx(at, abs=0.02)
        at = left if kind == "less" else left + width
    assert bars[-1] == [pytest.approx(0), pytest.approx(at, abs=0.02)] or bars[-1][-1] == pytest.approx(at, abs=0.02)


def test_a_hostile_file_is_cut_on_screen_and_is_no_markup():
    many = tuple(StoredTensor(f"<script>{chr(0x4E00 + n)}", "F32", (n,), 4 * n) for n in range(1, 2_001))
    result = reconcile(Model.of("gpt2"), Checkpoint("file", "safetensors", many))
    drawn = ledger("en", "GPT-2", "<b>file", result) + reconciliation_lists("en", result)
    assert "<script" not in drawn and "<b>file" not in drawn and len(drawn) < 150_000
    page = elements(drawn)
    [extra] = [element for element in page.iter("details") if element.get("data-list") == "extra"]
    assert len(list(extra.iter("tr"))) == MOST_ROWS + 1 and "1,940" in spaced(extra) and "2,001,000" in spaced(extra)
    [unknown] = [element for element in page.iter("details") if element.get("data-cause") == "unknown"]
    assert len(list(unknown.iter("li"))) == MOST_NAMES > FIRST_NAMES and "1,800" in spaced(unknown)


def test_what_the_file_joins_is_among_what_matches():
    tensors = {}
    for name, (dtype, shape) in as_stored(Model.of("tinyllama-1.1b").parts_list).items():
        if ".gate_proj." in name:
            tensors[name.replace("gate_proj", "gate_up_proj")] = (dtype, (2 * shape[0], shape[1]))
        elif ".up_proj." not in name:
            tensors[name] = (dtype, shape)
    drawn = elements(reconciliation_lists("en", held(tensors, "tinyllama-1.1b")))
    [[expected, found, copies]] = lists(drawn)["arranged"]
    assert expected == "model.layers.*.mlp.gate_proj.weight + model.layers.*.mlp.up_proj.weight"
    assert (found, copies) == ("model.layers.*.mlp.gate_up_proj.weight", "22")
    assert "507,510,784" in spaced(drawn) and lists(drawn)["missing"] is None and lists(drawn)["extra"] is None


def test_another_shape_is_shown_beside_the_expected_one():
    tensors = as_stored(Model.of("gpt2").parts_list)
    for layer in range(12):
        tensors[f"transformer.h.{layer}.mlp.c_fc.weight"] = ("F32", (768, 3000))
    drawn = elements(reconciliation_lists("en", held(tensors)))
    assert lists(drawn)["shape"] == [["transformer.h.*.mlp.c_fc.weight", "768 × 3,072", "768 × 3,000", "12"]]
