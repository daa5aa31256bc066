"""A config inside a config, as a wrapper around a language model has one for each of its parts."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from calc.config.defaults import ALIASES, config_defaults
from calc.config.lists import ConfigLists
from calc.config.not_read import NotRead, bears_on_count, is_structural, similar_field
from calc.config.values import Asked
from calc.errors import ConfigError, quoted

SETTINGS = frozenset(
    [
        "quantization_config",
        "compression_config",
        "generation_config",
        "attn_config",
        "ffn_config",
        "linear_attn_config",
        "sparse_attention_config",
        "rope_config",
        "peft_config",
        "lora_config",
    ]
)
"""Fields that end in `_config` and describe no part of a model."""


class Config(ConfigLists):
    """The values of one config.json, asked for by the generic names of `transformers` (`hidden_size`, …).

    kind    the config's type, which decides on names and defaults
    names   generic name → the family's own name, where the class's attribute_map does not have it

    >>> config = Config({"hidden_size": 2048, "num_attention_heads": 16}, "llama")
    >>> config.length("hidden_size")
    Length(symbol='d', value=2048, numbers='2048', is_sum=False)
    >>> config.flag("attention_bias"), config.assumed
    (False, (Assumption(field='attention_bias', value=False, rule=None),))
    """

    def __init__(self, values: Mapping[str, object], kind: str | None, names: Mapping[str, str] | None = None) -> None:
        super().__init__(values, kind, names)
        self._inner: list[Config] = []
        self._parts_read: dict[str, None] = {}
        self._implied: dict[str, object] = {}

    def unread(self) -> Config:
        """The same config, of which nothing has been asked yet.

        >>> config = Config({"hidden_size": 64}, "llama")
        >>> config.size("vocab_size"), config.sizes, config.unread().sizes
        (32000, {'vocab_size': 32000}, {})
        """
        same = copy.copy(self)
        same._asked, same._fields, same._inner, same._parts_read = Asked(), {}, [], {}
        return same

    def inside(
        self, field: str, kind: str | None = None, *, or_beside: bool = False, names: Mapping[str, str] | None = None
    ) -> Config:
        """The config that stands inside a field, such as `text_config`; what the class puts there where it is missing or null.

        kind        the type whose class gives it names and defaults; what it is asked for then counts as asked of this
                    config. Without it, it has only the values it gives.
        or_beside   whether its fields stand beside `field` where that is missing or null
        names       as for a Config

        Raises ConfigError: not_among.

        >>> outer = Config({"text_config": {"hidden_size": 64}}, "qwen3_5")
        >>> inner = outer.inside("text_config", "qwen3_5_text")
        >>> inner.size("hidden_size"), inner.size("num_attention_heads"), [assumption.field for assumption in outer.assumed]
        (64, 16, ['num_attention_heads'])
        """
        inner = self._config_in(field, kind, or_beside, names)
        if kind is not None:
            inner._asked, inner._is_apart = self._asked, self._is_apart
        return inner

    def apart(self, field: str) -> Config:
        """The config in a field whose part of the model has sizes of its own, such as an image encoder's `vision_config`.

        What is assumed of it is listed under both names. Raises ConfigError: not_among.

        >>> outer = Config({"vision_config": {"patch_size": 14}}, "git")
        >>> inner = outer.apart("vision_config")
        >>> inner.size("patch_size"), inner.size("hidden_size"), outer.sizes.get("hidden_size")
        (14, 768, None)
        >>> [assumption.field for assumption in outer.assumed]
        ['vision_config.hidden_size']
        """
        inner = self._config_in(field, self.type_inside(field), False, None)
        inner._asked = Asked(assumed=self._asked.assumed)
        inner._is_apart = True
        return inner

    def type_inside(self, field: str) -> str | None:
        """The type of the config in a field: what it says itself where the class leaves that open, what the class puts there otherwise."""
        known = config_defaults().get(self.model_type, {})
        if field in known.get("inside", {}):
            return known["inside"][field]
        values = self._mapping(field)
        said = values.get("model_type") if values else None
        return ALIASES.get(said, said) if isinstance(said, str) else known.get("any_inside", {}).get(field)

    def holds(self, field: str) -> bool:
        """Whether a field holds a config."""
        return isinstance(self._values.get(field), Mapping)

    def entries(self, field: str) -> int:
        """How many names an object gives, such as the labels of `id2label`; 0 where there is none."""
        value = self._given(field)[1]
        return len(value) if isinstance(value, Mapping) else 0

    def names_given(self) -> tuple[str, ...]:
        """The names of all that the config gives, in its order: of an object with a name for each layer, their names."""
        return tuple(self._values)

    def fields_of_parts(self) -> set[str]:
        """The fields in which the class keeps other configs."""
        known = config_defaults().get(self.model_type, {})
        return {*known.get("inside", ()), *known.get("any_inside", ())}

    def parts_not_read(self) -> tuple[str, ...]:
        """The fields that describe a part of the model nothing has asked for so far: those the config gives, then those the class adds.

        >>> config = Config({"model_type": "gemma3", "text_config": {}}, "gemma3")
        >>> config.inside("text_config", "gemma3_text").path, config.parts_not_read()
        (('text_config',), ('vision_config',))
        """
        known = config_defaults().get(self.model_type, {})
        of_class = self.fields_of_parts()
        any_config = not self.model_type or bool(of_class - SETTINGS)
        given = [
            name
            for name, value in self._values.items()
            if isinstance(value, Mapping) and (name in of_class or (any_config and name.endswith("_config")))
        ]
        added = sorted(of_class - self._values.keys() - set(known.get("optional", ())))
        own = [self._where(name) for name in (*given, *added) if name not in self._parts_read and name not in SETTINGS]
        further = (name for inner in self._inner if inner.path != self.path for name in inner.parts_not_read())
        return tuple(dict.fromkeys((*own, *further)))

    def read(self) -> dict[str, object]:
        """Those of the values that were asked for so far, in the order of the config.json; of other parts only that they are there.

        >>> config = Config({"model_type": "llama4", "text_config": {"hidden_size": 64, "rope_theta": 1e4}}, "llama4")
        >>> config.inside("text_config", "llama4_text").size("hidden_size"), config.read()
        (64, {'text_config': {'hidden_size': 64}})
        """
        return _read([self])

    def not_read(self) -> tuple[NotRead, ...]:
        """The fields that nothing has asked for so far and that could bear on the count, those of other parts left out.

        What the class declares and its type's declaration does not ask for shapes no tensor. A config that no class reads
        is asked for nothing but the config inside it.

        >>> config = Config({"hidden_size": 64, "hiden_size": 32, "resid_pdrop": 0.1}, "llama")
        >>> config.size("hidden_size"), [each.field for each in config.not_read()]
        (64, ['hiden_size'])
        """
        return tuple(_not_read([self]))

    def changed(self, changes: Mapping[str, object]) -> dict[str, object]:
        """The values with some fields changed wherever they were read so far, this config's and those of the configs inside it.

        changes   generic name → value; a field that nothing has asked for is written here

        >>> config = Config({"text_config": {"hidden_size": 64}}, "llama4")
        >>> config.inside("text_config", "llama4_text").size("hidden_size"), config.changed({"hidden_size": 128})
        (64, {'text_config': {'hidden_size': 128}})
        """
        values = dict(self._values)
        for field, value in changes.items():
            for reader in self._asked.readers.get(field) or [self]:
                place: dict[str, Any] = values
                for number, step in enumerate(reader.path):
                    held = place.get(step)
                    place[step] = dict(held) if isinstance(held, Mapping) else self._implied_at(reader.path[: number + 1])
                    place = place[step]
                for name in {field, *reader.names_of(field), reader._told_by.get(field)} & place.keys():
                    del place[name]
                place[reader.own_name(field)] = value
        return values

    def _implied_at(self, path: tuple[str, ...]) -> dict[str, object]:
        """What the class puts into a field that is missing."""
        return next((dict(each._implied) for each in self._with_inner() if each.path == path), {})

    def _with_inner(self) -> Iterator[Config]:
        yield self
        for inner in self._inner:
            yield from inner._with_inner()

    def _mapping(self, field: str) -> Mapping[str, object] | None:
        values = self._values.get(field)
        if values is not None and not isinstance(values, Mapping):
            raise ConfigError("not_among", self._where(field), value=quoted(values), among="{…}")
        return values

    def _config_in(self, field: str, kind: str | None, or_beside: bool, names: Mapping[str, str] | None) -> Config:
        values = self._mapping(field)
        beside = or_beside and values is None
        inner = Config(self._values if beside else values or {}, kind, names)
        inner.path = self.path if beside else (*self.path, field)
        inner.config_class = inner.config_class or self.config_class
        known = config_defaults().get(self.model_type, {})
        absent = known.get("absent", {}).get(field, {})
        if not beside and (values is None or field in known.get("filled", ())):
            inner._defaults = {**inner._defaults, **absent}
        if not beside and values is None:
            inner._implied = {**({"model_type": kind} if field in known.get("any_inside", {}) else {}), **absent}
        self._inner.append(inner)
        self._parts_read[field] = None
        if values is not None:
            inner._fields["model_type"] = None
            self._asked.sizes[field] = values
        return inner


def _readers(configs: list[Config]) -> tuple[list[Config], set[str], dict[str, list[Config]]]:
    """All who read one object of the config.json, the names they asked for, and those who read the objects inside it."""
    here = [each for config in configs for each in config._with_inner() if each.path == config.path]
    asked = {name for each in here for field in each._fields for name in (field, *each.names_of(field))}
    nested: dict[str, list[Config]] = {}
    for each in here:
        for inner in each._inner:
            if inner.path != each.path:
                nested.setdefault(inner.path[-1], []).append(inner)
    return here, asked, nested


def _not_read(configs: list[Config]) -> Iterator[NotRead]:
    """What nobody asked for of one object of the config.json and of those inside it that are read.

    Around a language model, a field counts only where it is one of the language model's, or a slip for one that is read here.
    """
    here, asked, nested = _readers(configs)
    first = configs[0]
    of_class = {name for each in here for name in (*each._names.of_class, *each._told_by.values())}
    inner = [each for readers in nested.values() for each in readers if each.model_type and not each._is_apart]
    of_inner = {name for each in inner for name in each._names.of_class}
    parts = {name.rpartition(".")[2] for name in first.parts_not_read()} | first.fields_of_parts()
    known = asked | of_class | parts
    for name, value in first._values.items():
        if name in nested:
            if isinstance(value, Mapping) and any(each.model_type for each in nested[name]):
                yield from _not_read(nested[name])
        elif name not in known and bears_on_count(name, value):
            similar = similar_field(name, (asked | of_class) - first._values.keys())
            if similar or name in of_inner or (not inner and any(each.model_type for each in here)):
                yield NotRead(first._where(name), similar, is_structural(name, value))


def _read(configs: list[Config]) -> dict[str, object]:
    """What was asked for of one object of the config.json, by all who read it."""
    _, asked, nested = _readers(configs)
    first = configs[0]
    other_parts = {name.rpartition(".")[2] for name in first.parts_not_read()}
    kept: dict[str, object] = {}
    for name, value in first._values.items():
        if name in nested and isinstance(value, Mapping):
            kept[name] = _read(nested[name])
        elif name in nested or name in asked:
            kept[name] = value
        elif name in other_parts:
            kept[name] = {}
        elif value is None and name in first.fields_of_parts():
            kept[name] = None
    return kept
