"""Models of the Hub found by name, by the real client on a server of loopback: what is found, and every failure."""

import json
import os
import subprocess
import sys
import threading

import pytest
from huggingface_hub import HfApi, constants

from calc.hub import requests as hub_requests
from calc.hub.search import ANSWER_LIMIT_BYTES, SearchResult, search_hub

from .hub_server import Repository
from .test_hub import ROOT, Stopped, fault_of, hub  # noqa: F401  a fixture


@pytest.fixture
def models(hub):  # noqa: F811
    """A Hub with a few models of the same name."""
    for name, downloads in (("Qwen/Qwen3-0.6B", 900), ("Qwen/Qwen3-8B", 3_000_000), ("unsloth/qwen3-8b-bnb-4bit", 12)):
        hub.repositories[name] = Repository({}, downloads=downloads)
    hub.repositories["org/secret-qwen3"] = Repository({}, token="hf_secret", downloads=5)
    return hub


def test_the_most_downloaded_first(models):
    assert search_hub("  qwen3\n ") == (
        SearchResult("Qwen/Qwen3-8B", 3_000_000, "text-generation"),
        SearchResult("Qwen/Qwen3-0.6B", 900, "text-generation"),
        SearchResult("unsloth/qwen3-8b-bnb-4bit", 12, "text-generation"),
        SearchResult("org/secret-qwen3", 5, "text-generation", gated=True),
    )
    assert [model.repo_id for model in search_hub("qwen3", models=2)] == ["Qwen/Qwen3-8B", "Qwen/Qwen3-0.6B"]


def test_it_asks_as_the_client_library_does(models):
    """The library builds the same question; it would repeat it for minutes where the Hub fails, and read any answer."""
    ours = search_hub("Qwen3 8B", models=5)
    api = HfApi(endpoint=models.url)
    theirs = list(api.list_models(search="Qwen3 8B", sort="downloads", limit=5, expand=["downloads", "gated", "pipeline_tag"]))
    assert (
        models.searches[0]
        == models.searches[1]
        == {"search": ["Qwen3 8B"], "sort": ["downloads"], "limit": ["5"], "expand": ["downloads", "gated", "pipeline_tag"]}
    )
    assert [(model.repo_id, model.downloads) for model in ours] == [(model.id, model.downloads) for model in theirs]
    assert len(ours) == 2


def test_nothing_found_is_no_fault(models):
    assert search_hub("xyzzy") == ()
    models.asked.clear()
    assert search_hub(" \n\t ") == () and models.asked == [], "no words, no question"


@pytest.mark.parametrize(
    "words", ["通义千问 7B", "a&b=c#d%20?", "\ud800", "x" * 5000, "<script>alert(1)</script>", "../../etc/passwd", "\0"]
)
def test_any_words_are_asked_for_as_they_are(words, models):
    assert search_hub(words) == ()
    [asked] = [query["search"][0] for query in models.searches]
    assert asked == " ".join(words.replace("\ud800", "?").split())[:200]


CODES = {
    "401": "hub_search_refused",
    "403": "hub_search_refused",
    "404": "hub_answer_malformed",
    "429": "hub_too_many_requests",
    "500": "hub_failing",
    "503": "hub_failing",
    "stall": "hub_too_slow",
    "stall in the body": "hub_too_slow",
    "drip": "hub_too_slow",
    "drip in the head": "hub_too_slow",
    "cut short": "hub_cut_short",
    "no protocol": "hub_cut_short",
    "round and round": "hub_unreachable",
    "garbage": "hub_answer_malformed",
}


@pytest.mark.parametrize("fault", CODES)
def test_every_failure_is_one_fault_and_is_asked_once(fault, models, monkeypatch):
    monkeypatch.setattr(hub_requests, "STALL_SECONDS", 0.3)
    models.fault = fault
    error = fault_of(search_hub, "qwen3", time_limit_seconds=30 if fault.startswith("stall") else 1)
    assert error.code == CODES[fault] and models.url in str(error)
    assert len(models.asked) == 1 or fault == "round and round", "no repeats, whatever Retry-After says"


