"""The parts list of a model, and the figures that are read from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from calc.config import Assumption
from calc.tensors import PARTS, Part, Tensor


@dataclass(frozen=True, slots=True)
class PartsList:
    """Every tensor of a model, in the order data flows.

    model_type   the config's type
    tensors      one entry for each name, the layer's index written `*`
    assumed      what the config did not say
    sizes        the fields the count rests on, by their generic names
    """

    model_type: str
    tensors: tuple[Tensor, ...]
    assumed: tuple[Assumption, ...]
    sizes: Mapping[str, int | bool] = field(hash=False)

    def named(self, name: str) -> Tensor:
        """The tensor of this name. Raises KeyError for a name the model does not hold."""
        for tensor in self.tensors:
            if tensor.name == name:
                return tensor
        raise KeyError(name)

    @property
    def num_hidden_layers(self) -> int:
        """Layers L of the model."""
        return max((tensor.layers[-1] + 1 for tensor in self.tensors if tensor.layers), default=0)


def parameters(tensors: Iterable[Tensor]) -> int:
    """Σ copies · in · out, a tied tensor counted once, buffers not at all.

    >>> from calc.catalogue import catalogue
    >>> parameters(catalogue()["llama-2-7b"].parts_list().tensors)
    6738415616
    """
    return sum(tensor.parameters for tensor in tensors)


def parameters_by_part(tensors: Iterable[Tensor]) -> dict[Part, int]:
    """Parameters of each part of the model; the values sum to `parameters`.

    >>> from calc.catalogue import catalogue
    >>> parameters_by_part(catalogue()["gpt2"].parts_list().tensors)["lm_head"]
    0
    """
    by_part: dict[Part, int] = dict.fromkeys(PARTS, 0)
    for tensor in tensors:
        by_part[tensor.part] += tensor.parameters
    return by_part


def buffer_elements(tensors: Iterable[Tensor]) -> int:
    """Numbers a checkpoint of this model stores that are no parameters."""
    return sum(tensor.copies * tensor.count for tensor in tensors if tensor.kind == "buffer")


def layer_tensors(parts_list: PartsList, layer: int = 0) -> tuple[Tensor, ...]:
    """The tensors of one layer, in the order data flows."""
    return tuple(tensor for tensor in parts_list.tensors if tensor.layers and layer in tensor.layers)


def layer_parameters(parts_list: PartsList, layer: int = 0) -> int:
    """Parameters of one layer. Llama-2-7B:

    >>> from calc.catalogue import catalogue
    >>> layer_parameters(catalogue()["llama-2-7b"].parts_list())
    202383360
    """
    return sum(tensor.repeats * tensor.count for tensor in layer_tensors(parts_list, layer) if tensor.parameters)
