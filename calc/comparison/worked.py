"""How a cell of the comparison is made, written out: in the symbols and in the numbers of the model at hand.

Each function gives the right side of an equation whose left side is the cell's value, digits ungrouped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calc.addition import addition
from calc.catalogue import published_value
from calc.comparison.fields import intermediate_size, num_attention_heads, num_key_value_heads
from calc.comparison.readings import FP16_BYTES, layer_tensors, published_figure
from calc.model import Model
from calc.parts_list import active_parameters
from calc.tensors import PARTS, Part, Tensor


@dataclass(frozen=True, slots=True)
class Worked:
    """An expression in symbols, `d × n_h·head_dim + …`, and the same in numbers, `4096 × 32·128 + …`."""

    symbols: str
    numbers: str


Working = Callable[[Model], Worked | None]


def as_it_stands(model: Model) -> None:
    """No working: a field of the config, or a text, read as it stands."""


def _sum(tensors: list[Tensor]) -> Worked:
    """Σ in · out over the tensors of a layer, a tensor that stands there several times with a factor."""

    def term(tensor: Tensor, written: str) -> str:
        factor = f"{tensor.repeats} × " if tensor.repeats > 1 else ""
        return f"{factor}({written})" if factor and " + " in written and " × " not in written else f"{factor}{written}"

    return Worked(
        " + ".join(term(tensor, tensor.formula) for tensor in tensors),
        " + ".join(term(tensor, tensor.numbers) for tensor in tensors),
    )


def one_layer(*parts: Part) -> Working:
    """The working of the parameters that some parts, or all, have in one layer."""

    def work(model: Model) -> Worked | None:
        tensors = layer_tensors(model, *parts)
        return _sum(tensors) if tensors else None

    return work


def of_parts(*parts: Part) -> Working:
    """The working of the parameters of some parts: each product of the addition."""

    def work(model: Model) -> Worked | None:
        terms = [term for row in addition(model.parts_list) if row.part in parts for term in row.terms]
        symbols = " + ".join(f"N_{part}" for part in parts) if len(parts) > 1 else "Σ copies·in·out"
        return Worked(symbols, " + ".join(" × ".join(map(str, term.factors)) for term in terms)) if terms else None

    return work


def share_of_parts(*parts: Part) -> Working:
    """The working of a share of all parameters."""

    def work(model: Model) -> Worked:
        above = " + ".join(f"N_{part}" for part in parts)
        symbols = f"100·({above}) ÷ N" if len(parts) > 1 else f"100·{above} ÷ N"
        return Worked(symbols, f"100·{sum(model.parameters_by_part[part] for part in parts)} ÷ {model.parameters}")

    return work


def total(model: Model) -> Worked:
    """The sum of the parts."""
    parts: list[Part] = [part for part in PARTS if model.parameters_by_part[part]]
    return Worked(" + ".join(f"N_{part}" for part in parts), " + ".join(str(model.parameters_by_part[part]) for part in parts))


def published_difference(model: Model) -> Worked | None:
    """What the total lies above the published figure."""
    figure = published_figure(model)
    return Worked("N − N_published", f"{model.parameters} − {published_value(figure)}") if figure else None


def published_difference_percent(model: Model) -> Worked | None:
    """The same in per cent."""
    figure = published_figure(model)
    if not figure:
        return None
    claimed = published_value(figure)
    return Worked("100·(N − N_published) ÷ N_published", f"100·({model.parameters - claimed}) ÷ {claimed}")


def active(model: Model) -> Worked:
    """All parameters without the experts that are not chosen."""
    idle = model.parameters - active_parameters(model.parts_list.tensors)
    return Worked("N − N_not_chosen", f"{model.parameters} − {idle}") if idle else Worked("N", str(model.parameters))


def fp16(below: str) -> Working:
    """Two bytes a parameter, in a unit."""
    return lambda model: Worked(f"2 B·N{below}", f"{FP16_BYTES}·{model.parameters}{below}")


def kv_bytes_per_token(model: Model) -> Worked | None:
    """The numbers every kind of layer keeps of a token, two bytes each."""
    if model.mixing_fault:
        return None
    kinds = [each for each in model.mixing.attention if each.keeps_own_cache and each.kind != "cross"]
    if not kinds:
        return None
    written = []
    for each in kinds:
        layers = "L" if len(kinds) == 1 else f"L_{each.kind}"
        passes, entries = f"·{each.repeats}" if each.repeats > 1 else "", f" ÷ {each.every}" if each.every > 1 else ""
        written.append(
            Worked(
                f"{layers}{passes}·{each.cached.factor_symbol}·2 B{entries}",
                f"{each.copies}·{each.cached.factor_numbers}·2{entries}",
            )
        )
    return Worked(" + ".join(each.symbols for each in written), " + ".join(each.numbers for each in written))


def matmul_flops(model: Model) -> Worked | None:
    """Two FLOPs for every number of the matrices."""
    from calc.compute.flops import matmul_flops_per_token

    if model.mixing_fault:
        return None
    return Worked("2·Σ in·out", f"2·{matmul_flops_per_token(model) // 2}")


def flops_rule(model: Model) -> Worked:
    """The rule of thumb."""
    return Worked("2·N_active", f"2·{active_parameters(model.parts_list.tensors)}")


def ffn_ratio(model: Model) -> Worked | None:
    """How much wider the FFN is."""
    width = intermediate_size(model).value if model.parameters_by_part["ffn"] else None
    return Worked("d_ff ÷ d", f"{width} ÷ {model.parts_list.sizes.get('hidden_size')}") if width else None


def query_heads_per_kv_head(model: Model) -> Worked | None:
    """Query heads that share a kv head."""
    heads, kv_heads = num_attention_heads(model).value, num_key_value_heads(model).value
    return Worked("n_h ÷ n_kv", f"{heads} ÷ {kv_heads}") if heads and kv_heads else None
