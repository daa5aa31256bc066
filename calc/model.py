"""A model: its config read once, its tensors, how its tokens meet. Every figure of this package is a reading of one."""

from __future__ import annotations

import copy
import importlib
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType, MethodType
from typing import Any

from calc.catalogue import CatalogueModel, catalogue, find_model
from calc.config import Config
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.families.reading import whole_and_language_model
from calc.mixing import Mixing, ask_fields, mixing_of
from calc.parts_list import PartsList, active_parameters, parameters, parameters_by_part
from calc.read_config import read_config, read_config_file
from calc.tensors import Part, Tensor

READINGS = {
    "kv_cache": "calc.memory.kv_cache",
    "flops": "calc.compute.per_token",
    "weights": "calc.weights.weights",
    "what_if": "calc.what_if",
    "to_frame": "calc.frames",
    "_repr_html_": "calc.diagram.notebook",
}
"""Functions of a model that are methods of it too, with the modules that hold them, imported when they are first asked for."""


class Model:
    """A large language model, taken apart: what its config.json says, read once.

    values    the content of its config.json
    title     as a person writes it
    entry     its entry in the catalogue, None for any other model

    Immutable; two models are equal when their configs are, so that a model is a cache key. The functions of `READINGS` are
    methods of it: `model.kv_cache(8192)` is `calc.memory.kv_cache.kv_cache(model, 8192)`.

    >>> llama = Model.of("llama-3-8b")
    >>> llama
    Llama-3-8B: llama, 8,030,261,248 parameters in 291 tensors, 32 layers
    >>> llama.parameters, llama.mixing.max_context, llama == Model.of("meta-llama/Meta-Llama-3-8B")
    (8030261248, 8192, True)
    """

    values: Mapping[str, object]
    title: str
    entry: CatalogueModel | None
    parts_list: PartsList
    _whole_config: Config
    _config: Config

    def __init__(self, values: Mapping[str, object], title: str | None = None, entry: CatalogueModel | None = None) -> None:
        try:
            own = {name: _copied(value) for name, value in values.items()}
        except RecursionError:
            raise ConfigError("too_deep") from None
        whole, config = whole_and_language_model(own)
        tensors = tuple(FAMILIES[config.model_type].declare(config))
        parts_list = PartsList(
            config.model_type, tensors, whole.assumed, whole.sizes, whole.derived_fields, whole.parts_not_read()
        )
        self.__dict__.update(
            values=MappingProxyType(own),
            title=title or config.model_type,
            entry=entry,
            parts_list=parts_list,
            _whole_config=whole,
            _config=config,
        )

    @classmethod
    def of(cls, source: Model | Mapping[str, object] | str | os.PathLike[str], title: str | None = None) -> Model:
        """The model of a config's values, a catalogue name, the text or the path of a config.json, or a Hub id or address.

        Of a model that wraps a language model, such as one that sees, that part alone is counted; the others are named in
        `parts_list.not_counted`.

        Raises ConfigError, which names the field and the remedy: an unknown or missing model_type, and whatever
        `calc.config.Config` and the blocks refuse; for a text what `read_config` raises, for a name unknown_model and
        unknown_model_similar, for a path unreadable_file, for the Hub all that `read_hub_config` raises.

        >>> config = {"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
        ...           "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000, "tie_word_embeddings": False}
        >>> tiny = Model.of(config)
        >>> tiny.parameters, [assumption.field for assumption in tiny.parts_list.assumed]
        (1100048384, ['attention_bias', 'head_dim', 'mlp_bias'])
        >>> Model.of('{"model_type": "llava", "text_config": {"model_type": "llama"}}').parts_list.not_counted
        ('vision_config',)
        """
        if isinstance(source, Model):
            return source
        if isinstance(source, Mapping):
            return cls(source, title)
        if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("{"):
            return cls(read_config(source), title)
        return _named(cls, os.fspath(source), title)

    @property
    def name(self) -> str:
        """How the command line and the address call it: the catalogue's name, elsewhere the title."""
        return self.entry.name if self.entry else self.title

    @property
    def model_type(self) -> str:
        """The config's type, or that of the language model it holds."""
        return self.parts_list.model_type

    @property
    def config(self) -> Config:
        """The config its family is declared for, the whole one or that of the language model inside it, to ask anything of."""
        return self._config.unread()

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Every tensor in the order data flows, one entry for each name, the layer's index written `*`."""
        return self.parts_list.tensors

    @cached_property
    def parameters(self) -> int:
        """Σ copies · in · out, a tied tensor counted once."""
        return parameters(self.tensors)

    @cached_property
    def parameters_by_part(self) -> Mapping[Part, int]:
        """Parameters of each part of the model; they sum to `parameters`."""
        return MappingProxyType(parameters_by_part(self.tensors))

    @cached_property
    def active_parameters(self) -> int:
        """What one token goes through: of a stack of experts those chosen alone."""
        return active_parameters(self.tensors)

    @property
    def mixing(self) -> Mixing:
        """How the tokens of a sequence meet. Raises ConfigError: mixing_not_described, not_one_a_layer.

        >>> gemma = Model.of({"model_type": "gemma3_text"})
        >>> [(entry.kind, len(entry.layers), entry.window) for entry in gemma.mixing.attention]
        [('sliding', 22, 4096), ('full', 4, None)]
        """
        found = self._mixing_or_fault
        if isinstance(found, ConfigError):
            raise copy.copy(found)
        return found

    @property
    def mixing_fault(self) -> ConfigError | None:
        """Why `mixing` cannot be told, None where it can."""
        found = self._mixing_or_fault
        return found if isinstance(found, ConfigError) else None

    @property
    def mixing_if_described(self) -> Mixing | None:
        """How the tokens of a sequence meet, None where `mixing` cannot be told."""
        found = self._mixing_or_fault
        return None if isinstance(found, ConfigError) else found

    @property
    def max_context(self) -> int | None:
        """Positions the config allows for; None where it does not say, or where `mixing` cannot be told."""
        mixing = self.mixing_if_described
        return mixing and mixing.max_context

    @cached_property
    def _mixing_or_fault(self) -> Mixing | ConfigError:
        try:
            return mixing_of(self._config, self.tensors)
        except ConfigError as fault:
            return fault.with_traceback(None)

    @cached_property
    def deciding_values(self) -> Mapping[str, object]:
        """Those of the config's values that decide the count and how tokens meet: model_type, and every field the family asks for.

        >>> dict(Model.of({"model_type": "gpt2", "n_layer": 2, "resid_pdrop": 0.1}).deciding_values)
        {'model_type': 'gpt2', 'n_layer': 2}
        >>> config = {"model_type": "gemma3", "text_config": {"num_hidden_layers": 34, "rope_theta": 1e4}, "vision_config": {}}
        >>> dict(Model.of(config).deciding_values)
        {'model_type': 'gemma3', 'text_config': {'num_hidden_layers': 34}, 'vision_config': {}}
        """
        ask_fields(self._config)
        return MappingProxyType({"model_type": self.values["model_type"], **self._whole_config.read()})

    def changed_values(self, changes: Mapping[str, object]) -> dict[str, object]:
        """The config's values with some fields changed, each written where its class reads it.

        changes   generic name → value
        """
        return self._whole_config.changed(changes)

    @cached_property
    def _key(self) -> tuple:
        return _hashable(self.values)

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Model) and self._hash == other._hash and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Model is immutable: {name} cannot be set; Model.of makes another one")

    def __reduce__(self) -> tuple:
        return Model, (dict(self.values), self.title, self.entry)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in READINGS:
            raise AttributeError(f"a Model has no {name!r}")
        return MethodType(getattr(importlib.import_module(READINGS[name]), name), self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *READINGS})

    def __repr__(self) -> str:
        copies = sum(tensor.copies for tensor in self.tensors)
        layers = self.parts_list.num_hidden_layers
        return f"{self.title}: {self.model_type}, {self.parameters:,} parameters in {copies:,} tensors, {layers} layers"


