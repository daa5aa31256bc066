"""Models of one's own: what runs, and what is refused by name."""

import json

import numpy as np
import pytest
from safetensors.numpy import save

from calc import ConfigError
from calc.model import Model
from calc.run.checkpoint import LIMIT_BYTES, STORIES_FOLDER, files_of, read_model, sizes_of
from calc.run.forward import forward
from run.truth import ids_of, small_config, small_files, truth, under


def code_of(files):
    with pytest.raises(ConfigError) as refusal:
        read_model(files)
    assert len(str(refusal.value).splitlines()) == 1
    return refusal.value.code


def bfloat16_file(tensors):
    """A .safetensors file of the upper halves of float32 numbers."""
    entries, data = {}, b""
    for name, tensor in tensors.items():
        content = (np.ascontiguousarray(tensor, "<f4").view("<u4") >> 16).astype("<u2").tobytes()
        entries[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    header = json.dumps(entries).encode()
    return len(header).to_bytes(8, "little") + header + data


@pytest.mark.parametrize(("dtype", "tolerance"), [("F32", 1e-4), ("F16", 0.05), ("BF16", 0.5)])
def test_every_floating_point_type_runs(dtype, tolerance):
    tensors, config = under("mistral/tensor/"), small_files("mistral")[0]
    halves = {name: tensor.astype("float16") for name, tensor in tensors.items()}
    content = {"F32": save(tensors), "F16": save(halves), "BF16": bfloat16_file(tensors)}[dtype]
    logits = forward(read_model([config, ("m.safetensors", content)]), ids_of("mistral/ids")).logits
    assert logits.dtype == np.float32
    assert np.abs(logits - truth()["mistral/logits"]).max() / np.abs(logits).max() < tolerance


def test_a_folder_with_an_index_runs(tmp_path):
    tensors = under("qwen3/tensor/")
    names = sorted(tensors)
    shards = {"a.safetensors": names[:5], "b.safetensors": names[5:]}
    for file, held in shards.items():
        (tmp_path / file).write_bytes(save({name: tensors[name] for name in held}))
    weight_map = {name: file for file, held in shards.items() for name in held}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    (tmp_path / "config.json").write_text(json.dumps(small_config("qwen3")))
    logits = forward(read_model(files_of(tmp_path)), ids_of("qwen3/ids")).logits
    np.testing.assert_allclose(logits, truth()["qwen3/logits"], rtol=1e-3, atol=1e-4)


def test_a_stored_tied_head_and_old_buffers_are_passed_over():
    tensors = under("qwen2/tensor/")
    tensors |= {
        "lm_head.weight": tensors["model.embed_tokens.weight"],
        "model.layers.0.self_attn.rotary_emb.inv_freq": np.ones(2, "f"),
    }
    logits = forward(read_model(small_files("qwen2", tensors)), ids_of("qwen2/ids")).logits
    np.testing.assert_allclose(logits, truth()["qwen2/logits"], rtol=1e-3, atol=1e-4)


def test_rope_parameters_say_what_rope_theta_says():
    plain = sizes_of(Model.of(small_config("qwen3")))
    config = {key: value for key, value in small_config("qwen3").items() if key != "rope_theta"}
    assert sizes_of(Model.of(config | {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}})) == plain
    assert sizes_of(Model.of(config)).rope_theta == 10_000


def test_a_window_bounds_the_context():
    assert sizes_of(Model.of(small_config("mistral"))).max_context == 32
    assert sizes_of(Model.of(small_config("llama"))).max_context == 64


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"model_type": "gpt2"}, "not_run_type"),
        ({"model_type": None}, "no_model_type"),
        ({"model_type": "gemma2"}, "not_run_type"),
        ({"quantization_config": {"quant_method": "gptq"}}, "not_run_quantized"),
        ({"hidden_act": "gelu"}, "not_among"),
        ({"rope_scaling": {"rope_type": "llama3", "factor": 8}}, "not_among"),
        ({"rope_scaling": {"type": "linear", "factor": 2}}, "not_among"),
        ({"rope_theta": "many"}, "not_a_number"),
        ({"rms_norm_eps": 0}, "not_positive"),
        ({"head_dim": 3}, "head_dim_odd"),
        ({"head_dim": 4, "hidden_size": 17}, "tensor_other_shape"),
        ({"num_hidden_layers": 3}, "tensor_missing"),
        ({"num_hidden_layers": 1}, "tensor_unexpected"),
        ({"attention_bias": False}, "tensor_unexpected"),
        ({"num_key_value_heads": 3}, "kv_heads_do_not_divide"),
    ],
)
def test_a_config_that_cannot_run_is_refused(changed, code):
    assert code_of(small_files("llama", changed=changed)) == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda tensor: tensor.astype("int8"), "tensor_not_float"),
        (lambda tensor: tensor.astype("float64"), "tensor_not_float"),
        (lambda tensor: tensor[:1], "tensor_other_shape"),
        (lambda tensor: tensor * np.float32("nan"), "tensor_not_finite"),
    ],
)
def test_a_tensor_that_cannot_run_is_refused(change, code):
    tensors = under("llama/tensor/")
    name = "model.layers.1.mlp.up_proj.weight"
    assert code_of(small_files("llama", tensors | {name: change(tensors[name])})) == code


def test_files_that_are_missing_or_too_many():
    config, weights = small_files("llama")
    assert code_of([weights]) == "no_config_to_run"
    assert code_of([config]) == code_of([config, ("model.gguf", b"GGUF")]) == "no_weights_to_run"
    assert code_of([config, weights, ("again.safetensors", weights[1])]) == "tensor_in_two_files"
    assert code_of([config, ("model.safetensors", weights[1][:-1])]) == "tensor_outside_file"
    assert code_of([config, ("model.safetensors", bytes(LIMIT_BYTES))]) == "weights_too_large"


def test_a_folder_that_is_too_large_is_not_even_read(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with open(tmp_path / "model.safetensors", "wb") as file:
        file.truncate(40 * LIMIT_BYTES)
    with pytest.raises(ConfigError) as refusal:
        files_of(tmp_path)
    assert refusal.value.code == "weights_too_large"


@pytest.mark.parametrize(
    ("folder", "code"), [("no/such/folder", "unreadable_file"), (".", "no_checkpoint"), ("\0", "unreadable_file")]
)
def test_a_folder_without_a_model(folder, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as refusal:
        files_of(folder)
    assert refusal.value.code == code


def test_the_carried_files_are_read_alike_as_uploads():
    files = files_of(STORIES_FOLDER)
    assert [name for name, _ in files] == ["config.json", "tokenizer.json", "model.safetensors"]
    assert read_model(list(reversed(files))).parameters == 260_032
