"""A config as its family reads it: each field validated when it is asked for, and what was missing remembered.

A field that a config.json leaves out takes the default of the `transformers` class of its `model_type`
(`data/config_defaults.json`, written from the classes themselves), or the rule that class applies. Either way it is
listed as assumed, so that no figure rests on a value nobody has seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
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


FIELDS: dict[str, Field] = {
    "hidden_size": Field("d", 1_000_000),
    "intermediate_size": Field("d_ff", 10_000_000),
    "num_hidden_layers": Field("L", 10_000),
    "num_attention_heads": Field("n_h", 100_000),
    "num_key_value_heads": Field("n_kv", 100_000),
    "head_dim": Field("head_dim", 100_000),
    "vocab_size": Field("V", 100_000_000),
    "max_position_embeddings": Field("n_ctx", 1_000_000_000),
    "moe_intermediate_size": Field("d_expert", 10_000_000),
    "num_experts": Field("E", 100_000),
    "num_local_experts": Field("E", 100_000),
    "n_routed_experts": Field("E", 100_000),
    "num_experts_per_tok": Field("k", 100_000),
    "n_shared_experts": Field("E_shared", 1_000),
    "q_lora_rank": Field("r_q", 1_000_000),
    "kv_lora_rank": Field("r_kv", 1_000_000),
    "qk_nope_head_dim": Field("d_nope", 100_000),
    "qk_rope_head_dim": Field("d_rope", 100_000),
    "v_head_dim": Field("d_v", 100_000),
}
"""The fields that have a symbol of their own. Limits lie at least ten times above every published model."""

_KINDS = {int: "integer", bool: "boolean", str: "string"}

LARGEST_OTHER = 10_000_000
"""Limit of a field that only one family has; its symbol is its name."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value the config did not give. `rule` is how the class derives it (`d ÷ n_h`), None for a plain default."""

    field: str
    value: object
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
        self._sizes: dict[str, object] = {}
        self._derived: set[str] = set()

    @property
    def sizes(self) -> dict[str, object]:
        """Every field asked for so far, by its generic name, with the value it has."""
        return dict(self._sizes)

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What had to be filled in so far, in the order it was asked for."""
        return tuple(self._assumed.values())

    def own_name(self, field: str) -> str:
        """What this model's config.json calls a field: `n_embd` for GPT-2's `hidden_size`."""
        own = self._own_names.get(field, field)
        # an attribute_map may also point from the declared name to another one
        return field if own not in self._defaults and field in self._defaults else own

    def names_of(self, field: str) -> tuple[str, ...]:
        """Every name under which this model's config.json may hold a field, its own name first.

        >>> Config({}, "xlnet").names_of("vocab_size"), Config({}, "gpt2").names_of("hidden_size")
        (('vocab_size', 'n_token'), ('n_embd', 'hidden_size'))
        """
        own = self.own_name(field)
        if field in self._replaced:
            return (own,)
        mapped = [name for name, target in self._own_names.items() if target == own and name not in self._replaced]
        return tuple(dict.fromkeys((own, self._own_names.get(field, field), field, *mapped)))

    def derived(self, field: str, value: int) -> Length:
        """A size that the class has no field for and derives from others: it counts, but nobody can set it."""
        self._sizes[field] = value
        self._derived.add(field)
        return Length.of(field_of(field).symbol, value)

    @property
    def derived_fields(self) -> frozenset[str]:
        """The sizes that nobody can set: see `derived`."""
        return frozenset(self._derived)

    def gives(self, field: str) -> bool:
        """Whether the config.json itself holds a value for a field."""
        return self._given(field)[1] is not None

    def length(self, field: str, otherwise: Callable[[], tuple[int, str]] | None = None) -> Length:
        """A size as a Length. `otherwise` is the class's rule for a config without it: (value, rule in symbols).

        Raises ConfigError: missing, null, not_a_number, not_an_integer, not_positive, too_big, two_names.
        """
        return Length.of(field_of(field).symbol, self.size(field, otherwise))

    def size(self, field: str, otherwise: Callable[[], tuple[int, str]] | None = None, *, smallest: int = 1) -> int:
        """A size as an int; see `length`. `smallest` is 0 for a number of things that may be none."""
        name, value = self._given(field)
        if value is not None:
            value = _checked_size(name, value, smallest, field_of(field).largest)
        elif otherwise and self._leaves_to_rule(field, name):
            value, rule = otherwise()
            self._assume(name, _checked_size(name, value, smallest, field_of(field).largest), rule)
        else:
            value = self._default_of(field, name)
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
            raise ConfigError("not_a_number", name, value=quoted(value))
        if value <= 0:
            raise ConfigError("not_positive", name, value=quoted(value))
        self._sizes[field] = value
        return value

    def word(self, field: str, among: Collection[str]) -> str:
        """A text field that chooses between variants. Raises ConfigError: missing, null, not_among, two_names."""
        name, value = self._given(field)
        if value is None:
            value = self._default_of(field, name)
        if value not in among:
            raise ConfigError("not_among", name, value=quoted(value), among=", ".join(sorted(among)))
        self._sizes[field] = value
        return value

    def items(self, field: str, kind: type, otherwise: Callable[[], Sequence] | None = None) -> tuple:
        """A list of ints, bools or texts. `otherwise` makes the list that the class derives for a config without one.

        Raises ConfigError: missing, null, not_a_list, two_names.
        """
        name, value = self._given(field)
        if value is None and otherwise and self._leaves_to_rule(field, name):
            value = list(otherwise())
            self._assume(name, tuple(value))
        elif value is None:
            value = self._default_of(field, name)
        wrong = not isinstance(value, list | tuple) or any(
            not isinstance(item, kind) or (isinstance(item, bool) and kind is not bool) for item in value
        )
        if wrong:
            raise ConfigError("not_a_list", name, value=quoted(value), kind=_KINDS[kind])
        self._sizes[field] = tuple(value)
        return tuple(value)

    def per_layer(self, field: str, among: Collection[str], otherwise: Callable[[], Sequence[str]] | None = None) -> tuple[str, ...]:
        """A text for each layer, such as `layer_types`. Raises ConfigError as `items`, and not_among, not_one_a_layer."""
        kinds = self.items(field, str, otherwise)
        name, number_of_layers = self._given(field)[0], self.size("num_hidden_layers")
        if len(kinds) != number_of_layers:
            raise ConfigError("not_one_a_layer", name, items=len(kinds), layers=number_of_layers)
        for kind in kinds:
            if kind not in among:
                raise ConfigError("not_among", name, value=quoted(kind), among=", ".join(sorted(among)))
        return kinds

    def automatic_length(self, field: str, rule: Callable[[], tuple[int, str]]) -> Length:
        """A size that may be the word `auto`, in the config or as the class's default: then the rule makes it; see `length`.

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
        self._sizes[field] = size
        return Length.of(field_of(field).symbol, size)

    def size_per_layer(self, field: str) -> tuple[int, ...]:
        """A size for each layer: a list with one entry a layer, or one number for all of them.

        Raises ConfigError as `size` and `items`, and not_one_a_layer.

        >>> Config({"num_hidden_layers": 2, "intermediate_size": 64}, "gemma3n_text").size_per_layer("intermediate_size")
        (64, 64)
        >>> Config({"num_hidden_layers": 2, "intermediate_size": [64, 32]}, "gemma3n_text").size_per_layer("intermediate_size")
        (64, 32)
        """
        name, value = self._given(field)
        number_of_layers = self.size("num_hidden_layers")
        if not isinstance(value, list | tuple):
            return (self.size(field),) * number_of_layers
        if len(value) != number_of_layers:
            raise ConfigError("not_one_a_layer", name, items=len(value), layers=number_of_layers)
        return tuple(_checked_size(name, item, 1, field_of(field).largest) for item in self.items(field, int))

    def letters(self, field: str, among: Collection[str]) -> tuple[str, ...]:
        """A text in which each letter stands for a layer. Raises ConfigError: null, missing, not_among.

        >>> Config({"hybrid_override_pattern": "M-M*"}, "nemotron_h").letters("hybrid_override_pattern", "M-*")
        ('M', '-', 'M', '*')
        """
        name, value = self._given(field)
        if value is None:
            value = self._default_of(field, name)
        if not isinstance(value, str) or not set(value) <= set(among):
            raise ConfigError("not_among", name, value=quoted(value), among=", ".join(sorted(among)))
        self._sizes[field] = value
        return tuple(value)

    def inside(
        self, field: str, model_type: str | None = None, *, or_beside: bool = False, defaults: Mapping[str, object] | None = None
    ) -> Config:
        """The config that stands inside a field, such as `text_config`; an empty one where the field is missing or null.

        model_type   the type whose class gives it names and defaults; what it is asked for then counts as asked of this
                     config. Without it, it has only the values it gives.
        or_beside    whether its fields stand beside `field` where that is missing or null
        defaults     what its class takes for a missing field, where no type gives it defaults

        Raises ConfigError: not_among.

        >>> outer = Config({"text_config": {"hidden_size": 64}}, "qwen3_5")
        >>> inner = outer.inside("text_config", "qwen3_5_text")
        >>> inner.size("hidden_size"), inner.size("num_attention_heads"), [assumption.field for assumption in outer.assumed]
        (64, 16, ['num_attention_heads'])
        """
        values = self._values.get(field)
        if values is not None and not isinstance(values, Mapping):
            raise ConfigError("not_among", field, value=quoted(values), among="{…}")
        inner = copy(self)
        inner._values = values or (self._values if or_beside and values is None else {})
        if model_type is None:
            inner._defaults, inner._own_names, inner._replaced, inner._nullable = defaults or {}, {}, frozenset(), frozenset()
            inner._assumed, inner._sizes = {}, {}
        else:
            Config.__init__(inner, inner._values, model_type)
            inner._assumed, inner._sizes = self._assumed, self._sizes
        if values is not None:
            self._sizes[field] = values
        return inner

    def _default_of(self, field: str, name: str) -> object:
        if name in self._values:
            raise ConfigError("null", name, config_class=self.config_class)
        return self._default(field, name)

    def _given(self, field: str) -> tuple[str, object]:
        """The name under which the config holds a field, and its value; both names of a field must agree."""
        own, names = self.own_name(field), self.names_of(field)
        present = [name for name in names if self._values.get(name) is not None]
        for other in present[1:]:
            first, second = self._values[present[0]], self._values[other]
            if first != second:
                raise ConfigError("two_names", present[0], other=other, first=quoted(first), second=quoted(second))
        if present:
            return present[0], self._values[present[0]]
        return next((name for name in names if name in self._values), own), None

    def _leaves_to_rule(self, field: str, name: str) -> bool:
        """Whether the class derives the field: null where it allows null, or missing where its default is null."""
        own = self.own_name(field)
        return own in self._nullable if name in self._values else self._defaults.get(own) is None

    def _default(self, field: str, name: str) -> object:
        default = self._defaults.get(self.own_name(field))
        if default is None:
            raise ConfigError("missing", name, config_class=self.config_class)
        return self._assume(name, default)

    def _assume(self, name: str, value: object, rule: str | None = None) -> object:
        self._assumed[name] = Assumption(name, value, rule)
        return value


def field_of(name: str) -> Field:
    """What is known of a field; one that is not in FIELDS has its name for a symbol."""
    return FIELDS.get(name) or Field(name, LARGEST_OTHER)


def _checked_size(name: str, value: object, smallest: int, largest: int) -> int:
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        raise ConfigError("not_a_number", name, value=quoted(value))
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError("not_an_integer", name, value=quoted(value))
    if value < smallest and smallest:
        raise ConfigError("not_positive", name, value=quoted(value))
    if value < smallest:
        raise ConfigError("negative", name, value=quoted(value))
    if value > largest:
        raise ConfigError("too_big", name, value=quoted(value), largest=largest)
    return value
