"""Sizes of weights, held against files that are published, files really written, and what the parts list holds."""

from fractions import Fraction

import pytest

from calc.catalogue import catalogue
from calc.checkpoint.stored import StoredTensor
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.model import Model
from calc.parts_list import parameters
from calc.weights.format_names import FLAT, format_of, known_formats
from calc.weights.safetensors_files import files
from calc.weights.weights import shards, sizes_in_memory, weights
from tests.memory.models import CONFIGS, GGUF_BYTES, IN_PARTS, METADATA, SAFETENSORS_BYTES, WITH_IMATRIX


@pytest.mark.parametrize(("model", "ftype"), GGUF_BYTES)
def test_published_gguf_files_but_for_the_models_metadata(model, ftype):
    size = weights(Model.of(CONFIGS[model]), ftype, imatrix=(model, ftype) in WITH_IMATRIX)
    assert size.kind == "gguf"
    metadata = GGUF_BYTES[model, ftype] - size.bytes - size.header_bytes
    second_header = metadata - METADATA[model]
    assert second_header == 0 or ((model, ftype) in IN_PARTS and 0 < second_header < 256)


def test_half_a_byte_a_weight_is_far_from_a_file():
    size = weights(Model.of(CONFIGS["Llama-2-7B"]), "Q4_K_M")
    assert size.bytes == 4_080_263_168
    assert size.bytes + 741_056 == 4_081_004_224
    assert 4_081_004_224 - size.bytes == size.header_bytes + METADATA["Llama-2-7B"]
    assert round(8 * 4_081_004_224 / size.parameters, 3) == 4.845


@pytest.mark.parametrize(("model", "format_name"), SAFETENSORS_BYTES)
def test_published_safetensors_files_to_the_byte(model, format_name):
    published, saved = SAFETENSORS_BYTES[model, format_name]
    size = weights(Model.of(CONFIGS[model]), format_name, **saved)
    assert (size.bytes, size.is_exact) == (published, True)


def test_llama_2s_file_holds_rotations_besides():
    """13,476,876,272 B: the weights in two files of 10 GB at most, and 32 stored `inv_freq` of 64 numbers in FP32."""
    (whole,) = shards(Model.of(CONFIGS["Llama-2-7B"]), "fp16", shard_bytes=10**12)
    held = []
    for tensor in whole.tensors:
        held.append(tensor)
        if tensor.name.endswith("self_attn.o_proj.weight"):
            held.append(StoredTensor(tensor.name.replace("o_proj.weight", "rotary_emb.inv_freq"), "F32", (64,), 256))
    assert sum(file.bytes for file in files(held, 10**10)) == 13_476_876_272


def test_bitsandbytes_in_numbers_as_the_hub_counts_them():
    """8,248,929,342, U8 counted twice; the digits of 224 offsets, which only the weights tell, are all that is open."""
    counted = sum(
        tensor.elements * (2 if tensor.dtype == "U8" else 1)
        for file in shards(Model.of(CONFIGS["Llama-3.1-8B"]), "nf4-dq")
        for tensor in file.tensors
    )
    assert abs(counted - 8_248_929_342) <= 2 * 224
    assert not weights(Model.of(CONFIGS["Llama-3.1-8B"]), "nf4-dq").is_exact


def test_gpt_oss_packs_its_experts_and_nothing_else():
    """21,511,953,984 numbers with the scales of the experts, as the Hub counts two of them a byte."""
    held = shards(Model.of(CONFIGS["gpt-oss-20b"]), "mxfp4")
    counted = sum(tensor.elements * (2 if tensor.name.endswith("_blocks") else 1) for file in held for tensor in file.tensors)
    assert counted == 21_511_953_984
    assert {line.name for line in weights(Model.of(CONFIGS["gpt-oss-20b"]), "mxfp4").lines if line.reason is None} == {
        "model.layers.*.mlp.experts.gate_up_proj",
        "model.layers.*.mlp.experts.down_proj",
    }


SMALL = {
    "model_type": "qwen3_moe",
    "hidden_size": 256,
    "moe_intermediate_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 64,
    "vocab_size": 300,
    "num_experts": 5,
    "num_experts_per_tok": 2,
}


@pytest.mark.parametrize("format_name", known_formats())
def test_lines_and_types_add_up(format_name):
    size = weights(Model.of(SMALL), format_name)
    assert sum(line.bytes for line in size.lines) == size.data_bytes == sum(size.by_type.values())
    assert sum(line.numbers for line in size.lines) == size.parameters == Model.of(SMALL).parameters
    assert size.bits_per_weight == Fraction(8 * size.data_bytes, size.parameters)
    kept = {line.name for line in size.lines if line.reason}
    if size.kind != "numbers" and format_name.lower() not in ("fp32", "tf32", "fp16", "bf16"):
        assert {"model.norm.weight", "model.layers.*.mlp.gate.weight", "model.layers.*.self_attn.q_norm.weight"} <= kept
        assert not any("experts" in name or name.endswith("q_proj.weight") for name in kept - _only_experts(format_name))


def _only_experts(format_name):
    return {f"model.layers.*.self_attn.{name}_proj.weight" for name in "qkvo"} if format_name == "mxfp4" else set()


@pytest.mark.parametrize("model", ["llama-2-7b", "mixtral-8x7b", "gpt2", "deepseek-v2-lite"])
def test_fewer_bits_take_fewer_bytes(model):
    config = catalogue()[model].config
    ladders = (
        ("fp32", "bf16", "fp8", "int4"),
        ("bf16", "bnb-int8", "gptq-g32", "gptq-g64", "gptq-g128", "nf4-dq"),
        ("gguf-F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_K_S", "Q3_K_M", "Q2_K"),
        ("IQ3_M", "IQ3_XS", "IQ2_M", "IQ2_XXS", "IQ1_S"),
    )
    for ladder in ladders:
        sizes = [sum(line.bytes for line in sizes_in_memory(Model.of(config), name)) for name in ladder]
        assert sizes == sorted(sizes, reverse=True)
        assert len(set(sizes)) == len(sizes)


