"""Models that see or hear: the language model is counted as its class does it, the rest named as not counted.

The totals of published models come from other sources: the catalogue's facts, and what the makers say of their models.
"""

import json
from pathlib import Path

import pytest

from calc import ConfigError, Model
from calc.__main__ import main
from calc.catalogue import catalogue
from calc.checkpoint.names import Names, bare
from calc.config import config_defaults
from calc.families import FAMILIES
from calc.families.wrappers import LANGUAGE_FIELDS, WRAPPERS

LLAMA = {
    "model_type": "llama",
    "vocab_size": 1000,
    "hidden_size": 64,
    "intermediate_size": 200,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "attention_bias": False,
    "mlp_bias": False,
}
NEEDED = {"hunyuan_vl": {"text_config": {"head_dim": 128}}}
"""What a type needs beside its name."""
VISION = {"model_type": "clip_vision_model", "hidden_size": 32, "num_hidden_layers": 2}


def total(config):
    return Model.of(config).parameters


def bare_lines(config):
    """(name without the modules around the decoder, shape, layers, tied) of each tensor."""
    return sorted(
        (bare(tensor.name), tensor.shape, tensor.layers or (), tensor.tied_to is not None) for tensor in Model.of(config).tensors
    )


class TestPublished:
    """Configs as they are published, cut to what shapes a tensor."""

    def test_gemma_3_27b_whose_text_model_was_taken_for_the_whole(self):
        text = {
            "model_type": "gemma3_text",
            "hidden_size": 5376,
            "intermediate_size": 21504,
            "num_hidden_layers": 62,
            "num_attention_heads": 32,
            "num_key_value_heads": 16,
            "head_dim": 128,
            "vocab_size": 262208,
        }
        config = {"model_type": "gemma3", "text_config": text, "vision_config": {"model_type": "siglip_vision_model"}}
        assert total(config) == 27_009_346_304
        assert Model.of(config).parts_list.not_counted == ("vision_config",)

    def test_llava_1_5_names_the_sizes_of_vicuna_by_their_absence(self):
        """Vicuna-7B is Llama-2-7B; 64 rows were added to the vocabulary, at both ends."""
        text = {"model_type": "llama", "max_position_embeddings": 4096, "vocab_size": 32064}
        config = {"model_type": "llava", "text_config": text, "vision_config": VISION, "tie_word_embeddings": False}
        assert total(config) == 6_738_415_616 + 2 * 64 * 4096

    def test_qwen2_vl_keeps_the_text_models_fields_beside_the_others(self):
        """Qwen2-VL-7B speaks with Qwen2.5-7B's sizes: 7,615,616,512."""
        flat = {
            "model_type": "qwen2_vl",
            "hidden_size": 3584,
            "intermediate_size": 18944,
            "num_hidden_layers": 28,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
            "vocab_size": 152064,
            "tie_word_embeddings": False,
            "vision_config": {"depth": 32},
        }
        assert total(flat) == 7_615_616_512
        assert Model.of(flat).parts_list.not_counted == ("vision_config",)
        inside = {"model_type": "qwen2_vl", "text_config": {k: v for k, v in flat.items() if k != "vision_config"}}
        assert total(inside) == 7_615_616_512

    def test_mistral_small_3_1_of_version_4_is_not_tied_though_the_class_of_version_5_ties(self):
        """Mistral-Small-24B: 23,572,403,200, of which 131072 · 5120 are the head. The file has no flag at all."""
        text = {
            "model_type": "mistral",
            "hidden_size": 5120,
            "intermediate_size": 32768,
            "num_hidden_layers": 40,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "vocab_size": 131072,
        }
        config = {"model_type": "mistral3", "text_config": text, "vision_config": {}, "transformers_version": "4.50.0.dev0"}
        assert total(config) == 23_572_403_200
        assert total(config | {"transformers_version": "5.1.0"}) == 23_572_403_200 - 131_072 * 5120

    def test_internvl_of_its_makers_code_is_no_type_of_transformers(self):
        qwen = catalogue()["qwen2.5-7b"].config
        config = {"model_type": "internvl_chat", "vision_config": {"model_type": "intern_vit_6b"}, "llm_config": dict(qwen)}
        parts_list = Model.of(config).parts_list
        assert total(config) == 7_615_616_512
        assert (parts_list.model_type, parts_list.not_counted) == ("qwen2", ("vision_config",))
        assert parts_list.tensors == Model.of(qwen).tensors, "the names of its own checkpoint"


