"""What a tensor is called and does, in words: the sentences of `ui.texts.roles` with the numbers of a model."""

from __future__ import annotations

from calc.diagram.words import describe as describe_in_words
from calc.diagram.words import description_key, experts_written
from calc.parts_list import PartsList, stack_of
from calc.tensors import Tensor
from ui.numbers import grouped, grouped_within
from ui.texts import TEXTS, text_in


def title(language: str, tensor: Tensor) -> str:
    """Its name in the reader's language: `query matrix W_q`."""
    experts = {"experts": experts_written(tensor)} if tensor.experts else {}
    named = text_in(language, f"role.{_variant(tensor)}", **experts)
    return text_in(language, "role.bias", title=named) if _is_linear_bias(tensor) else named


def sentence(language: str, tensor: Tensor, parts_list: PartsList) -> str:
    """One sentence on what it does."""
    numbers = _numbers(tensor, parts_list)
    if _is_linear_bias(tensor):
        return text_in(language, "role.bias_of_experts.does" if tensor.experts else "role.bias.does", **numbers)
    variant = _variant(tensor)
    if variant.endswith("_shared"):
        groups = query_heads_for_a_kv_head(tensor, parts_list)
        if len(groups) == 1 and groups[0] > 1:
            numbers["group"] = grouped(groups[0])
        else:
            variant = f"{variant}_by_layer" if groups and groups != (1,) else tensor.role
            numbers["groups"] = text_in(language, "role.or").join(map(grouped, groups))
    elif variant == "position_embedding" and tensor.input.is_sum:
        variant, numbers["rows"] = "position_embedding_more", grouped_within(tensor.input.numbers)
    elif "zero" in numbers and variant in ("router", "experts_gate_up", "experts_down"):
        variant = f"{variant}_zero"
    return text_in(language, f"role.{variant}.does", **numbers)


def describe(language: str, tensor: Tensor) -> str:
    """One line for a tooltip and a screen reader: name, lengths, count."""
    return describe_in_words(tensor, TEXTS[f"diagram.{description_key(tensor)}"][language])


def query_heads_for_a_kv_head(tensor: Tensor, parts_list: PartsList) -> tuple[int, ...]:
    """How many query heads share one head of a key or value matrix, in its layers: one number where all
    these layers are alike, otherwise every number, ascending.

    >>> from calc.model import Model
    >>> listed = Model.of({"model_type": "mimo_v2_flash"}).parts_list
    >>> [(len(t.layers), query_heads_for_a_kv_head(t, listed)) for t in listed.tensors if t.role == "key"]
    [(9, (16,)), (39, (8,))]
    """
    kv_heads, layers, stack = tensor.output_bands[0].heads, set(tensor.layers or ()), stack_of(tensor)
    groups = {
        band.heads // kv_heads
        for other in parts_list.tensors
        for band in other.output_bands
        if band.role in QUERIES and other.kind == "matrix" and stack_of(other) == stack
        if layers.intersection(other.layers or ())
    }
    return tuple(sorted(groups))


QUERIES = ("query", "query_and_gate")
"""Bands that are query heads; in the second, each head is followed by its gate."""


def _is_linear_bias(tensor: Tensor) -> bool:
    return tensor.kind == "bias" and tensor.part != "norm"


def _variant(tensor: Tensor) -> str:
    """The role, or its variant: query heads share kv heads, experts in a stack, a tied head."""
    if tensor.role in ("key", "value") and any(band.kv_heads for band in tensor.output_bands):
        return f"{tensor.role}_shared"
    if tensor.experts and tensor.role in ("gate", "up", "gate_up", "down"):
        return f"experts_{tensor.role}"
    return "lm_head_tied" if tensor.role == "lm_head" and tensor.tied_to else tensor.role


def _numbers(tensor: Tensor, parts_list: PartsList) -> dict[str, str]:
    """The numbers that sentences speak of, grouped by thousands; those a tensor or a model does not have are left out.

    input, out         the tensor's lengths; `band` is the first of its output bands
    heads, head_dim    of the tensor's first band; `heads_length` their product
    experts, chosen    of a stack of experts
    zero, real         experts that hold no parameters, and those that do, where there are both
    layers             of the stack of layers that it is in or after
    """
    zero = parts_list.sizes.get("zero_expert_num")
    numbers = {
        "input": tensor.input.value,
        "out": tensor.output.value,
        "layers": _layers_of_its_stack(tensor, parts_list),
        "zero": zero or None,
        "real": parts_list.sizes.get("num_local_experts") if zero else None,
    }
    bands = tensor.output_bands or tensor.input_bands
    if bands:
        first = bands[0]
        numbers |= {"heads": first.heads, "head_dim": first.width, "heads_length": first.length, "band": first.length}
    if tensor.experts:
        numbers |= {"experts": tensor.experts.value, "chosen": tensor.experts_chosen}
    return {name: grouped(value) for name, value in numbers.items() if value is not None}


def _layers_of_its_stack(tensor: Tensor, parts_list: PartsList) -> int:
    """Layers of the stack whose module a tensor is in, of all stacks where it is in none."""
    stacks = parts_list.stacks
    around = [stack for stack in stacks if tensor.name.startswith(f"{stack}.")]
    return stacks[max(around, key=len)] if around else parts_list.num_hidden_layers
