"""One value of a config: found under whatever name it has, validated, or filled in as the class does it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from calc.config.defaults import config_defaults
from calc.config.fields import checked_size, field_of
from calc.config.names import names_of_class
from calc.errors import ConfigError, quoted
from calc.lengths import Length

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value the config did not give. `rule` is how the class derives it (`d ÷ n_h`), None for a plain default."""

    field: str
    value: object = dataclasses.field(hash=False)  # a list of lists, where a class asks for one
    rule: str | None = None


@dataclass(slots=True)
class Asked:
    """What a family has asked a config for, and what it was told; a config and those inside it may share one.

    sizes     generic name → value
    assumed   name → what had to be filled in
    derived   sizes that nobody can set
    readers   generic name → the configs that were asked for it
    """

    sizes: dict[str, Any] = field(default_factory=dict)
    assumed: dict[str, Assumption] = field(default_factory=dict)
    derived: set[str] = field(default_factory=set)
    readers: dict[str, list[ConfigValues]] = field(default_factory=dict)


class ConfigValues:
    """The values of one config, asked for one by one by the generic names of `transformers` (`hidden_size`, …).

    kind    the config's type, or its class where that has no type, which decides on names and defaults; None for a
            config that no class reads: it has only the values it gives
    names   generic name → the family's own name, where the class's attribute_map does not have it
    """

    def __init__(self, values: Mapping[str, object], kind: str | None, names: Mapping[str, str] | None = None) -> None:
        known: Mapping = {} if kind is None else config_defaults()[kind]
        self.model_type = kind or ""
        self.config_class: str = known.get("class", "")
        self.path: tuple[str, ...] = ()
        self._values = values
        self._defaults: Mapping[str, object] = known.get("defaults", {})
        self._nullable: Collection[str] = known.get("nullable", ())
        self._names = names_of_class(kind, tuple(sorted((names or {}).items())))
        self._asked = Asked()
        self._fields: dict[str, None] = {}
        self._decided: dict[str, bool] = {}
        self._told_by: dict[str, str] = {}
        self._is_apart = False

    @property
    def sizes(self) -> dict[str, Any]:
        """Every field asked for so far, by its generic name, with the value it has."""
        return dict(self._asked.sizes)

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What had to be filled in so far, in the order it was asked for."""
        return tuple(self._asked.assumed.values())

    @property
    def derived_fields(self) -> frozenset[str]:
        """The sizes that nobody can set: see `derived`."""
        return frozenset(self._asked.derived)

    def own_name(self, field: str) -> str:
        """What this model's config.json calls a field: `n_embd` for GPT-2's `hidden_size`."""
        return self._names.own(field)

    def names_of(self, field: str) -> tuple[str, ...]:
        """Every name under which this model's config.json may hold a field, its own name first.

        >>> from calc.config import Config
        >>> Config({}, "xlnet").names_of("vocab_size"), Config({}, "gpt2").names_of("hidden_size")
        (('vocab_size', 'n_token'), ('n_embd', 'hidden_size'))
        """
        return self._names.all(field)

    def derived(self, field: str, value: int) -> Length:
        """A size that the class has no field for and derives from others: it counts, but nobody can set it."""
        self._asked.sizes[field] = value
        self._asked.derived.add(field)
        return Length.of(field_of(field).symbol, value)

    def decide(self, field: str, value: bool, *, told_by: str | None = None) -> None:
        """Fix a flag that is decided elsewhere, whatever the field itself says.

        told_by   the field of this config that decides it, such as an older name that the class heeds first
        """
        self._decided[field] = value
        if told_by is not None:
            self._told_by[field] = told_by
            self._told(field, value)

    def is_decided(self, field: str) -> bool:
        """Whether a flag is decided elsewhere: see `decide`."""
        return field in self._decided

    def settle(self, field: str, value: bool) -> None:
        """Remember what a flag amounts to that several configs have been asked for."""
        self._asked.sizes[field] = value

    def gives(self, field: str) -> bool:
        """Whether the config.json itself holds a value for a field."""
        return self._given(field)[1] is not None

    def has_default(self, field: str) -> bool:
        """Whether the class has a value for a field that the config.json leaves out."""
        return self._defaults.get(self.own_name(field)) is not None

    def default_is(self, field: str, value: object) -> bool:
        """Whether this is what the class takes for a missing field."""
        return self._defaults.get(self.own_name(field)) == value

    def text(self, field: str) -> str:
        """A text that may be anything, empty where the config has none."""
        value = self._given(field)[1]
        return value if isinstance(value, str) else ""

    def length(self, field: str, otherwise: Callable[[], tuple[int, str]] | None = None) -> Length:
        """A size as a Length. `otherwise` is the class's rule for a config without it: (value, rule in symbols).

        Raises ConfigError: missing, null, not_a_number, not_an_integer, not_positive, too_big, two_names.
        """
        return Length.of(field_of(field).symbol, self.size(field, otherwise))

    def size(self, field: str, otherwise: Callable[[], tuple[int, str]] | None = None, *, smallest: int = 1) -> int:
        """A size as an int; see `length`. `smallest` is 0 for a number of things that may be none."""
        name, value = self._given(field)
        if value is not None:
            value = checked_size(self._where(name), value, smallest, field_of(field).largest)
        elif otherwise and self._leaves_to_rule(field, name):
            value, rule = otherwise()
            self._assume(name, checked_size(self._where(name), value, smallest, field_of(field).largest), rule)
        else:
            value = self._default_of(field, name)
        return self._told(field, value)

    def automatic_length(self, field: str, rule: Callable[[], tuple[int, str]]) -> Length:
        """A size that may be the word `auto`, in the config or as the class's default: then the rule makes it; see `length`.

        >>> from calc.config import Config
        >>> Config({"time_step_rank": "auto"}, "mamba").automatic_length("time_step_rank", lambda: (48, "⌈d ÷ 16⌉")).value
        48
        >>> Config({"time_step_rank": 20}, "mamba").automatic_length("time_step_rank", lambda: (48, "⌈d ÷ 16⌉")).value
        20
        """
        name, value = self._given(field)
        if value is None and name not in self._values:
            value = self._defaults.get(self.own_name(field))
        if value != "auto":
            return self.length(field)
        size, written = rule()
        self._assume(name, size, written)
        return Length.of(field_of(field).symbol, self._told(field, size))

    def flag(self, field: str) -> bool:
        """A true-or-false field. Raises ConfigError: missing, null_flag, not_a_flag, two_names."""
        if field in self._decided:
            return self._decided[field]
        name, value = self._given(field)
        if value is None:
            if name in self._values:
                raise ConfigError("null_flag", self._where(name), config_class=self.config_class)
            value = self._default(field, name)
        if not isinstance(value, bool):
            raise ConfigError("not_a_flag", self._where(name), value=quoted(value))
        return self._told(field, value)

    def gives_or_defaults(self, field: str) -> bool:
        """Whether a field that may be null has a value: in the config.json, or as the class's default.

        null is an answer here: an explicit null is not assumed, a missing field is.
        """
        name, value = self._given(field)
        default = None if name in self._values else self._defaults.get(self.own_name(field))
        if name not in self._values and default is None:
            self._assume(name, None)
        return value is not None or default is not None

    def number(self, field: str) -> int | float:
        """A number that need not be whole: a ratio such as an expansion factor.

        Raises ConfigError: missing, null, not_a_number, not_positive, two_names.
        """
        name, value = self._given(field)
        if value is None:
            value = self._default_of(field, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
            raise ConfigError("not_a_number", self._where(name), value=quoted(value))
        if value <= 0:
            raise ConfigError("not_positive", self._where(name), value=quoted(value))
        return self._told(field, value)

    def word(self, field: str, among: Collection[str]) -> str:
        """A text field that chooses between variants. Raises ConfigError: missing, null, not_among, two_names."""
        name, value = self._given(field)
        if value is None:
            value = self._default_of(field, name)
        if value not in among:
            raise self._not_among(name, value, among)
        return self._told(field, value)

    def _given(self, field: str) -> tuple[str, Any]:
        """The name under which the config holds a field, and its value; both names of a field must agree."""
        names, values = self._names.all(field), self._values
        self._fields[field] = None
        for name in self._names.first(field):
            if values.get(name) is not None:
                return name, values[name]
        present = [name for name in names if values.get(name) is not None]
        for other in present[1:]:
            first, second = values[present[0]], values[other]
            if first != second:
                raise ConfigError(
                    "two_names", self._where(present[0]), other=self._where(other), first=quoted(first), second=quoted(second)
                )
        if present:
            return present[0], values[present[0]]
        return next((name for name in names if name in values), names[0]), None

    def _told(self, field: str, value: T) -> T:
        """Remember the answer to a question, and give it."""
        self._asked.sizes[field] = value
        readers = self._asked.readers.setdefault(field, [])
        if self not in readers:
            readers.append(self)
        return value

    def _leaves_to_rule(self, field: str, name: str) -> bool:
        """Whether the class derives the field: null where it allows null, or missing where its default is null."""
        own = self.own_name(field)
        return own in self._nullable if name in self._values else self._defaults.get(own) is None

    def _default_of(self, field: str, name: str) -> Any:
        if name in self._values:
            raise ConfigError("null", self._where(name), config_class=self.config_class)
        return self._default(field, name)

    def _default(self, field: str, name: str) -> Any:
        default = self._defaults.get(self.own_name(field))
        if default is None:
            raise ConfigError("missing", self._where(name), config_class=self.config_class)
        return self._assume(name, default)

    def _assume(self, name: str, value: T, rule: str | None = None) -> T:
        name = self._where(name) if self._is_apart else name
        self._asked.assumed[name] = Assumption(name, value, rule)
        return value

    def _where(self, name: str) -> str:
        """A field's name with the fields around it: `text_config.hidden_size`."""
        return ".".join((*self.path, name)) if self.path else name

    def _not_among(self, name: str, value: object, among: Collection[str]) -> ConfigError:
        return ConfigError("not_among", self._where(name), value=quoted(value), among=", ".join(sorted(among)))
