"""Decoders in which some layers hold attention and the others a state-space mixer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calc.blocks import (
    Tensors,
    decoder,
    embedding,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    linear,
    mixture,
    only,
    plain_ffn,
    rms_norm,
    router,
)
from calc.blocks.nesting import Block
from calc.blocks.state_space import mamba_2_of_hybrid, selective_state_space, sixteenth_of_hidden_size, state_space_duality
from calc.config import Config
from calc.errors import ConfigError
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, Tensor, vector

EARLIER_NAMES = {"mamba": "linear_attention", "attention": "full_attention"}
"""What configs used to call the kinds of layer; the classes still read them."""


def kinds_of_layers(
    config: Config, among: Sequence[str], otherwise: Callable[[], Sequence[str]] | None = None
) -> dict[str, tuple[int, ...]]:
    """The layers of each kind by `layer_types`: kind → ids. Raises ConfigError as `Config.per_layer`."""
    earlier = [name for name, kind in EARLIER_NAMES.items() if kind in among]
    kinds = config.per_layer("layer_types", (*among, *earlier), otherwise)
    named = [EARLIER_NAMES.get(kind, kind) for kind in kinds]
    return {kind: tuple(layer for layer, found in enumerate(named) if found == kind) for kind in among}


def hybrid_decoder(config: Config, *mixers: Block, ffn: Tensors) -> Tensors:
    """The decoder of Jamba and its relatives: one norm before the mixer, whichever it is, and one before the FFN."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_mixer", hidden_size),
        *mixers,
        rms_norm("pre_ff_layernorm", "norm_before_ffn", hidden_size),
        inside("feed_forward", ffn),
        final_norm=rms_norm("model.final_layernorm", "final_norm", hidden_size),
    )


@family("jamba")
def jamba(config: Config) -> Tensors:
    """JambaForCausalLM: attention in one layer of `attn_layer_period`, experts in one of `expert_layer_period`.

    Source: Lieber et al. 2024, arXiv:2403.19887.
    """
    hidden_size, ids = config.length("hidden_size"), layer_ids(config)
    attention = every(config, "attn_layer_period", "attn_layer_offset")
    sparse = every(config, "expert_layer_period", "expert_layer_offset") if config.size("num_experts") > 1 else ()
    mixer = selective_state_space(
        hidden_size,
        config.length("mamba_expand") * hidden_size,
        config.length("mamba_d_state"),
        sixteenth_of_hidden_size(config, "mamba_dt_rank"),
        config.length("mamba_d_conv"),
        bias=config.flag("mamba_proj_bias"),
        convolution_bias=config.flag("mamba_conv_bias"),
        norms=True,
    )
    experts = mixture(config, number="num_experts", width="intermediate_size", name="router") if sparse else []
    return hybrid_decoder(
        config,
        only(set(ids) - set(attention), inside("mamba", mixer)),
        only(attention, inside("self_attn", grouped_query_attention(config))),
        ffn=[*only(set(ids) - set(sparse), gated_ffn(config)), *only(sparse, experts)],
    )


def every(config: Config, period: str, offset: str) -> tuple[int, ...]:
    """The layers i with i mod period = offset."""
    every_so_many, first = config.size(period), config.size(offset, smallest=0)
    return tuple(layer for layer in layer_ids(config) if layer % every_so_many == first)


@family("bamba")
def bamba(config: Config) -> Tensors:
    """BambaForCausalLM: Mamba-2 in all layers but `attn_layer_indices`, which hold attention."""
    ids, bias = layer_ids(config), config.flag("attention_bias")
    attention = set(config.items("attn_layer_indices", int, otherwise=list)) & set(ids)
    return hybrid_decoder(
        config,
        only(set(ids) - attention, inside("mamba", mamba_2_of_hybrid(config))),
        only(attention, inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias))),
        ffn=gated_ffn(config, bias=config.flag("mlp_bias")),
    )


@family("falcon_h1")
def falcon_h1(config: Config) -> Tensors:
    """FalconH1ForCausalLM: every layer holds attention and Mamba-2 side by side. Source: arXiv:2507.22448."""
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    width = config.length("mamba_d_ssm", otherwise=lambda: (config.size("mamba_expand") * hidden_size.value, "mamba_expand·d"))
    mixer = mamba_2_of_hybrid(config, width=width, output_bias=config.flag("projectors_bias"), norm=config.flag("mamba_rms_norm"))
    return hybrid_decoder(
        config,
        inside("mamba", mixer),
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias)),
        ffn=gated_ffn(config, bias=config.flag("mlp_bias")),
    )


@family("granitemoehybrid")
def granitemoehybrid(config: Config) -> Tensors:
    """GraniteMoeHybridForCausalLM: Mamba-2 or attention, then a shared FFN beside experts, if there are any."""
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    kinds = kinds_of_layers(
        config, ("linear_attention", "full_attention"), lambda: ["linear_attention"] * config.size("num_hidden_layers")
    )
    mamba, attention = kinds["linear_attention"], kinds["full_attention"]
    has_experts = config.size("num_local_experts", smallest=0) > 0
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_mixer", hidden_size),
        only(mamba, inside("mamba", mamba_2_of_hybrid(config)) if mamba else []),
        only(attention, inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias))),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("block_sparse_moe", mixture(config, width="intermediate_size", name="router")) if has_experts else [],
        inside("shared_mlp", fused_ffn(hidden_size, config.length("shared_intermediate_size"))),
    )


