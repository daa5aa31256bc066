"""The page of real files without a browser: what it asks, what it shows, and what it holds a file against."""

from __future__ import annotations

import pytest
from checkpoint import deepseek_v3
from checkpoint.hub_server import Repository
from checkpoint.llama_shapes import CONFIG, gptq, llama
from checkpoint.test_reconcile import as_stored
from checkpoint.writing import gguf_head, safetensors_head

from calc.model import Model
from ui.texts import TEXTS

from .checkpoint_page import (  # noqa: F401  hub_on_loopback and page_first are fixtures
    LLAMA_2_7B,
    LLAMA_2_7B_FOUND,
    MIRROR,
    captions,
    causes,
    choose,
    headline,
    hub_on_loopback,
    lists,
    opened,
    page_first,
    read,
    sharded,
    upload,
)
from .screen import LANGUAGES, figures, is_chinese, messages, of_class, whole_number, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_fills_the_fields_and_asks_nobody(hub, language):
    app = opened(lang=language, source="org/name", revision="v1.0", model="gpt2")
    assert (app.text_input(key="source").value, app.text_input(key="revision").value) == ("org/name", "v1.0")
    assert not of_class(figures(app), "ledger") and hub.asked == []
    app.run()
    assert hub.asked == [] and (app.query_params["source"], app.query_params["revision"]) == ("org/name", "v1.0")


def test_a_link_of_nonsense_is_a_field_of_nonsense(hub):
    app = opened(lang="en", source="x" * 8_000, revision="\0" * 100, against="xyzzy", **{"from": "xyzzy"})
    assert len(app.text_input(key="source").value) == 1_000 and hub.asked == []
    assert len(messages(read(app))) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_llama_2_7b_to_the_last_element(hub, language):
    app = read(opened(lang=language, model="llama-2-7b"), MIRROR)
    assert headline(app) == {"expected": LLAMA_2_7B, "found": LLAMA_2_7B_FOUND, "gap": 2048}
    assert causes(figures(app)) == {"inv_freq": 2048}
    page = figures(app)
    assert len(of_class(page, "agrees")) == 3, "the verdict, the matches, the Hub's total"
    assert is_chinese(words(of_class(page, "agrees")[0])) == (language == "zh")
    assert any("6,738,417,664" in words(check) for check in of_class(page, "agrees"))
    [read_of] = of_class(page, "read")
    assert f"{hub.sent / 1000:.2f} KB" in words(read_of) and "13.48 GB" in words(read_of) and "0.0005%" in words(read_of)
    rows = lists(page)
    assert rows["missing"] is None and rows["shape"] is None
    [[name, cause, shape, copies, elements_]] = rows["extra"]
    assert (name, shape, copies, elements_) == ("model.layers.*.self_attn.rotary_emb.inv_freq", "64", "32", "2,048")
    assert is_chinese(cause) == (language == "zh")
    assert sum(whole_number(row[-1]) for row in rows["matched"]) == LLAMA_2_7B
    assert sum(whole_number(row[-2]) for row in rows["matched"]) == 291
    assert ["F16", "291", "6,738,415,616", "13.48 GB"] in [[words(cell) for cell in row.iter("td")] for row in page.iter("tr")]


def test_deepseek_v3(hub):
    """684,531,386,000 = 671,026,404,352 + 13,463,426,304 + 41,540,496 + 14,848, as published."""
    hub.repositories["deepseek-ai/DeepSeek-V3"] = sharded(deepseek_v3.checkpoint(), deepseek_v3.CONFIG, 5)
    app = read(opened(lang="en", model="deepseek-v3"))
    assert headline(app) == {"expected": 671_026_404_352, "found": 684_531_386_000, "gap": 13_504_981_648}
    assert causes(figures(app)) == {"mtp": 13_463_426_304, "scales_and_zeros": 41_540_496, "router_correction": 14_848}
    assert "fp8" in words(of_class(figures(app), "packings")[0]) and len(of_class(figures(app), "agrees")) == 3


