"""Decoders after the recurrent network: RWKV, RecurrentGemma's linear recurrent unit, xLSTM."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    decoder,
    embedding,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_norm,
    layers,
    linear,
    lm_head,
    only,
    parameter,
    rms_norm,
)
from calc.blocks.state_space import causal_convolution
from calc.config import Config
from calc.errors import ConfigError
from calc.families.reach import everywhere
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, Tensor, vector


@family("rwkv")
def rwkv(config: Config) -> Tensors:
    """RwkvForCausalLM: each channel mixes a token with the one before it and forgets at its own rate.

    Source: Peng et al. 2023, arXiv:2305.13048.
    """
    hidden_size = config.length("hidden_size")
    width = config.length("attention_hidden_size", otherwise=lambda: (hidden_size.value, "d"))
    ffn_size = config.length("intermediate_size", otherwise=lambda: (4 * hidden_size.value, "4·d"))

    def time_mix(*of: str) -> Tensors:
        shape = (1, 1, hidden_size.value)
        part = "ffn" if "value" not in of else "attention"
        return [tensor for each in of for tensor in parameter(f"time_mix_{each}", part, "time_mix", hidden_size, shape=shape)]

    return [
        *embedding("rwkv.embeddings", "token_embedding", config.length("vocab_size"), config),
        *layers(
            "rwkv.blocks",
            config,
            only((0,), layer_norm("pre_ln", "norm_after_embedding", hidden_size)),
            layer_norm("ln1", "norm_before_mixer", hidden_size),
            inside(
                "attention",
                time_mix("key", "value", "receptance"),
                linear("key", "attention", "recurrent_key", hidden_size, width),
                linear("value", "attention", "recurrent_value", hidden_size, width),
                linear("receptance", "attention", "receptance", hidden_size, width),
                parameter("time_decay", "attention", "time_decay", width),
                parameter("time_first", "attention", "time_first", width),
                linear("output", "attention", "mixer_output", width, hidden_size),
            ),
            layer_norm("ln2", "norm_before_ffn", hidden_size),
            inside(
                "feed_forward",
                time_mix("key", "receptance"),
                linear("key", "ffn", "widen", hidden_size, ffn_size),
                linear("receptance", "ffn", "receptance", hidden_size, hidden_size),
                linear("value", "ffn", "narrow", ffn_size, hidden_size),
            ),
        ),
        *layer_norm("rwkv.ln_out", "final_norm", hidden_size),
        *lm_head("head", config, tied_to="rwkv.embeddings.weight"),
    ]


@family("recurrent_gemma", reach=everywhere("attention_window_size"))
def recurrent_gemma(config: Config) -> Tensors:
    """RecurrentGemmaForCausalLM: `block_types` repeats over the layers, by default two recurrent ones and one of attention.

    Source: Botev et al. 2024, arXiv:2404.07839. Half of `intermediate_size` is the width of the FFN.
    Raises ConfigError: not_a_list, for an empty `block_types`.
    """
    hidden_size, number = config.length("hidden_size"), config.size("num_hidden_layers")
    pattern = config.items("block_types", str)
    if not pattern:
        raise ConfigError("not_a_list", config.own_name("block_types"), value="[]", kind="string")
    kinds = [pattern[layer % len(pattern)] for layer in range(number)]
    recurrent = [layer for layer, kind in enumerate(kinds) if kind == "recurrent"]
    attention = grouped_query_attention(config, qkv_bias=config.flag("attention_bias"), output_bias=True)
    half = Length.of("⌊d_ff ÷ 2⌋", config.size("intermediate_size") // 2)
    return decoder(
        config,
        rms_norm("temporal_pre_norm", "norm_before_mixer", hidden_size),
        only(recurrent, inside("temporal_block", linear_recurrent_unit(config))),
        only(set(range(number)) - set(recurrent), inside("temporal_block", attention)),
        rms_norm("channel_pre_norm", "norm_before_ffn", hidden_size),
        inside("mlp_block", gated_ffn(config, bias=True, width=half)),
        final_norm=rms_norm("model.final_norm", "final_norm", hidden_size),
    )


def linear_recurrent_unit(config: Config) -> Tensors:
    """Griffin's recurrent block: two branches of `lru_width`, one a gate, the other a convolution and an RG-LRU.

    The two gates of the RG-LRU are block-diagonal: a block for each head.

    Source: De et al. 2024, arXiv:2402.19427.
    """
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    width = config.length("lru_width", otherwise=lambda: (hidden_size.value, "d"))
    block = Length.of("⌊lru_width ÷ n_h⌋", width.value // heads.value)

    def gate(name: str, role: str) -> Tensors:
        shape = (heads.value, block.value, block.value)
        bias = vector(f"{name}_bias", "attention", role, "bias", heads * block)
        return [
            Tensor(f"{name}_weight", "attention", role, "matrix", block, heads * block, stored=shape),
            replace(bias, stored=(heads.value, block.value)),
        ]

    return [
        *linear("linear_y", "attention", "recurrent_gate", hidden_size, width, bias=True),
        *linear("linear_x", "attention", "recurrent_value", hidden_size, width, bias=True),
        *causal_convolution("conv_1d", width, config.length("conv1d_width"), bias=True),
        *inside(
            "rg_lru",
            gate("input_gate", "recurrent_input_gate"),
            gate("recurrent_gate", "recurrent_forget_gate"),
            parameter("recurrent_param", "attention", "time_decay", width),
        ),
        *linear("linear_out", "attention", "mixer_output", width, hidden_size, bias=True),
    ]


@family("xlstm")
def xlstm(config: Config) -> Tensors:
    """xLSTMForCausalLM: a matrix memory for each head, written and forgotten by gates. The head is never tied.

    Source: Beck et al. 2025, arXiv:2503.13427. `weight_mode` says whether the projections are separate or fused.
    """
    hidden_size, bias = config.length("hidden_size"), config.flag("use_bias")
    embedding_width = config.length("embedding_dim", otherwise=lambda: (hidden_size.value, "d"))
    blocks = config.size("num_blocks", otherwise=lambda: (config.size("num_hidden_layers"), "L"))
    block = [
        *layer_norm("norm_mlstm", "norm_before_mixer", hidden_size, bias=bias),
        *inside("mlstm_layer", matrix_memory(config)),
        *layer_norm("norm_ffn", "norm_before_ffn", hidden_size, bias=bias),
        *inside("ffn", xlstm_ffn(config)),
    ]
    return [
        *embedding("backbone.embeddings", "token_embedding", config.length("vocab_size"), config, width=embedding_width),
        *inside("backbone.blocks.*", only(range(blocks), block)),
        *layer_norm("backbone.out_norm", "final_norm", hidden_size, bias=False),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, config.length("vocab_size")),
    ]


def matrix_memory(config: Config) -> Tensors:
    """The mLSTM: queries, keys and values as in attention, an output gate, and an input and a forget gate for each head."""
    hidden_size, heads, bias = config.length("hidden_size"), config.length("num_heads"), config.flag("use_bias")
    keys, values = (
        Length.of(f"⌊{field}·d⌋", int(hidden_size.value * config.number(field))) for field in ("qk_dim_factor", "v_dim_factor")
    )
    of_heads = {
        role: Band(role, heads.value, length.value // heads.value)
        for role, length in (("linear_query", keys), ("linear_key", keys), ("linear_value", values), ("linear_gate", values))
    }
    if config.word("weight_mode", ("single", "fused")) == "single":
        projections = [
            tensor
            for name, role, length in (
                ("q", "linear_query", keys),
                ("k", "linear_key", keys),
                ("v", "linear_value", values),
                ("ogate_preact", "linear_gate", values),
            )
            for tensor in linear(name, "attention", role, hidden_size, length, bias=bias, output_bands=(of_heads[role],))
        ]
        gates = [
            *linear("igate_preact", "attention", "linear_write", hidden_size, heads, bias=True),
            *linear("fgate_preact", "attention", "linear_decay", hidden_size, heads, bias=True),
        ]
    else:
        together = 2 * keys + 2 * values
        projections = linear("qkv_opreact", "attention", "linear_query_key_value_gate", hidden_size, together, bias=bias)
        gates = linear("ifgate_preact", "attention", "linear_write_and_decay", hidden_size, 2 * heads, bias=True)
    return [
        *projections,
        *gates,
        *layer_norm("multihead_norm", "mixer_norm", heads * Length.of("d_v", values.value // heads.value), bias=bias),
        *linear("out_proj", "attention", "mixer_output", values, hidden_size, bias=bias),
    ]


def xlstm_ffn(config: Config) -> Tensors:
    """A gated FFN of width ffn_proj_factor·d, rounded up to a multiple of `ffn_round_up_to_multiple_of`."""
    hidden_size, bias = config.length("hidden_size"), config.flag("use_bias")
    multiple = config.size("ffn_round_up_to_multiple_of")
    ffn_size = int((hidden_size.value * config.number("ffn_proj_factor") + multiple - 1) // multiple * multiple)
    width = Length.of("d_ff", ffn_size)
    if config.word("weight_mode", ("single", "fused")) == "single":
        widen = [
            *linear("proj_up_gate", "ffn", "gate", hidden_size, width, bias=bias),
            *linear("proj_up", "ffn", "up", hidden_size, width, bias=bias),
        ]
    else:
        bands = (Band("gate", 1, ffn_size), Band("up", 1, ffn_size))
        widen = linear("proj_up_gate_z", "ffn", "gate_up", hidden_size, 2 * width, bias=bias, output_bands=bands)
    return [*widen, *linear("proj_down", "ffn", "down", width, hidden_size, bias=bias)]
