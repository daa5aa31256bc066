"""Liquid's decoders: short gated convolutions in most layers, attention in the others."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, decoder, experts, grouped_query_attention, inside, layer_ids, linear, only, rms_norm, router
from calc.blocks.state_space import causal_convolution
from calc.config import Config
from calc.families.hybrids import kinds_of_layers
from calc.families.reach import FULL, SLIDING, by_layer_types
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import vector


def short_convolution(config: Config) -> Tensors:
    """A convolution over a few tokens between two gates: d × 3·d makes its input and both gates, d × d its output."""
    hidden_size, bias = config.length("hidden_size"), config.flag("conv_bias")
    return [
        *linear("in_proj", "attention", "short_convolution_input", hidden_size, 3 * hidden_size, bias=bias),
        *causal_convolution("conv", hidden_size, config.length("conv_L_cache"), bias=bias),
        *linear("out_proj", "attention", "mixer_output", hidden_size, hidden_size, bias=bias),
    ]


def numbered_ffn(hidden_size: Length, width: Length) -> Tensors:
    """A gated FFN in the first Llama's names: w1 is the gate, w3 goes up, w2 comes down."""
    return [
        *linear("w1", "ffn", "gate", hidden_size, width),
        *linear("w3", "ffn", "up", hidden_size, width),
        *linear("w2", "ffn", "down", width, hidden_size),
    ]


def convolution_decoder(
    config: Config, convolved: list[int], attention: Tensors, ffn: Tensors, *, sandwich: bool = False
) -> Tensors:
    """Layers of a convolution or attention, then an FFN; the norm over the last layer is called `embedding_norm`.

    sandwich   a norm after mixer and FFN too
    """
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        rms_norm("operator_norm", "norm_before_mixer", hidden_size),
        only(convolved, inside("conv", short_convolution(config))),
        only(set(layer_ids(config)) - set(convolved), inside("self_attn", attention)),
        rms_norm("post_operator_norm", "norm_after_mixer", hidden_size) if sandwich else [],
        rms_norm("ffn_norm", "norm_before_ffn", hidden_size),
        inside("feed_forward", ffn),
        rms_norm("post_ffn_norm", "norm_after_ffn", hidden_size) if sandwich else [],
        final_norm=rms_norm("model.embedding_norm", "final_norm", hidden_size),
    )


def heed_old_name_of_tying(config: Config) -> None:
    """Let `tie_embedding` decide, which the class heeds before `tie_word_embeddings`, unless a wrapper has decided."""
    if not config.is_decided("tie_word_embeddings") and config.gives("tie_embedding"):
        config.decide("tie_word_embeddings", config.flag("tie_embedding"), told_by="tie_embedding")


def lfm2_attention(config: Config) -> Tensors:
    """Grouped-query attention with a norm on each head's queries and keys; its output matrix is called `out_proj`."""
    attention = grouped_query_attention(config, qk_norm=True, norm_names=("q_layernorm", "k_layernorm"))
    return [replace(tensor, name=tensor.name.replace("o_proj", "out_proj")) for tensor in attention]


@family("lfm2")
def lfm2(config: Config) -> Tensors:
    """Lfm2ForCausalLM: attention in the layers that `layer_types` or `full_attn_idxs` names, in all without either.

    Source: Liquid AI 2025, arXiv:2511.23404.
    """

    def by_indices() -> list[str]:
        full = config.items("full_attn_idxs", int, otherwise=lambda: range(config.size("num_hidden_layers")))
        return ["full_attention" if layer in full else "conv" for layer in layer_ids(config)]

    kinds = kinds_of_layers(config, ("conv", "full_attention"), by_indices)
    ffn = numbered_ffn(config.length("hidden_size"), lfm2_ffn_size(config))
    heed_old_name_of_tying(config)
    return convolution_decoder(config, list(kinds["conv"]), lfm2_attention(config), ffn)


def lfm2_ffn_size(config: Config) -> Length:
    """⌊2·d_ff ÷ 3⌋, times `block_ffn_dim_multiplier`, rounded up to `block_multiple_of`, where the class adjusts it."""
    own_field = not config.gives("block_ff_dim")
    width = config.size("intermediate_size") if own_field else config.size("block_ff_dim")
    if config.flag("block_auto_adjust_ff_dim"):
        multiple = config.size("block_multiple_of")
        adjusted = int(config.number("block_ffn_dim_multiplier") * int(2 * width / 3))
        width = -(-adjusted // multiple) * multiple
    return Length.of("d_ff", width) if own_field else config.derived("intermediate_size", width)


@family("lfm2_moe")
def lfm2_moe(config: Config) -> Tensors:
    """Lfm2MoeForCausalLM: dense FFNs in the first `num_dense_layers`, experts in the others. The config must give `layer_types`."""
    hidden_size, ids = config.length("hidden_size"), layer_ids(config)
    kinds = kinds_of_layers(config, ("conv", "full_attention"))
    first = config.size("num_dense_layers", smallest=0)
    number, chosen = config.length("num_experts"), config.size("num_experts_per_tok")
    balance = [vector("expert_bias", "ffn", "router_correction", "buffer", number)]
    ffn = [
        *only(ids[:first], numbered_ffn(hidden_size, config.length("intermediate_size"))),
        *only(
            ids[first:],
            router("gate", hidden_size, number),
            balance if config.flag("use_expert_bias") else [],
            experts("experts", hidden_size, config.length("moe_intermediate_size"), number, chosen),
        ),
    ]
    heed_old_name_of_tying(config)
    return convolution_decoder(config, list(kinds["conv"]), lfm2_attention(config), ffn)


def convolutions_and_attention_in_turn(config: Config) -> list[str]:
    """Lfm3's rule: every second layer from the third on holds attention, full and sliding in turn."""
    by_four = {2: FULL, 0: SLIDING}
    return [by_four.get(layer % 4, "conv") if layer else "conv" for layer in layer_ids(config)]


@family("lfm3", reach=by_layer_types(convolutions_and_attention_in_turn, others=(FULL, "conv")))
def lfm3(config: Config) -> Tensors:
    """Lfm3ForCausalLM: by default every second layer from the third on holds attention."""
    kinds = kinds_of_layers(config, ("conv", FULL, SLIDING), lambda: convolutions_and_attention_in_turn(config))
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    gate = linear("g_proj", "attention", "attention_gate", hidden_size, config.length("num_attention_heads"))
    attention = [
        *grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True),
        *(gate if config.flag("use_attention_gate") else []),
    ]
    ffn = numbered_ffn(hidden_size, config.length("intermediate_size"))
    return convolution_decoder(config, list(kinds["conv"]), attention, ffn, sandwich=config.flag("use_sandwich_norm"))
