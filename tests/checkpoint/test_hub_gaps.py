"""Every published model's file against its parts list: the gap to the Hub's total, explained to the last element."""

import json
import math
from pathlib import Path

import pytest

from calc.catalogue import catalogue
from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.stored import Checkpoint, StoredTensor
from calc.model import Model

from .hub_listings import listing
from .writing import BYTES

FACTS = {
    fact["id"].partition(" (")[0]: fact
    for fact in json.loads((Path(__file__).parents[1] / "fixtures" / "models.json").read_text())
}

VISION, MASKS = 416_866_032, 2048 * 2048
"""SigLIP's tower; one of Pythia's masks."""
GAPS = {
    "llama-2-7b": {"inv_freq": 32 * 64},
    "llama-2-13b": {"inv_freq": 40 * 64},
    "llama-2-70b": {"inv_freq": 80 * 64},
    "gpt2": {"causal_mask": 12 * 1024 * 1024},
    "gpt2-medium": {"causal_mask": 24 * 1024 * 1024},
    "gpt2-large": {"causal_mask": 36 * 1024 * 1024},
    "gpt2-xl": {"causal_mask": 48 * 1024 * 1024},
    "pythia-70m": {"causal_mask": 6 * MASKS, "inv_freq": 6 * 8},
    "pythia-410m": {"causal_mask": 24 * MASKS, "inv_freq": 24 * 8},
    "pythia-1.4b": {"causal_mask": 24 * MASKS, "inv_freq": 24 * 16},
    "pythia-2.8b": {"causal_mask": 32 * MASKS, "inv_freq": 32 * 10},
    "pythia-12b": {"causal_mask": 36 * MASKS, "inv_freq": 36 * 16},
    "qwen3-0.6b": {"tied_stored_again": 151936 * 1024},
    "qwen3-1.7b": {"tied_stored_again": 151936 * 2048},
    "falcon-7b": {"tied_stored_again": 65024 * 4544},
    "gemma-3-4b": {"other_modality": VISION + 1152 * 2560 + 1152, "padded_vocabulary": 64 * 2560},
    "falcon-180b": {"tied_stored_again": 65024 * 14848},
    "gemma-3-12b": {"other_modality": VISION + 1152 * 3840 + 1152, "padded_vocabulary": 64 * 3840},
    "gemma-3-27b": {"other_modality": VISION + 1152 * 5376 + 1152, "padded_vocabulary": 64 * 5376},
    "glm-4.5-air": {"mtp": 3_616_579_328 - 45 * 128, "router_correction": 45 * 128},
    "glm-4.5": {"mtp": 5_539_962_272, "router_correction": 89 * 160},
    "glm-4.6": {"mtp": 3_988_069_792, "router_correction": 89 * 160},
    "glm-4.7": {"mtp": 5_539_962_272, "router_correction": 89 * 160},
    **dict.fromkeys(
        ("deepseek-v3", "deepseek-r1", "deepseek-v3.1"),
        {"mtp": 13_463_426_304, "scales_and_zeros": 41_540_496, "router_correction": 58 * 256},
    ),
    "minimax-m2": {"router_correction": 62 * 256},
    "llama-4-scout": {"other_modality": 108_641_793_536 - 107_769_861_120},
    "llama-4-maverick": {"other_modality": 401_583_781_376 - 400_711_848_960},
    "qwen3-next-80b-a3b": {"mtp": 81_324_862_720 - 79_674_391_296},
    "qwen3.6-27b": {"other_modality": 460_730_096, "mtp": 27_781_427_952 - 27_356_728_560},
    "qwen3.6-35b-a3b": {"other_modality": 446_571_248, "mtp": 35_951_822_704 - 35_107_181_936},
    "qwen3.5-397b-a17b": {"other_modality": 456_010_480, "mtp": 6_595_568_128},
    "gpt-oss-20b": {"scales_and_zeros": 21_511_953_984 - 20_914_757_184},
    "gpt-oss-120b": {"scales_and_zeros": 120_412_337_472 - 116_829_156_672},
}
"""Published differences by cause; the files of all other models hold exactly their parameters."""
NOT_IN_THE_HUBS_TOTAL = {"gpt-oss-20b": 597_196_800, "gpt-oss-120b": 3_583_180_800}
"""The Hub counts gpt-oss's MXFP4 experts in real weights, without their scales."""


@pytest.mark.parametrize("name", catalogue())
def test_the_gap_to_the_hubs_total_is_explained_to_the_last_element(name):
    model = Model.of(name)
    fact = FACTS[model.entry.hub_id]
    tensors = tuple(
        StoredTensor(key, dtype, shape, BYTES[dtype] * math.prod(shape)) for key, (dtype, shape) in listing(name).items()
    )
    result = reconcile(model, Checkpoint(model.entry.hub_id, "safetensors", tensors))
    assert result.expected == fact["params_exact"]
    assert {item.cause: item.elements for item in result.gap} == GAPS.get(name, {})
    assert result.matched_elements == result.expected and not result.missing
    if fact["hub_total"] is not None:
        assert result.found - NOT_IN_THE_HUBS_TOTAL.get(name, 0) == fact["hub_total"]
        assert sum(GAPS.get(name, {}).values()) - NOT_IN_THE_HUBS_TOTAL.get(name, 0) == fact["hub_total"] - fact["params_exact"]


def test_every_model_with_a_published_gap_is_here():
    apart = {name for name, model in catalogue().items() if FACTS[model.hub_id]["hub_total"] not in (None, model.parameters)}
    assert apart <= set(GAPS)
