"""One tensor: what goes in and comes out, the formula in symbols and in numbers, its shares and bytes, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from calc.config import field_of
from calc.lengths import Length
from calc.parts_list import PartsList, layer_parameters, parameters, stack_of
from calc.tensors import Tensor
from ui.figures.explain import sentence, title
from ui.html import Child, Markup, difference, joined, tag
from ui.numbers import FP16_BYTES, gibibytes, gigabytes, grouped, grouped_within, percent, signed, signed_gigabytes, signed_points
from ui.texts import text_in

Reading = Callable[[Tensor, PartsList], float]
"""A figure read from a tensor and its list."""


def tensor_card(language: str, tensor: Tensor, parts_list: PartsList, base: PartsList | None = None) -> Markup:
    """The card of a chosen tensor; with `base`, the difference from the tensor of the same name there."""
    facts = (
        tag("div", tag("dt", term), tag("dd", description), class_="fact")
        for term, description in _facts(language, tensor, parts_list, base)
    )
    return tag(
        "section",
        tag("h2", tensor.short_name, tag("small", title(language, tensor))),
        _arrow(language, tensor),
        _derivation(tensor, parts_list),
        tag("p", sentence(language, tensor, parts_list)),
        tag("dl", *facts),
        class_=f"tensor-card part-{tensor.part}",
    )


def _arrow(language: str, tensor: Tensor) -> Markup:
    out = tag("b", grouped(tensor.output.value))
    if tensor.is_vector:
        return tag("p", text_in(language, "tensor.length"), " ", out, class_="arrow")
    came = tag("b", grouped(tensor.input.value))
    return tag("p", text_in(language, "tensor.in"), " ", came, " → ", text_in(language, "tensor.out"), " ", out, class_="arrow")


def _derivation(tensor: Tensor, parts_list: PartsList) -> Markup:
    """`d × n_kv·head_dim = 4,096 × 8·128 = 4,096 × 1,024 = 4,194,304`, and what the symbols stand for."""
    lengths = tensor.factors
    values = " × ".join(grouped(length.value) for length in lengths)
    steps = dict.fromkeys([tensor.formula, grouped_within(tensor.numbers), values, grouped(tensor.count)])
    *before, count = steps
    named = {name: field_of(name).symbol for name in parts_list.sizes}
    symbols = ", ".join(f"{symbol} = {name}" for name, symbol in named.items() if symbol in _symbols(lengths) and symbol != name)
    equation = tag("p", joined([*before, tag("b", count)], " = "), class_="equation")
    return joined([equation, tag("p", symbols, class_="symbols") if symbols else None])


def _symbols(lengths: Iterable[Length]) -> set[str]:
    return {
        symbol for length in lengths for symbol in length.symbol.replace("(", "").replace(")", "").replace(" + ", "·").split("·")
    }


def _facts(language: str, tensor: Tensor, parts_list: PartsList, base: PartsList | None) -> list[tuple[str, Child]]:
    """Terms and their values; with `base`, each with its difference from the tensor of the same name there."""
    before = base and next((other for other in base.tensors if other.name == tensor.name), None)

    def fact(term: str) -> tuple[str, Child]:
        reading, written, written_difference = FACTS[term]
        value = reading(tensor, parts_list)
        figure = written(value)
        if base:
            change = written_difference(value - (reading(before, base) if before else 0))
            figure = joined([figure, " ", difference(change)])
        return text_in(language, f"tensor.{term}", copies=grouped(tensor.copies)), figure

    facts = [fact("one_copy")] if base else []
    if tensor.copies > 1:
        facts.append(fact("all_copies"))
    if tensor.tied_to:
        facts.append((text_in(language, "tensor.tied"), tensor.tied_to))
    elif tensor.kind == "buffer":
        facts.append((text_in(language, "tensor.buffer"), text_in(language, "tensor.buffer_adds")))
    else:
        if tensor.layers is not None:
            facts.append(fact("of_layer"))
        facts.append(fact("of_model"))
    facts.append(fact("bytes"))
    if tensor.copies > 1:
        facts.append(fact("all_bytes"))
    shape = f"[{', '.join(grouped(length) for length in tensor.shape)}]"
    note = None if tensor.is_vector else tag("small", text_in(language, f"tensor.stored_{tensor.layout}"))
    return [*facts, (text_in(language, "tensor.stored"), joined([shape, note], " "))]


def _share_of_layer(tensor: Tensor, parts_list: PartsList) -> float:
    first, *_ = tensor.layers or (0,)
    return tensor.repeats * tensor.count / layer_parameters(parts_list, first, stack_of(tensor))


def _both_units(number_of_bytes: int) -> str:
    return f"{gigabytes(number_of_bytes)} · {gibibytes(number_of_bytes)}"


FACTS: dict[str, tuple[Reading, Callable[..., str], Callable[..., str]]] = {
    "one_copy": (lambda tensor, _: tensor.count, grouped, signed),
    "all_copies": (lambda tensor, _: tensor.copies * tensor.count, grouped, signed),
    "of_layer": (_share_of_layer, percent, signed_points),
    "of_model": (lambda tensor, parts_list: tensor.parameters / parameters(parts_list.tensors), percent, signed_points),
    "bytes": (lambda tensor, _: tensor.count * FP16_BYTES, _both_units, signed_gigabytes),
    "all_bytes": (lambda tensor, _: tensor.copies * tensor.count * FP16_BYTES, _both_units, signed_gigabytes),
}
"""Each fact's reading, how it is written, and how a difference of it."""
