"""One tensor: what goes in and comes out, the formula in symbols and in numbers, its shares and bytes, and what it does."""

from __future__ import annotations

from html import escape

from calc.config import FIELDS
from calc.parts_list import PartsList, layer_parameters, parameters
from calc.tensors import Tensor
from ui.explain import sentence, title
from ui.numbers import gibibytes, gigabytes, grouped, grouped_within, percent, signed
from ui.texts import text_in

FP16_BYTES = 2


def tensor_card(language: str, tensor: Tensor, parts_list: PartsList, base: PartsList | None = None) -> str:
    """The card of a chosen tensor; with `base`, the difference from the tensor of the same name there."""
    facts = "".join(
        f'<div class="fact"><dt>{escape(term)}</dt><dd>{description}</dd></div>'
        for term, description in _facts(language, tensor, parts_list, base)
    )
    return (
        f'<section class="tensor-card part-{tensor.part}"><h2>{escape(tensor.short_name)}'
        f"<small>{escape(title(language, tensor))}</small></h2>"
        f"{_arrow(language, tensor)}{_derivation(tensor)}<p>{escape(sentence(language, tensor, parts_list))}</p>"
        f"<dl>{facts}</dl></section>"
    )


def _arrow(language: str, tensor: Tensor) -> str:
    out = grouped(tensor.output.value)
    if tensor.is_vector:
        return f'<p class="arrow">{text_in(language, "tensor.length")} <b>{out}</b></p>'
    came, went = text_in(language, "tensor.in"), text_in(language, "tensor.out")
    return f'<p class="arrow">{came} <b>{grouped(tensor.input.value)}</b> → {went} <b>{out}</b></p>'


def _derivation(tensor: Tensor) -> str:
    """`d × n_kv·head_dim = 4,096 × 8·128 = 4,096 × 1,024 = 4,194,304`, and what the symbols stand for."""
    lengths = [tensor.output] if tensor.is_vector else [tensor.input, tensor.output]
    values = " × ".join(grouped(length.value) for length in lengths)
    steps = dict.fromkeys([tensor.formula, grouped_within(tensor.numbers), values, grouped(tensor.count)])
    *before, count = map(escape, steps)
    equation = " = ".join([*before, f"<b>{count}</b>"])
    symbols = ", ".join(
        f"{field.symbol} = {name}" for name, field in FIELDS.items() if field.symbol in _symbols(lengths) and field.symbol != name
    )
    legend = f'<p class="symbols">{escape(symbols)}</p>' if symbols else ""
    return f'<p class="equation">{equation}</p>{legend}'


def _symbols(lengths) -> set[str]:
    return {symbol for length in lengths for symbol in length.symbol.replace("(", "").replace(")", "").replace(" + ", "·").split("·")}


def _facts(
    language: str, tensor: Tensor, parts_list: PartsList, base: PartsList | None
) -> list[tuple[str, str]]:
    number_of_bytes = tensor.count * FP16_BYTES
    facts = []
    if base:
        before = {other.name: other for other in base.tensors}.get(tensor.name)
        difference = tensor.count - before.count if before else tensor.count
        facts.append((text_in(language, "tensor.one_copy"), f"{grouped(tensor.count)} {_difference(difference)}"))
        all_copies = tensor.parameters - (before.parameters if before else 0)
        facts.append((_copies(language, tensor), f"{grouped(tensor.parameters)} {_difference(all_copies)}"))
    elif tensor.copies > 1:
        facts.append((_copies(language, tensor), grouped(tensor.parameters)))
    if tensor.tied_to:
        facts.append((text_in(language, "tensor.tied"), escape(tensor.tied_to)))
    else:
        if tensor.layers is not None:
            share = tensor.repeats * tensor.count / layer_parameters(parts_list, tensor.layers[0])
            facts.append((text_in(language, "tensor.of_layer"), percent(share)))
        facts.append((text_in(language, "tensor.of_model"), percent(tensor.parameters / parameters(parts_list.tensors))))
    facts.append((text_in(language, "tensor.bytes"), f"{gigabytes(number_of_bytes)} · {gibibytes(number_of_bytes)}"))
    if tensor.copies > 1:
        all_bytes = tensor.parameters * FP16_BYTES
        facts.append((text_in(language, "tensor.all_bytes"), f"{gigabytes(all_bytes)} · {gibibytes(all_bytes)}"))
    shape = f"[{', '.join(grouped(length) for length in tensor.shape)}]"
    note = "" if tensor.is_vector else f" <small>{text_in(language, f'tensor.stored_{tensor.layout}')}</small>"
    return [*facts, (text_in(language, "tensor.stored"), shape + note)]


def _copies(language: str, tensor: Tensor) -> str:
    return text_in(language, "tensor.all_copies", copies=grouped(tensor.copies))


def _difference(value: int) -> str:
    return f'<em class="difference">{signed(value)}</em>'
