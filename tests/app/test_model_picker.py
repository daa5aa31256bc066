"""The model picker: models of the Hub, read by the real client from a server on loopback, and recently used ones."""

from __future__ import annotations

import json

import pytest
from checkpoint.hub_server import Repository, turn_the_client_here
from huggingface_hub import constants
from qwen3_configs import QWEN3_0_6B, QWEN3_8B, QWEN3_8B_PARAMETERS
from streamlit.testing.v1 import AppTest

from calc.catalogue import catalogue
from calc.hub import requests as hub_requests
from calc.model import Model
from ui.model.config_address import packed, packed_text
from ui.model.recent import MAX_RECENT, Recents
from ui.model.selection import HUB_WORDS, OwnConfig

from .screen import LANGUAGES, is_chinese, messages, opened, total
from .test_own_config import QWEN3_0_6B_PARAMETERS, paste, squeezed

LLAMA_2_7B, LLAMA_3_8B = 6_738_415_616, 8_030_261_248
LLAMA_3_8B_CONFIG = dict(catalogue()["llama-3-8b"].config)


def repository(config, downloads=0, token=None, **files):
    """A model with this config.json; None for one without."""
    return Repository({} if config is None else {"config.json": json.dumps(config).encode()}, token, downloads)


@pytest.fixture
def hub(monkeypatch, request):
    """The server, with the client library turned to it, and a few models on it."""
    running = turn_the_client_here(monkeypatch, request)
    running.repositories |= {
        "org/Qwen3-8B": repository(QWEN3_8B, 3_456_789),
        "org/Qwen3-8B-FP8": repository(QWEN3_8B, 45_678),
        "org/same-as-llama-3-8b": repository(LLAMA_3_8B_CONFIG, 7),
        "org/strange": repository({"model_type": "xyzzy"}, 1),
        "org/no-config": Repository({"m.gguf": b"GGUF"}),
        "org/gated": repository(QWEN3_8B, 9, token="hf_secret"),
        "someone/gated-copy": repository(QWEN3_8B, 8),
        "meta-llama/Llama-3.1-8B": repository(LLAMA_3_8B_CONFIG, 9, token="hf_secret"),
        "NousResearch/Meta-Llama-3.1-8B": repository(LLAMA_3_8B_CONFIG, 2),
        "org/sees": repository({"model_type": "llava", "text_config": LLAMA_3_8B_CONFIG, "vision_config": {"hidden_size": 1024}}),
    }
    return running


def hub_opened(language="en", **query):
    """The app with the field for a model of the Hub."""
    app = opened(lang=language, **query)
    return app.pills(key="reference_model").set_value("hub").run()


def ask(app, words):
    """The app after words were typed and sent."""
    app.text_input(key=HUB_WORDS).set_value(words)
    [button] = [button for button in app.button if "hub" in button.form_id]
    return button.click().run()


def offered(app, key):
    """The models a row of suggestions offers, by their labels."""
    rows = [row for row in app.pills if row.key == key]
    return [label.replace("\\", "") for label in rows[0].options] if rows else []


def said(app):
    """The captions of the page, without the signs that keep Markdown from reading them."""
    return " ".join(box.value.replace("\\", "") for box in app.caption)


def paths(hub):
    """What the server was asked for."""
    return [path for path, _, _ in hub.asked]


