"""The page of real files when something goes wrong, or must not go right: one line, nothing lost, nobody's token or files."""

from __future__ import annotations

import json
import re

import pytest
from checkpoint.hub_server import Repository
from checkpoint.test_reconcile import as_stored
from checkpoint.writing import safetensors_head, write_safetensors
from huggingface_hub import constants

import ui.checkpoint.source
from calc.checkpoint import hub_requests
from calc.model import Model
from ui.texts import TEXTS

from .checkpoint_page import (  # noqa: F401  hub_on_loopback and page_first are fixtures
    captions,
    causes,
    choose,
    gpt2,
    headline,
    hub_on_loopback,
    opened,
    page_first,
    read,
)
from .screen import LANGUAGES, figures, is_chinese, messages, of_class

FAULTS = {
    "401": "hub_needs_token",
    "403": "hub_forbidden",
    "404": "hub_not_found",
    "429": "hub_too_many_requests",
    "503": "hub_failing",
    "stall": "hub_too_slow",
    "drip": "hub_too_slow",
    "cut short": "hub_cut_short",
    "garbage": "hub_answer_malformed",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_read_that_fails_loses_nothing(hub, monkeypatch, fault, language):
    app = read(opened(lang=language, model="gpt2"))
    monkeypatch.setattr(hub_requests, "STALL_SECONDS", 0.3)
    monkeypatch.setattr(ui.checkpoint.source, "READ_SECONDS", 1.0 if fault == "drip" else 30.0)
    hub.fault = fault
    read(app, "org/other")
    [message] = messages(app)
    pattern = re.escape(TEXTS[f"error.{FAULTS[fault]}"][language])
    assert re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", pattern), message)
    assert "60" in captions(app) and "openai-community/gpt2" in captions(app)
    assert causes(figures(app)) == {"causal_mask": 12_582_912} and app.text_input(key="source").value == "org/other"
    asked = len(hub.asked)
    hub.fault = None
    hub.repositories["org/other"] = gpt2()
    read(app)
    assert messages(app) == [message] and len(hub.asked) == asked, "within a minute nobody is asked again"
    app.segmented_control(key="language").set_value("en" if language == "zh" else "zh").run()
    assert is_chinese(messages(app)[0]) == (language == "en") and causes(figures(app)), "both languages keep both"
    read(app, "openai-community/gpt2")
    assert messages(app) == [] and len(hub.asked) == asked, "the answer is kept"


HOSTILE = {
    "header_too_large": (10**18).to_bytes(8, "little") + b"{}",
    "header_truncated": b"\x50\0\0\0\0\0\0\0{}",
    "tensor_outside_file": safetensors_head({"w": ("U8", (10**18,))})[0],
    "header_not_json": (10).to_bytes(8, "little") + b"<script>alert(1)</script>",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", HOSTILE)
def test_a_header_that_lies_is_one_line(hub, code, language):
    app = read(opened(lang=language, model="gpt2"))
    hub.repositories["org/bad"] = Repository({"model.safetensors": HOSTILE[code]})
    read(app, "org/bad")
    [message] = messages(app)
    assert "model.safetensors" in message and is_chinese(message) == (language == "zh") and len(message) < 300
    assert causes(figures(app)) == {"causal_mask": 12_582_912}


def test_an_index_that_leads_elsewhere_is_not_followed(hub):
    index = json.dumps({"weight_map": {"w": "../../../api/secret.safetensors"}}).encode()
    hub.repositories["org/bad"] = Repository({"model.safetensors.index.json": index})
    app = read(opened(lang="en"), "org/bad")
    assert "secret" in messages(app)[0] and not any("secret" in path for path, _, _ in hub.asked)


def test_where_nobody_listens(hub, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    app = read(opened(lang="zh"))
    assert "http://127.0.0.1:1" in messages(app)[0] and "HF_ENDPOINT" in messages(app)[0]


@pytest.mark.parametrize(
    "source, revision",
    [("https://example.org/a/b", "main"), ("a b c", "main"), ("", "main"), ("org/name", "../x"), ("x" * 1000, "main")],
)
def test_what_is_no_model_of_the_hub_is_never_asked_for(hub, source, revision):
    app = opened(lang="en")
    app.text_input(key="revision").set_value(revision).run()
    read(app, source)
    assert len(messages(app)) == 1 and hub.asked == []


def test_the_token_is_not_for_strangers(hub, monkeypatch):
    hub.repositories["org/private"] = Repository({"model.safetensors": safetensors_head({"w": ("F32", (2,))})}, token="hf_secret")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    app = read(opened(lang="en"), "org/private")
    assert "gated" in messages(app)[0] and "HF_TOKEN" in captions(app)
    assert {token for _, _, token in hub.asked} == {None}
    monkeypatch.setattr(ui.checkpoint.source, "hub_token", lambda: None)
    read(app)
    assert messages(app) == [], "another question, as another may be answered"
    read(opened(lang="en"), "org/private")
    monkeypatch.setattr(ui.checkpoint.source, "hub_token", lambda: False)
    app = read(opened(lang="en"), "org/private")
    assert "gated" in messages(app)[0], "and what the token opened is kept from strangers"


class TestPaths:
    @pytest.fixture
    def own_user(self, monkeypatch):
        monkeypatch.setattr(ui.checkpoint.source, "is_own_user", lambda: True)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_nobody_else_is_offered_them(self, language):
        app = opened(lang=language, path="/etc", **{"from": "path"})
        assert len(app.segmented_control(key="from").options) == 2 and app.segmented_control(key="from").value == "hub"
        app.segmented_control(key="language").set_value("en").run()
        choose(app, "from", "upload")
        app.segmented_control(key="language").set_value(language).run()
        assert "localhost" in captions(app) and is_chinese(captions(app)) == (language == "zh")

    def test_a_folder(self, own_user, tmp_path):
        parts_list = Model.of("gpt2").parts_list
        write_safetensors(tmp_path / "model.safetensors", as_stored(parts_list, "F16"))
        app = opened(lang="en", model="gpt2", **{"from": "path"})
        app.text_input(key="path").set_value(str(tmp_path)).run()
        assert not of_class(figures(app), "ledger")
        app.button(key="read_path").click().run()
        assert headline(app)["gap"] == 0 and str(tmp_path) not in json.dumps(dict(app.query_params))

    @pytest.mark.parametrize("path", ["", "/no/such/place", "/dev/zero", "\0", "a\nb"])
    def test_what_is_no_file_is_one_line(self, own_user, path):
        app = opened(lang="zh", **{"from": "path"})
        app.text_input(key="path").set_value(path).run()
        app.button(key="read_path").click().run()
        assert not app.exception and len(messages(app)) == 1
