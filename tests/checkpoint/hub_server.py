"""A server on loopback that speaks the part of the Hub's protocol a reader of headers needs, and can fail in every way.

`/api/models/{id}/revision/{revision}` lists a repository, `/{id}/resolve/{commit}/{file}` leads to the file by way of a
redirect to a store that needs no token, as the Hub's does. `/api/models?search=` finds repositories by their ids.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Repository:
    """Its files: bytes, or (the first bytes, the whole size) of a file whose rest is zeros."""

    files: dict
    token: str | None = None
    downloads: int = 0


@dataclass
class Hub:
    """What the server has, and what it was asked."""

    repositories: dict = field(default_factory=dict)
    fault: str | None = None
    fault_at: str = "/"
    asked: list = field(default_factory=list)
    searches: list = field(default_factory=list)
    sent: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    url: str = ""
    answer: bytes = b""


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_):
        """Nobody reads it."""

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        self.hub.asked.append((path, self.headers.get("Range"), self.headers.get("Authorization")))
        if self.hub.fault and self.hub.fault_at in path:
            return self.fail(self.hub.fault)
        if path == "/api/models":
            return self.search(parse_qs(urlsplit(self.path).query))
        if listing := re.fullmatch(r"/api/models/(.+)/revision/(.+)", path):
            return self.list(*listing.groups())
        if resolve := re.fullmatch(r"/(.+)/resolve/([^/]+)/(.+)", urlsplit(self.path).path):
            name, _, file = map(unquote, resolve.groups())
            if self.denied(name):
                return self.send(401, b"", {"X-Error-Code": "GatedRepo" if name in self.hub.repositories else "RepoNotFound"})
            if file not in self.hub.repositories[name].files:
                return self.send(404, b"", {"X-Error-Code": "EntryNotFound"})
            return self.send(302, b"", {"Location": f"{self.hub.url.replace('127.0.0.1', 'localhost')}/store/{name}/-/{file}"})
        if store := re.fullmatch(r"/store/(.+)/-/(.+)", path):
            name, file = store.groups()
            return self.part(self.hub.repositories[name].files[file])
        return self.send(404, b"")

    def search(self, query):
        self.hub.searches.append(query)
        words = query["search"][0].lower().split()
        found = [
            {
                "_id": "0",
                "id": name,
                "downloads": repository.downloads,
                "gated": "manual" if repository.token else False,
                "pipeline_tag": "text-generation",
            }
            for name, repository in self.hub.repositories.items()
            if all(word in name.lower() for word in words)
        ]
        found.sort(key=lambda model: -model["downloads"])
        return self.send(200, json.dumps(found[: int(query["limit"][0])]).encode())

    def denied(self, name):
        repository = self.hub.repositories.get(name)
        return repository is None or (repository.token and self.headers.get("Authorization") != f"Bearer {repository.token}")

    def list(self, name, revision):
        if name not in self.hub.repositories:
            return self.send(404, b"", {"X-Error-Code": "RepoNotFound"})
        if self.denied(name):
            return self.send(401, b"", {"X-Error-Code": "GatedRepo"})
        if revision not in ("main", "refs/pr/1", COMMIT):
            return self.send(404, b"", {"X-Error-Code": "RevisionNotFound"})
        names = [{"rfilename": file} for file in self.hub.repositories[name].files]
        return self.send(200, json.dumps({"id": name, "sha": COMMIT, "siblings": names}).encode())

    def part(self, file):
        head, size = file if isinstance(file, tuple) else (file, len(file))
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        begin, end = (int(wanted[1]), min(int(wanted[2]) + 1, size)) if wanted else (0, size)
        if begin >= size:
            return self.send(416, b"")
        piece = head[begin:end]
        piece += bytes(end - begin - len(piece))
        return self.send(206, piece, {"Content-Range": f"bytes {begin}-{end - 1}/{size}"})

    def send(self, status, body, headers=None):
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.hub.sent += len(body)

    def fail(self, fault):
        """In one of the ways a server fails; a number is a status, and a word after it the Hub's code for it."""
        status, _, code = fault.partition(" ")
        if status.isdigit():
            return self.send(int(status), b"no", {"Retry-After": "3600", **({"X-Error-Code": code} if code else {})})
        if fault == "stall":
            self.hub.over.wait()
        elif fault == "stall in the body":
            self.send_response(206)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"x")
            self.wfile.flush()
            self.hub.over.wait()
        elif fault == "drip":
            self.send_response(206)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            while not self.hub.over.wait(0.2):
                self.wfile.write(b" ")
                self.wfile.flush()
        elif fault == "drip in the head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while not self.hub.over.wait(0.02):
                self.wfile.write(b"x")
                self.wfile.flush()
        elif fault == "cut short":
            self.send_response(206)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"{")
        elif fault == "no protocol":
            self.wfile.write(b"\x16\x03\x01\r\n\r\n")
        elif fault == "round and round":
            return self.send(302, b"", {"Location": self.path})
        elif fault == "redirect without end":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            self.flood()
        elif fault == "flood":
            self.send_response(200)
            self.end_headers()
            self.flood()
        elif fault == "packed":
            return self.send(200, gzip.compress(bytes(50_000_000)), {"Content-Encoding": "gzip"})
        elif fault == "garbage":
            return self.send(200, b"<html>")
        elif fault == "another answer":
            return self.send(200, self.hub.answer)
        elif fault == "range ignored":
            self.hub.fault = None
            name, file = re.fullmatch(r"/store/(.+)/-/(.+)", unquote(urlsplit(self.path).path)).groups()
            head, size = self.hub.repositories[name].files[file]
            self.send_response(200)
            self.send_header("Content-Length", str(size))
            self.end_headers()
            self.wfile.write(head)
            self.hub.fault = fault
        self.close_connection = True
        return None

    def flood(self):
        """Bytes without end, as fast as they are taken."""
        while not self.hub.over.is_set():
            self.hub.sent += self.wfile.write(b" " * 65_536)

    def handle(self):
        with contextlib.suppress(OSError):  # the reader has seen enough
            super().handle()


def serve():
    """A running server: its Hub, and what ends it."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Answer", (_Answer,), {"hub": hub}))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()

    def end():
        hub.over.set()
        server.shutdown()
        thread.join()
        server.server_close()

    return hub, end


def turn_the_client_here(monkeypatch, request):
    """A server that ends with the test, with the client library turned to it: no token, no proxy, not offline."""
    from huggingface_hub import constants

    running, end = serve()
    request.addfinalizer(end)
    monkeypatch.setattr(constants, "ENDPOINT", running.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", running.url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return running
