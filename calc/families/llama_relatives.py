"""Relatives of Llama that keep its layer, a norm before attention and a norm before the FFN, and change a detail."""

from __future__ import annotations

from math import isqrt

from calc.blocks import (
    Tensors,
    attention_sinks,
    decoder,
    gated_ffn,
    grouped_query_attention,
    head_dim,
    inside,
    linear,
    num_key_value_heads,
    parameter,
    plain_ffn,
    rms_norm,
)
from calc.blocks.projections import attention_output, query_key_value
from calc.config import Config
from calc.families.llama import llama_decoder
from calc.families.reach import (
    FULL,
    SLIDING,
    Reach,
    all_sliding_if_any,
    by_layer_types,
    every_layer,
    everywhere,
    full_every,
    if_used,
    window,
    without_rotary,
)
from calc.families.registry import family
from calc.lengths import ONE, Length
from calc.tensors import Band, Tensor, vector


@family("ministral3", reach=everywhere())
@family("ministral", reach=by_layer_types(all_sliding_if_any))
def ministral(config: Config) -> Tensors:
    """MinistralForCausalLM, Ministral3ForCausalLM: no biases. Windows change the cache, not the parameters.

    Without `head_dim` the class builds nothing, but a Mistral that is read as a Ministral for its `layer_types` has the
    head_dim of a Mistral. Raises ConfigError: missing, null.
    """
    if config.text("model_type") != "mistral":
        config.size("head_dim")
    return llama_decoder(config)


def sliding_without_rotary(config: Config) -> list[str]:
    """SmolLM3's rule: windows in the layers without rotary positions, where there is a window."""
    slides = config.gives_or_defaults("sliding_window")
    return [SLIDING if slides and plain else FULL for plain in without_rotary(config)]


@family("smollm3", reach=if_used(by_layer_types(sliding_without_rotary)))
@family("granite", "iquestcoder", "granite_docling_text", "emu3_text_model")
def one_flag_for_each_part(config: Config) -> Tensors:
    """GraniteForCausalLM, SmolLM3ForCausalLM, IQuest-Coder: one flag for the attention biases, one for the FFN's.

    Granite's multipliers and SmolLM3's layers without rotary positions are no parameters.
    """
    bias = config.flag("attention_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return llama_decoder(config, attention, gated_ffn(config, bias=config.flag("mlp_bias")))


@family("internlm3")
def internlm3(config: Config) -> Tensors:
    """InternLM3 on Llama's implementation, which needs `qkv_bias` and `bias` to be equal: one for all, or none."""
    bias = config.flag("qkv_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return llama_decoder(config, attention, gated_ffn(config, bias=config.flag("bias")))


@family("cwm", reach=by_layer_types(full_every(4, first=True)))
def cwm(config: Config) -> Tensors:
    """CwmForCausalLM: no attention biases, a flag for the FFN's."""
    return llama_decoder(config, ffn=gated_ffn(config, bias=config.flag("mlp_bias")))


@family("seed_oss")
def seed_oss(config: Config) -> Tensors:
    """SeedOssForCausalLM: the output matrix has a flag of its own, apart from queries, keys and values."""
    qkv_bias, output_bias = config.flag("attention_bias"), config.flag("attention_out_bias")
    attention = grouped_query_attention(config, qkv_bias=qkv_bias, output_bias=output_bias)
    return llama_decoder(config, attention, gated_ffn(config, bias=config.flag("mlp_bias")))


@family("ernie4_5", "paddleocr_vl_text")
def ernie4_5(config: Config) -> Tensors:
    """Ernie4_5ForCausalLM: one flag for all biases; null means none."""
    bias = config.gives_or_defaults("use_bias") and config.flag("use_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return llama_decoder(config, attention, gated_ffn(config, bias=bias))


@family("glm")
def glm(config: Config) -> Tensors:
    """GlmForCausalLM: biases on queries, keys and values only; gate and up in one matrix.

    The class declares head_dim and kv heads optional, and builds nothing where they are null. Raises ConfigError: null.
    """
    for field in ("head_dim", "num_key_value_heads"):
        config.size(field)
    attention = grouped_query_attention(config, qkv_bias=config.flag("attention_bias"))
    return llama_decoder(config, attention, gated_ffn(config, fused=True))


@family("helium")
def helium(config: Config) -> Tensors:
    """HeliumForCausalLM: the output matrix is d × d, whatever head_dim is, and never has a bias."""
    hidden_size, heads = config.length("hidden_size"), config.size("num_attention_heads")
    rows = Band("query", heads, hidden_size.value // heads)
    attention = [
        *query_key_value(config, bias=config.flag("attention_bias")),
        *linear(
            "o_proj",
            "attention",
            "attention_output",
            hidden_size,
            hidden_size,
            input_bands=(rows if rows.length == hidden_size.value else Band("query", 1, hidden_size.value),),
        ),
    ]
    return llama_decoder(config, attention, gated_ffn(config, bias=config.flag("mlp_bias")))


@family("hunyuan_v1_dense", "hunyuan_vl_text")
def hunyuan(config: Config) -> Tensors:
    """HunYuanDenseV1ForCausalLM: a norm on each head's queries and keys, after the rotation.

    Without `head_dim` the class builds nothing. Raises ConfigError: missing, null.
    """
    config.size("head_dim")
    bias, names = config.flag("attention_bias"), ("query_layernorm", "key_layernorm")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True, norm_names=names)
    return llama_decoder(config, attention)


@family("olmo")
def olmo(config: Config) -> Tensors:
    """OlmoForCausalLM: LayerNorms without parameters."""
    bias = config.flag("attention_bias")
    return decoder(
        config,
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias)),
        inside("mlp", gated_ffn(config)),
        final_norm=[],
    )


@family("nanochat")
def nanochat(config: Config) -> Tensors:
    """NanoChatForCausalLM: RMSNorms without parameters, also on queries and keys; a plain FFN with squared ReLU."""
    bias = config.flag("attention_bias")
    return decoder(
        config,
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias)),
        inside("mlp", plain_ffn(config, "fc1", "fc2")),
        final_norm=[],
    )


