"""Where families declare themselves: `model_type` → how its config is read and which tensors it holds."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from calc.config import Config
from calc.config.defaults import declare_class
from calc.families.reach import Rule
from calc.tensors import Tensor

Declaration = Callable[[Config], list[Tensor]]


@dataclass(frozen=True, slots=True)
class Family:
    """A declared model type.

    declare   lists its tensors
    names     its own names for generic fields
    reach     which positions the tokens of each layer attend to; None where all attend to everything
    """

    declare: Declaration
    names: dict[str, str] = field(default_factory=dict)
    reach: Rule | None = None


class Families(MutableMapping[str, Family]):
    """The declared types. A module that declares one is imported when its type is asked for, all of them for their number
    or names: importing them all takes longer than counting.

    >>> FAMILIES["longcat_flash"].names
    {'num_hidden_layers': 'num_layers'}
    >>> "no_such_type" in FAMILIES
    False
    """

    def __init__(self) -> None:
        self._declared: dict[str, Family] = {}
        self._complete = False

    def __getitem__(self, model_type: str) -> Family:
        self._ask_for(model_type)
        return self._declared[model_type]

    def __contains__(self, model_type: object) -> bool:
        self._ask_for(model_type)
        return model_type in self._declared

    def __setitem__(self, model_type: str, declared: Family) -> None:
        self._declared[model_type] = declared

    def __delitem__(self, model_type: str) -> None:
        del self._declared[model_type]

    def __iter__(self) -> Iterator[str]:
        self._import_all()
        return iter(sorted(self._declared))

    def __len__(self) -> int:
        self._import_all()
        return len(self._declared)

    def _ask_for(self, model_type: object) -> None:
        if not isinstance(model_type, str) or model_type in self._declared or self._complete:
            return
        if model_type in family_modules():
            importlib.import_module(f"calc.families.{family_modules()[model_type]}")
        if model_type not in self._declared:  # declared since the record was made, or nowhere
            self._import_all()

    def _import_all(self) -> None:
        if not self._complete:
            for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
                importlib.import_module(f"calc.families.{module.name}")
            self._complete = True


@cache
def family_modules() -> Mapping[str, str]:
    """Which module declares a type, as `calc.data.make_family_modules` recorded it: it saves importing all of them."""
    return json.loads((Path(__file__).parents[1] / "data" / "family_modules.json").read_text(encoding="utf-8"))


FAMILIES = Families()


def family(
    *model_types: str,
    reach: Rule | None = None,
    names: Mapping[str, str] | None = None,
    config_class: str | None = None,
    defaults: Mapping[str, object] | None = None,
    **more: str,
) -> Callable[[Declaration], Declaration]:
    """Declare the decorated function for these model types.

    reach          which positions the tokens of each layer attend to, where it is not everything
    names          generic field → the types' own name for it, where the class has no attribute_map entry; `more` as well
    config_class   of a type that transformers does not have: its class's name, and in `defaults` what that class takes for
                   missing fields, None for one that may be left out
    """

    def declare(function: Declaration) -> Declaration:
        for model_type in model_types:
            if config_class is not None:
                declare_class(model_type, config_class, defaults or {})
            FAMILIES[model_type] = Family(function, {**(names or {}), **more}, reach)
        return function

    return declare
