"""The models of the Hub whose names contain some words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from calc.errors import ConfigError
from calc.hub.address import HubAddress, hub_address
from calc.hub.configs import is_offline
from calc.hub.requests import HubClient, HubRequests, Progress

TIME_LIMIT_SECONDS = 6.0
"""Of a whole search; the Hub takes a fraction of a second."""
MODELS = 10
LONGEST_WORDS = 200
ANSWER_LIMIT_BYTES = 1_000_000
"""Ten models take 2 KB as they are asked for here, 30 KB from a mirror that sends every field."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A model of the Hub.

    repo_id        `org/name`, or one word for the oldest models
    downloads      in the last 30 days, None where the Hub does not say
    pipeline_tag   what it is for, `text-generation`
    gated          whether its files are given only to those who have accepted its licence
    """

    repo_id: str
    downloads: int | None = None
    pipeline_tag: str | None = None
    gated: bool = False


def search_hub(
    words: str,
    models: int = MODELS,
    time_limit_seconds: float = TIME_LIMIT_SECONDS,
    token: bool | None = None,
    progress: Progress | None = None,
) -> tuple[SearchResult, ...]:
    """The models of the Hub whose ids contain `words`, at most `models`, the most downloaded first; none for no words.

    token      None: the machine's own token goes along where it has one; False: it stays here
    progress   called several times a second; what it raises ends the search

    Raises ConfigError: hub_search_offline, hub_search_refused, hub_too_many_requests, hub_failing, hub_unreachable,
    hub_too_slow, hub_cut_short, hub_answer_malformed.
    """
    words = " ".join(words.split())[:LONGEST_WORDS]
    if not words:
        return ()
    if is_offline():
        raise ConfigError("hub_search_offline")
    client = _SearchClient(HubAddress(words), time_limit_seconds, token)
    with HubRequests(client, progress) as requests:
        return requests.ask(client.results, words, models)


class _SearchClient(HubClient):
    """Asks for names, of no model in particular."""

    def results(self, words: str, models: int) -> tuple[SearchResult, ...]:
        """What the Hub answers, as far as it is models."""
        query = {"search": words.encode("utf-8", "replace"), "sort": "downloads", "limit": models}
        encoded = urlencode({**query, "expand": ("downloads", "gated", "pipeline_tag")}, doseq=True)
        content, _ = self.get(f"{self.endpoint}/api/models?{encoded}", "api/models", 0, ANSWER_LIMIT_BYTES + 1)
        try:
            answer = json.loads(content) if len(content) <= ANSWER_LIMIT_BYTES else None
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, list) or not all(isinstance(entry, dict) for entry in answer):
            raise ConfigError("hub_answer_malformed", endpoint=self.endpoint)
        return tuple(filter(None, map(_model_of, answer)))[:models]

    def check_status(self, status: int, headers: Mapping[str, str], file: str) -> None:
        """As for a model, but that no model is refused."""
        if status in (401, 403):
            raise ConfigError("hub_search_refused", endpoint=self.endpoint, status=status)
        if status == 404:
            raise ConfigError("hub_answer_malformed", endpoint=self.endpoint)
        super().check_status(status, headers, file)


def _model_of(entry: Mapping[str, object]) -> SearchResult | None:
    """One model of an answer; None for what no model can be called."""
    repo_id, downloads, purpose = entry.get("id"), entry.get("downloads"), entry.get("pipeline_tag")
    if not isinstance(repo_id, str) or not _is_id(repo_id):
        return None
    if not isinstance(downloads, int) or isinstance(downloads, bool) or downloads < 0:
        downloads = None
    is_gated = entry.get("gated") not in (None, False)
    return SearchResult(repo_id, downloads, purpose if isinstance(purpose, str) else None, is_gated)


def _is_id(text: str) -> bool:
    try:
        return hub_address(text) == HubAddress(text)
    except ConfigError:
        return False