class TestTying:
    """Whose `tie_word_embeddings` decides."""

    HEAD = 1000 * 64

    def untied(self, config):
        """Whether the head adds V · d to the model tied."""
        difference = total(config) - (total(LLAMA | {"tie_word_embeddings": True}))
        assert difference in (0, self.HEAD)
        return difference == self.HEAD

    @pytest.mark.parametrize(
        ("outer", "inner", "tied"),
        [(True, False, True), (False, True, False), (True, None, True), (False, None, False), (None, None, True)],
    )
    def test_the_wrappers_flag_where_the_class_asks_it_alone(self, outer, inner, tied):
        flags = [{} if flag is None else {"tie_word_embeddings": flag} for flag in (outer, inner)]
        assert self.untied({"model_type": "internvl", **flags[0], "text_config": LLAMA | flags[1]}) is not tied

    @pytest.mark.parametrize("inner", [True, False])
    def test_the_inner_flag_where_the_wrapper_says_nothing(self, inner):
        """So it is in files of transformers 4, which kept it there."""
        config = {"model_type": "internvl", "text_config": LLAMA | {"tie_word_embeddings": inner}}
        assert self.untied(config) is not inner

    @pytest.mark.parametrize(("outer", "inner"), [(True, True), (True, False), (False, True), (False, False)])
    def test_either_flag_where_the_class_looks_at_both(self, outer, inner):
        config = {"model_type": "llava", "tie_word_embeddings": outer, "text_config": LLAMA | {"tie_word_embeddings": inner}}
        assert self.untied(config) is not (outer or inner)
        assert Model.of(config).parts_list.sizes["tie_word_embeddings"] is (outer or inner)

    def test_no_flag_where_the_class_never_ties(self):
        config = {"model_type": "voxtral", "tie_word_embeddings": True, "text_config": LLAMA | {"tie_word_embeddings": True}}
        assert self.untied(config)
        assert "tie_word_embeddings" not in Model.of(config).parts_list.sizes

    @pytest.mark.parametrize(
        ("outer", "inner", "tied"), [(True, None, True), (True, False, False), (None, True, True), (None, None, False)]
    )
    def test_a_wrapper_that_is_no_type_heeds_its_language_model_first(self, outer, inner, tied):
        flags = [{} if flag is None else {"tie_word_embeddings": flag} for flag in (outer, inner)]
        assert self.untied({"model_type": "someones_vlm", **flags[0], "language_config": LLAMA | flags[1]}) is not tied


class TestUndeclared:
    """A type that nobody declared, with a language model inside whose type is."""

    @pytest.mark.parametrize("field", LANGUAGE_FIELDS)
    def test_it_is_found_under_every_usual_name(self, field):
        config = {"model_type": "someones_vlm", field: LLAMA, "vision_config": VISION, "quantization_config": {"bits": 4}}
        parts_list = Model.of(config).parts_list
        assert parts_list.tensors == Model.of(LLAMA).tensors
        assert parts_list.not_counted == ("vision_config",)
        assert Model.of(config).config.model_type == "llama"

    def test_a_wrapper_inside_is_opened_too(self):
        config = {
            "model_type": "colpali_2",
            "vlm_config": {"model_type": "paligemma", "text_config": LLAMA | {"model_type": "gemma"}},
        }
        parts_list = Model.of(config).parts_list
        assert parts_list.tensors[0].name == "model.language_model.embed_tokens.weight"
        assert parts_list.not_counted == ("vlm_config.vision_config",)

    @pytest.mark.parametrize(
        "inner",
        [{}, {"model_type": "xyzzy"}, {"model_type": 7}, {"model_type": ["llama"]}, None, [], "llama", 7, {"text_config": LLAMA}],
    )
    def test_without_a_language_model_that_is_known_the_type_is_refused(self, inner):
        with pytest.raises(ConfigError) as refusal:
            Model.of({"model_type": "someones_vlm", "text_config": inner, "vision_config": VISION})
        assert refusal.value.code in ("unknown_model_type", "unknown_model_type_similar")
        says_a_type = isinstance(inner, dict) and isinstance(inner.get("model_type"), str)
        assert refusal.value.field == ("text_config.model_type" if says_a_type else "model_type"), "the type that is missing"

    def test_a_config_without_a_type_is_not_guessed_at(self):
        with pytest.raises(ConfigError) as refusal:
            Model.of({"text_config": LLAMA})
        assert refusal.value.code == "no_model_type"


