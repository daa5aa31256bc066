"""FLOPs of a token and of a sequence, against published counts and against sums made token by token."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.compute.attention import (
    attended_in_all,
    attention_flops_per_token,
    causal_attention_flops,
    causal_attention_flops_per_token,
    head_widths,
)
from calc.compute.flops import (
    crossover_context,
    flops_by_part,
    forward_total,
    generation_flops,
    matmul_flops_by_part,
    matmul_flops_by_tensor,
    matmul_flops_per_token,
    prefill_flops,
    rule_1n,
    rule_2n,
    rule_6n,
    square_forward_total,
)
from calc.compute.passes import uses
from calc.lengths import ONE, Length
from calc.mixing import Attention, Mixing
from calc.model import Model
from calc.parts_list import active_parameters, active_parameters_without_input_embedding, parameters

LLAMA_2_7B = Model.of("llama-2-7b")


def tensors_of(name):
    return Model.of(name).tensors


def mixing_of(name):
    return Model.of(name).mixing


def test_llama_2_7b_costs_what_the_errata_say():
    """Not 2N: the lookup is not multiplied. 524,288 FLOPs for each position attended to; 1.14 × 2N at 4096."""
    tensors, meeting = LLAMA_2_7B.tensors, LLAMA_2_7B.mixing
    assert matmul_flops_per_token(tensors) == 13_214_154_752
    assert attention_flops_per_token(meeting, 1) == 524_288
    assert attention_flops_per_token(meeting, 4096) == 524_288 * 4096
    rule = rule_2n(parameters(tensors))
    assert rule == 13_476_831_232
    assert round((13_214_154_752 + attention_flops_per_token(meeting, 4096)) / rule, 2) == 1.14


def test_llama_2_7b_on_128_tokens_is_the_published_profile():
    """calflops says 1,700.06 GFLOPs and 850 GMACs: it adds one FLOP for each element of softmax and of SiLU."""
    tensors, meeting = LLAMA_2_7B.tensors, LLAMA_2_7B.mixing
    products = square_forward_total(tensors, meeting, 128)
    softmax, silu = 32 * 32 * 128 * 128, 32 * 11008 * 128
    assert f"{(products + softmax + silu) / 1e9:.2f}" == "1700.06"
    assert f"{products / 2 / 1e9:.0f}" == "850"
    assert rule_2n(parameters(tensors)) * 128 / 1e9 == pytest.approx(1725, abs=0.1)


def test_gpt_2_on_1024_tokens_is_nanogpts_count():
    """transformer_sizing.ipynb: 291,648,307,200 FLOPs forward, the tied head counted and all pairs of tokens."""
    assert square_forward_total(tensors_of("gpt2"), mixing_of("gpt2"), 1024) == 291_648_307_200


def test_nanogpt_counts_training_as_three_forwards():
    """The same notebook: 874,944,921,600 FLOPs forward and backward."""
    assert 3 * square_forward_total(tensors_of("gpt2"), mixing_of("gpt2"), 1024) == 874_944_921_600


def test_the_head_is_counted_once_whether_tied_or_not():
    config = {"model_type": "llama", "num_hidden_layers": 2, "tie_word_embeddings": True}
    tied, untied = (Model.of({**config, "tie_word_embeddings": tie}).tensors for tie in (True, False))
    assert parameters(untied) - parameters(tied) == 32000 * 4096
    assert matmul_flops_per_token(tied) == matmul_flops_per_token(untied)
    assert matmul_flops_by_part(tied)["lm_head"] == 2 * 32000 * 4096
    assert matmul_flops_by_part(tied)["embedding"] == 0


def test_positions_and_norms_cost_no_products():
    by_part = matmul_flops_by_part(tensors_of("gpt2"))
    assert by_part["embedding"] == by_part["norm"] == 0


def test_of_a_mixture_only_the_chosen_experts_and_the_router_cost():
    config = {
        "model_type": "mixtral",
        "hidden_size": 8,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "vocab_size": 10,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
    }
    by_part = matmul_flops_by_part(Model.of(config).tensors)
    assert by_part["ffn"] == 2 * (8 * 4 + 2 * 3 * 8 * 16)


@pytest.mark.parametrize("name", ["mixtral-8x7b", "deepseek-v3", "gpt-oss-20b", "deepseek-v2-lite"])
def test_products_are_twice_the_active_parameters_but_for_what_is_no_matrix(name):
    """Against the published active counts: what remains are norms, biases, sinks, less than a thousandth."""
    tensors = tensors_of(name)
    products = matmul_flops_per_token(tensors, mixing_of(name)) // 2
    active = active_parameters_without_input_embedding(tensors)
    assert 0 < active - products < active // 1000


def test_deepseek_v3_costs_by_hand():
    """The paper's sizes: d 7168, 61 layers, 3 of them dense; 128 heads of 128 + 64 and 128; 8 of 256 experts and one shared."""
    d, heads, experts = 7168, 128, 3 * 7168 * 2048
    attention = d * 1536 + 1536 * heads * 192 + d * (512 + 64) + 512 * heads * 256 + heads * 128 * d
    sparse = d * 256 + 9 * experts
    by_hand = 61 * attention + 3 * 3 * d * 18432 + 58 * sparse + 129280 * d
    assert matmul_flops_per_token(tensors_of("deepseek-v3")) == 2 * by_hand
    meeting = mixing_of("deepseek-v3")
    assert attention_flops_per_token(meeting, 1) == 61 * 2 * heads * (192 + 128)
    assert attention_flops_per_token(meeting, 1, "absorbed") == 61 * 2 * heads * (576 + 512)


