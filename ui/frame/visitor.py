"""Who looks at the app: the person who runs it, at the same machine, or somebody else.

The files of the machine and the token for the Hub are for the person who runs the app alone. So the answer is no wherever
there is doubt: behind a proxy, by another name than localhost, or when the environment says that the app is shared.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import streamlit as st

SHARED = "LLM_PARTS_SHARED"
"""Set to 1, nobody counts as the person who runs the app: for a proxy on the same machine that leaves no trace."""
SHARE_TOKEN = "LLM_PARTS_SHARE_TOKEN"
"""Set to 1, the Hub is asked with the machine's token for everyone."""

_PROXY_HEADER = re.compile(r"x-(forwarded|real-ip|client-ip|original|envoy)|forwarded|via|true-client-ip|cf-|fly-")
"""How names of headers begin that a proxy adds."""


def is_own_user() -> bool:
    """Whether the person looking sits at the machine the app runs on, as far as that is certain."""
    if os.environ.get(SHARED) == "1" or str(st.get_option("server.address") or "").startswith("unix"):
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
        and not any(_PROXY_HEADER.match(name) for name in sent)
    )


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
