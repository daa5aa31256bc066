"""What fits on a GPU and on several, held against sums by hand and against every smaller and larger choice."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.gpus import find_gpu, gpus
from calc.memory.activations import hidden_size, pass_widths, vocabulary_size
from calc.memory.capacity import OVERHEAD_BYTES, capacity, reported_mib
from calc.memory.fit import Demand, formats_that_fit, largest
from calc.memory.tensor_parallel import mixing_of_a_gpu, share_of
from calc.mixing.kv_cache import kv_bytes
from calc.model import Model
from calc.weights.weights import sizes_in_memory

LLAMA_2 = catalogue()["llama-2-7b"].config
LLAMA_3 = catalogue()["llama-3-8b"].config
T4 = find_gpu("T4")


def demand(config, format_name, **shared):
    """What a model asks of a GPU."""
    return Demand(Model.of(config), sizes_in_memory(Model.of(config), format_name), **shared)


def on(gpu, config, format_name, context=2048, batch=1, **shared):
    """A model on a GPU."""
    return demand(config, format_name, **shared).fit(gpu, context, batch)


def test_the_story_of_a_7b_on_a_t4():
    """16 GB hold 13.48 GB of weights; what is left is less than the framework and a cache need, 4 bits leave plenty."""
    in_16_bits = on(T4, LLAMA_2, "fp16", context=4096)
    assert in_16_bits.weight_bytes == 13_476_831_232
    assert round((T4.memory_bytes - in_16_bits.weight_bytes) / 1e9, 1) == 2.5
    assert in_16_bits.cache_bytes == 4096 * 524_288
    assert in_16_bits.verdict == "does_not_fit"
    assert on(T4, LLAMA_2, "fp16", context=1).verdict == "fits"
    assert on(T4, LLAMA_2, "fp16", context=2000).verdict == "tight"
    assert on(T4, LLAMA_2, "Q4_K_M", context=4096).verdict == "fits"


def test_all_of_the_memory_is_accounted_for():
    for gpu in gpus().values():
        filled = on(gpu, LLAMA_2, "Q4_K_M")
        least, most = filled.left_bytes
        assert least + filled.counted_bytes + OVERHEAD_BYTES[1] == filled.capacity.low_bytes
        assert most + filled.counted_bytes + OVERHEAD_BYTES[0] == filled.capacity.high_bytes
        assert (filled.verdict == "fits") == (least >= 0) and (filled.verdict == "does_not_fit") == (most < 0)


def test_every_gpu_has_a_capacity_near_its_label():
    """A driver reports from 0.6% more than 10⁹ a GB up to 2³⁰ a GB; macOS keeps a quarter to a third for itself."""
    assert set(reported_mib()) <= set(gpus())
    for gpu in gpus().values():
        found = capacity(gpu)
        if found.basis == "reported":
            assert found.low_bytes == found.high_bytes
            assert gpu.memory_gb * 10**9 < found.low_bytes <= gpu.memory_gb * 2**30 * 1.02  # GB200's label is rounded down
        elif found.basis == "unified":
            label = gpu.memory_gb * 2**30
            least, most = {"Apple": ((2, 3), (3, 4)), "NVIDIA": ((9, 10), (19, 20)), "AMD": ((3, 4), (7, 8))}[gpu.maker]
            assert (found.low_bytes, found.high_bytes) == (label * least[0] // least[1], label * most[0] // most[1])
        else:
            assert (found.low_bytes, found.high_bytes) == (gpu.memory_gb * 10**9, gpu.memory_gb * 2**30)
    assert capacity(replace(T4, name="my own card")).basis == "label"


def parameters_of_a_gpu(config, gpus_):
    """What one GPU holds, in parameters."""
    parts_list, mixing = Model.of(config).parts_list, Model.of(config).mixing
    return sum(-(-tensor.parameters * share_of(tensor, mixing, gpus_) // 1) for tensor in parts_list.tensors)


@pytest.mark.parametrize("n", [1, 2, 4, 8, 16, 32])
def test_tensor_parallelism_by_hand(n):
    """Llama-3-8B, matrix by matrix: 32 query heads and 8 kv heads of 128, d 4096, FFN 14336, vocabulary 128256, 32 layers."""
    kv_heads = max(8 // n, 1)
    attention = 4096 * (32 // n) * 128 * 2 + 4096 * kv_heads * 128 * 2
    ffn = 3 * 4096 * 14336 // n
    by_hand = 2 * 128256 // n * 4096 + 32 * (attention + ffn + 2 * 4096) + 4096
    assert parameters_of_a_gpu(LLAMA_3, n) == by_hand
    assert on(find_gpu("H100"), LLAMA_3, "bf16", gpus=n).weight_bytes == 2 * by_hand
    assert demand(LLAMA_3, "bf16", gpus=n).bytes_per_token == 2 * 32 * kv_heads * 128 * 2


def test_biases_added_to_the_residual_and_latents_are_whole_on_every_gpu():
    oss = Model.of("gpt-oss-20b")
    parts_list, mixing = oss.parts_list, oss.mixing
    shares = {tensor.name.rpartition("*.")[2]: share_of(tensor, mixing, 8) for tensor in parts_list.tensors}
    assert shares["self_attn.o_proj.bias"] == shares["mlp.router.weight"] == shares["input_layernorm.weight"] == 1
    assert shares["self_attn.q_proj.bias"] == shares["mlp.experts.down_proj"] == Fraction(1, 8)
    deepseek = Model.of("deepseek-v3").mixing
    assert kv_bytes(mixing_of_a_gpu(deepseek, 8), 100) == kv_bytes(deepseek, 100)
    fused = Model.of({"model_type": "falcon"}).mixing
    matrix = Model.of({"model_type": "falcon"}).parts_list.named("transformer.h.*.self_attention.query_key_value.weight")
    of_gpu = matrix.count * share_of(matrix, fused, 71)
    assert of_gpu == (1 + 2) * 64 * 4544  # one of 71 query heads, and the only kv head


NO_NUMBER_OF_GPUS = [
    (3, "heads_do_not_share_out"),
    (64, "heads_do_not_share_out"),
    (0, "not_positive"),
    (True, "not_an_integer"),
    (2000, "too_big"),
]


@pytest.mark.parametrize(("n", "code"), NO_NUMBER_OF_GPUS)
def test_heads_that_cannot_be_shared_out_are_refused(n, code):
    with pytest.raises(ConfigError) as fault:
        on(T4, LLAMA_2, "fp16", gpus=n)
    assert (fault.value.code, fault.value.field) == (code, "gpus")


NOT_TO_BE_ASKED = [({"context": 4097}, "context_over_limit"), ({"context": 0}, "not_positive"), ({"batch": 0}, "not_positive")]


@pytest.mark.parametrize(("asked", "code"), NOT_TO_BE_ASKED)
def test_what_cannot_be_asked_is_refused(asked, code):
    with pytest.raises(ConfigError) as fault:
        on(T4, LLAMA_2, "fp16", **asked)
    assert fault.value.code == code


MODELS = ("llama-3-8b", "gemma-3-4b", "mixtral-8x7b", "deepseek-v2-lite", "gpt2", "gpt-oss-20b")
FITTED = {name: (Model.of(name), sizes_in_memory(Model.of(name), "bf16")) for name in MODELS}


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(MODELS), st.sampled_from(sorted(gpus())), st.integers(1, 9), st.sampled_from([1, 2, 4]))
def test_the_longest_context_is_the_longest(model, gpu, batch, n):
    """What is found fits, and one token more does not, unless the model takes no more."""
    of, sizes = FITTED[model]
    if model == "gpt2":
        n = 1
    card = find_gpu(gpu)
    asked = Demand(of, sizes, gpus=n)
    bounds = asked.longest_context(card, batch)
    for side, found in ((0, bounds.sure), (1, bounds.possible)):
        assert 0 <= found <= bounds.limit
        if found:
            assert asked.fit(card, found, batch).left_bytes[side] >= 0
        if found < bounds.limit:
            assert asked.fit(card, found + 1, batch).left_bytes[side] < 0
    assert bounds.sure <= bounds.possible


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(MODELS), st.sampled_from(sorted(gpus())), st.integers(1, 1024))
def test_the_largest_batch_is_the_largest(model, gpu, context):
    of, sizes = FITTED[model]
    card = find_gpu(gpu)
    asked = Demand(of, sizes)
    bounds = asked.largest_batch(card, context)
    for side, found in ((0, bounds.sure), (1, bounds.possible)):
        if found:
            assert asked.fit(card, context, found).left_bytes[side] >= 0
        assert asked.fit(card, context, found + 1).left_bytes[side] < 0


def test_a_state_of_fixed_size_sets_no_bound_to_the_context():
    mamba = {"model_type": "mamba"}
    bounds = demand(mamba, "bf16").longest_context(T4)
    assert (bounds.sure, bounds.possible, bounds.limit) == (None, None, None)
    assert on(T4, mamba, "bf16", context=10**6).state_bytes > 0
    assert demand(mamba, "bf16").largest_batch(T4, context=1).sure > 100


@given(st.integers(0, 3000), st.integers(1, 2000))
def test_halving_finds_the_largest(threshold, limit):
    asked = []
    found = largest(lambda n: asked.append(n) or n <= threshold, limit)
    assert found == min(threshold, limit)
    assert all(1 <= n <= limit for n in asked) and len(asked) < 30


def test_formats_that_make_it_fit():
    tried = formats_that_fit(Model.of("llama-2-13b"), T4, context=2048)
    verdicts = [tried[name].verdict for name in ("bf16", "Q8_0", "Q6_K", "Q4_K_M")]
    assert verdicts == ["does_not_fit", "does_not_fit", "fits", "fits"]
    assert "Q4_K_M" not in formats_that_fit(
        Model.of({"model_type": "opt"}), T4, context=100
    )  # llama.cpp's conversion is not described
    with pytest.raises(ConfigError):
        formats_that_fit(Model.of(LLAMA_2), T4, context=5000)


@pytest.mark.parametrize("model", ["llama-2-7b", "gpt2", "bloom-560m", "gemma-2-2b", "mixtral-8x7b", "pythia-70m"])
def test_activations_are_read_off_the_parts_list(model):
    of = Model.of(model)
    tensors = of.parts_list.tensors
    config = {
        "gpt2": (768, 50257),
        "llama-2-7b": (4096, 32000),
        "bloom-560m": (1024, 250880),
        "gemma-2-2b": (2304, 256000),
        "mixtral-8x7b": (4096, 32000),
        "pythia-70m": (512, 50304),
    }
    assert (hidden_size(tensors), vocabulary_size(tensors)) == config[model]
    one, two = (pass_widths(tensors).activations(tokens, 3) for tokens in (100, 200))
    assert two.bytes - one.bytes == 200 * one.width
    assert one.bytes - 200 * one.width == 4 * 3 * config[model][1]
    assert pass_widths(tensors, gpus=4).bytes(100, 3) < one.bytes


def test_activations_of_chosen_experts_alone():
    """Mixtral's two of eight: 2 · (28672 + 4096) numbers a token beside the residual."""
    tensors = Model.of("mixtral-8x7b").tensors
    assert pass_widths(tensors).activations(1).width == 2 * 4096 + 2 * (2 * 14336 + 4096) + 8


def test_an_engine_that_reserves_whole_pages_takes_more():
    gemma = catalogue()["gemma-3-27b"].config
    filled = on(find_gpu("H200"), gemma, "bf16", context=131072)
    assert filled.cache_bytes == 11_173_625_856
    assert filled.reserved_bytes == 66_571_993_088
    assert Model.of(gemma).parameters * 2 == filled.weight_bytes