def catalogue_model(name: str) -> Model:
    """The model of this name in the catalogue, read once a process. Raises KeyError."""
    known = _CATALOGUE_MODELS.get(name)
    if known is None:
        entry = catalogue()[name]
        known = _CATALOGUE_MODELS[name] = Model(entry.config, entry.title, entry)
    return known


_CATALOGUE_MODELS: dict[str, Model] = {}


def _named(cls: type[Model], source: str, title: str | None) -> Model:
    """The model of a catalogue name, a path (a config.json or its folder), or a Hub id or address."""
    try:
        return catalogue_model(find_model(source).name)
    except ConfigError:
        if os.path.isdir(source):
            return cls(read_config_file(os.path.join(source, "config.json")), title or source)
        if os.path.exists(source) or source.endswith(".json"):
            return cls(read_config_file(source), title or source)
        from calc.hub.address import hub_address
        from calc.hub.configs import read_hub_config

        address = hub_address(source) if "/" in source else None
        if address is None:
            raise
        return cls(read_hub_config(address), title or str(address))


def _copied(value: object) -> object:
    """A value of a config.json that nobody else holds."""
    if isinstance(value, Mapping):
        return {name: _copied(item) for name, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list | tuple) else value


def _hashable(value: object) -> tuple:
    """A value of a config.json, told apart from every other one: 1 is neither 1.0 nor true, and NaN is NaN."""
    if isinstance(value, Mapping):
        return ("{", *sorted((name, _hashable(item)) for name, item in value.items()))
    if isinstance(value, list | tuple):
        return ("[", *map(_hashable, value))
    return (type(value).__name__, repr(value))
