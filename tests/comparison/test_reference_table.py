"""Every cell of the reference table, and the second of the errata. The figures are published or worked by hand."""

import pytest

from calc.comparison.columns import BY_KEY
from calc.comparison.comparison import model_row
from calc.comparison.parts import by_part, part_differences
from comparison.models import compared

NAMES = ("llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3-8b", "tinyllama-1.1b")
TABLE = {
    "hidden_size": (4096, 5120, 8192, 4096, 2048),
    "intermediate_size": (11008, 13824, 28672, 14336, 5632),
    "num_hidden_layers": (32, 40, 80, 32, 22),
    "num_attention_heads": (32, 40, 64, 32, 32),
    "num_key_value_heads": (32, 40, 8, 8, 4),
    "head_dim": (128, 128, 128, 128, 64),
    "vocab_size": (32000, 32000, 32000, 128256, 32000),
    "parameters": (6_738_415_616, 13_015_864_320, 68_976_648_192, 8_030_261_248, 1_100_048_384),
    "published": ("6.74B", "13.0B", "70B", "8.03B", "1.1B"),
    "attention_per_layer": (67_108_864, 104_857_600, 150_994_944, 41_943_040, 9_437_184),
    "ffn_per_layer": (135_266_304, 212_336_640, 704_643_072, 176_160_768, 34_603_008),
    "vocabulary_percent": ("3.9%", "2.5%", "0.76%", "13.1%", "11.9%"),
    "ffn_share_of_layer_percent": ("66.8%", "66.9%", "82.4%", "80.8%", "78.6%"),
}
CELLS = [(name, key, TABLE[key][number]) for number, name in enumerate(NAMES) for key in TABLE]


@pytest.mark.parametrize(("name", "key", "printed"), CELLS)
def test_a_cell_of_the_reference_table(name, key, printed):
    value = model_row(compared(name), [BY_KEY[key]]).value(key)
    if BY_KEY[key].unit == "%":
        digits = len(printed.partition(".")[2]) - 1
        assert f"{value:.{digits}f}%" == printed
    else:
        assert value == printed


# What other pages of the project's brief say of these models.
ALSO = {
    "llama-2-7b": {
        "tie_word_embeddings": False,
        "layer_kinds": 1,
        "norm_parameters": 266_240,
        "embedding_parameters": 131_072_000,
        "fp16_bytes": 13_476_831_232,
        "kv_bytes_per_token": 524_288,
        "flops_per_token_rule": 13_476_831_232,
        "matmul_flops_per_token": 13_214_154_752,
        "query_heads_per_kv_head": 1,
        "ffn_ratio": 2.6875,
        "verdict": "rounds_to",
        "active_parameters": 6_738_415_616,
        "num_experts": None,
        "max_position_embeddings": 4096,
        "published_difference": 6_738_415_616 - 6_740_000_000,
    },
    "llama-2-13b": {"kv_bytes_per_token": 819_200, "verdict": "rounds_to"},
    "llama-2-70b": {"verdict": "round_figure", "published_difference": -1_023_351_808, "query_heads_per_kv_head": 8},
    "llama-3-8b": {"kv_bytes_per_token": 131_072, "query_heads_per_kv_head": 4, "ffn_ratio": 3.5, "fp16_bytes": 16_060_522_496},
    "tinyllama-1.1b": {"kv_bytes_per_token": 22_528, "query_heads_per_kv_head": 8, "ffn_ratio": 2.75},
    "gpt2": {
        "parameters": 124_439_808,
        "tie_word_embeddings": True,
        "lm_head_parameters": 0,
        "num_key_value_heads": 12,
        "head_dim": 64,
        "ffn_per_layer": 4_722_432,
        "num_experts": None,
    },
    "deepseek-v3": {
        "num_experts": 256,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": 2048,
        "layer_kinds": 2,
        "parameters": 671_026_404_352,
        "active_parameters": 37_552_282_624,
        "active_published": "37B",
        "kv_bytes_per_token": 70_272,
        "num_key_value_heads": None,
        "head_dim": None,
    },
    "mixtral-8x7b": {"active_parameters": 12_879_925_248, "active_without_input_embedding": 12_748_853_248},
}


@pytest.mark.parametrize(("name", "key"), [(name, key) for name in ALSO for key in ALSO[name]])
def test_a_figure_the_brief_names(name, key):
    assert model_row(compared(name), [BY_KEY[key]]).value(key) == ALSO[name][key]


def test_shares_are_exact_to_the_last_digit_a_float_has():
    """135,266,304 of 202,375,168 + 2 · 4096, and 262,144,000 of all."""
    llama = model_row(compared("llama-2-7b"))
    assert llama.value("ffn_share_of_layer_percent") == 100 * 135_266_304 / 202_383_360
    assert llama.value("parameters_per_layer") == 202_383_360
    assert llama.value("vocabulary_percent") == 100 * 262_144_000 / 6_738_415_616


def test_bytes_in_both_units():
    llama = model_row(compared("llama-2-7b"))
    assert (f"{llama.value('fp16_gb'):.2f}", f"{llama.value('fp16_gib'):.2f}") == ("13.48", "12.55")
    larger = model_row(compared("llama-3-8b"))
    assert (f"{larger.value('fp16_gb'):.2f}", f"{larger.value('fp16_gib'):.2f}") == ("16.06", "14.96")


def test_what_llama_3_8b_has_more_than_llama_2_7b():
    before, after = compared("llama-2-7b"), compared("llama-3-8b")
    more = by_part(before, after)
    assert more["embedding"] + more["lm_head"] == 788_529_152
    assert (more["attention"], more["ffn"], more["norm"], more["other"]) == (-805_306_368, 1_308_622_848, 0, 0)
    assert sum(more.values()) == after.parameters - before.parameters == 1_291_845_632


def test_the_waterfall_of_the_two():
    steps = part_differences(compared("llama-2-7b"), compared("llama-3-8b"))
    assert [(step.parts, step.difference) for step in steps] == [
        (("embedding", "lm_head"), 788_529_152),
        (("attention",), -805_306_368),
        (("ffn",), 1_308_622_848),
        (("norm",), 0),
    ]
    assert sum(step.before for step in steps) == 6_738_415_616 and sum(step.after for step in steps) == 8_030_261_248


def test_untying_is_one_step_of_the_waterfall():
    """A tied head lies in the embedding; apart, the table seems to stay and the head to appear out of nothing."""
    tied, untied = compared("smollm2-1.7b"), compared("tinyllama-1.1b")
    together = part_differences(tied, untied)[0]
    assert together.parts == ("embedding", "lm_head")
    assert together.difference == 2 * 32000 * 2048 - 49152 * 2048
    apart = part_differences(tied, untied, ends_together=False)
    assert [step.parts for step in apart[:2]] == [("embedding",), ("lm_head",)]
    assert apart[1].before == 0
