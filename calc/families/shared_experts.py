"""Decoders with shared experts beside the routed ones, after DeepSeek's, but with grouped-query attention."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    decoder,
    experts,
    gated_ffn,
    grouped_query_attention,
    head_dim,
    inside,
    layer_ids,
    linear,
    mixture,
    only,
    rms_norm,
    router,
    shared_ffn,
)
from calc.blocks.nesting import together
from calc.config import Config
from calc.errors import ConfigError
from calc.families.deepseek import balanced_experts
from calc.families.experts import biased_attention, dense_layers_first, ffn_of, one_dense_layer_first, sparse_layers
from calc.families.llama import llama_decoder
from calc.families.reach import all_full, by_layer_types, full_every_given, pattern_of_exaone, sliding_from_layer
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import vector


@family("glm4_moe")
def glm4_moe(config: Config) -> Tensors:
    """Glm4MoeForCausalLM: biases on queries, keys and values by a flag, norms on their heads by another. arXiv:2508.06471."""
    return glm4_moe_decoder(config, qk_norm=config.flag("use_qk_norm"))


@family("glm4v_moe_text")
def glm4v_moe_text(config: Config) -> Tensors:
    """The text model of GLM-4.5V: GLM-4.5's without norms on queries and keys. Source: arXiv:2507.01006."""
    return glm4_moe_decoder(config, qk_norm=False)


def glm4_moe_decoder(config: Config, *, qk_norm: bool) -> Tensors:
    """Llama's layer with biases on queries, keys and values by a flag, and balanced experts after the first dense layers."""
    attention = grouped_query_attention(config, qkv_bias=config.flag("attention_bias"), qk_norm=qk_norm)
    sparse = set(layer_ids(config)[config.size("first_k_dense_replace", smallest=0) :])
    return llama_decoder(config, attention, ffn_of(config, sparse, lambda: balanced_experts(config)))


@family("solar_open")
def solar_open(config: Config) -> Tensors:
    """SolarOpenForCausalLM: experts in every layer; biases on queries, keys and values by a flag."""
    attention = grouped_query_attention(config, qkv_bias=config.flag("attention_bias"))
    return llama_decoder(config, attention, balanced_experts(config))


@family("dots1", reach=by_layer_types(sliding_from_layer))
def dots1(config: Config) -> Tensors:
    """Dots1ForCausalLM: norms on each head's queries and keys. Source: rednote-hilab 2025, arXiv:2506.05767.

    The class has no default for `num_experts_per_tok`; without it nobody knows how many experts a token goes through.
    """
    sparse = set(layer_ids(config)[config.size("first_k_dense_replace", smallest=0) :])
    ffn = ffn_of(config, sparse, lambda: balanced_experts(config, may_leave_out_chosen=True))
    return llama_decoder(config, biased_attention(config, qk_norm=True), ffn)


@family("exaone_moe", reach=by_layer_types(pattern_of_exaone))
def exaone_moe(config: Config) -> Tensors:
    """ExaoneMoeForCausalLM: norms on each head's queries and keys, no biases."""
    sparse = sparse_layers(config, lambda: dense_layers_first(config))
    ffn = ffn_of(config, sparse, lambda: balanced_experts(config, number="num_experts", shared="num_shared_experts"))
    return llama_decoder(config, grouped_query_attention(config, qk_norm=True), ffn)


@family("hy_v3")
def hy_v3(config: Config) -> Tensors:
    """HYV3ForCausalLM: one dense layer unless `mlp_layer_types` says otherwise; a flag for biases outside the experts."""
    bias = config.flag("mlp_bias")

    def experts_of() -> Tensors:
        shared = shared_ffn(config, "shared_experts", number="num_shared_experts", bias=bias)
        return [*mixture(config, correction="e_score_correction_bias"), *shared]

    sparse = sparse_layers(config, lambda: one_dense_layer_first(config))
    dense = gated_ffn(config, bias=bias) if len(sparse) < len(layer_ids(config)) else None
    return llama_decoder(config, biased_attention(config, qk_norm=True), ffn_of(config, sparse, experts_of, dense))