class TestReading:
    """An id or an address is read and taken apart at once."""

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        ("typed", "title"),
        [
            ("org/Qwen3-8B", "org/Qwen3-8B"),
            ("  https://huggingface.co/org/Qwen3-8B/tree/main \n", "org/Qwen3-8B"),
            ("https://hf.co/org/Qwen3-8B/blob/refs%2Fpr%2F1/config.json", "org/Qwen3-8B@refs/pr/1"),
            ("org/Qwen3-8B@refs/pr/1", "org/Qwen3-8B@refs/pr/1"),
        ],
    )
    def test_an_id_or_address_is_taken_apart_at_once(self, typed, title, language, hub):
        app = ask(hub_opened(language), typed)
        assert not app.exception and not messages(app)
        assert total(app) == QWEN3_8B_PARAMETERS
        assert (app.query_params["model"], app.query_params["hub"]) == ("hub", title)
        assert app.pills(key="reference_model").value == "hub"
        assert sum("/resolve/" in path for path in paths(hub)) == 1 and hub.searches == []

    def test_an_address_of_the_mirror_in_use_counts_too(self, hub):
        app = ask(hub_opened(), f"{hub.url}/org/Qwen3-8B")
        assert total(app) == QWEN3_8B_PARAMETERS

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_link_restores_the_page_without_asking_the_hub(self, language, hub):
        app = ask(hub_opened(language), "org/Qwen3-8B")
        app.selectbox(key="tensor").set_value("model.layers.*.self_attn.q_norm.weight").run()
        hub.asked.clear()
        other = opened(**{name: app.query_params[name] for name in app.query_params})
        other.run()
        assert not other.exception and not messages(other)
        assert total(other) == QWEN3_8B_PARAMETERS and hub.asked == []
        assert dict(other.query_params) == dict(app.query_params)
        assert other.text_input(key=HUB_WORDS).value == "org/Qwen3-8B"

    def test_neither_a_rerun_nor_another_language_asks_again(self, hub):
        app = ask(hub_opened(), "org/Qwen3-8B")
        asked = paths(hub)
        for language in ("zh", "en"):
            app.segmented_control(key="language").set_value(language).run()
            app.run()
            assert total(app) == QWEN3_8B_PARAMETERS
            assert app.text_input(key=HUB_WORDS).value == "org/Qwen3-8B"
        assert paths(hub) == asked

    def test_typing_without_sending_asks_nothing(self, hub):
        app = hub_opened()
        app.text_input(key=HUB_WORDS).set_value("org/Qwen3-8B").run()
        app.run()
        assert hub.asked == [] and total(app) == LLAMA_2_7B
        ask(app, "   ")
        assert hub.asked == [] and not messages(app)

    def test_the_same_is_asked_once_for_everybody(self, hub):
        for _ in range(3):
            assert total(ask(hub_opened(), "org/Qwen3-8B")) == QWEN3_8B_PARAMETERS
        assert sum("/resolve/" in path for path in paths(hub)) == 1

    @pytest.mark.parametrize("typed", ["Qwen/Qwen3-0.6B", "qwen3-0.6b", "https://huggingface.co/Qwen/Qwen3-0.6B"])
    def test_a_model_of_the_catalogue_needs_no_hub(self, typed, hub):
        app = ask(hub_opened(), typed)
        assert (total(app), app.query_params["model"]) == (QWEN3_0_6B_PARAMETERS, "qwen3-0.6b")
        assert "hub" not in app.query_params and hub.asked == []

    def test_what_its_config_leaves_out_is_listed(self, hub):
        hub.repositories["org/bare"] = repository({"model_type": "mistral"})
        app = ask(hub_opened("zh"), "org/bare")
        assert "MistralConfig" in said(app) and "num_key_value_heads = 8" in said(app)

    @pytest.mark.parametrize(("language", "words"), [("en", "not counted: vision_config"), ("zh", "没有计入：vision_config")])
    def test_what_is_no_part_of_the_language_model_is_named(self, language, words, hub):
        app = ask(hub_opened(language), "org/sees")
        assert total(app) == LLAMA_3_8B and words in said(app)
        other = opened(**{name: app.query_params[name] for name in app.query_params})
        assert total(other) == LLAMA_3_8B and words in said(other)

    def test_what_if_changes_are_against_the_hubs_model_and_stand_in_the_link(self, hub):
        app = ask(hub_opened(num_hidden_layers="33"), "org/Qwen3-8B")
        assert total(app) == QWEN3_8B_PARAMETERS, "without the changes made to the last model"
        app.query_params["num_hidden_layers"] = "37"
        other = opened(**{name: app.query_params[name] for name in app.query_params})
        assert total(other) > QWEN3_8B_PARAMETERS and other.query_params["hub"] == "org/Qwen3-8B"