class TestFaults:
    """What is wrong inside is named with the field around it."""

    @pytest.mark.parametrize("inner", ["llama", 7, [LLAMA], True])
    def test_a_language_model_that_is_no_object(self, inner):
        with pytest.raises(ConfigError) as refusal:
            Model.of({"model_type": "llava", "text_config": inner})
        assert (refusal.value.code, refusal.value.field) == ("not_among", "text_config")

    def test_a_language_model_of_an_unknown_type(self):
        with pytest.raises(ConfigError) as refusal:
            Model.of({"model_type": "llava", "text_config": {"model_type": "xyzzy"}})
        assert (refusal.value.code, refusal.value.field) == ("unknown_model_type", "text_config.model_type")
        assert "xyzzy" in str(refusal.value)

    @pytest.mark.parametrize(("model_type", "path"), [("llava", "text_config"), ("qwen2_5_omni", "thinker_config.text_config")])
    def test_a_size_that_is_none(self, model_type, path):
        config = {"hidden_size": 0, "model_type": "llama"}
        for field in reversed(path.split(".")):
            config = {field: config}
        with pytest.raises(ConfigError) as refusal:
            Model.of({"model_type": model_type, **config})
        assert (refusal.value.code, refusal.value.field) == ("not_positive", f"{path}.hidden_size")

    @pytest.mark.parametrize(("depth", "code"), [(20, "unknown_model_type"), (300, "too_deep")])
    def test_wrappers_in_wrappers_without_end(self, depth, code):
        config = LLAMA
        for _ in range(depth):
            config = {"model_type": "llava", "text_config": config}
        with pytest.raises(ConfigError) as refusal:
            Model.of(config)
        assert refusal.value.code == code


@pytest.mark.parametrize("model_type", WRAPPERS)
def test_it_counts_what_the_type_inside_counts(model_type):
    """The tensors of the language model's own class, but for names; its head may have been given another flag."""
    config = {"model_type": model_type, **NEEDED.get(model_type, {})}
    if model_type == "dots3_note":
        return  # its own class is the only one
    asked = Model.of(config).config
    inner = WRAPPERS[model_type].language_model(asked)
    while inner.model_type in WRAPPERS:
        inner = WRAPPERS[inner.model_type].language_model(inner)
    whole = Model.of(config).parts_list
    sizes = {name: value for name, value in whole.sizes.items() if isinstance(value, int | str | tuple)}
    given = {
        inner.own_name(name): list(value) if isinstance(value, tuple) else value
        for name, value in sizes.items()
        if inner.own_name(name) in config_defaults()[inner.model_type]["defaults"]
    }
    alone = {"model_type": inner.model_type, **given}
    body = [line for line in bare_lines(alone) if "lm_head" not in line[0]]
    assert body == [line for line in bare_lines(config) if "lm_head" not in line[0]]


def test_what_is_not_counted_is_what_the_class_has_beside_the_language_model():
    assert Model.of({"model_type": "gemma3"}).parts_list.not_counted == ("vision_config",), "the class adds it"
    assert Model.of({"model_type": "gemma4"}).parts_list.not_counted == (), "the class adds none of its own accord"
    both = {"model_type": "gemma4", "audio_config": {}, "vision_config": {}}
    assert Model.of(both).parts_list.not_counted == ("audio_config", "vision_config")
    assert Model.of(both | {"vision_config": None}).parts_list.not_counted == ("audio_config",)
    omni = Model.of({"model_type": "qwen2_5_omni"}).parts_list.not_counted
    assert set(omni) == {"talker_config", "token2wav_config", "thinker_config.audio_config", "thinker_config.vision_config"}


@pytest.mark.parametrize("model_type", ["llama", "gpt2", "deepseek_v3", "mpt", "dbrx", "git", "blt", "kimi_linear"])
def test_a_model_of_one_part_leaves_nothing_uncounted(model_type):
    """MPT and DBRX keep settings in fields that end in `_config`; GIT's and BLT's parts are all counted."""
    extra = {"quantization_config": {"bits": 4}, "generation_config": {"top_k": 1}}
    assert Model.of({"model_type": model_type, **extra}).parts_list.not_counted == ()


