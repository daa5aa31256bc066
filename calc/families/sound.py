"""Decoders of sound: tokens of several codebooks at once, with a table and a head for each, or a stream of text beside them."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, embedding, gated_ffn, head_dim, inside, layer_norm, layers, linear, rms_norm
from calc.blocks.multi_head import head_band
from calc.blocks.projections import attention_output, query_key_value
from calc.config import Config
from calc.families.bart_decoders import bart_layer
from calc.families.reach import everywhere
from calc.families.registry import family
from calc.lengths import ONE, Length


@family("musicgen_decoder", intermediate_size="ffn_dim")
def musicgen(config: Config) -> Tensors:
    """MusicgenForCausalLM: BART's layers without biases in the matrices, sinusoidal positions that are not stored.

    Source: Copet et al. 2023, arXiv:2306.05284. Cross-attention reads the encoded description.
    """
    return of_codebooks(config, bart_layer(config, pre_norm=True, bias=False, ffn_bias=False))


@family("musicgen_melody_decoder", intermediate_size="ffn_dim")
def musicgen_melody(config: Config) -> Tensors:
    """MusicgenMelodyForCausalLM: no cross-attention; melody and description stand before the tokens."""
    own_norm, own, _, _, ffn_norm, ffn = bart_layer(config, pre_norm=True, bias=False, ffn_bias=False)
    return of_codebooks(config, [own_norm, own, ffn_norm, ffn])


def of_codebooks(config: Config, layer: list[Tensors]) -> Tensors:
    """A table of V + 1 rows and a head for each codebook, never tied; layers and a last norm between them."""
    hidden_size, vocab_size, codebooks = config.length("hidden_size"), config.length("vocab_size"), config.size("num_codebooks")
    table = embedding("model.decoder.embed_tokens.*", "token_embedding", vocab_size + ONE, config)
    head = linear("lm_heads.*", "lm_head", "lm_head", hidden_size, vocab_size)
    return [
        *(replace(tensor, repeats=codebooks) for tensor in table),
        *layers("model.decoder.layers", config, *layer),
        *layer_norm("model.decoder.layer_norm", "final_norm", hidden_size),
        *(replace(tensor, repeats=codebooks) for tensor in head),
    ]


@family("moshi", reach=everywhere())
def moshi(config: Config) -> Tensors:
    """MoshiForCausalLM, which writes the text: Llama's layer, gate and up together `ffn_dim` wide; the head is never tied.

    The depth decoder, which makes the sound of each step, has its own config. Source: Défossez et al. 2024, arXiv:2410.00037.
    """
    head_band("query", config)  # the heads have to split d, also where they are not as wide
    hidden_size, vocab_size, both = config.length("hidden_size"), config.length("vocab_size"), config.size("ffn_dim")
    width = Length("ffn_dim ÷ 2", both // 2, f"{both} ÷ 2")
    wide, narrow = gated_ffn(config, fused=True, width=width)
    attention = [*query_key_value(config, width=head_dim(config)), *attention_output(config, width=head_dim(config))]
    return [
        *embedding("model.embed_tokens", "token_embedding", vocab_size + ONE, config),
        *layers(
            "model.layers",
            config,
            rms_norm("input_layernorm", "norm_before_attention", hidden_size),
            [replace(tensor, name=f"self_attn.{tensor.name.replace('.', '.linear.')}") for tensor in attention],
            rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
            inside("mlp", [replace(wide, name="fc1.weight"), replace(narrow, name="fc2.weight")]),
        ),
        *rms_norm("model.norm", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, vocab_size),
    ]
