"""A config.json of the reader's own, pasted, uploaded or in the address: counted, or refused by field in their language."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from qwen3_configs import QWEN3_0_6B

from calc.read_config import LIMIT_BYTES

from .screen import LANGUAGES, PUBLISHED, REPOSITORY, figures, is_chinese, messages, of_class, opened, total, words

QWEN3_0_6B_PARAMETERS = PUBLISHED["Qwen/Qwen3-0.6B"]["params_exact"]
QWEN3_0_6B_LAYER = 3 * 1024 * 2048 + 3 * 1024 * 3072 + 2 * 1024 + 2 * 128
"""q, o, and k and v together; gate, up, down; two norms on the vector and two on the heads."""

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "vocab_size": 32000,
}


def llama(**changed) -> str:
    """A llama config with some values changed."""
    return json.dumps(LLAMA | changed)


def without(*fields: str, **changed) -> str:
    """A llama config with some values changed and others left out."""
    return json.dumps({name: value for name, value in (LLAMA | changed).items() if name not in fields})


FAULTS = {
    # code: (what is pasted, what the message names)
    "empty": ("   \n", ["config.json"]),
    "too_large": ("x" * (LIMIT_BYTES + 1), ["2.0 MB"]),
    "not_json": ('{\n "hidden_size": 4096,,\n}', ["2", "22"]),
    "web_page": ("<!DOCTYPE html><html></html>", ["config.json"]),
    "too_deep": ("[" * 200_000, ["JSON"]),
    "number_too_long": ('{"model_type": "llama", "hidden_size": ' + "9" * 5_000 + "}", []),
    "not_an_object": ("[1, 2]", ["array", "{", "}"]),
    "repeated_key": ('{"model_type": "llama", "hidden_size": 1, "hidden_size": 2}', ["hidden_size", "1", "2"]),
    "two_names": ('{"model_type": "gpt2", "n_embd": 768, "hidden_size": 1024}', ["n_embd", "hidden_size", "768", "1024"]),
    "no_model_type": (without("model_type"), ["model_type"]),
    "no_model_type_but_architecture": (
        without("model_type", architectures=["Qwen3ForCausalLM"]),
        ["model_type", "Qwen3ForCausalLM", '"model_type": "qwen3"'],
    ),
    "model_type_not_text": (llama(model_type=7), ["model_type", "7"]),
    "unknown_model_type": (llama(model_type="xyzzy"), ["model_type", "xyzzy", "python -m calc types"]),
    "unknown_model_type_similar": (llama(model_type="lama"), ["model_type", "lama", "llama"]),
    "unknown_model_type_remote": (llama(model_type="xyzzy", auto_map={"AutoConfig": "x.Y"}), ["model_type", "xyzzy", "--like"]),
    "unknown_model_type_encoder": ('{"model_type": "albert"}', ["model_type", "albert", "--like"]),
    "unknown_model_type_encoder_decoder": ('{"model_type": "t5"}', ["model_type", "t5", "--like"]),
    "unknown_model_type_elsewhere": ('{"model_type": "clip"}', ["model_type", "clip", "--like"]),
    "wrapper_leaves_fields": (
        json.dumps({"model_type": "xyzzy", "text_config": LLAMA | {"num_memory_layers": 4}}),
        ["xyzzy", "llama", "text_config", "num_memory_layers"],
    ),
    "original_format_not_read": (
        '{"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 32000, "n_gates": 4}',
        ["params.json", "Meta", "n_gates"],
    ),
    "draft_not_described": (llama(architectures=["MedusaForCausalLM"]), ["architectures", "MedusaForCausalLM", "llama"]),
    "draft_layers": (llama(architectures=["LlamaForCausalLMEagle3"]), ["num_hidden_layers", "32"]),
    "head_not_described": (llama(architectures=["LlamaForRewardModel"]), ["architectures", "LlamaForRewardModel", "llama"]),
    "heads_do_not_fill": ('{"model_type": "mamba2", "hidden_size": 2048}', ["num_heads", "128", "head_dim", "64", "4096"]),
    "null": (llama(hidden_size=None), ["hidden_size", "null", "LlamaConfig"]),
    "null_flag": (llama(tie_word_embeddings=None), ["tie_word_embeddings", "null", "LlamaConfig"]),
    "not_a_number": (llama(vocab_size=float("nan")), ["vocab_size", "NaN"]),
    "not_an_integer": (llama(intermediate_size="11008"), ["intermediate_size", '"11008"']),
    "not_positive": (llama(num_hidden_layers=0), ["num_hidden_layers", "0"]),
    "not_among": (
        '{"model_type": "qwen3_next", "num_hidden_layers": 2, "layer_types": ["full_attention", "xyzzy"]}',
        ["layer_types", '"xyzzy"', "linear_attention"],
    ),
    "lists_differ": (
        '{"model_type": "reformer", "axial_pos_shape": [8, 8], "axial_pos_embds_dim": [64, 64, 128]}',
        ["axial_pos_embds_dim", "3", "axial_pos_shape", "2"],
    ),
    "not_one_a_layer": (
        '{"model_type": "qwen3_next", "num_hidden_layers": 2, "layer_types": ["full_attention"]}',
        ["layer_types", "1", "2"],
    ),
    "negative": ('{"model_type": "deepseek_v3", "first_k_dense_replace": -1}', ["first_k_dense_replace", "-1"]),
    "not_a_list": ('{"model_type": "qwen3_moe", "mlp_only_layers": "x"}', ["mlp_only_layers", '"x"']),
    "too_many_kinds": (
        json.dumps({"model_type": "gemma3n_text", "num_hidden_layers": 501, "intermediate_size": list(range(1, 502))}),
        ["intermediate_size", "501", "500"],
    ),
    "too_big": (llama(hidden_size=10**9), ["hidden_size", "1000000000", "1000000"]),
    "not_a_flag": (llama(tie_word_embeddings="no"), ["tie_word_embeddings", '"no"', "true", "false"]),
    "heads_do_not_divide": (llama(num_attention_heads=33), ["hidden_size", "4096", "num_attention_heads", "33", "head_dim"]),
    "heads_must_divide": ('{"model_type": "gpt2", "n_head": 7}', ["n_embd", "768", "n_head", "7"]),
    "kv_heads_do_not_divide": (llama(num_key_value_heads=5), ["num_attention_heads", "32", "num_key_value_heads", "5"]),
}
NOT_FROM_TEXT = {
    **dict.fromkeys(
        ("original_format", "draft_head", "no_output_head", "another_head", "class_of_other_type", "class_unknown"),
        "a remark beside a count: see the remarks",
    ),
    "mixing_not_described": "counting asks for no cache: see the page that shows it",
    "not_text": "only the bytes of a file can be no text: see the uploads",
    "missing": "every size of the families here has a default",
    **dict.fromkeys(("unknown_model", "unknown_model_similar", "unreadable_file", "not_a_file"), "the command line's"),
    **dict.fromkeys(("unknown_gpu", "unknown_gpu_similar", "gpu_without_peak"), "a GPU is chosen, not part of a config"),
}


def test_every_fault_a_config_can_have_has_a_case():
    readers = [REPOSITORY / folder for folder in ("calc", "calc/blocks", "calc/config", "calc/families")]
    sources = "".join(file.read_text(encoding="utf-8") for folder in readers for file in folder.glob("*.py"))
    raised = set(re.findall(r"""\bConfigError\(\s*["']([a-z_]+)["']""", sources))
    assert raised - NOT_FROM_TEXT.keys() == FAULTS.keys()


def paste(app, text):
    """The app after a text was pasted into the field."""
    return app.text_area(key="config_text").set_value(text).run()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_named_in_the_readers_language_and_the_text_stays(code, language):
    pasted, named = FAULTS[code]
    app = paste(opened(lang=language, model="config"), pasted)
    assert not app.exception
    [message] = messages(app)
    for name in named:
        assert name in message
    assert is_chinese(message) == (language == "zh")
    assert len(message) < (1500 if code.startswith("unknown_model_type") else 400), "a sentence, not a heap"
    assert app.text_area(key="config_text").value == pasted
    other = "en" if language == "zh" else "zh"
    app.segmented_control(key="language").set_value(other).run()
    app.run()
    [message] = messages(app)
    assert is_chinese(message) == (other == "zh"), "the switch changes the message"
    assert app.text_area(key="config_text").value == pasted, "and keeps what is wrong in the field"
    paste(app, json.dumps(QWEN3_0_6B))
    assert not messages(app) and total(app) == QWEN3_0_6B_PARAMETERS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("pasted", "named"),
    [
        (llama(intermidiate_size=8192), ["intermidiate_size"]),
        (without("intermediate_size", intermidiate_size=8192), ["intermidiate_size", "intermediate_size"]),
        (llama(architectures=["LlamaForSequenceClassification"]), ["LlamaForSequenceClassification", "llama"]),
        (llama(architectures=["LlamaModel"]), ["LlamaModel"]),
        (llama(architectures=["MistralForCausalLM"]), ["MistralForCausalLM", "mistral"]),
        (llama(architectures=["XyzzyForCausalLM"]), ["XyzzyForCausalLM", "LlamaForCausalLM"]),
        (llama(architectures=["LlamaForCausalLMEagle3"], num_hidden_layers=1), ["LlamaForCausalLMEagle3"]),
        ('{"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 32000}', ["params.json", "Meta", "llama"]),
    ],
)
def test_what_was_not_read_and_what_the_class_makes_of_it_is_said(pasted, named, language):
    app = paste(opened(lang=language, model="config"), pasted)
    assert not app.exception and not messages(app)
    captions = " ".join(caption.value for caption in app.caption).replace("\\", "")
    for name in named:
        assert name in captions


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_config_is_counted(language):
    app = paste(opened(lang=language, model="config"), json.dumps(QWEN3_0_6B, indent=2))
    assert not app.exception and not messages(app)
    assert total(app) == QWEN3_0_6B_PARAMETERS
    assert app.query_params["model"] == "config"


def test_the_field_begins_with_the_model_that_was_looked_at():
    app = opened(lang="en", model="llama-3-8b")
    app.pills(key="reference_model").set_value("config").run()
    assert total(app) == 8_030_261_248
    assert json.loads(app.text_area(key="config_text").value)["vocab_size"] == 128256


@pytest.mark.parametrize("text", [json.dumps(QWEN3_0_6B), '{"hidden_size": 4096,, oops'], ids=["counted", "with a fault"])
def test_a_look_at_another_model_does_not_cost_the_text(text):
    app = paste(opened(lang="en", model="config"), text)
    app.pills(key="reference_model").set_value("llama-2-7b").run()
    assert total(app) == 6_738_415_616
    app.pills(key="reference_model").set_value("config").run()
    assert app.text_area(key="config_text").value == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_config_does_not_say_is_listed(language):
    app = paste(opened(lang=language, model="config"), '{"model_type": "mistral"}')
    [assumed] = [box.value.replace("\\", "") for box in app.caption]
    for said in ("MistralConfig", "hidden_size = 4096", "num_key_value_heads = 8", "tie_word_embeddings = false"):
        assert said in assumed
    assert is_chinese(assumed) == (language == "zh")
    assert total(app) == 7_241_732_096


def test_nothing_is_listed_where_the_config_says_everything():
    app = paste(opened(lang="en", model="config"), json.dumps(QWEN3_0_6B))
    assert len(app.caption) == 0


class TestUpload:
    """A file instead of a paste."""

    def upload(self, app, content, name="config.json"):
        return app.file_uploader(key="config_file").set_value((name, content, "application/json")).run()

    @pytest.mark.parametrize(
        "content",
        [
            json.dumps(QWEN3_0_6B).encode(),
            b"\xef\xbb\xbf" + json.dumps(QWEN3_0_6B).encode(),
            json.dumps(QWEN3_0_6B).encode("utf-16"),
        ],
        ids=["utf-8", "byte-order mark", "utf-16"],
    )
    def test_it_is_put_into_the_field_and_counted(self, content):
        app = self.upload(opened(lang="en", model="config"), content)
        assert not messages(app) and total(app) == QWEN3_0_6B_PARAMETERS
        assert json.loads(app.text_area(key="config_text").value) == QWEN3_0_6B

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        ("content", "named"),
        [(b"PK\x03\x04\xff\xff" + bytes(100), "UTF-8"), (b"", "config.json"), (b"x" * (LIMIT_BYTES + 1), "2.0 MB")],
        ids=["binary", "empty", "large"],
    )
    def test_a_wrong_file_is_refused_and_the_text_stays(self, content, named, language):
        app = paste(opened(lang=language, model="config"), json.dumps(QWEN3_0_6B))
        self.upload(app, content)
        assert not app.exception
        [message] = messages(app)
        assert named in message and is_chinese(message) == (language == "zh")
        assert json.loads(app.text_area(key="config_text").value) == QWEN3_0_6B
        assert total(app) == QWEN3_0_6B_PARAMETERS

    def test_typing_on_after_a_wrong_file_takes_its_message_away(self):
        app = self.upload(opened(lang="en", model="config"), b"PK\x03\x04\xff\xff")
        assert len(messages(app)) == 1
        paste(app, json.dumps(QWEN3_0_6B))
        assert messages(app) == []


