"""What the picture of a parts list says, in English; the app has the same in Chinese."""

from __future__ import annotations

from calc.lengths import ONE
from calc.tensors import Tensor

WORDS = {
    "embedding": "embedding",
    "layer": "one block",
    "copies": "× {layers} blocks",
    "attention": "attention",
    "ffn": "feed-forward",
    "mixer": "sequence mixer (state space or linear attention)",
    "norm": "norms",
    "layers": "(layers {ids})",
    "stack": "(layers of {stack})",
    "experts": "× {experts} experts, {chosen} chosen",
    "other": "other",
    "lm_head": "output head",
    "tied": "tied: the embedding table again",
    "note": "{title}, {total} parameters. Width = out, height = in, one scale for all.",
    "broken_note": "{title}, {total} parameters. Width = out, height = in, one scale; cut at the zigzag, full length written.",
    "tensor": "{name}: {input} in, {output} out, {count} parameters",
    "experts_tensor": "{name}: {experts} experts, each {input} in, {output} out, {count} parameters together",
    "vector": "{name}: length {output}",
}
"""Headings by part of the model, notes, and the line that describes a tensor."""


def describe(tensor: Tensor, template: str | None = None) -> str:
    """One line for a tooltip and a screen reader: name, lengths, count.

    template   in another language; `description_key` says which of the texts
    """
    return (template or WORDS[description_key(tensor)]).format(
        experts=experts_written(tensor) if tensor.experts else "",
        name=tensor.short_name,
        input=f"{tensor.input.value:,}",
        output=f"{tensor.output.value:,}",
        count=f"{tensor.count:,}",
    )


def description_key(tensor: Tensor) -> str:
    """Which of `WORDS` describes a tensor."""
    return "vector" if tensor.is_vector else "experts_tensor" if tensor.experts else "tensor"


def experts_written(tensor: Tensor) -> str:
    """How many experts a stack has: `128`, or `512 + 256` where they are of two sorts."""
    experts = tensor.experts or ONE
    return " + ".join(f"{int(number):,}" for number in experts.numbers.split(" + ")) if experts.is_sum else f"{experts.value:,}"
