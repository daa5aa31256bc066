"""How a cell of the comparison is made, written out: in the symbols and in the numbers of the model at hand.

A working is named as the reading (`calc.comparison.readings`) whose value it comes to, and gives the right side of an
equation whose left side is that value, digits ungrouped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calc.addition import addition
from calc.catalogue import published_value
from calc.comparison import readings
from calc.comparison.fields import intermediate_size, num_attention_heads, num_key_value_heads
from calc.compute.flops import matmul_flops_per_token
from calc.model import Model
from calc.parts_list import active_parameters_without_input_embedding
from calc.tensors import PARTS, Part, Tensor


@dataclass(frozen=True, slots=True)
class Worked:
    """An expression in symbols, `d × n_h·head_dim + …`, and the same in numbers, `4096 × 32·128 + …`."""

    symbols: str
    numbers: str


Working = Callable[[Model], Worked | None]
"""From a model to the working of its cell; None where the cell has no value."""


def as_it_stands(model: Model) -> None:
    """No working: a field of the config, or a text, as it is."""


def in_layer(*parts: Part) -> Working:
    """The working of the parameters that some parts, or all, have in one layer.

    >>> in_layer("ffn")(Model.of("llama-3-8b")).symbols
    'd × d_ff + d × d_ff + d_ff × d'
    """

    def term(tensor: Tensor, written: str) -> str:
        """A product, or sum of products; of a tensor that the layer holds several times, with a factor."""
        factor = f"{tensor.repeats} × " if tensor.repeats > 1 else ""
        return f"{factor}({written})" if factor and " + " in written and " × " not in written else f"{factor}{written}"

    def work(model: Model) -> Worked | None:
        kind = next(readings.layers_with(model, *parts), None)
        if kind is None:
            return None
        tensors = [tensor for tensor in kind.tensors if tensor.parameters]
        return Worked(
            " + ".join(term(tensor, tensor.formula) for tensor in tensors),
            " + ".join(term(tensor, tensor.numbers) for tensor in tensors),
        )

    return work


def ffn_share(model: Model) -> Worked | None:
    """The working of the FFN's share of its layer."""
    counts = readings.ffn_and_layer(model)
    return Worked("100·N_ffn ÷ N_layer", f"100·{counts[0]} ÷ {counts[1]}") if counts else None


def sum_of(*parts: Part) -> Working:
    """The working of the parameters of some parts: each product of the addition."""

    def work(model: Model) -> Worked | None:
        terms = [term for line in addition(model.parts_list) if line.part in parts for term in line.terms]
        symbols = " + ".join(f"N_{part}" for part in parts) if len(parts) > 1 else "Σ copies·in·out"
        return Worked(symbols, " + ".join(" × ".join(map(str, term.factors)) for term in terms)) if terms else None

    return work


def share_of(*parts: Part) -> Working:
    """The working of a share of all parameters."""
    above = " + ".join(f"N_{part}" for part in parts)
    symbols = f"100·({above}) ÷ N" if len(parts) > 1 else f"100·{above} ÷ N"
    return lambda model: Worked(symbols, f"100·{sum(model.parameters_by_part[part] for part in parts)} ÷ {model.parameters}")


def total(model: Model) -> Worked:
    """The sum of the parts."""
    counts = {part: model.parameters_by_part[part] for part in PARTS if model.parameters_by_part[part]}
    return Worked(" + ".join(f"N_{part}" for part in counts), " + ".join(map(str, counts.values())))


def above_published(model: Model) -> Worked | None:
    """What the total lies above the published figure."""
    figure = readings.published_figure(model)
    return Worked("N − N_published", f"{model.parameters} − {published_value(figure)}") if figure else None


def above_published_percent(model: Model) -> Worked | None:
    """The same in per cent."""
    figure = readings.published_figure(model)
    if not figure:
        return None
    claimed = published_value(figure)
    return Worked("100·(N − N_published) ÷ N_published", f"100·({model.parameters - claimed}) ÷ {claimed}")


def active(model: Model) -> Worked:
    """All parameters without the experts that are not chosen."""
    idle = model.parameters - model.active_parameters
    return Worked("N − N_not_chosen", f"{model.parameters} − {idle}") if idle else Worked("N", str(model.parameters))


def active_multiplied(model: Model) -> Worked:
    """The same without the table that is only looked up."""
    table = model.active_parameters - active_parameters_without_input_embedding(model.tensors)
    return Worked("N_active − N_table", f"{model.active_parameters} − {table}")


def fp16(unit: str = "") -> Working:
    """Two bytes a parameter, divided by a unit."""
    return lambda model: Worked(f"2 B·N{unit}", f"{readings.FP16_BYTES}·{model.parameters}{unit}")


def kv_bytes(model: Model) -> Worked | None:
    """The numbers that every kind of layer keeps of a token, two bytes each.

    >>> kv_bytes(Model.of("llama-3-8b"))
    Worked(symbols='L·2·n_kv·head_dim·2 B', numbers='32·2·8·128·2')
    """
    mixing = model.mixing_if_described
    kinds = [each for each in mixing.attention if each.keeps_own_cache and each.kind != "cross"] if mixing else []
    symbols, numbers = [], []
    for each in kinds:
        layers = "L" if len(kinds) == 1 else f"L_{each.kind}"
        passes, entries = f"·{each.repeats}" if each.repeats > 1 else "", f" ÷ {each.every}" if each.every > 1 else ""
        symbols.append(f"{layers}{passes}·{each.cached.factor_symbol}·2 B{entries}")
        numbers.append(f"{each.copies}·{each.cached.factor_numbers}·2{entries}")
    return Worked(" + ".join(symbols), " + ".join(numbers)) if kinds else None


def flops_rule(model: Model) -> Worked:
    """The rule of thumb."""
    return Worked("2·N_active", f"2·{model.active_parameters}")


def matmul_flops(model: Model) -> Worked | None:
    """Two FLOPs for every number of the matrices."""
    return None if model.mixing_fault else Worked("2·Σ in·out", f"2·{matmul_flops_per_token(model) // 2}")


def ffn_ratio(model: Model) -> Worked | None:
    """How much wider the FFN is than the model."""
    width = intermediate_size(model).value if model.parameters_by_part["ffn"] else None
    return Worked("d_ff ÷ d", f"{width} ÷ {model.parts_list.sizes.get('hidden_size')}") if width else None


def query_group(model: Model) -> Worked | None:
    """Query heads that share a kv head."""
    heads, kv_heads = num_attention_heads(model).value, num_key_value_heads(model).value
    return Worked("n_h ÷ n_kv", f"{heads} ÷ {kv_heads}") if heads and kv_heads else None
