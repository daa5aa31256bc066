"""One tensor: what goes in and comes out, the formula in symbols and in numbers, its shares and bytes, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from calc.config import field_of
from calc.parts_list import PartsList, layer_parameters, parameters, stack_of
from calc.tensors import Tensor
from ui.figures.difference import difference
from ui.figures.explain import sentence, title
from ui.numbers import FP16_BYTES, gibibytes, gigabytes, grouped, grouped_within, percent, signed, signed_gigabytes, signed_points
from ui.texts import text_in

Reading = Callable[[Tensor, PartsList], float]
"""A figure read from a tensor and the list it stands in."""


def tensor_card(language: str, tensor: Tensor, parts_list: PartsList, base: PartsList | None = None) -> str:
    """The card of a chosen tensor; with `base`, the difference from the tensor of the same name there."""
    facts = "".join(
        f'<div class="fact"><dt>{escape(term)}</dt><dd>{description}</dd></div>'
        for term, description in _facts(language, tensor, parts_list, base)
    )
    return (
        f'<section class="tensor-card part-{tensor.part}"><h2>{escape(tensor.short_name)}'
        f"<small>{escape(title(language, tensor))}</small></h2>"
        f"{_arrow(language, tensor)}{_derivation(tensor, parts_list)}<p>{escape(sentence(language, tensor, parts_list))}</p>"
        f"<dl>{facts}</dl></section>"
    )


def _arrow(language: str, tensor: Tensor) -> str:
    out = grouped(tensor.output.value)
    if tensor.is_vector:
        return f'<p class="arrow">{text_in(language, "tensor.length")} <b>{out}</b></p>'
    came, went = text_in(language, "tensor.in"), text_in(language, "tensor.out")
    return f'<p class="arrow">{came} <b>{grouped(tensor.input.value)}</b> → {went} <b>{out}</b></p>'


def _derivation(tensor: Tensor, parts_list: PartsList) -> str:
    """`d × n_kv·head_dim = 4,096 × 8·128 = 4,096 × 1,024 = 4,194,304`, and what the symbols stand for."""
    lengths = tensor.factors
    values = " × ".join(grouped(length.value) for length in lengths)
    steps = dict.fromkeys([tensor.formula, grouped_within(tensor.numbers), values, grouped(tensor.count)])
    *before, count = map(escape, steps)
    equation = " = ".join([*before, f"<b>{count}</b>"])
    named = {name: field_of(name).symbol for name in parts_list.sizes}
    symbols = ", ".join(f"{symbol} = {name}" for name, symbol in named.items() if symbol in _symbols(lengths) and symbol != name)
    legend = f'<p class="symbols">{escape(symbols)}</p>' if symbols else ""
    return f'<p class="equation">{equation}</p>{legend}'


def _symbols(lengths) -> set[str]:
    return {
        symbol for length in lengths for symbol in length.symbol.replace("(", "").replace(")", "").replace(" + ", "·").split("·")
    }


def _facts(language: str, tensor: Tensor, parts_list: PartsList, base: PartsList | None) -> list[tuple[str, str]]:
    """Terms and their values; with `base`, each with its difference from the tensor of the same name there."""
    before = base and next((other for other in base.tensors if other.name == tensor.name), None)

    def fact(term: str, reading: Reading, show: Callable, show_difference: Callable) -> tuple[str, str]:
        value = reading(tensor, parts_list)
        shown = show(value)
        if base:
            shown += f" {difference(show_difference(value - (reading(before, base) if before else 0)))}"
        return text_in(language, f"tensor.{term}", copies=grouped(tensor.copies)), shown

    facts = [fact("one_copy", _count, grouped, signed)] if base else []
    if tensor.copies > 1:
        facts.append(fact("all_copies", _all_copies, grouped, signed))
    if tensor.tied_to:
        facts.append((text_in(language, "tensor.tied"), escape(tensor.tied_to)))
    elif tensor.kind == "buffer":
        facts.append((text_in(language, "tensor.buffer"), text_in(language, "tensor.buffer_adds")))
    else:
        if tensor.layers is not None:
            facts.append(fact("of_layer", _share_of_layer, percent, signed_points))
        facts.append(fact("of_model", _share_of_model, percent, signed_points))
    facts.append(fact("bytes", _bytes, _both_units, signed_gigabytes))
    if tensor.copies > 1:
        facts.append(fact("all_bytes", _all_bytes, _both_units, signed_gigabytes))
    shape = f"[{', '.join(grouped(length) for length in tensor.shape)}]"
    note = "" if tensor.is_vector else f" <small>{text_in(language, f'tensor.stored_{tensor.layout}')}</small>"
    return [*facts, (text_in(language, "tensor.stored"), shape + note)]


def _count(tensor: Tensor, parts_list: PartsList) -> int:
    return tensor.count


def _all_copies(tensor: Tensor, parts_list: PartsList) -> int:
    return tensor.copies * tensor.count


def _share_of_layer(tensor: Tensor, parts_list: PartsList) -> float:
    return tensor.repeats * tensor.count / layer_parameters(parts_list, tensor.layers[0], stack_of(tensor))


def _share_of_model(tensor: Tensor, parts_list: PartsList) -> float:
    return tensor.parameters / parameters(parts_list.tensors)


def _bytes(tensor: Tensor, parts_list: PartsList) -> int:
    return tensor.count * FP16_BYTES


def _all_bytes(tensor: Tensor, parts_list: PartsList) -> int:
    return tensor.copies * tensor.count * FP16_BYTES


def _both_units(number_of_bytes: int) -> str:
    return f"{gigabytes(number_of_bytes)} · {gibibytes(number_of_bytes)}"
