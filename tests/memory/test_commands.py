"""`python -m calc weights` and `fit`: what they print, and one line on stderr for whatever is wrong."""

import json

import pytest
from command_line import complaint_of, output_of

from calc.weights.format_names import known_formats


def test_a_gguf_file(capsys):
    document = json.loads(output_of(["weights", "llama-2-7b", "--format", "Q4_K_M", "--json"], capsys))
    assert document["bytes"] == document["data_bytes"] == 4_080_263_168
    assert document["by_type"] == {"Q4_K": 3_159_687_168, "Q6_K": 919_511_040, "F32": 1_064_960}
    assert sum(tensor["bytes"] for tensor in document["tensors"]) == document["bytes"]
    assert round(document["bits_per_weight"], 3) == 4.844
    assert (document["file"], document["imatrix"], document["parameters"]) == ("gguf", False, 6_738_415_616)
    assert document["derivations"]["F32"] == "32 bit"
    assert {tensor["kept_because"] for tensor in document["tensors"]} == {None, "norm"}


def test_safetensors_files(capsys):
    document = json.loads(output_of(["weights", "llama-3-8b", "--format", "awq-g128", "--json"], capsys))
    assert document["bytes"] == 5_727_938_576
    assert document["data_bytes"] == 5_727_854_592
    assert len(document["files"]) == 2
    assert {tensor["kept_because"] for tensor in document["tensors"]} == {None, "norm", "embedding", "lm_head"}


def test_sixteen_bits_unless_another_format_is_named(capsys):
    document = json.loads(output_of(["weights", "llama-2-7b", "--json"], capsys))
    assert (document["format"], document["data_bytes"]) == ("bf16", 13_476_831_232)


def test_the_importance_matrix_is_asked_for(capsys):
    sizes = [
        json.loads(output_of(["weights", "qwen2.5-7b", "--format", "Q4_0", "--json", *more], capsys))["bytes"]
        for more in ([], ["--imatrix"])
    ]
    assert sizes[1] - sizes[0] == 12_730_368


@pytest.mark.parametrize("format_name", ["Q4_K_M", "gptq-g64", "int4", "nf4-dq", "mxfp4"])
def test_weights_as_text(format_name, capsys):
    out = output_of(["weights", "mixtral-8x7b", "--format", format_name], capsys)
    assert "model.layers.*.mlp.experts.down_proj" in out
    assert "GiB" in out and "MiB" in out and "bits a weight" in out


def test_every_known_format_can_be_asked_for(capsys):
    for name in known_formats():
        document = json.loads(output_of(["weights", "llama-3.2-1b", "--format", name, "--json"], capsys))
        assert document["bytes"] > 0


def test_a_7b_on_a_t4(capsys):
    document = json.loads(output_of(["fit", "llama-2-7b", "--gpu", "T4", "--format", "fp16", "--json"], capsys))
    assert (document["gpu"], document["verdict"], document["context"]) == ("T4", "does_not_fit", 4096)
    assert document["weight_bytes"] == 13_476_831_232
    assert document["cache_bytes"] == 2_147_483_648
    assert document["computes"] == "native"
    assert 0 < document["longest_context"]["sure"] < document["longest_context"]["possible"] < 4096
    assert document["largest_batch"] == {"sure": 0, "possible": 0}
    assert document["formats"]["Q4_K_M"] == "fits"
    assert json.loads(output_of(["fit", "llama-2-7b", "--gpu", "T4", "--json"], capsys))["computes"] == "emulated"


def test_the_floor_of_tinyllama(capsys):
    document = json.loads(
        output_of(["fit", "tinyllama-1.1b", "--gpu", "t4", "--format", "fp16", "--context", "1", "--json"], capsys)
    )
    assert f"{document['decode']['weights_alone_seconds'] * 1000:.2f}" == "6.88"
    assert int(1 / document["decode"]["weights_alone_seconds"]) == 145


def test_several_gpus_share_a_model(capsys):
    of_one, of_eight = (
        json.loads(output_of(["fit", "llama-3-70b", "--gpu", "H100", "--gpus", str(n), "--json"], capsys)) for n in (1, 8)
    )
    assert (of_one["verdict"], of_eight["verdict"]) == ("does_not_fit", "fits")
    assert of_one["cache_bytes"] == 8 * of_eight["cache_bytes"]
    assert of_one["weight_bytes"] < 8 * of_eight["weight_bytes"]


ASKED = [[], ["--format", "Q4_K_M", "--batch", "4", "--context", "2k", "--cache", "q8_0"], ["--gpus", "4"]]


@pytest.mark.parametrize("more", ASKED)
def test_fit_as_text(more, capsys):
    out = output_of(["fit", "llama-3-8b", "--gpu", "RTX 4090", *more], capsys)
    assert "longest context" in out and "decode floor" in out and "overhead" in out


def test_a_model_without_a_bound(capsys, tmp_path):
    config = tmp_path / "config.json"
    config.write_text('{"model_type": "mamba"}', encoding="utf-8")
    document = json.loads(output_of(["fit", str(config), "--gpu", "T4", "--json"], capsys))
    assert document["longest_context"] == {"sure": None, "possible": None, "limit": None}
    assert "without bound" in output_of(["fit", str(config), "--gpu", "T4"], capsys)


WRONG = [
    (["weights", "llama-2-7b", "--format", "q4"], "format"),
    (["weights", "nosuch"], "nosuch"),
    (["weights", "glm-4.5-air", "--format", "Q4_K_M"], "glm4_moe"),
    (["fit", "llama-2-7b", "--gpu", "T5"], "gpu"),
    (["fit", "llama-2-7b", "--gpu", "T4", "--gpus", "3"], "1, 2, 4, 8, 16, 32"),
    (["fit", "llama-2-7b", "--gpu", "T4", "--gpus", "x"], "gpus"),
    (["fit", "llama-2-7b", "--gpu", "T4", "--context", "8192"], "4096"),
    (["fit", "llama-2-7b", "--gpu", "T4", "--batch", "0"], "batch"),
    (["fit", "llama-2-7b", "--gpu", "T4", "--cache", "int3"], "dtype"),
    (["fit", "llama-2-7b", "--gpu", "T4", "--format", "gguf"], "format"),
    (["fit", "llama-2-7b"], "--gpu"),
]


@pytest.mark.parametrize(("arguments", "named"), WRONG)
def test_what_is_wrong_is_one_line(arguments, named, capsys):
    assert named in complaint_of(arguments, capsys)
