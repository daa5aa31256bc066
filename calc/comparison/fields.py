"""Cells that hold a config's fields. Where a class has no field for a size its tensors have, it is read from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from calc.comparison.cells import NONE, Cell, Reading, Value
from calc.config import Config
from calc.errors import ConfigError
from calc.model import Model
from calc.tensors import Band

WIDENING = ("gate", "up", "widen")
"""Roles of the matrices whose output is d_ff long."""


def field_cell(field: str, otherwise: Reading = lambda model: NONE) -> Reading:
    """The reading of one field that the count rests on; a list, one entry a layer, only where all entries are equal.

    otherwise   the reading for a type without the field
    """

    def read(model: Model) -> Cell:
        sizes = model.parts_list.sizes
        if field not in sizes:
            return otherwise(model)
        value = sizes[field]
        if isinstance(value, tuple):
            return Cell(value[0]) if len(set(value)) == 1 else Cell(None, "differs_by_layer")
        return Cell(value, "assumed" if _is_assumed(model, field) else None)

    return read


def _is_assumed(model: Model, field: str) -> bool:
    assumed = {assumption.field for assumption in model.parts_list.assumed}
    return bool(assumed) and (field in assumed or model.config.own_name(field) in assumed)


def model_type(model: Model) -> Cell:
    """The config's `model_type`."""
    return Cell(model.model_type)


def _widths(model: Model) -> Cell:
    return _agreed(
        tensor.output.value
        for tensor in model.tensors
        if tensor.part == "ffn" and tensor.role in WIDENING and not tensor.experts and "shared" not in tensor.name
    )


intermediate_size = field_cell("intermediate_size", _widths)
"""d_ff, the width of a dense FFN; of Mixtral and its like the width of an expert, as their configs call it."""

num_hidden_layers = field_cell("num_hidden_layers", lambda model: Cell(model.parts_list.num_hidden_layers, "from_tensors"))
"""L, the layers."""

num_attention_heads = field_cell("num_attention_heads", lambda model: _agreed(band.heads for band in _bands(model, "query")))
"""n_h, the query heads of a layer."""


def _kv_heads(model: Model) -> Cell:
    return Cell(None, "latent") if _is_latent(model) else _agreed(band.heads for band in _bands(model, "key", "query_key_value"))


num_key_value_heads = field_cell("num_key_value_heads", _kv_heads)
"""n_kv, the key-value heads of a layer: n_h where each query head has its own. MLA caches none."""

_head_dim = field_cell("head_dim", lambda model: _agreed(band.width for band in _bands(model, "query")))


def head_dim(model: Model) -> Cell:
    """The length of a head. In MLA a query head and a value head may differ, so there is no single one."""
    return Cell(None, "latent") if _is_latent(model) else _head_dim(model)


def _is_tied(model: Model) -> Cell:
    heads = [tensor for tensor in model.tensors if tensor.role == "lm_head" and tensor.kind == "matrix"]
    return Cell(any(tensor.tied_to for tensor in heads), "from_tensors") if heads else NONE


tie_word_embeddings = field_cell("tie_word_embeddings", _is_tied)
"""Whether the head is the embedding table."""


def num_experts(model: Model) -> Cell:
    """E, the routed experts of a layer that has them."""
    return _agreed((tensor.experts.value for tensor in model.tensors if tensor.experts), remark=None)


def num_experts_per_tok(model: Model) -> Cell:
    """k, the routed experts a token goes through."""
    chosen = [tensor.experts_chosen for tensor in model.tensors if tensor.experts]
    return Cell(None, "not_said") if None in chosen else _agreed(chosen, remark=None)


def moe_intermediate_size(model: Model) -> Cell:
    """d_expert, the width of a routed expert: what goes into its `down` matrix."""
    tensors = model.tensors
    return _agreed(
        (tensor.input.value for tensor in tensors if tensor.experts and tensor.role == "down" and tensor.kind == "matrix"),
        remark=None,
    )


def _context_of_config(model: Model) -> Cell:
    """A model of the catalogue has only the fields that shape a tensor; its published config may say more."""
    for config in _configs(model):
        try:
            value = config.size("max_position_embeddings")
        except ConfigError:
            continue
        if not config.assumed:
            return Cell(value)
        return Cell(None, "not_said") if model.entry else Cell(value, "assumed")
    return NONE


max_position_embeddings = field_cell("max_position_embeddings", _context_of_config)
"""n_ctx, the positions the config allows for; the class's default where a whole config does not say."""


def _configs(model: Model) -> Iterator[Config]:
    """The language model's config, and those inside it that the count read."""
    config = model.config
    yield config
    for field, inner in model.parts_list.sizes.items():
        if isinstance(inner, Mapping):
            yield Config(inner, config.type_inside(field))


def _is_latent(model: Model) -> bool:
    return any(tensor.role == "key_value_down" for tensor in model.tensors)


def _bands(model: Model, *roles: str) -> Iterator[Band]:
    for tensor in model.tensors:
        if tensor.part == "attention" and not tensor.role.startswith("cross"):
            yield from (band for band in (*tensor.output_bands, *tensor.input_bands) if band.role in roles)


def _agreed(values: Iterable[Value], remark: str | None = "from_tensors") -> Cell:
    found = set(values)
    if not found:
        return NONE
    return Cell(found.pop(), remark) if len(found) == 1 else Cell(None, "differs_by_layer")
