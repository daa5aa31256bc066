"""The model as something to hold: read once, equal to what it was read from, immutable, and a method for each reading."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import ConfigError, Model
from calc.catalogue import catalogue
from calc.families import FAMILIES
from calc.families.registry import Family
from calc.model import READINGS, catalogue_model

ROOT = Path(__file__).parents[2]
TINY = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 192,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "vocab_size": 512,
}


@pytest.fixture
def declared(monkeypatch):
    """How often the family of a Llama is declared."""
    family, calls = FAMILIES["llama"], []
    counting = Family(lambda config: calls.append(config) or family.declare(config), family.names, family.reach)
    monkeypatch.setitem(FAMILIES, "llama", counting)
    return calls


def test_whatever_is_asked_of_a_model_its_family_is_declared_once(declared):
    model = Model.of(TINY)
    for _ in range(2):
        assert model.parameters and model.mixing and model.deciding_values and model.active_parameters
        assert model.kv_cache(100).bytes and model.flops(100).total and model.weights("Q8_0").bytes and len(model.to_frame())
    assert len(declared) == 1


class TestOf:
    """What a model can be read from."""

    def test_everything_that_says_the_same_is_the_same_model(self, tmp_path):
        (tmp_path / "config.json").write_text(json.dumps(TINY))
        read = [TINY, json.dumps(TINY), "\ufeff " + json.dumps(TINY), tmp_path, tmp_path / "config.json", str(tmp_path)]
        assert len({Model.of(source) for source in read}) == 1

    def test_a_model_is_itself(self):
        model = Model.of(TINY)
        assert Model.of(model) is model

    @pytest.mark.parametrize("name", ["llama-2-7b", "Llama-2-7B", "meta-llama/Llama-2-7b-hf"])
    def test_a_name_of_the_catalogue_is_read_once_a_process(self, name):
        assert Model.of(name) is catalogue_model("llama-2-7b")
        assert Model.of(name).entry is catalogue()["llama-2-7b"]

    @pytest.mark.parametrize(
        ("source", "code"),
        [
            ("no-such-model", "unknown_model"),
            ("no-such-file.json", "unreadable_file"),
            ('{"model_type": "llama",', "not_json"),
            ({"model_type": "xyzzy"}, "unknown_model_type"),
        ],
    )
    def test_what_cannot_be_read_is_refused(self, source, code):
        with pytest.raises(ConfigError) as refusal:
            Model.of(source)
        assert refusal.value.code.startswith(code)

    def test_a_config_nested_too_deep_is_refused_in_one_line(self):
        deep: dict = {}
        for _ in range(5000):
            deep = {"text_config": deep}
        with pytest.raises(ConfigError) as refusal:
            Model.of({"model_type": "llama", "x": deep})
        assert refusal.value.code == "too_deep"


class TestIdentity:
    """A model is its config, whatever happens to the mapping it was read from."""

    def test_a_change_to_the_mapping_does_not_reach_the_model(self):
        values = copy.deepcopy(TINY) | {"rope_scaling": {"factor": 2.0}}
        model = Model.of(values)
        values["num_hidden_layers"] = 5
        values["rope_scaling"]["factor"] = 4.0
        assert model == Model.of(TINY | {"rope_scaling": {"factor": 2.0}}) and model.parts_list.num_hidden_layers == 4

    def test_nothing_of_it_can_be_set(self):
        model = Model.of(TINY)
        with pytest.raises(AttributeError, match="immutable"):
            model.title = "another"
        with pytest.raises(TypeError):
            model.values["num_hidden_layers"] = 5

    @pytest.mark.parametrize("other", [True, 1.0, "1", [1], {"1": 1}])
    def test_one_is_neither_true_nor_anything_else(self, other):
        one, another = Model.of(TINY | {"extra": 1}), Model.of(TINY | {"extra": other})
        assert one != another and len({one, another}) == 2

    def test_nan_is_nan_and_the_order_of_fields_is_none(self):
        backwards = dict(reversed((TINY | {"extra": float("nan")}).items()))
        assert Model.of(TINY | {"extra": float("nan")}) == Model.of(backwards)

    @given(st.dictionaries(st.text(max_size=4), st.recursive(st.integers() | st.booleans(), st.lists, max_leaves=4), max_size=4))
    def test_equal_configs_are_equal_models_and_pickled_ones_come_back(self, extra):
        extra = {f"extra_{name}": value for name, value in extra.items()}
        model = Model.of(TINY | extra)
        assert model == Model.of(copy.deepcopy(TINY | extra)) == pickle.loads(pickle.dumps(model))
        assert (model == Model.of(TINY)) == (not extra)

    def test_what_is_asked_of_its_config_changes_no_later_answer(self):
        asked, fresh = Model.of("falcon-7b"), Model(catalogue()["falcon-7b"].config)
        asked.config.size("max_position_embeddings")
        assert asked.mixing == fresh.mixing and asked.parts_list == fresh.parts_list


class TestReadings:
    """Every function of `READINGS` is a method."""

    def test_each_is_the_function_itself(self):
        model = Model.of(TINY)
        for name, module in READINGS.items():
            method = getattr(model, name)
            assert method.__self__ is model and method.__module__ == module and method.__name__ == name
            assert name in dir(model)

    def test_anything_else_is_no_attribute(self):
        with pytest.raises(AttributeError, match="kv_cash"):
            Model.of(TINY).kv_cash  # noqa: B018

    def test_a_refused_mixing_is_raised_each_time_and_kept_as_a_value(self):
        model = Model.of({"model_type": "reformer"})
        for _ in range(2):
            with pytest.raises(ConfigError) as refusal:
                _ = model.mixing
            assert refusal.value.code == "mixing_not_described"
        assert model.mixing_fault.code == "mixing_not_described" and model.mixing_if_described is None

    def test_holding_a_model_imports_no_reading_and_no_library(self):
        code = "import calc, sys; calc.Model.of('gpt2').parameters; print(*sys.modules)"
        loaded = set(
            subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        )
        assert not loaded & {*READINGS.values(), "pandas", "numpy", "streamlit", "huggingface_hub"}
