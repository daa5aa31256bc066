"""GPT-2: learned positions, LayerNorm, biases everywhere, a plain FFN, and a tied output head."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, head_band, inside, layer_norm, layers, linear, lm_head
from calc.config import Config
from calc.families.registry import family


@family("gpt2", "gpt-sw3", intermediate_size="n_inner")
def gpt2(config: Config) -> Tensors:
    """GPT2LMHeadModel, also of GPT-SW3. Source: Radford et al. 2019; Conv1D stores its matrices [in, out]."""
    hidden_size = config.length("hidden_size")
    ffn_size = config.length("intermediate_size", otherwise=lambda: (4 * hidden_size.value, "4·d"))
    cross_attention = config.flag("add_cross_attention")
    return [
        *embedding("transformer.wte", "token_embedding", config.length("vocab_size"), config),
        *embedding("transformer.wpe", "position_embedding", config.length("max_position_embeddings"), config),
        *layers(
            "transformer.h",
            config,
            layer_norm("ln_1", "norm_before_attention", hidden_size),
            inside("attn", self_attention(config)),
            cross_attention_tensors(config) if cross_attention else [],
            layer_norm("ln_2", "norm_before_ffn", hidden_size),
            inside(
                "mlp",
                linear("c_fc", "ffn", "widen", hidden_size, ffn_size, bias=True, layout="in_out"),
                linear("c_proj", "ffn", "narrow", ffn_size, hidden_size, bias=True, layout="in_out"),
            ),
        ),
        *layer_norm("transformer.ln_f", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="transformer.wte.weight"),
    ]


def self_attention(config: Config) -> Tensors:
    """Query, key and value in one matrix d × 3·d with bias, then the output matrix d × d with bias."""
    hidden_size = config.length("hidden_size")
    query, key, value = (head_band(role, config) for role in ("query", "key", "value"))
    return [
        *linear(
            "c_attn",
            "attention",
            "query_key_value",
            hidden_size,
            3 * hidden_size,
            bias=True,
            layout="in_out",
            output_bands=(query, key, value),
        ),
        *linear(
            "c_proj", "attention", "attention_output", hidden_size, hidden_size, bias=True, layout="in_out", input_bands=(query,)
        ),
    ]


def cross_attention_tensors(config: Config) -> Tensors:
    """What `add_cross_attention` adds: queries from the decoder, keys and values from an encoder."""
    hidden_size = config.length("hidden_size")
    query, key, value = (head_band(role, config) for role in ("query", "key", "value"))
    return [
        *layer_norm("ln_cross_attn", "norm_before_cross_attention", hidden_size),
        *inside(
            "crossattention",
            linear(
                "q_attn", "attention", "cross_query", hidden_size, hidden_size, bias=True, layout="in_out", output_bands=(query,)
            ),
            linear(
                "c_attn",
                "attention",
                "cross_key_value",
                hidden_size,
                2 * hidden_size,
                bias=True,
                layout="in_out",
                output_bands=(key, value),
            ),
            linear(
                "c_proj", "attention", "cross_output", hidden_size, hidden_size, bias=True, layout="in_out", input_bands=(query,)
            ),
        ),
    ]