def test_windows_cut_what_is_attended_to():
    """Gemma-3-27B: five layers of 1024 positions for one of all; Mistral-7B-v0.1: 4096."""
    mistral = Model.of({"model_type": "mistral", "sliding_window": 4096}).mixing
    assert attention_flops_per_token(mistral, 32768) == attention_flops_per_token(mistral, 4096)
    gemma = mixing_of("gemma-3-27b")
    full, sliding = 62 // 6, 62 - 62 // 6
    assert attention_flops_per_token(gemma, 131072) == 4 * 32 * 128 * (full * 131072 + sliding * 1024)


def test_layers_that_share_keys_attend_all_the_same():
    meeting = Model.of({"model_type": "gemma3n_text"}).mixing
    assert any(not entry.keeps_own_cache for entry in meeting.attention)
    one_head = {entry.heads.value * entry.key_width.value for entry in meeting.attention}
    layers = sum(len(entry.layers) for entry in meeting.attention)
    assert attention_flops_per_token(meeting, 1) == layers * 4 * one_head.pop()


def test_cross_attention_costs_nothing_without_an_encoder():
    values = {"model_type": "gpt2", "add_cross_attention": True}
    plain = Model.of({"model_type": "gpt2"}).tensors
    crossed = Model.of(values).tensors
    assert parameters(crossed) > parameters(plain)
    assert matmul_flops_per_token(crossed) == matmul_flops_per_token(plain)
    assert attention_flops_per_token(Model.of(values).mixing, 100) == attention_flops_per_token(
        Model.of({"model_type": "gpt2"}).mixing, 100
    )


def test_a_stack_that_is_passed_several_times_costs_several_times():
    base = {"model_type": "hrm_text", "num_hidden_layers": 2, "tie_word_embeddings": False}
    head = 2 * Model.of(base).parts_list.named("lm_head.weight").count

    def in_layers(slow, fast):
        values = {**base, "H_cycles": slow, "L_cycles": fast}
        return matmul_flops_per_token(Model.of(values).tensors, Model.of(values).mixing) - head

    assert in_layers(1, 3) == 2 * in_layers(1, 1)  # three fast passes and a slow one, for one of each
    assert in_layers(3, 1) == 3 * in_layers(1, 1)


@pytest.mark.parametrize("name", list(catalogue()))
def test_parts_sum_to_the_whole(name):
    tensors, meeting = tensors_of(name), mixing_of(name)
    context = min(meeting.max_context or 4096, 4096)
    by_tensor = sum(flops for _, flops in matmul_flops_by_tensor(tensors, meeting))
    assert sum(matmul_flops_by_part(tensors, meeting).values()) == matmul_flops_per_token(tensors, meeting) >= by_tensor
    in_all = sum(flops_by_part(tensors, meeting, context).values())
    one_more = prefill_flops(tensors, meeting, 1, first=context - 1).total
    assert in_all == one_more == forward_total(tensors, meeting, context) - forward_total(tensors, meeting, context - 1)


@pytest.mark.parametrize("name", ["llama-2-7b", "gemma-3-27b", "deepseek-v3", "gpt2"])
def test_a_sequence_is_the_sum_of_its_tokens(name):
    """Closed forms against the plain sum, one token after the other, across windows' ends."""
    tensors, meeting = tensors_of(name), mixing_of(name)
    for latent in ("expanded", "absorbed"):
        one_by_one = sum(attention_flops_per_token(meeting, length, latent) for length in range(1, 1101))
        assert causal_attention_flops(meeting, 1100, latent=latent) == one_by_one
        assert causal_attention_flops_per_token(meeting, 1100, latent) == Fraction(one_by_one, 1100)
    prompt, generated = prefill_flops(tensors, meeting, 1000), generation_flops(tensors, meeting, 1000, 100, latent="expanded")
    assert prompt.total + generated.total == prefill_flops(tensors, meeting, 1100).total
    assert generated.tokens == 100


def test_generation_from_latents_costs_more_attention_and_the_same_matrices():
    tensors, meeting = tensors_of("deepseek-v3"), mixing_of("deepseek-v3")
    absorbed, expanded = (generation_flops(tensors, meeting, 1000, 10, latent=form) for form in ("absorbed", "expanded"))
    assert absorbed.matmul == expanded.matmul
    assert absorbed.attention * (192 + 128) == expanded.attention * (576 + 512)