@family("arcee")
def arcee(config: Config) -> Tensors:
    """ArceeForCausalLM: a plain FFN with squared ReLU."""
    bias = config.flag("attention_bias")
    attention = grouped_query_attention(config, qkv_bias=bias, output_bias=bias)
    return llama_decoder(config, attention, plain_ffn(config, "up_proj", "down_proj", bias=config.flag("mlp_bias")))


@family("bitnet")
def bitnet(config: Config) -> Tensors:
    """BitNetForCausalLM: one more norm inside attention and one inside the FFN, each before the last matrix.

    Source: Ma et al. 2025, arXiv:2504.12285. The count is of numbers, however few bits each is packed into.
    """
    bias = config.flag("attention_bias")
    *gate_and_up, down = gated_ffn(config)
    return llama_decoder(
        config,
        [
            *query_key_value(config, bias=bias),
            *rms_norm("attn_sub_norm", "norm_before_attention_output", config.length("hidden_size")),
            *attention_output(config, bias=bias),
        ],
        [*gate_and_up, *rms_norm("ffn_sub_norm", "norm_before_down", config.length("intermediate_size")), down],
    )


@family("diffllama")
def diffllama(config: Config) -> Tensors:
    """DiffLlamaForCausalLM: the difference of two attentions, weighted by λ, which four vectors of head_dim give.

    Source: Ye et al. 2024, arXiv:2410.05258.
    """
    bias, width = config.flag("attention_bias"), head_dim(config)
    names = ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2")
    return llama_decoder(
        config,
        [
            *query_key_value(config, bias=bias),
            *(vector(name, "attention", "difference_weight", "scale", width) for name in names),
            *attention_output(config, bias=bias),
        ],
    )


