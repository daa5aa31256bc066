"""What the client library does of its own accord, and bodies nobody asked for, are within the limits or do not happen."""

import time

import pytest
from huggingface_hub import constants
from huggingface_hub.utils import _detect_agent

from calc.checkpoint.hub import read_hub
from calc.errors import ConfigError
from calc.hub import requests as hub_requests
from calc.hub.address import HubAddress
from calc.hub.configs import read_hub_config
from calc.hub.search import search_hub

from .hub_server import COMMIT, Repository, turn_the_client_here

MODEL = HubAddress("org/model")
READS = {
    "config": lambda: read_hub_config(MODEL, 1),
    "checkpoint": lambda: read_hub(MODEL, None, 1),
    "search": lambda: search_hub("model", time_limit_seconds=1),
}


@pytest.fixture
def hub(monkeypatch, request, tmp_path):
    """The server, and a client library that has never asked it for anything and may do all it does by default."""
    running = turn_the_client_here(monkeypatch, request)
    running.repositories["org/model"] = Repository({"config.json": b'{"model_type": "gpt2"}'})
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", False)
    monkeypatch.setattr(constants, "AGENT_HARNESSES_PATH", str(tmp_path / "agents.json"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(_detect_agent, "_registry", None)
    return running


@pytest.mark.parametrize("read", READS)
def test_nothing_is_asked_but_what_a_read_needs(read, hub):
    try:
        READS[read]()
    except ConfigError as fault:
        assert fault.code == "no_checkpoint"
    paths = {path for path, _, _ in hub.asked}
    needed = {"/api/models", "/api/models/org/model/revision/main"}
    assert paths and all(path in needed or path.endswith("/config.json") for path in paths)


@pytest.mark.parametrize("fault", ["drip", "flood", "redirect without end", "packed"])
@pytest.mark.parametrize("read", READS)
def test_a_bad_endpoint_takes_neither_long_nor_much(read, fault, hub):
    hub.fault = fault
    start = time.monotonic()
    with pytest.raises(ConfigError):
        READS[read]()
    assert time.monotonic() - start < 2
    time.sleep(0.2)
    sent = hub.sent
    time.sleep(0.2)
    assert hub.sent == sent < 60_000_000, "the connection is closed"


def test_a_packed_answer_is_not_unpacked(hub):
    hub.fault = "packed"
    client = hub_requests.HubClient(MODEL, 5)
    content, _ = client.get(client.url("config.json", COMMIT), "config.json", 0, 100_000_000)
    client.close()
    assert len(content) < 100_000, "50 MB of zeros are 49 KB"


def test_a_login_is_read_and_never_renewed(hub, monkeypatch, tmp_path):
    (tmp_path / "token").write_text("hf_file\n")
    read_hub_config(MODEL)
    monkeypatch.setenv("HF_TOKEN", "hf_environment")
    read_hub_config(MODEL)
    read_hub_config(MODEL, token=False)
    sent = [token for path, _, token in hub.asked if "/resolve/" in path]
    assert sent == ["Bearer hf_file", "Bearer hf_environment", None]
