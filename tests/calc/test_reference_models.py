"""The reference table, and the claims in circulation that are wrong.

Every number here is written out as published or worked by hand; none is made by the package.
"""

import pytest

from calc import Model, parameters, parameters_by_part
from calc.catalogue import catalogue
from calc.parts_list import layer_parameters, layer_tensors

# name: total, attention of a layer, FFN of a layer, share of the vocabulary ends, share of the FFN in a layer
TABLE = {
    "llama-2-7b": (6_738_415_616, 67_108_864, 135_266_304, "3.9%", "66.8%"),
    "llama-2-13b": (13_015_864_320, 104_857_600, 212_336_640, "2.5%", "66.9%"),
    "llama-2-70b": (68_976_648_192, 150_994_944, 704_643_072, "0.76%", "82.4%"),
    "llama-3-8b": (8_030_261_248, 41_943_040, 176_160_768, "13.1%", "80.8%"),
    "tinyllama-1.1b": (1_100_048_384, 9_437_184, 34_603_008, "11.9%", "78.6%"),
}


def tensors_of(name):
    return Model.of(name).tensors


def percent(share, printed):
    """A share with as many decimals as the printed one has."""
    return f"{100 * share:.{len(printed.partition('.')[2]) - 1}f}%"


@pytest.mark.parametrize("name", TABLE)
def test_reference_table(name):
    total, attention, ffn, ends_share, ffn_share = TABLE[name]
    parts_list = Model.of(name).parts_list
    whole, layer = parameters_by_part(parts_list.tensors), parameters_by_part(layer_tensors(parts_list))
    layers = parts_list.num_hidden_layers
    assert parameters(parts_list.tensors) == total
    # layer_tensors keeps each tensor's copies in all layers, so its parts are a layer's times L
    assert (layer["attention"], layer["ffn"]) == (attention * layers, ffn * layers)
    assert percent((whole["embedding"] + whole["lm_head"]) / total, ends_share) == ends_share
    assert percent(ffn / layer_parameters(parts_list), ffn_share) == ffn_share


@pytest.mark.parametrize("name", TABLE)
def test_every_layer_holds_the_same(name):
    parts_list = Model.of(name).parts_list
    hidden_size = catalogue()[name].config["hidden_size"]
    _, attention, ffn, *_ = TABLE[name]
    counts = {layer_parameters(parts_list, layer) for layer in range(parts_list.num_hidden_layers)}
    assert counts == {attention + ffn + 2 * hidden_size}


def test_only_gpt2_of_the_reference_models_ties_its_head():
    tied = [name for name in [*TABLE, "gpt2"] if any(tensor.tied_to for tensor in tensors_of(name))]
    assert tied == ["gpt2"]
    head = Model.of("gpt2").parts_list.named("lm_head.weight")
    assert (head.tied_to, head.count, head.parameters) == ("transformer.wte.weight", 38_597_376, 0)


def test_without_its_65_norms_llama_2_7b_is_not_its_published_count():
    tensors = tensors_of("llama-2-7b")
    norms = [tensor for tensor in tensors if tensor.part == "norm"]
    assert sum(tensor.copies for tensor in norms) == 65
    assert parameters(norms) == 266_240
    assert parameters(tensor for tensor in tensors if tensor.part != "norm") == 6_738_149_376


def test_what_llama_3_8b_has_more_than_llama_2_7b():
    larger, smaller = (parameters_by_part(tensors_of(name)) for name in ("llama-3-8b", "llama-2-7b"))
    more = {part: larger[part] - smaller[part] for part in larger}
    assert more["embedding"] + more["lm_head"] == 788_529_152
    assert (more["ffn"], more["attention"], more["norm"], more["other"]) == (1_308_622_848, -805_306_368, 0, 0)
    assert sum(more.values()) == 1_291_845_632


def test_the_matrices_that_multiply_leave_out_the_lookup():
    """Half of the exact forward FLOPs of one token: 13,214,154,752 for Llama-2-7B."""
    multiplied = sum(tensor.copies * tensor.count for tensor in tensors_of("llama-2-7b") if tensor.kind == "matrix")
    assert 2 * multiplied == 13_214_154_752


def test_32_blocks_without_norms():
    blocks = [tensor for tensor in tensors_of("llama-2-7b") if tensor.layers and tensor.part != "norm"]
    assert sum(tensor.count for tensor in blocks) == 202_375_168
    assert parameters(blocks) == 6_476_005_376


# A mistake each that other tools were reported for, with the right value.
MISTAKES = {
    "kv heads ignored": (
        {
            "model_type": "llama",
            "hidden_size": 8192,
            "intermediate_size": 28672,
            "num_hidden_layers": 80,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "vocab_size": 32000,
        },
        68_976_648_192,
    ),
    "a gated FFN counted as two matrices": (
        {
            "model_type": "qwen2",
            "hidden_size": 8192,
            "intermediate_size": 24576,
            "num_hidden_layers": 80,
            "num_attention_heads": 64,
            "num_key_value_heads": 64,
            "vocab_size": 152064,
            "tie_word_embeddings": False,
        },
        72_287_920_128,
    ),
    "tied by the class, not by the file": (
        {
            "model_type": "gemma",
            "hidden_size": 2048,
            "intermediate_size": 16384,
            "num_hidden_layers": 18,
            "num_attention_heads": 8,
            "num_key_value_heads": 1,
            "head_dim": 256,
            "vocab_size": 256000,
        },
        2_506_172_416,
    ),
    "head_dim is not d / heads": (
        {
            "model_type": "mistral",
            "hidden_size": 5120,
            "intermediate_size": 14336,
            "num_hidden_layers": 40,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "vocab_size": 131072,
        },
        12_247_782_400,
    ),
    "general names for GPT-2's own": (
        {
            "model_type": "gpt2",
            "hidden_size": 768,
            "num_hidden_layers": 12,
            "num_attention_heads": 12,
            "max_position_embeddings": 1024,
            "vocab_size": 50257,
        },
        124_439_808,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_others_made(mistake):
    config, right = MISTAKES[mistake]
    assert Model.of(config).parameters == right


def test_head_dim_null_is_derived():
    config = {"model_type": "llama", "hidden_size": 6144, "num_attention_heads": 48, "num_key_value_heads": 8}
    parts_list = Model.of(config | {"num_hidden_layers": 56, "head_dim": None}).parts_list
    assert parts_list.sizes["head_dim"] == 128
    key = parts_list.named("model.layers.*.self_attn.k_proj.weight")
    assert 2 * 2 * key.copies * key.output.value == 229_376  # bytes a token, keys and values in bf16
