"""Decoders whose attention and FFN read the same normalised vector, side by side: one norm a layer."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    decoder,
    gated_ffn,
    grouped_query_attention,
    head_dim,
    inside,
    layer_norm,
    num_key_value_heads,
    plain_ffn,
)
from calc.blocks.projections import attention_output, exact_head_dim, query_key_value
from calc.config import Config
from calc.families.reach import all_full, by_layer_types, full_every_given
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Tensor, vector


def side_by_side(config: Config, attention: Tensors) -> Tensors:
    """One LayerNorm without bias, then attention and a gated FFN in parallel."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        layer_norm("input_layernorm", "norm_before_attention_and_ffn", hidden_size, bias=False),
        inside("self_attn", attention),
        inside("mlp", gated_ffn(config)),
        final_norm=layer_norm("model.norm", "final_norm", hidden_size, bias=False),
    )


@family("cohere")
def cohere(config: Config) -> Tensors:
    """CohereForCausalLM: with `use_qk_norm` every head's queries and keys have scales of their own."""
    bias = config.flag("attention_bias")
    normed = config.gives_or_defaults("use_qk_norm") and config.flag("use_qk_norm")
    heads, kv_heads, width = config.length("num_attention_heads"), num_key_value_heads(config), head_dim(config)
    norms = [
        norm_of_each_head("q_norm", "each_query_head_norm", heads, width),
        norm_of_each_head("k_norm", "each_key_head_norm", kv_heads, width),
    ]
    return side_by_side(
        config, [*query_key_value(config, bias=bias), *(norms if normed else []), *attention_output(config, bias=bias)]
    )


def norm_of_each_head(name: str, role: str, heads: Length, width: Length) -> Tensor:
    """A scale for every element of every head, stored [heads, head_dim]."""
    return replace(vector(f"{name}.weight", "norm", role, "scale", heads * width), stored=(heads.value, width.value))


@family("cohere_compass_text", reach=by_layer_types(all_full))
@family("cohere2", reach=by_layer_types(full_every_given("sliding_window_pattern", 4)))
def cohere2(config: Config) -> Tensors:
    """Cohere2ForCausalLM and the text model of Compass: no norms on queries and keys; windows are no parameters."""
    bias = config.flag("attention_bias")
    return side_by_side(config, grouped_query_attention(config, qkv_bias=bias, output_bias=bias))


@family("phi")
def phi(config: Config) -> Tensors:
    """PhiForCausalLM: a plain FFN, biases everywhere, also on the output head. Source: Li et al. 2023, arXiv:2309.05463."""
    hidden_size = config.length("hidden_size")
    by_heads = Length.of("⌊d ÷ n_h⌋", hidden_size.value // config.size("num_attention_heads"))
    norms = [*layer_norm("q_layernorm", "query_norm", by_heads), *layer_norm("k_layernorm", "key_norm", by_heads)]
    return decoder(
        config,
        layer_norm("input_layernorm", "norm_before_attention_and_ffn", hidden_size),
        inside(
            "self_attn",
            query_key_value(config, bias=True),
            norms if config.flag("qk_layernorm") else [],
            attention_output(config, "dense", bias=True),
        ),
        inside("mlp", plain_ffn(config, "fc1", "fc2", bias=True)),
        final_norm=layer_norm("model.final_layernorm", "final_norm", hidden_size),
        head_bias=True,
    )


@family("stablelm")
def stablelm(config: Config) -> Tensors:
    """StableLmForCausalLM: side by side with `use_parallel_residual`, otherwise a second norm before the FFN.

    With `qk_layernorm` every head has a norm of its own on its queries and keys.
    Raises ConfigError: heads_must_divide.
    """
    hidden_size, width = config.length("hidden_size"), exact_head_dim(config)
    heads, kv_heads = config.size("num_attention_heads"), num_key_value_heads(config).value
    norms = [
        replace(vector(f"{name}.norms.*.weight", "norm", role, "scale", width), repeats=copies)
        for name, role, copies in (
            ("q_layernorm", "each_query_head_norm", heads),
            ("k_layernorm", "each_key_head_norm", kv_heads),
        )
    ]
    parallel = config.flag("use_parallel_residual")
    first_norm = "norm_before_attention_and_ffn" if parallel else "norm_before_attention"
    return decoder(
        config,
        layer_norm("input_layernorm", first_norm, hidden_size),
        inside(
            "self_attn",
            query_key_value(config, bias=config.flag("use_qkv_bias"), width=width),
            norms if config.flag("qk_layernorm") else [],
            attention_output(config, width=width),
        ),
        [] if parallel else layer_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config)),
        final_norm=layer_norm("model.norm", "final_norm", hidden_size),
    )
