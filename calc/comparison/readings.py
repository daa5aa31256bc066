"""Cells that are read from the tensors: a layer, the parts, the total, bytes, FLOPs, ratios.

Each reading is a pure function from a model to its cell; a share is in per cent.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from calc.catalogue import published_value, rounds_to
from calc.comparison.cells import NONE, Cell, Reading
from calc.comparison.fields import intermediate_size, num_attention_heads, num_key_value_heads
from calc.compute import flops
from calc.errors import ConfigError
from calc.mixing import kv_cache
from calc.model import Model
from calc.parts_list import LayerKind, active_parameters_without_input_embedding, layer_kinds
from calc.tensors import Part

FP16_BYTES = 2
"""Bytes of a number in fp16 or bf16."""


def number_of_layer_kinds(model: Model) -> Cell:
    """How many kinds of layer the model has: 1 where all layers hold the same.

    >>> number_of_layer_kinds(Model.of("deepseek-v3")).value
    2
    """
    return Cell(len(layer_kinds(model.parts_list)))


def layers_with(model: Model, *parts: Part) -> Iterator[LayerKind]:
    """The kinds of layer that hold some parts, with the tensors of these parts alone; without a part, all."""
    for kind in layer_kinds(model.parts_list):
        tensors = tuple(tensor for tensor in kind.tensors if not parts or tensor.part in parts)
        if tensors:
            yield LayerKind(kind.stack, kind.layers, tensors)


def in_layer(*parts: Part) -> Reading:
    """The reading of the parameters that some parts, or all, have in one layer: Σ in · out. Of the first kind, where
    layers differ."""

    def read(model: Model) -> Cell:
        counts = [kind.parameters for kind in layers_with(model, *parts)]
        return Cell(counts[0], "first_kind" if len(set(counts)) > 1 else None) if counts else NONE

    return read


def ffn_and_layer(model: Model) -> tuple[int, int] | None:
    """Parameters of the FFN in the first layer that holds one, and of that whole layer, norms included."""
    ffn = next(layers_with(model, "ffn"), None)
    if ffn is None:
        return None
    layer = next(kind for kind in layers_with(model) if (kind.stack, kind.layers) == (ffn.stack, ffn.layers))
    return ffn.parameters, layer.parameters


def ffn_share(model: Model) -> Cell:
    """The FFN's share of its layer, in per cent."""
    counts = ffn_and_layer(model)
    return Cell(100 * counts[0] / counts[1], in_layer("ffn")(model).remark) if counts else NONE


def sum_of(*parts: Part) -> Reading:
    """The reading of the parameters of some parts of the model together."""
    return lambda model: Cell(sum(model.parameters_by_part[part] for part in parts), _tied(model, parts))


def share_of(*parts: Part) -> Reading:
    """The reading of the share that some parts of the model have of all parameters, in per cent."""
    return lambda model: Cell(100 * sum(model.parameters_by_part[part] for part in parts) / model.parameters, _tied(model, parts))


def total(model: Model) -> Cell:
    """The exact total: Σ copies · in · out, tied tensors counted once."""
    return Cell(model.parameters)


def published_figure(model: Model) -> str | None:
    """The figure a model is published under, `6.74B`; None where none is known."""
    return model.entry.published if model.entry else None


def published(model: Model) -> Cell:
    """The figure it is published under, as it is written."""
    figure = published_figure(model)
    return Cell(figure) if figure else Cell(None, "no_published")


def above_published(model: Model) -> Cell:
    """Parameters that the exact total lies above the published figure; negative below it."""
    figure = published_figure(model)
    return Cell(model.parameters - published_value(figure)) if figure else Cell(None, "no_published")


def above_published_percent(model: Model) -> Cell:
    """The same in per cent of the published figure."""
    figure = published_figure(model)
    if not figure:
        return Cell(None, "no_published")
    claimed = published_value(figure)
    return Cell(100 * (model.parameters - claimed) / claimed)


