"""A model of the Hub read through `huggingface_hub`: its config.json and the headers of its files, nothing else.

Its client brings the endpoint (HF_ENDPOINT), the token (HF_TOKEN) and the offline mode (HF_HUB_OFFLINE). Every read has
a total time limit, and every failure is one fault that says what to do.
"""

from __future__ import annotations

import contextlib
import io
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

from calc.checkpoint.choosing import chosen_files, is_index
from calc.checkpoint.gguf_header import LIMIT_BYTES as GGUF_LIMIT_BYTES
from calc.checkpoint.gguf_header import parts_of_split, read_gguf_stream
from calc.checkpoint.hub_address import HubAddress
from calc.checkpoint.index import LIMIT_BYTES as INDEX_LIMIT_BYTES
from calc.checkpoint.index import joined, shards_of, weight_map_of
from calc.checkpoint.local import read_file, read_folder
from calc.checkpoint.safetensors_header import LENGTH_BYTES, checkpoint_of, header_length
from calc.checkpoint.stored import Checkpoint, Progress
from calc.errors import ConfigError, quoted
from calc.read_config import LIMIT_BYTES as CONFIG_LIMIT_BYTES
from calc.read_config import read_config, read_config_file

TIME_LIMIT_SECONDS = 60.0
"""Of a whole read; DeepSeek-V3's 163 headers take 10 to 20 s on an ordinary line."""
STALL_SECONDS = 8.0
"""Silence after which a connection is given up."""
CONNECT_SECONDS = 5.0
AT_ONCE = 8
LISTING_LIMIT_BYTES = 20_000_000

MIRRORS = {
    "meta-llama/llama-2-7b-hf": "NousResearch/Llama-2-7b-hf",
    "meta-llama/llama-2-13b-hf": "NousResearch/Llama-2-13b-hf",
    "meta-llama/llama-2-70b-hf": "NousResearch/Llama-2-70b-hf",
    "meta-llama/meta-llama-3-8b": "NousResearch/Meta-Llama-3-8B",
    "meta-llama/meta-llama-3-70b": "NousResearch/Meta-Llama-3-70B",
    "meta-llama/llama-3.1-8b": "NousResearch/Meta-Llama-3.1-8B",
    "meta-llama/llama-3.2-1b": "unsloth/Llama-3.2-1B",
    "meta-llama/llama-3.2-3b": "unsloth/Llama-3.2-3B",
    "google/gemma-2b": "unsloth/gemma-2b",
    "google/gemma-2-2b": "unsloth/gemma-2-2b",
    "google/gemma-3-1b-it": "unsloth/gemma-3-1b-it",
    "google/gemma-3-4b-it": "unsloth/gemma-3-4b-it",
    "google/gemma-3-27b-it": "unsloth/gemma-3-27b-it",
}
"""Open copies of gated repositories, by lower-case id."""


def read_hub(
    address: HubAddress, progress: Progress | None = None, time_limit_seconds: float = TIME_LIMIT_SECONDS
) -> Checkpoint:
    """The tensors of a model on the Hub, and its config.json; only headers are transferred.

    A .gguf's header does not say how long it is: of such a file up to 1 MB more is read.

    Raises ConfigError: hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found, hub_no_such_file,
    hub_too_many_requests, hub_failing, hub_unreachable, hub_too_slow, hub_cut_short, hub_offline, hub_answer_malformed,
    no_checkpoint, several_checkpoints, and all that reading the headers raises.
    """
    if is_offline():
        return replace(_read_cached(cached_folder(address), address, progress), source=str(address))
    with _Reader(address, time_limit_seconds) as reader:
        listing = reader.wait_for(reader.start(reader.listing))
        reader.revision = listing[0]
        names = listing[1]
        files, beside = _files_of(names, address)
        index_name, weight_map = None, None
        if len(files) == 1 and is_index(files[0]):
            index_name = files[0]
            content = reader.wait_for(reader.start(reader.whole, index_name, INDEX_LIMIT_BYTES))
            weight_map = weight_map_of(content, index_name)
            folder = index_name.rpartition("/")[0]
            files = [f"{folder}/{shard}" if folder else shard for shard in shards_of(weight_map)]
            weight_map = {name: f"{folder}/{shard}" if folder else shard for name, shard in weight_map.items()}
            missing = next((file for file in files if file not in names), None)
            if missing:
                raise ConfigError("index_missing_shard", file=quoted(index_name), shard=quoted(missing))
        config_file = f"{beside}config.json"
        config = reader.start(reader.config, config_file) if config_file in names else None
        read = reader.all({file: reader.start(reader.header, file) for file in files}, progress)
        checkpoint = joined(str(address), {file: read[file] for file in files}, weight_map)
        values = reader.wait_for(config) if config else None
        return replace(checkpoint, bytes_read=reader.bytes_read, config=values)


