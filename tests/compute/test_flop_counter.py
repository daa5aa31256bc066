"""FLOPs against torch's own counter, module by module, and against the masks of transformers, layer by layer.

The records come from real small models of every type that is declared here: see `tests/fixtures/make_flops_truth.py`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import pytest

from calc.compute.attention import attended_in_all, causal_attention_flops, flops_per_position, square_attention_flops
from calc.compute.passes import stream_flops_per_token
from calc.families import FAMILIES

from .flop_records import DOCUMENT, expected_modules, is_described, mixer_modules, model_of, records

REQUIRED = (
    "llama",
    "mistral",
    "qwen2",
    "qwen3_moe",
    "mixtral",
    "gpt2",
    "gpt_neox",
    "gemma2",
    "gemma3_text",
    "phi3",
    "opt",
    "bloom",
    "falcon",
    "olmo2",
    "deepseek_v2",
    "deepseek_v3",
    "cohere2",
    "gpt_oss",
    "mamba",
    "mamba2",
    "jamba",
    "bamba",
    "qwen3_next",
    "lfm2",
    "rwkv",
    "recurrent_gemma",
)

EVERY_EXPERT = ("llama4", "llama4_text")
"""Transformers sends every token through every expert of these and weighs all but the chosen by 0."""

TWICE_THE_SCORES = ("diffllama",)
"""Transformers computes the scores of differential attention twice, once for each half of the values: 4 widths instead of 3."""

TWO_EXPERTS = ("phimoe",)
"""Its router chooses two experts, whatever `num_experts_per_tok` says."""

NAMELESS = ("big_bird",)
"""Shares modules under several names, so that torch books FLOPs under the wrong ones: only the total is compared."""


def test_every_type_has_records():
    recorded = {record["config"]["model_type"] for record in DOCUMENT["records"]}
    assert recorded >= set(REQUIRED)
    assert len(recorded) > 160 and recorded <= set(FAMILIES)
    assert DOCUMENT["refused"] == {}


def adjusted(record, tensors, expected):
    """The expected FLOPs, where transformers is known to compute more than the model asks for."""
    model_type, config = record["config"]["model_type"], record["config"]
    stack = next((tensor for tensor in tensors if tensor.experts), None)
    if model_type in EVERY_EXPERT and stack is not None:
        [module] = [module for module in expected if module.endswith(".experts")]
        expected[module] = expected[module] // stack.experts_chosen * stack.experts.value
    if model_type in TWO_EXPERTS and config.get("num_experts_per_tok") == 1:
        [module] = [module for module in expected if module.endswith(".experts")]
        expected[module] *= 2
    if model_type == "zaya":  # the value of the token before is made of one token more
        [module] = [module for module in expected if module.endswith("v_proj_delayed")]
        expected[module] = expected[module] // record["tokens"] * (record["tokens"] + 1)
    return expected


@pytest.mark.parametrize("record", records())
def test_every_module_costs_what_its_matrices_do(record):
    if not is_described(record):
        return  # refused by name, as `is_described` has asserted
    tensors, mixing = model_of(record)
    counted, tokens, model_type = dict(record["modules"]), record["tokens"], record["config"]["model_type"]
    expected = adjusted(record, tensors, expected_modules(record, tensors, mixing))
    mixers = mixer_modules(tensors, mixing)
    between_tokens = square_attention_flops(mixing, tokens) + tokens * stream_flops_per_token(mixing)
    if model_type in TWICE_THE_SCORES:
        between_tokens = between_tokens // 3 * 4
    if model_type in NAMELESS:
        pooled_once = sum(2 * tensor.count for tensor in tensors if tensor.role == "pooler" and tensor.kind == "matrix")
        assert record["total"] == sum(expected.values()) + between_tokens + pooled_once
        return
    for entry in mixing.recurrences:
        if entry.kind == "mamba":  # reading the state is a product: 2·N a channel and token
            between_tokens += 2 * len(entry.layers) * entry.heads.value * entry.key_width.value * tokens
    for module, flops in expected.items():
        if module in mixers:
            assert counted.pop(module) >= flops
        elif any(module.startswith(f"{mixer}.") for mixer in mixers) and module not in counted:
            continue  # a convolution inside a mixer, booked with it
        elif module in counted:
            counted[module] -= flops
    left = {module: flops for module, flops in counted.items() if flops}
    of_mixers = [module for module in left if any(f"{module}.".startswith(f"{mixer}.") for mixer in mixers)]
    for module in of_mixers:
        del left[module]
    assert all(flops > 0 for flops in left.values())
    if not shares_modules(tensors, mixers):
        assert sum(left.values()) == between_tokens


def shares_modules(tensors, mixers):
    """Whether attention of some layers stands in modules of the same name as a chunked recurrence of others."""
    outputs = {tensor.name.rpartition(".")[0].rpartition(".")[0] for tensor in tensors if tensor.role == "attention_output"}
    return bool(outputs & mixers)


@pytest.mark.parametrize("record", [case for case in records() if case.values[0].get("attention")])
def test_every_layer_attends_to_what_its_mask_allows(record):
    """Heads, widths and pairs of tokens, as the modules hand them to the attention function."""
    if not is_described(record):
        return  # refused by name, as `is_described` has asserted
    _, mixing = model_of(record)
    tokens, by_layer, expected = record["tokens"], defaultdict(int), defaultdict(int)
    for layer, heads, _, key_width, value_width, pairs in record["attention"]:
        by_layer[layer] += 2 * heads * (key_width + value_width) * pairs
    for entry in mixing.attention:
        if entry.kind in ("index", "cross"):
            continue
        one_layer = flops_per_position(entry, mixing) // len(entry.layers) * attended_in_all(entry, tokens)
        if record["config"]["model_type"] in TWICE_THE_SCORES:
            one_layer = one_layer // 3 * 4
        for layer in entry.layers:
            expected[layer] += one_layer
    if set(by_layer) == set(expected):
        assert by_layer == expected
    assert sum(by_layer.values()) == sum(expected.values())


def test_windows_shorter_than_the_text_are_among_the_masks():
    windowed = {
        record["config"]["model_type"]
        for record in DOCUMENT["records"]
        for *_, pairs in record.get("attention", ())
        if pairs != record["tokens"] * (record["tokens"] + 1) // 2
    }
    assert windowed >= {"mistral", "gemma2", "gemma3_text", "cohere2", "gpt_oss", "llama4_text", "phi3", "qwen2", "olmo3"}


def test_fused_attention_is_not_counted_by_torch_on_a_cpu():
    """So that what eager attention adds to the fused total is attention, the full square of it."""
    seen = set()
    for record in DOCUMENT["records"]:
        difference = record["total"] - record.get("sdpa", record["total"])
        if difference and record["config"]["model_type"] not in (*TWICE_THE_SCORES, "deepseek_v4", "qwen4_exp"):
            _, mixing = model_of(record)
            assert difference == square_attention_flops(mixing, record["tokens"]), record["config"]["model_type"]
            seen.add(record["config"]["model_type"])
    assert len(seen) > 60


def test_the_square_is_twice_the_causal_sum_but_for_the_diagonal():
    _, mixing = model_of(next(record for record in DOCUMENT["records"] if record["config"]["model_type"] == "llama"))
    one = causal_attention_flops(mixing, 1)
    assert 2 * causal_attention_flops(mixing, 50) == square_attention_flops(mixing, 50) + 50 * one


def test_torch_still_counts_so():
    """Where torch is installed, a record is made anew."""
    pytest.importorskip("torch", reason="torch is not in requirements-dev.txt; the fixture stands for it")
    pytest.importorskip("transformers")
    fixtures = str(Path(__file__).parents[1] / "fixtures")
    sys.path.insert(0, fixtures)
    try:
        from make_flops_truth import record_of
    finally:
        sys.path.remove(fixtures)
    record = next(record for record in DOCUMENT["records"] if record["config"]["model_type"] == "gpt2")
    again = record_of(record["config"])
    assert (again["total"], again["modules"]) == (record["total"], record["modules"])
