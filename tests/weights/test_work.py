"""What a file would cost to lay out: refused before it is, whatever a config says."""

from __future__ import annotations

import time

import pytest

from calc.errors import ConfigError
from calc.gpus import find_gpu
from calc.memory.fit import formats_that_fit
from calc.model import Model
from calc.weights.formats import number_format
from calc.weights.weights import MOST_TENSORS, line_sizes, sizes_in_memory, weights

LARGE = {
    "num_hidden_layers": 10_000,
    "num_local_experts": 100_000,
    "num_experts": 100_000,
    "n_routed_experts": 100_000,
    "n_group": 1,
}
KIMI_K2 = {
    "model_type": "deepseek_v3",
    "num_attention_heads": 64,
    "n_routed_experts": 384,
    "first_k_dense_replace": 1,
    "n_group": 1,
    "topk_group": 1,
}


@pytest.mark.parametrize("model_type", ["mixtral", "qwen3_moe", "deepseek_v3"])
@pytest.mark.parametrize("format_name", ["bf16", "awq-g128", "Q4_K_M"])
def test_a_file_of_a_billion_tensors_is_refused_at_once(model_type, format_name):
    model = Model.of({"model_type": model_type, **LARGE})
    start = time.process_time()
    with pytest.raises(ConfigError) as refusal:
        weights(model, format_name)
    assert refusal.value.code == "too_much_work" and len(str(refusal.value)) < 250
    assert time.process_time() - start < 1


def test_its_size_in_memory_and_whether_it_fits_need_no_file():
    model = Model.of({"model_type": "mixtral", **LARGE})
    start = time.process_time()
    assert sum(line.bytes for line in sizes_in_memory(model, "bf16")) == 2 * model.parameters
    found = formats_that_fit(model, find_gpu("H100"), context=4096)
    assert "bf16" in found and {of.verdict for of in found.values()} == {"does_not_fit"}
    assert time.process_time() - start < 2


def test_the_largest_published_model_is_laid_out_in_every_packing():
    """Kimi-K2: 60 layers · 384 experts · 3 matrices, in GPTQ four tensors each."""
    parts_list = Model.of(KIMI_K2).parts_list
    lines = line_sizes(parts_list, number_format("gptq-8-g128"))
    assert sum(line.tensors for line in lines if line.name.partition("mlp.")[2].startswith("experts")) == 60 * 384 * 3 * 4
    assert sum(line.tensors for line in lines) < MOST_TENSORS