def squeezed(content: bytes) -> str:
    """What stands in the address for a text, made without the app's own code."""
    return base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")


class TestAddress:
    """What is typed stands in the address, and opens elsewhere."""

    def elsewhere(self, app):
        return opened(**{name: app.query_params[name] for name in app.query_params})

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_it_opens_elsewhere_with_everything_that_was_chosen(self, language):
        app = paste(opened(lang=language, model="config", num_hidden_layers="29"), json.dumps(QWEN3_0_6B))
        app.number_input(key="what_if_num_hidden_layers").set_value(30).run()
        app.selectbox(key="tensor").set_value("model.layers.*.self_attn.q_norm.weight").run()
        other = self.elsewhere(app)
        assert not other.exception and not messages(other)
        assert total(other) == total(app) == QWEN3_0_6B_PARAMETERS + 2 * QWEN3_0_6B_LAYER
        assert other.query_params["tensor"] == "model.layers.*.self_attn.q_norm.weight"
        assert other.query_params["lang"] == language
        values = json.loads(other.text_area(key="config_text").value)
        assert values["model_type"] == "qwen3" and values["head_dim"] == 128 and values["num_hidden_layers"] == 28

    @pytest.mark.parametrize("code", [code for code in FAULTS if code not in ("too_large", "too_deep", "empty")])
    def test_a_text_with_a_fault_opens_elsewhere_as_it_was_typed(self, code):
        app = paste(opened(lang="en", model="config"), FAULTS[code][0])
        other = self.elsewhere(app)
        assert other.text_area(key="config_text").value.split() == FAULTS[code][0].split() or json.loads(
            other.text_area(key="config_text").value
        ) == json.loads(FAULTS[code][0])
        assert messages(other) == messages(app)

    @pytest.mark.parametrize(
        "config",
        [
            "",
            "abc",
            "====",
            "x" * 7_999,
            "中文",
            "\x00",
            "<script>alert(1)</script>",
            base64.urlsafe_b64encode(b"not compressed").decode(),
            squeezed(b"\xff\xfe\xfd"),
            squeezed(b" " * (LIMIT_BYTES + 10)),
            squeezed(b"[" * 100_000),
            squeezed(b"x" * (LIMIT_BYTES - 10)),
            squeezed(b'{"model_type": "llama", "hidden_size": 1e400}'),
            squeezed(b'"' + b"\\ud800" * 10 + b'"'),
            squeezed(b'{"model_type": "<img src=x onerror=alert(1)>"}'),
        ],
    )
    def test_a_hostile_config_neither_breaks_the_page_nor_gets_into_it(self, config):
        app = opened(lang="zh", model="config", config=config)
        assert not app.exception
        assert len(messages(app)) == 1 or total(app) == 6_738_415_616
        assert all(is_chinese(message) for message in messages(app))
        assert "<img" not in "".join(piece.value for piece in app.html)
        assert total(paste(app, json.dumps(QWEN3_0_6B))) == QWEN3_0_6B_PARAMETERS


