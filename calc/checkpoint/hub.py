"""A checkpoint on the Hub: its config.json and the headers of its files, nothing else.

Every read has a total time limit, and every failure is one fault that says what to do.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from calc.checkpoint.choosing import chosen_files, is_index
from calc.checkpoint.gguf_header import LIMIT_BYTES as GGUF_LIMIT_BYTES
from calc.checkpoint.gguf_header import parts_of_split, read_gguf_stream
from calc.checkpoint.index import LIMIT_BYTES as INDEX_LIMIT_BYTES
from calc.checkpoint.index import joined, shards_of, weight_map_of
from calc.checkpoint.local import read_file, read_folder
from calc.checkpoint.safetensors_header import LENGTH_BYTES, checkpoint_of, header_length
from calc.checkpoint.stored import Checkpoint
from calc.errors import ConfigError, quoted
from calc.hub.address import HubAddress
from calc.hub.configs import CONFIG_FILE, TIME_LIMIT_SECONDS, cached_folder, config_of, is_offline
from calc.hub.requests import HubClient, HubRequests, Progress

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LISTING_LIMIT_BYTES = 20_000_000


def read_hub(
    address: HubAddress,
    progress: Progress | None = None,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    token: bool | None = None,
) -> Checkpoint:
    """The tensors of a model on the Hub, and its config.json; only headers are transferred.

    progress   called after each file and several times a second, (0, 0, bytes) before the files are known; what it
               raises ends the read
    token      None: the machine's own goes along where there is one; False: it stays here

    A .gguf's header does not say how long it is: of such a file up to 1 MB more is read.

    Raises ConfigError: hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found, hub_no_such_file,
    hub_too_many_requests, hub_failing, hub_unreachable, hub_too_slow, hub_cut_short, hub_offline, hub_answer_malformed,
    no_checkpoint, several_checkpoints, and all that reading the headers raises.
    """
    if is_offline():
        path = Path(cached_folder(address), address.path or "")
        cached = read_file(path, progress) if path.is_file() else read_folder(path, progress)
        return replace(cached, source=str(address))
    client = _Repository(address, time_limit_seconds, token)
    with HubRequests(client, progress) as requests:
        names = requests.ask(client.listing)
        folder, files = _files_of(names, address)
        weight_map = None
        if len(files) == 1 and is_index(files[0]):
            index_name = files[0]
            url = client.url(index_name, client.revision)
            content, _ = requests.ask(client.get, url, index_name, 0, INDEX_LIMIT_BYTES + 1)
            weight_map = {name: folder + shard for name, shard in weight_map_of(content, index_name).items()}
            files = shards_of(weight_map, index_name, names)
        config_file = folder + CONFIG_FILE
        config = requests.start(config_of, client, config_file, client.revision) if config_file in names else None
        headers = requests.wait_for_all({file: requests.start(client.header, file) for file in files})
        values = requests.wait_for(config) if config else None
        return replace(joined(str(address), headers, weight_map), bytes_read=client.bytes_read, config=values)


def _files_of(names: list[str], address: HubAddress) -> tuple[str, list[str]]:
    """The folder that the model lies in, `""` or `folder/`, and its files among those of the repository."""
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
    return folder + slash, [folder + slash + file for file in files]


class _Repository(HubClient):
    """What is read of a model: the list of its files, and headers. The listing turns `revision` into a commit."""

    def __init__(self, address: HubAddress, time_limit_seconds: float, token: bool | None) -> None:
        super().__init__(address, time_limit_seconds, token)
        self.revision = address.revision

    def listing(self) -> list[str]:
        """The repository's files; all that follows is read of the commit that the revision means now."""
        url = f"{self.endpoint}/api/models/{self.address.repo_id}/revision/{quote(self.revision, safe='')}"
        content, _ = self.get(url, self.address.repo_id, 0, LISTING_LIMIT_BYTES + 1)
        try:
            answer = json.loads(content)
            names = [sibling["rfilename"] for sibling in answer["siblings"]]
            commit = answer.get("sha")
        except (ValueError, RecursionError, KeyError, TypeError):
            raise ConfigError("hub_answer_malformed", endpoint=self.endpoint) from None
        if not all(isinstance(name, str) for name in names):
            raise ConfigError("hub_answer_malformed", endpoint=self.endpoint)
        if isinstance(commit, str) and len(commit) == 40 and commit.isalnum():
            self.revision = commit
        return names

    def header(self, file: str) -> Checkpoint:
        """One file's tensors."""
        url, name = self.url(file, self.revision), file.rpartition("/")[2]
        if file.endswith(".gguf"):
            stream = _ReadAhead(lambda begin, length: self.get(url, file, begin, length))
            return read_gguf_stream(io.BufferedReader(stream, 1), stream.size_bytes if stream.piece else 0, name)
        first, size_bytes = self.get(url, file, 0, LENGTH_BYTES)
        length = header_length(first, size_bytes if size_bytes is not None else 2**63, name)
        header, _ = self.get(url, file, LENGTH_BYTES, length) if length else (b"", None)
        if len(header) < length:
            raise ConfigError("hub_cut_short", file=quoted(file), endpoint=self.endpoint)
        return checkpoint_of(file, header, size_bytes, name)


class _ReadAhead(io.RawIOBase):
    """A remote file read forward in pieces that grow from 64 KB to 1 MB; the first, and with it the file's size, at once.

    get   from (begin, length) to the piece and the file's size, where the answer has it
    """

    FIRST, LARGEST = 65_536, 1_048_576

    def __init__(self, get: Callable[[int, int], tuple[bytes, int | None]]) -> None:
        self.get, self.size_bytes = get, None
        self.piece, self.at, self.fetched, self.length = b"", 0, 0, self.FIRST
        self._fetch()

    def readable(self) -> bool:
        """Yes: `io.BufferedReader` asks."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill what is asked for, as far as the fetched piece goes."""
        if self.at == len(self.piece):
            self._fetch()
        view = memoryview(buffer)
        part = self.piece[self.at : self.at + len(view)]
        view[: len(part)] = part
        self.at += len(part)
        return len(part)

    def _fetch(self) -> None:
        if self.fetched > GGUF_LIMIT_BYTES:
            self.piece, self.at = b"", 0
            return
        self.piece, size_bytes = self.get(self.fetched, self.length)
        self.size_bytes = size_bytes if self.size_bytes is None else self.size_bytes
        self.at, self.fetched = 0, self.fetched + len(self.piece)
        self.length = min(2 * self.length, self.LARGEST)
