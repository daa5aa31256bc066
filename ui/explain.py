"""What a tensor is called and does, in words: the sentences of `ui.texts.roles` with this model's own numbers."""

from __future__ import annotations

from calc.parts_list import PartsList
from calc.tensors import Tensor
from ui.numbers import grouped
from ui.texts import text_in


def title(language: str, tensor: Tensor) -> str:
    """Its name in the reader's language: `query matrix W_q`."""
    named = text_in(language, f"role.{_variant(tensor)}")
    return text_in(language, "role.bias", title=named) if _is_linear_bias(tensor) else named


def sentence(language: str, tensor: Tensor, parts_list: PartsList) -> str:
    """One sentence on what it does."""
    if _is_linear_bias(tensor):
        return text_in(language, "role.bias.does", out=grouped(tensor.output.value))
    return text_in(language, f"role.{_variant(tensor)}.does", **_numbers(parts_list))


def describe(language: str, tensor: Tensor) -> str:
    """One line for a tooltip and a screen reader: name, lengths, count."""
    key = "diagram.vector" if tensor.is_vector else "diagram.tensor"
    return text_in(
        language,
        key,
        name=tensor.short_name,
        input=grouped(tensor.input.value),
        output=grouped(tensor.output.value),
        count=grouped(tensor.count),
    )


def _is_linear_bias(tensor: Tensor) -> bool:
    return tensor.kind == "bias" and tensor.part != "norm"


def _variant(tensor: Tensor) -> str:
    """The role, or its variant where query heads share kv heads or the head is tied."""
    if tensor.role in ("key", "value") and any(band.kv_heads for band in tensor.output_bands):
        return f"{tensor.role}_shared"
    return f"{tensor.role}_tied" if tensor.tied_to else tensor.role


def _numbers(parts_list: PartsList) -> dict[str, str]:
    """The sizes that sentences speak of, grouped by thousands; sizes the model does not have follow from the others."""
    sizes = parts_list.sizes
    heads = sizes["num_attention_heads"]
    head_dim = sizes.get("head_dim", sizes["hidden_size"] // heads)
    kv_heads = sizes.get("num_key_value_heads", heads)
    numbers = {
        "d": sizes["hidden_size"],
        "d_ff": sizes["intermediate_size"],
        "heads": heads,
        "head_dim": head_dim,
        "heads_length": heads * head_dim,
        "kv_heads": kv_heads,
        "kv_length": kv_heads * head_dim,
        "group": heads // kv_heads,
        "layers": sizes["num_hidden_layers"],
        "vocab": sizes["vocab_size"],
        "positions": sizes.get("max_position_embeddings", 0),
    }
    return {name: grouped(value) for name, value in numbers.items()}
