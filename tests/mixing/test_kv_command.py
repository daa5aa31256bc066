"""`python -m calc kv`: what it prints, and one line on stderr for whatever is wrong."""

import json

import pytest
from command_line import complaint_of, output_of


def document_of(arguments, capsys):
    return json.loads(output_of([*arguments, "--json"], capsys))


def test_the_cache_of_llama_3_8b(capsys):
    document = document_of(["kv", "llama-3-8b", "--context", "8192"], capsys)
    assert document["bytes_per_token"] == 131_072
    assert document["bytes"] == document["reserved_bytes"] == 1_073_741_824
    assert (document["state_bytes"], document["max_context"], document["dtype"], document["batch"]) == (0, 8192, "bf16", 1)
    [kind] = document["kinds"]
    assert (kind["kind"], kind["numbers"], kind["numbers_formula"]) == ("full", 2048, "2·n_kv·head_dim")
    assert kind["layers"] == list(range(32)) and kind["bytes"] == document["bytes"]


def test_batch_and_dtype(capsys):
    document = document_of(["kv", "llama-2-7b", "--context", "4096", "--batch", "8", "--dtype", "FP8"], capsys)
    assert (document["bytes_per_token"], document["bytes"], document["bits"]) == (262_144, 8 * 1_073_741_824, 8)


def test_windows_against_full_pages(capsys):
    document = document_of(["kv", "gemma-3-27b", "--context", "131072"], capsys)
    assert (document["bytes"], document["reserved_bytes"], document["page_tokens"]) == (11_173_625_856, 66_571_993_088, 16)
    assert {kind["kind"]: kind["window"] for kind in document["kinds"]} == {"sliding": 1024, "full": None}


def test_the_state_of_a_hybrid(tmp_path, capsys):
    """Qwen3-Next-80B-A3B: 36 layers of 32 heads that keep 128 · 128 numbers in 32 bit, and 8192 channels of 4 in 16."""
    config = {
        "model_type": "qwen3_next",
        "num_hidden_layers": 48,
        "num_key_value_heads": 2,
        "head_dim": 256,
        "linear_num_key_heads": 16,
        "linear_num_value_heads": 32,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
        "linear_conv_kernel_dim": 4,
    }
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    document = document_of(["kv", str(file), "--context", "32768", "--batch", "2"], capsys)
    assert document["bytes"] == 2 * 805_306_368
    assert document["state_bytes"] == 2 * 36 * (32 * 128 * 128 * 4 + 8192 * 4 * 2)


def test_as_text_it_shows_how_each_figure_is_made(capsys):
    shown = output_of(["kv", "gemma-3-27b", "--context", "131072"], capsys)
    assert "52·2·16·128·min(131072, 1024)·1·16 ÷ 8" in shown
    assert "11,173,625,856 B" in shown and "66,571,993,088 B" in shown and "pages of 16 tokens" in shown


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["llama-3-8b", "--context", "0"], ["context", "0", "above 0"]),
        (["llama-3-8b", "--context", "-5"], ["context", "-5"]),
        (["llama-3-8b", "--context", "8193"], ["context", "8193", "8192"]),
        (["llama-3-8b", "--context", "many"], ["context", "many"]),
        (["llama-3-8b", "--context", "1e99999999"], ["context", "1e99999999"]),
        (["llama-3-8b", "--context", "8", "--batch", "\u0663"], ["batch", "u0663"]),
        (["llama-3-8b"], ["--context"]),
        (["llama-3-8b", "--context", "8", "--batch", "0"], ["batch", "0"]),
        (["llama-3-8b", "--context", "8", "--dtype", "bf17"], ["dtype", "bf17", "fp8"]),
        (["llama-9", "--context", "8"], ["llama-9"]),
    ],
)
def test_a_bad_input_is_named(arguments, named, capsys):
    complaint = complaint_of(["kv", *arguments], capsys)
    assert all(word in complaint for word in named)


def test_a_type_that_is_not_described_is_named(tmp_path, capsys):
    file = tmp_path / "config.json"
    file.write_text('{"model_type": "xlnet"}', encoding="utf-8")
    assert "xlnet" in complaint_of(["kv", str(file), "--context", "8"], capsys)
