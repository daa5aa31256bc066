"""Parts lists held against files: published differences explained to the last element."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from catalogue_sample import SAMPLE
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.checkpoint.causes import CAUSES
from calc.checkpoint.gguf_header import read_gguf
from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.safetensors_header import read_safetensors
from calc.checkpoint.stored import Checkpoint, StoredTensor
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.model import Model

from . import deepseek_v3
from . import llama_shapes as shapes
from .hub_listings import as_stored
from .llama_shapes import llama
from .writing import BYTES, write_gguf, write_safetensors

DEFAULTS = json.loads((Path(__file__).parents[1] / "fixtures" / "default_configs.json").read_text())


def held(tmp_path, whole, tensors, packing=None):
    """The reconciliation of a file that is written and read, whose gap is checked to add up."""
    result = reconcile(
        Model(whole.values | (packing or {})), read_safetensors(write_safetensors(tmp_path / "model.safetensors", tensors))
    )
    check(result, whole)
    return result


def check(result, whole):
    """What must be true of every reconciliation."""
    assert result.expected == whole.parameters
    assert sum(item.elements for item in result.gap) == result.found - result.expected
    assert len({item.cause for item in result.gap}) == len(result.gap) and {item.cause for item in result.gap} <= set(CAUSES)
    assert all(item.tensors and item.copies >= len(item.tensors) for item in result.gap)
    assert 0 <= result.matched_elements <= result.expected
    entries = result.entries
    assert (sum(entry.expected for entry in entries), sum(entry.found for entry in entries)) == (result.expected, result.found)
    for item in result.gap:
        of_cause = [entry for entry in entries if entry.cause == item.cause]
        assert sum(entry.found - entry.expected for entry in of_cause) == item.elements
        assert sum(entry.copies for entry in of_cause) == item.copies
    matching = [entry for entry in entries if entry.cause is None]
    assert all(entry.found == entry.expected for entry in matching) and sum(entry.copies for entry in matching) >= result.matched
    assert {entry.cause for entry in entries} - {None} == {item.cause for item in result.gap}
    assert {entry.name for entry in entries if entry.cause == "missing"} == set(result.missing)


def gap(result):
    """Cause → elements."""
    return {item.cause: item.elements for item in result.gap}


def published(name):
    """A model of the catalogue as its parts list."""
    return Model.of(name)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_file_of_exactly_the_parameters_leaves_no_gap(name, tmp_path):
    whole = published(name)
    result = held(tmp_path, whole, as_stored(whole.parts_list))
    assert result.gap == () and result.found == result.expected == result.matched_elements == catalogue()[name].parameters
    assert not result.missing and not result.extra and not result.shape_differs


@pytest.mark.parametrize("name", ["llama-2-7b", "llama-2-13b", "llama-2-70b"])
def test_inv_freq_buffers(name, tmp_path):
    model = Model.of(name)
    layers = model.values["num_hidden_layers"]
    extra = {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("F32", (64,)) for i in range(layers)}
    result = held(tmp_path, model, as_stored(model.parts_list, "F16") | extra)
    assert result.found == model.entry.hub_total and gap(result) == {"inv_freq": 64 * layers}
    assert result.gap[0].tensors == ("model.layers.*.self_attn.rotary_emb.inv_freq",) and result.gap[0].copies == layers


def test_gpt2s_masks_and_the_prefix_it_lacks(tmp_path):
    whole = published("gpt2")
    tensors = {name.removeprefix("transformer."): tensor for name, tensor in as_stored(whole.parts_list, "F32").items()}
    tensors |= {f"h.{i}.attn.bias": ("F32", (1, 1, 1024, 1024)) for i in range(12)}
    result = held(tmp_path, whole, tensors)
    assert result.found == 137_022_720 and gap(result) == {"causal_mask": 12_582_912}


@pytest.mark.parametrize("name, elements", [("qwen3-0.6b", 155_582_464), ("qwen3-1.7b", 311_164_928)])
def test_a_tied_head_stored_again(name, elements, tmp_path):
    whole = published(name)
    result = held(tmp_path, whole, as_stored(whole.parts_list, tied=True))
    assert result.found == catalogue()[name].hub_total and gap(result) == {"tied_stored_again": elements}


def test_of_two_tied_tensors_either_will_do(tmp_path):
    whole = published("qwen3-0.6b")
    tensors = as_stored(whole.parts_list, tied=True)
    del tensors["model.embed_tokens.weight"]
    assert held(tmp_path, whole, tensors).gap == ()


def test_deepseek_v3(tmp_path):
    """Row 17 of the known mistakes: 684,531,386,000 = 671,026,419,200 + 13,463,426,304 + 41,540,496."""
    whole = Model.of(deepseek_v3.CONFIG)
    result = held(tmp_path, whole, deepseek_v3.checkpoint())
    assert (result.expected, result.found) == (671_026_404_352, 684_531_386_000)
    assert gap(result) == {"mtp": 13_463_426_304, "scales_and_zeros": 41_540_496, "router_correction": 14_848}
    assert not result.missing and not result.shape_differs


LLAMA_3_1_8B = Model.of(shapes.CONFIG)
CT = {"quantization_config": {"config_groups": {"g": {"weights": {"num_bits": 3}}}}}


@pytest.mark.parametrize(
    "packed, config, causes",
    [
        (shapes.gptq, {}, {"dummy_bias", "scales_and_zeros", "packing_tables"}),
        (shapes.awq, {}, {"scales_and_zeros"}),
        (shapes.bitsandbytes_4_bit, {}, {"scales_and_zeros", "packing_tables"}),
        (shapes.bitsandbytes_8_bit, {}, {"scales_and_zeros", "packing_tables"}),
        (lambda *m: shapes.compressed(*m, bits=3, group=None), CT, {"scales_and_zeros", "packing_tables"}),
        (shapes.fp8_blocks, {}, {"scales_and_zeros"}),
        (shapes.fp8_channels, {}, {"scales_and_zeros"}),
        (shapes.nvfp4, {}, {"scales_and_zeros"}),
        (shapes.mlx, {"quantization": {"bits": 4, "group_size": 64}}, {"scales_and_zeros"}),
    ],
)
def test_packed_checkpoints_hold_exactly_the_parameters_and_their_service(packed, config, causes, tmp_path):
    result = held(tmp_path, LLAMA_3_1_8B, llama(packed), config)
    assert result.matched_elements == result.expected == 8_030_261_248
    assert set(gap(result)) == causes and not result.missing and not result.shape_differs
    if "dummy_bias" in causes:
        assert result.elements("dummy_bias") == 1_376_256


def test_a_bias_that_no_quantizer_added_is_unknown(tmp_path):
    extra = {"model.layers.0.self_attn.q_proj.bias": ("BF16", (4096,))}
    result = held(tmp_path, LLAMA_3_1_8B, llama() | extra)
    assert gap(result) == {"unknown": 4096} and result.extra == ("model.layers.*.self_attn.q_proj.bias",)


def test_what_is_missing_is_negative_and_named(tmp_path):
    tensors = llama()
    del tensors["model.layers.5.mlp.up_proj.weight"], tensors["lm_head.weight"]
    result = held(tmp_path, LLAMA_3_1_8B, tensors)
    assert gap(result) == {"missing": -(14336 * 4096) - 128256 * 4096}
    assert set(result.missing) == {"model.layers.*.mlp.up_proj.weight", "lm_head.weight"}


def test_a_vocabulary_with_rows_to_spare(tmp_path):
    more = dict.fromkeys(("model.embed_tokens.weight", "lm_head.weight"), ("BF16", (128320, 4096)))
    result = held(tmp_path, LLAMA_3_1_8B, llama() | more)
    assert gap(result) == {"padded_vocabulary": 2 * 64 * 4096}
    assert {(d.name, d.found) for d in result.shape_differs} == {(name, (128320, 4096)) for name in more}


def test_another_shape_is_no_padding(tmp_path):
    result = held(tmp_path, LLAMA_3_1_8B, llama() | {"model.layers.3.mlp.down_proj.weight": ("BF16", (4096, 14000))})
    assert gap(result) == {"shape_differs": -336 * 4096}
    turned = held(tmp_path, LLAMA_3_1_8B, llama() | {"model.layers.3.mlp.down_proj.weight": ("BF16", (14336, 4096))})
    assert gap(turned) == {"shape_differs": 0} and len(turned.shape_differs) == 1


def test_layers_beyond_the_config_are_no_mtp(tmp_path):
    extra = {"model.layers.32.mlp.up_proj.weight": ("BF16", (14336, 4096))}
    assert gap(held(tmp_path, LLAMA_3_1_8B, llama() | extra)) == {"more_layers": 14336 * 4096}
    extra |= {"model.layers.32.eh_proj.weight": ("BF16", (4096, 8192)), "mtp.norm.weight": ("BF16", (9,))}
    assert gap(held(tmp_path, LLAMA_3_1_8B, llama() | extra)) == {"mtp": 14336 * 4096 + 4096 * 8192 + 9}


def test_the_language_part_of_a_multimodal_file(tmp_path):
    """Gemma-3's files name it `language_model.model`, newer ones `model.language_model`; a tower stands beside it."""
    tower = {
        "vision_tower.vision_model.encoder.layers.0.mlp.fc1.weight": ("BF16", (8, 4)),
        "multi_modal_projector.w": ("BF16", (4, 4)),
    }
    old = {name if name == "lm_head.weight" else f"language_model.{name}": tensor for name, tensor in llama().items()}
    new = {name.replace("model.", "model.language_model.", 1): tensor for name, tensor in llama().items()}
    for tensors in (old, new):
        assert gap(held(tmp_path, LLAMA_3_1_8B, tensors | tower)) == {"other_modality": 48}


