"""Gemma 2 and later: norms before and after attention and FFN. The first Gemma stands beside Llama."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, gated_ffn, grouped_query_attention, inside, rms_norm
from calc.config import Config
from calc.families.reach import by_layer_types, full_every, full_every_given, halved_if_bidirectional
from calc.families.registry import family


@family("gemma2", reach=by_layer_types(full_every(2)))
def gemma2(config: Config) -> Tensors:
    """Gemma2ForCausalLM: four norms a layer. Source: Gemma Team 2024, arXiv:2408.00118."""
    return between_norms(config)


@family("gemma3_text", reach=by_layer_types(full_every_given("sliding_window_pattern", 6), reach=halved_if_bidirectional))
def gemma3_text(config: Config) -> Tensors:
    """Gemma3ForCausalLM: as Gemma 2, with a norm on each head's queries and keys. Source: arXiv:2503.19786."""
    return between_norms(config, qk_norm=True)


def between_norms(config: Config, *, qk_norm: bool = False) -> Tensors:
    """Attention and FFN, each with a norm before it and one after it."""
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=qk_norm)),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        rms_norm("pre_feedforward_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config)),
        rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size),
    )


@family("vaultgemma", reach=by_layer_types(full_every(2)))
def vaultgemma(config: Config) -> Tensors:
    """VaultGemmaForCausalLM: Gemma 2 without the two norms that come after."""
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias)),
        rms_norm("pre_feedforward_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config)),
    )
