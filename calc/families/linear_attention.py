"""Decoders whose layers mostly hold linear attention (Gated DeltaNet or Kimi's delta attention), and some full attention."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    decoder,
    gated_ffn,
    grouped_query_attention,
    inside,
    latent_attention,
    layer_ids,
    linear,
    mixture,
    only,
    parameter,
    rms_norm,
    shared_ffn,
)
from calc.blocks.linear_attention import LinearHeads, gated_delta_net, output_gated_attention, separate_projections
from calc.blocks.nesting import together
from calc.config import Config
from calc.families.experts import sparse_layers
from calc.families.hybrids import kinds_of_layers
from calc.families.registry import family
from calc.lengths import ONE, Length
from calc.tensors import vector

KINDS = ("linear_attention", "full_attention")


def full_attention_every_few(config: Config) -> list[str]:
    """The class's rule: full attention in every `full_attention_interval`-th layer, every fourth unless it is given."""
    interval = config.size("full_attention_interval", otherwise=lambda: (4, "4"))
    return ["full_attention" if (layer + 1) % interval == 0 else "linear_attention" for layer in layer_ids(config)]


def delta_net_decoder(config: Config, ffn: Tensors, *, fused: bool = False) -> Tensors:
    """Gated DeltaNet in most layers, attention with an output gate in the others, an FFN in all."""
    hidden_size = config.length("hidden_size")
    kinds = kinds_of_layers(config, KINDS, lambda: full_attention_every_few(config))
    attention = output_gated_attention(config, bias=config.flag("attention_bias"))
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_mixer", hidden_size),
        only(kinds["linear_attention"], inside("linear_attn", gated_delta_net(config, fused=fused))),
        only(kinds["full_attention"], inside("self_attn", attention)),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", ffn),
    )


def experts_beside_one(config: Config) -> Tensors:
    """Routed experts and one shared FFN, which a gate of its own weighs."""
    shared = gated_ffn(config, width=config.length("shared_expert_intermediate_size"))
    gate = linear("shared_expert_gate", "ffn", "shared_expert_gate", config.length("hidden_size"), ONE)
    return [*mixture(config, number="num_experts"), *inside("shared_expert", shared), *gate]


@family("qwen3_next")
def qwen3_next(config: Config) -> Tensors:
    """Qwen3NextForCausalLM: experts in every `decoder_sparse_step`-th layer, but for those in `mlp_only_layers`."""
    dense = set(config.items("mlp_only_layers", int, otherwise=list))
    step = config.size("decoder_sparse_step")
    has_experts = config.size("num_experts", smallest=0) > 0
    sparse = {layer for layer in layer_ids(config) if has_experts and layer not in dense and (layer + 1) % step == 0}
    ffn = [*only(set(layer_ids(config)) - sparse, gated_ffn(config)), *only(sparse, experts_beside_one(config) if sparse else [])]
    return delta_net_decoder(config, ffn, fused=True)


@family("qwen3_5_text")
def qwen3_5_text(config: Config) -> Tensors:
    """Qwen3_5ForCausalLM: dense; the projections of Gated DeltaNet are matrices of their own."""
    return delta_net_decoder(config, gated_ffn(config))


@family("qwen3_5_moe_text")
def qwen3_5_moe_text(config: Config) -> Tensors:
    """Qwen3_5MoeForCausalLM: experts beside a shared FFN in every layer."""
    return delta_net_decoder(config, experts_beside_one(config))


@family("qwen3_5")
def qwen3_5(config: Config) -> Tensors:
    """Qwen3_5Config wraps a text and a vision model; its causal LM is the text model alone."""
    return qwen3_5_text(config.inside("text_config", "qwen3_5_text"))


@family("qwen3_5_moe")
def qwen3_5_moe(config: Config) -> Tensors:
    """Qwen3_5MoeConfig wraps a text and a vision model; its causal LM is the text model alone."""
    return qwen3_5_moe_text(config.inside("text_config", "qwen3_5_moe_text"))


