"""A cell of the comparison: a value, or the reason why there is none; and how many models one comparison holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calc.errors import ConfigError
from calc.model import Model

LARGEST_COMPARISON = 50
"""Models that one comparison holds at most."""

REMARKS = {
    "assumed": "the config does not say; as its class assumes",
    "from_tensors": "no field of the config; read from the tensors",
    "first_kind": "the layers differ; this is the first kind",
    "differs_by_layer": "not the same in all layers",
    "latent": "latent attention: keys and values come out of one narrow vector",
    "no_such_thing": "the model has none",
    "not_said": "the config at hand does not say",
    "not_described": "how tokens meet in this model type is not described",
    "not_readable": "a field of the config that is asked for here alone is wrong",
    "dense": "no experts: a token goes through all parameters",
    "no_published": "no published figure is known here",
    "tied": "the head is the embedding table; counted there",
}
"""What a cell may remark: code → English sentence."""

Value = int | float | str | bool | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of the table. `remark`, a code of REMARKS, is why there is none, or what must be known about it."""

    value: Value
    remark: str | None = None


NONE = Cell(None, "no_such_thing")

Reading = Callable[[Model], Cell]
"""A pure function from a model to its cell."""


def checked_number(models: int) -> int:
    """A number of models to compare. Raises ConfigError: too_many_models.

    >>> checked_number(51)
    Traceback (most recent call last):
    calc.errors.ConfigError: 51 models are named, but at most 50 are compared at once: leave some out.
    """
    if models > LARGEST_COMPARISON:
        raise ConfigError("too_many_models", models=models, limit=LARGEST_COMPARISON)
    return models