def test_a_server_scores_the_last_token_alone():
    tensors, meeting = tensors_of("llama-3-8b"), mixing_of("llama-3-8b")
    saved = prefill_flops(tensors, meeting, 100).total - prefill_flops(tensors, meeting, 100, last_scores_only=True).total
    assert saved == 99 * 2 * 4096 * 128256
    one = prefill_flops(tensors, meeting, 1)
    assert prefill_flops(tensors, meeting, 1, last_scores_only=True) == one


def entry(*, window=None, chunk=None, picks=None, every=1):
    """Attention of one layer and one head of width one."""
    kind = "chunked" if chunk else "compressed" if every > 1 else "sliding" if window else "full"
    return Attention((0,), kind, ONE, ONE, ONE, ONE, Length.of("2", 2), window=window, chunk=chunk, picks=picks, every=every)


limits = st.one_of(
    st.builds(
        lambda window, picks, every: entry(window=window, picks=picks, every=every),
        st.none() | st.integers(1, 60),
        st.none() | st.integers(1, 60),
        st.integers(1, 9),
    ),
    st.builds(lambda chunk: entry(chunk=chunk), st.integers(1, 60)),
)


@given(limits, st.integers(0, 200))
def test_pairs_are_the_sum_over_tokens_whatever_the_limits(limited, tokens):
    assert attended_in_all(limited, tokens) == sum(limited.attended(length) for length in range(1, tokens + 1))


@given(limits, st.integers(0, 10**12), st.integers(1, 10**12))
def test_pairs_are_whole_numbers_that_grow_at_most_by_the_context(limited, tokens, more):
    before, after = attended_in_all(limited, tokens), attended_in_all(limited, tokens + more)
    assert isinstance(after, int) and before <= after <= before + more * (tokens + more)


@settings(max_examples=40)
@given(st.integers(1, 8), st.integers(1, 4), st.integers(1, 40), st.integers(1, 3000))
def test_llama_costs_its_formula(kv_heads, groups, layers, context):
    """2·(matrices) + 4·L·n_h·head_dim per position, with the sizes written out."""
    heads, width, d, d_ff, vocabulary = kv_heads * groups, 16, 96, 100, 1000
    values = {
        "model_type": "llama",
        "hidden_size": d,
        "intermediate_size": d_ff,
        "num_hidden_layers": layers,
        "vocab_size": vocabulary,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": width,
        "tie_word_embeddings": False,
    }
    layer = 2 * d * heads * width + 2 * d * kv_heads * width + 3 * d * d_ff
    tensors, meeting = Model.of(values).tensors, Model.of(values).mixing
    assert matmul_flops_per_token(tensors) == 2 * (layers * layer + d * vocabulary)
    assert attention_flops_per_token(meeting, context) == 4 * layers * heads * width * context


def test_attention_outweighs_the_matrices_from_where_it_does():
    tensors, meeting = LLAMA_2_7B.tensors, LLAMA_2_7B.mixing
    context = crossover_context(tensors, meeting)
    matrices = matmul_flops_per_token(tensors)
    assert attention_flops_per_token(meeting, context - 1) <= matrices < attention_flops_per_token(meeting, context)


def test_windowed_and_recurrent_models_may_never_get_there():
    windowed = {"model_type": "mistral", "sliding_window": 4096}
    assert crossover_context(Model.of(windowed).tensors, Model.of(windowed).mixing) is None
    assert crossover_context(Model.of({"model_type": "mamba"}).tensors, Model.of({"model_type": "mamba"}).mixing) is None


def test_the_rules_are_the_rules():
    assert (rule_1n(7), rule_2n(7), rule_6n(7)) == (7, 14, 42)


def test_a_mixing_without_layers_costs_nothing():
    empty = Mixing("none", (), (), {})
    assert attention_flops_per_token(empty, 10) == causal_attention_flops(empty, 10) == 0
    assert uses([]) == [] and matmul_flops_per_token([], empty) == 0


def test_absorbed_heads_read_the_latent():
    meeting = mixing_of("deepseek-v2-lite")
    [latent] = [attention for attention in meeting.attention if attention.kind == "latent"]
    widths = head_widths(latent, meeting, "absorbed")
    assert (widths.key, widths.value) == (512 + 64, 512)


def test_counts_are_whole_numbers_all_the_way():
    for name in ("llama-2-7b", "deepseek-v3", "gemma-3-27b"):
        total = forward_total(tensors_of(name), mixing_of(name), 1_000_000)
        assert type(total) is int and json.loads(json.dumps(total)) == total
    assert active_parameters(tensors_of("deepseek-v3")) == 37_552_282_624


def test_a_wrapper_costs_what_its_language_model_costs():
    inner, wrapped = {"model_type": "gemma3n_text"}, {"model_type": "gemma3n", "text_config": {}}
    costs = [matmul_flops_per_token(Model.of(values).tensors, Model.of(values).mixing) for values in (inner, wrapped)]
    assert costs[0] == costs[1]