MIXTRAL = {
    "model_type": "mixtral",
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "vocab_size": 100,
}


def mixtral(ffn="block_sparse_moe", gate="w1", up="w3", down="w2"):
    """Mixtral with its experts one by one."""
    whole = Model.of(MIXTRAL)
    tensors = {name: tensor for name, tensor in as_stored(whole.parts_list).items() if ".mlp." not in name}
    for layer in range(2):
        prefix = f"model.layers.{layer}.{ffn}"
        tensors[f"{prefix}.gate.weight"] = ("BF16", (4, 64))
        for expert in range(4):
            tensors[f"{prefix}.experts.{expert}.{gate}.weight"] = ("BF16", (96, 64))
            tensors[f"{prefix}.experts.{expert}.{up}.weight"] = ("BF16", (96, 64))
            tensors[f"{prefix}.experts.{expert}.{down}.weight"] = ("BF16", (64, 96))
    return whole, tensors


@pytest.mark.parametrize("names", [(), ("mlp", "gate_proj", "up_proj", "down_proj")])
def test_experts_stored_one_by_one(names, tmp_path):
    whole, tensors = mixtral(*names)
    assert held(tmp_path, whole, tensors).gap == ()


def test_one_expert_that_is_missing_and_one_stored_twice(tmp_path):
    whole, tensors = mixtral()
    del tensors["model.layers.1.block_sparse_moe.experts.2.w3.weight"]
    tensors["model.layers.0.mlp.experts.1.down_proj.weight"] = ("BF16", (64, 96))
    result = held(tmp_path, whole, tensors)
    assert gap(result) == {"missing": -96 * 64, "stored_again": 96 * 64}
    assert result.missing == ("model.layers.*.mlp.experts.gate_up_proj",)


