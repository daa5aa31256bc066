"""Decoders with a mixture of experts in place of the FFN: all layers, or all but some."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    experts,
    gated_ffn,
    grouped_query_attention,
    inside,
    latent_attention,
    layer_ids,
    only,
    router,
)
from calc.config import Config
from calc.families.llama import llama_decoder
from calc.families.registry import family
from calc.tensors import vector


@family("mixtral")
def mixtral(config: Config) -> Tensors:
    """MixtralForCausalLM: every FFN is E experts as wide as a dense one."""
    hidden_size, number = config.length("hidden_size"), config.length("num_local_experts")
    width, chosen = config.length("intermediate_size"), config.size("num_experts_per_tok")
    return llama_decoder(
        config, ffn=[*router("gate", hidden_size, number), *experts("experts", hidden_size, width, number, chosen)]
    )


@family("qwen3_moe")
def qwen3_moe(config: Config) -> Tensors:
    """Qwen3MoeForCausalLM: experts in every `decoder_sparse_step`-th layer, but for those in `mlp_only_layers`."""
    hidden_size, number = config.length("hidden_size"), config.length("num_experts")
    width, chosen = config.length("moe_intermediate_size"), config.size("num_experts_per_tok")
    sparse = sparse_layers(config)
    bias = config.flag("attention_bias")
    return llama_decoder(
        config,
        grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True),
        [
            *only(sparse, router("gate", hidden_size, number), experts("experts", hidden_size, width, number, chosen)),
            *only(set(layer_ids(config)) - sparse, gated_ffn(config)),
        ],
    )


def sparse_layers(config: Config) -> set[int]:
    """Layers that hold experts: (i + 1) divisible by decoder_sparse_step, and i not in mlp_only_layers."""
    dense, step = config.items("mlp_only_layers", int, list), config.size("decoder_sparse_step")
    return {layer for layer in layer_ids(config) if layer not in dense and (layer + 1) % step == 0}


@family("deepseek_v3")
def deepseek_v3(config: Config) -> Tensors:
    """DeepseekV3ForCausalLM: latent attention; dense layers first, then routed experts beside shared ones.

    Source: DeepSeek-AI 2024, arXiv:2412.19437. The multi-token-prediction layer of the checkpoint is no part of it.
    """
    hidden_size, width = config.length("hidden_size"), config.length("moe_intermediate_size")
    number, chosen = config.length("n_routed_experts"), config.size("num_experts_per_tok")
    first_dense = config.size("first_k_dense_replace", smallest=0)
    ids = layer_ids(config)
    shared = config.length("n_shared_experts") * width
    correction = vector("gate.e_score_correction_bias", "ffn", "router_correction", "buffer", number)
    return llama_decoder(
        config,
        latent_attention(config, bias=config.flag("attention_bias")),
        [
            *only(ids[:first_dense], gated_ffn(config)),
            *only(
                ids[first_dense:],
                router("gate", hidden_size, number),
                [correction],
                experts("experts", hidden_size, width, number, chosen),
                inside("shared_experts", gated_ffn(config, width=shared)),
            ),
        ],
    )