def verdict(model: Model) -> Cell:
    """`rounds_to` where the total rounds to the published figure, `round_figure` where that is rounder, `no_published`."""
    figure = published_figure(model)
    if not figure:
        return Cell("no_published")
    return Cell("rounds_to" if rounds_to(model.parameters, figure) else "round_figure")


def active(model: Model) -> Cell:
    """What a token goes through: of E experts the k chosen, of all else everything."""
    return Cell(model.active_parameters, _choice(model))


def active_multiplied(model: Model) -> Cell:
    """The same without the table that is only looked up, as some active figures are counted."""
    return Cell(active_parameters_without_input_embedding(model.tensors), _choice(model))


def active_published(model: Model) -> Cell:
    """The figure its active parameters are published under, as it is written."""
    figure = model.entry.active_published if model.entry else None
    if figure:
        return Cell(figure)
    return Cell(None, "no_published" if _choice(model) != "dense" else "dense")


def fp16(unit: int = 1) -> Reading:
    """The reading of the weights in fp16 or bf16, 2 · N bytes, in a unit: 10⁹ bytes for GB, 2³⁰ for GiB."""
    return lambda model: Cell(FP16_BYTES * model.parameters if unit == 1 else FP16_BYTES * model.parameters / unit)


def kv_bytes(model: Model) -> Cell:
    """Bytes of KV cache a token adds in fp16, while no window is full: 2 · L · n_kv · head_dim · 2 B, or what the type keeps.

    >>> kv_bytes(Model.of("tinyllama-1.1b")).value
    22528
    """
    fault = model.mixing_fault
    return _fault(fault) if fault else Cell(kv_cache.kv_bytes_per_token(model.mixing))


def flops_rule(model: Model) -> Cell:
    """The rule of thumb: 2 · N FLOPs a token, of a mixture of experts 2 · N_active.

    >>> flops_rule(Model.of("llama-2-7b")).value
    13476831232
    """
    return Cell(2 * model.active_parameters)


def matmul_flops(model: Model) -> Cell:
    """Exact forward FLOPs of a token in the matrices: Σ 2 · in · out; a lookup is none, attention scores come on top.

    >>> matmul_flops(Model.of("llama-2-7b")).value
    13214154752
    """
    fault = model.mixing_fault
    return _fault(fault) if fault else Cell(flops.matmul_flops_per_token(model))


def ffn_ratio(model: Model) -> Cell:
    """d_ff ÷ d, how much wider the FFN is than the model."""
    if not model.parameters_by_part["ffn"]:
        return NONE
    return _quotient(intermediate_size(model), model.parts_list.sizes.get("hidden_size"))


def query_group(model: Model) -> Cell:
    """n_h ÷ n_kv, the query heads that share a key-value head."""
    kv_heads = num_key_value_heads(model)
    return _quotient(num_attention_heads(model), kv_heads.value) if kv_heads.value else kv_heads


def _quotient(above: Cell, below: object) -> Cell:
    if not isinstance(above.value, int) or not isinstance(below, int):
        return Cell(None, above.remark or "no_such_thing")
    quotient = Fraction(above.value, below)
    return Cell(quotient.numerator if quotient.denominator == 1 else float(quotient), above.remark)


def _tied(model: Model, parts: tuple[Part, ...]) -> str | None:
    is_tied = "lm_head" in parts and any(tensor.part == "lm_head" and tensor.tied_to for tensor in model.tensors)
    return "tied" if is_tied else None


def _choice(model: Model) -> str | None:
    """`dense` without experts, `not_said` where no field says how many are chosen."""
    stacks = [tensor for tensor in model.tensors if tensor.experts]
    if not stacks:
        return "dense"
    return "not_said" if any(tensor.experts_chosen is None for tensor in stacks) else None


def _fault(fault: ConfigError) -> Cell:
    """No value where it is not described how tokens meet: never a guess."""
    return Cell(None, "not_described" if fault.code == "mixing_not_described" else "not_readable")
