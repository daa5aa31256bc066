"""Names and pieces of real checkpoints: whatever a file calls its tensors, cuts apart or joins, it matches as it should."""

import itertools
import json
import math
from functools import cache
from pathlib import Path

import pytest

from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.report import reconciliation_document, reconciliation_text
from calc.checkpoint.stored import Checkpoint, StoredTensor
from calc.model import Model

from .hub_listings import as_stored, experts_one_by_one, renamed
from .writing import BYTES

RECORDS = json.loads((Path(__file__).parents[1] / "fixtures" / "checkpoint_names.json").read_text(encoding="utf-8"))["records"]
"""What transformers itself writes for a model, in its makers' names and pieces."""


def held(whole, tensors, architecture=None):
    """The reconciliation of a file {name: (dtype, shape)}; with an architecture, of a .gguf."""
    stored = tuple(StoredTensor(name, dtype, shape, BYTES[dtype] * math.prod(shape)) for name, (dtype, shape) in tensors.items())
    metadata = {"general.architecture": architecture} if architecture else {}
    result = reconcile(whole, Checkpoint("made up", "gguf" if architecture else "safetensors", stored, metadata))
    assert sum(item.elements for item in result.gap) == result.found - result.expected
    assert sum(entry.found - entry.expected for entry in result.entries) == result.found - result.expected
    return result


def gap(result):
    """Cause → elements."""
    return {item.cause: item.elements for item in result.gap}


def matches(result, *more_causes):
    """Whether all parameters are there, and nothing but them and what the causes say."""
    return (
        result.matched_elements == result.expected
        and set(gap(result)) <= set(more_causes)
        and not (result.missing or result.shape_differs)
    )


def arranged(result):
    """(names in the parts list, names in the file) of what the file cuts or joins otherwise, by their own last names."""
    return {
        tuple(tuple(name.removesuffix(".weight").rpartition(".")[2] for name in names) for names in (item.expected, item.found))
        for item in result.arranged
    }


def numbers(written):
    """`0-2,5` → 0, 1, 2, 5."""
    runs = [run.partition("-") for run in written.split(",")]
    return [number for first, _, last in runs for number in range(int(first), int(last or first) + 1)]


def recorded(record):
    """The file of a record {name: (dtype, shape)}."""
    tensors = {}
    for row in record["tensors"]:
        for at in itertools.product(*(numbers(row[key]) for key in ("l", "e") if key in row)):
            name = row["n"]
            for number in at:
                name = name.replace("*", str(number), 1)
            tensors[name] = ("BF16", tuple(row["s"]))
    return tensors


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["config"]["model_type"])
def test_what_transformers_writes_in_the_makers_names_matches(record):
    result = held(Model.of(record["config"]), recorded(record))
    assert matches(result, "tied_stored_again", "router_correction", "buffer", "inv_freq"), result.gap


CONFIGS = {
    "llama": {
        "model_type": "llama",
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 100,
        "attention_bias": True,
        "tie_word_embeddings": False,
    },
    "phi3": {
        "model_type": "phi3",
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 100,
        "tie_word_embeddings": False,
    },
    "dbrx": {
        "model_type": "dbrx",
        "d_model": 64,
        "n_heads": 4,
        "n_layers": 2,
        "vocab_size": 100,
        "max_seq_len": 32,
        "attn_config": {"kv_n_heads": 2, "clip_qkv": 8},
        "ffn_config": {"ffn_hidden_size": 96, "moe_num_experts": 4, "moe_top_k": 2},
        "tie_word_embeddings": False,
    },
    "neox": {
        "model_type": "gpt_neox",
        "hidden_size": 64,
        "intermediate_size": 256,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "vocab_size": 100,
        "tie_word_embeddings": False,
    },
    "falcon": {
        "model_type": "falcon",
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "vocab_size": 100,
        "multi_query": True,
        "new_decoder_architecture": False,
        "parallel_attn": True,
        "bias": False,
        "alibi": False,
    },
    "qwen3_moe": {
        "model_type": "qwen3_moe",
        "hidden_size": 64,
        "intermediate_size": 96,
        "moe_intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "vocab_size": 100,
        "tie_word_embeddings": False,
    },
    "granite_moe": {
        "model_type": "granitemoe",
        "hidden_size": 64,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "vocab_size": 100,
        "tie_word_embeddings": False,
    },
    "gpt_oss": {
        "model_type": "gpt_oss",
        "hidden_size": 64,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "head_dim": 16,
        "num_key_value_heads": 2,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "vocab_size": 100,
    },
}


