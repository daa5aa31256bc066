"""Decoders with hundreds of small experts, norms on each head's queries and keys, and windows in most layers."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    decoder,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    linear,
    mixture,
    parameter,
    rms_norm,
)
from calc.blocks.attention import head_dim
from calc.config import Config
from calc.families.deepseek import CORRECTION
from calc.families.experts import biased_attention, ffn_of, sparse_layers
from calc.families.llama import llama_decoder
from calc.families.reach import FULL, SLIDING, by_layer_types, full_every
from calc.families.registry import family


@family("kolibri1", reach=by_layer_types(full_every(5)))
def kolibri1(config: Config) -> Tensors:
    """Kolibri1ForCausalLM: experts in every layer beside a shared one, norms before and after attention and FFN."""
    hidden_size, width = config.length("hidden_size"), config.length("shared_expert_intermediate_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config, qk_norm=True)),
        rms_norm("post_self_attn_layernorm", "norm_after_attention", hidden_size),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", mixture(config, number="num_experts", correction=CORRECTION)),
        inside("mlp.shared_experts", gated_ffn(config, width=width)),
        rms_norm("post_mlp_layernorm", "norm_after_ffn", hidden_size),
    )


def full_every_sixth_and_last(config: Config) -> list[str]:
    """Beam's rule: full attention in every sixth layer and in the last."""
    kinds = full_every(6)(config)
    return [*kinds[:-1], FULL]


@family("beam", reach=by_layer_types(full_every_sixth_and_last))
def beam(config: Config) -> Tensors:
    """BeamForCausalLM: three dense layers first; each element of what attention gives has a gate, each head a bias of its gates."""
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")

    def three_dense_first() -> list[str]:
        return ["dense" if layer < 3 else "sparse" for layer in layer_ids(config)]

    gate = [
        *linear("gate_proj", "attention", "attention_gate", hidden_size, heads * head_dim(config)),
        *parameter("gate_bias", "attention", "attention_gate_bias", heads),
    ]
    experts_of = ffn_of(
        config, sparse_layers(config, three_dense_first), lambda: mixture(config, number="num_experts", correction=CORRECTION)
    )
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", gate, biased_attention(config, qk_norm=True)),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        rms_norm("pre_feedforward_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", experts_of),
        rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size),
    )


def full_first_second_of_four_and_last(config: Config) -> list[str]:
    """Flint's rule: full attention in the first two layers, in layers 1, 5, 9, … and in the last."""
    last = config.size("num_hidden_layers") - 1
    return [FULL if layer < 2 or layer % 4 == 1 or layer == last else SLIDING for layer in layer_ids(config)]


@family("flint", reach=by_layer_types(full_first_second_of_four_and_last))
def flint(config: Config) -> Tensors:
    """FlintForCausalLM: dense layers where `mlp_only_layers` says so, the first two without it; a sink for each head."""
    dense = config.items("mlp_only_layers", int, lambda: [0, 1])
    step = config.size("decoder_sparse_step")
    sparse = {layer for layer in layer_ids(config) if layer not in dense and (layer + 1) % step == 0}

    def experts_of() -> Tensors:
        shared = gated_ffn(config, width=config.length("shared_expert_intermediate_size"))
        return [*mixture(config, number="num_experts"), *inside("shared_expert", shared)]

    return llama_decoder(config, biased_attention(config, qk_norm=True, sinks=True), ffn_of(config, sparse, experts_of))
