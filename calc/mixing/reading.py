"""From a config and its tensors to how the tokens of the model meet."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from calc.config import Config
from calc.config.fields import checked_count
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.families.reach import EVERYTHING, Reach
from calc.families.wrappers import WRAPPERS
from calc.mixing.attention import attention_of_layer
from calc.mixing.kinds import Attention, Mixing, Recurrence
from calc.mixing.recurrences import recurrences_of_layer
from calc.tensors import Tensor

POSITIONS = ("max_position_embeddings", "max_seq_len", "context_length")
"""What types call the longest context, where no attribute_map names it."""

TEXT = "text_config"
"""Where a config holds that of its language model, in types that are no wrappers by their class."""

LONGEST = 1_000_000_000
"""The longest context that is not taken for a slip."""

Mixer = TypeVar("Mixer", Attention, Recurrence)


def mixing_of(config: Config, tensors: Sequence[Tensor]) -> Mixing:
    """How the tokens of a sequence meet in the model of this config and these tensors; `Model.mixing` asks once.

    Raises ConfigError: mixing_not_described, not_one_a_layer.

    >>> config = Config({"num_key_value_heads": 8, "max_position_embeddings": 8192}, "llama")
    >>> llama = mixing_of(config, tuple(FAMILIES["llama"].declare(config)))
    >>> llama.attention[0].cached.symbol, llama.attention[0].cached.value, llama.max_context
    ('2·n_kv·head_dim', 2048, 8192)
    """
    family = FAMILIES[config.model_type]
    reaches = tuple(family.reach(config)) if family.reach else ()
    sizes = config.sizes
    layers = _by_layer(tensors)
    attention = _merged(layers, lambda held, layer: attention_of_layer(held, _reach(reaches, layer)), reaches)
    recurrences = _merged(layers, lambda held, layer: recurrences_of_layer(held, sizes), ())
    limit = max_context(config)
    return Mixing(config.model_type, attention, recurrences, config.sizes, limit)


def _by_layer(tensors: Sequence[Tensor]) -> dict[int, list[Tensor]]:
    held: dict[int, list[Tensor]] = {}
    for tensor in tensors:
        for layer in tensor.layers or ():
            held.setdefault(layer, []).append(tensor)
    return {layer: held[layer] for layer in sorted(held)}


def _reach(reaches: Sequence[Reach], layer: int) -> Reach:
    """The reach of a layer; a type whose layers all reach everything gives none."""
    if not reaches:
        return EVERYTHING
    if layer >= len(reaches):
        raise ConfigError("not_one_a_layer", "num_hidden_layers", items=len(reaches), layers=layer + 1)
    return reaches[layer]


def _merged(
    layers: Mapping[int, list[Tensor]], read: Callable[[list[Tensor], int], list[Mixer]], reaches: Sequence[Reach]
) -> tuple[Mixer, ...]:
    """What `read` finds in each layer, equal findings together; layers of the same tensors and reach are read once."""
    found: dict[Mixer, list[int]] = {}
    already: dict[tuple, list[Mixer]] = {}
    for layer, held in layers.items():
        key = (*map(id, held), _reach(reaches, layer))
        if key not in already:
            already[key] = read(held, layer)
        for mixer in already[key]:
            found.setdefault(mixer, []).append(layer)
    return tuple(replace(mixer, layers=tuple(ids)) for mixer, ids in found.items())


def max_context(config: Config) -> int | None:
    """The longest context the config allows for: its own field, or the rows of the position table; None without either.

    A table counts also where the config leaves the field out; a class's default without a table says nothing of the model.
    YaRN stretches `original_max_position_embeddings` by its factor, where that is more.
    """
    asked = language_model(config)
    given = next((asked.size(field) for field in POSITIONS if asked.gives(field)), None)
    if given is None:
        rows = config.sizes.get("max_position_embeddings")
        return rows if isinstance(rows, int) else None
    return max(given, _stretched(asked))


def language_model(config: Config) -> Config:
    """The config of the language model: of what wraps it, the one inside."""
    wraps = WRAPPERS.get(config.model_type)
    if wraps is not None:
        return language_model(wraps.language_model(config))
    kind = config.type_inside(TEXT) if config.holds(TEXT) else None
    return config.inside(TEXT, kind, names=FAMILIES[kind].names) if kind is not None and kind in FAMILIES else config


def _stretched(config: Config) -> int:
    """original_max_position_embeddings · factor, where the rotation is stretched by YaRN; 0 otherwise."""
    for field in ("rope_scaling", "rope_parameters"):
        try:
            scaling = config.inside(field)
            if scaling.gives("factor") and scaling.gives("original_max_position_embeddings"):
                kind = next((scaling.word(name, ("yarn",)) for name in ("rope_type", "type") if scaling.gives(name)), None)
                if kind:
                    return int(scaling.number("factor") * scaling.size("original_max_position_embeddings"))
        except ConfigError:  # another kind of stretching, or none that can be read: it decides nothing here
            continue
    return 0


def ask_fields(config: Config) -> None:
    """Ask a config for every field that says how tokens meet, so that it counts as read.

    What the rules refuse is left for `mixing_of` to tell: the parameters can be counted all the same.
    """
    reach = FAMILIES[config.model_type].reach
    for ask in (reach, max_context):
        with contextlib.suppress(ConfigError):
            if ask is not None:
                ask(config)


def checked_context(of: Mixing, context: object) -> int:
    """A context in tokens, if the model takes it.

    Raises ConfigError: not_an_integer, not_positive, too_big, context_over_limit.
    """
    return within_limit(checked_count("context", context, LONGEST), of.max_context)


def within_limit(context: int, limit: int | None, field: str = "context") -> int:
    """A context, if it is no longer than the limit, None for no limit; `field` is what a fault calls it.

    Raises ConfigError: context_over_limit.

    >>> within_limit(4096, 8192)
    4096
    """
    if limit is not None and context > limit:
        raise ConfigError("context_over_limit", field, value=context, limit=limit)
    return context