@family("olmo_hybrid")
def olmo_hybrid(config: Config) -> Tensors:
    """OlmoHybridForCausalLM: Gated DeltaNet with norms before mixer and FFN, or attention with norms after them."""
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    kinds = kinds_of_layers(config, KINDS, lambda: olmo_hybrid_kinds(config))
    delta, full = kinds["linear_attention"], kinds["full_attention"]
    bias = config.flag("attention_bias")
    keys = config.length("linear_num_key_heads", otherwise=lambda: (heads.value, "n_h"))
    values = config.length("linear_num_value_heads", otherwise=lambda: (heads.value, "n_h"))
    key_width = config.length(
        "linear_key_head_dim", otherwise=lambda: (int(0.75 * hidden_size.value / keys.value), f"⌊0.75·d ÷ {keys.symbol}⌋")
    )
    value_width = config.length("linear_value_head_dim", otherwise=lambda: (2 * key_width.value, f"2·{key_width.symbol}"))
    return decoder(
        config,
        only(delta, rms_norm("input_layernorm", "norm_before_mixer", hidden_size)),
        only(delta, inside("linear_attn", olmo_delta_net(config, LinearHeads(keys, values, key_width, value_width)))),
        only(full, inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias, whole_norm=True))),
        # one name for two places: before the FFN after a DeltaNet, on what attention gives elsewhere
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config)),
        only(full, rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size)),
    )


def olmo_hybrid_kinds(config: Config) -> list[str]:
    """Full attention in every fourth layer, or in the last where there is no fourth."""
    kinds = ["full_attention" if layer % 4 == 3 else "linear_attention" for layer in layer_ids(config)]
    return kinds if "full_attention" in kinds else [*kinds[:-1], "full_attention"]


def olmo_delta_net(config: Config, heads: LinearHeads) -> Tensors:
    """Gated DeltaNet with every projection a matrix of its own."""
    hidden_size, number = config.length("hidden_size"), heads.number_of_values
    return [
        *separate_projections(heads, hidden_size, config.length("linear_conv_kernel_dim")),
        *linear("b_proj", "attention", "linear_write", hidden_size, number),
        *linear("a_proj", "attention", "linear_decay", hidden_size, number),
        vector("dt_bias", "attention", "linear_decay", "bias", number),
        *parameter("A_log", "attention", "state_decay_of_heads", number),
        *heads.project("g_proj", "linear_gate", hidden_size),
        *rms_norm("o_norm", "linear_value_norm", heads.value_width),
        *linear("o_proj", "attention", "mixer_output", heads.values, hidden_size, input_bands=(heads.band("linear_value"),)),
    ]


def delta_attention(config: Config, number: Length, width: Length, kernel: Length, *, low_rank: bool) -> Tensors:
    """Kimi Delta Attention: a Gated DeltaNet whose decay differs in every channel of a head.

    low_rank   decay and output gate go through a vector as narrow as one head, d → head_dim → heads·head_dim

    Source: Kimi Team 2025, arXiv:2510.26692.
    """
    hidden_size, heads = config.length("hidden_size"), LinearHeads(number, number, width, width)
    if low_rank:
        decay = [
            *linear("f_a_proj", "attention", "linear_decay_down", hidden_size, width),
            *linear("f_b_proj", "attention", "linear_decay", width, heads.values),
        ]
        gate = [
            *linear("g_a_proj", "attention", "linear_gate_down", hidden_size, width),
            *linear("g_b_proj", "attention", "linear_gate", width, heads.values, output_bands=(heads.band("linear_gate"),)),
        ]
    else:
        decay = linear("f_proj", "attention", "linear_decay", hidden_size, heads.values)
        gate = heads.project("g_proj", "linear_gate", hidden_size)
    rates = parameter("A_log", "attention", "state_decay_of_heads", number, shape=(1, 1, number.value, 1) if low_rank else None)
    return [
        *separate_projections(heads, hidden_size, kernel),
        *inside("forget_gate", decay, [vector("dt_bias", "attention", "linear_decay", "bias", heads.values)], rates),
        *linear("b_proj", "attention", "linear_write", hidden_size, number),
        *gate,
        *rms_norm("o_norm", "linear_value_norm", width),
        *linear("o_proj", "attention", "mixer_output", heads.values, hidden_size, input_bands=(heads.band("linear_value"),)),
    ]


