"""What a change to one field of a model brings, and what follows it."""

import json
from pathlib import Path

import pytest
from catalogue_sample import SAMPLE

from calc import ConfigError, Model, parameters
from calc.catalogue import catalogue
from calc.families import FAMILIES
from calc.what_if import CHANGEABLE, changeable, has_striped_heads, is_multi_head, what_if

REFERENCE = ("llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3-8b", "tinyllama-1.1b", "gpt2")
KV, WIDTH = "num_key_value_heads", "head_dim"


def changed(name, changes):
    """The changed parts list of a catalogue model, what followed, and the difference in parameters."""
    model = Model.of(name)
    outcome = what_if(Model.of(model.name), changes)
    parts_list = outcome.model.parts_list
    return parts_list, dict(outcome.followed), parameters(parts_list.tensors) - model.parameters


# Differences worked by hand from the reference table: L layers · matrices · (rows · columns that come or go).
CHANGES = [
    ("llama-2-7b", {"num_hidden_layers": 33}, {}, 67_108_864 + 135_266_304 + 2 * 4096),
    ("llama-2-7b", {"hidden_size": 5120}, {WIDTH: 160}, 9_094_108_160 - 6_738_415_616),
    ("llama-2-7b", {"intermediate_size": 16384}, {}, 2_113_929_216),
    ("llama-2-7b", {"num_attention_heads": 16}, {KV: 16, WIDTH: 256}, 0),
    ("llama-2-7b", {"num_attention_heads": 64}, {KV: 64, WIDTH: 64}, 0),
    ("llama-2-7b", {"num_key_value_heads": 8}, {}, -805_306_368),
    ("llama-2-7b", {"num_key_value_heads": 1}, {}, -32 * 2 * 4096 * 31 * 128),
    ("llama-2-7b", {"head_dim": 64}, {}, -32 * 67_108_864 // 2),
    ("llama-2-7b", {"vocab_size": 32001}, {}, 2 * 4096),
    ("llama-2-7b", {"tie_word_embeddings": True}, {}, -131_072_000),
    ("llama-2-7b", {"tie_word_embeddings": False}, {}, 0),
    ("llama-2-7b", {"num_attention_heads": 16, "head_dim": 128}, {KV: 16}, -32 * 67_108_864 // 2),
    ("llama-2-7b", {"num_attention_heads": 16, KV: 4, WIDTH: 256}, {}, -32 * 2 * 4096 * 12 * 256),
    ("llama-2-13b", {"num_hidden_layers": 39}, {}, -(104_857_600 + 212_336_640 + 2 * 5120)),
    ("llama-2-13b", {"hidden_size": 4000}, {WIDTH: 100}, 9_451_844_000 - 13_015_864_320),
    ("llama-2-13b", {"intermediate_size": 13825}, {}, 40 * 3 * 5120),
    ("llama-2-13b", {"num_attention_heads": 20}, {KV: 20, WIDTH: 256}, 0),
    ("llama-2-13b", {"num_key_value_heads": 10}, {}, -40 * 2 * 5120 * 30 * 128),
    ("llama-2-13b", {"head_dim": 129}, {}, 40 * 4 * 5120 * 40),
    ("llama-2-13b", {"vocab_size": 128256}, {}, 2 * 5120 * 96_256),
    ("llama-2-13b", {"tie_word_embeddings": True}, {}, -163_840_000),
    ("llama-2-70b", {"num_hidden_layers": 1}, {}, -79 * (150_994_944 + 704_643_072 + 2 * 8192)),
    ("llama-2-70b", {"hidden_size": 4096}, {WIDTH: 64}, 31_468_425_216 - 68_976_648_192),
    ("llama-2-70b", {"intermediate_size": 28671}, {}, -80 * 3 * 8192),
    ("llama-2-70b", {"num_attention_heads": 32}, {WIDTH: 256}, 80 * 2 * 8192 * 8 * 128),
    ("llama-2-70b", {"num_key_value_heads": 64}, {}, 80 * 2 * 8192 * 56 * 128),
    ("llama-2-70b", {"head_dim": 64}, {}, -80 * 150_994_944 // 2),
    ("llama-2-70b", {"vocab_size": 31_999}, {}, -2 * 8192),
    ("llama-2-70b", {"tie_word_embeddings": True}, {}, -262_144_000),
    ("llama-3-8b", {"num_hidden_layers": 64}, {}, 32 * (41_943_040 + 176_160_768 + 2 * 4096)),
    ("llama-3-8b", {"hidden_size": 4128}, {WIDTH: 129}, 8_103_565_344 - 8_030_261_248),
    ("llama-3-8b", {"intermediate_size": 11008}, {}, -1_308_622_848),
    ("llama-3-8b", {"num_attention_heads": 16}, {WIDTH: 256}, 32 * 2 * 4096 * 8 * 128),
    ("llama-3-8b", {"num_key_value_heads": 32}, {}, 805_306_368),
    ("llama-3-8b", {"head_dim": 256}, {}, 32 * 41_943_040),
    ("llama-3-8b", {"vocab_size": 32000}, {}, -788_529_152),
    ("llama-3-8b", {"tie_word_embeddings": True}, {}, -525_336_576),
    ("tinyllama-1.1b", {"num_hidden_layers": 23}, {}, 9_437_184 + 34_603_008 + 2 * 2048),
    ("tinyllama-1.1b", {"hidden_size": 4096}, {WIDTH: 128}, 2_615_332_864 - 1_100_048_384),
    ("tinyllama-1.1b", {"intermediate_size": 5633}, {}, 22 * 3 * 2048),
    ("tinyllama-1.1b", {"num_attention_heads": 16}, {WIDTH: 128}, 22 * 2 * 2048 * 4 * 64),
    ("tinyllama-1.1b", {"num_key_value_heads": 32}, {}, 22 * 2 * 2048 * 28 * 64),
    ("tinyllama-1.1b", {"head_dim": 128}, {}, 22 * 9_437_184),
    ("tinyllama-1.1b", {"vocab_size": 32001}, {}, 2 * 2048),
    ("tinyllama-1.1b", {"tie_word_embeddings": True}, {}, -65_536_000),
    ("gpt2", {"num_hidden_layers": 13}, {}, 12 * 768 * 768 + 13 * 768),
    ("gpt2", {"num_attention_heads": 6}, {}, 0),
    ("gpt2", {"intermediate_size": 3073}, {}, 12 * (2 * 768 + 1)),
    ("gpt2", {"vocab_size": 50258}, {}, 768),
    ("gpt2", {"tie_word_embeddings": False}, {}, 38_597_376),
]


@pytest.mark.parametrize(("name", "changes", "followed", "difference"), CHANGES)
def test_a_change_brings_exactly_its_difference(name, changes, followed, difference):
    parts_list, what_followed, brought = changed(name, changes)
    assert what_followed == followed
    assert brought == difference
    sizes = dict(parts_list.sizes)
    assert {field: sizes[field] for field in changes | followed} == changes | followed


def test_every_changeable_field_of_every_reference_model_is_tried_above():
    tried = {(name, field) for name, changes, *_ in CHANGES for field in changes}
    untried = {(name, field) for name in REFERENCE for field in changeable(Model.of(name).parts_list)} - tried
    assert untried == {("gpt2", "hidden_size")}  # below: its FFN follows


def test_which_fields_can_be_changed():
    assert changeable(Model.of("llama-2-7b").parts_list) == CHANGEABLE
    without_gqa = tuple(field for field in CHANGEABLE if field not in (KV, WIDTH))
    assert changeable(Model.of("gpt2").parts_list) == without_gqa


CHANGES_OF_ONE_FIELD = [
    (name, field, direction)
    for name in SAMPLE
    for field in changeable(Model.of(name).parts_list)
    for direction in (["up", "down"] if field != "tie_word_embeddings" else ["other"])
]


@pytest.mark.parametrize(("name", "field", "direction"), CHANGES_OF_ONE_FIELD)
def test_nothing_changes_that_was_neither_named_nor_reported(name, field, direction):
    """Whatever a reader changes, every other size either stays or is reported with the value it now has."""
    model = Model.of(name)
    base = model.parts_list
    was = base.sizes[field]
    value = {"up": was * 2, "down": max(1, was - 1), "other": not was}[direction]
    try:
        outcome = what_if(model, {field: value})
    except ConfigError as refusal:
        assert refusal.code in ("heads_do_not_divide", "heads_must_divide", "kv_heads_do_not_divide")
        return
    sizes = outcome.model.parts_list.sizes
    moved = {size: sizes[size] for size in sizes if sizes[size] != base.sizes.get(size)}
    assert moved == dict(outcome.followed) | ({field: value} if value != was else {})


def test_a_change_to_the_value_it_has_changes_and_reports_nothing():
    for name, field, _ in CHANGES_OF_ONE_FIELD:
        _, followed, difference = changed(name, {field: Model.of(name).parts_list.sizes[field]})
        assert (followed, difference) == ({}, 0), (name, field)


class TestGpt2:
    """GPT-2 has its own names, no kv heads, and an FFN four times as wide as it is."""

    def test_the_change_is_read_under_its_own_names(self):
        gpt2 = Model.of("gpt2")
        fields = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 100}
        sizes = what_if(Model.of(gpt2.name), fields).model.parts_list.sizes
        assert {field: sizes[field] for field in fields} == fields

    @pytest.mark.parametrize(("larger", "width", "layers", "heads"), [("gpt2-medium", 1024, 24, 16), ("gpt2-xl", 1600, 48, 25)])
    def test_three_changes_make_its_larger_siblings(self, larger, width, layers, heads):
        changes = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads}
        parts_list, _, _ = changed("gpt2", changes)
        assert parameters(parts_list.tensors) == catalogue()[larger].parameters
        assert parts_list.sizes["intermediate_size"] == 4 * width

    def test_a_general_name_in_the_config_is_replaced_not_contradicted(self):
        config = {"model_type": "gpt2", "num_hidden_layers": 12}
        assert what_if(Model.of(config), {"num_hidden_layers": 24}).model.parts_list.num_hidden_layers == 24


class TestHeads:
    """Heads are stripes of one matrix, and multi-head attention stays multi-head."""

    def test_which_models_have_which(self):
        kinds = {
            name: (is_multi_head(m.parts_list), has_striped_heads(m.parts_list))
            for name, m in zip(catalogue(), map(Model.of, catalogue()), strict=True)
        }
        assert kinds["llama-2-7b"] == (True, True)
        assert kinds["llama-3-8b"] == (False, True)
        assert kinds["mistral-nemo-12b"] == (False, False)
        assert kinds["qwen3-4b"] == (False, False)

    def test_a_head_dim_of_its_own_stays(self):
        parts_list, followed, _ = changed("mistral-nemo-12b", {"num_attention_heads": 16})
        assert followed == {}
        assert parts_list.sizes["head_dim"] == 128

    def test_heads_that_do_not_divide_are_refused(self):
        with pytest.raises(ConfigError) as refusal:
            changed("llama-2-7b", {"num_attention_heads": 33})
        assert refusal.value.code == "heads_do_not_divide"

    @pytest.mark.parametrize(("name", "heads"), [("gemma-2b", 3), ("qwen3-14b", 24), ("phi-4", 30), ("mistral-7b-v0.1", 24)])
    def test_where_the_class_allows_uneven_heads_the_report_tells_what_was_counted(self, name, heads):
        """gemma and qwen3 have a fixed default, which must not slip in unreported; the others round down."""
        try:
            parts_list, followed, _ = changed(name, {"num_attention_heads": heads})
        except ConfigError:
            return  # refusing is clear too
        width = parts_list.sizes["head_dim"]
        assert followed.get("head_dim", Model.of(name).parts_list.sizes["head_dim"]) == width


@pytest.mark.parametrize("value", [0, -1, 10**18, None, "8", 4.0, float("nan"), [], True])
@pytest.mark.parametrize("field", [field for field in CHANGEABLE if field != "tie_word_embeddings"])
@pytest.mark.parametrize("name", ["llama-2-7b", "gemma-2b", "gpt2"])
def test_a_senseless_change_is_refused_under_the_name_of_its_field(name, field, value):
    model = Model.of(name)
    if field not in changeable(model.parts_list):
        assert name == "gpt2" and field in (KV, WIDTH)
        return
    nulls_allowed = value is None and (name, field) in {("llama-2-7b", KV), ("llama-2-7b", WIDTH), ("gpt2", "intermediate_size")}
    if nulls_allowed:
        assert what_if(model, {field: value}).model.parts_list.tensors
    else:
        with pytest.raises(ConfigError) as refusal:
            what_if(model, {field: value})
        own = {"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head"}
        own["intermediate_size"] = "n_inner"
        assert refusal.value.field == (own.get(field, field) if name == "gpt2" else field)


def test_the_model_itself_is_left_alone():
    model = Model.of("llama-2-7b")
    before = dict(model.values)
    what_if(Model.of(model.name), {"num_attention_heads": 16, "vocab_size": 1})
    assert model.values == before


RECORDED = {}
for path in sorted((Path(__file__).parents[1] / "fixtures" / "families").glob("*.json")):
    for record in json.loads(path.read_text(encoding="utf-8"))["records"]:
        RECORDED.setdefault(record["config"]["model_type"], []).append(record["config"])


def one_more(value):
    """Another value of a field: one more layer, the other answer."""
    return not value if isinstance(value, bool) else value + 1


class TestEveryType:
    """Whatever the type, a change goes where its class reads the field, however deep, and under which name."""

    @pytest.mark.parametrize("model_type", sorted(FAMILIES))
    def test_another_number_of_layers_changes_the_count_or_is_refused_by_name(self, model_type):
        tried = 0
        for config in [{"model_type": model_type}, *RECORDED.get(model_type, [])[:5]]:
            try:
                base = Model.of(config).parts_list
            except ConfigError as refusal:
                assert refusal.code == "missing", "a class without a default of its own"
                continue
            if "num_hidden_layers" not in changeable(base):
                continue
            tried += 1
            try:
                outcome = what_if(Model.of(config), {"num_hidden_layers": base.sizes["num_hidden_layers"] + 1})
            except ConfigError as refusal:
                assert refusal.code == "not_one_a_layer" and refusal.field
                continue
            assert parameters(outcome.model.parts_list.tensors) > parameters(base.tensors)
            assert outcome.model.parts_list.sizes["num_hidden_layers"] == base.sizes["num_hidden_layers"] + 1
            assert outcome.model.parts_list.not_counted == base.not_counted
        listed = {"reformer", "nemotron_h", "nemotron_h_omni"}  # whose layers are as many as a list has entries
        assert tried or model_type in listed | {"lfm2_moe", "dots1"} or model_type not in RECORDED

    @pytest.mark.parametrize("model_type", sorted(RECORDED))
    def test_the_values_are_those_of_the_changed_model(self, model_type):
        """Read again they give the same, and only what was asked for and what followed differs."""
        for config in RECORDED[model_type][1:4]:
            base = Model.of(config).parts_list
            for field in changeable(base):
                value = one_more(base.sizes[field])
                try:
                    outcome = what_if(Model.of(config), {field: value})
                except ConfigError as refusal:
                    assert refusal.field
                    continue
                assert Model.of(outcome.model.values).parts_list == outcome.model.parts_list
                assert outcome.model.parts_list.sizes[field] == value
                moved = {
                    name: now
                    for name, now in outcome.model.parts_list.sizes.items()
                    if not isinstance(now, dict) and name != field and now != base.sizes.get(name)
                }
                assert moved == dict(outcome.followed)


class TestNested:
    """A change to a model whose fields stand inside another config."""

    TEXT = {
        "model_type": "llama",
        "vocab_size": 1000,
        "hidden_size": 64,
        "intermediate_size": 200,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
    }
    LAYER = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 200 + 2 * 64

    @pytest.mark.parametrize(
        ("model_type", "field"), [("llava", "text_config"), ("someones_vlm", "llm_config"), ("internvl", "text_config")]
    )
    def test_it_is_written_inside_and_nothing_outside(self, model_type, field):
        config = {"model_type": model_type, field: self.TEXT, "vision_config": {"hidden_size": 32}}
        outcome = what_if(Model.of(config), {"num_hidden_layers": 5})
        assert dict(outcome.model.values) == {**config, field: {**self.TEXT, "num_hidden_layers": 5}}
        brought = parameters(outcome.model.parts_list.tensors) - Model.of(config).parameters
        assert brought == 2 * self.LAYER
        assert dict(outcome.followed) == {}

    def test_a_config_that_is_not_there_gets_the_values_its_class_takes(self):
        """Mistral 3's text model is 40 layers of 5120, which MistralConfig is not."""
        outcome = what_if(Model.of({"model_type": "mistral3"}), {"num_hidden_layers": 41})
        inner = outcome.model.values["text_config"]
        assert (inner["hidden_size"], inner["num_hidden_layers"], inner["model_type"]) == (5120, 41, "mistral")
        layer = 2 * 5120 * 4096 + 2 * 5120 * 1024 + 3 * 5120 * 32768 + 2 * 5120
        brought = parameters(outcome.model.parts_list.tensors) - Model.of({"model_type": "mistral3"}).parameters
        assert brought == layer

    def test_fields_beside_the_config_stay_there(self):
        config = {"model_type": "qwen2_vl", **{name: value for name, value in self.TEXT.items() if name != "model_type"}}
        outcome = what_if(Model.of(config), {"num_hidden_layers": 5, "tie_word_embeddings": True})
        assert dict(outcome.model.values) == {**config, "num_hidden_layers": 5, "tie_word_embeddings": True}

    def test_of_two_stacks_the_decoders_is_changed(self):
        """GIT's image encoder has layers, heads and a width of its own."""
        base = Model.of({"model_type": "git"}).parts_list
        outcome = what_if(Model.of({"model_type": "git"}), {"num_hidden_layers": 7})
        bert_layer = 12 * 768 * 768 + 13 * 768
        assert parameters(outcome.model.parts_list.tensors) - parameters(base.tensors) == bert_layer
        assert dict(outcome.model.values) == {"model_type": "git", "num_hidden_layers": 7}

    @pytest.mark.parametrize("flag", [True, False])
    @pytest.mark.parametrize(
        ("outer", "inner"), [({}, {}), ({"tie_word_embeddings": True}, {}), ({}, {"tie_word_embeddings": True})]
    )
    def test_tying_changes_wherever_the_flag_stands(self, outer, inner, flag):
        for model_type in ("llava", "internvl", "someones_vlm"):
            config = {"model_type": model_type, **outer, "text_config": self.TEXT | inner}
            outcome = what_if(Model.of(config), {"tie_word_embeddings": flag})
            head = next(tensor for tensor in outcome.model.parts_list.tensors if tensor.role == "lm_head")
            assert (head.tied_to is not None) is flag

    def test_the_thinkers_text_model_two_configs_deep(self):
        outcome = what_if(Model.of({"model_type": "qwen2_5_omni"}), {"num_hidden_layers": 29})
        assert outcome.model.values["thinker_config"] == {"text_config": {"num_hidden_layers": 29}}

    def test_the_base_is_left_alone(self):
        config = {"model_type": "llava", "text_config": dict(self.TEXT)}
        what_if(Model.of(config), {"hidden_size": 128, "num_hidden_layers": 1})
        assert config == {"model_type": "llava", "text_config": self.TEXT}
