"""The decode floor, held against published figures and against what a step reads by the parts list alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.compute.inference import weights_by_bandwidth_seconds
from calc.compute.traffic import weights_read
from calc.gpus import find_gpu, gpus
from calc.memory.decode import floor, floors, step_read
from calc.model import Model
from calc.weights.weights import sizes_in_memory

MODELS = ("tinyllama-1.1b", "llama-3-8b", "mixtral-8x7b", "gpt-oss-20b", "gpt2", "qwen3-30b-a3b")


def read(name, format_name="bf16", **asked):
    """What a step of a catalogue model reads."""
    config = catalogue()[name].config
    return step_read(Model.of(config), sizes_in_memory(Model.of(config), format_name), **{"context": 0, **asked})


def test_tinyllama_on_a_t4():
    """fp16: 6.88 ms a token, 145 tokens a second."""
    of = floor(read("tinyllama-1.1b", "fp16"), find_gpu("T4"), 0)
    assert (f"{of.seconds * 1000:.2f}", int(of.tokens_per_second)) == ("6.88", 145)
    tensors = Model.of("tinyllama-1.1b").tensors
    assert of.seconds == weights_by_bandwidth_seconds(tensors, find_gpu("T4"))


@pytest.mark.parametrize(
    ("name", "active"),
    [
        ("mixtral-8x7b", 12_879_925_248),
        ("gpt-oss-20b", 4_187_440_704),
        ("tinyllama-1.1b", 1_100_048_384),
        ("llama-3-8b", 8_030_261_248),
    ],
)
def test_a_token_reads_the_experts_it_chooses(name, active):
    """The active parameters as their makers count them, in 2 bytes each; a model without experts is read whole."""
    assert read(name).bytes == 2 * active


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("batch", [1, 7, 300])
def test_the_least_is_what_the_parts_list_says_multiplies(name, batch):
    tensors = Model.of(name).tensors
    expected = weights_read(tensors, batch).expected
    if name == "gpt2":  # its table is the head too, read whole: a token's row is part of it
        expected -= batch * 768
    assert read(name, batch=batch).least_bytes == pytest.approx(2 * expected, rel=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(MODELS), st.integers(1, 500), st.integers(1, 1023), st.sampled_from(["bf16", "Q4_K_M", "awq-g128"]))
def test_more_sequences_and_longer_ones_read_more(name, batch, context, format_name):
    one, more = read(name, format_name, batch=batch), read(name, format_name, batch=batch + 1)
    assert one.weight_bytes <= more.weight_bytes <= sum(size.bytes for size in sizes_in_memory(Model.of(name), format_name))
    here, further = (read(name, format_name, batch=batch, context=length) for length in (context, context + 1))
    assert here.weight_bytes == further.weight_bytes == one.weight_bytes
    assert 0 < here.cache_bytes <= further.cache_bytes
    assert here.least_bytes <= here.bytes
    assert read(name, format_name, batch=2 * batch, context=context).cache_bytes == 2 * here.cache_bytes


def test_the_cache_of_a_long_context_outweighs_the_weights():
    """Llama-2-7B in 16 bits: 524,288 B a token, as much as all weights at 25,706 of them."""
    of = read("llama-2-7b", context=4096)
    assert of.cache_bytes == 4096 * 524_288
    assert read("llama-2-7b", context=1, cache_bits=8).cache_bytes == 262_144


def test_every_gpu_has_a_floor():
    config = catalogue()["llama-2-7b"].config
    found = floors(Model.of(config), sizes_in_memory(Model.of(config), "bf16"), context=0)
    assert [of.gpu for of in found] == list(gpus())
    assert all(of.seconds * gpus()[of.gpu].bandwidth_gb_per_second * 1e9 == pytest.approx(13_476_831_232) for of in found)
    assert all(of.holds_weights for of in found if gpus()[of.gpu].memory_gb >= 24)
    seventy = catalogue()["llama-2-70b"].config
    assert not any(
        of.holds_weights for of in floors(Model.of(seventy), sizes_in_memory(Model.of(seventy), "bf16"), context=0)[:10]
    )
