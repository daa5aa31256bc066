"""Prefill and decode on a GPU: bytes by hand, limits that bound each other, and the floors people know."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from calc.compute.inference import (
    Setting,
    attainable_flops_per_second,
    decode_step,
    prefill_step,
    request,
    ridge_point,
    traffic,
    weights_by_bandwidth_seconds,
)
from calc.compute.traffic import bytes_of, cache_bytes_read, expected_experts, weights_read
from calc.errors import ConfigError
from calc.gpus import find_gpu
from calc.mixing.kv_cache import kv_bytes
from calc.model import Model
from calc.parts_list import active_parameters_without_input_embedding, parameters


def model(name):
    return Model.of(name).tensors, Model.of(name).mixing


def test_the_floor_of_tinyllama_on_a_t4():
    """2.20 GB ÷ 320 GB/s = 6.88 ms by the rule, 145 tokens a second; without the table that is only looked up, 6.47 ms."""
    tensors, meeting = model("tinyllama-1.1b")
    seconds = weights_by_bandwidth_seconds(tensors, find_gpu("T4"))
    assert round(seconds * 1000, 2) == 6.88 and round(1 / seconds) == 145
    step = decode_step(tensors, meeting, Setting(find_gpu("T4")), 1)
    assert step.weight_bytes == 2 * (1_100_048_384 - 32000 * 2048 + 2048)
    assert step.bound == "memory" and step.seconds < seconds


def test_a_step_reads_the_published_active_parameters():
    """Of one token: all it goes through but the table, of which it reads a row."""
    for name, published in (("mixtral-8x7b", 12_748_853_248), ("deepseek-v2-lite", 2_451_435_008)):
        tensors, _ = model(name)
        read = weights_read(tensors, 1)
        row = next(tensor.output.value for tensor in tensors if tensor.kind == "table")
        assert read.least - row == published == active_parameters_without_input_embedding(tensors)
        assert read.least == read.most == round(read.expected)


def test_a_tied_head_is_read_whole():
    tensors, _ = model("gpt2")
    assert weights_read(tensors, 1).least == 124_439_808 - 1024 * 768 + 2 * 768


def test_a_shared_block_is_read_once():
    tensors = Model.of({"model_type": "zamba", "hidden_size": 3712, "tie_word_embeddings": True}).tensors
    assert any(tensor.tied_to and tensor.part == "attention" for tensor in tensors)
    assert weights_read(tensors, 1).least == parameters(tensors) + 3712  # the tied head is the table, and a row is looked up


def test_more_tokens_hit_more_experts_up_to_all():
    tensors, _ = model("mixtral-8x7b")
    all_of_them = parameters(tensors) - 32000 * 4096
    one, some, many = (weights_read(tensors, tokens) for tokens in (1, 3, 1000))
    assert one.expected < some.expected < many.expected
    assert some.least < some.expected < some.most <= all_of_them + 3 * 4096
    assert many.most == all_of_them + 1000 * 4096 == round(many.expected)


@pytest.mark.parametrize(("experts", "chosen", "tokens"), [(8, 2, 1), (8, 2, 4), (64, 6, 10), (256, 8, 32)])
def test_the_expected_experts_are_those_of_a_random_draw(experts, chosen, tokens):
    chance = random.Random(f"{experts} {chosen} {tokens}")
    draws = 2000
    hit = sum(len({expert for _ in range(tokens) for expert in chance.sample(range(experts), chosen)}) for _ in range(draws))
    assert expected_experts(experts, chosen, tokens) == pytest.approx(hit / draws, rel=0.02)


def test_bytes_are_whole_and_of_any_width():
    assert bytes_of(1000, 16) == 2000
    assert bytes_of(6_738_415_616, 4) == 3_369_207_808
    assert bytes_of(32, Fraction(9, 2)) == 18
    assert bytes_of(1, 4) == 1


@pytest.mark.parametrize("name", ["llama-2-7b", "llama-3-8b", "deepseek-v3"])
def test_without_windows_a_token_reads_the_whole_cache(name):
    _, meeting = model(name)
    assert cache_bytes_read(meeting, 4000) == kv_bytes(meeting, 4000)


def test_windows_are_read_as_far_as_they_reach():
    _, meeting = model("gemma-3-27b")
    assert cache_bytes_read(meeting, 131072) == kv_bytes(meeting, 131072) == 11_173_625_856


def test_a_layer_that_shares_a_cache_reads_it_again():
    meeting = Model.of({"model_type": "gemma3n_text"}).mixing
    assert cache_bytes_read(meeting, 100) > kv_bytes(meeting, 100)


def test_ridge_points_are_peak_by_bandwidth():
    assert ridge_point(find_gpu("A100")) == pytest.approx(312e12 / 2039e9)
    assert ridge_point(find_gpu("H100 SXM"), "fp8") == pytest.approx(1979e12 / 3350e9)
    with pytest.raises(ConfigError) as refusal:
        ridge_point(find_gpu("Apple M3 Max"))
    assert refusal.value.code == "gpu_without_peak"


def test_the_roof_is_a_slope_and_then_flat():
    gpu = find_gpu("A100")
    ridge = ridge_point(gpu)
    assert attainable_flops_per_second(gpu, ridge / 2) == pytest.approx(312e12 / 2)
    assert attainable_flops_per_second(gpu, ridge * 2) == 312e12


@pytest.mark.parametrize("batch", [1, 8, 64, 512])
def test_a_step_lies_on_the_roof(batch):
    """Seconds, intensity and bound are one statement: FLOPs ÷ seconds is what the roofline allows."""
    tensors, meeting = model("llama-3-8b")
    setting = Setting(find_gpu("H100"))
    for step in (decode_step(tensors, meeting, setting, 500, batch), prefill_step(tensors, meeting, setting, 500, batch)):
        assert step.flops / step.seconds == pytest.approx(attainable_flops_per_second(setting.gpu, step.intensity))
        assert (step.bound == "compute") == (step.intensity >= ridge_point(setting.gpu))


def test_decode_is_bound_by_memory_and_prefill_by_arithmetic():
    tensors, meeting = model("llama-2-7b")
    setting = Setting(find_gpu("A100"))
    assert decode_step(tensors, meeting, setting, 2048).bound == "memory"
    assert 0.9 < decode_step(tensors, meeting, setting, 1).intensity < 1.1  # two FLOPs for the two bytes of a weight
    assert prefill_step(tensors, meeting, setting, 2048).bound == "compute"


def test_a_batch_shares_the_weights_but_not_the_cache():
    tensors, meeting = model("llama-2-7b")
    setting = Setting(find_gpu("A100"))
    one, many = (decode_step(tensors, meeting, setting, 1000, batch) for batch in (1, 16))
    assert many.weight_bytes - one.weight_bytes == 15 * 2 * 4096
    assert many.cache_bytes == 16 * one.cache_bytes == 16 * 524_288 * 1000
    assert many.flops == 16 * one.flops
    assert many.intensity > one.intensity


def test_fewer_bits_are_read_faster():
    tensors, meeting = model("llama-2-7b")
    wide, narrow = (decode_step(tensors, meeting, Setting(find_gpu("T4"), weight_bits=bits), 1) for bits in (16, Fraction(9, 2)))
    assert narrow.weight_bytes * 32 == pytest.approx(wide.weight_bytes * 9)
    half = decode_step(tensors, meeting, Setting(find_gpu("T4"), cache_bits=8), 100)
    assert half.cache_bytes * 2 == decode_step(tensors, meeting, Setting(find_gpu("T4")), 100).cache_bytes


@pytest.mark.parametrize("name", ["llama-2-7b", "gemma-3-27b", "deepseek-v3"])
def test_a_request_is_its_steps(name):
    """The closed form against the passes one by one; its time bounds theirs from below."""
    tensors, meeting = model(name)
    setting = Setting(find_gpu("B200"), experts="least")
    asked = request(tensors, meeting, setting, 1000, 61, batch=2)
    steps = [decode_step(tensors, meeting, setting, 1000 + place, 2) for place in range(1, 61)]
    assert asked.decode.flops == sum(step.flops for step in steps)
    assert asked.decode.cache_bytes == sum(step.cache_bytes for step in steps)
    assert asked.decode.weight_bytes == sum(step.weight_bytes for step in steps)
    assert asked.decode.seconds <= sum(step.seconds for step in steps) * (1 + 1e-9)
    assert asked.prefill == prefill_step(tensors, meeting, setting, 1000, 2)
    assert asked.flops == asked.prefill.flops + asked.decode.flops


def test_the_first_token_comes_with_the_prefill():
    tensors, meeting = model("llama-2-7b")
    asked = request(tensors, meeting, Setting(find_gpu("A100")), 100, 1)
    assert (asked.decode.flops, asked.decode.bytes, asked.decode.seconds, asked.decode.intensity) == (0, 0, 0, 0)
    assert asked.seconds == asked.prefill.seconds > 0


def test_a_day_of_traffic_is_so_many_batches():
    tensors, meeting = model("llama-2-7b")
    asked = request(tensors, meeting, Setting(find_gpu("A100")), 1000, 100, batch=4)
    day = traffic(asked, 4, 4000)
    assert day.flops == 1000 * asked.flops
    assert day.gpu_seconds == pytest.approx(1000 * asked.seconds)
    assert day.gpus == pytest.approx(day.gpu_seconds / 86400)