def test_a_tied_head_is_not_stored():
    tied = weights(Model.of("llama-3.2-1b"), "bf16")
    untied = weights(Model.of({**catalogue()["llama-3.2-1b"].config, "tie_word_embeddings": False}), "bf16")
    assert untied.data_bytes - tied.data_bytes == 2 * 128256 * 2048
    assert "lm_head.weight" not in {line.name for line in tied.lines}


OF_2023 = {
    "llama-2-7b": {
        "Q3_K_S": 3.5,
        "Q3_K_M": 3.91,
        "Q3_K_L": 4.27,
        "Q4_K_S": 4.58,
        "Q4_K_M": 4.84,
        "Q5_K_S": 5.52,
        "Q5_K_M": 5.68,
        "Q6_K": 6.56,
    },
    "llama-2-13b": {"Q3_K_M": 3.89, "Q4_K_S": 4.56, "Q4_K_M": 4.83, "Q5_K_M": 5.67, "Q6_K": 6.56},
    "llama-2-70b": {"Q3_K_M": 3.85, "Q4_K_M": 4.8, "Q5_K_M": 5.65, "Q6_K": 6.56},
}
CHANGED_SINCE = {"llama-2-7b": {"Q2_K": 3.35}, "llama-2-13b": {}, "llama-2-70b": {"Q4_K_S": 4.53}}


@pytest.mark.parametrize("model", OF_2023)
def test_bits_a_weight_that_llama_cpp_published_in_2023(model):
    """Its table of 2023; where the mix has changed since, today's rules must not give the old figure."""
    config = catalogue()[model].config
    for ftype, bits in OF_2023[model].items():
        assert abs(float(weights(Model.of(config), ftype).bits_per_weight) - bits) < 0.01
    for ftype, bits in CHANGED_SINCE[model].items():
        assert abs(float(weights(Model.of(config), ftype).bits_per_weight) - bits) > 0.02


INDEXER = {"indexer_n_heads": 4, "indexer_kv_heads": 1, "indexer_head_dim": 64, "indexer_compress_ratio": 4}
NEEDED = {
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1},
    "hunyuan_v1_dense": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 8},
    "hunyuan_vl": {"text_config": {"head_dim": 128}},
    "hunyuan_vl_text": {"head_dim": 128},
    "ministral": {"head_dim": 128},
    "lfm2_moe": {"layer_types": ["conv"] * 32},
    "qwen4_exp": {"text_config": INDEXER},
    "qwen4_exp_text": INDEXER,
}


@pytest.mark.parametrize("model_type", sorted(FAMILIES))
def test_every_type_can_be_sized_in_every_packing(model_type):
    """Two bytes a parameter in 16 bits, buffers besides; in each packing every number is somewhere, and fewer bytes."""
    config = {"model_type": model_type, **NEEDED.get(model_type, {})}
    parts_list = Model.of(config).parts_list
    total = parameters(parts_list.tensors)
    buffers = [tensor for tensor in parts_list.tensors if tensor.kind == "buffer"]
    of_buffers = sum(tensor.copies * tensor.count for tensor in buffers)
    in_16_bits = sum(line.bytes for line in sizes_in_memory(Model.of(config), "bf16"))
    corrections = sum(tensor.copies * tensor.count for tensor in buffers if tensor.role == "router_correction")
    assert in_16_bits == 2 * (total + of_buffers + corrections)
    for format_name in ("gptq-g128", "awq-g128", "bnb-int8", "fp8", "fp8-block", "nf4-dq", "mxfp4", "nvfp4", "hqq-4-g64"):
        lines = sizes_in_memory(Model.of(config), format_name)
        assert sum(line.numbers for line in lines) == total + of_buffers
        assert all(line.reason or line.type not in ("F16", "BF16") for line in lines)
        if total > 10**8 and any(line.reason is None for line in lines):
            assert sum(line.bytes for line in lines) < in_16_bits


def test_of_what_sees_the_language_model_is_sized():
    text = {**CONFIGS["Mistral-Small-24B"]}
    seeing = weights(Model.of({"model_type": "mistral3", "text_config": text, "vision_config": {}}), "Q4_K_M")
    assert seeing.bytes == weights(Model.of(text), "Q4_K_M").bytes
    assert not seeing.is_exact


def test_formats_are_found_by_either_name():
    assert format_of("gguf-bf16") == "BF16"
    assert format_of(" Q4_k_M ") == "Q4_K_M"
    assert format_of("BF16").name == "bf16"
    assert set(FLAT) < set(known_formats())


NOT_KNOWN = [("q4_k", "unknown_format_similar"), ("4bit", "unknown_format"), ("gguf-q4_k", "unknown_format_similar")]


@pytest.mark.parametrize(("name", "code"), NOT_KNOWN)
def test_an_unknown_format_is_refused(name, code):
    with pytest.raises(ConfigError) as fault:
        weights(Model.of(SMALL), name)
    assert fault.value.code == code


def test_a_bound_is_no_file():
    with pytest.raises(ConfigError) as fault:
        shards(Model.of(SMALL), "int4")
    assert fault.value.code == "unknown_format"
    assert weights(Model.of("llama-2-7b"), "int4").bytes == 3_369_207_808
