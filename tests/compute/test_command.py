"""`python -m calc flops` and `python -m calc train`: exact figures as whole numbers, and one line for whatever is wrong."""

from __future__ import annotations

import json

import pytest

from calc.__main__ import main
from calc.catalogue import catalogue


def document_of(capsys, *arguments):
    """The JSON that a command prints."""
    assert main([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out, parse_float=lambda text: ("float", float(text)))


def text_of(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def complaint_of(capsys, *arguments):
    """The one line that a command which fails leaves on stderr."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and len(captured.err.splitlines()) == 1 and captured.err.isascii()
    return captured.err


def test_llama_2_7b_in_json(capsys):
    document = document_of(capsys, "flops", "llama-2-7b", "--context", "4096")
    assert document["rule_1n"] == document["parameters"] == 6_738_415_616
    assert document["rule_2n"] == 13_476_831_232 and document["rule_6n"] == 40_430_493_696
    assert document["matmul_per_token"] == 13_214_154_752
    assert document["attention_per_token_full"] == 524_288 * 4096
    assert document["attention_per_token_causal"] == 524_288 * 4097 // 2
    assert document["forward_total_causal"] == 4096 * (13_214_154_752 + 524_288 * 4097 // 2)
    assert document["forward_total"] == 4096 * (13_214_154_752 + 524_288 * 4096)
    assert sum(document["by_part"].values()) == 13_214_154_752 + 524_288 * 4096
    assert sum(document["matmul_by_part"].values()) == sum(tensor["flops"] for tensor in document["tensors"]) == 13_214_154_752
    assert not document["context_assumed"] and "attention_per_token_full_absorbed" not in document


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_model_of_the_catalogue_in_whole_numbers(name, capsys):
    document = document_of(capsys, "flops", name)
    assert document["context"] <= 4096 and document["context_assumed"]
    starts = ("rule", "matmul_per", "attention_per", "forward")
    figures = {key: value for key, value in document.items() if key.startswith(starts)}
    fractions = {key for key, value in figures.items() if isinstance(value, tuple)}
    assert fractions <= {"attention_per_token_causal"}, "only an average over windows need not be whole"
    assert document["forward_total"] > 0
    assert document["rule_2n_active"] == 2 * document["active_parameters"] <= document["rule_2n"]


def test_latent_attention_names_its_absorbed_form(capsys):
    document = document_of(capsys, "flops", "deepseek-v3", "--context", "1000")
    assert document["attention_per_token_full"] == 61 * 128 * 2 * (192 + 128) * 1000
    assert document["attention_per_token_full_absorbed"] == 61 * 128 * 2 * (576 + 512) * 1000


def test_a_context_may_be_written_short(capsys):
    assert document_of(capsys, "flops", "llama-3-8b", "--context", "8K")["context"] == 8000


def test_a_config_of_ones_own(capsys, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"model_type": "mamba", "num_hidden_layers": 24, "hidden_size": 768}), encoding="utf-8")
    document = document_of(capsys, "flops", str(file))
    assert document["attention_per_token_full"] == 0 and document["recurrence_per_token"] == 24 * 6 * 1536 * 16
    assert document["attention_outweighs_from"] is None
    assert "states of fixed size" in text_of(capsys, "flops", str(file))


def test_text_shows_rules_and_the_exact_count(capsys):
    out = text_of(capsys, "flops", "llama-2-7b")
    for figure in ("13,476,831,232", "13,214,154,752", "2,147,483,648", "1.1399", "58.5 TFLOP", "25,205"):
        assert figure in out
    assert "active" not in out and "states" not in out


def test_a_run_of_llama_2_7b(capsys):
    document = document_of(capsys, "train", "llama-2-7b", "--tokens", "2e12")
    assert document["rule_6nd"] == 80_860_987_392_000_000_000_000
    assert document["tokens"] == 2_000_000_000_000 and document["time"] is None
    assert document["exact"]["model_flops"] == 3 * document["exact"]["forward"] == document["exact"]["total"]
    assert document["chinchilla"]["tokens"] == 134_768_312_320


def test_deepseek_v3_trains_its_active_parameters(capsys):
    document = document_of(capsys, "train", "deepseek-v3", "--tokens", "14.8T")
    assert document["rule_6nd"] == 6 * 37_552_282_624 * 14_800_000_000_000
    assert "active ones" in text_of(capsys, "train", "deepseek-v3", "--tokens", "14.8T")


def test_hours_days_and_cost(capsys):
    on = ("--gpu", "a100", "--gpus", "2048", "--utilisation", "0.3906", "--price", "1.5")
    arguments = ("train", "llama-2-7b", "--tokens", "2T", *on)
    time = json.loads(json.dumps(document_of(capsys, *arguments)["time"]))
    hours = time["by_rule"]["gpu_hours"][1]
    assert time["gpu"] == "A100 80GB SXM" and time["peak_flops_per_second"] == 312_000_000_000_000
    assert hours == pytest.approx(184_320, rel=1e-4)
    assert time["by_rule"]["days"][1] == pytest.approx(hours / 2048 / 24)
    assert time["by_rule"]["cost"][1] == pytest.approx(hours * 1.5)
    assert time["by_exact"]["gpu_hours"][1] > hours
    out = text_of(capsys, *arguments, "--recomputation", "full")
    assert "39.1% of 312 TFLOP/s" in out and "full recomputation" in out and "8.086e22" in out


def test_recomputation_is_added(capsys):
    document = document_of(capsys, "train", "llama-2-7b", "--tokens", "1e9", "--recomputation", "selective")
    assert document["exact"]["total"] == document["exact"]["model_flops"] + document["exact"]["recomputed"]
    assert document["exact"]["recomputed"] > 0


BAD = [
    (("flops", "llama-2-7b", "--context", "5000"), ("context", "5000", "4096")),
    (("flops", "llama-2-7b", "--context", "0"), ("context", "above 0")),
    (("flops", "llama-2-7b", "--context", "-3"), ("context", "above 0")),
    (("flops", "llama-2-7b", "--context", "nan"), ("context", "no number")),
    (("flops", "llama-2-7b", "--context", "1e400"), ("context", "slip")),
    (("flops", "llama-2-7b", "--context", "10.5"), ("context", "whole number")),
    (("flops", "no-such-model"), ("no-such-model",)),
    (("train", "llama-2-7b"), ("--tokens",)),
    (("train", "llama-2-7b", "--tokens", "0"), ("tokens", "above 0")),
    (("train", "llama-2-7b", "--tokens", "-2"), ("tokens", "above 0")),
    (("train", "llama-2-7b", "--tokens", "NaN"), ("tokens", "2e12")),
    (("train", "llama-2-7b", "--tokens", "1e400"), ("tokens", "slip")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--context", "5000"), ("context", "4096")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--recomputation", "some"), ("recomputation", "selective")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "H10O"), ("gpu", "H100 SXM")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "abacus"), ("gpu", "A100 80GB SXM")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "Apple M4"), ("Apple M4", "not published")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "T4", "--utilisation", "40"), ("utilisation", "0.4 for 40%")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "T4", "--utilisation", "1.2"), ("utilisation", "share")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "T4", "--gpus", "0"), ("gpus", "above 0")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--gpu", "T4", "--price", "-1"), ("price", "0 or more")),
    (("train", "llama-2-7b", "--tokens", "2e12", "--utilisation", "0.4"), ("--utilisation", "--gpu")),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_input_is_one_line_that_names_the_field_and_the_remedy(arguments, named, capsys):
    line = complaint_of(capsys, *arguments)
    assert all(word in line for word in named), line


def test_a_type_whose_tokens_meet_in_an_unknown_way_is_refused(capsys, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"model_type": "reformer"}), encoding="utf-8")
    assert "reformer" in complaint_of(capsys, "flops", str(file))
