"""llama.cpp's mixes, held against what llama-quantize itself chose, against gguf's own names and sizes, and published figures."""

import json
from pathlib import Path

import pytest
from gguf import MODEL_ARCH_NAMES, MODEL_TENSORS, TENSOR_NAMES, LlamaFileType, get_tensor_name_map
from hypothesis import given
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.model import Model
from calc.weights.gguf_mix import ARCHITECTURES, file_type, gguf_tensors, needs_imatrix
from calc.weights.gguf_types import FTYPES, PLAIN, Candidate, Shape, choose_types, fitting

CHOSEN = json.loads((Path(__file__).parent / "llama_cpp_types.json").read_text(encoding="utf-8"))["models"]
CASES = [(record["model"], ftype) for record in CHOSEN for ftype in record["types"]]
NEEDED = {"hunyuan_v1_dense": {"head_dim": 128}, "nemotron": {"num_key_value_heads": 8}, "ministral": {"head_dim": 128}}


def layers(text):
    """`0-2,5` → 0, 1, 2, 5."""
    for run in text.split(","):
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def recorded(overrides):
    """Name of the tensor → its type, where it is not the default."""
    found = {}
    for key, kind in overrides.items():
        base, _, ids = key.partition(" ")
        names = [f"blk.{layer}.{base}.weight" for layer in layers(ids)] if ids else [f"{base}.weight"]
        found |= dict.fromkeys(names, kind)
    return found


@pytest.mark.parametrize(("model", "ftype"), CASES)
def test_types_are_those_that_llama_quantize_chooses(model, ftype):
    record = next(record for record in CHOSEN if record["model"] == model)
    config = {**record["config"], "num_hidden_layers": record["config"].get("num_hidden_layers", 61)}
    tensors = gguf_tensors(Model.of(config), "F16")
    candidates = [
        Candidate(tensor.name, tensor.shape[-1], tensor.shape[0] if len(tensor.shape) > 2 else 1)
        for tensor in tensors
        if tensor.kind == "F16"
    ]
    heads = {"Qwen3-0.6B": (16, 8, 0), "gpt-oss-120b": (64, 8, 128), "DeepSeek-V3.1": (128, 1, 256)}[model]
    architecture = ARCHITECTURES[config["model_type"]]
    shape = Shape(architecture, config["num_hidden_layers"], *heads, tied=False)

    chosen = choose_types(candidates, shape, ftype)

    assert {name: kind for name, kind in chosen.items() if kind != FTYPES[ftype]} == recorded(record["types"][ftype])


def test_every_file_type_of_gguf_is_there():
    theirs = {kind.name.removeprefix("MOSTLY_").removeprefix("ALL_") for kind in LlamaFileType}
    assert theirs - set(FTYPES) == {"GUESSED", "NVFP4"}  # NVFP4 is a checkpoint converted as it is, nothing llama-quantize makes
    assert set(FTYPES) - theirs == {"Q2_0"}  # newer than this gguf


@pytest.mark.parametrize("model_type", ARCHITECTURES)
def test_names_are_those_of_gguf(model_type):
    """Every name is one that llama.cpp has for this architecture, and that gguf's own map gives the checkpoint's name."""
    architecture = next(arch for arch, name in MODEL_ARCH_NAMES.items() if name == ARCHITECTURES[model_type])
    config = {"model_type": model_type, **NEEDED.get(model_type, {})}
    parts_list = Model.of(config).parts_list
    names = get_tensor_name_map(architecture, parts_list.num_hidden_layers)
    known = {TENSOR_NAMES[tensor] for tensor in MODEL_TENSORS[architecture]}
    mapped = 0
    for tensor in gguf_tensors(Model.of(config), "F16"):
        layer = tensor.name.split(".")[1] if tensor.name.startswith("blk.") else None
        base = tensor.name.removesuffix(".weight").removesuffix(".bias")
        assert (base if layer is None else base.replace(f"blk.{layer}.", "blk.{bid}.")) in known, tensor.name
        theirs = names.get_name(tensor.line.replace("*", str(tensor.layer)), (".weight", ".bias"))
        if theirs and "attn_kv_b" not in theirs:  # split into attn_k_b and attn_v_b
            mapped += 1
            assert tensor.name.removesuffix(".weight") == theirs.removesuffix(".weight")
    assert mapped >= 3 * parts_list.num_hidden_layers


@pytest.mark.parametrize("model_type", ARCHITECTURES)
def test_the_file_holds_every_parameter_once(model_type):
    config = {"model_type": model_type, **NEEDED.get(model_type, {})}
    parts_list = Model.of(config).parts_list
    held = {}
    for tensor in gguf_tensors(Model.of(config), "F32"):
        held[tensor.line] = held.get(tensor.line, 0) + tensor.bytes // 4
    expected = {}
    for tensor in parts_list.tensors:
        if tensor.parameters or tensor.role == "router_correction":
            expected[tensor.name] = expected.get(tensor.name, 0) + tensor.copies * tensor.count
    assert held == expected


def test_a_model_llama_cpp_does_not_have_is_refused_by_name():
    with pytest.raises(ConfigError) as fault:
        gguf_tensors(Model.of({"model_type": "reformer"}), "Q4_K_M")
    assert (fault.value.code, fault.value.details["value"]) == ("gguf_not_described", '"reformer"')