def test_another_model_is_held_against_its_own_config(hub):
    hub.repositories["org/quantized"] = sharded(llama(gptq), CONFIG)
    app = read(opened(lang="en", model="llama-2-7b"), "org/quantized")
    assert app.segmented_control(key="against").value == "own"
    assert headline(app)["expected"] == 8_030_261_248
    assert causes(figures(app)) == {"scales_and_zeros": 61_341_696, "dummy_bias": 1_376_256, "packing_tables": 1_245_184}
    assert "vocab_size 32,000 → 128,256" in captions(app) and "num_key_value_heads 32 → 8" in captions(app)
    choose(app, "against", "model")
    assert headline(app)["expected"] == LLAMA_2_7B and "shape_differs" in causes(figures(app))
    assert not of_class(of_class(figures(app), "figures")[0], "agrees")
    assert app.query_params["against"] == "model"
    choose(app, "against", "none")
    rows = lists(figures(app))["held"]
    assert not of_class(figures(app), "ledger") and sum(whole_number(row[-1]) for row in rows) == 8_030_261_248 + 1_376_256


def test_the_chosen_model_is_what_its_own_file_is_held_against(hub):
    app = read(opened(lang="en", model="gpt2"))
    assert app.segmented_control(key="against").value == "model"
    assert causes(figures(app)) == {"causal_mask": 12_582_912}
    app.pills(key="reference_model").set_value("llama-2-7b").run()
    assert app.segmented_control(key="against").value == "own", "the file is still GPT-2's"
    assert causes(figures(app)) == {"causal_mask": 12_582_912} and "model_type llama → gpt2" in captions(app)


def test_what_if_is_held_against_the_file_too(hub):
    app = read(opened(lang="en", model="gpt2", num_hidden_layers="11"))
    layer = 7_087_872
    assert headline(app)["expected"] == 124_439_808 - layer
    assert causes(figures(app))["more_layers"] >= layer


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("config", [b'{"model_type": "xyzzy"}', None], ids=["an unknown type", "no config"])
def test_what_the_file_holds_is_shown_without_a_guess(hub, language, config):
    files = {
        "model.safetensors": safetensors_head(
            {f"blocks.{i}.mix.weight": ("BF16", (512, 256)) for i in range(24)} | {"head.weight": ("F32", (9, 4))}
        )
    }
    hub.repositories["org/strange"] = Repository(files | ({"config.json": config} if config else {}))
    app = read(opened(lang=language, model="gpt2"), "org/strange")
    if config:
        assert "xyzzy" in captions(app) and app.segmented_control(key="against").options == [
            TEXTS["checkpoint.against_model"][language].format(title="GPT-2"),
            TEXTS["checkpoint.against_none"][language],
        ]
    else:
        assert headline(app)["expected"] == 124_439_808 and "0%" in words(of_class(figures(app), "figures")[0])
        app.segmented_control(key="language").set_value("en").run()
        choose(app, "against", "none")
        app.segmented_control(key="language").set_value(language).run()
    [total] = [element for element in figures(app).iter() if element.get("data-found")]
    assert int(total.get("data-found")) == whole_number(words(total)) == 24 * 512 * 256 + 36
    assert lists(figures(app))["held"] == [
        ["blocks.*.mix.weight", "512 × 256", "24", "131,072", "3,145,728"],
        ["head.weight", "9 × 4", "1", "36", "36"],
    ]


def test_an_own_config_that_cannot_be_counted_does_not_hide_the_file(hub):
    app = read(opened(lang="en", model="config"), "openai-community/gpt2")
    app.text_area(key="config_text").set_value('{"model_type": "llama", "hidden_size": 0}').run()
    assert "hidden_size" in messages(app)[0] and app.segmented_control(key="against").value == "own"
    assert causes(figures(app)) == {"causal_mask": 12_582_912}


@pytest.mark.parametrize(
    "source",
    [
        "https://huggingface.co/openai-community/gpt2/blob/main/model.safetensors",
        "https://hf-mirror.com/openai-community/gpt2",
        "openai-community/gpt2@refs/pr/1",
    ],
)
def test_a_whole_address_may_be_pasted(hub, source):
    assert headline(read(opened(lang="en", model="gpt2"), source))["gap"] == 12_582_912


