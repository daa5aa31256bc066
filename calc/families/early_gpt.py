"""Decoders of GPT-2's time: learned or sinusoidal positions, LayerNorm, a plain FFN."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    embedding,
    fused_attention,
    head_band,
    inside,
    layer_norm,
    layers,
    linear,
    lm_head,
    multi_head_attention,
    plain_ffn,
)
from calc.blocks.multi_head import Projections
from calc.config import Config
from calc.errors import ConfigError, quoted
from calc.families.gpt_neox import four_times_hidden_size
from calc.families.reach import EVERYTHING, Reach
from calc.families.registry import family
from calc.tensors import Band


def gpt_decoder(config: Config, attention: Tensors, cross_attention: Tensors, ffn: Tensors) -> Tensors:
    """GPT-2's decoder with matrices stored [out, in]: learned positions, a norm before each branch."""
    hidden_size = config.length("hidden_size")
    return [
        *embedding("transformer.wte", "token_embedding", config.length("vocab_size"), config),
        *embedding("transformer.wpe", "position_embedding", config.length("max_position_embeddings"), config),
        *layers(
            "transformer.h",
            config,
            layer_norm("ln_1", "norm_before_attention", hidden_size),
            inside("attn", attention),
            cross_attention,
            layer_norm("ln_2", "norm_before_ffn", hidden_size),
            inside("mlp", ffn),
        ),
        *layer_norm("transformer.ln_f", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="transformer.wte.weight"),
    ]


def local_and_global(config: Config) -> tuple[Reach, ...]:
    """Windows of `window_size` in the layers `attention_types` calls local: rows of kinds that take turns, and how often.

    Raises ConfigError: not_a_list, not_one_a_layer.
    """
    rows = config.rows("attention_types", otherwise=lambda: [[["global", "local"], 12]])
    if not all(len(row) == 2 and isinstance(row[0], list | tuple) and type(row[1]) is int for row in rows):
        raise ConfigError("not_a_list", "attention_types", value=quoted(rows), kind="[kinds, times]")
    number = config.size("num_hidden_layers")
    length = sum(len(turn) * times for turn, times in rows)
    if length != number:
        raise ConfigError("not_one_a_layer", "attention_types", items=length, layers=number)
    local = Reach(window=config.size("window_size"))
    return tuple(local if kind == "local" else EVERYTHING for turn, times in rows for kind in list(turn) * times)


@family("gpt_neo", reach=local_and_global)
def gpt_neo(config: Config) -> Tensors:
    """GPTNeoForCausalLM: of the attention matrices only the output has a bias.

    Global and local layers (`attention_types`) hold the same tensors: a window changes what is seen, not what is stored.
    Source: Black et al. 2021, GPT-Neo. Raises ConfigError: not_one_a_layer, as GPTNeoConfig does.
    """
    local_and_global(config)
    attention = inside("attention", multi_head_attention(config, bias=False, output_bias=True))
    ffn = plain_ffn(config, "c_fc", "c_proj", bias=True, width=four_times_hidden_size(config))
    return gpt_decoder(config, attention, [], ffn)


@family("gpt_bigcode", intermediate_size="n_inner")
def gpt_bigcode(config: Config) -> Tensors:
    """GPTBigCodeForCausalLM: with `multi_query` one key head and one value head serve all query heads.

    Source: Allal et al. 2023, arXiv:2301.03988. Cross-attention goes with multi-head attention alone.
    """
    ffn = plain_ffn(config, "c_fc", "c_proj", bias=True, width=four_times_hidden_size(config))
    if config.flag("multi_query"):
        return gpt_decoder(config, multi_query_attention(config), [], ffn)
    attention = fused_attention(config, fused="c_attn", output="c_proj", head_by_head=True)
    cross_attention = bigcode_cross_attention(config) if config.flag("add_cross_attention") else []
    return gpt_decoder(config, attention, cross_attention, ffn)


def multi_query_attention(config: Config, *, fused: str = "c_attn", output: str = "c_proj", bias: bool = True) -> Tensors:
    """All queries, one key and one value side by side: d × (d + 2·head_dim), then the output matrix d × d.

    Source: Shazeer 2019, arXiv:1911.02150.
    """
    hidden_size, heads, width = config.length("hidden_size"), config.size("num_attention_heads"), head_band("query", config).width
    shared = 1 if heads > 1 else None
    query = Band("query", heads, width, shared)
    key, value = (Band(role, 1, width, shared) for role in ("key", "value"))
    head_dim = config.length("head_dim", otherwise=lambda: (width, "d ÷ n_h"))
    return [
        *linear(
            fused,
            "attention",
            "query_key_value",
            hidden_size,
            hidden_size + 2 * head_dim,
            bias=bias,
            output_bands=(query, key, value),
        ),
        *linear(output, "attention", "attention_output", hidden_size, hidden_size, bias=bias, input_bands=(query,)),
    ]


def bigcode_cross_attention(config: Config) -> Tensors:
    """Queries from the decoder, keys and values from an encoder: GPT-2's, stored [out, in]."""
    hidden_size = config.length("hidden_size")
    query, key, value = (head_band(role, config) for role in ("query", "key", "value"))
    return [
        *layer_norm("ln_cross_attn", "norm_before_cross_attention", hidden_size),
        *inside(
            "crossattention",
            linear("q_attn", "attention", "cross_query", hidden_size, hidden_size, bias=True, output_bands=(query,)),
            linear("c_attn", "attention", "cross_key_value", hidden_size, 2 * hidden_size, bias=True, output_bands=(key, value)),
            linear("c_proj", "attention", "cross_output", hidden_size, hidden_size, bias=True, input_bands=(query,)),
        ),
    ]


@family("openai-gpt")
def openai_gpt(config: Config) -> Tensors:
    """OpenAIGPTLMHeadModel, the first GPT: a norm after each branch, none at the end. Source: Radford et al. 2018."""
    hidden_size = config.length("hidden_size")
    return [
        *embedding("transformer.tokens_embed", "token_embedding", config.length("vocab_size"), config),
        *embedding("transformer.positions_embed", "position_embedding", config.length("max_position_embeddings"), config),
        *layers(
            "transformer.h",
            config,
            inside("attn", fused_attention(config, fused="c_attn", output="c_proj", layout="in_out")),
            layer_norm("ln_1", "norm_after_attention", hidden_size),
            inside("mlp", plain_ffn(config, "c_fc", "c_proj", bias=True, layout="in_out", width=4 * hidden_size)),
            layer_norm("ln_2", "norm_after_ffn", hidden_size),
        ),
        *lm_head("lm_head", config, tied_to="transformer.tokens_embed.weight"),
    ]


@family("ctrl", intermediate_size="dff")
def ctrl(config: Config) -> Tensors:
    """CTRLLMHeadModel: sinusoidal positions, which are no parameters; a head with a bias.

    Source: Keskar et al. 2019, arXiv:1909.05858.
    """
    hidden_size = config.length("hidden_size")
    return [
        *embedding("transformer.w", "token_embedding", config.length("vocab_size"), config),
        *layers(
            "transformer.h",
            config,
            layer_norm("layernorm1", "norm_before_attention", hidden_size),
            inside("multi_head_attention", multi_head_attention(config, names=Projections("Wq", "Wk", "Wv", "dense"))),
            layer_norm("layernorm2", "norm_before_ffn", hidden_size),
            inside("ffn", plain_ffn(config, "*", "*", bias=True)),
        ),
        *layer_norm("transformer.layernorm", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="transformer.w.weight", bias=True),
    ]
