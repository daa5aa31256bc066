"""What is wrong with a config is refused by field, with a remedy, in one line; what is missing is listed as assumed."""

import json
import pickle
from pathlib import Path

import pytest
from config_strategies import FLAGS, GENERAL_NAMES, SIZES, TYPE_AND_FLAG, TYPE_AND_SIZE, TYPES, any_json, complete_config
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import ConfigError, Model, PartsList, parameters
from calc.config import Assumption
from calc.families import FAMILIES

FIXTURE = Path(__file__).parents[1] / "fixtures" / "default_configs.json"
CLASS_DEFAULTS = {record["type"]: record["config"] for record in json.loads(FIXTURE.read_text(encoding="utf-8"))["records"]}
"""The values that transformers' classes gave when nothing was said."""

DERIVED = {
    **{(model_type, "head_dim"): 2560 // 64 for model_type in ("llama", "mistral", "qwen2", "phi3")},
    **{(model_type, "num_key_value_heads"): 64 for model_type in ("llama", "phi3")},
    ("gpt2", "n_inner"): 4 * 1536,
}
"""What the classes derive from the other fields of `complete_config` instead of taking a fixed default."""


def refused(values):
    """The refusal of a config. Fails where it is counted, or refused in anything but one short line."""
    with pytest.raises(ConfigError) as refusal:
        Model.of(values)
    message = str(refusal.value)
    assert len(message.splitlines()) == 1 and len(message.encode()) < 1000
    return refusal.value


def counted(values):
    return Model.of(values).parameters


@pytest.mark.parametrize("model_type", TYPES)
def test_a_complete_config_leaves_nothing_to_be_assumed(model_type):
    parts_list = Model.of(complete_config(model_type)).parts_list
    assert parts_list.assumed == ()
    assert parts_list.model_type == model_type


@pytest.mark.parametrize(("model_type", "field"), TYPE_AND_SIZE + TYPE_AND_FLAG)
def test_a_missing_field_is_filled_from_the_class_and_listed(model_type, field):
    config = complete_config(model_type)
    del config[field]
    parts_list = Model.of(config).parts_list
    derived = DERIVED.get((model_type, field))
    expected = CLASS_DEFAULTS[model_type][field] if derived is None else derived
    [assumption] = parts_list.assumed
    assert (assumption.field, assumption.value) == (field, expected)
    assert type(assumption.value) is type(expected)
    assert (assumption.rule is not None) == (derived is not None)
    assert parts_list.sizes[GENERAL_NAMES.get(field, field)] == expected
    assert counted(config | {field: expected}) == parameters(parts_list.tensors)


def test_a_rule_is_stated_in_symbols():
    config = {"model_type": "gpt2", "n_embd": 1600, "n_head": 25}
    assert Assumption("n_inner", 6400, "4·d") in Model.of(config).parts_list.assumed


@pytest.mark.parametrize("model_type", TYPES)
def test_nothing_but_a_type_assumes_every_field(model_type):
    assumed = {item.field for item in Model.of({"model_type": model_type}).parts_list.assumed}
    assert assumed == {*SIZES[model_type], *FLAGS[model_type]}


SIZE_FAULTS = {
    "text": ("4096", "not_an_integer"),
    "a decimal": (4096.0, "not_an_integer"),
    "half": (0.5, "not_an_integer"),
    "a list": ([4096], "not_an_integer"),
    "an object": ({"value": 4096}, "not_an_integer"),
    "true": (True, "not_an_integer"),
    "false": (False, "not_an_integer"),
    "hostile text": ("\n\ud800{field}%s" * 99, "not_an_integer"),
    "NaN": (float("nan"), "not_a_number"),
    "infinity": (float("inf"), "not_a_number"),
    "minus infinity": (float("-inf"), "not_a_number"),
    "zero": (0, "not_positive"),
    "minus one": (-1, "not_positive"),
    "far below zero": (-(10**18), "not_positive"),
    "10 to the 18": (10**18, "too_big"),
    "4000 digits": (10**4000, "too_big"),
    "5000 digits": (10**5000, "too_big"),
}


@pytest.mark.parametrize("fault", SIZE_FAULTS)
@pytest.mark.parametrize(("model_type", "field"), TYPE_AND_SIZE)
def test_a_wrong_size_is_refused_by_name(model_type, field, fault):
    value, code = SIZE_FAULTS[fault]
    refusal = refused(complete_config(model_type) | {field: value})
    assert (refusal.code, refusal.field) == (code, field)
    assert field in str(refusal)


@pytest.mark.parametrize("value", [1, 0, 1.0, "true", "false", "", [], [True], {}, float("nan")], ids=repr)
@pytest.mark.parametrize(("model_type", "field"), TYPE_AND_FLAG)
def test_a_wrong_flag_is_refused_by_name(model_type, field, value):
    refusal = refused(complete_config(model_type) | {field: value})
    assert (refusal.code, refusal.field) == ("not_a_flag", field)
    assert field in str(refusal)


@pytest.mark.parametrize(("model_type", "field"), TYPE_AND_FLAG)
def test_a_null_flag_is_refused_and_its_remedy_is_no_number(model_type, field):
    refusal = refused(complete_config(model_type) | {field: None})
    assert refusal.field == field and field in str(refusal)
    assert "number" not in str(refusal)


NULL_IS_DERIVED = [
    ("llama", "num_key_value_heads"),
    ("llama", "head_dim"),
    ("mistral", "head_dim"),
    ("qwen2", "num_key_value_heads"),
    ("qwen3", "num_key_value_heads"),
    ("phi3", "num_key_value_heads"),
    ("gpt2", "n_inner"),
]


@pytest.mark.parametrize(("model_type", "field"), TYPE_AND_SIZE)
def test_null_is_a_rule_where_the_class_says_so_and_else_refused(model_type, field):
    config = complete_config(model_type) | {field: None}
    if (model_type, field) in NULL_IS_DERIVED:
        [assumption] = Model.of(config).parts_list.assumed
        assert assumption.field == field and assumption.rule
    else:
        refusal = refused(config)
        assert (refusal.code, refusal.field) == ("null", field)
        assert field in str(refusal)


def test_a_refusal_can_be_kept_and_brought_back():
    """A cache keeps what it is given by pickling it."""
    refusal = refused(complete_config("llama") | {"hidden_size": 0})
    kept = pickle.loads(pickle.dumps(refusal))
    assert (str(kept), kept.code, kept.field, kept.details) == (str(refusal), refusal.code, refusal.field, refusal.details)


class TestModelType:
    """model_type decides on everything, so it is never guessed."""

    @pytest.mark.parametrize(
        ("values", "code"),
        [
            ({}, "no_model_type"),
            ({"model_type": None}, "no_model_type"),
            ({"architectures": None}, "no_model_type"),
            ({"architectures": []}, "no_model_type"),
            ({"architectures": [7]}, "no_model_type"),
            ({"architectures": "LlamaForCausalLM"}, "no_model_type"),
            ({"architectures": ["BertModel"]}, "no_model_type"),
            ({"model_type": 7}, "model_type_not_text"),
            ({"model_type": True}, "model_type_not_text"),
            ({"model_type": ["llama"]}, "model_type_not_text"),
            ({"model_type": {}}, "model_type_not_text"),
            ({"model_type": ""}, "unknown_model_type"),
            ({"model_type": "xyzzy"}, "unknown_model_type"),
            ({"model_type": "\ud800\n\x00{value}%s"}, "unknown_model_type"),
            ({"model_type": "x" * 1_000_000}, "unknown_model_type"),
            ({"model_type": "lama"}, "unknown_model_type_similar"),
            ({"model_type": "LLAMA"}, "unknown_model_type_similar"),
            ({"model_type": "llama "}, "unknown_model_type_similar"),
        ],
    )
    def test_a_missing_or_unknown_type_is_refused(self, values, code):
        refusal = refused(values)
        assert (refusal.code, refusal.field) == (code, "model_type")
        assert "model_type" in str(refusal)

    def test_an_unknown_type_is_told_where_the_known_ones_are_listed(self):
        message = str(refused({"model_type": "xyzzy"}))
        assert f" {len(FAMILIES)} types" in message and "python -m calc types" in message

    @pytest.mark.parametrize(
        ("architecture", "model_type"),
        [
            ("LlamaForCausalLM", "llama"),
            ("MistralForCausalLM", "mistral"),
            ("Qwen2ForCausalLM", "qwen2"),
            ("Qwen3ForCausalLM", "qwen3"),
            ("GemmaForCausalLM", "gemma"),
            ("Phi3ForCausalLM", "phi3"),
            ("GPT2LMHeadModel", "gpt2"),
            ("Qwen3MoeForCausalLM", "qwen3_moe"),
        ],
    )
    def test_the_architecture_suggests_its_type(self, architecture, model_type):
        refusal = refused({"architectures": [architecture]})
        assert refusal.code == "no_model_type_but_architecture"
        assert refusal.details["suggestion"] == model_type

    @pytest.mark.parametrize(
        "architecture",
        [
            "Llama7ForCausalLM",
            "Qwen2VLForConditionalGeneration",
            "MixtralForSomethingElse",
            "Gemma9ForCausalLM",
            "Gemma3ForConditionalGeneration",
            "Phi3VForCausalLM",
            "MistralModelFor\n\ud800",
        ],
    )
    def test_another_architecture_never_suggests_a_type_that_would_count_it_wrongly(self, architecture):
        assert refused({"architectures": [architecture]}).details.get("suggestion") is None


class TestRelationsBetweenFields:
    """Sizes that are right one by one and wrong together."""

    def test_kv_heads_must_divide_the_heads(self):
        refusal = refused(complete_config("llama") | {"num_attention_heads": 64, "num_key_value_heads": 3})
        assert (refusal.code, refusal.field) == ("kv_heads_do_not_divide", "num_key_value_heads")
        assert "64" in str(refusal) and "3" in str(refusal)

    def test_more_kv_heads_than_heads_are_refused(self):
        refusal = refused(complete_config("mistral") | {"num_attention_heads": 4, "num_key_value_heads": 8})
        assert refusal.code == "kv_heads_do_not_divide"

    def test_llama_refuses_a_head_dim_that_is_no_whole_number(self):
        config = complete_config("llama") | {"hidden_size": 2561, "head_dim": None}
        assert refused(config).code == "heads_do_not_divide"
        assert Model.of(config | {"head_dim": 40}).parts_list.sizes["head_dim"] == 40

    def test_gpt2_needs_heads_that_divide_and_says_it_in_its_own_names(self):
        refusal = refused(complete_config("gpt2") | {"n_head": 7})
        assert (refusal.code, refusal.field) == ("heads_must_divide", "n_head")
        assert "n_embd 1536" in str(refusal) and "n_head 7" in str(refusal)

    @pytest.mark.parametrize("model_type", ["llama", "mistral", "qwen2", "phi3"])
    def test_more_heads_than_the_hidden_size_can_be_split_into_are_refused(self, model_type):
        config = complete_config(model_type) | {"hidden_size": 32}
        del config["head_dim"]
        refused(config)

    @pytest.mark.parametrize(("own", "general"), [pair for pair in GENERAL_NAMES.items() if pair[0] != "n_inner"])
    def test_two_names_of_one_field_must_agree(self, own, general):
        config = complete_config("gpt2")
        refusal = refused(config | {general: config[own] * 2})
        assert (refusal.code, refusal.field) == ("two_names", own)
        assert own in str(refusal) and general in str(refusal)
        assert counted(config | {general: config[own]}) == counted(config)
        assert counted(config | {general: None}) == counted(config)


@settings(max_examples=400)
@given(st.data())
def test_no_value_in_any_field_raises_anything_but_a_refusal(data):
    model_type = data.draw(st.sampled_from(TYPES))
    fields = [*SIZES[model_type], *FLAGS[model_type], *GENERAL_NAMES.values(), "architectures", "model_type"]
    wrong = data.draw(st.dictionaries(st.sampled_from(fields), any_json, min_size=1, max_size=3))
    missing = data.draw(st.sets(st.sampled_from(fields), max_size=3))
    config = {key: value for key, value in complete_config(model_type).items() if key not in missing} | wrong
    try:
        parts_list = Model.of(config).parts_list
    except ConfigError as refusal:
        assert len(str(refusal).splitlines()) == 1 and len(str(refusal).encode()) < 1000
        assert refusal.field
    else:
        assert isinstance(parts_list, PartsList)
        assert all(tensor.count > 0 for tensor in parts_list.tensors)
