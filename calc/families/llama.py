"""The Llama decoder and its relatives: RMSNorm before attention and before a gated FFN, rotary positions."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, gated_ffn, grouped_query_attention, inside, rms_norm
from calc.config import Config
from calc.errors import ConfigError
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


@family("mistral")
def mistral(config: Config) -> Tensors:
    """MistralForCausalLM: no biases. A sliding window changes the cache, not the parameters."""
    return llama_decoder(config)


@family("qwen2")
def qwen2(config: Config) -> Tensors:
    """Qwen2ForCausalLM: queries, keys and values have biases that no config field announces."""
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=True))


@family("qwen3")
def qwen3(config: Config) -> Tensors:
    """Qwen3ForCausalLM: a norm on each head's queries and keys."""
    bias = config.flag("attention_bias")
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True))


@family("gemma")
def gemma(config: Config) -> Tensors:
    """GemmaForCausalLM: head_dim of its own, ties by default, no FFN biases."""
    bias = config.flag("attention_bias")
    return llama_decoder(config, grouped_query_attention(config, qkv_bias=bias, output_bias=bias))


@family("phi3")
def phi3(config: Config) -> Tensors:
    """Phi3ForCausalLM: query, key and value in one matrix, gate and up in another."""
    return llama_decoder(config, grouped_query_attention(config, fused=True), gated_ffn(config, fused=True))
