"""GPT-NeoX, GPT-J and CodeGen: rotary positions, LayerNorm, a plain FFN beside the attention."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    embedding,
    fused_attention,
    inside,
    layer_ids,
    layer_norm,
    layers,
    linear,
    lm_head,
    multi_head_attention,
    only,
    plain_ffn,
)
from calc.config import Config
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import vector


def neox_decoder(config: Config, prefix: str, head: str, attention: Tensors, ffn: Tensors) -> Tensors:
    """The decoder of Black et al. 2022, arXiv:2204.06745: two norms in a layer, attention and FFN side by side."""
    hidden_size = config.length("hidden_size")
    return [
        *embedding(f"{prefix}.embed_in", "token_embedding", config.length("vocab_size"), config),
        *layers(
            f"{prefix}.layers",
            config,
            layer_norm("input_layernorm", "norm_before_attention", hidden_size),
            inside("attention", attention),
            layer_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
            inside("mlp", ffn),
        ),
        *layer_norm(f"{prefix}.final_layer_norm", "final_norm", hidden_size),
        *lm_head(head, config, tied_to=f"{prefix}.embed_in.weight"),
    ]


@family("gpt_neox")
def gpt_neox(config: Config) -> Tensors:
    """GPTNeoXForCausalLM: query, key and value in one matrix, head by head; one flag for the attention biases."""
    return neox_decoder(
        config,
        "gpt_neox",
        "lm_head",
        fused_attention(config, bias=config.flag("attention_bias"), head_by_head=True),
        plain_ffn(config, "dense_h_to_4h", "dense_4h_to_h", bias=True),
    )


@family("gpt_neox_japanese")
def gpt_neox_japanese(config: Config) -> Tensors:
    """GPTNeoXJapaneseForCausalLM: no biases but one, added to the attention output of the last layer."""
    hidden_size, times = config.length("hidden_size"), config.length("intermediate_multiple_size")
    last_bias = vector("dense_bias", "attention", "attention_output", "bias", hidden_size)
    return neox_decoder(
        config,
        "gpt_neox_japanese",
        "embed_out",
        [*fused_attention(config, bias=False, head_by_head=True), *only(layer_ids(config)[-1:], [last_bias])],
        plain_ffn(config, "dense_h_to_4h", "dense_4h_to_h", width=times * hidden_size),
    )


def four_times_hidden_size(config: Config) -> Length:
    """d_ff: as the config says, otherwise 4 · d."""
    hidden_size = config.size("hidden_size")
    return config.length("intermediate_size", otherwise=lambda: (4 * hidden_size, "4·d"))


def parallel_decoder(config: Config, attention: Tensors) -> Tensors:
    """The decoder of Wang and Komatsuzaki 2021 (GPT-J): one norm for attention and FFN, and a head with a bias."""
    hidden_size, ffn_size = config.length("hidden_size"), four_times_hidden_size(config)
    return [
        *embedding("transformer.wte", "token_embedding", config.length("vocab_size"), config),
        *layers(
            "transformer.h",
            config,
            layer_norm("ln_1", "norm_before_attention_and_ffn", hidden_size),
            inside("attn", attention),
            inside(
                "mlp",
                linear("fc_in", "ffn", "widen", hidden_size, ffn_size, bias=True),
                linear("fc_out", "ffn", "narrow", ffn_size, hidden_size, bias=True),
            ),
        ),
        *layer_norm("transformer.ln_f", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="transformer.wte.weight", bias=True),
    ]


@family("gptj", intermediate_size="n_inner")
def gptj(config: Config) -> Tensors:
    """GPTJForCausalLM: four attention matrices without biases."""
    return parallel_decoder(config, multi_head_attention(config, bias=False))


@family("codegen", intermediate_size="n_inner")
def codegen(config: Config) -> Tensors:
    """CodeGenForCausalLM: query, key and value in one matrix, which is stored in four pieces, each of a quarter of all three.

    Source: Nijkamp et al. 2022, arXiv:2203.13474.
    """
    return parallel_decoder(config, fused_attention(config, fused="qkv_proj", output="out_proj", bias=False, head_by_head=True))
