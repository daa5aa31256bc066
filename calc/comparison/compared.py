"""A model that is compared with others, and a cell of the comparison: a value, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calc.build import build_parts_list
from calc.catalogue import CatalogueModel
from calc.errors import ConfigError
from calc.parts_list import PartsList, parameters_by_part
from calc.tensors import Part

if TYPE_CHECKING:
    from calc.mixing import Mixing

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


@dataclass(frozen=True, slots=True)
class ComparedModel:
    """A model as the comparison reads it.

    name         how the command line and the address call it
    title        how a person writes it
    values       the content of its config.json
    parts_list   every tensor, counted from it
    by_part      parameters of each part
    entry        its entry in the catalogue, None for any other model

    How its tokens meet is worked out the first time it is asked for, and then kept with the model: it takes longer than
    all else in a row.
    """

    name: str
    title: str
    values: Mapping[str, object] = field(hash=False)
    parts_list: PartsList
    by_part: Mapping[Part, int] = field(hash=False)
    entry: CatalogueModel | None = None
    _kept: dict[str, Mixing | ConfigError] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def total(self) -> int:
        """Its parameters: the sum over the parts."""
        return sum(self.by_part.values())

    @property
    def mixing(self) -> Mixing | ConfigError:
        """How its tokens meet; the fault that `calc.mixing.mixing` raises where that cannot be told."""
        from calc.mixing import mixing

        if "mixing" not in self._kept:
            try:
                self._kept["mixing"] = mixing(self.values)
            except ConfigError as fault:
                self._kept["mixing"] = fault
        return self._kept["mixing"]


def compared_model(
    name: str, values: Mapping[str, object], *, title: str | None = None, entry: CatalogueModel | None = None
) -> ComparedModel:
    """The model of a config, ready to be compared. Raises ConfigError, as `calc.build.build_parts_list` does.

    >>> compared_model("mine", {"model_type": "gpt2"}).total
    124439808
    """
    parts_list = build_parts_list(values)
    return ComparedModel(name, title or name, values, parts_list, parameters_by_part(parts_list.tensors), entry)


def compared_entry(entry: CatalogueModel) -> ComparedModel:
    """A model of the catalogue, ready to be compared.

    >>> from calc.catalogue import catalogue
    >>> compared_entry(catalogue()["llama-2-7b"]).total
    6738415616
    """
    return compared_model(entry.name, entry.config, title=entry.title, entry=entry)


def checked_number(models: int) -> int:
    """A number of models to compare. Raises ConfigError: too_many_models.

    >>> checked_number(51)
    Traceback (most recent call last):
    calc.errors.ConfigError: 51 models are named, but at most 50 are compared at once: leave some out.
    """
    if models > LARGEST_COMPARISON:
        raise ConfigError("too_many_models", models=models, limit=LARGEST_COMPARISON)
    return models
