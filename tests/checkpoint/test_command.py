"""`python -m calc reconcile` and `count` on checkpoints: what they print, and one line for whatever is wrong."""

import csv
import io
import json

import pytest

from calc.__main__ import main
from calc.model import Model

from .llama_shapes import CONFIG, awq, llama
from .test_hub import command, hub  # noqa: F401  a fixture
from .test_reconcile import as_stored
from .writing import write_gguf, write_safetensors, write_sharded


def output_of(capsys, *arguments):
    """What a command that succeeds prints."""
    assert main(list(arguments)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def complaint_of(capsys, *arguments):
    """The one line that a command which fails leaves on stderr."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and len(captured.err.splitlines()) == 1 and "Traceback" not in captured.err
    return captured.err


@pytest.fixture
def llama_2_7b(tmp_path):
    """The published checkpoint's shapes, with its buffers, in a folder as the Hub lays it out."""
    model = Model.of("llama-2-7b")
    tensors = as_stored(model.parts_list, "F16")
    tensors |= {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("F32", (64,)) for i in range(32)}
    write_sharded(tmp_path, tensors, 2)
    (tmp_path / "config.json").write_text(json.dumps(dict(model.values)))
    return tmp_path


@pytest.mark.parametrize("model", ["llama-2-7b", "meta-llama/Llama-2-7b-hf", "the folder", "the config"])
@pytest.mark.parametrize("checkpoint", ["", "model.safetensors.index.json"])
def test_llama_2_7b_as_json(model, checkpoint, llama_2_7b, capsys):
    model = {"the folder": str(llama_2_7b), "the config": str(llama_2_7b / "config.json")}.get(model, model)
    document = json.loads(output_of(capsys, "reconcile", model, str(llama_2_7b / checkpoint), "--json"))
    assert (document["expected"], document["found"]) == (6_738_415_616, 6_738_417_664)
    assert document["gap"] == [
        {"cause": "inv_freq", "elements": 2048, "tensors": ["model.layers.*.self_attn.rotary_emb.inv_freq"], "copies": 32}
    ]
    assert document["matched"]["elements"] == 6_738_415_616 and document["missing"] == [] and document["files"] == 2


def test_llama_2_7b_as_text(llama_2_7b, capsys):
    lines = output_of(capsys, "reconcile", "llama-2-7b", str(llama_2_7b)).splitlines()
    figures = [int(line.split("  ")[-1 if n != 1 else -2].replace(",", "")) for n, line in enumerate(lines[:3])]
    assert figures == [6_738_415_616, 2048, 6_738_417_664]
    assert "rotary frequencies" in lines[1] and "32 × model.layers.*.self_attn.rotary_emb.inv_freq" in lines[1]


def test_a_lone_file_takes_the_width_of_its_packing_from_the_model(tmp_path, capsys):
    (tmp_path / "here").mkdir()
    tensors = {"m.weight_packed": ("I32", (8, 8)), "m.weight_scale": ("F16", (8, 1))}
    path = write_safetensors(tmp_path / "here" / "model.safetensors", tensors)
    config = CONFIG | {"quantization_config": {"config_groups": {"g": {"weights": {"num_bits": 4, "group_size": None}}}}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    document = json.loads(output_of(capsys, "reconcile", str(tmp_path / "config.json"), str(path), "--json"))
    assert document["found"] == 8 * 64 + 8 and document["gap"][0]["cause"] == "missing"
    assert "m.weight_packed" in complaint_of(capsys, "reconcile", "llama-2-7b", str(path))


def test_counting_a_file(tmp_path, capsys):
    path = write_safetensors(tmp_path / "model.safetensors", llama(awq))
    document = json.loads(output_of(capsys, "count", str(path), "--json"))
    assert document["found"] == 8_030_261_248 and sum(row["elements"] for row in document["tensors"]) == 8_030_261_248
    assert {row["packing"] for row in document["tensors"]} == {None, "awq"}
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, "count", str(path), "--csv"), newline="")))
    assert sum(int(row["elements"]) for row in rows) == 8_030_261_248 and len(rows) == 12
    assert "8,030,261,248 numbers" in output_of(capsys, "count", str(path))
    assert json.loads(output_of(capsys, "count", str(tmp_path), "--json"))["found"] == 8_030_261_248


def test_counting_a_gguf(tmp_path, capsys):
    path = write_gguf(tmp_path / "m.gguf", {"blk.0.attn_q.weight": ("Q4_K", (512, 256))})
    document = json.loads(output_of(capsys, "count", str(path), "--json"))
    assert document["format"] == "gguf" and document["found"] == 512 * 256 and document["dtypes"] == {"Q4_K": 512 * 256}


def test_a_folder_with_a_config_is_counted_by_it(llama_2_7b, capsys):
    assert json.loads(output_of(capsys, "count", str(llama_2_7b), "--json"))["parameters"]["total"] == 6_738_415_616


@pytest.mark.parametrize(
    "checkpoint",
    [
        "none.safetensors",
        "none.gguf",
        "none.safetensors.index.json",
        "no such",
        "../..//x",
        "",
        "{0}",
        "{0}/cut.safetensors",
        "{0}/text.gguf",
        "https://example.com/a/b",
        "\0",
        "x" * 5000,
    ],
)
def test_a_checkpoint_that_is_none_is_one_line(checkpoint, tmp_path, capsys):
    (tmp_path / "cut.safetensors").write_bytes(b"\xff" * 20)
    (tmp_path / "text.gguf").write_text("hello")
    (tmp_path / "other.safetensors").write_bytes(b"")
    complaint_of(capsys, "reconcile", "llama-2-7b", checkpoint.format(tmp_path))


def test_a_model_that_is_none_is_one_line(llama_2_7b, capsys):
    for model in ("no-such", "none.json", "", "https://example.com/a/b"):
        complaint_of(capsys, "reconcile", model, str(llama_2_7b))
    assert "CHECKPOINT" in complaint_of(capsys, "reconcile", "llama-2-7b")


def test_the_whole_way_by_the_environments_mirror(hub):  # noqa: F811
    done = command(hub, "reconcile", "org/llama", f"{hub.url}/org/llama/tree/main", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0 and document["expected"] == document["found"] == 8_030_261_248 and document["gap"] == []
    assert document["files"] == 4 and document["bytes_read"] < 100_000
    counted = command(hub, "count", "org/llama", "--json")
    assert json.loads(counted.stdout)["parameters"]["total"] == 8_030_261_248


@pytest.mark.parametrize(
    "environment, fault, words",
    [
        ({}, "403", "gated"),
        ({}, "503", "503"),
        ({}, "cut short", "broke off"),
        ({"HF_HUB_OFFLINE": "1"}, None, "HF_HUB_OFFLINE"),
        ({"HF_ENDPOINT": "http://127.0.0.1:1"}, None, "cannot be reached"),
    ],
)
def test_a_hub_that_fails_is_one_line(environment, fault, words, hub, tmp_path):  # noqa: F811
    hub.fault = fault
    done = command(hub, "reconcile", "llama-2-7b", "org/llama", HF_HOME=str(tmp_path), **environment)
    assert done.returncode == 2 and done.stdout == "" and words in done.stderr and len(done.stderr.splitlines()) == 1
