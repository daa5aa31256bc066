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
    derived      those of them that the class derives from others and that no config can set
    """

    model_type: str
    tensors: tuple[Tensor, ...]
    assumed: tuple[Assumption, ...]
    sizes: Mapping[str, int | bool] = field(hash=False)
    derived: frozenset[str] = frozenset()

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


def active_parameters(tensors: Iterable[Tensor]) -> int:
    """What one token goes through: Σ copies · in · out, of a stack of E experts only the k chosen.

    Without experts these are all parameters. Where a config does not say how many are chosen, a stack counts in full.
    DeepSeek-V3, whose README says 37B:

    >>> from calc.build import build_parts_list
    >>> active_parameters(build_parts_list({"model_type": "deepseek_v3"}).tensors)
    37552282624
    """
    return sum(tensor.active_parameters for tensor in tensors)


def active_parameters_without_input_embedding(tensors: Iterable[Tensor]) -> int:
    """The same without the token embedding table, which is looked up and multiplies nothing.

    A table that is also the head (tied) stays, as the head multiplies by it. DeepSeek-V3, V · d = 129280 · 7168 less:

    >>> from calc.build import build_parts_list
    >>> active_parameters_without_input_embedding(build_parts_list({"model_type": "deepseek_v3"}).tensors)
    36625603584
    """
    listed = tuple(tensors)
    read_by_head = {tensor.tied_to for tensor in listed}
    return sum(
        tensor.active_parameters for tensor in listed if tensor.role != "token_embedding" or tensor.name in read_by_head
    )


@dataclass(frozen=True, slots=True)
class LayerKind:
    """Layers that hold the same tensors: their ids, and the tensors in the order data flows."""

    layers: tuple[int, ...]
    tensors: tuple[Tensor, ...]

    @property
    def parameters(self) -> int:
        """Parameters of one layer of this kind."""
        return sum(tensor.repeats * tensor.count for tensor in self.tensors if tensor.parameters)


def layer_kinds(parts_list: PartsList) -> tuple[LayerKind, ...]:
    """The kinds of layer a model has, in the order they first occur. A model of equal layers has one.

    >>> from calc.build import build_parts_list
    >>> [kind.layers[:3] for kind in layer_kinds(build_parts_list({"model_type": "deepseek_v3"}))]
    [(0, 1, 2), (3, 4, 5)]
    """
    held: dict[int, list[Tensor]] = {}
    for tensor in parts_list.tensors:
        for layer in tensor.layers or ():
            held.setdefault(layer, []).append(tensor)
    kinds: dict[tuple[int, ...], list[int]] = {}
    for layer in sorted(held):
        kinds.setdefault(tuple(id(tensor) for tensor in held[layer]), []).append(layer)
    return tuple(LayerKind(tuple(layers), tuple(held[layers[0]])) for layers in kinds.values())


def keys(parts_list: PartsList) -> dict[str, Tensor]:
    """Every tensor under a key of its own: its name; where layers hold different tensors of one name, numbered.

    >>> from calc.catalogue import catalogue
    >>> list(keys(catalogue()["gpt2"].parts_list()))[:2]
    ['transformer.wte.weight', 'transformer.wpe.weight']
    """
    found: dict[str, Tensor] = {}
    for tensor in parts_list.tensors:
        key, number = tensor.name, 1
        while key in found:
            number += 1
            key = f"{tensor.name} #{number}"
        found[key] = tensor
    return found


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
