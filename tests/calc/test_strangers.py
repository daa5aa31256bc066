"""Configs as strangers bring them: each is counted right, or refused with a sentence that is true."""

import json
from pathlib import Path

import pytest

from calc import ConfigError, Model
from calc.__main__ import main
from calc.catalogue import catalogue
from calc.config import config_defaults
from calc.config.defaults import remote_types
from calc.families import FAMILIES
from calc.families.wrappers import WRAPPERS

FIXTURES = Path(__file__).parents[1] / "fixtures"
RIGHT = json.loads((FIXTURES / "strangers_right.json").read_text(encoding="utf-8"))
LLAMA = {
    "model_type": "llama",
    "vocab_size": 1000,
    "hidden_size": 64,
    "intermediate_size": 200,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
LLAMA_LAYER = 64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 200 + 2 * 64
BARE_LLAMA = 1000 * 64 + 3 * LLAMA_LAYER + 64


def values_of(name):
    return json.loads((FIXTURES / "strangers" / name).read_text(encoding="utf-8"))


def refusal_of(values):
    with pytest.raises(ConfigError) as refusal:
        Model.of(values)
    return refusal.value


def fields(model):
    return [each.field for each in model.not_read]


def test_every_file_has_a_right_answer():
    assert {path.name for path in (FIXTURES / "strangers").glob("*.json")} == set(RIGHT)


@pytest.mark.parametrize("name", RIGHT)
def test_a_file_is_counted_right_or_refused(name):
    """A type that is declared one day is held to its total from then on."""
    right, values = RIGHT[name], values_of(name)
    kind = values.get("model_type")
    if "refused" in right and (kind not in FAMILIES or "parameters" not in right):
        if kind not in FAMILIES or not right["refused"].startswith("unknown"):
            assert refusal_of(values).code == right["refused"]
        return
    model = Model.of(values)
    assert model.parameters == right["parameters"]
    if kind != "baichuan" and "refused" not in right:
        assert fields(model) == right.get("not_read", [])
        assert [remark.code for remark in model.remarks] == right.get("remarks", [])
    if "context" in right:
        assert model.kv_cache(right["context"]).bytes == right["cache_bytes"]


SLIDING = {
    f"swa_{name}"
    for name in [
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "q_lora_rank",
        "kv_lora_rank",
        "qk_nope_head_dim",
        "v_head_dim",
    ]
}
WIDTH = {"intermediate_size"}


class TestNotRead:
    """What no reading asks for is said, and nothing else."""

    JUSTIFIED = {
        "num_key_value_heads": "gpt_neox",
        "mlp_type": "starcoder2",
        "norm_type": "starcoder2",
        "num_shared_expert": "hunyuan_v1_moe",
        "num_hidden_layers": "nemotron_h",
    }
    """Fields of published configs that their classes do not have: they could bear on the count, but are not read."""

    WITHOUT_EFFECT = {
        **dict.fromkeys(("dots3_note_text", "dots3_note"), SLIDING),
        **dict.fromkeys(("qwen3_5_moe_text", "qwen3_5_moe", "kolibri1", "qwen4_exp_text", "qwen4_exp", "solar_open"), WIDTH),
        **dict.fromkeys(("glm46v", "glm4v_moe"), {"use_qk_norm"}),
        "persimmon": {"num_key_value_heads"},
    }
    """Fields of random configs that shape nothing there: of layers that do not slide, of FFNs that are all experts."""

    @pytest.mark.parametrize("name", catalogue())
    def test_of_a_published_config_everything_that_could_bear_on_the_count_is_read(self, name):
        model = Model.of(name)
        assert [field for field in fields(model) if self.JUSTIFIED.get(field) != model.model_type] == []

    @pytest.mark.parametrize("path", sorted((FIXTURES / "families").glob("*.json")), ids=lambda path: path.stem)
    def test_of_a_config_that_transformers_has_built_everything_is_read(self, path):
        for record in json.loads(path.read_text(encoding="utf-8"))["records"]:
            model = Model.of(record["config"])
            left = {field.rpartition(".")[2] for field in fields(model)}
            assert left <= self.WITHOUT_EFFECT.get(model.config.model_type, set()), record["config"]

    @pytest.mark.parametrize(
        ("slip", "meant"),
        [
            ("intermidiate_size", "intermediate_size"),
            ("num_key_value_head", "num_key_value_heads"),
            ("hiden_size", "hidden_size"),
        ],
    )
    def test_a_misspelt_field_is_pointed_at(self, slip, meant, capsys, tmp_path):
        config = {name: value for name, value in LLAMA.items() if name != meant} | {slip: 32}
        [entry] = Model.of(config).not_read
        assert (entry.field, entry.similar) == (slip, meant)
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        assert main(["count", str(path)]) == 0
        assert f"{slip} (did you mean {meant}?)" in capsys.readouterr().out
        assert main(["count", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["not_read"] == [slip]

    def test_inside_a_wrapper_the_field_is_named_with_the_one_around_it(self):
        config = {"model_type": "llava", "text_config": LLAMA | {"n_expert": 8}, "vision_config": {"n_expert": 8}}
        assert fields(Model.of(config)) == ["text_config.n_expert"]

    @pytest.mark.parametrize(
        "harmless",
        [
            {"attention_dropout": 0.1},
            {"rope_scaling": {"factor": 8}},
            {"bos_token_id": 7},
            {"torch_dtype": "float16"},
            {"n_x": None},
        ],
    )
    def test_what_shapes_nothing_is_not_listed(self, harmless):
        assert fields(Model.of(LLAMA | harmless)) == []


class TestArchitectures:
    """The class that a config names decides on the head."""

    @pytest.mark.parametrize(
        ("name", "more", "expected"),
        [
            ("LlamaForCausalLM", {}, BARE_LLAMA + 1000 * 64),
            ("LlamaModel", {}, BARE_LLAMA),
            ("LlamaForSequenceClassification", {}, BARE_LLAMA + 2 * 64),
            ("LlamaForSequenceClassification", {"num_labels": 1}, BARE_LLAMA + 64),
            ("LlamaForSequenceClassification", {"id2label": {"0": "a", "1": "b", "2": "c"}}, BARE_LLAMA + 3 * 64),
            ("LlamaForTokenClassification", {"num_labels": 5}, BARE_LLAMA + 5 * 64 + 5),
            ("LlamaForQuestionAnswering", {"num_labels": 5}, BARE_LLAMA + 2 * 64 + 2),
        ],
    )
    def test_a_head_is_counted_as_what_it_is(self, name, more, expected):
        model = Model.of(LLAMA | {"architectures": [name]} | more)
        assert model.parameters == expected
        assert Model.of(dict(model.deciding_values)).parameters == expected, "what decides the count says so too"
        assert model.kv_cache(10).bytes == 2 * 3 * 32 * 10 * 2
        assert sum(model.parameters_by_part.values()) == expected

    def test_of_gpt_2_the_tied_head_goes_and_the_table_stays(self):
        config = {"model_type": "gpt2", "architectures": ["GPT2ForSequenceClassification"], "num_labels": 3}
        assert Model.of(config).parameters == 124_439_808 + 3 * 768

    @pytest.mark.parametrize(
        ("kind", "name", "code"),
        [
            ("llama", "MedusaForCausalLM", "draft_not_described"),
            ("llama", "EagleLlamaForCausalLM", "draft_not_described"),
            ("qwen3", "DFlashDraftModel", "draft_not_described"),
            ("deepseek_v3", "DeepseekV3ForCausalLMNextN", "draft_not_described"),
            ("qwen3", "Eagle3Speculator", "draft_not_described"),
            ("qwen2", "Qwen2ForRewardModel", "head_not_described"),
            ("gemma3", "Gemma3ForSequenceClassification", "head_not_described"),
            ("bart", "BartForConditionalGeneration", "head_not_described"),
            ("bert", "BertModel", "head_not_described"),
        ],
    )
    def test_what_is_not_described_is_refused_by_its_name(self, kind, name, code):
        refusal = refusal_of({"model_type": kind, "architectures": [name]})
        assert refusal.code == code and name in str(refusal)

    @pytest.mark.parametrize(
        ("kind", "name", "code"),
        [("mistral", "LlamaForCausalLM", "class_of_other_type"), ("llama", "SomeonesForCausalLM", "class_unknown")],
    )
    def test_a_class_of_another_type_is_remarked(self, kind, name, code):
        model = Model.of({"model_type": kind, "architectures": [name]})
        assert [remark.code for remark in model.remarks] == [code] and name in str(model.remarks[0])
        assert model.parameters == Model.of({"model_type": kind}).parameters


EARLIER = [
    (kind, earlier, field)
    for kind, known in list(config_defaults().items())
    if kind in FAMILIES and kind not in WRAPPERS and kind not in remote_types()
    for earlier, field in known.get("earlier", {}).items()
]


@pytest.mark.parametrize(("kind", "earlier", "field"), EARLIER)
def test_an_earlier_name_is_read_before_the_fields_own(kind, earlier, field):
    """As the classes do: the recorder asked each class with both names, this asks the declarations."""
    default = config_defaults()[kind]["defaults"][field]
    if isinstance(default, bool):
        value, other = not default, default
    else:
        value, other = 2 * default, 3 * default
    needed = {"layer_types": ["conv", "full_attention"], "num_hidden_layers": 2} if kind == "lfm2_moe" else {}
    renamed = Model.of({"model_type": kind, earlier: value, field: other, **needed})
    assert renamed.parameters == Model.of({"model_type": kind, field: value, **needed}).parameters
    assert fields(renamed) == []


class TestAliases:
    """Types that classes rewrite."""

    def test_exaone_4_5_names_its_language_model_otherwise(self):
        text = {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 100}
        text |= {"num_key_value_heads": 2, "intermediate_size": 96}
        inner = [{"text_config": text | {"model_type": kind}} for kind in ("exaone4_5_text", "exaone4")]
        counts = [Model.of({"model_type": "exaone4_5", **each}).parameters for each in inner]
        assert counts[0] == counts[1]

    def test_an_unknown_wrapper_does_not_fall_through_to_a_type_that_leaves_tensors_unread(self):
        config = {"model_type": "kimi_k3", "text_config": LLAMA | {"num_memory_layers": 4}}
        refusal = refusal_of(config)
        assert refusal.code == "wrapper_leaves_fields" and "num_memory_layers" in str(refusal)
        assert Model.of({"model_type": "kimi_k3", "text_config": LLAMA}).parameters == BARE_LLAMA + 1000 * 64

    def test_of_an_unknown_wrapper_the_inner_type_is_named_where_that_is_missing(self):
        refusal = refusal_of({"model_type": "new_vl", "text_config": {"model_type": "new_lm", "hidden_size": 64}})
        assert refusal.field == "text_config.model_type" and '"new_lm"' in str(refusal)


class TestAdvice:
    """A type is proposed only where it reads all of the config."""

    def test_a_slip_in_the_type_is_pointed_at(self):
        refusal = refusal_of(LLAMA | {"model_type": "lama"})
        assert (refusal.code, refusal.details["similar"]) == ("unknown_model_type_similar", "llama")

    def test_no_type_is_proposed_that_leaves_a_field_unread(self):
        assert refusal_of(LLAMA | {"model_type": "lama", "num_groups": 4}).code == "unknown_model_type"

    def test_nor_one_that_rests_on_sizes_the_config_does_not_have(self):
        assert refusal_of(LLAMA | {"model_type": "olmoee"}).details.get("similar") != "olmoe"

    def test_like_counts_it_all_the_same(self, capsys, tmp_path):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(LLAMA | {"model_type": "new"}), encoding="utf-8")
        assert main(["count", str(path), "--like", "llama", "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert (document["parameters"]["total"], document["like"]) == (BARE_LLAMA + 1000 * 64, "llama")
        assert main(["count", str(path), "--like", "llama"]) == 0
        assert "counted as llama" in capsys.readouterr().out
        assert main(["count", str(path), "--like", "lama"]) == 2
        wrapped = {"model_type": "new_vl", "text_config": LLAMA | {"model_type": "new"}}
        assert Model.of(wrapped, as_type="llama").parameters == BARE_LLAMA + 1000 * 64


class TestOriginalFormats:
    """The files of original releases."""

    @pytest.mark.parametrize(
        ("values", "parameters"),
        [
            (
                {"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-6, "vocab_size": 32000},
                6_738_415_616,
            ),
            (
                {"dim": 8192, "multiple_of": 4096, "ffn_dim_multiplier": 1.3, "n_heads": 64, "n_kv_heads": 8, "n_layers": 80}
                | {"vocab_size": 32000},
                68_976_648_192,
            ),
            (
                {"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8}
                | {"norm_eps": 1e-5, "sliding_window": 4096, "vocab_size": 32000},
                7_241_732_096,
            ),
            (
                {"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8}
                | {"vocab_size": 32000, "moe": {"num_experts_per_tok": 2, "num_experts": 8}},
                46_702_792_704,
            ),
            ({"d_model": 768, "n_layer": 24, "vocab_size": 50277, "ssm_cfg": {}, "rms_norm": True}, 129_135_360),
            (
                {"d_model": 768, "n_layer": 24, "vocab_size": 50277, "ssm_cfg": {"layer": "Mamba2"}, "attn_layer_idx": []}
                | {"pad_vocab_size_multiple": 16, "d_intermediate": 0},
                128_989_632,
            ),
        ],
    )
    def test_a_published_one_has_its_published_total(self, values, parameters):
        """Llama-2-7B and 70B, Mistral-7B, Mixtral-8x7B, Mamba-130M, Mamba-2-130M."""
        assert Model.of(values).parameters == parameters

    @pytest.mark.parametrize("more", [{"vision_encoder": {"hidden_size": 8}}, {"n_gates": 4}])
    def test_one_with_fields_of_its_own_is_refused_by_name(self, more):
        refusal = refusal_of(values_of("params_llama3.json") | more)
        assert refusal.code == "original_format_not_read" and next(iter(more)) in str(refusal)

    def test_a_vocabulary_that_the_tokenizer_decides_is_asked_for(self):
        assert refusal_of(values_of("params_llama3.json") | {"vocab_size": -1}).field == "vocab_size"
