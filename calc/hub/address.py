"""What a reader means by a model of the Hub: an id, with a revision, or an address copied from the browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from calc.errors import ConfigError, quoted

HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co", "hf-mirror.com")
WEIGHTS = (".safetensors", ".gguf", ".safetensors.index.json")
"""How the names of files of weights end."""
OPEN_COPIES = {
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
"""Of gated repositories, by lower-case id."""
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


def open_copy_of(repo_id: str) -> str | None:
    """The open copy of a gated model, where one is known.

    >>> open_copy_of("meta-llama/Llama-2-7b-hf"), open_copy_of("openai-community/gpt2")
    ('NousResearch/Llama-2-7b-hf', None)
    """
    return OPEN_COPIES.get(repo_id.lower())


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