class TestSuggestions:
    """Words, and ids that are not there, bring models to click on."""

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_words_are_looked_up_and_a_click_takes_the_model_apart(self, language, hub):
        app = ask(hub_opened(language), "qwen3 8b")
        assert total(app) == LLAMA_2_7B and not messages(app), "the model that was shown stays"
        assert offered(app, "hub_found") == ["org/Qwen3-8B · 3.5M", "org/Qwen3-8B-FP8 · 45.7K"]
        assert app.text_input(key=HUB_WORDS).value == "qwen3 8b"
        assert is_chinese(said(app)) == (language == "zh")
        app.pills(key="hub_found").set_value("org/Qwen3-8B-FP8").run()
        assert (total(app), app.query_params["hub"]) == (QWEN3_8B_PARAMETERS, "org/Qwen3-8B-FP8")
        assert app.text_input(key=HUB_WORDS).value == "org/Qwen3-8B-FP8"
        assert offered(app, "hub_found") == []

    def test_similar_models_of_the_catalogue_are_offered_too(self, hub):
        app = ask(hub_opened(), "deepseek v3")
        assert offered(app, "hub_similar") == ["DeepSeek-V3", "DeepSeek-V3.1"]
        app.pills(key="hub_similar").set_value("deepseek-v3").run()
        assert app.query_params["model"] == "deepseek-v3" and total(app) == catalogue()["deepseek-v3"].parameters

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_nothing_found_is_said(self, language, hub):
        app = ask(hub_opened(language), "no such *words*")
        assert "no such *words*" in said(app) and hub.url in said(app)
        assert not messages(app) and total(app) == LLAMA_2_7B

    def test_an_id_that_is_not_there_brings_what_may_have_been_meant(self, hub):
        app = ask(hub_opened(), "Org/Qwen3-8B")
        [message] = messages(app)
        assert "Org/Qwen3-8B" in message
        assert offered(app, "hub_found") == ["org/Qwen3-8B · 3.5M", "org/Qwen3-8B-FP8 · 45.7K"]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_gated_model_brings_open_ones(self, language, hub):
        app = ask(hub_opened(language), "org/gated")
        [message] = messages(app)
        assert "org/gated" in message and is_chinese(message) == (language == "zh")
        assert offered(app, "hub_found") == ["someone/gated-copy · 8"]
        app = ask(app, "meta-llama/Llama-3.1-8B@refs/pr/1")
        assert offered(app, "hub_found") == ["NousResearch/Meta-Llama-3.1-8B"]
        app.pills(key="hub_found").set_value("NousResearch/Meta-Llama-3.1-8B").run()
        assert total(app) == LLAMA_3_8B

    def test_a_gated_model_is_marked_as_such(self, hub):
        assert "org/gated · 9 · gated" in offered(ask(hub_opened("en"), "gated"), "hub_found")
        assert "org/gated · 9 · 需授权" in offered(ask(hub_opened("zh"), "gated"), "hub_found")

    def test_a_visitor_does_not_ask_with_the_machines_token(self, hub, monkeypatch):
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        monkeypatch.setenv("LLM_PARTS_SHARED", "1")
        app = ask(hub_opened(), "org/gated")
        assert len(messages(app)) == 1 and {token for _, _, token in hub.asked} == {None}
        monkeypatch.setenv("LLM_PARTS_SHARE_TOKEN", "1")
        assert total(ask(app, "org/gated")) == QWEN3_8B_PARAMETERS


FAILING = ["401", "403", "404", "429", "500", "503", "cut short", "no protocol", "round and round", "stall", "another answer"]