def fused_ffn(hidden_size: Length, width: Length) -> Tensors:
    """A gated FFN of two matrices, `input_linear` and `output_linear`."""
    bands = (Band("gate", 1, width.value), Band("up", 1, width.value))
    return [
        *linear("input_linear", "ffn", "gate_up", hidden_size, 2 * width, output_bands=bands),
        *linear("output_linear", "ffn", "down", width, hidden_size),
    ]


KIND_OF_LETTER = {"M": "linear_attention", "E": "moe", "*": "full_attention", "-": "mlp"}
"""How `hybrid_override_pattern` writes Nemotron-H's layers."""


@family("nemotron_h")
def nemotron_h(config: Config) -> Tensors:
    """NemotronHForCausalLM: each layer is a norm and one of Mamba-2, attention, FFN or experts. The head is never tied.

    Source: NVIDIA 2025, arXiv:2504.03624.
    """
    kinds = nemotron_h_kinds(config)
    ids = {kind: [layer for layer, found in enumerate(kinds) if found == kind] for kind in KIND_OF_LETTER.values()}
    hidden_size, mamba_heads = config.length("hidden_size"), config.length("mamba_num_heads")
    mamba = state_space_duality(
        hidden_size,
        mamba_heads * config.length("mamba_head_dim"),
        mamba_heads,
        config.length("n_groups"),
        config.length("ssm_state_size"),
        config.length("conv_kernel"),
        bias=config.flag("use_bias"),
        convolution_bias=config.flag("use_conv_bias"),
    )
    mixers = [
        *only(ids["linear_attention"], mamba),
        *only(ids["full_attention"], grouped_query_attention(config)),
        *only(ids["mlp"], plain_ffn(config, "up_proj", "down_proj", bias=config.flag("mlp_bias"))),
        *only(ids["moe"], nemotron_h_experts(config) if ids["moe"] else []),
    ]
    return [
        *embedding("model.embeddings", "token_embedding", config.length("vocab_size"), config),
        *inside(
            "model.layers.*", only(range(len(kinds)), rms_norm("norm", "norm_before_mixer", hidden_size)), inside("mixer", mixers)
        ),
        *rms_norm("model.norm_f", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, config.length("vocab_size")),
    ]


def nemotron_h_kinds(config: Config) -> tuple[str, ...]:
    """What each layer is: by `layers_block_type`, else by the letters of `hybrid_override_pattern`, else the class's four.

    Raises ConfigError: not_among, not_a_list.
    """

    def by_pattern() -> list[str]:
        if not config.gives("hybrid_override_pattern"):
            return ["linear_attention", "moe", "full_attention", "mlp"]
        return [KIND_OF_LETTER[letter] for letter in config.letters("hybrid_override_pattern", KIND_OF_LETTER)]

    kinds: list[str] = [str(EARLIER_NAMES.get(kind, kind)) for kind in config.items("layer_types", str, by_pattern)]
    for kind in kinds:
        if kind not in KIND_OF_LETTER.values():
            among = ", ".join(sorted(KIND_OF_LETTER.values()))
            raise ConfigError("not_among", config.own_name("layer_types"), value=f'"{kind}"', among=among)
    return tuple(kinds)


def nemotron_h_experts(config: Config) -> Tensors:
    """Experts of two matrices beside a shared FFN; with `moe_latent_size` they work on a narrower vector."""
    hidden_size, width, number = (config.length(field) for field in ("hidden_size", "moe_intermediate_size", "n_routed_experts"))
    bias, chosen = config.flag("mlp_bias"), min(config.size("num_experts_per_tok"), number.value)
    latent = config.length("moe_latent_size") if config.gives_or_defaults("moe_latent_size") else None
    inner = latent or hidden_size
    stacks = [
        Tensor("experts.up_proj", "ffn", "widen", "matrix", inner, width, experts=number, experts_chosen=chosen),
        Tensor("experts.down_proj", "ffn", "narrow", "matrix", width, inner, experts=number, experts_chosen=chosen),
    ]
    shared = plain_ffn(config, "up_proj", "down_proj", bias=bias, width=config.length("moe_shared_expert_intermediate_size"))
    into = linear("fc1_latent_proj", "ffn", "experts_latent_down", hidden_size, latent, bias=bias) if latent else []
    out_of = linear("fc2_latent_proj", "ffn", "experts_latent_up", latent, hidden_size, bias=bias) if latent else []
    return [
        *router("gate", hidden_size, number),
        vector("gate.e_score_correction_bias", "ffn", "router_correction", "buffer", number),
        *into,
        *stacks,
        *out_of,
        *inside("shared_experts", shared),
    ]
