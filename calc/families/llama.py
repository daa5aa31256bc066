"""The Llama decoder and its relatives: RMSNorm before attention and before a gated FFN, rotary positions."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, gated_ffn, grouped_query_attention, inside, rms_norm
from calc.blocks.projections import exact_head_dim
from calc.config import Config
from calc.errors import ConfigError
from calc.families.reach import by_layer_types, everywhere, if_used, sliding_from_layer
from calc.families.registry import family


def llama_decoder(config: Config, attention: Tensors | None = None, ffn: Tensors | None = None) -> Tensors:
    """The decoder of Touvron et al. 2023, arXiv:2302.13971; relatives bring their own attention or FFN.

    attention   tensors of `self_attn`, grouped-query attention without biases unless given
    ffn         tensors of `mlp`, a gated FFN without biases unless given
    """
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config) if attention is None else attention),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config) if ffn is None else ffn),
    )


@family("llama")
def llama(config: Config) -> Tensors:
    """LlamaForCausalLM: one flag for the four attention biases, one for the three of the FFN.

    Raises ConfigError: heads_do_not_divide, as LlamaConfig does.
    """
    hidden_size, heads = config.size("hidden_size"), config.size("num_attention_heads")
    if hidden_size % heads and not config.gives("head_dim"):
        raise ConfigError("heads_do_not_divide", "num_attention_heads", hidden_size=hidden_size, heads=heads)
    bias = config.flag("attention_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return llama_decoder(config, attention, gated_ffn(config, bias=config.flag("mlp_bias")))


@family("mistral", reach=everywhere())
def mistral(config: Config) -> Tensors:
    """MistralForCausalLM: no biases. A sliding window changes the cache, not the parameters."""
    return llama_decoder(config)


@family("qwen2", reach=if_used(by_layer_types(sliding_from_layer)))
def qwen2(config: Config) -> Tensors:
    """Qwen2ForCausalLM: queries, keys and values have biases that no config field announces."""
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=True))


@family("qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text", reach=if_used(by_layer_types(sliding_from_layer)))
def qwen2_vl_text(config: Config) -> Tensors:
    """The text model of Qwen2-VL, Qwen2.5-VL and Qwen2.5-Omni: Qwen2's, its heads splitting d. Source: arXiv:2409.12191."""
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=True, width=exact_head_dim(config)))


@family("qwen3_vl_text")
@family("qwen3", reach=if_used(by_layer_types(sliding_from_layer)))
def qwen3(config: Config) -> Tensors:
    """Qwen3ForCausalLM and Qwen3-VL's text model: a norm on each head's queries and keys."""
    bias = config.flag("attention_bias")
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True))


@family("gemma")
def gemma(config: Config) -> Tensors:
    """GemmaForCausalLM: head_dim of its own, ties by default, no FFN biases."""
    bias = config.flag("attention_bias")
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=bias, output_bias=bias))


@family("phi3", "phi4_multimodal", reach=everywhere())
def phi3(config: Config) -> Tensors:
    """Phi3ForCausalLM: query, key and value in one matrix, gate and up in another. Phi-4-multimodal's text model is the same."""
    return llama_decoder(config, grouped_query_attention(config, fused=True), gated_ffn(config, fused=True))
