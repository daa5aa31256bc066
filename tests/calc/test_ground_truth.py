"""The parts list equals, tensor by tensor, what transformers' own modules hold.

The fixtures were recorded from models built on the meta device (tests/fixtures/make_ground_truth.py).
"""

import json
from pathlib import Path

import pytest

from calc import ConfigError, Model, parameters
from calc.parts_list import buffer_elements

FIXTURES = Path(__file__).parents[1] / "fixtures"
DEFAULT = json.loads((FIXTURES / "default_configs.json").read_text(encoding="utf-8"))["records"]
RANDOM = json.loads((FIXTURES / "random_configs.json").read_text(encoding="utf-8"))["records"]

GPT2_NAMES = {
    "n_embd": "hidden_size",
    "n_layer": "num_hidden_layers",
    "n_head": "num_attention_heads",
    "n_positions": "max_position_embeddings",
}


def named_twice(record):
    """GPT-2's own names of fields that the config also gives, with another value, under the general name."""
    config = record["config"]
    pairs = GPT2_NAMES.items() if config["model_type"] == "gpt2" else ()
    return [own for own, general in pairs if own in config and general in config and config[own] != config[general]]


AMBIGUOUS = [record for record in RANDOM if named_twice(record)]
CLEAR = [*DEFAULT, *(record for record in RANDOM if not named_twice(record))]


def record_id(record):
    source = "random" if "resolved" in record else "default"
    return f"{source}-{record['config']['model_type']}-{sum(map(ord, json.dumps(record['config'])))}"


def layer_ids(ranges):
    """The layers of "0-2,5": 0, 1, 2, 5."""
    if ranges is None:
        return None
    spans = [span.partition("-") for span in ranges.split(",")]
    return tuple(layer for first, _, last in spans for layer in range(int(first), int(last or first) + 1))


def tensors_expected(record):
    return {
        tensor["n"]: {
            "shape": tuple(tensor["s"]),
            "copies": tensor["c"],
            "layers": layer_ids(tensor.get("l")),
            "tied": tensor.get("k") == "tied",
            "buffer": tensor.get("k") == "buf",
        }
        for tensor in record["tensors"]
    }


def tensors_counted(parts_list):
    return {
        tensor.name: {
            "shape": tensor.shape,
            "copies": tensor.copies,
            "layers": tensor.layers,
            "tied": tensor.tied_to is not None,
            "buffer": tensor.kind == "buffer",
        }
        for tensor in parts_list.tensors
    }


def differences(counted, expected):
    """One line for each tensor that is missing, too many, or different."""
    names = [*expected, *(name for name in counted if name not in expected)]
    return [
        f"{name}: counted {counted.get(name)}, transformers holds {expected.get(name)}"
        for name in names
        if counted.get(name) != expected.get(name)
    ]


def test_the_fixtures_cover_every_type_and_every_kind_of_tensor():
    types = {"llama", "mistral", "qwen2", "qwen3", "gemma", "phi3", "gpt2"}
    assert {record["config"]["model_type"] for record in DEFAULT} == types
    assert {record["config"]["model_type"] for record in RANDOM} == types
    names = {tensor["n"] for record in RANDOM for tensor in record["tensors"]}
    assert {"model.layers.*.mlp.gate_proj.bias", "model.layers.*.self_attn.q_norm.weight"} <= names
    assert "transformer.h.*.crossattention.q_attn.weight" in names
    assert {tensor.get("k") for record in RANDOM for tensor in record["tensors"]} >= {None, "tied"}


@pytest.mark.parametrize("record", CLEAR, ids=record_id)
def test_every_tensor_is_the_one_transformers_holds(record):
    parts_list = Model.of(record["config"]).parts_list
    names = [tensor.name for tensor in parts_list.tensors]
    assert len(names) == len(set(names)), "a name stands twice"
    wrong = differences(tensors_counted(parts_list), tensors_expected(record))
    assert not wrong, "\n".join(["", *wrong])


@pytest.mark.parametrize("record", CLEAR, ids=record_id)
def test_totals_are_those_of_transformers(record):
    tensors = Model.of(record["config"]).tensors
    assert parameters(tensors) == record["total"]
    stored = sum(tensor.copies * tensor.count for tensor in tensors if tensor.kind != "buffer")
    assert stored == record["untied"]
    assert buffer_elements(tensors) == record.get("buffers", record.get("persistent_buffers"))


@pytest.mark.parametrize("record", [record for record in CLEAR if "resolved" in record], ids=record_id)
def test_sizes_are_those_the_modules_were_built_with(record):
    sizes = Model.of(record["config"]).parts_list.sizes
    known = record["resolved"]
    if record["config"]["model_type"] == "gpt2":  # its heads have no fields of their own
        known = {field: known[field] for field in known if field not in ("num_key_value_heads", "head_dim")}
    assert {field: sizes.get(field) for field in known} == known


@pytest.mark.parametrize("record", AMBIGUOUS, ids=record_id)
def test_a_size_under_two_names_is_refused_and_counts_once_the_remedy_is_followed(record):
    """transformers lets the general name win without a word; here the reader decides which to delete."""
    own = named_twice(record)[0]
    with pytest.raises(ConfigError) as refusal:
        Model.of(record["config"])
    assert (refusal.value.code, refusal.value.field) == ("two_names", own)
    remedied = {key: value for key, value in record["config"].items() if key not in named_twice(record)}
    wrong = differences(tensors_counted(Model.of(remedied).parts_list), tensors_expected(record))
    assert not wrong, "\n".join(["", *wrong])