FIXTURES = Path(__file__).parents[1] / "fixtures" / "families"
NESTED = [
    record["config"]
    for path in sorted(FIXTURES.glob("*.json"))
    for record in json.loads(path.read_text(encoding="utf-8"))["records"]
    if any(isinstance(value, dict) for value in record["config"].values())
]


def counted(config):
    """All that a parts list says but the nested configs themselves."""
    parts_list = Model.of(config).parts_list
    sizes = {name: value for name, value in parts_list.sizes.items() if not isinstance(value, dict)}
    return parts_list.tensors, parts_list.assumed, sizes, parts_list.not_counted


@pytest.mark.parametrize("config", NESTED, ids=lambda config: config["model_type"])
def test_the_deciding_values_of_a_nested_config_alone_give_the_same_model(config):
    noise = {"rope_theta": 1e4, "torch_dtype": "bfloat16", "initializer_range": 0.02}

    def noisy(values):
        return {**noise, **{name: noisy(value) if isinstance(value, dict) else value for name, value in values.items()}}

    decided = Model.of(noisy(config)).deciding_values
    assert counted(decided) == counted(config)
    assert Model.of(decided).deciding_values == decided, "nothing is left to cut"
    assert not set(noise) & set(decided)


def test_types_of_the_facts_that_see_or_hear_are_declared():
    assert {"gemma3", "gemma4", "gemma4_unified", "mllama", "emu3", "phi4_multimodal", "got_ocr2"} <= FAMILIES.keys()


@pytest.mark.parametrize(
    ("model_type", "stored", "line"),
    [
        (
            "llava",
            "language_model.model.layers.3.self_attn.q_proj.weight",
            "model.language_model.layers.*.self_attn.q_proj.weight",
        ),
        ("llava", "language_model.lm_head.weight", "lm_head.weight"),
        ("gemma3", "language_model.model.norm.weight", "model.language_model.norm.weight"),
        ("qwen2_vl", "model.layers.3.mlp.up_proj.weight", "model.language_model.layers.*.mlp.up_proj.weight"),
        ("qwen2_5_omni", "thinker.model.layers.3.mlp.up_proj.weight", "thinker.model.language_model.layers.*.mlp.up_proj.weight"),
        ("mllama", "language_model.model.layers.3.cross_attn.q_norm.weight", "model.layers.*.cross_attn.q_norm.weight"),
        ("llava", "vision_tower.vision_model.encoder.layers.3.self_attn.q_proj.weight", None),
        ("qwen2_5_omni", "talker.model.layers.3.mlp.up_proj.weight", None),
        ("qwen2_vl", "visual.blocks.3.mlp.fc1.weight", None),
    ],
)
def test_a_checkpoints_names_are_found_though_they_are_those_of_another_version(model_type, stored, line):
    """Files written by transformers 4 name the modules around the language model otherwise than version 5 does."""
    place = Names(Model.of({"model_type": model_type}).parts_list).place(stored)
    assert (place and place.name) == line


class TestCommandLine:
    """`count` names what it does not count."""

    CONFIG = {"model_type": "llava", "text_config": LLAMA, "vision_config": VISION, "tie_word_embeddings": False}

    def printed(self, tmp_path, capsys, *options):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(self.CONFIG), encoding="utf-8")
        main(["count", str(path), *options])
        return capsys.readouterr().out

    def test_as_json(self, tmp_path, capsys):
        document = json.loads(self.printed(tmp_path, capsys, "--json"))
        assert document["not_counted"] == ["vision_config"]
        assert document["model_type"] == "llava"
        assert document["parameters"]["total"] == total(LLAMA | {"tie_word_embeddings": False})

    def test_in_words(self, tmp_path, capsys):
        [line] = [line for line in self.printed(tmp_path, capsys).splitlines() if line.startswith("not counted")]
        assert line.endswith(": vision_config")

    def test_a_model_of_one_part_says_nothing_of_it(self, capsys):
        main(["count", "llama-2-7b"])
        assert "not counted" not in capsys.readouterr().out