@family("ernie4_5_moe")
def ernie4_5_moe(config: Config) -> Tensors:
    """Ernie4_5_MoeForCausalLM: experts from `moe_layer_start_index` to `moe_layer_end_index`, the balance stored as parameters.

    Source: Baidu 2025, ERNIE 4.5 Technical Report. One flag, `use_bias`, for every bias but the experts'.
    """
    bias, hidden_size = config.flag("use_bias"), config.length("hidden_size")
    first, every = config.size("moe_layer_start_index", smallest=0), config.size("moe_layer_interval")
    last = config.size("moe_layer_end_index", smallest=-1)
    last = config.size("num_hidden_layers") - 1 if last == -1 else last
    sparse = {layer for layer in layer_ids(config) if first <= layer <= last and (layer + 1) % every == 0}

    def experts_of() -> Tensors:
        number = config.length("num_experts")
        balance = vector("gate.moe_statics.e_score_correction_bias", "ffn", "router", "bias", number)
        return [
            *mixture(config, number="num_experts"),
            replace(balance, stored=(1, number.value)),
            *shared_ffn(config, "shared_experts", number="moe_num_shared_experts", bias=bias),
        ]

    dense = gated_ffn(config, bias=bias) if len(sparse) < len(layer_ids(config)) else None
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias)),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", ffn_of(config, sparse, experts_of, dense)),
        head_bias=bias,
    )


@family("afmoe", reach=by_layer_types(full_every_given("global_attn_every_n_layers")))
def afmoe(config: Config) -> Tensors:
    """AfmoeForCausalLM: norms before and after attention and FFN, and a gate on what attention gives."""
    hidden_size, width = config.length("hidden_size"), config.length("num_attention_heads") * head_dim(config)
    sparse = set(layer_ids(config)[config.size("num_dense_layers", smallest=0) :])

    def experts_of() -> Tensors:
        number, chosen = config.length("num_experts"), config.size("num_experts_per_tok")
        return [
            *router("router.gate", hidden_size, number),
            vector("expert_bias", "ffn", "router", "bias", number),
            *experts("experts", hidden_size, config.length("moe_intermediate_size"), number, chosen),
            *shared_ffn(config, "shared_experts", number="num_shared_experts"),
        ]

    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside(
            "self_attn",
            linear("gate_proj", "attention", "attention_gate", hidden_size, width),
            biased_attention(config, qk_norm=True),
        ),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        rms_norm("pre_mlp_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", ffn_of(config, sparse, experts_of)),
        rms_norm("post_mlp_layernorm", "norm_after_ffn", hidden_size),
    )


@family("laguna", reach=by_layer_types(all_full))
def laguna(config: Config) -> Tensors:
    """LagunaForCausalLM: query heads by layer, and a gate on what attention gives, one for each head or each element."""
    heads = config.items(
        "num_attention_heads_per_layer", int, lambda: [config.size("num_attention_heads")] * config.size("num_hidden_layers")
    )
    if len(heads) != config.size("num_hidden_layers"):
        details = {"items": len(heads), "layers": config.size("num_hidden_layers")}
        raise ConfigError("not_one_a_layer", "num_attention_heads_per_layer", **details)
    attention = [
        tensor
        for number in sorted(set(heads))
        for tensor in only((layer for layer, each in enumerate(heads) if each == number), gated_attention(config, number))
    ]

    def experts_of() -> Tensors:
        shared = gated_ffn(config, width=config.length("shared_expert_intermediate_size"))
        return [
            *mixture(config, number="num_experts"),
            vector("gate.e_score_correction_bias", "ffn", "router", "bias", config.length("num_experts")),
            *inside("shared_experts", shared),
        ]

    sparse = sparse_layers(config, lambda: one_dense_layer_first(config))
    return llama_decoder(config, together(attention), ffn_of(config, sparse, experts_of))


def gated_attention(config: Config, number: int) -> Tensors:
    """Attention of `number` query heads, its output weighed by g_proj: one gate a head, or by `gating` one an element."""
    heads, width = Length.of("n_h", number), head_dim(config)
    gates = heads if gate_for_each_head(config) else heads * width
    gate = linear("g_proj", "attention", "attention_gate", config.length("hidden_size"), gates)
    return [*gate, *biased_attention(config, qk_norm=True, heads=heads)]


def gate_for_each_head(config: Config) -> bool:
    """`gating` is true or `per-head`, or else `per-element`."""
    try:
        return config.flag("gating")
    except ConfigError:
        return config.word("gating", ("per-head", "per-element")) == "per-head"
