"""Decoders with latent attention (MLA): DeepSeek's and those that took it over, with experts or without."""

from __future__ import annotations

from collections.abc import Callable

from calc.blocks import (
    Tensors,
    decoder,
    gated_ffn,
    inside,
    latent_attention,
    latent_key_value_and_output,
    layer_ids,
    lightning_indexer,
    linear,
    mixture,
    only,
    rms_norm,
    shared_ffn,
)
from calc.config import Config
from calc.families.experts import dense_layers_first, ffn_of, one_dense_layer_first, sparse_layers
from calc.families.llama import llama_decoder
from calc.families.reach import picked
from calc.families.registry import family
from calc.tensors import Band, Part

CORRECTION = "gate.e_score_correction_bias"


@family("deepseek_v2")
def deepseek_v2(config: Config) -> Tensors:
    """DeepseekV2ForCausalLM: dense layers first, then routed experts beside shared ones. arXiv:2405.04434.

    The class has no default for `num_experts_per_tok`; without it nobody knows how many experts a token goes through.
    """
    bias = config.flag("mlp_bias")
    ids, dense = layer_ids(config), config.size("first_k_dense_replace", smallest=0)

    def experts_of() -> Tensors:
        shared = shared_ffn(config, "shared_experts", number="n_shared_experts", bias=bias)
        return [*mixture(config, number="num_experts", may_leave_out_chosen=True), *shared]

    return llama_decoder(
        config,
        latent_attention(config, bias=config.flag("attention_bias")),
        ffn_of(config, set(ids[dense:]), experts_of, gated_ffn(config, bias=bias) if dense else None),
    )


@family("deepseek_v3")
def deepseek_v3(config: Config) -> Tensors:
    """DeepseekV3ForCausalLM: as DeepSeek-V2, with a buffer that balances the experts. arXiv:2412.19437.

    The multi-token-prediction layer of the checkpoint is no part of it.
    """
    sparse = set(layer_ids(config)[config.size("first_k_dense_replace", smallest=0) :])
    return llama_decoder(
        config,
        latent_attention(config, bias=config.flag("attention_bias")),
        ffn_of(config, sparse, lambda: balanced_experts(config)),
    )


@family("deepseek_v32", reach=picked())
def deepseek_v32(config: Config) -> Tensors:
    """DeepseekV32ForCausalLM: DeepSeek-V3 with an indexer that picks the tokens each token attends to. arXiv:2512.02556."""
    picks = inside("indexer", lightning_indexer(config))
    attention = latent_attention(config, bias=config.flag("attention_bias"), picks=picks)
    return llama_decoder(config, attention, sparse_ffn(config, dense_layers_first))


@family("glm_moe_dsa", reach=picked())
def glm_moe_dsa(config: Config) -> Tensors:
    """GlmMoeDsaForCausalLM: as DeepSeek-V3.2; layers whose `indexer_types` say shared use an earlier layer's picks."""
    kinds = config.per_layer("indexer_types", ("full", "shared"), lambda: indexer_types(config))
    indexed = [layer for layer, kind in enumerate(kinds) if kind == "full"]
    picks = only(indexed, inside("indexer", lightning_indexer(config)))
    attention = latent_attention(config, bias=config.flag("attention_bias"), picks=picks)
    return llama_decoder(config, attention, sparse_ffn(config, dense_layers_first))


def indexer_types(config: Config) -> list[str]:
    """The class's rule: `index_topk_pattern` if it is given, else a full layer in every `index_topk_freq`, the first ones too."""
    if config.gives("index_topk_pattern"):
        named = {"F": "full", "S": "shared"}
        return [named[letter] for letter in config.letters("index_topk_pattern", named)]
    every = config.size("index_topk_freq", lambda: (1, "1"))
    first = config.size("index_skip_topk_offset", lambda: (2, "2"), smallest=0)
    return ["shared" if max(layer - first + 1, 0) % every else "full" for layer in layer_ids(config)]


@family("glm4_moe_lite")
def glm4_moe_lite(config: Config) -> Tensors:
    """Glm4MoeLiteForCausalLM: DeepSeek-V3 under GLM's sizes; one dense layer unless `mlp_layer_types` says otherwise."""
    attention = latent_attention(config, bias=config.flag("attention_bias"))
    return llama_decoder(config, attention, sparse_ffn(config, one_dense_layer_first))


@family("axk1")
def axk1(config: Config) -> Tensors:
    """AXK1ForCausalLM: DeepSeek-V3 with a norm on what the experts give."""
    norm = rms_norm("post_mlp_layernorm", "norm_after_ffn", config.length("hidden_size"))
    return llama_decoder(
        config,
        latent_attention(config, bias=config.flag("attention_bias")),
        ffn_of(config, sparse_layers(config, lambda: dense_by_frequency(config)), lambda: [*balanced_experts(config), *norm]),
    )


