"""Fuyu: a Persimmon decoder that reads patches of an image as it reads tokens, through one matrix."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, linear
from calc.config import Config
from calc.families.plain_layer_norm import persimmon
from calc.families.registry import family


@family("fuyu")
def fuyu(config: Config) -> Tensors:
    """FuyuForCausalLM: there is no image encoder; a patch, laid out as one vector, is multiplied straight to length d.

    The decoder's fields stand in `text_config`, or beside it in configs that have none.
    Source: Bavishi et al. 2023, adept.ai/blog/fuyu-8b.
    """
    text = config.inside("text_config", "persimmon", or_beside=True)
    if config.gives("text_config") and text.gives("model_type"):
        text.word("model_type", ("persimmon",))
    table, *others, head = (
        replace(tensor, name=tensor.name.replace("model.", "model.language_model.", 1)) for tensor in persimmon(text)
    )
    side = config.length("patch_size")
    return [
        table,
        *linear(
            "model.vision_embed_tokens",
            "embedding",
            "patch_projection",
            side * side * config.length("num_channels"),
            text.length("hidden_size"),
            bias=True,
        ),
        *others,
        replace(head, tied_to=table.name if config.flag("tie_word_embeddings") else None),
    ]