@cache
def model(name):
    """The parts list of one of CONFIGS."""
    return Model.of(CONFIGS[name])


SPLIT = ("self_attn.q_proj", (64, 64)), ("self_attn.k_proj", (32, 64)), ("self_attn.v_proj", (32, 64))
GATE_AND_UP = ("mlp.gate_proj", (96, 64)), ("mlp.up_proj", (96, 64))


def joined(name, modules, number_of_layers=2):
    """Llama's file with one tensor in place of some modules'."""
    tensors = as_stored(model("llama"))
    for layer in range(number_of_layers):
        for ending in ("weight", "bias"):
            pieces = [tensors.pop(f"model.layers.{layer}.{module}.{ending}", None) for module, _ in modules]
            if None not in pieces:
                shapes = [shape for _, shape in pieces]
                tensors[f"model.layers.{layer}.{name}.{ending}"] = ("BF16", (sum(shape[0] for shape in shapes), *shapes[0][1:]))
    return tensors


@pytest.mark.parametrize("name", ["self_attn.W_pack", "self_attn.qkv_proj", "attention.query_key_value"])
def test_one_matrix_in_the_file_for_query_key_and_value(name):
    """Baichuan's W_pack, vLLM's qkv_proj: the parts list has three lines."""
    result = held(model("llama"), joined(name, SPLIT))
    assert matches(result) and gap(result) == {}
    assert arranged(result) == {
        (("q_proj", "k_proj", "v_proj"), (name.rpartition(".")[2],)),
        (("bias", "bias", "bias"), ("bias",)),
    }
    assert [item.copies for item in result.arranged] == [2, 2]


def test_one_matrix_in_the_file_for_gate_and_up():
    result = held(model("llama"), joined("mlp.gate_up_proj", GATE_AND_UP))
    assert matches(result) and arranged(result) == {(("gate_proj", "up_proj"), ("gate_up_proj",))}


def test_three_matrices_in_the_file_for_one_line():
    """Phi-3 as others save it: query, key, value, gate and up each on its own."""
    tensors = {
        name: tensor for name, tensor in as_stored(model("phi3")).items() if "qkv_proj" not in name and "gate_up_proj" not in name
    }
    for layer in range(2):
        tensors |= {f"model.layers.{layer}.{module}.weight": ("BF16", shape) for module, shape in (*SPLIT, *GATE_AND_UP)}
    result = held(model("phi3"), tensors)
    assert matches(result)
    assert arranged(result) == {(("qkv_proj",), ("q_proj", "k_proj", "v_proj")), (("gate_up_proj",), ("gate_proj", "up_proj"))}
    del tensors["model.layers.1.self_attn.k_proj.weight"]
    result = held(model("phi3"), tensors)
    assert gap(result) == {"missing": -32 * 64} and result.missing == ("model.layers.*.self_attn.qkv_proj.weight",)


def test_phi3_under_its_own_names():
    result = held(model("phi3"), as_stored(model("phi3")))
    assert matches(result) and gap(result) == {} and not result.arranged


def test_a_joined_matrix_of_another_size_is_no_match():
    tensors = joined("self_attn.W_pack", SPLIT)
    tensors["model.layers.0.self_attn.W_pack.weight"] = ("BF16", (130, 64))
    assert gap(held(model("llama"), tensors)) == {"missing": -128 * 64, "unknown": 130 * 64}
    tensors["model.layers.0.self_attn.W_pack.weight"] = ("BF16", (32, 256))
    assert gap(held(model("llama"), tensors)) == {"missing": -128 * 64, "unknown": 128 * 64}


def test_a_joined_matrix_beside_its_parts_is_stored_again():
    again = {"model.layers.0.self_attn.W_pack.weight": ("BF16", (128, 64))}
    result = held(model("llama"), as_stored(model("llama")) | again)
    assert gap(result) == {"stored_again": 128 * 64} and matches(result, "stored_again") and not result.arranged
    result = held(model("phi3"), as_stored(model("phi3")) | {"model.layers.0.self_attn.q_proj.weight": ("BF16", (64, 64))})
    assert gap(result) == {"stored_again": 64 * 64} and matches(result, "stored_again")


