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
    not_counted  fields of the config that describe other parts of the model, what sees or hears, which no tensor here is of
    """

    model_type: str
    tensors: tuple[Tensor, ...]
    assumed: tuple[Assumption, ...]
    sizes: Mapping[str, int | bool] = field(hash=False)
    derived: frozenset[str] = frozenset()
    not_counted: tuple[str, ...] = ()

    def named(self, name: str) -> Tensor:
        """The tensor of this name. Raises KeyError for a name the model does not hold."""
        for tensor in self.tensors:
            if tensor.name == name:
                return tensor
        raise KeyError(name)

    @property
    def stacks(self) -> dict[str, int]:
        """Layers of each stack by its name, in the order they first occur; most models have one. See `stack_of`.

        >>> from calc.model import Model
        >>> Model.of({"model_type": "git"}).parts_list.stacks
        {'git.image_encoder.vision_model.encoder': 12, 'git.encoder': 6}
        """
        found: dict[str, int] = {}
        for tensor in self.tensors:
            if tensor.layers:
                stack = stack_of(tensor)
                found[stack] = max(found.get(stack, 0), tensor.layers[-1] + 1)
        return found

    @property
    def num_hidden_layers(self) -> int:
        """Layers L of the model: of all its stacks together."""
        return sum(self.stacks.values())


def stack_of(tensor: Tensor) -> str | None:
    """The stack that a tensor's layers belong to: the module that keeps them in a list; None outside the layers.

    Layer 0 of an encoder and layer 0 of a decoder are two layers. A module may keep a list for each part of its layers,
    as XLM does (`transformer.attentions.*`, `transformer.ffns.*`): these are one stack.

    >>> from calc.lengths import Length
    >>> from calc.tensors import vector
    >>> stack_of(vector("model.layers.*.norm.weight", "norm", "final_norm", "scale", Length.of("d", 8)).within("lm", (0, 1)))
    'lm.model'
    """
    return None if tensor.layers is None else tensor.name.partition(".*")[0].rpartition(".")[0]


def parameters(tensors: Iterable[Tensor]) -> int:
    """Σ copies · in · out, a tied tensor counted once, buffers not at all.

    >>> from calc.model import Model
    >>> Model.of("llama-2-7b").parameters
    6738415616
    """
    return sum(tensor.parameters for tensor in tensors)


def parameters_by_part(tensors: Iterable[Tensor]) -> dict[Part, int]:
    """Parameters of each part of the model; the values sum to `parameters`.

    >>> from calc.model import Model
    >>> parameters_by_part(Model.of("gpt2").tensors)["lm_head"]
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
    Where some of the choices hold no parameters (LongCat-Flash's zero experts), this is the most a token goes through.
    DeepSeek-V3, whose README says 37B:

    >>> from calc.model import Model
    >>> active_parameters(Model.of({"model_type": "deepseek_v3"}).tensors)
    37552282624
    """
    return sum(tensor.active_parameters for tensor in tensors)


def active_parameters_without_input_embedding(tensors: Iterable[Tensor]) -> int:
    """The same without the token embedding table, which is looked up and multiplies nothing.

    A table that is also the head (tied) stays, as the head multiplies by it. DeepSeek-V3, V · d = 129280 · 7168 less:

    >>> from calc.model import Model
    >>> active_parameters_without_input_embedding(Model.of({"model_type": "deepseek_v3"}).tensors)
    36625603584
    """
    listed = tuple(tensors)
    read_by_head = {tensor.tied_to for tensor in listed}
    return sum(tensor.active_parameters for tensor in listed if tensor.role != "token_embedding" or tensor.name in read_by_head)


@dataclass(frozen=True, slots=True)
class LayerKind:
    """Layers of one stack that hold the same tensors: the stack, their ids, and the tensors in the order data flows."""

    stack: str
    layers: tuple[int, ...]
    tensors: tuple[Tensor, ...]

    @property
    def parameters(self) -> int:
        """Parameters of one layer of this kind."""
        return sum(tensor.repeats * tensor.count for tensor in self.tensors if tensor.parameters)


def layer_kinds(parts_list: PartsList) -> tuple[LayerKind, ...]:
    """The kinds of layer a model has, stack by stack, in the order they first occur. A model of equal layers has one.

    >>> from calc.model import Model
    >>> [kind.layers[:3] for kind in layer_kinds(Model.of({"model_type": "deepseek_v3"}).parts_list)]
    [(0, 1, 2), (3, 4, 5)]
    >>> [(kind.stack, len(kind.layers)) for kind in layer_kinds(Model.of({"model_type": "hrm_text"}).parts_list)]
    [('model.L_module', 16), ('model.H_module', 16)]
    """
    held: dict[str, dict[int, list[Tensor]]] = {}
    for tensor in parts_list.tensors:
        if tensor.layers:
            of_stack = held.setdefault(stack_of(tensor), {})
            for layer in tensor.layers:
                of_stack.setdefault(layer, []).append(tensor)
    kinds: dict[tuple[int, ...], tuple[str, list[int]]] = {}
    for stack, of_stack in held.items():
        for layer in sorted(of_stack):
            kinds.setdefault(tuple(map(id, of_stack[layer])), (stack, []))[1].append(layer)
    return tuple(LayerKind(stack, tuple(layers), tuple(held[stack][layers[0]])) for stack, layers in kinds.values())


def keys(parts_list: PartsList) -> dict[str, Tensor]:
    """Every tensor under a key of its own: its name; where layers hold different tensors of one name, numbered.

    >>> from calc.model import Model
    >>> list(keys(Model.of("gpt2").parts_list))[:2]
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


def layer_tensors(parts_list: PartsList, layer: int = 0, stack: str | None = None) -> tuple[Tensor, ...]:
    """The tensors of one layer, in the order data flows: of the first stack unless one is named."""
    stack = next(iter(parts_list.stacks), None) if stack is None else stack
    return tuple(
        tensor for tensor in parts_list.tensors if tensor.layers and layer in tensor.layers and stack_of(tensor) == stack
    )


def layer_parameters(parts_list: PartsList, layer: int = 0, stack: str | None = None) -> int:
    """Parameters of one layer: of the first stack unless one is named. Llama-2-7B:

    >>> from calc.model import Model
    >>> layer_parameters(Model.of("llama-2-7b").parts_list)
    202383360
    """
    of_layer = layer_tensors(parts_list, layer, stack)
    return sum(tensor.repeats * tensor.count for tensor in of_layer if tensor.parameters)