NOT_KNOWN = [("Q4_K_X", "unknown_format_similar"), ("float", "unknown_format"), ("", "unknown_format")]


@pytest.mark.parametrize(("name", "code"), NOT_KNOWN)
def test_an_unknown_file_type_is_refused(name, code):
    with pytest.raises(ConfigError) as fault:
        file_type(name)
    assert fault.value.code == code


@pytest.mark.parametrize(
    ("kind", "row", "taken"),
    [
        ("Q4_K", 4096, "Q4_K"),
        ("Q4_K", 2880, "Q5_0"),
        ("Q5_K", 2880, "Q5_1"),
        ("Q6_K", 2880, "Q8_0"),
        ("Q3_K", 2880, "Q4_0"),
        ("Q2_K", 96, "Q4_0"),
        ("IQ4_XS", 96, "IQ4_NL"),
        ("IQ2_XXS", 96, "IQ4_NL"),
        ("TQ1_0", 96, "Q4_0"),
        ("Q6_K", 100, "F16"),
        ("IQ1_S", 33, "F16"),
        ("Q8_0", 2880, "Q8_0"),
    ],
)
def test_rows_that_are_no_whole_number_of_blocks_take_another_type(kind, row, taken):
    """As the warnings of llama-quantize say: `falling back to`."""
    assert fitting(kind, Candidate("blk.0.ffn_down.weight", row)) == taken


def test_a_row_that_no_type_fits_is_refused():
    with pytest.raises(ConfigError) as fault:
        gguf_tensors(
            Model.of({"model_type": "llama", "hidden_size": 72, "num_attention_heads": 4, "num_key_value_heads": 4}), "Q4_0"
        )
    assert fault.value.code == "gguf_no_fallback"
    assert "72" in str(fault.value)


def test_eight_experts_get_more_bits_for_keys_and_values():
    """Mixtral: attn_k and attn_v in Q8_0, attn_output in Q5_K, as its published Q4_K_M files list them."""
    kinds = {tensor.name: tensor.kind for tensor in gguf_tensors(Model.of("mixtral-8x7b"), "Q4_K_M")}
    assert {kinds[f"blk.9.{name}.weight"] for name in ("attn_k", "attn_v")} == {"Q8_0"}
    assert kinds["blk.9.attn_output.weight"] == "Q5_K"
    assert kinds["blk.9.ffn_gate_inp.weight"] == "F32"


def test_eighty_layers_make_a_70b():
    config = dict(catalogue()["llama-2-70b"].config)
    seventy = {tensor.name: tensor.kind for tensor in gguf_tensors(Model.of(config), "Q4_K_M")}
    other = {tensor.name: tensor.kind for tensor in gguf_tensors(Model.of(config | {"num_hidden_layers": 79}), "Q4_K_M")}
    assert (seventy["blk.10.attn_v.weight"], other["blk.10.attn_v.weight"]) == ("Q5_K", "Q4_K")


def test_tied_embeddings_take_the_outputs_type():
    kinds = {tensor.name: tensor.kind for tensor in gguf_tensors(Model.of("qwen2.5-0.5b"), "Q4_K_M")}
    assert kinds["token_embd.weight"] == "Q8_0"  # 896 is no multiple of 256
    assert "output.weight" not in kinds
    kinds = {tensor.name: tensor.kind for tensor in gguf_tensors(Model.of("llama-3.2-1b"), "Q4_K_M")}
    assert kinds["token_embd.weight"] == "Q6_K"


def test_falcon_keeps_its_output_in_q8_0():
    kinds = {tensor.name: tensor.kind for tensor in gguf_tensors(Model.of({"model_type": "falcon", "hidden_size": 4544}), "Q2_K")}
    assert kinds["token_embd.weight"] == "Q8_0"


def test_the_importance_matrix_moves_three_rules():
    config = catalogue()["qwen2.5-7b"].config
    differing = [
        ftype for ftype in FTYPES if gguf_tensors(Model.of(config), ftype) != gguf_tensors(Model.of(config), ftype, imatrix=True)
    ]
    assert differing == ["Q4_0", "Q5_0", "IQ4_NL", "IQ4_XS"]  # IQ3_XXS is never made without
    assert needs_imatrix("IQ3_XXS")


@given(
    st.sampled_from([ftype for ftype in FTYPES if ftype not in PLAIN]),
    st.integers(1, 12),
    st.sampled_from([256, 512, 768]),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
)
def test_a_quantized_file_is_smaller_and_keeps_vectors_in_32_bits(ftype, layers_, d, d_ff, tied, imatrix):
    config = {
        "model_type": "llama",
        "hidden_size": d,
        "intermediate_size": 256 * d_ff,
        "num_hidden_layers": layers_,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 999,
        "tie_word_embeddings": tied,
    }
    small, large = gguf_tensors(Model.of(config), ftype, imatrix), gguf_tensors(Model.of(config), "F16")
    assert [tensor.name for tensor in small] == [tensor.name for tensor in large]
    assert all(mine.bytes <= theirs.bytes for mine, theirs in zip(small, large, strict=True))
    assert all((tensor.kind == "F32") == (len(tensor.shape) == 1) for tensor in small)