class TestFailures:
    """One line, what was shown stays, what was typed stays."""

    @pytest.mark.parametrize("typed", ["org/Qwen3-8B", "qwen3 8b"])
    @pytest.mark.parametrize("fault", FAILING)
    def test_a_hub_that_fails(self, fault, typed, hub, monkeypatch):
        monkeypatch.setattr(hub_requests, "STALL_SECONDS", 0.3)
        language = LANGUAGES[FAILING.index(fault) % 2]
        app = ask(hub_opened(language, model="llama-3-8b"), "org/same-as-llama-3-8b")
        hub.fault, hub.answer = fault, b"[" * 5_000
        ask(app, typed)
        assert not app.exception
        [message] = messages(app)
        assert is_chinese(message) == (language == "zh") and len(message.splitlines()) == 1
        assert total(app) == LLAMA_3_8B and app.query_params["hub"] == "org/same-as-llama-3-8b"
        assert app.text_input(key=HUB_WORDS).value == typed
        assert "org/same-as-llama-3-8b" in said(app), "it is said what stays below"
        asked = paths(hub)
        other = "en" if language == "zh" else "zh"
        app.segmented_control(key="language").set_value(other).run()
        app.run()
        [message] = messages(app)
        assert is_chinese(message) == (other == "zh") and app.text_input(key=HUB_WORDS).value == typed
        ask(app, typed)
        assert len(messages(app)) == 1 and paths(hub) == asked, "for a minute it is not asked again"

    def test_similar_models_of_the_catalogue_need_no_hub(self, hub):
        hub.fault = "503"
        app = ask(hub_opened(), "mistral 7b")
        assert len(messages(app)) == 1
        assert offered(app, "hub_similar") == ["Mistral-7B v0.3", "Mistral-7B v0.1"]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_offline(self, language, hub, monkeypatch):
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        for typed in ("qwen3 8b", "org/not-kept-here"):
            app = ask(hub_opened(language), typed)
            [message] = messages(app)
            assert "HF_HUB_OFFLINE" in message and is_chinese(message) == (language == "zh")
        assert hub.asked == []

    @pytest.mark.parametrize("typed", ["https://example.org/a/b", "https://huggingface.co/datasets/a/b", "ftp://[", "hf://"])
    def test_an_address_of_another_place(self, typed, hub):
        app = ask(hub_opened(), typed)
        assert not app.exception and len(messages(app)) <= 1
        assert total(app) == LLAMA_2_7B and app.text_input(key=HUB_WORDS).value == typed
        assert not any("/resolve/" in path for path in paths(hub))

    @pytest.mark.parametrize(
        "config",
        [b"", b"[1]", b"{", b"\xff\xfe\xfd", b"[" * 100_000, b"x" * 2_000_001, b'{"model_type": "llama", "hidden_size": 0}'],
    )
    def test_a_config_that_is_none(self, config, hub):
        hub.repositories["org/broken"] = Repository({"config.json": config})
        app = ask(hub_opened(), "org/broken")
        assert not app.exception and len(messages(app)) == 1 and total(app) == LLAMA_2_7B

    @pytest.mark.parametrize(("language", "begins"), [("en", "See what the weights"), ("zh", "改看")])
    @pytest.mark.parametrize(("model", "named"), [("org/strange", "xyzzy"), ("org/no-config", "config.json")])
    def test_what_cannot_be_counted_is_refused_with_what_can_be_done(self, model, named, language, begins, hub):
        """Never a guess: its weights' header is read on the page for that, where the model stands in the field."""
        app = ask(hub_opened(language), model)
        [message] = messages(app)
        assert named in message and "python -m calc count --checkpoint" in message
        button = app.button(key="hub_read_checkpoint")
        assert model in button.label.replace("\\", "") and button.label.startswith(begins)
        assert total(app) == LLAMA_2_7B
        button.click().run()
        assert not app.exception
        assert app.text_input(key="source").value == model


