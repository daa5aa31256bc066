"""The names a field has: the generic one of `transformers`, the class's own, and those its attribute_map adds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from calc.config.defaults import config_defaults


class Names:
    """Which names a config class reads a field under.

    kind       the class, as a key of `config_defaults`; None for a config that no class reads
    replaced   generic name → own name, where the class's attribute_map does not have it; nothing else is read then
    of_class   every name the class knows
    """

    def __init__(self, kind: str | None, replaced: Mapping[str, str]) -> None:
        known: Mapping = {"attribute_map": {}, "defaults": {}} if kind is None else config_defaults()[kind]
        self._defaults = known["defaults"]
        self._own = {**known["attribute_map"], **replaced}
        self._replaced = frozenset(replaced)
        self._earlier: Mapping[str, str] = known.get("earlier", {})
        self.of_class = frozenset([*known["defaults"], *known["attribute_map"], *self._earlier, *known.get("taken", ())])
        self._found: dict[str, tuple[str, ...]] = {}

    def own(self, field: str) -> str:
        """The class's own name of a field."""
        own = self._own.get(field, field)
        # an attribute_map may also point from the declared name to another one
        return field if own not in self._defaults and field in self._defaults else own

    def all(self, field: str) -> tuple[str, ...]:
        """Every name of a field, the class's own first."""
        found = self._found.get(field)
        if found is None:
            found = self._found[field] = self._search(field)
        return found

    def first(self, field: str) -> tuple[str, ...]:
        """The earlier names of a field, which the class heeds before all others.

        >>> names_of_class("bloom").first("hidden_size"), names_of_class("bloom").first("n_layer")
        (('n_embed',), ())
        """
        if not self._earlier:
            return ()
        return tuple(name for name, target in self._earlier.items() if target in (self.own(field), field))

    def _search(self, field: str) -> tuple[str, ...]:
        own = self.own(field)
        if field in self._replaced:
            return (own, *self.first(field))
        mapped = [name for name, target in self._own.items() if target == own and name not in self._replaced]
        return tuple(dict.fromkeys((own, self._own.get(field, field), field, *mapped, *self.first(field))))


@lru_cache(maxsize=1024)
def names_of_class(kind: str | None, replaced: tuple[tuple[str, str], ...] = ()) -> Names:
    """The names of one class, found once a process: there are as many classes as types."""
    return Names(kind, dict(replaced))
