"""What a token goes through, against published counts, and the experts each model chooses against its config.

`active_parameters.json` holds counts recomputed from the published configs by others. Its DeepSeek-V3 counts the router's
balancing buffers, which are no parameters here.
"""

import json
from pathlib import Path

import pytest

from calc.model import Model
from calc.parts_list import active_parameters, active_parameters_without_input_embedding, parameters

FIXTURES = Path(__file__).parents[1] / "fixtures"
PUBLISHED = json.loads((FIXTURES / "active_parameters.json").read_text(encoding="utf-8"))
BUFFERS_COUNTED = {"deepseek-ai/DeepSeek-V3 (main model, no MTP)": 58 * 256}

TOP_K_FIELDS = ("num_experts_per_tok", "moe_topk", "moe_k")


@pytest.mark.parametrize("model", PUBLISHED, ids=lambda model: model["id"])
def test_active_parameters_are_the_published_ones(model):
    tensors = Model.of(model["config"]).tensors
    buffers = BUFFERS_COUNTED.get(model["id"], 0)
    assert active_parameters(tensors) + buffers == model["all"]
    assert active_parameters_without_input_embedding(tensors) + buffers == model["without_input_embedding"]


def test_a_dense_model_is_active_as_a_whole():
    tensors = Model.of({"model_type": "llama"}).tensors
    assert active_parameters(tensors) == parameters(tensors) == 6738415616
    assert active_parameters_without_input_embedding(tensors) == 6738415616 - 32000 * 4096


def test_a_tied_table_stays_because_the_head_reads_it():
    tensors = Model.of({"model_type": "gpt2"}).tensors
    assert active_parameters_without_input_embedding(tensors) == 124439808


def records():
    """Every recorded config that says how many experts a token goes through."""
    for path in sorted((FIXTURES / "families").glob("*.json")):
        for record in json.loads(path.read_text(encoding="utf-8"))["records"]:
            config = record["config"]
            given = [config[field] for field in TOP_K_FIELDS if isinstance(config.get(field), int)]
            if given and any("experts" in row["n"] for row in record["tensors"]):
                yield pytest.param(config, given[0], id=config["model_type"])


@pytest.mark.parametrize(("config", "top_k"), list(records()))
def test_the_experts_chosen_are_the_top_k_of_the_config(config, top_k):
    stacks = [tensor for tensor in Model.of(config).tensors if tensor.experts and "shared" not in tensor.name]
    assert {tensor.experts_chosen for tensor in stacks} == {min(top_k, tensor.experts.value) for tensor in stacks}


@pytest.mark.parametrize("model_type", ("deepseek_v2", "dots1"))
def test_without_a_top_k_a_stack_counts_in_full(model_type):
    config = {"model_type": model_type, "n_routed_experts": 8, "n_shared_experts": 1, "num_hidden_layers": 2}
    tensors = Model.of(config).tensors
    assert active_parameters(tensors) == parameters(tensors)