class TestAddresses:
    """What an address may hold."""

    @pytest.mark.parametrize(
        "query",
        [
            {},
            {"hub": "org/Qwen3-8B"},
            {"hub": "org/Qwen3-8B", "config": "x"},
            {"config": packed(Model(QWEN3_8B))},
            {"hub": "../../x", "config": packed(Model(QWEN3_8B))},
            {"hub": "<b>x</b>/y", "config": packed(Model(QWEN3_8B))},
            {"hub": "https://huggingface.co/a/b", "config": packed(Model(QWEN3_8B))},
            {"hub": "a/b", "config": packed_text('{"model_type": "xyzzy"}')},
            {"hub": "a/b", "config": squeezed(b"[" * 100_000)},
            {"hub": "\0", "config": "\0"},
            {"hub": "x" * 7_999, "config": "x" * 7_999},
        ],
    )
    def test_one_without_a_model_opens_the_field_and_asks_nothing(self, query, hub):
        app = opened(lang="en", model="hub", **query)
        assert not app.exception and hub.asked == []
        assert total(app) == LLAMA_2_7B and app.pills(key="reference_model").value == "hub"
        words = app.text_input(key=HUB_WORDS).value
        assert words == {"https://huggingface.co/a/b": "a/b", "org/Qwen3-8B": "org/Qwen3-8B", "a/b": "a/b"}.get(
            query.get("hub"), ""
        )

    def test_a_config_too_long_for_a_link_leaves_the_id_in_the_field(self, hub):
        config = QWEN3_8B | {"layer_types": [f"{number:x}" * 9 for number in range(2_000)]}
        hub.repositories["org/long"] = repository(config)
        app = ask(hub_opened(), "org/long")
        assert total(app) == QWEN3_8B_PARAMETERS
        link = {name: app.query_params[name] for name in app.query_params}
        link.pop("config", None)
        other = opened(**link)
        assert other.text_input(key=HUB_WORDS).value == "org/long" and total(other) == LLAMA_2_7B


class TestGoingOn:
    """From a model of the Hub to others and back."""

    def test_the_pill_of_the_model_that_is_shown_closes_the_field(self, hub):
        app = hub_opened(model="llama-3-8b")
        assert "Llama-3-8B" in said(app)
        app.pills(key="reference_model").set_value("llama-3-8b").run()
        assert total(app) == LLAMA_3_8B and not [field for field in app.text_input if field.key == HUB_WORDS]

    def test_the_hubs_model_comes_back_by_its_pill_without_being_asked_for(self, hub):
        app = ask(hub_opened(), "org/Qwen3-8B")
        hub.asked.clear()
        app.pills(key="reference_model").set_value("gpt2").run()
        assert total(app) == 124_439_808 and "config" not in app.query_params and "hub" not in app.query_params
        app.pills(key="reference_model").set_value("hub").run()
        assert total(app) == QWEN3_8B_PARAMETERS and hub.asked == []

    def test_its_config_can_be_changed(self, hub):
        app = ask(hub_opened(), "org/Qwen3-8B")
        app.pills(key="reference_model").set_value("config").run()
        assert json.loads(app.text_area(key="config_text").value) == QWEN3_8B, "all of it, not only what a link holds"
        assert total(app) == QWEN3_8B_PARAMETERS and app.query_params["model"] == "config" and "hub" not in app.query_params

    def test_an_own_config_and_the_hubs_do_not_disturb_each_other(self, hub):
        app = paste(opened(lang="en", model="config"), json.dumps(QWEN3_0_6B))
        app.pills(key="reference_model").set_value("hub").run()
        assert total(app) == QWEN3_0_6B_PARAMETERS and "your model stays below" in said(app)
        ask(app, "org/Qwen3-8B")
        assert total(app) == QWEN3_8B_PARAMETERS
        for _ in range(2):
            app.pills(key="reference_model").set_value("config").run()
            assert app.text_area(key="config_text").value == json.dumps(QWEN3_0_6B) and total(app) == QWEN3_0_6B_PARAMETERS
            app.pills(key="reference_model").set_value("hub").run()
            assert total(app) == QWEN3_8B_PARAMETERS


