"""BLOOM, Falcon and MPT: no position table, ALiBi or rotary positions, a plain FFN, a tied head."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, fused_attention, head_band, inside, layer_norm, layers, linear, lm_head, plain_ffn
from calc.config import Config
from calc.errors import ConfigError
from calc.families.early_gpt import multi_query_attention
from calc.families.registry import family
from calc.tensors import Band


@family("bloom")
def bloom(config: Config) -> Tensors:
    """BloomForCausalLM: ALiBi positions, biases everywhere, a norm right after the embedding table.

    Source: BigScience 2022, arXiv:2211.05100.
    """
    hidden_size = config.length("hidden_size")
    return [
        *embedding("transformer.word_embeddings", "token_embedding", config.length("vocab_size"), config),
        *layer_norm("transformer.word_embeddings_layernorm", "norm_after_embedding", hidden_size),
        *layers(
            "transformer.h",
            config,
            layer_norm("input_layernorm", "norm_before_attention", hidden_size),
            inside("self_attention", fused_attention(config, head_by_head=True)),
            layer_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
            inside("mlp", plain_ffn(config, "dense_h_to_4h", "dense_4h_to_h", bias=True, width=4 * hidden_size)),
        ),
        *layer_norm("transformer.ln_f", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="transformer.word_embeddings.weight"),
    ]


@family("falcon", intermediate_size="ffn_hidden_size", num_key_value_heads="num_kv_heads")
def falcon(config: Config) -> Tensors:
    """FalconForCausalLM: three layouts of attention, three of norms; one flag for all biases of the matrices.

    Attention: grouped-query with `new_decoder_architecture`, else one shared kv head with `multi_query`, else multi-head.
    Norms: one before each branch in turn; with `parallel_attn` one for both branches, or one each where
    `num_ln_in_parallel_attn` is 2, the default of the new architecture.
    Source: Almazrouei et al. 2023, arXiv:2311.16867.
    """
    hidden_size, bias = config.length("hidden_size"), config.flag("bias")
    ffn_size = config.length("intermediate_size", otherwise=lambda: (4 * hidden_size.value, "4·d"))
    attention = inside("self_attention", falcon_attention(config, bias))
    ffn = inside("mlp", plain_ffn(config, "dense_h_to_4h", "dense_4h_to_h", bias=bias, width=ffn_size))
    if not config.flag("parallel_attn"):
        before_attention = layer_norm("input_layernorm", "norm_before_attention", hidden_size)
        before_ffn = layer_norm("post_attention_layernorm", "norm_before_ffn", hidden_size)
    elif norms_in_parallel(config) == 2:
        before_attention = layer_norm("ln_attn", "norm_before_attention", hidden_size)
        before_ffn = layer_norm("ln_mlp", "norm_before_ffn", hidden_size)
    else:
        before_attention = layer_norm("input_layernorm", "norm_before_attention_and_ffn", hidden_size)
        before_ffn = []
    return [
        *embedding("transformer.word_embeddings", "token_embedding", config.length("vocab_size"), config),
        *layers("transformer.h", config, before_attention, attention, before_ffn, ffn),
        *layer_norm("transformer.ln_f", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="transformer.word_embeddings.weight"),
    ]


def norms_in_parallel(config: Config) -> int:
    """Norms of a layer whose branches run side by side: as the config says, else 2 in the new architecture and 1 before it."""
    if config.gives_or_defaults("num_ln_in_parallel_attn"):
        return config.size("num_ln_in_parallel_attn")
    return 2 if config.flag("new_decoder_architecture") else 1


def falcon_attention(config: Config, bias: bool) -> Tensors:
    """Query, key and value in one matrix, in the layout the flags choose.

    Raises ConfigError: kv_heads_do_not_divide.
    """
    if not config.flag("new_decoder_architecture"):
        if config.flag("multi_query"):
            return multi_query_attention(config, fused="query_key_value", output="dense", bias=bias)
        return fused_attention(config, bias=bias, head_by_head=True)
    hidden_size, heads, query = config.length("hidden_size"), config.size("num_attention_heads"), head_band("query", config)
    kv_heads = config.length("num_key_value_heads", otherwise=lambda: (heads, "n_h"))
    if heads % kv_heads.value:
        raise ConfigError("kv_heads_do_not_divide", "num_key_value_heads", heads=heads, kv_heads=kv_heads.value)
    head_dim = config.length("head_dim", otherwise=lambda: (query.width, "d ÷ n_h"))
    group = heads // kv_heads.value
    # for each kv head: the queries it serves, its key, its value
    together = Band("query_key_value", kv_heads.value, (group + 2) * query.width, kv_heads.value if group > 1 else None)
    return [
        *linear(
            "query_key_value",
            "attention",
            "query_key_value",
            hidden_size,
            hidden_size + 2 * (kv_heads * head_dim),
            bias=bias,
            output_bands=(together,),
        ),
        *linear("dense", "attention", "attention_output", hidden_size, hidden_size, bias=bias, input_bands=(query,)),
    ]


@family("mpt")
def mpt(config: Config) -> Tensors:
    """MptForCausalLM: ALiBi positions, no biases, not even in the norms; d_ff = 4·d.

    Transformers reads neither `no_bias` nor `expansion_ratio`. Source: MosaicML 2023, MPT-7B.
    """
    hidden_size = config.length("hidden_size")
    return [
        *embedding("transformer.wte", "token_embedding", config.length("vocab_size"), config),
        *layers(
            "transformer.blocks",
            config,
            layer_norm("norm_1", "norm_before_attention", hidden_size, bias=False),
            inside("attn", fused_attention(config, fused="Wqkv", output="out_proj", bias=False)),
            layer_norm("norm_2", "norm_before_ffn", hidden_size, bias=False),
            inside("ffn", plain_ffn(config, "up_proj", "down_proj", width=4 * hidden_size)),
        ),
        *layer_norm("transformer.norm_f", "final_norm", hidden_size, bias=False),
        *lm_head("lm_head", config, tied_to="transformer.wte.weight"),
    ]