@family("granite_swa", reach=by_layer_types(full_every(4, first=True)))
def granite_swa(config: Config) -> Tensors:
    """GraniteSWAForCausalLM: each head has a sink, a score that takes attention without giving a value."""
    bias = config.flag("attention_bias")
    return llama_decoder(
        config,
        [
            *query_key_value(config, bias=bias),
            *attention_sinks(config.length("num_attention_heads")),
            *attention_output(config, bias=bias),
        ],
        gated_ffn(config, bias=config.flag("mlp_bias")),
    )


@family("apertus", "apertus1p5_text")
def apertus(config: Config) -> Tensors:
    """ApertusForCausalLM: norms on queries and keys; a plain FFN whose activation, xIELU, learns two numbers a layer.

    Source: Huang and Schlag 2024, arXiv:2411.13010.
    """
    bias, hidden_size = config.flag("attention_bias"), config.length("hidden_size")
    widen, narrow = plain_ffn(config, "up_proj", "down_proj")
    return decoder(
        config,
        rms_norm("attention_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True)),
        rms_norm("feedforward_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", [widen], xielu(config), [narrow]),
    )


ACTIVATIONS = ("xielu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "relu2", "silu")


def xielu(config: Config) -> Tensors:
    """The learned slopes of xIELU, and its two constants, which the checkpoint holds as well; other activations hold none."""
    if config.word("hidden_act", ACTIVATIONS) != "xielu":
        return []
    return [
        *(vector(f"act_fn.{name}", "ffn", "activation_slope", "scale", ONE) for name in ("alpha_p", "alpha_n")),
        *(
            Tensor(f"act_fn.{name}", "ffn", "activation_constant", "buffer", ONE, ONE, "vector", stored=())
            for name in ("beta", "eps")
        ),
    ]


def window_and_picks(config: Config) -> tuple[Reach, ...]:
    """A window, if any, of which a mask made of the values lets through `keep_window_size` positions at most."""
    return every_layer(config, Reach(window=window(config).window, picks=config.size("keep_window_size")))


@family("doge", reach=window_and_picks)
def doge(config: Config) -> Tensors:
    """DogeForCausalLM: attention that learns which tokens to skip, scaled residuals, and perhaps very small experts.

    Source: Shi and Wu 2024, arXiv:2412.11834.
    """
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", doge_attention(config)),
        parameter("input_residual", "attention", "residual_scale", hidden_size),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gated_ffn(config, bias=config.flag("mlp_bias")), retrieved_experts(config)),
        parameter("post_attention_residual", "ffn", "residual_scale", hidden_size),
    )


def doge_attention(config: Config) -> Tensors:
    """Grouped-query attention with QK-norm, and a mask for each kv head made of the values."""
    bias, width, kv_heads = config.flag("attention_bias"), head_dim(config), num_key_value_heads(config)
    return [
        *query_key_value(config, bias=bias),
        *rms_norm("q_norm", "query_norm", width),
        *rms_norm("k_norm", "key_norm", width),
        *linear("dt_proj", "attention", "mask_projection", kv_heads * width, kv_heads, bias=bias),
        *parameter("A", "attention", "mask_scale", kv_heads),
        *attention_output(config, bias=bias),
    ]


def retrieved_experts(config: Config) -> Tensors:
    """With `is_moe`: E experts of one row each way beside the FFN, found by two keys out of ⌊√E⌋ each."""
    if not config.flag("is_moe"):
        return []
    hidden_size, number = config.length("hidden_size"), config.length("num_experts")
    chosen = min(config.size("num_experts_per_tok"), number.value)
    keys = Length.of("⌊√E⌋", isqrt(number.value))
    return [
        *linear("router_gate", "ffn", "router", hidden_size, 2 * keys),
        *(
            Tensor(f"{name}.weight", "ffn", role, "matrix", ONE, hidden_size, "vector", experts=number, experts_chosen=chosen)
            for name, role in (("down_embed", "expert_input_row"), ("up_embed", "expert_output_row"))
        ),
    ]