class TestAnswersOfAnyKind:
    """What a server, a mirror or somebody in between may send instead of a list of models."""

    @pytest.fixture
    def answering(self, models):
        """Let the server give this answer."""

        def answer(content: bytes):
            models.fault, models.answer = "another answer", content

        return answer

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"null",
            b"{}",
            b'{"error": "no"}',
            b"[1]",
            b'["org/name"]',
            b"[" * 100_000,
            b"<!doctype html>",
            b"\xff\xfe\0",
            b'[{"id": "org/name"}',
            b" " * (ANSWER_LIMIT_BYTES + 1),
            json.dumps([{"id": "org/name", "tags": ["x" * ANSWER_LIMIT_BYTES]}]).encode(),
        ],
    )
    def test_what_is_no_list_of_models_is_refused(self, content, answering):
        answering(content)
        assert fault_of(search_hub, "name").code == "hub_answer_malformed"

    @pytest.mark.parametrize(
        "entry",
        [
            {},
            {"id": None},
            {"id": 7},
            {"id": ""},
            {"id": "../../x"},
            {"id": "a/b/c"},
            {"id": "<b>/x"},
            {"id": "org/name?x=1"},
            {"id": "https://example.org/a"},
            {"id": "javascript://a"},
            {"id": "["},
            {"id": "org/" + "x" * 5000},
            {"id": "org/a@main"},
            {"id": "huggingface.co/org"},
        ],
    )
    def test_an_id_that_is_none_is_left_out(self, entry, answering):
        answering(json.dumps([entry, {"id": "org/name"}]).encode())
        assert search_hub("name") == (SearchResult("org/name"),)

    @pytest.mark.parametrize("downloads", [None, "12", -1, True, 1.5, [], float("nan")])
    def test_other_fields_of_another_kind_are_not_believed(self, downloads, answering):
        answering(json.dumps([{"id": "org/name", "downloads": downloads, "pipeline_tag": 7, "gated": "auto"}]).encode())
        assert search_hub("name") == (SearchResult("org/name", None, None, True),)

    def test_more_than_was_asked_for_is_cut(self, answering):
        answering(json.dumps([{"id": f"org/m{n}", "modelId": f"org/m{n}", "tags": ["a"]} for n in range(50)]).encode())
        assert [model.repo_id for model in search_hub("m", models=3)] == ["org/m0", "org/m1", "org/m2"]


def test_the_machines_token_goes_along_unless_it_shall_not(models, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    search_hub("qwen3")
    search_hub("qwen3", token=False)
    assert [token for _, _, token in models.asked] == ["Bearer hf_secret", None]


def test_offline_nothing_is_asked(models, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert fault_of(search_hub, "qwen3").code == "hub_search_offline"
    assert models.asked == []


def test_nobody_there(models, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    error = fault_of(search_hub, "qwen3")
    assert error.code == "hub_unreachable" and "http://127.0.0.1:1" in str(error)


def test_what_progress_raises_ends_a_search_that_waits(models):
    models.fault = "stall"

    def stop(*_):
        raise Stopped

    with pytest.raises(Stopped):
        search_hub("qwen3", progress=stop)


def test_ten_at_once_wait_for_nobody(models):
    found = []
    threads = [threading.Thread(target=lambda: found.append(search_hub("qwen3"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 10 and {len(models) for models in found} == {4}


def test_the_mirror_of_the_environment_is_asked(models):
    code = "from calc.hub.search import search_hub; print([m.repo_id for m in search_hub('0.6B')])"
    environment = {**os.environ, "HF_ENDPOINT": models.url, "HF_HUB_OFFLINE": "0"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "['Qwen/Qwen3-0.6B']", done.stderr


def test_importing_it_reaches_for_nothing():
    code = "import sys, calc.hub.search; print({'huggingface_hub', 'httpx2', 'httpx'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "set()", done.stderr
