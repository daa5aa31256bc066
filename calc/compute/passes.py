"""How often a token is multiplied by each tensor of the parts list: mostly once, by some never, by a few several times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from calc.tensors import Tensor

CONVOLUTIONS = ("convolution", "convolution_of_heads")
"""Roles of weights that slide over the last tokens: each output channel multiplies its kernel once a token."""

NOT_FOR_A_TOKEN = ("patch_projection", "pooler")
"""Roles of matrices that read a patch of an image, or the first token alone."""

ONCE_A_LANGUAGE = ("language_adapter_down", "language_adapter_up")
"""Roles of matrices of which a token goes through those of its own language."""

ONE_OF_ITS_COPIES = ("shared_block_adapter_down", "shared_block_adapter_up")
"""Roles of matrices that a shared block keeps one of for each of its uses: a use multiplies by its own alone."""


def multiplies(tensor: Tensor) -> bool:
    """Whether a token of a text is multiplied by it: a matrix or a convolution, tied or not, but no table.

    Cross-attention reads what an encoder gives, and an image's encoder reads the image: a causal model that is given text
    alone runs neither.
    """
    if tensor.role.startswith(("cross_", "image_")) or tensor.role in NOT_FOR_A_TOKEN:
        return False
    return tensor.kind == "matrix" or (tensor.kind == "scale" and tensor.role in CONVOLUTIONS)


def multiplied_numbers(tensor: Tensor) -> int:
    """Numbers of all its copies that one token is multiplied by: copies · in · out, of a stack of experts those chosen.

    A tied head counts, although it adds no parameters.
    """
    copies = len(tensor.layers or ()) if tensor.role in ONE_OF_ITS_COPIES else tensor.copies
    chosen = 1
    if tensor.experts is not None:
        chosen = tensor.experts.value if tensor.experts_chosen is None else tensor.experts_chosen
    return copies * tensor.input.value * tensor.output.value * chosen


def uses(tensors: Iterable[Tensor], sizes: Mapping[str, object] | None = None) -> list[tuple[Tensor, int]]:
    """Every tensor with the times that a token is multiplied by each copy of it in a forward pass.

    sizes   the config's fields, by their generic names: HRM-Text says there how often its stacks are passed

    A mixture of experts needs none: of a stack of experts those chosen are counted, once each.

    >>> from calc.model import Model
    >>> gpt2 = Model.of({"model_type": "gpt2"}).tensors
    >>> [(tensor.short_name, times) for tensor, times in uses(gpt2) if tensor.part in ("embedding", "lm_head")]
    [('wte', 0), ('wpe', 0), ('lm_head', 1)]
    """
    listed = list(tensors)
    cycles = stack_cycles(sizes or {})
    languages: dict[tuple, str] = {}
    found = []
    for tensor in listed:
        times = int(multiplies(tensor))
        if tensor.role in ONCE_A_LANGUAGE:
            first = languages.setdefault((tensor.role, tensor.kind, tensor.layers), tensor.name)
            times = times if first == tensor.name else 0
        elif tensor.role == "altup_router":  # to predict the streams before a layer, and to correct them after it
            times = 2
        elif tensor.role == "relative_scores":
            times = _relative_heads(tensor, listed)
        elif tensor.layers is not None:
            times *= next((passes for stack, passes in cycles.items() if tensor.name.startswith(stack)), 1)
        found.append((tensor, times))
    return found


def stack_cycles(sizes: Mapping[str, object]) -> dict[str, int]:
    """How often a token passes each stack of HRM-Text: the fast one L_cycles times for each of the slow one's H_cycles."""
    if "H_cycles" not in sizes or "L_cycles" not in sizes:
        return {}
    slow, fast = int(sizes["H_cycles"]), int(sizes["L_cycles"])
    return {"model.L_module.": slow * fast, "model.H_module.": slow}


def stream_flops_per_token(mixing_sizes: Mapping[str, object], model_type: str) -> int:
    """FLOPs of mixing a layer's residual streams by a small matrix that the token itself has made: 2·n²·d.

    Gemma 3n predicts its streams once a layer, DeepSeek-V4 mixes them after attention and after the FFN. Other types with
    several streams weigh them element by element.
    """
    if model_type in ("gemma3n_text", "gemma3n"):
        streams, times = int(mixing_sizes["altup_num_inputs"]), 1
    elif model_type == "deepseek_v4":
        streams, times = int(mixing_sizes["hc_mult"]), 2
    else:
        return 0
    layers, hidden_size = int(mixing_sizes["num_hidden_layers"]), int(mixing_sizes["hidden_size"])
    return layers * times * 2 * streams * streams * hidden_size


def _relative_heads(scores: Tensor, tensors: Iterable[Tensor]) -> int:
    """Inkling: every head multiplies its own relative query by the matrix that scores distances."""
    layers = set(scores.layers or ())
    queries = next(tensor for tensor in tensors if tensor.role == "relative_query" and layers & set(tensor.layers or ()))
    return queries.output.value // scores.input.value