def test_joined_gates_and_experts_are_not_mixed_up():
    """A shared expert's gate and up are one line, the experts' another; an expert's gate belongs to the experts."""
    whole = Model.of(
        {
            "model_type": "granitemoehybrid",
            "hidden_size": 64,
            "intermediate_size": 32,
            "shared_intermediate_size": 48,
            "vocab_size": 100,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "layer_types": ["attention"],
            "tie_word_embeddings": True,
        }
    )
    ours = as_stored(whole.parts_list)
    tensors = experts_one_by_one(ours)
    assert len(tensors) > len(ours)
    assert matches(held(whole, tensors))
    del tensors["model.layers.0.block_sparse_moe.experts.1.up_proj.weight"]
    result = held(whole, tensors)
    assert gap(result) == {"missing": -32 * 64} and result.missing == ("model.layers.*.block_sparse_moe.experts.gate_up_proj",)


def test_the_layers_of_two_stacks_do_not_stand_for_one_another():
    """HRM-Text has 2 layers in each of two stacks: a third in one of them is beyond its end."""
    whole = Model.of({"model_type": "hrm_text", "num_layers_per_stack": 2})
    tensors = as_stored(whole.parts_list)
    more = {name.replace(".1.", ".2."): tensor for name, tensor in tensors.items() if "L_module.layers.1." in name}
    result = held(whole, tensors | more)
    assert matches(result, "more_layers") and set(gap(result)) == {"more_layers"}
    for name in [name for name in tensors if "H_module.layers.1." in name]:
        del tensors[name]
    assert set(gap(held(whole, tensors))) == {"missing"}


def test_dbrx_under_its_own_names():
    """Its experts stand one below the other in one matrix: [E · d_expert, d]."""
    tensors = {
        "transformer.wte.weight": ("BF16", (100, 64)),
        "transformer.norm_f.weight": ("BF16", (64,)),
        "lm_head.weight": ("BF16", (100, 64)),
    }
    for layer in range(2):
        block = f"transformer.blocks.{layer}."
        tensors |= {
            f"{block}norm_attn_norm.norm_1.weight": ("BF16", (64,)),
            f"{block}norm_attn_norm.norm_2.weight": ("BF16", (64,)),
            f"{block}norm_attn_norm.attn.Wqkv.weight": ("BF16", (128, 64)),
            f"{block}norm_attn_norm.attn.out_proj.weight": ("BF16", (64, 64)),
            f"{block}ffn.router.layer.weight": ("BF16", (4, 64)),
            f"{block}ffn.experts.mlp.w1": ("BF16", (384, 64)),
            f"{block}ffn.experts.mlp.v1": ("BF16", (384, 64)),
            f"{block}ffn.experts.mlp.w2": ("BF16", (384, 64)),
        }
    assert gap(held(model("dbrx"), tensors)) == {} and matches(held(model("dbrx"), tensors))


def test_llama_and_mistral_under_their_makers_names():
    """`consolidated.safetensors`: tok_embeddings, attention.wq, feed_forward.w1, output."""
    whole = Model.of(
        {
            "model_type": "mistral",
            "hidden_size": 64,
            "intermediate_size": 96,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "vocab_size": 100,
            "tie_word_embeddings": False,
        }
    )
    theirs = renamed(
        as_stored(whole),
        ("model.", ""),
        ("embed_tokens", "tok_embeddings"),
        ("lm_head", "output"),
        ("self_attn.q_proj", "attention.wq"),
        ("self_attn.k_proj", "attention.wk"),
        ("self_attn.v_proj", "attention.wv"),
        ("self_attn.o_proj", "attention.wo"),
        ("mlp.gate_proj", "feed_forward.w1"),
        ("mlp.down_proj", "feed_forward.w2"),
        ("mlp.up_proj", "feed_forward.w3"),
        ("input_layernorm", "attention_norm"),
        ("post_attention_layernorm", "ffn_norm"),
    )
    assert gap(held(whole, theirs)) == {} and matches(held(whole, theirs))


APART = {"attn_q": (64, 64), "attn_k": (32, 64), "attn_v": (32, 64), "attn_output": (64, 64)}
EXPERTS = {"ffn_gate_inp": (4, 64), "ffn_gate_exps": (4, 32, 64), "ffn_up_exps": (4, 32, 64), "ffn_down_exps": (4, 64, 32)}
NORMS = {"attn_norm": (64,), "ffn_norm": (64,)}


def with_biases(shapes):
    """Each with a bias of its outputs."""
    return {f"{name}.weight": shape for name, shape in shapes.items()} | {
        f"{name}.bias": shape[:-1] for name, shape in shapes.items()
    }


