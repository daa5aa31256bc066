"""A model of the Hub read through `huggingface_hub`: its config.json and the headers of its files, nothing else.

Its client brings the endpoint (HF_ENDPOINT), the token (HF_TOKEN) and the offline mode (HF_HUB_OFFLINE). Every read has
a total time limit, and every failure is one fault that says what to do.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from calc.checkpoint.choosing import chosen_files, is_index
from calc.checkpoint.gguf_header import parts_of_split, read_gguf_stream
from calc.checkpoint.hub_address import HubAddress
from calc.checkpoint.hub_requests import MIRRORS, HubRequests, ReadAhead
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
LISTING_LIMIT_BYTES = 20_000_000


def read_hub(
    address: HubAddress,
    progress: Progress | None = None,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    token: bool | None = None,
) -> Checkpoint:
    """The tensors of a model on the Hub, and its config.json; only headers are transferred.

    progress   told after each file and several times a second, (0, 0, bytes) before the files are known; what it
               raises ends the read
    token      None: the machine's own token goes along where it has one; False: it stays here

    A .gguf's header does not say how long it is: of such a file up to 1 MB more is read.

    Raises ConfigError: hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found, hub_no_such_file,
    hub_too_many_requests, hub_failing, hub_unreachable, hub_too_slow, hub_cut_short, hub_offline, hub_answer_malformed,
    no_checkpoint, several_checkpoints, and all that reading the headers raises.
    """
    if is_offline():
        return replace(_read_cached(cached_folder(address), address, progress), source=str(address))
    with _Reader(address, time_limit_seconds, token, progress) as reader:
        reader.revision, names = reader.wait_for(reader.start(reader.listing))
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
        read = reader.wait_for_all({file: reader.start(reader.header, file) for file in files})
        checkpoint = joined(str(address), {file: read[file] for file in files}, weight_map)
        values = reader.wait_for(config) if config else None
        return replace(checkpoint, bytes_read=reader.bytes_read, config=values)


def read_hub_config(
    address: HubAddress,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    token: bool | None = None,
    progress: Progress | None = None,
) -> Mapping[str, object]:
    """The values of the config.json of a model on the Hub; `token` and `progress` as `read_hub` has them.

    Raises ConfigError: as `read_hub` does, hub_no_config where there is none, and all that `read_config` raises.
    """
    without_config = ConfigError("hub_no_config", model=str(replace(address, path=None)))
    if is_offline():
        file = Path(cached_folder(address), "config.json")
        if not file.exists():
            raise without_config
        return read_config_file(file)
    with _Reader(address, time_limit_seconds, token, progress) as reader:
        try:
            return reader.wait_for(reader.start(reader.config, "config.json"))
        except ConfigError as error:
            if error.code == "hub_no_such_file":
                raise without_config from None
            raise


def open_copy_of(repo_id: str) -> str | None:
    """The open copy of a gated model, where one is known.

    >>> open_copy_of("meta-llama/Llama-2-7b-hf"), open_copy_of("openai-community/gpt2")
    ('NousResearch/Llama-2-7b-hf', None)
    """
    return MIRRORS.get(repo_id.lower())


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


class _Reader(HubRequests):
    """What is read of a model: the list of its files, small files, headers. `revision` becomes the commit once it is known."""

    def __init__(self, address: HubAddress, time_limit_seconds: float, token: bool | None, progress: Progress | None) -> None:
        super().__init__(address, time_limit_seconds, token, progress)
        self.revision = address.revision

    def listing(self) -> tuple[str, list[str]]:
        """The commit the revision stands for, and the repository's files."""
        from urllib.parse import quote

        url = f"{self.endpoint}/api/models/{self.address.repo_id}/revision/{quote(self.address.revision, safe='')}"
        content, _ = self.get(url, self.address.repo_id, 0, LISTING_LIMIT_BYTES + 1)
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
        return self.get(self._url(file), file, 0, limit_bytes + 1)[0]

    def config(self, file: str) -> Mapping[str, object]:
        """A config.json's values."""
        return read_config(self.whole(file, CONFIG_LIMIT_BYTES))

    def header(self, file: str) -> Checkpoint:
        """One file's tensors."""
        url, name = self._url(file), file.rpartition("/")[2]
        if file.endswith(".gguf"):
            stream = ReadAhead(lambda begin, length: self.get(url, file, begin, length))
            first = stream.peek()
            return read_gguf_stream(io.BufferedReader(stream, 1), stream.size_bytes if first else 0, name)
        first, size_bytes = self.get(url, file, 0, LENGTH_BYTES)
        length = header_length(first, size_bytes if size_bytes is not None else 2**63, name)
        header, _ = self.get(url, file, LENGTH_BYTES, length) if length else (b"", None)
        if len(header) < length:
            raise ConfigError("hub_cut_short", file=quoted(file), endpoint=self.endpoint)
        return checkpoint_of(file, header, size_bytes, name)

    def _url(self, file: str) -> str:
        from huggingface_hub import hf_hub_url

        return hf_hub_url(self.address.repo_id, file, revision=self.revision, endpoint=self.endpoint)