def read_hub_config(address: HubAddress, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> Mapping[str, object]:
    """The values of the config.json of a model on the Hub.

    Raises ConfigError: as `read_hub` does, hub_no_such_file where there is none, and all that `read_config` raises.
    """
    if is_offline():
        return read_config_file(f"{cached_folder(address)}/config.json")
    with _Reader(address, time_limit_seconds) as reader:
        return reader.wait_for(reader.start(reader.config, "config.json"))


def endpoint() -> str:
    """Where the Hub is: HF_ENDPOINT, or huggingface.co."""
    from huggingface_hub import constants

    return constants.ENDPOINT


def is_offline() -> bool:
    """Whether HF_HUB_OFFLINE forbids every connection."""
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def cached_folder(address: HubAddress) -> str:
    """Where `huggingface_hub` keeps a copy of the model. Raises ConfigError: hub_offline."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return snapshot_download(address.repo_id, revision=address.revision, local_files_only=True)
    except (LocalEntryNotFoundError, OSError):
        raise ConfigError("hub_offline", model=str(address)) from None


def _read_cached(folder: str, address: HubAddress, progress: Progress | None) -> Checkpoint:
    path = Path(folder, address.path or "")
    return read_file(path, progress) if path.is_file() else read_folder(path, progress)


def _files_of(names: list[str], address: HubAddress) -> tuple[list[str], str]:
    """The model's files among those of the repository, and the folder they lie in, `""` or `folder/`."""
    if address.path in names:
        folder, slash, name = address.path.rpartition("/")
        files = parts_of_split(name) if name.endswith(".gguf") else [name]
        if not name.endswith((".gguf", ".safetensors")) and not is_index(name):
            raise ConfigError("no_checkpoint", where=quoted(str(address)))
    else:
        folder, slash = (address.path.rstrip("/"), "/") if address.path else ("", "")
        inside = [name.removeprefix(folder + slash) for name in names if name.startswith(folder + slash)]
        if not inside:
            raise ConfigError("hub_no_such_file", file=quoted(address.path or ""), model=address.repo_id)
        files = chosen_files([name for name in inside if "/" not in name], str(address))
    return [f"{folder}{slash}{file}" for file in files], f"{folder}{slash}"


class _Reader:
    """Asks the Hub in threads of its own, and waits for them no longer than the time limit."""

    def __init__(self, address: HubAddress, time_limit_seconds: float) -> None:
        from huggingface_hub import constants, get_session
        from huggingface_hub.utils import build_hf_headers

        self.address, self.revision = address, address.revision
        self.endpoint = constants.ENDPOINT
        self.headers = build_hf_headers() | {"Accept-Encoding": "identity"}
        shared = get_session()
        # the library's client under its own rules, but one that can be closed over the heads of its threads
        self.client = type(shared)(event_hooks=shared.event_hooks, follow_redirects=True)
        self.pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hub")
        self.limit_seconds = time_limit_seconds
        self.deadline = time.monotonic() + time_limit_seconds
        self.bytes_read = 0
        self.counting = threading.Lock()

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.deadline = 0.0
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.client.close()

    def start(self, function: Callable, *arguments: object) -> Future:
        """Call in a thread."""
        return self.pool.submit(function, *arguments)

    def wait_for(self, future: Future) -> object:
        """What the call gives, or its fault, or the fault that time is up."""
        if not wait([future], self._seconds_left()).done:
            raise self._too_slow()
        return future.result()

    def all(self, futures: dict[str, Future], progress: Progress | None) -> dict[str, Checkpoint]:
        """What all calls give; the first fault ends it."""
        waiting = set(futures.values())
        while waiting:
            done, waiting = wait(waiting, self._seconds_left(), FIRST_COMPLETED)
            if not done:
                raise self._too_slow()
            for future in done:
                future.result()
            if progress:
                progress(len(futures) - len(waiting), len(futures), self.bytes_read)
        return {file: future.result() for file, future in futures.items()}

    def listing(self) -> tuple[str, list[str]]:
        """The commit the revision stands for, and the repository's files."""
        from urllib.parse import quote

        url = f"{self.endpoint}/api/models/{self.address.repo_id}/revision/{quote(self.address.revision, safe='')}"
        content, _ = self._get(url, self.address.repo_id, 0, LISTING_LIMIT_BYTES + 1)
        try:
            answer = json.loads(content)
            names = [sibling["rfilename"] for sibling in answer["siblings"]]
            commit = answer.get("sha")
        except (ValueError, RecursionError, KeyError, TypeError):
            names = [None]
        if not all(isinstance(name, str) for name in names):
            raise ConfigError("hub_answer_malformed", endpoint=self.endpoint)
        is_commit = isinstance(commit, str) and len(commit) == 40 and commit.isalnum()
        return commit if is_commit else self.address.revision, names

    def whole(self, file: str, limit_bytes: int) -> bytes:
        """A small file, up to one byte over the limit."""
        return self._get(self._url(file), file, 0, limit_bytes + 1)[0]

    def config(self, file: str) -> Mapping[str, object]:
        """A config.json's values."""
        return read_config(self.whole(file, CONFIG_LIMIT_BYTES))

    def header(self, file: str) -> Checkpoint:
        """One file's tensors."""
        url, name = self._url(file), file.rpartition("/")[2]
        if file.endswith(".gguf"):
            stream = _Ahead(lambda begin, length: self._get(url, file, begin, length))
            first = stream.peek()
            return read_gguf_stream(io.BufferedReader(stream, 1), stream.size_bytes if first else 0, name)
        first, size_bytes = self._get(url, file, 0, LENGTH_BYTES)
        length = header_length(first, size_bytes if size_bytes is not None else 2**63, name)
        header, _ = self._get(url, file, LENGTH_BYTES, length) if length else (b"", None)
        if len(header) < length:
            raise ConfigError("hub_cut_short", file=quoted(file), endpoint=self.endpoint)
        return checkpoint_of(file, header, size_bytes, name)

    def _url(self, file: str) -> str:
        from huggingface_hub import hf_hub_url

        return hf_hub_url(self.address.repo_id, file, revision=self.revision, endpoint=self.endpoint)

    def _get(self, url: str, file: str, begin: int, length: int) -> tuple[bytes, int | None]:
        """`length` bytes from `begin` of a file, fewer where it ends before; and the file's size where it is told."""
        import httpx2

        seconds = min(STALL_SECONDS, self._seconds_left())
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        headers = self.headers | {"Range": f"bytes={begin}-{begin + length - 1}"}
        try:
            with self.client.stream("GET", url, headers=headers, timeout=timeout) as answer:
                if answer.status_code == 416:
                    return b"", begin
                self._check_status(answer.status_code, answer.headers, file)
                skip, size_bytes = (0, _size_of(answer.headers)) if answer.status_code == 206 else (begin, _length_of(answer.headers))
                content = bytearray()
                with contextlib.closing(answer.iter_bytes()) as chunks:
                    for chunk in self._in_time(chunks):
                        content += chunk
                        if len(content) >= skip + length:
                            break
                return bytes(content[skip : skip + length]), size_bytes
        except httpx2.TimeoutException:
            raise self._too_slow(seconds) from None
        except httpx2.RemoteProtocolError:
            raise ConfigError("hub_cut_short", file=quoted(file), endpoint=self.endpoint) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, RuntimeError, OSError) as error:
            if self._seconds_left() <= 0:
                raise self._too_slow() from None
            raise ConfigError("hub_unreachable", endpoint=self.endpoint, reason=quoted(str(error) or type(error).__name__)) from None

    def _in_time(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            with self.counting:
                self.bytes_read += len(chunk)
            if self._seconds_left() <= 0:
                raise self._too_slow()
            yield chunk

    def _check_status(self, status: int, headers: Mapping[str, str], file: str) -> None:
        if status in (200, 206):
            return
        model, code = self.address.repo_id, headers.get("x-error-code", "")
        mirror = MIRRORS.get(model.lower())
        if status == 401 and code != "GatedRepo" and not mirror:
            raise ConfigError("hub_needs_token", model=model)
        if status in (401, 403):
            if mirror:
                raise ConfigError("hub_forbidden_mirror", model=model, mirror=mirror)
            raise ConfigError("hub_forbidden", model=model)
        if status == 404 and (code == "EntryNotFound" or file != model):
            raise ConfigError("hub_no_such_file", file=quoted(file), model=model)
        if status == 404:
            raise ConfigError("hub_not_found", model=str(self.address), endpoint=self.endpoint)
        if status == 429:
            raise ConfigError("hub_too_many_requests", endpoint=self.endpoint)
        raise ConfigError("hub_failing", endpoint=self.endpoint, status=status)

    def _seconds_left(self) -> float:
        return max(self.deadline - time.monotonic(), 0.0)

    def _too_slow(self, seconds: float | None = None) -> ConfigError:
        return ConfigError("hub_too_slow", endpoint=self.endpoint, seconds=round(seconds or self.limit_seconds))


def _size_of(headers: Mapping[str, str]) -> int | None:
    """The file's size by a partial answer's `Content-Range: bytes 0-7/1234`."""
    size = headers.get("content-range", "").rpartition("/")[2]
    return int(size) if size.isascii() and size.isdigit() and len(size) < 20 else None


def _length_of(headers: Mapping[str, str]) -> int | None:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None


class _Ahead(io.RawIOBase):
    """A remote file read forward in pieces that grow from 64 KB to 1 MB."""

    FIRST, LARGEST = 65_536, 1_048_576

    def __init__(self, get: Callable[[int, int], tuple[bytes, int | None]]) -> None:
        self.get, self.size_bytes = get, None
        self.piece, self.at, self.fetched, self.length = b"", 0, 0, self.FIRST

    def peek(self) -> bool:
        """Fetch the first piece, and with it the file's size."""
        self._fetch()
        return bool(self.piece)

    def readable(self) -> bool:
        """It is for reading only."""
        return True

    def readinto(self, buffer: memoryview) -> int:
        """Fill what is asked for, as far as the fetched piece goes."""
        if self.at == len(self.piece):
            self._fetch()
        taken = self.piece[self.at : self.at + len(buffer)]
        buffer[: len(taken)] = taken
        self.at += len(taken)
        return len(taken)

    def _fetch(self) -> None:
        if self.fetched > GGUF_LIMIT_BYTES:
            self.piece, self.at = b"", 0
            return
        self.piece, size_bytes = self.get(self.fetched, self.length)
        self.size_bytes = size_bytes if self.size_bytes is None else self.size_bytes
        self.at, self.fetched = 0, self.fetched + len(self.piece)
        self.length = min(2 * self.length, self.LARGEST)
