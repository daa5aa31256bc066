"""Which positions the tokens of a layer attend to: the rules that classes have, read from the config.

A family whose layers do not all attend to everything names its rule where it declares itself:

    @family("mistral", reach=everywhere())
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from calc.config import Config
from calc.errors import ConfigError, quoted

FULL, SLIDING = "full_attention", "sliding_attention"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a token of one layer attends to.

    window    at most so many positions, itself included; None for all
    chunk     the positions of its own chunk up to itself, chunks being so long
    picks     at most so many positions, chosen by an indexer
    repeats   times a token passes the layer, each with a cache of its own
    """

    window: int | None = None
    chunk: int | None = None
    picks: int | None = None
    repeats: int = 1


EVERYTHING = Reach()
Rule = Callable[[Config], Sequence[Reach]]
"""The reach of every layer, in order."""

Kinds = Callable[[Config], Sequence[str]]
"""The kind of every layer where the config has no `layer_types`: the class's own rule."""


def window(config: Config, field: str = "sliding_window") -> Reach:
    """The window a field gives; null is none."""
    return Reach(window=config.size(field)) if config.gives_or_defaults(field) else EVERYTHING


def every_layer(config: Config, reach: Reach) -> tuple[Reach, ...]:
    """One reach for all layers."""
    return (reach,) * config.size("num_hidden_layers")


def everywhere(field: str = "sliding_window") -> Rule:
    """The same window in all layers, or none."""
    return lambda config: every_layer(config, window(config, field))


def everywhere_if_used(config: Config) -> tuple[Reach, ...]:
    """The same window in all layers, where `use_sliding_window` says so."""
    return every_layer(config, window(config) if config.flag("use_sliding_window") else EVERYTHING)


def by_layer_types(
    otherwise: Kinds, *, sliding: str = SLIDING, others: Sequence[str] = (FULL,), reach: Callable[[Config], Reach] = window
) -> Rule:
    """A window in the layers that `layer_types` calls sliding; `otherwise` is the class's rule without the list.

    sliding   what the list calls them
    others    what else it may say
    reach     what a sliding layer attends to
    """

    def rule(config: Config) -> tuple[Reach, ...]:
        kinds = config.per_layer("layer_types", (sliding, *others), lambda: otherwise(config))
        narrow = reach(config) if sliding in kinds else EVERYTHING
        return tuple(narrow if kind == sliding else EVERYTHING for kind in kinds)

    return rule


def full_every(period: int, *, first: bool = False) -> Kinds:
    """Full attention in the last layer of every `period`, or in the first of every `period`; windows in the others.

    >>> [kind.partition("_")[0] for kind in full_every(3)(Config({"num_hidden_layers": 4}, "gemma2"))]
    ['sliding', 'sliding', 'full', 'sliding']
    """
    place = 0 if first else period - 1
    return lambda config: [FULL if layer % period == place else SLIDING for layer in range(config.size("num_hidden_layers"))]


def full_every_given(field: str, usual: int | None = None, *, first: bool = False) -> Kinds:
    """As `full_every`, the period read from a field: `usual` where neither config nor class has one."""

    def kinds(config: Config) -> Sequence[str]:
        without = None if usual is None else partial(_with_rule, usual)
        return full_every(config.size(field, without), first=first)(config)

    return kinds


def _with_rule(value: int) -> tuple[int, str]:
    return value, str(value)


def all_full(config: Config) -> Sequence[str]:
    """Full attention in every layer."""
    return [FULL] * config.size("num_hidden_layers")


def all_sliding_if_any(config: Config) -> Sequence[str]:
    """Windows in every layer, where there is a window."""
    kind = SLIDING if config.gives_or_defaults("sliding_window") else FULL
    return [kind] * config.size("num_hidden_layers")


def sliding_from_layer(config: Config) -> Sequence[str]:
    """Windows in the layers from `max_window_layers` on, where there is a window."""
    number, first = config.size("num_hidden_layers"), config.size("max_window_layers", smallest=0)
    slides = config.gives_or_defaults("sliding_window")
    return [SLIDING if slides and layer >= first else FULL for layer in range(number)]


def if_used(rule: Rule) -> Rule:
    """The rule where `use_sliding_window` says so; everything otherwise, whatever `layer_types` lists."""
    return lambda config: rule(config) if config.flag("use_sliding_window") else every_layer(config, EVERYTHING)


def halved_if_bidirectional(config: Config) -> Reach:
    """Gemma 3's window; a model that attends both ways means by it both sides, and ⌊window ÷ 2⌋ + 1 is one of them."""
    both_ways = config.gives_or_defaults("use_bidirectional_attention") and config.flag("use_bidirectional_attention")
    return Reach(window=config.size("sliding_window") // 2 + 1) if both_ways else window(config)


def pattern_of_exaone(config: Config) -> Sequence[str]:
    """Full attention in every `sliding_window_pattern`-th layer, or as letters L and G say; everywhere without a window."""
    number = config.size("num_hidden_layers")
    if not (config.gives_or_defaults("sliding_window") and config.gives_or_defaults("sliding_window_pattern")):
        return [FULL] * number
    try:
        return full_every(config.size("sliding_window_pattern"))(config)
    except ConfigError:
        letters = config.letters("sliding_window_pattern", "LG")
        return [SLIDING if letters[layer % len(letters)] == "L" else FULL for layer in range(number)]


def without_rotary(config: Config) -> list[bool]:
    """Layers without rotary positions: 0 in `no_rope_layers`, or else every `no_rope_layer_interval`-th."""
    number, interval = config.size("num_hidden_layers"), config.size("no_rope_layer_interval")
    usual = [int((layer + 1) % interval != 0) for layer in range(number)]
    given = config.items("no_rope_layers", int, otherwise=lambda: usual)
    if len(given or usual) != number:
        raise ConfigError("not_one_a_layer", "no_rope_layers", items=len(given), layers=number)
    return [not rotary for rotary in given or usual]


def picked(field: str = "index_topk") -> Rule:
    """In every layer an indexer picks so many positions."""
    return lambda config: every_layer(config, Reach(picks=config.size(field)))


def within(field: str, model_type: str, rule: Rule) -> Rule:
    """The rule of the config inside a field, such as `text_config`."""
    return lambda config: rule(config.inside(field, model_type))


def not_described(config: Config) -> tuple[Reach, ...]:
    """The rule of types whose tokens meet in a way nothing here can tell. Raises ConfigError: mixing_not_described."""
    raise ConfigError("mixing_not_described", "model_type", value=quoted(config.model_type))
