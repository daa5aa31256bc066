"""Llama 3.2 Vision's text model: Llama's layers, and between them some that attend to what an image encoder saw."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    embedding,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    layers,
    linear,
    only,
    parameter,
    rms_norm,
)
from calc.blocks.projections import exact_head_dim
from calc.config import Config
from calc.families.registry import family
from calc.lengths import ONE, Length

CROSS_ROLES = {"query": "cross_query", "key": "cross_key", "value": "cross_value", "attention_output": "cross_output"}
ROWS_FOR_IMAGES = Length.of("8", 8)
"""Rows of the embedding table beyond the vocabulary: for the token that stands for an image, and to fill up."""


@family("mllama_text_model")
def mllama_text(config: Config) -> Tensors:
    """MllamaForCausalLM: a layer of `cross_attention_layers` has no self-attention; two gates weigh what it adds.

    The head is never tied. Source: Llama Team 2024, arXiv:2407.21783, section 7. Keys and values come from image vectors brought to length d.
    """
    every = set(layer_ids(config))
    crossing = every & set(config.items("cross_attention_layers", int, lambda: range(3, 39, 5)))
    hidden_size, width = config.length("hidden_size"), exact_head_dim(config)
    own = grouped_query_attention(config, width=width)
    cross = [
        replace(tensor, role=CROSS_ROLES.get(tensor.role, tensor.role))
        for tensor in grouped_query_attention(config, width=width, qk_norm=True)
    ]
    return [
        *embedding("model.embed_tokens", "token_embedding", config.length("vocab_size") + ROWS_FOR_IMAGES, config),
        *layers(
            "model.layers",
            config,
            rms_norm("input_layernorm", "norm_before_attention", hidden_size),
            only(every - crossing, inside("self_attn", own)),
            only(crossing, inside("cross_attn", cross)),
            only(crossing, parameter("cross_attn_attn_gate", "attention", "cross_attention_gate", ONE)),
            rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
            inside("mlp", gated_ffn(config)),
            only(crossing, parameter("cross_attn_mlp_gate", "ffn", "cross_ffn_gate", ONE)),
        ),
        *rms_norm("model.norm", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, config.length("vocab_size")),
    ]
