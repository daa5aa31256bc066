"""Cells that are read from the parts list: a layer, the parts, the total, bytes, FLOPs, ratios.

Each reading is a pure function from a model to its cell; a share is in per cent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from calc.catalogue import published_value, rounds_to
from calc.comparison.cells import NONE, Cell
from calc.comparison.fields import intermediate_size, num_attention_heads, num_key_value_heads
from calc.model import Model
from calc.parts_list import active_parameters as active
from calc.parts_list import active_parameters_without_input_embedding as active_without_table
from calc.parts_list import stack_of
from calc.tensors import Part, Tensor

FP16_BYTES = 2
"""Bytes of a number in fp16 or bf16."""

Reading = Callable[[Model], Cell]


def layer_kinds(model: Model) -> Cell:
    """How many kinds of layer the model has: 1 where all layers hold the same.

    >>> from calc.model import Model
    >>> layer_kinds(Model.of("deepseek-v3")).value
    2
    """
    kinds: dict[tuple[str, int], int] = {}
    for number, (stack, layers) in enumerate(_groups(model.parts_list.tensors)):
        for layer in layers:
            kinds[stack, layer] = kinds.get((stack, layer), 0) | 1 << number
    return Cell(len({(stack, held) for (stack, _), held in kinds.items()}))


def attention_per_layer(model: Model) -> Cell:
    """Parameters of one layer's attention, or what stands in its place: Σ in · out. Of the first kind, where layers differ."""
    return _of_one_layer(model, "attention")


def ffn_per_layer(model: Model) -> Cell:
    """Parameters of one layer's FFN, all its experts and the router included. Of the first kind, where layers differ."""
    return _of_one_layer(model, "ffn")


def parameters_per_layer(model: Model) -> Cell:
    """Parameters of one layer, its norms included. Of the first kind, where layers differ."""
    return _of_one_layer(model)


def ffn_share_of_layer(model: Model) -> Cell:
    """The FFN's share of the layer it stands in, norms included, in per cent."""
    groups = _groups(tensor for tensor in model.parts_list.tensors if tensor.part == "ffn")
    if not groups:
        return NONE
    stack, layer = _first_layer(groups)
    layer_groups = _groups(model.parts_list.tensors)
    whole, ffn = (_count(_held(of, stack, layer)) for of in (layer_groups, groups))
    return Cell(100 * ffn / whole, _remark(groups))


def part_parameters(*parts: Part) -> Reading:
    """The reading of the parameters of some parts of the model together."""

    def read(model: Model) -> Cell:
        return Cell(sum(model.parameters_by_part[part] for part in parts), _tied(model) if "lm_head" in parts else None)

    return read


def part_share(*parts: Part) -> Reading:
    """The reading of the share that some parts of the model have of all parameters, in per cent."""

    def read(model: Model) -> Cell:
        share = 100 * sum(model.parameters_by_part[part] for part in parts) / model.parameters
        return Cell(share, _tied(model) if "lm_head" in parts else None)

    return read


def parameters(model: Model) -> Cell:
    """The exact total: Σ copies · in · out, tied tensors counted once."""
    return Cell(model.parameters)


def published(model: Model) -> Cell:
    """The figure it is published under, as it is written."""
    figure = model.entry.published if model.entry else None
    return Cell(figure) if figure else Cell(None, "no_published")


def published_difference(model: Model) -> Cell:
    """Parameters that the exact total lies above the published figure; negative below it."""
    figure = published(model)
    return Cell(model.parameters - published_value(figure.value)) if figure.value else figure


def published_difference_percent(model: Model) -> Cell:
    """The same in per cent of the published figure."""
    figure = published(model)
    if not figure.value:
        return figure
    claimed = published_value(figure.value)
    return Cell(100 * (model.parameters - claimed) / claimed)


def verdict(model: Model) -> Cell:
    """`rounds_to` where the total rounds to the published figure, `round_figure` where that is rounder, `no_published`."""
    figure = published(model)
    if not figure.value:
        return Cell("no_published")
    return Cell("rounds_to" if rounds_to(model.parameters, figure.value) else "round_figure")


def active_parameters(model: Model) -> Cell:
    """What a token goes through: of E experts the k chosen, of all else everything."""
    return Cell(active(model.parts_list.tensors), _choice(model))