def test_a_config_that_unpacks_beyond_the_limit_is_not_shown_cut_off():
    app = opened(lang="en", model="config", config=squeezed(b'{"model_type": "gpt2"}' + b" " * LIMIT_BYTES))
    assert total(app) == 6_738_415_616, "the field begins as it does without an address"


@pytest.mark.parametrize("changes", [{"num_attention_heads": 100_000, "num_key_value_heads": 50_000}, {"hidden_size": 1_000_000}])
def test_absurd_but_countable_sizes_are_drawn_in_a_picture_of_bounded_size(changes):
    """100,000 heads are no reason to send a phone ten megabytes of stripes."""
    config = LLAMA | {"hidden_size": 100_000, "head_dim": 128} | changes
    app = paste(opened(lang="en", model="config"), json.dumps(config))
    assert not app.exception and not messages(app)
    [picture] = app.get("bidi_component")
    assert picture.proto.ByteSize() < 300_000


def test_a_name_of_the_readers_own_is_text_on_the_page():
    """A model_type cannot be counted unless it is known, but its message shows it."""
    app = paste(opened(lang="en", model="config"), json.dumps({"model_type": "<b>*x*</b>[a](http://b)"}))
    [box] = app.error
    assert "<b>" not in box.value and "*x*" not in box.value.replace("\\*", "")
    assert "<b>*x*</b>[a](http://b)" in messages(app)[0].replace("\u2060", "")
    assert of_class(figures(app), "headline") == [] and words(figures(app)) == ""
