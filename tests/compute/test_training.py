"""Training runs: the rule, the exact form, and the utilisation published runs imply."""

from __future__ import annotations

import pytest

from calc.compute.training import exact_training_flops, published_runs, training_flops, training_time
from calc.model import Model
from calc.parts_list import active_parameters

LLAMA_2_7B = 6_738_415_616


def exact(name, *arguments):
    model = Model.of(name)
    return exact_training_flops(model.tensors, model.mixing, *arguments)


@pytest.mark.parametrize(("tokens", "written"), [(10**12, "4.04e+22"), (2 * 10**12, "8.09e+22")])
def test_llama_2_7b_by_the_rule(tokens, written):
    assert f"{training_flops(LLAMA_2_7B, tokens):.2e}" == written


def test_deepseek_v3_counts_active_parameters():
    active = active_parameters(Model.of("deepseek-v3").tensors)
    assert f"{training_flops(active, 14_800_000_000_000):.3e}" == "3.335e+24"


@pytest.mark.parametrize(
    ("model", "per_cent"),
    [
        ("Llama-2-7B", 39.1),
        ("Llama-2-13B", 37.7),
        ("Llama-2-70B", 42.8),
        ("LLaMA-65B", 47.7),
        ("BLOOM-176B", 31.8),
        ("Pythia-12B", 26.2),
        ("PaLM-540B", 30.4),
        ("Llama-3.1-405B", 34.6),
    ],
)
def test_published_hours_imply_a_utilisation(model, per_cent):
    reached = published_runs()[model].utilisation
    assert (reached.kind, reached.reason) == ("value", None)
    assert round(reached.low * 100, 1) == round(reached.high * 100, 1) == per_cent


@pytest.mark.parametrize("model", ["Llama-3-8B", "Llama-3-70B", "Llama-3.1-8B", "Llama-3.1-70B"])
def test_fifteen_trillion_and_more_is_a_floor_and_no_utilisation(model):
    run = published_runs()[model]
    assert run.tokens_at_least and "floor" in run.note
    assert run.utilisation.kind == "at_least" and run.utilisation.high is None
    assert run.utilisation.reason == "tokens_floor"
    most_hours = run.gpu_hours_between[1] if run.gpu_hours_between else run.gpu_hours
    assert run.utilisation.low * most_hours * 3600 * 989e12 == pytest.approx(6 * run.parameters * run.tokens)


def test_two_formats_give_a_range_and_no_utilisation():
    """All in bf16 it would be 35.2% of that peak, all in fp8 17.6% of the other."""
    reached = published_runs()["DeepSeek-V3"].utilisation
    assert (reached.kind, reached.reason) == ("between", "two_formats")
    assert (round(reached.low * 100, 1), round(reached.high * 100, 1)) == (17.6, 35.2)


@pytest.mark.parametrize(("model", "low", "high"), [("Falcon-180B", 44.5, 51.4), ("SmolLM3-3B", 25.7, 26.8)])
def test_rounded_hours_give_a_range(model, low, high):
    reached = published_runs()[model].utilisation
    assert (reached.kind, reached.reason) == ("between", "hours_rounded")
    assert (round(reached.low * 100, 1), round(reached.high * 100, 1)) == (low, high)


@pytest.mark.parametrize("model", ["GPT-3 175B", "Chinchilla 70B", "GPT-2 124M (nanoGPT)"])
def test_without_hours_there_is_no_utilisation(model):
    assert published_runs()[model].utilisation is None


@pytest.mark.parametrize(("model", "tolerance"), [("GPT-3 175B", 0.01), ("Llama-3.1-405B", 0.01), ("Chinchilla 70B", 0.03)])
def test_published_compute_is_6nd(model, tolerance):
    run = published_runs()[model]
    assert run.flops == pytest.approx(run.published_flops, rel=tolerance)


def test_runs_are_facts_with_sources():
    runs = published_runs()
    assert len(runs) == 22
    for run in runs.values():
        assert run.source and type(run.parameters) is int and type(run.tokens) is int
        assert run.gpu_hours is None or (run.gpu and 100 < run.peak_tflops < 2000)
        if run.gpu_hours_between:
            least, most = run.gpu_hours_between
            assert least < run.gpu_hours < most < 1.2 * least
        if run.utilisation is not None:
            assert 0.1 < run.utilisation.low <= (run.utilisation.high or 1) < 0.6 or run.utilisation.high is None
        if run.catalogue_name is not None:
            active = Model.of(run.catalogue_name).active_parameters
            assert run.parameters == pytest.approx(active, rel=1e-6)
    assert sum(run.catalogue_name is not None for run in runs.values()) >= 8


def test_exact_training_is_three_forwards():
    """Llama-2-7B in sequences of 4096: matrices and, on average, 2048.5 positions a token."""
    run = exact("llama-2-7b", 4096 * 1000, 4096)
    forward = 13_214_154_752 * 4096 * 1000 + 1000 * 524_288 * 4096 * 4097 // 2
    assert run.forward == forward and run.model_flops == run.total == 3 * forward
    assert run.recomputed == 0


def test_a_last_sequence_may_be_shorter():
    run = exact("gpt2", 1024 * 3 + 10, 1024)
    assert run.forward == 3 * exact("gpt2", 1024, 1024).forward + exact("gpt2", 10, 1024).forward
    assert exact("gpt2", 5, 1024).forward == exact("gpt2", 5, 5).forward


def test_recomputation_adds_scores_or_layers():
    """Korthikanti et al.: selective recomputes attention, full every layer; the head is recomputed by neither."""
    tokens, attention = 4096 * 10, 10 * 524_288 * 4096 * 4097 // 2
    none, selective, full = (exact("llama-2-7b", tokens, 4096, kind) for kind in ("none", "selective", "full"))
    assert none.model_flops == selective.model_flops == full.model_flops
    assert selective.recomputed == attention
    assert full.recomputed == full.forward - tokens * 2 * 32000 * 4096
    assert 3.97 < full.total / full.forward < 4


def test_recomputation_by_the_published_formula():
    """Megatron-LM counts a GPT with full recomputation as 96·T·L·h²·(1 + s ÷ 6h + V ÷ 16·L·h) FLOPs, the square of scores.

    Narayanan et al. 2021, arXiv:2104.04473, equation 2. The causal half is what is counted here.
    """
    h, layers, vocabulary, length = 768, 12, 50257, 1024
    values = {"model_type": "gpt2"}
    run = exact_training_flops(Model.of(values).tensors, Model.of(values).mixing, length, length, "full")
    square = 96 * length * layers * h**2 * (1 + length / (6 * h) + vocabulary / (16 * layers * h))
    above_the_diagonal = 4 * layers * 4 * h * length * (length - 1) // 2
    assert run.total == square - above_the_diagonal


def test_time_and_cost_follow_from_the_peak():
    """Llama-2-7B's 184,320 A100-hours, back from their utilisation."""
    run = published_runs()["Llama-2-7B"]
    time = training_time(run.flops, 312 * 10**12, run.utilisation.low, gpus=2048, price_per_hour=1.5)
    assert time.gpu_hours == pytest.approx(184_320)
    assert time.days == pytest.approx(184_320 / 2048 / 24)
    assert time.cost == pytest.approx(276_480)
    assert training_time(run.flops, 312 * 10**12, 1).cost is None
