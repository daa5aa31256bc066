"""Decoders with a mixture of experts in place of the FFN, every token going through the chosen ones alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from calc.blocks import (
    Tensors,
    decoder,
    experts,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    layer_norm,
    linear,
    mixture,
    only,
    rms_norm,
    router,
    shared_ffn,
)
from calc.config import Config
from calc.families.llama import llama_decoder
from calc.families.reach import FULL, SLIDING, all_full, by_layer_types, everywhere, everywhere_if_used, full_every, if_used
from calc.families.registry import family
from calc.lengths import ONE


@family("mixtral", reach=everywhere())
def mixtral(config: Config) -> Tensors:
    """MixtralForCausalLM: every FFN is E experts as wide as a dense one."""
    return llama_decoder(config, ffn=mixture(config, width="intermediate_size"))


def every_second_below_max(config: Config) -> list[str]:
    """Qwen2-MoE's rule: windows in every second layer among the first `max_window_layers`."""
    first_full = config.size("max_window_layers", smallest=0)
    return [FULL if layer % 2 or layer >= first_full else SLIDING for layer in layer_ids(config)]


@family("qwen2_moe", reach=if_used(by_layer_types(every_second_below_max)))
def qwen2_moe(config: Config) -> Tensors:
    """Qwen2MoeForCausalLM: beside the chosen experts one shared FFN, weighed by a gate of its own.

    Source: Qwen Team 2024, arXiv:2407.10671. Biases on queries, keys and values by `qkv_bias`.
    """

    def sparse() -> Tensors:
        shared = gated_ffn(config, width=config.length("shared_expert_intermediate_size"))
        gate = linear("shared_expert_gate", "ffn", "shared_expert_gate", config.length("hidden_size"), ONE)
        return [*mixture(config, number="num_experts"), *inside("shared_expert", shared), *gate]

    return llama_decoder(config, grouped_query_attention(config, qkv_bias=config.flag("qkv_bias")), ffn_by_step(config, sparse))


@family("qwen3_vl_moe_text", "qwen3_omni_moe_text")
@family("qwen3_moe", reach=everywhere_if_used)
def qwen3_moe(config: Config) -> Tensors:
    """Qwen3MoeForCausalLM: experts in every `decoder_sparse_step`-th layer, but for those in `mlp_only_layers`."""
    ffn = ffn_by_step(config, lambda: mixture(config, number="num_experts"))
    return llama_decoder(config, biased_attention(config, qk_norm=True), ffn)


@family("mellum", reach=by_layer_types(all_full))
def mellum(config: Config) -> Tensors:
    """MellumForCausalLM: as Qwen3's, the layers with experts named in `mlp_layer_types`, all unless it says otherwise."""
    sparse = sparse_layers(config, lambda: ["sparse"] * config.size("num_hidden_layers"))
    ffn = ffn_of(config, sparse, lambda: mixture(config, number="num_experts"))
    return llama_decoder(config, biased_attention(config, qk_norm=True), ffn)


@family("olmoe", "flex_olmo")
def olmoe(config: Config) -> Tensors:
    """OlmoeForCausalLM and FlexOlmoForCausalLM: norms on all queries and on all keys.

    Source: Muennighoff et al. 2024, arXiv:2409.02060. FlexOlmo has its norms after attention and FFN, not before.
    """
    attention = biased_attention(config, whole_norm=True)
    ffn = mixture(config, width="intermediate_size")
    if config.model_type == "olmoe":
        return llama_decoder(config, attention, ffn)
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        inside("self_attn", attention),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        inside("mlp", ffn),
        rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size),
    )


