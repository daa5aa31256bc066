"""The files and the token of whoever runs the app are for that person alone."""

from __future__ import annotations

import pytest
import streamlit as st

from ui.frame import visitor
from ui.frame.visitor import SHARE_TOKEN, SHARED, came_from_here, hub_token, is_own_user

HERE = {"Host": "localhost:8501", "Origin": "http://localhost:8501", "User-Agent": "a browser"}


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "127.0.1.1"])
@pytest.mark.parametrize("peer", [None, "127.0.0.1", "::1"])
def test_a_browser_on_the_machine_itself(name, peer):
    assert came_from_here(peer, {"host": f"{name}:8501", "origin": f"http://{name}:8501"})


@pytest.mark.parametrize(
    "peer, changed",
    [
        ("192.168.1.7", {}),
        ("::ffff:192.168.1.7", {}),
        ("not an address", {}),
        (None, {"Host": "parts.example.org"}),
        (None, {"Host": "localhost.example.org"}),
        (None, {"Host": "127.0.0.1.example.org"}),
        (None, {"Host": ""}),
        (None, {"Host": "[::1"}),
        (None, {"Origin": "https://parts.example.org"}),
        (None, {"Origin": "http://localhost@example.org"}),
        (None, {"Origin": "null"}),
        (None, {"Origin": ""}),
        (None, {"X-Forwarded-For": "127.0.0.1"}),
        (None, {"X-Forwarded-Proto": "https"}),
        (None, {"Forwarded": "for=127.0.0.1"}),
        (None, {"X-Real-IP": "127.0.0.1"}),
        (None, {"Via": "1.1 proxy"}),
        (None, {"CF-Connecting-IP": "127.0.0.1"}),
    ],
)
def test_anybody_else(peer, changed):
    assert not came_from_here(peer, HERE | changed)


def test_no_headers_at_all_are_no_proof():
    assert not came_from_here(None, {})


class Context:
    """What Streamlit knows of a connection."""

    def __init__(self, ip_address, headers):
        self.ip_address, self.headers = ip_address, headers


@pytest.fixture
def own_user(monkeypatch):
    """A browser on the same machine, and an environment that says nothing."""
    for name in (SHARED, SHARE_TOKEN):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(st, "context", Context(None, HERE))


def test_the_token_is_for_the_own_user(own_user, monkeypatch):
    assert is_own_user() and hub_token() is None
    monkeypatch.setattr(st, "context", Context("192.168.1.7", HERE))
    assert not is_own_user() and hub_token() is False


def test_the_environment_can_share_the_token_and_says_when_the_app_is_shared(own_user, monkeypatch):
    monkeypatch.setenv(SHARED, "1")
    assert not is_own_user() and hub_token() is False
    monkeypatch.setenv(SHARE_TOKEN, "1")
    assert not is_own_user() and hub_token() is None, "files stay private"


def test_a_server_behind_a_socket_is_behind_something(own_user, monkeypatch):
    monkeypatch.setattr(visitor.st, "get_option", {"server.address": "unix:///run/app.sock"}.get)
    assert not is_own_user()
