"""What a reader means by a model of the Hub: an id, with a revision, or an address copied from the browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from calc.errors import ConfigError, quoted

HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co", "hf-mirror.com")
WEIGHTS = (".safetensors", ".gguf", ".safetensors.index.json")
_PART = r"[A-Za-z0-9](?:[\w.-]{0,94}[\w])?"
_ID = re.compile(rf"{_PART}/{_PART}|{_PART}", re.ASCII)
_REVISION = re.compile(r"(?!.*\.\.)[A-Za-z0-9_][\w./+-]{0,199}", re.ASCII)
_IN_THE_FOLDER = re.compile(r"(?!.*(^|/)\.{1,2}(/|$))[^\\\0?#%:]{1,300}")


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A model on the Hub.

    repo_id    `org/name`, or one word for the oldest models
    revision   branch, tag or commit
    path       a file or folder in it, None for the whole
    """

    repo_id: str
    revision: str = "main"
    path: str | None = None

    def __str__(self) -> str:
        revision = "" if self.revision == "main" else f"@{self.revision}"
        return f"{self.repo_id}{revision}" + (f"/{self.path}" if self.path else "")


def hub_address(value: str, endpoint: str | None = None) -> HubAddress | None:
    """The model that an id or a pasted address means; None where the text is neither.

    endpoint   the mirror in use, whose addresses count too

    Raises ConfigError: not_a_hub_model.

    >>> hub_address("https://huggingface.co/Qwen/Qwen3-0.6B/tree/main")
    HubAddress(repo_id='Qwen/Qwen3-0.6B', revision='main', path=None)
    >>> hub_address("Qwen/Qwen3-0.6B@refs/pr/3").revision
    'refs/pr/3'
    >>> hub_address("org/name/folder/m.Q4_0.gguf")
    HubAddress(repo_id='org/name', revision='main', path='folder/m.Q4_0.gguf')
    >>> hub_address("../etc/passwd") is None
    True
    """
    value = value.strip()
    if len(value) > 1000:
        return None
    bare, is_address = _without_host(value, endpoint)
    if bare is None:
        raise ConfigError("not_a_hub_model", value=quoted(value))
    if not is_address:
        bare, path = _without_file(bare)
        name, _, revision = bare.partition("@")
        if _ID.fullmatch(name) and ".." not in name and (not revision or _REVISION.fullmatch(revision)):
            return HubAddress(name, revision or "main", path)
        return None
    address = _of_path([unquote(part) for part in bare.split("/") if part])
    if address is None:
        raise ConfigError("not_a_hub_model", value=quoted(value))
    return address


def _without_host(value: str, endpoint: str | None) -> tuple[str | None, bool]:
    """What follows the host, and whether there was one; None for another site's address."""
    if value.startswith("hf://"):
        return value.removeprefix("hf://"), False
    with_scheme = value if "://" in value else f"https://{value}"
    try:
        parts = urlsplit(with_scheme)
        own = urlsplit(endpoint) if endpoint else None
        if own and parts.netloc == own.netloc and parts.path.startswith(own.path.rstrip("/") + "/"):
            return parts.path.removeprefix(own.path.rstrip("/")), True
        if parts.hostname in HOSTS:
            return parts.path, True
    except ValueError:
        return None, True
    return (None, True) if "://" in value else (value, False)


def _without_file(value: str) -> tuple[str, str | None]:
    """`org/name/file` → `org/name` and the file, where it is one of weights by its name."""
    organisation, _, rest = value.partition("/")
    name, _, path = rest.partition("/")
    is_file = path.lower().endswith(WEIGHTS) and _IN_THE_FOLDER.fullmatch(path)
    return (f"{organisation}/{name}", path) if is_file else (value, None)


def _of_path(parts: list[str]) -> HubAddress | None:
    """`org/name[/tree|blob|resolve/revision[/path]]`."""
    if parts[:1] == ["models"]:
        parts = parts[1:]
    if parts[:1] in (["datasets"], ["spaces"], ["api"], ["docs"], ["collections"], ["papers"]):
        return None
    kind = next((n for n, part in enumerate(parts[:3]) if n and part in ("tree", "blob", "resolve", "raw", "commit")), None)
    name = "/".join(parts[:2] if kind is None else parts[:kind])
    if not _ID.fullmatch(name) or ".." in name:
        return None
    if kind is None or len(parts) <= kind + 1:
        return HubAddress(name)
    rest = parts[kind + 1 :]
    length = 3 if rest[:2] == ["refs", "pr"] and len(rest) > 2 else 1
    revision, path = "/".join(rest[:length]), "/".join(rest[length:]) or None
    if not _REVISION.fullmatch(revision) or (path and not _IN_THE_FOLDER.fullmatch(path)):
        return None
    return HubAddress(name, revision, path)
