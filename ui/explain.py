"""What a tensor is called and does, in words: the sentences of `ui.texts.roles` with this model's own numbers."""

from __future__ import annotations

from calc.parts_list import PartsList
from calc.tensors import Tensor
from ui.numbers import grouped
from ui.texts import text_in


def title(language: str, tensor: Tensor) -> str:
    """Its name in the reader's language: `query matrix W_q`."""
    experts = {"experts": grouped(tensor.experts.value)} if tensor.experts else {}
    named = text_in(language, f"role.{_variant(tensor)}", **experts)
    return text_in(language, "role.bias", title=named) if _is_linear_bias(tensor) else named


def sentence(language: str, tensor: Tensor, parts_list: PartsList) -> str:
    """One sentence on what it does."""
    if _is_linear_bias(tensor):
        return text_in(language, "role.bias.does", out=grouped(tensor.output.value))
    return text_in(language, f"role.{_variant(tensor)}.does", **_numbers(tensor, parts_list))


def describe(language: str, tensor: Tensor) -> str:
    """One line for a tooltip and a screen reader: name, lengths, count."""
    key = "diagram.vector" if tensor.is_vector else "diagram.experts_tensor" if tensor.experts else "diagram.tensor"
    return text_in(
        language,
        key,
        experts=grouped(tensor.experts.value) if tensor.experts else "",
        name=tensor.short_name,
        input=grouped(tensor.input.value),
        output=grouped(tensor.output.value),
        count=grouped(tensor.count),
    )


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
    heads, head_dim    of the tensor's own first band; `heads_length` their product
    group              query heads that share one kv head
    experts, chosen    of a stack of experts
    d, layers, vocab   of the model
    """
    sizes = parts_list.sizes
    numbers = {
        "input": tensor.input.value,
        "out": tensor.output.value,
        "layers": parts_list.num_hidden_layers,
        "d": sizes.get("hidden_size"),
        "vocab": sizes.get("vocab_size"),
    }
    bands = tensor.output_bands or tensor.input_bands
    if bands:
        first = bands[0]
        numbers |= {"heads": first.heads, "head_dim": first.width, "heads_length": first.length, "band": first.length}
        if first.kv_heads:
            numbers["group"] = sizes["num_attention_heads"] // first.kv_heads
    if tensor.experts:
        numbers |= {"experts": tensor.experts.value, "chosen": tensor.experts_chosen}
    return {name: grouped(value) for name, value in numbers.items() if value is not None}
