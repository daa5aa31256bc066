"""Decoders with rotary positions that keep what GPT-2 had: LayerNorm with a bias, and a plain FFN."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, fused_attention, grouped_query_attention, inside, layer_norm, plain_ffn
from calc.blocks.projections import exact_head_dim
from calc.config import Config
from calc.families.reach import everywhere
from calc.families.registry import family


def layer_normed(config: Config, attention: Tensors, ffn: Tensors, *, last: str = "model.norm") -> Tensors:
    """LayerNorm, attention, LayerNorm, FFN; the norm after the last layer is called `last`."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        layer_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", attention),
        layer_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", ffn),
        final_norm=layer_norm(last, "final_norm", hidden_size),
    )


@family("starcoder2", reach=everywhere())
def starcoder2(config: Config) -> Tensors:
    """Starcoder2ForCausalLM: one flag for all biases. Source: Lozhkov et al. 2024, arXiv:2402.19173."""
    bias = config.flag("use_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return layer_normed(config, attention, plain_ffn(config, "c_fc", "c_proj", bias=bias))


@family("nemotron")
def nemotron(config: Config) -> Tensors:
    """NemotronForCausalLM: its class has neither a default nor a rule for `num_key_value_heads`, so the config must give it.

    Raises ConfigError: missing, null.
    """
    config.size("num_key_value_heads")
    return jais2(config)


@family("jais2")
def jais2(config: Config) -> Tensors:
    """Jais2ForCausalLM: squared ReLU; one flag for attention biases, one for the FFN's."""
    bias = config.flag("attention_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return layer_normed(config, attention, plain_ffn(config, "up_proj", "down_proj", bias=config.flag("mlp_bias")))


@family("persimmon")
def persimmon(config: Config) -> Tensors:
    """PersimmonForCausalLM: biases everywhere; query, key and value in one matrix, one head after the other.

    Raises ConfigError: heads_must_divide.
    """
    width, (fused, fused_bias, *output) = exact_head_dim(config), fused_attention(config, head_by_head=True)
    norms = [*layer_norm("q_layernorm", "query_norm", width), *layer_norm("k_layernorm", "key_norm", width)]
    attention = [fused, fused_bias, *(norms if config.flag("qk_layernorm") else []), *output]
    ffn = plain_ffn(config, "dense_h_to_4h", "dense_4h_to_h", bias=True)
    return layer_normed(config, attention, ffn, last="model.final_layernorm")
