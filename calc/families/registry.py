"""Where families declare themselves: `model_type` → how its config is read and which tensors it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from calc.config import Config
from calc.tensors import Tensor

Declaration = Callable[[Config], list[Tensor]]


@dataclass(frozen=True, slots=True)
class Family:
    """A declared model type: the function that lists its tensors, and its own names for generic fields."""

    declare: Declaration
    names: dict[str, str] = field(default_factory=dict)


FAMILIES: dict[str, Family] = {}


def family(*model_types: str, **names: str) -> Callable[[Declaration], Declaration]:
    """Declare the decorated function for these model types.

    names   generic field = the types' own name for it, where the transformers class has no attribute_map entry
    """

    def declare(function: Declaration) -> Declaration:
        for model_type in model_types:
            FAMILIES[model_type] = Family(function, names)
        return function

    return declare
