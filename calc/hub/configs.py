"""A model's config.json on the Hub, read through `huggingface_hub`.

Its client brings the endpoint (HF_ENDPOINT), the token (HF_TOKEN) and the offline mode (HF_HUB_OFFLINE).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from calc.errors import ConfigError
from calc.hub.address import HubAddress
from calc.hub.requests import HubClient, HubRequests, NoSuchFile, Progress
from calc.read_config import LIMIT_BYTES, read_config, read_config_file

TIME_LIMIT_SECONDS = 60.0
"""Of a whole read; DeepSeek-V3's 163 headers take 10 to 20 s on an ordinary line."""
CONFIG_FILE = "config.json"


def read_hub_config(
    address: HubAddress,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    token: bool | None = None,
    progress: Progress | None = None,
) -> Mapping[str, object]:
    """The values of the config.json of a model on the Hub.

    token      None: the machine's own goes along where there is one; False: it stays here
    progress   called several times a second; what it raises ends the read

    Raises ConfigError: hub_needs_token, hub_forbidden, hub_forbidden_mirror, hub_not_found, hub_too_many_requests,
    hub_failing, hub_unreachable, hub_too_slow, hub_cut_short, hub_offline, hub_no_config where there is none, and all
    that `read_config` raises.
    """
    without_config = ConfigError("hub_no_config", model=str(replace(address, path=None)))
    if is_offline():
        file = Path(cached_folder(address), CONFIG_FILE)
        if not file.exists():
            raise without_config
        return read_config_file(file)
    client = HubClient(address, time_limit_seconds, token)
    with HubRequests(client, progress) as requests:
        try:
            return requests.ask(config_of, client, CONFIG_FILE, address.revision)
        except NoSuchFile:
            raise without_config from None


def config_of(client: HubClient, file: str, revision: str) -> Mapping[str, object]:
    """The values of a config.json, asked for now. Raises ConfigError as `HubClient.get` and `read_config` do."""
    return read_config(client.get(client.url(file, revision), file, 0, LIMIT_BYTES + 1)[0])


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
