"""A reader's own tokenizer: a tokenizer.json or tokenizer.model, uploaded or on the Hub.

Both are files from anywhere. They are read in a process of their own (`calc.tokens.own_tokenizer_worker`), which is stopped when
it takes too long and started again when it is needed; a wrong file is one fault with the remedy. Questions wait for their turn: no
process makes room while it is at work, so that many files asked at once are read one after the other.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from calc.errors import ConfigError, quoted
from calc.tokens.alignment import WORD_SEPARATOR, TokenPiece, pieces_by_bytes, pieces_by_characters
from calc.tokens.encoding import Encoding
from calc.tokens.loaded import bytes_of_alphabet
from calc.tokens.unicode_forms import aligned_normal_form, well_formed
from calc.tokens.vocabulary import SPECIAL, UNUSED, Vocabulary, vocabulary_of

LIMIT_BYTES = 64_000_000
"""Gemma 3's tokenizer.json, the largest in use, has 33 MB."""
LOAD_SECONDS = 30.0
ENCODE_SECONDS = 5.0
HUB_SECONDS = 60.0
LONGEST_ANSWER_BYTES = 100_000_000
QUEUE_SECONDS = 30.0
"""The longest that a question waits for its turn."""
AT_ONCE = 4
"""Processes kept, and questions answered at a time; of the idle ones the one that waited longest makes room."""

JSON_FILE, MODEL_FILE = "tokenizer.json", "tokenizer.model"
_PACKAGES = {"tokenizers": "tokenizers==0.23.3", "sentencepiece": "sentencepiece==0.2.3"}
_RANKS = re.compile(rb"\s*[A-Za-z0-9+/]+=* \d+\s")
_BYTE = re.compile("<0x([0-9A-F]{2})>")
_WORKER = Path(__file__).with_name("own_tokenizer_worker.py")


