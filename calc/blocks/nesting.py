"""Where a block's tensors sit: inside a module, in every layer, in some layers only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from calc.config import Config
from calc.tensors import Tensor

Tensors = list[Tensor]
Block = Iterable[Tensor]


def inside(prefix: str, *blocks: Block) -> Tensors:
    """The tensors of some blocks as parts of the module `prefix`."""
    return [tensor.within(prefix) for block in blocks for tensor in block]


def layer_ids(config: Config) -> tuple[int, ...]:
    """The ids of all layers: 0 … num_hidden_layers − 1."""
    return tuple(range(config.size("num_hidden_layers")))


def only(ids: Iterable[int], *blocks: Block) -> Tensors:
    """The tensors of some blocks in the layers `ids` alone; in no layer, no tensors."""
    chosen = tuple(sorted(ids))
    return [replace(tensor, layers=chosen) for block in blocks for tensor in block] if chosen else []


def layers(prefix: str, config: Config, *blocks: Block) -> Tensors:
    """The tensors of the blocks as parts of the layers, named `prefix.*.name`: in every layer unless `only` says which."""
    every = layer_ids(config)
    return [
        tensor.within(f"{prefix}.*", every if tensor.layers is None else tensor.layers) for block in blocks for tensor in block
    ]


def together(block: Block) -> Tensors:
    """Tensors of one name, role, shape and kind that stand in different layers, as one tensor that stands in all of these.

    >>> from calc.blocks.linear import rms_norm
    >>> from calc.lengths import Length
    >>> norm = rms_norm("norm", "norm_before_ffn", Length.of("d", 8))
    >>> [tensor.layers for tensor in together([*only((0, 2), norm), *only((1,), norm)])]
    [(0, 1, 2)]
    """
    found: dict[tuple, Tensor] = {}
    for tensor in block:
        key = tensor.name, tensor.role, tensor.shape, tensor.kind, tensor.tied_to, tensor.repeats, tensor.layers is None
        first = found.get(key)
        both = tensor.layers if first is None or first.layers is None else tuple(sorted({*first.layers, *(tensor.layers or ())}))
        found[key] = replace(first or tensor, layers=both)
    return list(found.values())