def active_parameters_without_input_embedding(model: Model) -> Cell:
    """The same without the token embedding table, unless that is the head too."""
    return Cell(active_without_table(model.parts_list.tensors), _choice(model))


def active_published(model: Model) -> Cell:
    """The figure its active parameters are published under, as it is written."""
    figure = model.entry.active_published if model.entry else None
    if figure:
        return Cell(figure)
    return Cell(None, "no_published" if _choice(model) != "dense" else "dense")


def fp16_bytes(model: Model) -> Cell:
    """Bytes of the weights in fp16 or bf16: 2 · N."""
    return Cell(FP16_BYTES * model.parameters)


def fp16_gb(model: Model) -> Cell:
    """The same in GB of 10⁹ bytes."""
    return Cell(FP16_BYTES * model.parameters / 10**9)


def fp16_gib(model: Model) -> Cell:
    """The same in GiB of 2³⁰ bytes."""
    return Cell(FP16_BYTES * model.parameters / 2**30)


def ffn_ratio(model: Model) -> Cell:
    """d_ff ÷ d, how much wider the FFN is than the model."""
    if not model.parameters_by_part["ffn"]:
        return NONE
    hidden_size = model.parts_list.sizes.get("hidden_size")
    return _quotient(intermediate_size(model), hidden_size)


def query_heads_per_kv_head(model: Model) -> Cell:
    """n_h ÷ n_kv, the query heads that share a key-value head."""
    kv_heads = num_key_value_heads(model)
    return _quotient(num_attention_heads(model), kv_heads.value) if kv_heads.value else kv_heads


def _quotient(above: Cell, below: object) -> Cell:
    if above.value is None or not isinstance(below, int):
        return Cell(None, above.remark or "no_such_thing")
    quotient = Fraction(above.value, below)
    return Cell(quotient.numerator if quotient.denominator == 1 else float(quotient), above.remark)


def _tied(model: Model) -> str | None:
    return "tied" if any(tensor.part == "lm_head" and tensor.tied_to for tensor in model.parts_list.tensors) else None


def _choice(model: Model) -> str | None:
    """`dense` without experts, `not_said` where nobody says how many are chosen."""
    stacks = [tensor for tensor in model.parts_list.tensors if tensor.experts]
    if not stacks:
        return "dense"
    return "not_said" if any(tensor.experts_chosen is None for tensor in stacks) else None


def layer_tensors(model: Model, *parts: Part) -> list[Tensor]:
    """The tensors of some parts in the first layer that holds any: what the cells of one layer sum. No parts: all of them."""
    groups = _groups(tensor for tensor in model.parts_list.tensors if not parts or tensor.part in parts)
    return [tensor for tensor in _held(groups, *_first_layer(groups)) if tensor.parameters] if groups else []


Groups = Mapping[tuple[str | None, tuple[int, ...]], Sequence[Tensor]]
"""Tensors by their stack and the layers that hold them: a model of equal layers has one group."""


def _of_one_layer(model: Model, *parts: Part) -> Cell:
    groups = _groups(tensor for tensor in model.parts_list.tensors if not parts or tensor.part in parts)
    return Cell(_count(_held(groups, *_first_layer(groups))), _remark(groups)) if groups else NONE


def _groups(tensors: Iterable[Tensor]) -> Groups:
    groups: dict[tuple, list[Tensor]] = {}
    for tensor in tensors:
        if tensor.layers:
            groups.setdefault((stack_of(tensor), tensor.layers), []).append(tensor)
    return groups


def _first_layer(groups: Groups) -> tuple[str | None, int]:
    """The first stack, and the first of its layers that holds any."""
    first = next(stack for stack, _ in groups)
    return first, min(layers[0] for stack, layers in groups if stack == first)


def _held(groups: Groups, stack: str | None, layer: int) -> Iterator[Tensor]:
    for (of_stack, layers), tensors in groups.items():
        if of_stack == stack and layer in layers:
            yield from tensors


def _count(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.repeats * tensor.count for tensor in tensors if tensor.parameters)


def _remark(groups: Groups) -> str | None:
    """Whether some layers hold another number of these parameters than others do."""
    if len(groups) < 2:
        return None
    by_layer: dict[tuple, int] = {}
    for (stack, layers), tensors in groups.items():
        count = _count(tensors)
        for layer in layers:
            by_layer[stack, layer] = by_layer.get((stack, layer), 0) + count
    return "first_kind" if len(set(by_layer.values())) > 1 else None
