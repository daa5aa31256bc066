"""A config as its family reads it: each field validated when it is asked for, and what was missing remembered.

A field that a config.json leaves out takes the default of the `transformers` class of its `model_type`
(`data/config_defaults.json`, written from the classes themselves), or the rule that class applies. Either way it is
listed as assumed, so that no figure rests on a value nobody has seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from calc.errors import ConfigError, quoted
from calc.lengths import Length

DEFAULTS_FILE = Path(__file__).parent / "data" / "config_defaults.json"


@dataclass(frozen=True, slots=True)
class Field:
    """A config field: the symbol it has in formulas and the largest value that is not taken for a slip."""

    symbol: str
    largest: int


FIELDS = {
    "hidden_size": Field("d", 1_000_000),
    "intermediate_size": Field("d_ff", 10_000_000),
    "num_hidden_layers": Field("L", 10_000),
    "num_attention_heads": Field("n_h", 100_000),
    "num_key_value_heads": Field("n_kv", 100_000),
    "head_dim": Field("head_dim", 100_000),
    "vocab_size": Field("V", 100_000_000),
    "max_position_embeddings": Field("n_ctx", 1_000_000_000),
}
"""Limits lie at least ten times above every published model."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value the config did not give. `rule` is how the class derives it (`d ÷ n_h`), None for a plain default."""

    field: str
    value: int | bool
    rule: str | None = None


def config_defaults() -> Mapping[str, Mapping]:
    """Per `model_type`: `class` (its name), `attribute_map` (generic name → own name), `defaults`, `nullable` (fields).

    Source: the `transformers` version named in the file.

    >>> config_defaults()["mistral"]["defaults"]["num_key_value_heads"]
    8
    """
    return _defaults_file()["types"]


def defaults_version() -> str:
    """The transformers version whose classes the defaults were read from."""
    return _defaults_file()["transformers"]


@cache
def _defaults_file() -> Mapping:
    return json.loads(DEFAULTS_FILE.read_text(encoding="utf-8"))


class Config:
    """The values of one config.json, asked for by the generic names of `transformers` (`hidden_size`, …).

    model_type   the config's type, which decides on names and defaults
    names        generic name → the family's own name, where the class's attribute_map does not have it

    >>> config = Config({"hidden_size": 2048, "num_attention_heads": 16}, "llama")
    >>> config.length("hidden_size")
    Length(symbol='d', value=2048, numbers='2048', is_sum=False)
    >>> config.flag("attention_bias"), config.assumed
    (False, (Assumption(field='attention_bias', value=False, rule=None),))
    """

    def __init__(self, values: Mapping[str, object], model_type: str, names: Mapping[str, str] | None = None) -> None:
        known = config_defaults()[model_type]
        self.model_type = model_type
        self.config_class: str = known["class"]
        self._values = values
        self._defaults: Mapping[str, object] = known["defaults"]
        self._own_names = {**known["attribute_map"], **(names or {})}
        self._replaced = frozenset(names or {})
        self._nullable: frozenset[str] = frozenset(known["nullable"])
        self._assumed: dict[str, Assumption] = {}
        self._sizes: dict[str, int | bool] = {}

    @property
    def sizes(self) -> dict[str, int | bool]:
        """Every field asked for so far, by its generic name, with the value it has."""
        return dict(self._sizes)

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What had to be filled in so far, in the order it was asked for."""
        return tuple(self._assumed.values())

    def own_name(self, field: str) -> str:
        """What this model's config.json calls a field: `n_embd` for GPT-2's `hidden_size`."""
        return self._own_names.get(field, field)

    def gives(self, field: str) -> bool:
        """Whether the config.json itself holds a value for a field."""
        return self._given(field)[1] is not None

    def length(self, field: str, otherwise: Callable[[], tuple[int, str]] | None = None) -> Length:
        """A size as a Length. `otherwise` is the class's rule for a config without it: (value, rule in symbols).

        Raises ConfigError: missing, null, not_a_number, not_an_integer, not_positive, too_big, two_names.
        """
        return Length.of(FIELDS[field].symbol, self.size(field, otherwise))

    def size(self, field: str, otherwise: Callable[[], tuple[int, str]] | None = None) -> int:
        """A size as an int; see `length`."""
        name, value = self._given(field)
        if value is not None:
            value = _checked_size(name, value, FIELDS[field].largest)
        elif otherwise and self._leaves_to_rule(field, name):
            value, rule = otherwise()
            self._assume(name, _checked_size(name, value, FIELDS[field].largest), rule)
        elif name in self._values:
            raise ConfigError("null", name, config_class=self.config_class)
        else:
            value = self._default(field, name)
        self._sizes[field] = value
        return value

    def flag(self, field: str) -> bool:
        """A true-or-false field. Raises ConfigError: missing, null_flag, not_a_flag, two_names."""
        name, value = self._given(field)
        if value is None:
            if name in self._values:
                raise ConfigError("null_flag", name, config_class=self.config_class)
            value = self._default(field, name)
        if not isinstance(value, bool):
            raise ConfigError("not_a_flag", name, value=quoted(value))
        self._sizes[field] = value
        return value

    def _given(self, field: str) -> tuple[str, object]:
        """The name under which the config holds a field, and its value; both names of a field must agree."""
        own = self.own_name(field)
        names = [own] if own == field or field in self._replaced else [own, field]
        present = [name for name in names if self._values.get(name) is not None]
        if len(present) == 2 and self._values[own] != self._values[field]:
            first, second = quoted(self._values[own]), quoted(self._values[field])
            raise ConfigError("two_names", own, other=field, first=first, second=second)
        if present:
            return present[0], self._values[present[0]]
        return next((name for name in names if name in self._values), own), None

    def _leaves_to_rule(self, field: str, name: str) -> bool:
        """Whether the class derives the field: null where it allows null, or missing where its default is null."""
        own = self.own_name(field)
        return own in self._nullable if name in self._values else self._defaults.get(own) is None

    def _default(self, field: str, name: str) -> int | bool:
        default = self._defaults.get(self.own_name(field))
        if default is None:
            raise ConfigError("missing", name, config_class=self.config_class)
        return self._assume(name, default)

    def _assume(self, name: str, value: int | bool, rule: str | None = None) -> int | bool:
        self._assumed[name] = Assumption(name, value, rule)
        return value


def _checked_size(name: str, value: object, largest: int) -> int:
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        raise ConfigError("not_a_number", name, value=quoted(value))
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError("not_an_integer", name, value=quoted(value))
    if value < 1:
        raise ConfigError("not_positive", name, value=quoted(value))
    if value > largest:
        raise ConfigError("too_big", name, value=quoted(value), largest=largest)
    return value