class TestRecent:
    """Models that were looked at, one click away."""

    def row(self, app):
        """The titles in the row of recent models."""
        return offered(app, "recent_model")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_one_click_goes_back_with_the_config(self, language, hub):
        app = ask(hub_opened(language), "org/Qwen3-8B")
        assert self.row(app) == [], "one is no choice"
        app.selectbox(key="other_model").set_value("mistral-7b-v0.1").run()
        assert self.row(app) == ["org/Qwen3-8B", "Mistral-7B v0.1"]
        app.pills(key="reference_model").set_value("config").run()
        paste(app, json.dumps(QWEN3_0_6B))
        assert self.row(app) == ["org/Qwen3-8B", "Mistral-7B v0.1", f"config.json · qwen3 · {QWEN3_0_6B_PARAMETERS:,}"]
        app.pills(key="reference_model").set_value("llama-2-7b").run()
        assert len(self.row(app)) == 3 and app.pills(key="recent_model").value is None
        hub.asked.clear()
        for key, parameters in (
            ("hub org/Qwen3-8B", QWEN3_8B_PARAMETERS),
            ("config 0", QWEN3_0_6B_PARAMETERS),
            ("mistral-7b-v0.1", 7_241_732_096),
            ("hub org/Qwen3-8B", QWEN3_8B_PARAMETERS),
        ):
            app.pills(key="recent_model").set_value(key).run()
            assert (total(app), app.pills(key="recent_model").value) == (parameters, key)
            assert not messages(app) and len(self.row(app)) == 3
        assert hub.asked == [] and app.text_input(key=HUB_WORDS).value == "org/Qwen3-8B"
        app.pills(key="recent_model").set_value(None).run()
        assert total(app) == QWEN3_8B_PARAMETERS, "a second click does not take it away"

    def test_the_reference_models_stand_above_already(self):
        app = opened(lang="en")
        for name in ("llama-3-8b", "gpt2", "llama-2-7b"):
            app.pills(key="reference_model").set_value(name).run()
        assert self.row(app) == []

    def test_going_back_leaves_the_changes_made_to_another(self):
        app = opened(lang="en", model="mistral-7b-v0.1", num_hidden_layers="33")
        app.pills(key="reference_model").set_value("llama-2-7b").run()
        app.number_input(key="what_if_num_hidden_layers").set_value(40).run()
        app.pills(key="recent_model").set_value("mistral-7b-v0.1").run()
        assert total(app) == 7_241_732_096 and "num_hidden_layers" not in app.query_params

    def test_an_unfinished_text_is_not_lost_to_a_recent_one(self):
        app = paste(opened(lang="en", model="config"), json.dumps(QWEN3_0_6B))
        app.selectbox(key="other_model").set_value("mistral-7b-v0.1").run()
        app.pills(key="reference_model").set_value("config").run()
        paste(app, '{"model_type": "llama",, oops')
        app.pills(key="recent_model").set_value("config 0").run()
        assert total(app) == QWEN3_0_6B_PARAMETERS
        app.pills(key="recent_model").set_value("config 1").run()
        assert app.text_area(key="config_text").value == '{"model_type": "llama",, oops' and len(messages(app)) == 1

    def test_the_last_ones_are_kept(self):
        others = [name for name in catalogue() if name not in ("llama-2-7b", "gpt2")][: MAX_RECENT + 4]
        seen = Recents()
        for name in others:
            seen = seen.with_model(name).with_model(others[0])
        assert len(seen.models) == MAX_RECENT and seen.models[0].model == others[0], "the first is looked at again and again"
        assert [recent.model for recent in seen.models[1:]] == others[-MAX_RECENT + 1 :]

    def test_an_edited_config_is_one_and_another_is_two(self):
        seen = Recents()
        for layers in range(1, 30):
            seen = seen.with_model(OwnConfig.of(json.dumps(QWEN3_0_6B | {"num_hidden_layers": layers})))
        assert [recent.model.model.values["num_hidden_layers"] for recent in seen.models] == [29]
        seen = seen.with_model(OwnConfig.of(json.dumps(QWEN3_8B))).with_model("gpt2-xl").with_model(Model(QWEN3_8B, "a/b"))
        assert [recent.key for recent in seen.models] == ["config 0", "config 1", "gpt2-xl", "hub a/b"]
        assert seen.with_model(seen.models[0].model).used == ("config 1", "gpt2-xl", "hub a/b", "config 0")