class OwnTokenizer:
    """A tokenizer read from a file.

    name         the file's name or the model's id
    kind         `byte-level BPE`, `SentencePiece`, `BPE`, `Unigram`, `WordPiece` or `WordLevel`
    size         entries
    """

    def __init__(
        self, name: str, content: bytes, load_seconds: float = LOAD_SECONDS, encode_seconds: float = ENCODE_SECONDS
    ) -> None:
        self.name = name
        self._content, self._form = content, _form(name, content)
        self._load_seconds, self._encode_seconds = load_seconds, encode_seconds
        self._asking = threading.Lock()
        facts = self._ask({"do": "facts"})
        self.size: int = facts["size"]
        self._byte_level: bool = facts["byte_level"]
        self.kind = "byte-level BPE" if facts["byte_level"] and facts["model"] == "BPE" else str(facts["model"])

    def encode(self, text: str, special: bool = False) -> Encoding:
        """A text cut by this tokenizer, as `calc.tokens.encoding.encode` does.

        Added tokens that the file does not call special, and a SentencePiece model's user-defined pieces, are looked for
        in either case: to the library they are part of the vocabulary.

        Raises ConfigError: tokenizer_busy, tokenizer_too_slow, tokenizer_failed, tokenizer_cannot_cut, tokenizer_package_missing.
        """
        text, replaced = well_formed(text)
        answer = self._ask({"do": "encode", "text": text, "special": special, "ids_only": False})
        return Encoding(self.name, text, tuple(answer["ids"]), replaced, lambda limit: self._pieces(text, answer)[:limit])

    def ids(self, text: str, seconds: float = ENCODE_SECONDS) -> list[int]:
        """The ids of a text without surrogates, special tokens being text. Raises ConfigError: all that `encode` raises."""
        return self._ask({"do": "encode", "text": text, "special": False, "ids_only": True}, seconds)["ids"]

    def vocabulary(self) -> Vocabulary:
        """Its entries.

        Raises ConfigError: tokenizer_busy, tokenizer_too_slow, tokenizer_failed, tokenizer_cannot_cut, tokenizer_package_missing.
        """
        answer = self._ask({"do": "entries"})
        added = set(answer["added"])
        tokens: list[str | None] = answer["tokens"]
        contents = [(name or "").encode() if token in added else self._bytes_of(name or "") for token, name in enumerate(tokens)]
        kinds = [UNUSED if name is None else SPECIAL if token in added else None for token, name in enumerate(tokens)]
        return vocabulary_of(self.name, contents, kinds)

    def close(self) -> None:
        """Stop its process; the next question starts another."""
        _close(id(self))

    def _ask(self, request: dict[str, object], seconds: float | None = None) -> dict:
        """What its process answers when it is this question's turn.

        Raises ConfigError: tokenizer_busy, tokenizer_too_slow, tokenizer_failed, and all that `_checked` raises.
        """
        end = time.monotonic() + QUEUE_SECONDS
        with self._turn(self._asking, end), self._turn(_at_work, end):
            try:
                process = _process_of(self)
                try:
                    if not process.facts:
                        process.facts = process.answer(self._load_seconds, {"do": "load", "form": self._form}, self._content)
                    if request["do"] == "facts" or "size" not in process.facts:
                        return self._checked(process.facts, "tokenizer_unreadable")
                    return self._checked(process.answer(seconds or self._encode_seconds, request), "tokenizer_cannot_cut")
                finally:
                    process.is_idle = True
            except TimeoutError as error:
                self.close()
                raise ConfigError("tokenizer_too_slow", file=quoted(self.name), seconds=round(error.args[0])) from None
            except (OSError, ValueError):
                self.close()
                raise ConfigError("tokenizer_failed", file=quoted(self.name)) from None

    @contextlib.contextmanager
    def _turn(self, places: threading.Lock | threading.Semaphore, end: float) -> Iterator[None]:
        """Hold a place at work. Raises ConfigError: tokenizer_busy, where none is free until `end`."""
        if not places.acquire(timeout=max(end - time.monotonic(), 0)):
            raise ConfigError("tokenizer_busy", file=quoted(self.name), seconds=round(QUEUE_SECONDS))
        try:
            yield
        finally:
            places.release()

    def _checked(self, answer: dict, code: str) -> dict:
        if "missing" in answer:
            self.close()
            raise ConfigError("tokenizer_package_missing", package=_PACKAGES.get(answer["missing"], answer["missing"]))
        if "fault" in answer:
            reason = quoted(answer["fault"], 160)
            if code == "tokenizer_cannot_cut":
                raise ConfigError("tokenizer_cannot_cut", file=quoted(self.name), reason=reason)
            self.close()
            raise ConfigError("tokenizer_unreadable", file=quoted(self.name), reason=reason)
        return answer

    def _bytes_of(self, token: str) -> bytes:
        """The bytes of a token, from the way its file spells it."""
        if self._byte_level:
            alphabet = bytes_of_alphabet()
            return bytes(alphabet[c] for c in token) if all(c in alphabet for c in token) else token.encode()
        byte = _BYTE.fullmatch(token)
        return bytes([int(byte[1], 16)]) if byte else token.replace(WORD_SEPARATOR, " ").encode()

    def _pieces(self, text: str, answer: dict) -> tuple[TokenPiece, ...]:
        """Pieces by the bytes of the tokens where these make up the text, else by the characters the library gives for each."""
        ids: list[int] = answer["ids"]
        spans: list[list[int]] = answer["offsets"]
        names = [token if is_added else None for token, is_added in zip(answer["tokens"], answer["added"], strict=True)]
        contents = [
            self._bytes_of(token) if name is None else text[slice(*span)].encode()
            for token, name, span in zip(answer["tokens"], names, spans, strict=True)
        ]
        joined = b"".join(contents)
        tokens = list(zip(ids, map(len, contents), names, strict=True))
        for form in (None, "NFC", "NFKC"):
            normal = aligned_normal_form(text, form)
            spaced = normal.text.replace(WORD_SEPARATOR, " ")
            for source, adds_space in ((normal.text, False), (spaced, False), (f" {spaced}", True)):
                if source.encode() == joined:
                    return tuple(pieces_by_bytes(tokens, normal, 0, source is not normal.text, adds_space))
        return tuple(pieces_by_characters(ids, names, spans, text))