@family("phimoe", reach=everywhere())
def phimoe(config: Config) -> Tensors:
    """PhimoeForCausalLM: LayerNorm with biases, and a bias on the head by `lm_head_bias`. arXiv:2404.14219."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        layer_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", biased_attention(config)),
        layer_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", mixture(config, width="intermediate_size", name="router")),
        final_norm=layer_norm("model.norm", "final_norm", hidden_size),
        head_bias=config.flag("lm_head_bias"),
    )


@family("gpt_oss", reach=by_layer_types(full_every(2)))
def gpt_oss(config: Config) -> Tensors:
    """GptOssForCausalLM: biases throughout, experts stored [E, in, out], a sink for each query head. arXiv:2508.10925."""
    ffn = mixture(config, number="num_experts", width="intermediate_size", name="router", bias=True, layout="in_out")
    return llama_decoder(config, biased_attention(config, sinks=True), ffn)


@family("aria_text")
def aria_text(config: Config) -> Tensors:
    """AriaTextForCausalLM: experts stored [E, in, out], shared experts beside them. Source: Li et al. 2024, arXiv:2410.05993."""
    routed = mixture(
        config, number="moe_num_experts", width="intermediate_size", chosen="moe_topk", name="router", layout="in_out"
    )
    shared = shared_ffn(
        config, "shared_experts", number="moe_num_shared_experts", width="intermediate_size", bias=config.flag("mlp_bias")
    )
    return llama_decoder(config, biased_attention(config), [*routed, *shared])


@family("hunyuan_v1_moe")
def hunyuan_v1_moe(config: Config) -> Tensors:
    """HunYuanMoEV1ForCausalLM: a shared FFN as wide as an expert; `moe_topk` may be a list. arXiv:2411.02265."""
    hidden_size, number = config.length("hidden_size"), config.length("num_local_experts")
    width, chosen = config.length("intermediate_size"), config.size_per_layer("num_experts_per_tok")
    routed = [
        only((id for id, top_k in enumerate(chosen) if top_k == some), experts("experts", hidden_size, width, number, some))
        for some in sorted(set(chosen))
    ]
    return llama_decoder(
        config,
        biased_attention(config, qk_norm=True, norm_names=("query_layernorm", "key_layernorm")),
        [
            *router("gate.wg", hidden_size, number),
            *(stack for stacks in routed for stack in stacks),
            *inside("shared_mlp", gated_ffn(config)),
        ],
    )


def periods_of_dense_and_sparse(config: Config) -> list[str]:
    """Cohere2-MoE's rule: full attention ends each period, of one length among the dense layers, of another after them."""
    dense = config.size("first_k_dense_replace", lambda: (0, "0"), smallest=0)
    among_dense, after = config.size("prefix_dense_sliding_window_pattern"), config.size("sliding_window_pattern")
    last_of_period = [
        (layer + 1) % among_dense == 0 if layer < dense else (layer - dense + 1) % after == 0 for layer in layer_ids(config)
    ]
    return [FULL if last else SLIDING for last in last_of_period]


@family("cohere2_moe", reach=by_layer_types(periods_of_dense_and_sparse))
def cohere2_moe(config: Config) -> Tensors:
    """Cohere2MoeForCausalLM: attention and FFN read the same norm; dense layers first, by `first_k_dense_replace`."""
    hidden_size = config.length("hidden_size")

    def dense_first() -> list[str]:
        dense = config.size("first_k_dense_replace", lambda: (0, "0"), smallest=0)
        return ["dense" if layer < dense else "sparse" for layer in layer_ids(config)]

    def sparse() -> Tensors:
        shared = shared_ffn(config, "shared_experts", number="num_shared_experts", width="intermediate_size")
        return [*mixture(config, number="num_experts", width="intermediate_size"), *shared]

    wide = config.gives_or_defaults("prefix_dense_intermediate_size")
    width = config.length("prefix_dense_intermediate_size" if wide else "intermediate_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", biased_attention(config)),
        inside("mlp", ffn_of(config, sparse_layers(config, dense_first), sparse, gated_ffn(config, width=width))),
    )


def biased_attention(config: Config, **options: Any) -> Tensors:
    """Grouped-query attention with one flag, `attention_bias`, for all four biases; options as `grouped_query_attention`."""
    bias = config.flag("attention_bias")
    return grouped_query_attention(config, qkv_bias=bias, output_bias=bias, **options)


def sparse_layers(config: Config, otherwise: Callable[[], list[str]]) -> set[int]:
    """Layers that hold experts: those that `mlp_layer_types` calls sparse; `otherwise` is the class's rule without it."""
    kinds = config.per_layer("mlp_layer_types", ("dense", "sparse"), otherwise)
    return {layer for layer, kind in enumerate(kinds) if kind == "sparse"}


def dense_layers_first(config: Config) -> list[str]:
    """The rule of classes with `first_k_dense_replace`: so many dense layers, then layers with experts."""
    dense = config.size("first_k_dense_replace", smallest=0)
    return ["dense" if layer < dense else "sparse" for layer in layer_ids(config)]


def one_dense_layer_first(config: Config) -> list[str]:
    """The rule of classes without such a field: one dense layer, then layers with experts."""
    return ["sparse" if layer else "dense" for layer in layer_ids(config)]


def ffn_of(config: Config, sparse: set[int], experts_of: Callable[[], Tensors], dense: Tensors | None = None) -> Tensors:
    """Experts in the layers `sparse`, a dense FFN in the others. A model without such layers need not give its sizes."""
    others = set(layer_ids(config)) - sparse
    routed = only(sparse, experts_of()) if sparse else []
    return [*routed, *(only(others, gated_ffn(config) if dense is None else dense) if others else [])]


def ffn_by_step(config: Config, experts_of: Callable[[], Tensors]) -> Tensors:
    """Experts in layers i where (i + 1) divides by decoder_sparse_step, i is not in mlp_only_layers, and there are experts."""
    dense, step = config.items("mlp_only_layers", int, list), config.size("decoder_sparse_step")
    number = config.size("num_experts", smallest=0)
    sparse = {layer for layer in layer_ids(config) if number and layer not in dense and (layer + 1) % step == 0}
    return ffn_of(config, sparse, experts_of)
