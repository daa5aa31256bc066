"""Gemma 3n: four copies of the hidden state (AltUp), a low-rank path beside attention (LAuReL), and embeddings for each layer."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    decoder,
    embedding,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    linear,
    only,
    parameter,
    rms_norm,
)
from calc.blocks.nesting import together
from calc.config import Config
from calc.families.reach import by_layer_types, full_every
from calc.families.registry import family
from calc.lengths import Length

KEYS_AND_VALUES = ("k_proj", "v_proj", "k_norm")


@family("gemma3n_text", reach=by_layer_types(full_every(5)))
def gemma3n_text(config: Config) -> Tensors:
    """Gemma3nForCausalLM: the last `num_kv_shared_layers` layers use an earlier layer's keys and values.

    Source: Google DeepMind 2025, Gemma 3n; AltUp: Baykal et al. 2023, arXiv:2301.13310; LAuReL: arXiv:2411.07501.
    """
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True)
    embed, *model = decoder(
        config,
        inside("altup", alternating_updates(config)),
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("laurel", low_rank_path(config)),
        inside("self_attn", without_keys_in(shared_layers(config), attention, config)),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        rms_norm("pre_feedforward_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", ffn_by_layer(config)),
        rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size),
        layer_input(config, config.length("hidden_size_per_layer_input")),
    )
    return [embed, *layer_embeddings(config), *copies_of_hidden_state(config), *model]


def shared_layers(config: Config) -> tuple[int, ...]:
    """The last `num_kv_shared_layers` layers, which make no keys and values of their own."""
    number = config.size("num_hidden_layers")
    return tuple(range(max(0, number - config.size("num_kv_shared_layers", smallest=0)), number))


def without_keys_in(shared: tuple[int, ...], attention: Tensors, config: Config) -> Tensors:
    """The attention in every layer, its keys and values in all but the shared ones."""
    own = set(layer_ids(config)) - set(shared)
    return [
        placed
        for tensor in attention
        for placed in (only(own, [tensor]) if tensor.name.startswith(KEYS_AND_VALUES) else [tensor])
    ]


def ffn_by_layer(config: Config) -> Tensors:
    """A gated FFN whose width `intermediate_size` gives for each layer or for all."""
    widths = config.size_per_layer("intermediate_size")
    return together(
        tensor
        for width in dict.fromkeys(widths)
        for tensor in only(
            (layer for layer, each in enumerate(widths) if each == width), gated_ffn(config, width=Length.of("d_ff", width))
        )
    )


def alternating_updates(config: Config) -> Tensors:
    """AltUp: small matrices that predict and correct the copies of the hidden state, n of them."""
    hidden_size, copies = config.length("hidden_size"), config.length("altup_num_inputs")
    return [
        *rms_norm("router_norm", "norm_before_altup", hidden_size),
        *linear("modality_router", "other", "altup_router", hidden_size, copies),
        *linear("prediction_coefs", "other", "altup_prediction", copies, copies * copies),
        *linear("correction_coefs", "other", "altup_correction", copies, copies),
        *parameter("correct_output_scale", "other", "altup_scale", hidden_size),
    ]


def low_rank_path(config: Config) -> Tensors:
    """LAuReL: d → r → d and a norm, added to what attention gives."""
    hidden_size, rank = config.length("hidden_size"), config.length("laurel_rank")
    return [
        *linear("linear_left", "other", "laurel_down", hidden_size, rank),
        *linear("linear_right", "other", "laurel_up", rank, hidden_size),
        *rms_norm("post_laurel_norm", "norm_after_laurel", hidden_size),
    ]


def layer_input(config: Config, width: Length) -> Tensors:
    """How a layer takes in its own embedding of the token: a gate d → width, width → d, and a norm."""
    hidden_size = config.length("hidden_size")
    return [
        *linear("per_layer_input_gate", "other", "layer_input_gate", hidden_size, width),
        *linear("per_layer_projection", "other", "layer_input_up", width, hidden_size),
        *rms_norm("post_per_layer_input_norm", "norm_after_layer_input", hidden_size),
    ]


def layer_embeddings(config: Config) -> Tensors:
    """A second table with an embedding for every layer, L·width a token, and a matrix that makes as much of the first."""
    width, rows = config.length("hidden_size_per_layer_input"), config.length("vocab_size_per_layer_input")
    all_layers = config.length("num_hidden_layers") * width
    return [
        *embedding("model.embed_tokens_per_layer", "layer_embedding", rows, config, width=all_layers),
        *linear(
            "model.per_layer_model_projection", "embedding", "layer_embedding_of_hidden", config.length("hidden_size"), all_layers
        ),
        *rms_norm("model.per_layer_projection_norm", "layer_embedding_norm", width),
    ]


def copies_of_hidden_state(config: Config) -> Tensors:
    """d × d for each copy of the hidden state but the first, to make it and to join it in the end."""
    hidden_size, others = config.length("hidden_size"), config.size("altup_num_inputs") - 1
    both = [
        *linear("model.altup_projections.*", "other", "altup_copy", hidden_size, hidden_size),
        *linear("model.altup_unembed_projections.*", "other", "altup_join", hidden_size, hidden_size),
    ]
    return [replace(tensor, repeats=others) for tensor in both] if others else []
