"""Inkling's text model: relative positions by their own matrix, short convolutions, shared experts that are routed too."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    embedding,
    experts,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    layers,
    linear,
    only,
    parameter,
    rms_norm,
    router,
)
from calc.blocks.nesting import together
from calc.blocks.state_space import causal_convolution
from calc.config import Config
from calc.families.experts import ffn_of, sparse_layers
from calc.families.reach import by_layer_types, window
from calc.families.registry import family
from calc.lengths import ONE
from calc.tensors import Tensor, vector


def local_by_place(config: Config) -> list[str]:
    """The class's rule: full attention in every sixth layer, or outside `local_layer_ids`; windows in the others."""
    local = {layer for layer in layer_ids(config) if (layer + 1) % 6}
    if config.gives("local_layer_ids"):
        local = set(config.items("local_layer_ids", int))
    return ["hybrid_sliding" if layer in local else "hybrid" for layer in layer_ids(config)]


@family(
    "inkling_text",
    reach=by_layer_types(
        local_by_place, sliding="hybrid_sliding", others=("hybrid",), reach=lambda config: window(config, "sliding_window_size")
    ),
)
def inkling_text(config: Config) -> Tensors:
    """InklingForCausalLM: a norm on the embeddings; layers with windows have their own heads. The head is never tied."""
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    kernel = config.length("conv_kernel_size")
    ffn_convolution = [replace(tensor, part="ffn") for tensor in causal_convolution("mlp_sconv.conv1d", hidden_size, kernel)]
    return [
        *embedding("model.embed_tokens", "token_embedding", vocab_size, config),
        *rms_norm("model.embed_tokens.embed_norm", "norm_after_embedding", hidden_size),
        *layers(
            "model.layers",
            config,
            rms_norm("input_layernorm", "norm_before_attention", hidden_size),
            inside("self_attn", attention_by_layer(config)),
            causal_convolution("attn_sconv.conv1d", hidden_size, kernel),
            rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
            inside("mlp", ffn_by_layer(config)),
            ffn_convolution,
        ),
        *rms_norm("model.norm", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, vocab_size),
    ]


def attention_by_layer(config: Config) -> Tensors:
    """Layers with windows have their own number and width of heads."""
    config.size("num_attention_heads")
    kinds = config.per_layer("layer_types", ("hybrid", "hybrid_sliding"), lambda: local_by_place(config))
    local = {layer for layer, kind in enumerate(kinds) if kind == "hybrid_sliding"}
    found = []
    for ids, prefix, extent in ((set(layer_ids(config)) - local, "", "rel_extent"), (local, "swa_", "sliding_window_size")):
        if ids:
            found += only(ids, relative_attention(config, prefix, extent))
    return together(found)


def relative_attention(config: Config, prefix: str, extent: str) -> Tensors:
    """Grouped-query attention whose keys and values pass a short convolution; each head scores distances by itself."""
    hidden_size, relative = config.length("hidden_size"), config.length("d_rel")
    heads, kv_heads, width = (
        config.length(f"{prefix}{field}") for field in ("num_attention_heads", "num_key_value_heads", "head_dim")
    )
    kernel = config.length("conv_kernel_size")
    distances = Tensor(
        "rel_logits_proj.proj", "attention", "relative_scores", "matrix", relative, config.length(extent), layout="in_out"
    )
    return [
        *linear("r_proj", "attention", "relative_query", hidden_size, heads * relative),
        distances,
        *causal_convolution("k_sconv.conv1d", kv_heads * width, kernel),
        *causal_convolution("v_sconv.conv1d", kv_heads * width, kernel),
        *grouped_query_attention(config, qk_norm=True, heads=heads, kv_heads=kv_heads, width=width),
    ]


def ffn_by_layer(config: Config) -> Tensors:
    """Dense layers first, by `dense_mlp_idx`; in the others experts, of which the shared ones are weighed by the router.

    A config with `dense_intermediate_size` means by `intermediate_size` the experts' width.
    """
    older = config.gives("dense_intermediate_size")
    dense_width = config.length("dense_intermediate_size" if older else "intermediate_size")
    expert_width = config.length("intermediate_size" if older else "moe_intermediate_size")
    hidden_size, number, shared = (config.length(field) for field in ("hidden_size", "num_local_experts", "n_shared_experts"))
    scale = parameter("global_scale", "ffn", "ffn_scale", ONE)

    def dense_first() -> list[str]:
        dense = config.size("dense_mlp_idx", lambda: (0, "0"), smallest=0)
        return ["dense" if layer < dense else "sparse" for layer in layer_ids(config)]

    def experts_of() -> Tensors:
        always = [
            Tensor(f"shared_experts.{name}_proj", "ffn", name, "matrix", *lengths, experts=shared, experts_chosen=shared.value)
            for name, lengths in (
                ("gate", (hidden_size, expert_width)),
                ("up", (hidden_size, expert_width)),
                ("down", (expert_width, hidden_size)),
            )
        ]
        return [
            *router("gate", hidden_size, number + shared),
            *inside("gate", scale, [vector("e_score_correction_bias", "ffn", "router_correction", "buffer", number)]),
            *experts("experts", hidden_size, expert_width, number, config.size("num_experts_per_tok")),
            *always,
        ]

    dense = [*gated_ffn(config, width=dense_width), *scale]
    return ffn_of(config, sparse_layers(config, dense_first), experts_of, dense)
