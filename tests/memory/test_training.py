"""Training memory, held against the figures of the papers it comes from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.errors import ConfigError
from calc.memory.training import FFN_ROLES, counted_activations, korthikanti_activations, lora, model_states, trained_parameters
from calc.model import Model

GPT_3 = {"sequence": 2048, "batch": 1, "hidden": 12288, "heads": 96, "layers": 96, "vocabulary": 51200}
MT_NLG = {"sequence": 2048, "batch": 1, "hidden": 20480, "heads": 128, "layers": 105, "vocabulary": 51200}


@pytest.mark.parametrize(
    ("parameters", "gpus", "gigabytes"),
    [
        (7.5e9, 64, (120, 31.4, 16.6, 1.88)),
        (7.5e9, 1024, (120, 30.1, 15.1, 0.12)),
        (128e9, 64, (2048, 536, 284, 32)),
        (1e12, 1024, (16000, 4011, 2013, 15.6)),
        (7.5e9, 1, (120, 120, 120, 120)),
    ],
)
def test_zero(parameters, gpus, gigabytes):
    """Table 1 of the ZeRO paper: no sharding and its three stages, mixed precision with Adam."""
    found = [model_states(int(parameters), stage=stage, gpus=gpus).bytes / 1e9 for stage in range(4)]
    assert found == pytest.approx(gigabytes, rel=0.005, abs=0.01)


@pytest.mark.parametrize(
    ("how", "bytes_a_parameter"),
    [
        ({}, 16),
        ({"precision": "fp32"}, 16),
        ({"gradient_bytes": 4}, 18),
        ({"optimizer": "sgd"}, 8),
        ({"optimizer": "momentum"}, 12),
        ({"precision": "fp32", "optimizer": "sgd"}, 8),
        ({"optimizer": "adamw-8bit"}, 10.03125),
    ],
)
def test_bytes_of_a_parameter(how, bytes_a_parameter):
    assert model_states(10**6, **how).bytes == bytes_a_parameter * 10**6


def test_gpt_2_of_the_zero_paper():
    """1.5B parameters: 3 GB to run, 24 GB to train."""
    assert model_states(1_500_000_000).weights == 3 * 10**9
    assert model_states(1_500_000_000).bytes == 24 * 10**9


@given(st.integers(0, 10**12), st.integers(1, 4096), st.integers(0, 10**12))
def test_each_stage_takes_less_and_all_gpus_together_hold_one(trained, gpus, frozen):
    states = [model_states(trained, stage=stage, gpus=gpus, frozen_bytes=frozen) for stage in range(4)]
    sizes = [each.bytes for each in states]
    assert sizes == sorted(sizes, reverse=True)
    assert 0 <= gpus * states[3].bytes - states[0].bytes <= 4 * gpus


UNKNOWN = [
    ({"precision": "fp8"}, "precision"),
    ({"optimizer": "lion"}, "optimizer"),
    ({"stage": 4}, "stage"),
    ({"gpus": 0}, "gpus"),
]


@pytest.mark.parametrize(("asked", "field"), UNKNOWN)
def test_what_is_not_known_is_refused(asked, field):
    with pytest.raises(ConfigError) as fault:
        model_states(100, **asked)
    assert fault.value.field == field


@pytest.mark.parametrize(("rank", "trained"), [(1, 4_718_592), (8, 37_748_736)])
def test_lora_of_gpt_3(rank, trained):
    """4.7M and 37.7M trainable parameters of GPT-3 175B in the LoRA paper: queries and values of 96 layers."""
    gpt_3 = {
        "model_type": "llama",
        "hidden_size": 12288,
        "intermediate_size": 49152,
        "num_hidden_layers": 96,
        "num_attention_heads": 96,
        "num_key_value_heads": 96,
        "vocab_size": 50257,
    }
    tensors = Model.of(gpt_3).tensors
    assert trained_parameters(tensors, lora(tensors, rank, ("query", "value"))) == trained


def test_lora_beside_every_matrix():
    """Rank 64 beside all matrices of Llama-2-7B: 159,907,840, the figure QLoRA's recipes print; a stack's experts one by one."""
    llama = Model.of("llama-2-7b").tensors
    assert sum(adapter.parameters for adapter in lora(llama, 64)) == 159_907_840
    mixtral = Model.of("mixtral-8x7b").tensors
    downs = lora(mixtral, 4, ("down",))
    assert [(adapter.copies, adapter.parameters) for adapter in downs] == [(8 * 32, 8 * 32 * 4 * (14336 + 4096))]
    assert not lora(Model.of("gpt2").tensors, 4, ("lm_head", "token_embedding"))


@pytest.mark.parametrize(("rank", "code"), [(0, "not_positive"), (1.5, "not_an_integer"), (True, "not_an_integer")])
def test_a_rank_is_a_whole_number(rank, code):
    with pytest.raises(ConfigError) as fault:
        lora((), rank)
    assert (fault.value.code, fault.value.field) == (code, "rank")


def test_qlora_of_a_65b_fits_on_one_48_gb_gpu():
    """The QLoRA paper: more than 780 GB to train 65B in 16 bits, less than 48 GB with a frozen base in NF4."""
    assert model_states(65_200_000_000, gradient_bytes=2).bytes > 780 * 10**9
    frozen = int(65_200_000_000 * 4.127 / 8)
    assert model_states(800_000_000, frozen_bytes=frozen).bytes < 48 * 10**9


@pytest.mark.parametrize(("model", "saved"), [(GPT_3, 70), (MT_NLG, 65)])
def test_selective_recomputation(model, saved):
    """The paper: it saves 70% of the activations of GPT-3 and 65% of those of MT-NLG 530B."""
    whole, selective = (korthikanti_activations(**model, recomputation=how).layers for how in ("none", "selective"))
    assert round(100 * (1 - selective / whole)) == saved


def test_full_recomputation_keeps_a_layers_input():
    tokens = GPT_3["sequence"] * GPT_3["hidden"] * GPT_3["layers"]
    assert korthikanti_activations(**GPT_3, recomputation="full").layers == 2 * tokens
    assert korthikanti_activations(**GPT_3).scores == 4 * 2048 * 51200


@pytest.mark.parametrize("sequence", [1, 1024])
def test_what_is_counted_is_what_the_paper_counts(sequence):
    """GPT-2's layer is the paper's: 34·s·b·h bytes without attention's inside, 2 of them masks of dropout, which inference of
    the parts list knows nothing of."""
    gpt2 = Model.of("gpt2")
    counted = counted_activations(gpt2.parts_list.tensors, tokens=sequence, hidden=768, vocabulary=50257)
    paper = korthikanti_activations(
        sequence=sequence, batch=1, hidden=768, heads=12, layers=12, vocabulary=50257, recomputation="selective"
    )
    assert paper.layers - counted.layers == 12 * 2 * sequence * 768
    assert paper.scores == counted.scores


def test_recomputation_of_any_layer():
    """Llama-2-7B, 4096 tokens: each layer's input, and one layer whole; less by far than all layers whole."""
    llama = Model.of("llama-2-7b").tensors
    whole, full = (
        counted_activations(llama, tokens=4096, hidden=4096, vocabulary=32000, recomputation=how) for how in ("none", "full")
    )
    one_layer = 2 * 4096 * (4 * 4096 + 4 * 4096 + 3 * 11008)
    assert whole.layers == 32 * one_layer
    assert full.layers == 32 * 2 * 4096 * 4096 + one_layer
    mixtral = Model.of("mixtral-8x7b").tensors
    chosen = counted_activations(mixtral, tokens=1, hidden=4096, vocabulary=0).layers
    attention = 4096 + 2 * 1024 + 4096
    assert chosen == 32 * 2 * (4 * 4096 + attention + 8 + 2 * 3 * 14336)
    assert set(FFN_ROLES) >= {"gate", "up", "down"}


@pytest.mark.parametrize("of", [korthikanti_activations, counted_activations])
def test_an_unknown_recomputation_is_refused(of):
    asked = GPT_3 if of is korthikanti_activations else {"tensors": (), "tokens": 1, "hidden": 1, "vocabulary": 1}
    with pytest.raises(ConfigError) as fault:
        of(**asked, recomputation="some")
    assert (fault.value.code, fault.value.field) == ("not_among", "recomputation")