@pytest.mark.parametrize(
    "name, architecture, block",
    [
        ("phi3", "phi3", {"attn_qkv": (128, 64), "attn_output": (64, 64), "ffn_up": (192, 64), "ffn_down": (64, 96), **NORMS}),
        ("phi3", "phi3", {**APART, "ffn_gate": (96, 64), "ffn_up": (96, 64), "ffn_down": (64, 96), **NORMS}),
        (
            "neox",
            "gptneox",
            {
                **with_biases({"attn_qkv": (192, 64), "attn_output": (64, 64), "ffn_up": (256, 64), "ffn_down": (64, 256)}),
                **{f"{norm}.{kind}": (64,) for norm in NORMS for kind in ("weight", "bias")},
            },
        ),
        (
            "falcon",
            "falcon",
            {
                "attn_qkv": (96, 64),
                "attn_output": (64, 64),
                "ffn_up": (256, 64),
                "ffn_down": (64, 256),
                "attn_norm.weight": (64,),
                "attn_norm.bias": (64,),
            },
        ),
        (
            "dbrx",
            "dbrx",
            {
                "attn_qkv": (128, 64),
                "attn_output": (64, 64),
                "attn_norm": (64,),
                "attn_output_norm": (64,),
                "ffn_gate_inp": (4, 64),
                "ffn_gate_exps": (4, 96, 64),
                "ffn_up_exps": (4, 96, 64),
                "ffn_down_exps": (4, 64, 96),
            },
        ),
        ("qwen3_moe", "qwen3moe", {**APART, **EXPERTS, **NORMS, "attn_q_norm": (16,), "attn_k_norm": (16,)}),
        ("granite_moe", "granitemoe", {**APART, **EXPERTS, **NORMS}),
        (
            "gpt_oss",
            "gpt-oss",
            {**with_biases({**APART, **EXPERTS}), "attn_sinks.weight": (4,), "attn_norm": (64,), "post_attention_norm": (64,)},
        ),
    ],
)
def test_ggufs_names_and_pieces(name, architecture, block):
    whole = model(name)
    tensors = {"token_embd.weight": ("F16", (100, 64)), "output.weight": ("F16", (100, 64)), "output_norm.weight": ("F32", (64,))}
    if architecture in ("gptneox", "falcon"):
        tensors["output_norm.bias"] = ("F32", (64,))
    for layer in range(2):
        for theirs, shape in block.items():
            ending = "" if theirs.endswith((".weight", ".bias")) else ".weight"
            tensors[f"blk.{layer}.{theirs}{ending}"] = ("F32", shape)
    result = held(whole, tensors, architecture)
    assert matches(result, "tied_stored_again"), result.gap
    assert result.found == whole.parameters + result.elements("tied_stored_again")


def test_an_attn_qkv_for_three_lines_in_a_gguf():
    tensors = {"token_embd.weight": ("F16", (100, 64)), "output.weight": ("F16", (100, 64)), "output_norm.weight": ("F32", (64,))}
    for layer in range(2):
        shapes = {"attn_qkv": (128, 64), "ffn_gate": (96, 64), "ffn_up": (96, 64), "ffn_down": (64, 96), "attn_output": (64, 64)}
        tensors |= {f"blk.{layer}.{name}.weight": ("F32", shape) for name, shape in shapes.items()}
        tensors |= {f"blk.{layer}.attn_qkv.bias": ("F32", (128,)), f"blk.{layer}.attn_output.bias": ("F32", (64,))}
        tensors |= {f"blk.{layer}.{norm}.weight": ("F32", shape) for norm, shape in NORMS.items()}
    result = held(model("llama"), tensors, "llama")
    assert gap(result) == {} and matches(result) and (("q_proj", "k_proj", "v_proj"), ("attn_qkv",)) in arranged(result)


def test_the_report_says_what_is_cut_or_joined_otherwise():
    stored = tuple(
        StoredTensor(name, "BF16", shape, 2 * math.prod(shape)) for name, (_, shape) in joined("self_attn.W_pack", SPLIT).items()
    )
    checkpoint = Checkpoint("baichuan", "safetensors", stored)
    result = reconcile(model("llama"), checkpoint)
    said = json.loads(json.dumps(reconciliation_document("llama", checkpoint, result)))["arranged"]
    assert said[0] == {
        "expected": [f"model.layers.*.self_attn.{name}_proj.weight" for name in "qkv"],
        "found": ["model.layers.*.self_attn.W_pack.weight"],
        "copies": 2,
    }
    [line, _] = reconciliation_text("llama", checkpoint, result).splitlines()[-2:]
    assert line.startswith(
        "2 of them cut or joined otherwise: model.layers.*.self_attn.W_pack.weight for model.layers.*.self_attn.q_proj"
    )
