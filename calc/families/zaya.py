"""Zaya: compressed convolutional attention, experts behind a small router network, and scales on the residual stream."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, experts, inside, layer_ids, linear, only, parameter, rms_norm
from calc.blocks.projections import attention_output
from calc.blocks.state_space import causal_convolution
from calc.config import Config
from calc.families.reach import by_layer_types
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, vector


@family(
    "zaya",
    reach=by_layer_types(
        lambda config: ["hybrid"] * config.size("num_hidden_layers"), sliding="hybrid_sliding", others=("hybrid",)
    ),
)
def zaya(config: Config) -> Tensors:
    """ZayaForCausalLM. Source: Zyphra 2025, arXiv:2511.17127; attention: Figliolia et al. 2025, arXiv:2510.04476."""
    hidden_size = config.length("hidden_size")
    embed, *model = decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", convolutional_attention(config)),
        inside("post_attention_residual_scale", residual_scale(hidden_size)),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", routed_by_a_network(config)),
        inside("post_mlp_residual_scale", residual_scale(hidden_size)),
        head_bias=config.flag("lm_head_bias"),
    )
    return [
        embed,
        *parameter("model.input_hidden_states_scale", "other", "stream_scale", hidden_size),
        vector("model.input_hidden_states_bias", "other", "stream_scale", "bias", hidden_size),
        *model,
    ]


def residual_scale(hidden_size: Length) -> Tensors:
    """A factor and an offset for each element, of what the block gives and of what it is added to."""
    return [
        tensor
        for of in ("hidden_states", "residual")
        for tensor in (
            *parameter(f"{of}_scale", "other", "stream_scale", hidden_size),
            vector(f"{of}_bias", "other", "stream_scale", "bias", hidden_size),
        )
    ]


def convolutional_attention(config: Config) -> Tensors:
    """Queries and keys pass two convolutions; half of each value comes from the token, half from the one before it."""
    hidden_size, bias = config.length("hidden_size"), config.flag("attention_bias")
    heads, kv_heads, width = (config.length(field) for field in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    shared = kv_heads.value if kv_heads.value < heads.value else None
    query, key = Band("query", heads.value, width.value, shared), Band("key", kv_heads.value, width.value, shared)
    half = Length.of("⌊n_kv·head_dim ÷ 2⌋", kv_heads.value * width.value // 2)
    convolved, second = kv_heads * width + heads * width, config.length("cca_time1")
    grouped = parameter(
        "conv_qk_grouped.weight",
        "attention",
        "convolution_of_heads",
        convolved,
        input=width * second,
        shape=(convolved.value, width.value, second.value),
    )
    return [
        *inside(
            "qkv_proj",
            linear("q_proj", "attention", "query", hidden_size, heads * width, bias=bias, output_bands=(query,)),
            linear("k_proj", "attention", "key", hidden_size, kv_heads * width, bias=bias, output_bands=(key,)),
            linear("v_proj_current", "attention", "value_of_token", hidden_size, half, bias=bias),
            linear("v_proj_delayed", "attention", "value_of_token_before", hidden_size, half, bias=bias),
            causal_convolution("conv_qk_depthwise", convolved, config.length("cca_time0"), bias=True),
            grouped,
            [vector("conv_qk_grouped.bias", "attention", "convolution_of_heads", "bias", convolved)],
        ),
        *parameter("qk_norm.temp", "attention", "key_temperature", kv_heads),
        *attention_output(config, bias=bias),
    ]


def routed_by_a_network(config: Config) -> Tensors:
    """Experts chosen by a network of three matrices, which may also choose none (E + 1 choices).

    From the second layer on it also reads what the layer before it read.
    """
    hidden_size, width, number = (config.length(field) for field in ("hidden_size", "router_hidden_size", "num_experts"))
    choices = number + Length.of("1", 1)
    return [
        *inside(
            "gate",
            linear("down_proj", "ffn", "router_down", hidden_size, width, bias=True),
            only(layer_ids(config)[1:], parameter("router_states_scale", "ffn", "router_states_scale", width)),
            rms_norm("router_mlp.norm", "norm_before_router", width),
            linear("router_mlp.fc1", "ffn", "router_inner", width, width, bias=True),
            linear("router_mlp.fc2", "ffn", "router_inner", width, width, bias=True),
            linear("router_mlp.out_proj", "ffn", "router", width, choices),
            [vector("balancing_biases", "ffn", "router_correction", "buffer", choices)],
        ),
        *experts("experts", hidden_size, config.length("moe_intermediate_size"), number, config.size("num_experts_per_tok")),
    ]
