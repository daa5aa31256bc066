"""The files and the token of whoever runs the app are for that person alone."""

from __future__ import annotations

import os
import socket

import pytest
import streamlit as st

from ui.frame import visitor
from ui.frame.visitor import SHARE_TOKEN, SHARED, came_from_here, hub_token, is_own_user

HERE = {"Host": "localhost:8501", "Origin": "http://localhost:8501", "User-Agent": "a browser"}


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "127.0.1.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"])
@pytest.mark.parametrize("peer", [None, "127.0.0.1", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])
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


PROXY_HEADERS = """X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Server X-Forwarded-Prefix
X-Forwarded X-Forwarded-By Forwarded Forwarded-For X-Real-IP X-Client-IP X-Cluster-Client-IP Client-IP True-Client-IP Via
X-Original-Forwarded-For X-Original-Host X-Original-URL X-Originating-IP X-Remote-IP X-Remote-Addr X-ProxyUser-Ip X-Host X-Scheme
CF-Connecting-IP CF-Connecting-IPv6 CF-Ray CF-Visitor CDN-Loop Fly-Client-IP Fly-Forwarded-Port Fastly-Client-IP Fastly-SSL
X-Azure-ClientIP X-Azure-SocketIP X-ARR-SSL X-Appengine-User-IP X-Cloud-Trace-Context X-Amzn-Trace-Id X-Envoy-External-Address
X-Request-ID X-Varnish X-Nginx-Proxy Proxy-Client-IP WL-Proxy-Client-IP Proxy-Connection Tailscale-User-Login Remote-User
X-JupyterHub-User X-Replit-User-Id X-Vercel-Forwarded-For X-NF-Client-Connection-IP DO-Connecting-IP Traceparent"""


@pytest.mark.parametrize("name", PROXY_HEADERS.split())
def test_whatever_a_proxy_adds_makes_a_stranger(name):
    for spelling in (name, name.lower(), name.upper()):
        assert not came_from_here(None, HERE | {spelling: "127.0.0.1"})


def test_what_browsers_send_does_not():
    chrome = {
        "Connection": "Upgrade",
        "Pragma": "no-cache",
        "Cache-Control": "no-cache",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Accept-Encoding": "gzip, deflate, br, zstd",
        "Accept-Language": "zh-CN,zh;q=0.9",
        "Cookie": "_streamlit_xsrf=1",
        "Sec-WebSocket-Key": "x",
        "Sec-WebSocket-Extensions": "permessage-deflate",
        "Sec-WebSocket-Protocol": "streamlit",
    }
    firefox = {
        "Accept": "*/*",
        "DNT": "1",
        "Sec-GPC": "1",
        "Sec-Fetch-Dest": "empty",
        "Sec-Fetch-Site": "same-origin",
        "Priority": "u=4",
    }
    assert came_from_here(None, HERE | chrome) and came_from_here(None, HERE | chrome | firefox)


class TestAccountsOfOneMachine:
    """On a host with several accounts, or behind a proxy that leaves no trace, all come from 127.0.0.1."""

    @pytest.fixture
    def connection(self, tmp_path, monkeypatch):
        """Let the machine have one connection to port 8501 (0x2135)."""

        def have(remote, account, state="01"):
            table = tmp_path / "tcp"
            table.write_text(
                f"heading\n 0: 0100007F:C350 {remote} {state} 00000000:00000000 00:00000000 00000000 {account} 0 1\n"
            )
            monkeypatch.setattr(visitor, "_CONNECTIONS", (table, tmp_path / "none"))
            return is_own_user()

        return have

    @pytest.mark.parametrize("ip", ["0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"])
    def test_another_account_connected_leaves_no_owner(self, ip, own_user, connection):
        assert connection(f"{ip}:2135", os.getuid())
        assert not connection(f"{ip}:2135", os.getuid() + 1)

    def test_connections_that_do_not_count(self, own_user, connection):
        other = os.getuid() + 1
        assert connection("0100007F:2136", other), "another port"
        assert connection("0101A8C0:2135", other), "another machine"
        assert connection("0100007F:2135", other, state="06"), "over"

    def test_the_table_of_a_real_connection(self, own_user, monkeypatch):
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
            monkeypatch.setattr(visitor.st, "get_option", {"server.port": server.getsockname()[1]}.get)
            assert is_own_user()
            account = os.getuid()
            monkeypatch.setattr(visitor.os, "getuid", lambda: account + 1)
            assert not is_own_user() or not visitor._CONNECTIONS[0].exists()


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