CHOICE_PAGE = """
import json
import streamlit as st
from ui.frame import address, language
from ui.model.picker import pick_model

language.begin()
address.begin("parts")
choice = pick_model()
st.code(json.dumps([choice.name, choice.title, dict(choice.base.values), dict(choice.model.values), choice.changes]))
address.write()
"""


@pytest.mark.parametrize(
    ("model", "reference", "other"), [("gpt2", [5], None), ("config", [6], None), ("mistral-7b-v0.1", [], "Mistral-7B v0.1")]
)
def test_a_run_tells_what_is_chosen_but_does_not_set_it_again(model, reference, other):
    """What is set on a run overwrites what the reader has chosen since that run began: a second click, a letter."""
    app = opened(lang="en", model="llama-3-8b")
    app.pills(key="reference_model").set_value("config").run()
    paste(app, json.dumps(QWEN3_0_6B))
    (app.pills(key="reference_model") if reference else app.selectbox(key="other_model")).set_value(model).run()
    app.run()
    pills, more, recent = app.pills(key="reference_model").proto, app.selectbox(key="other_model").proto, app.pills
    assert not pills.set_value and list(pills.default) == reference
    assert not more.set_value and (more.options[more.default] if more.HasField("default") else None) == other
    for row in (row for row in recent if row.key == "recent_model"):
        assert not row.proto.set_value and len(row.proto.default) == (model == "mistral-7b-v0.1")
    if model == "config":
        field = app.text_area(key="config_text").proto
        assert not field.set_value and field.default == json.dumps(QWEN3_0_6B)


def test_a_run_does_not_set_the_numbers_of_a_what_if_again():
    app = opened(lang="en", model="llama-2-7b", num_hidden_layers="33")
    app.number_input(key="what_if_num_hidden_layers").set_value(40).run()
    app.run()
    layers, tied = (app.number_input(key="what_if_num_hidden_layers"), app.toggle(key="what_if_tie_word_embeddings"))
    assert not layers.proto.set_value and layers.proto.default == layers.value == 40
    assert not tied.proto.set_value and tied.proto.default is tied.value is False


class TestChoice:
    """What a page is given."""

    def choice(self, **query):
        app = AppTest.from_string(CHOICE_PAGE, default_timeout=60)
        app.query_params.update(query)
        app.run()
        assert not app.exception
        return json.loads(app.code[0].value)

    def test_the_config_of_a_model_of_the_hub_as_it_is_shown(self):
        link = {"model": "hub", "hub": "org/Qwen3-8B", "config": packed(Model(QWEN3_8B))}
        name, title, values, config, changes = self.choice(**link)
        assert (name, title, changes) == ("hub", "org/Qwen3-8B", {}) and values == config
        assert config == {name: value for name, value in QWEN3_8B.items() if name != "architectures"}
        _, _, values, config, changes = self.choice(**link, num_hidden_layers="40", num_attention_heads="16")
        assert changes == {"num_hidden_layers": 40, "num_attention_heads": 16}
        assert config == values | changes | {"head_dim": 256}, "the heads go on splitting the hidden size"

    def test_the_config_of_a_catalogue_model_as_it_is_shown(self):
        _, _, values, config, _ = self.choice(model="gpt2", num_hidden_layers="24")
        assert values == dict(catalogue()["gpt2"].config)
        assert {name: value for name, value in config.items() if values.get(name) != value} == {"n_layer": 24}

    def test_a_change_that_no_model_can_have_changes_nothing(self):
        _, _, values, config, changes = self.choice(model="llama-2-7b", num_hidden_layers="0")
        assert values == config and changes == {}
