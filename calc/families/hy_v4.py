"""Hy4: latent attention with an indexer, sinks and a gate; several residual streams mixed before each part of a layer."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    attention_sinks,
    decoder,
    inside,
    latent_attention,
    layer_ids,
    lightning_indexer,
    linear,
    only,
    rms_norm,
)
from calc.config import Config
from calc.families.deepseek import balanced_experts
from calc.families.deepseek_v4 import hyper_head, mixing
from calc.families.experts import ffn_of, one_dense_layer_first, sparse_layers
from calc.families.reach import picked
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band


@family("hy_v4", "hy_v4_vl_text", reach=picked())
def hy_v4(config: Config) -> Tensors:
    """HYV4ForCausalLM: one dense layer first, then experts beside a shared one."""
    hidden_size = config.length("hidden_size")
    sparse = sparse_layers(config, lambda: one_dense_layer_first(config))
    return decoder(
        config,
        stream_connection("attn_hc", config),
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", gated_latent_attention(config)),
        stream_connection("ffn_hc", config),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", ffn_of(config, sparse, lambda: balanced_experts(config, number="n_routed_experts"))),
        final_norm=[*hyper_head(config), *rms_norm("model.norm", "final_norm", hidden_size)],
    )


def gated_latent_attention(config: Config) -> Tensors:
    """MLA with a sink for each head and a gate for each element of what the heads give."""
    heads, width = config.length("num_attention_heads"), config.length("v_head_dim")
    indexed = [layer for layer, kind in enumerate(indexer_kinds(config)) if kind == "full"]
    gates = (Band("attention_gate", heads.value, width.value),)
    return [
        *latent_attention(
            config,
            bias=config.flag("attention_bias"),
            picks=[*only(indexed, inside("indexer", lightning_indexer(config))), *attention_sinks(heads)],
        ),
        *linear("gate_proj", "attention", "attention_gate", config.length("hidden_size"), heads * width, output_bands=gates),
    ]


def indexer_kinds(config: Config) -> tuple[str, ...]:
    """Layers that pick for themselves: 0, 1, 5, 9, … unless `indexer_types` says otherwise; the others use earlier picks."""

    def every_fourth() -> list[str]:
        return ["full" if layer == 0 or (layer - 1) % 4 == 0 else "shared" for layer in layer_ids(config)]

    return config.per_layer("indexer_types", ("full", "shared"), every_fourth)


def stream_connection(name: str, config: Config) -> Tensors:
    """How m residual streams are mixed into what a part reads, and how much of what it gives each takes: m·d numbers give 2·m."""
    return mixing(name, "", config, 2 * config.length("hc_mult"), Length.of("2", 2))