def test_a_revision_is_asked_for(hub):
    app = read(opened(lang="en", model="gpt2", revision="refs/pr/1"))
    assert headline(app)["gap"] == 12_582_912 and any("refs/pr/1" in path for path, _, _ in hub.asked)
    app.text_input(key="revision").set_value("none").run()
    read(app)
    assert "@none" in messages(app)[0]


def test_a_gated_model_has_its_open_copy_offered(hub):
    app = opened(lang="en", model="llama-2-7b")
    assert app.text_input(key="source").value == "meta-llama/Llama-2-7b-hf"
    app.button(key="use_mirror").click().run()
    assert app.text_input(key="source").value == MIRROR and hub.asked == []
    assert headline(read(app))["gap"] == 2048
    assert app.segmented_control(key="against").value == "model", "the copy is of the model that is shown"


def test_the_field_follows_the_model_until_it_is_written_in(hub):
    app = opened(lang="en", model="gpt2")
    app.pills(key="reference_model").set_value("tinyllama-1.1b").run()
    assert app.text_input(key="source").value == "TinyLlama/TinyLlama-1.1B-Chat-v1.0" and "source" not in app.query_params
    app.text_input(key="source").set_value("org/mine").run()
    app.pills(key="reference_model").set_value("gpt2").run()
    assert app.text_input(key="source").value == "org/mine" and app.query_params["source"] == "org/mine"
    choose(app, "from", "upload")
    choose(app, "from", "hub")
    assert app.text_input(key="source").value == "org/mine"


class TestUploads:
    def test_a_small_file_whole(self, hub):
        tensors = as_stored(Model.of("gpt2").parts_list, "F16")
        head, _ = safetensors_head(tensors)
        app = upload(opened(lang="en", model="gpt2", **{"from": "upload"}), ("gpt2.safetensors", head + b"\0" * 99))
        assert headline(app) == {"expected": 124_439_808, "found": 124_439_808, "gap": 0}
        assert causes(figures(app)) == {} and hub.asked == []
        assert f"{len(head) / 1000:.2f} KB" in words(of_class(figures(app), "read")[0])

    def test_shards_with_index_and_config(self):
        files = sharded(llama(gptq), CONFIG, 3).files
        contents = [(name, file[0] if isinstance(file, tuple) else file) for name, file in files.items()]
        app = upload(opened(lang="zh", **{"from": "upload"}), *contents)
        assert app.segmented_control(key="against").value == "own" and headline(app)["found"] == 8_094_224_384

    def test_a_gguf(self):
        tensors = {
            name: ("F16" if len(shape) > 1 else "F32", shape)
            for name, (_, shape) in as_stored(Model.of("tinyllama-1.1b").parts_list).items()
        }
        head, _ = gguf_head(tensors, {"general.architecture": "llama"})
        app = upload(opened(lang="en", model="tinyllama-1.1b", **{"from": "upload"}), ("m.gguf", head))
        assert headline(app)["gap"] == 0

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_file_that_is_wrong_leaves_the_last_result(self, language):
        head, _ = safetensors_head(as_stored(Model.of("gpt2").parts_list, "F16"))
        app = upload(opened(lang=language, model="gpt2", **{"from": "upload"}), ("good.safetensors", head))
        for name, content in (
            ("cut.safetensors", head[:100]),
            ("photo.safetensors", b"\x89PNG\r\n\x1a\n" * 9),
            ("config.json", b"{}"),
        ):
            upload(app, (name, content))
            [message] = messages(app)
            assert is_chinese(message) == (language == "zh") and "good.safetensors" in captions(app)
            assert headline(app)["gap"] == 0
        app.run()
        assert len(messages(app)) == 1, "it stays"
        upload(app, ("good.safetensors", head))
        assert messages(app) == []

    def test_a_packing_nobody_explains_leaves_the_headers_own_figures(self):
        head, _ = safetensors_head({"a.qweight": ("I32", (7, 5)), "a.scales": ("F16", (1, 5))})
        app = upload(opened(lang="en", **{"from": "upload"}), ("packed.safetensors", head))
        assert "a.qweight" in messages(app)[0] and of_class(figures(app), "file-card")