@family("axk2", reach=picked())
def axk2(config: Config) -> Tensors:
    """AXK2ForCausalLM: latent attention with an output gate and an indexer; norms that scale by what they read."""
    hidden_size = config.length("hidden_size")
    sparse = sparse_layers(config, lambda: dense_by_frequency(config))
    dense = set(layer_ids(config)) - sparse
    return decoder(
        config,
        gated_norm("input_layernorm", "attention", config),
        inside("self_attn", gated_latent_attention(config)),
        only(dense, rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size)),
        only(sparse, gated_norm("post_attention_layernorm", "ffn", config)),
        inside("mlp", ffn_of(config, sparse, lambda: balanced_experts(config))),
    )


def gated_latent_attention(config: Config) -> Tensors:
    """MLA whose queries and output gate come out of one matrix, which reads the latent twice: normed and as it is."""
    bias = config.flag("attention_bias")
    hidden_size, heads, rank = (config.length(field) for field in ("hidden_size", "num_attention_heads", "q_lora_rank"))
    query_width = config.length("qk_nope_head_dim") + config.length("qk_rope_head_dim")
    both = query_width + config.length("v_head_dim")
    bands = (Band("query_gate", heads.value, both.value),)
    return [
        *linear("q_a_proj", "attention", "query_down", hidden_size, rank, bias=bias),
        *rms_norm("q_a_layernorm", "query_latent_norm", rank),
        *linear("q_gate_proj", "attention", "query_up_gate", 2 * rank, heads * both, output_bands=bands),
        *latent_key_value_and_output(config, bias=bias, picks=inside("indexer", lightning_indexer(config))),
    ]


def gated_norm(name: str, before: Part, config: Config) -> Tensors:
    """RMSNorm before attention or FFN, then a gate on each element out of a narrow FFN: d × r and r × d."""
    hidden_size, rank = config.length("hidden_size"), config.length("gated_norm_rank")
    return [
        *rms_norm(f"{name}.norm", f"norm_before_{before}", hidden_size),
        *linear(f"{name}.mlp.fc1", before, "norm_gate_down", hidden_size, rank),
        *linear(f"{name}.mlp.fc2", before, "norm_gate_up", rank, hidden_size),
    ]


def dense_by_frequency(config: Config) -> list[str]:
    """Experts in every `moe_layer_freq`-th layer from `first_k_dense_replace` on; 1 and 1 where the config has neither."""
    first = config.size("first_k_dense_replace", lambda: (1, "1"), smallest=0)
    every = config.size("moe_layer_freq", lambda: (1, "1"))
    return ["sparse" if layer >= first and layer % every == 0 else "dense" for layer in layer_ids(config)]


def sparse_ffn(config: Config, otherwise: Callable[[Config], list[str]]) -> Tensors:
    """Balanced experts in the layers that `mlp_layer_types` calls sparse, dense FFNs in the others."""
    return ffn_of(config, sparse_layers(config, lambda: otherwise(config)), lambda: balanced_experts(config))


def balanced_experts(
    config: Config, *, number: str = "num_local_experts", shared: str = "n_shared_experts", may_leave_out_chosen: bool = False
) -> Tensors:
    """A router with a balancing buffer, its experts, and shared ones beside them; fields as in `mixture`."""
    if config.model_type in ("deepseek_v32", "glm_moe_dsa") and config.gives("num_experts"):
        number = "num_experts"  # these classes let the name of other families override their own
    return [
        *mixture(config, number=number, correction=CORRECTION, may_leave_out_chosen=may_leave_out_chosen),
        *shared_ffn(config, "shared_experts", number=shared),
    ]


@family("minicpm3")
def minicpm3(config: Config) -> Tensors:
    """MiniCPM3ForCausalLM: latent attention in a dense model. Source: Hu et al. 2024, arXiv:2404.06395."""

    def hidden_size_by_heads() -> tuple[int, str]:
        return config.size("hidden_size") // config.size("num_attention_heads"), "⌊d ÷ n_h⌋"

    value_width = config.length("v_head_dim", otherwise=hidden_size_by_heads)
    attention = latent_attention(config, bias=config.flag("attention_bias"), value_width=value_width)
    return llama_decoder(config, attention, gated_ffn(config, bias=config.flag("mlp_bias")))


@family("youtu")
def youtu(config: Config) -> Tensors:
    """YoutuForCausalLM: latent attention in a dense model."""
    return llama_decoder(config, latent_attention(config, bias=config.flag("attention_bias")))
