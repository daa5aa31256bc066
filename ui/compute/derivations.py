"""How a figure of compute is made, in symbols and in the numbers of the model at hand."""

from __future__ import annotations

from dataclasses import replace

from calc.compute.attention import LatentForm, attention_flops_per_token, causal_attention_flops, flops_per_position, head_widths
from calc.compute.flops import matmul_flops_by_part
from calc.compute.recurrence import FLOPS_PER_STATE_NUMBER, recurrence_flops_of, state_numbers
from calc.mixing import Attention, Mixing, Recurrence
from calc.model import Model
from calc.tensors import PARTS, Tensor
from ui.numbers import grouped, grouped_within
from ui.texts import text_in


def tensor_steps(language: str, tensor: Tensor, flops: int) -> tuple[str, ...]:
    """`2 × d × n_h·head_dim × 32`, the same in numbers, and the result; nothing is multiplied where a row is looked up."""
    if not flops:
        return (text_in(language, "compute.lookup"),)
    factors = [tensor.input, tensor.output]
    chosen = 1
    if tensor.experts is not None:
        chosen = tensor.experts.value if tensor.experts_chosen is None else tensor.experts_chosen
    times = flops // (2 * tensor.input.value * tensor.output.value * chosen)
    symbols = ["2", *(length.factor_symbol for length in factors)]
    numbers = ["2", *(grouped_within(length.factor_numbers) for length in factors)]
    words = []
    if chosen > 1:
        symbols.append(grouped(chosen))
        numbers.append(grouped(chosen))
        words.append(text_in(language, "compute.times_experts", number=grouped(chosen)))
    if times > 1:
        symbols.append(grouped(times))
        numbers.append(grouped(times))
        words.append(text_in(language, "compute.times_copies", number=grouped(times)))
    said = text_in(language, "frame.comma").join(words)
    return (" × ".join(symbols), f"{' × '.join(numbers)} = {grouped(flops)}", said)


def matmul_steps(language: str, model: Model, factor: str = "") -> tuple[str, ...]:
    """Σ 2·in·out of the matrices, part by part."""
    by_part = matmul_flops_by_part(model.tensors, model.mixing_if_described)
    spoken = " + ".join(f"{text_in(language, f'part.{part}')} {grouped(by_part[part])}" for part in PARTS if by_part[part])
    return (text_in(language, "compute.matmul_rule"), factor, spoken)


def attended(entry: Attention, mixing: Mixing, context: int) -> int:
    """Positions, or what stands for several, that the last of `context` tokens is multiplied with."""
    each = flops_per_position(entry, mixing)
    return attention_flops_per_token(replace(mixing, attention=(entry,)), context) // each if each else 0


def attention_steps(language: str, mixing: Mixing, context: int, latent: LatentForm = "expanded") -> tuple[str, ...]:
    """A line an entry: layers × 2 × heads × (key width + value width) × positions."""
    lines = [text_in(language, "compute.attention_rule")]
    for entry in mixing.attention:
        widths = head_widths(entry, mixing, latent)
        positions = attended(entry, mixing, context)
        if entry.kind == "cross":
            continue
        flops = flops_per_position(entry, mixing, latent) * positions
        written = (
            f"{grouped(entry.copies)} × 2 × {grouped(entry.heads.value)} × ({grouped(widths.key)} + {grouped(widths.value)})"
        )
        name = kind_name(language, entry)
        lines.append(f"{name}{text_in(language, 'compute.colon')}{written} × {grouped(positions)} = {grouped(flops)}")
    return tuple(lines)


def causal_steps(language: str, mixing: Mixing, tokens: int, first: int = 0, latent: LatentForm = "expanded") -> tuple[str, ...]:
    """A line an entry: FLOPs a position × pairs of a token and a position it attends to, over `tokens` tokens after `first`."""
    lines = []
    for entry in mixing.attention:
        each = flops_per_position(entry, mixing, latent)
        flops = causal_attention_flops(replace(mixing, attention=(entry,)), tokens, first, latent)
        if flops:
            pairs = text_in(language, "compute.pairs", number=grouped(flops // each))
            lines.append(
                f"{kind_name(language, entry)}{text_in(language, 'compute.colon')}{grouped(each)} × {pairs} = {grouped(flops)}"
            )
    return tuple(lines)


def kind_name(language: str, entry: Attention) -> str:
    """What a layer attends to, in words, its window or chunk with it."""
    size = entry.window or entry.chunk
    name = text_in(language, f"compute.kind.{entry.kind}")
    return text_in(language, "compute.kind_of_size", kind=name, size=grouped(size)) if size else name


def recurrence_steps(language: str, entry: Recurrence) -> tuple[str, ...]:
    """Layers × FLOPs a number of the state × numbers of the state."""
    each = FLOPS_PER_STATE_NUMBER[entry.kind]
    product = f"{len(entry.layers)} × {each} × {grouped(state_numbers(entry))} = {grouped(recurrence_flops_of(entry))}"
    return (text_in(language, "compute.recurrence_rule"), product)