def test_experts_as_mlx_stacks_them(tmp_path):
    whole, tensors = mixtral()
    tensors = {name: tensor for name, tensor in tensors.items() if ".experts." not in name}
    for layer in range(2):
        for name, shape in {"gate_proj": (96, 64), "up_proj": (96, 64), "down_proj": (64, 96)}.items():
            tensors |= {
                f"model.layers.{layer}.mlp.switch_mlp.{name}.weight": ("U32", (4, shape[0], shape[1] // 8)),
                f"model.layers.{layer}.mlp.switch_mlp.{name}.scales": ("BF16", (4, shape[0], shape[1] // 32)),
                f"model.layers.{layer}.mlp.switch_mlp.{name}.biases": ("BF16", (4, shape[0], shape[1] // 32)),
            }
    result = held(tmp_path, whole, tensors, {"quantization": {"bits": 4, "group_size": 32}})
    assert set(gap(result)) == {"scales_and_zeros"} and result.matched_elements == result.expected


def gguf(tmp_path, whole, tensors, architecture="llama"):
    """The reconciliation of a .gguf that is written and read."""
    path = write_gguf(tmp_path / "m.gguf", tensors, {"general.architecture": architecture})
    result = reconcile(whole, read_gguf(path))
    check(result, whole)
    return result


def test_llama_as_gguf(tmp_path):
    tensors = {
        "token_embd.weight": ("Q4_K", (128256, 4096)),
        "output.weight": ("Q6_K", (128256, 4096)),
        "rope_freqs.weight": ("F32", (64,)),
    }
    theirs = {"q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output"}
    for layer in range(32):
        for module, shape in shapes.LINEAR.items():
            short = module.split(".")[1]
            tensors[f"blk.{layer}.{theirs.get(short, 'ffn_' + short.removesuffix('_proj'))}.weight"] = ("Q4_K", shape)
        tensors |= {f"blk.{layer}.attn_norm.weight": ("F32", (4096,)), f"blk.{layer}.ffn_norm.weight": ("F32", (4096,))}
    tensors["output_norm.weight"] = ("F32", (4096,))
    result = gguf(tmp_path, LLAMA_3_1_8B, tensors)
    assert gap(result) == {"inv_freq": 64} and result.matched_elements == 8_030_261_248
    assert result.packings == ("gguf",)


def test_mixtral_as_gguf(tmp_path):
    whole = Model.of(MIXTRAL)
    tensors = {"token_embd.weight": ("F16", (100, 64)), "output.weight": ("F16", (100, 64)), "output_norm.weight": ("F32", (64,))}
    for layer in range(2):
        for name, shape in {
            "attn_q": (64, 64),
            "attn_k": (32, 64),
            "attn_v": (32, 64),
            "attn_output": (64, 64),
            "attn_norm": (64,),
            "ffn_norm": (64,),
            "ffn_gate_inp": (4, 64),
            "ffn_gate_exps": (4, 96, 64),
            "ffn_up_exps": (4, 96, 64),
            "ffn_down_exps": (4, 64, 96),
        }.items():
            tensors[f"blk.{layer}.{name}.weight"] = ("F32", shape)
    assert gguf(tmp_path, whole, tensors).gap == ()


def test_gpt2_as_gguf(tmp_path):
    """llama.cpp turns GPT-2's matrices round and writes the tied head again."""
    whole = published("gpt2")
    tensors = {
        "token_embd.weight": ("F16", (50257, 768)),
        "position_embd.weight": ("F32", (1024, 768)),
        "output.weight": ("F16", (50257, 768)),
    }
    tensors |= {"output_norm.weight": ("F32", (768,)), "output_norm.bias": ("F32", (768,))}
    for layer in range(12):
        for name, out, inputs in [
            ("attn_qkv", 2304, 768),
            ("attn_output", 768, 768),
            ("ffn_up", 3072, 768),
            ("ffn_down", 768, 3072),
        ]:
            tensors |= {f"blk.{layer}.{name}.weight": ("F16", (out, inputs)), f"blk.{layer}.{name}.bias": ("F32", (out,))}
        for name in ("attn_norm", "ffn_norm"):
            tensors |= {f"blk.{layer}.{name}.{kind}": ("F32", (768,)) for kind in ("weight", "bias")}
    result = gguf(tmp_path, whole, tensors, "gpt2")
    assert gap(result) == {"tied_stored_again": 50257 * 768}


@pytest.mark.parametrize("model_type", FAMILIES)
def test_every_family_matches_a_file_of_its_own(model_type):
    """Whatever a family lists is found again under its own names, buffers and tied copies under their causes."""
    try:
        whole = Model.of({"model_type": model_type} | DEFAULTS.get(model_type, {}))
    except ConfigError as error:
        assert error.code == "missing"
        pytest.skip("no config of defaults alone")
    stored, copies = [], Counter()
    for tensor in whole.tensors:
        for layer in tensor.layers or (None,):
            for _ in range(tensor.repeats):
                name = tensor.name if layer is None else tensor.name.replace("*", str(layer), 1)
                stored.append(StoredTensor(name.replace("*", str(copies[name])), "BF16", tensor.shape, 2 * tensor.count))
                copies[name] += 1
    assert len({tensor.name for tensor in stored}) == len(stored)
    result = reconcile(whole, Checkpoint("own", "safetensors", tuple(stored)))
    check(result, whole)
    assert result.matched_elements == result.expected
    assert not result.missing and not result.shape_differs
    assert set(gap(result)) <= {"tied_stored_again", "router_correction", "buffer", "inv_freq"}


NAMES = [
    *as_stored(Model.of(MIXTRAL), tied=True),
    *mixtral()[1],
    *[
        "model.layers.0.self_attn.rotary_emb.inv_freq",
        "model.layers.1.attn.bias",
        "model.layers.2.mlp.gate.weight",
        "mtp.fc.weight",
        "model.layers.2.eh_proj.weight",
        "vision_tower.x",
        "lm_head.qweight",
        "lm_head.scales",
        "lm_head.qzeros",
        "lm_head.g_idx",
        "lm_head.weight_packed",
        "model.layers.0.self_attn.q_proj.weight_scale",
        "model.layers.0.self_attn.q_proj.bias",
        "x",
        "",
        ".",
        "a..b",
        "model.embed_tokens.weight.absmax",
        "*",
        "model.layers.*.input_layernorm.weight",
        "model.layers.99999999999.mlp.gate.weight",
    ],
]
STORED = st.builds(
    lambda name, dtype, shape: StoredTensor(name, dtype, shape, BYTES[dtype] * math.prod(shape)),
    st.sampled_from(NAMES) | st.text(max_size=20),
    st.sampled_from(sorted(BYTES)),
    st.lists(st.integers(0, 200), max_size=4).map(tuple)
    | st.sampled_from([(64, 64), (4, 192, 64), (96, 64), (100, 64), (110, 64), (64,)]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(STORED, max_size=25, unique_by=lambda tensor: tensor.name))
def test_the_gap_always_adds_up(stored):
    whole = Model.of(MIXTRAL)
    try:
        result = reconcile(Model(whole.values | CT), Checkpoint("any", "safetensors", tuple(stored)))
    except ConfigError as error:
        assert error.code == "packing_unclear"
        return
    check(result, whole)
    ours = [t for t in stored if t.dtype not in ("U8", "I32", "U32", "I16", "I8", "I64")]
    if len(ours) == len(stored):
        assert result.found == result.stored == sum(t.elements for t in stored)