def delta_attention_decoder(
    config: Config, kinds: dict[str, tuple[int, ...]], delta: Tensors, full: Tensors, sparse: set[int]
) -> Tensors:
    """Delta attention or full attention, then a dense FFN or balanced experts beside shared ones; the head is never tied."""
    hidden_size = config.length("hidden_size")
    experts = [
        *mixture(config, correction="gate.e_score_correction_bias"),
        *shared_ffn(config, "shared_experts", number="n_shared_experts"),
    ]
    config.decide("tie_word_embeddings", False)
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_mixer", hidden_size),
        together(inside("self_attn", only(kinds["linear_attention"], delta), only(kinds["full_attention"], full))),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", only(set(layer_ids(config)) - sparse, gated_ffn(config)), only(sparse, experts)),
    )


@family("kimi_linear")
def kimi_linear(config: Config) -> Tensors:
    """KimiLinearForCausalLM: delta attention in most layers, latent attention (MLA) in the others. arXiv:2510.26692."""
    written = config.inside("linear_attn_config")

    def length(own: str, name: str) -> Length:
        return Length.of(name, written.size(own)) if written.gives(own) else config.length(name)

    number, width = length("num_heads", "linear_num_heads"), length("head_dim", "linear_head_dim")
    delta = delta_attention(config, number, width, length("short_conv_kernel_size", "linear_conv_kernel_dim"), low_rank=True)
    kinds = kinds_of_layers(config, KINDS, lambda: kimi_linear_kinds(config, written))
    full = latent_attention(config, bias=config.flag("attention_bias"))

    def dense_first() -> list[str]:
        dense = config.size("first_k_dense_replace", otherwise=lambda: (1, "1"), smallest=0)
        return ["dense" if layer < dense else "sparse" for layer in layer_ids(config)]

    return delta_attention_decoder(config, kinds, delta, full, set(sparse_layers(config, dense_first)))


def kimi_linear_kinds(config: Config, written: Config) -> list[str]:
    """The lists of `linear_attn_config`, which count layers from 1; without them full attention in layers 4, 8, …"""
    if written.gives("full_attn_layers") and written.gives("kda_layers"):
        full = written.items("full_attn_layers", int)
        return ["full_attention" if layer + 1 in full else "linear_attention" for layer in layer_ids(config)]
    return ["full_attention" if layer and layer % 4 == 0 else "linear_attention" for layer in layer_ids(config)]


@family("bailing_hybrid")
def bailing_hybrid(config: Config) -> Tensors:
    """BailingHybridForCausalLM: as Kimi Linear's, full attention ends each group of layers and has a gate for each head."""
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    width = config.length("linear_head_dim", otherwise=lambda: (config.size("head_dim"), "head_dim"))
    number = config.length("linear_num_heads", otherwise=lambda: (heads.value, "n_h"))
    kernel = config.length(
        "linear_conv_kernel_dim", otherwise=lambda: (config.size("short_conv_kernel_size"), "short_conv_kernel_size")
    )
    delta = delta_attention(config, number, width, kernel, low_rank=False)
    full = [
        *latent_attention(config, bias=config.flag("attention_bias")),
        *linear("g_proj", "attention", "attention_gate", hidden_size, heads),
    ]

    def group_ends() -> list[str]:
        size = config.size("layer_group_size")
        return ["full_attention" if (layer + 1) % size == 0 else "linear_attention" for layer in layer_ids(config)]

    def dense_first() -> list[str]:
        dense = config.size("first_k_dense_replace", smallest=0)
        return ["dense" if layer < dense else "sparse" for layer in layer_ids(config)]

    kinds = kinds_of_layers(config, KINDS, group_ends)
    return delta_attention_decoder(config, kinds, delta, full, set(sparse_layers(config, dense_first)))
