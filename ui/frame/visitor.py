"""Who looks at the app: the person who runs it, at the same machine, or somebody else.

The files of the machine and the token for the Hub are for the person who runs the app alone. So the answer is no wherever
there is doubt: behind a proxy, by another name than localhost, while another account of the machine is connected, or when
the environment says that the app is shared.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

SHARED = "LLM_PARTS_SHARED"
"""Set to 1, nobody counts as the person who runs the app: for a proxy on the same machine that leaves no trace."""
SHARE_TOKEN = "LLM_PARTS_SHARE_TOKEN"
"""Set to 1, the Hub is asked with the machine's token for everyone."""

_BROWSER_HEADERS = re.compile(
    r"accept(-encoding|-language)?|authorization|cache-control|connection|cookie|dnt|host|origin|pragma|priority|referer"
    r"|sec-(ch|fetch|gpc|websocket)(-[a-z-]+)?|te|upgrade|upgrade-insecure-requests|user-agent"
)
"""What a browser sends of its own accord. Any other name was added on the way, by a proxy: they have too many to list."""
_CONNECTIONS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""Linux's tables of connections. An address is in hexadecimal, each four bytes backwards."""
_ESTABLISHED = "01"


def is_own_user() -> bool:
    """Whether the person looking sits at the machine the app runs on, as far as that is certain."""
    if os.environ.get(SHARED) == "1" or str(st.get_option("server.address") or "").startswith("unix"):
        return False
    if _others_are_connected(st.get_option("server.port")):
        return False
    return came_from_here(st.context.ip_address, dict(st.context.headers))


def hub_token() -> bool | None:
    """What `calc.hub` takes for `token`: None where this visitor may ask with the machine's token, False where not."""
    return None if is_own_user() or os.environ.get(SHARE_TOKEN) == "1" else False


def came_from_here(peer: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a browser on this machine opened the connection, at an address of this machine, and nothing stood between.

    peer      the address the connection comes from; None for the machine's own, as Streamlit has it
    headers   of the request that opened the connection

    >>> came_from_here(None, {"Host": "localhost:8501", "Origin": "http://localhost:8501"})
    True
    >>> came_from_here("192.168.1.7", {"Host": "192.168.1.2:8501", "Origin": "http://192.168.1.2:8501"})
    False
    >>> came_from_here(None, {"Host": "localhost:8501", "Origin": "https://example.org"})
    False
    """
    sent = {name.lower(): value for name, value in headers.items()}
    return (
        _is_loopback(peer or "localhost")
        and _is_loopback(_host_of(f"//{sent.get('host', '')}"))
        and _is_loopback(_host_of(sent.get("origin", "")))
        and all(map(_BROWSER_HEADERS.fullmatch, sent))
    )


def _others_are_connected(port: int | None) -> bool:
    """Whether a process of another account is connected to this port of the machine: another person's, or a proxy's.

    Known on Linux; elsewhere no.
    """
    for table in _CONNECTIONS:
        try:
            rows = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            _, _, remote, state, _, _, _, account, *_ = row.split()
            ip, _, remote_port = remote.partition(":")
            to_loopback = ip.endswith(("7F", "01000000"))
            if state == _ESTABLISHED and to_loopback and int(remote_port, 16) == port and int(account) != os.getuid():
                return True
    return False


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