def read_tokenizer(name: str, content: bytes) -> OwnTokenizer:
    """The tokenizer in an uploaded tokenizer.json or tokenizer.model.

    Raises ConfigError: tokenizer_file_too_large, tokenizer_unreadable, tokenizer_ranks_only, tokenizer_busy,
    tokenizer_too_slow, tokenizer_failed, tokenizer_package_missing.
    """
    if len(content) > LIMIT_BYTES:
        size_mb = f"{len(content) / 1e6:.1f}"
        raise ConfigError("tokenizer_file_too_large", file=quoted(name), size_mb=size_mb, limit_mb=LIMIT_BYTES // 10**6)
    return OwnTokenizer(name, content)


def read_hub_tokenizer(model: str, time_limit_seconds: float = HUB_SECONDS, token: bool | None = None) -> OwnTokenizer:
    """The tokenizer.json of a model on the Hub, by its id or address; nothing else is downloaded.

    Raises ConfigError: not_a_hub_model, hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found,
    hub_no_such_file, hub_too_many_requests, hub_failing, hub_unreachable, hub_too_slow, hub_cut_short, hub_offline, and all
    that `read_tokenizer` raises.
    """
    from calc.hub.address import hub_address
    from calc.hub.configs import cached_folder, endpoint, is_offline
    from calc.hub.requests import HubClient, HubRequests

    address = hub_address(model, endpoint())
    if address is None:
        raise ConfigError("not_a_hub_model", value=quoted(model))
    if is_offline():
        file = Path(cached_folder(address), JSON_FILE)
        if not file.is_file():
            raise ConfigError("hub_offline", model=str(address))
        return read_tokenizer(f"{address}/{JSON_FILE}", file.read_bytes())
    client = HubClient(address, time_limit_seconds, token)
    with HubRequests(client) as requests:
        url = client.url(JSON_FILE, address.revision)
        content, size_bytes = requests.ask(client.get, url, JSON_FILE, 0, LIMIT_BYTES + 1)
    if size_bytes is not None and len(content) < min(size_bytes, LIMIT_BYTES):
        raise ConfigError("hub_cut_short", file=quoted(JSON_FILE), endpoint=endpoint())
    return read_tokenizer(f"{address}/{JSON_FILE}", content)


def _form(name: str, content: bytes) -> str:
    """`json` or `model`. Raises ConfigError: tokenizer_ranks_only, tokenizer_unreadable."""
    beginning = content[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not beginning:
        raise ConfigError("tokenizer_unreadable", file=quoted(name), reason=quoted("empty"))
    if beginning[:1] in b"{[" or name.lower().endswith(".json"):
        return "json"
    if _RANKS.match(content[:1000]):
        raise ConfigError("tokenizer_ranks_only", file=quoted(name))
    return "model"


class _Process:
    """A process that answers for one tokenizer."""

    def __init__(self) -> None:
        environment = os.environ | {"TOKENIZERS_PARALLELISM": "false", "RAYON_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        command, pipe = [sys.executable, "-P", str(_WORKER)], subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        assert self.process.stdin and self.process.stdout, "both are pipes"
        self.requests, self.output = self.process.stdin, self.process.stdout
        self.answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.facts: dict = {}
        self.is_idle, self.is_late = False, False
        threading.Thread(target=self._listen, daemon=True).start()

    def answer(self, seconds: float, request: dict[str, object], content: bytes | None = None) -> dict:
        """Its answer. Raises TimeoutError, and OSError where it has died."""
        frames = [json.dumps(request).encode()] + ([] if content is None else [content.removeprefix(b"\xef\xbb\xbf")])
        alarm = threading.Timer(seconds, self._stop_late)  # a process that does not read keeps the writer waiting as well
        alarm.start()
        try:
            for frame in frames:
                self.requests.write(struct.pack("<Q", len(frame)) + frame)
            self.requests.flush()
            answer = self.answers.get()
        except OSError:
            answer = None
        finally:
            alarm.cancel()
        if answer is None:
            raise TimeoutError(seconds) if self.is_late else OSError("the process has died")
        return json.loads(answer)

    def _stop_late(self) -> None:
        self.is_late = True
        self.process.kill()

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.requests, self.output):
            with contextlib.suppress(OSError):  # what was not sent may be lost
                pipe.close()

    def _listen(self) -> None:
        while True:
            try:
                (length,) = struct.unpack("<Q", self.output.read(8))
                content = self.output.read(length) if length <= LONGEST_ANSWER_BYTES else None
            except (OSError, ValueError, struct.error):
                content = None
            self.answers.put(content)
            if content is None:
                return


_processes: OrderedDict[int, _Process] = OrderedDict()
_changing = threading.RLock()  # a tokenizer may be forgotten, and its process ended, while this very thread holds it
_at_work = threading.BoundedSemaphore(AT_ONCE)


def _process_of(tokenizer: OwnTokenizer) -> _Process:
    """The process of a tokenizer, started where there is none; who asks holds one of the `AT_ONCE` places at work."""
    key = id(tokenizer)
    with _changing:
        process, crowded = _processes.pop(key, None), None
        if process is None:
            if len(_processes) >= AT_ONCE:
                crowded = _processes.pop(next(each for each, other in _processes.items() if other.is_idle))
            process = _Process()
            weakref.finalize(tokenizer, _close, key)
        process.is_idle = False
        _processes[key] = process
    if crowded is not None:
        crowded.close()
    return process


def _close(key: int) -> None:
    with _changing:
        process = _processes.pop(key, None)
    if process is not None:
        process.close()
