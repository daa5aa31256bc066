"""Decoders that normalise what attention and FFN give, in place of what they take or besides."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, gated_ffn, grouped_query_attention, inside, rms_norm
from calc.blocks.projections import exact_head_dim
from calc.config import Config
from calc.families.reach import by_layer_types, full_every, pattern_of_exaone
from calc.families.registry import family


def normed_afterwards(config: Config, attention: Tensors) -> Tensors:
    """A decoder with its norms after attention and after a gated FFN, and none before them."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        inside("self_attn", attention),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        inside("mlp", gated_ffn(config)),
        rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size),
    )


@family("olmo3", reach=by_layer_types(full_every(4)))
@family("olmo2")
def olmo2(config: Config) -> Tensors:
    """Olmo2ForCausalLM, Olmo3ForCausalLM: queries and keys are normalised over all heads at once.

    Source: Team OLMo 2024, arXiv:2501.00656. Olmo 3's windows change the cache, not the parameters.
    """
    bias = config.flag("attention_bias")
    return normed_afterwards(config, grouped_query_attention(config, qkv_bias=bias, output_bias=bias, whole_norm=True))


@family("exaone4", reach=by_layer_types(pattern_of_exaone))
def exaone4(config: Config) -> Tensors:
    """Exaone4ForCausalLM: no biases, a norm on each head's queries and keys. Source: arXiv:2507.11407."""
    return normed_afterwards(config, grouped_query_attention(config, qk_norm=True))


@family("glm4")
def glm4(config: Config) -> Tensors:
    """Glm4ForCausalLM: norms before and after; biases on queries, keys and values; gate and up in one matrix."""
    return between_norms(config, grouped_query_attention(config, qkv_bias=config.flag("attention_bias")))


@family("glm4v_text")
def glm4v_text(config: Config) -> Tensors:
    """The text model of GLM-4.1V: its heads split d, queries, keys and values have biases. Source: arXiv:2507.01006."""
    return between_norms(config, grouped_query_attention(config, qkv_bias=True, width=exact_head_dim(config)))


@family("glm_ocr_text")
def glm_ocr_text(config: Config) -> Tensors:
    """The text model of GLM-OCR: no biases."""
    return between_norms(config, grouped_query_attention(config))


def between_norms(config: Config, attention: Tensors) -> Tensors:
    """Attention and a fused gated FFN, each between two norms."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", attention),
        rms_norm("post_self_attn_layernorm", "norm_after_attention", hidden_size),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config, fused=True)),
        rms_norm("post_mlp_layernorm", "norm_after_ffn", hidden_size),
    )


@family("hyperclovax")
def hyperclovax(config: Config) -> Tensors:
    """HyperCLOVAXForCausalLM: Llama's layer, and with `use_post_norm` two more norms after."""
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    after = config.flag("use_post_norm")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias)),
        rms_norm("post_norm1", "norm_after_attention", hidden_size) if after else [],
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config, bias=config.flag("mlp_bias"))),
        rms_norm("post_norm2", "norm_after_ffn", hidden_size) if after else [],
    )
