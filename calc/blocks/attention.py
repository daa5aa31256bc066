"""Attention: multi-head, grouped-query, multi-query, and latent (MLA)."""

from __future__ import annotations

from calc.blocks.linear import linear, parameter, rms_norm
from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.errors import ConfigError
from calc.lengths import Length
from calc.tensors import Band


def num_key_value_heads(config: Config) -> Length:
    """Key-value heads: as the config says, otherwise one per query head (multi-head attention).

    Raises ConfigError: kv_heads_do_not_divide.
    """
    heads = config.size("num_attention_heads")
    kv_heads = config.length("num_key_value_heads", otherwise=lambda: (heads, "n_h"))
    if heads % kv_heads.value:
        raise ConfigError("kv_heads_do_not_divide", "num_key_value_heads", heads=heads, kv_heads=kv_heads.value)
    return kv_heads


def head_dim(config: Config) -> Length:
    """Length of one head: as the config says, otherwise ⌊hidden_size ÷ num_attention_heads⌋, as the classes derive it."""

    def hidden_size_by_heads() -> tuple[int, str]:
        return config.size("hidden_size") // config.size("num_attention_heads"), "⌊d ÷ n_h⌋"

    return config.length("head_dim", otherwise=hidden_size_by_heads)


def grouped_query_attention(
    config: Config,
    *,
    qkv_bias: bool = False,
    output_bias: bool = False,
    qk_norm: bool = False,
    fused: bool = False,
    whole_norm: bool = False,
    sinks: bool = False,
    norm_names: tuple[str, str] = ("q_norm", "k_norm"),
    heads: Length | None = None,
    kv_heads: Length | None = None,
    width: Length | None = None,
    value_width: Length | None = None,
) -> Tensors:
    """Attention in which n_h query heads share n_kv key-value heads; n_kv = n_h is multi-head, n_kv = 1 multi-query.

    query          d × n_h·head_dim
    key, value     d × n_kv·head_dim each
    output         n_h·head_dim × d
    qk_norm        an RMSNorm of length head_dim on queries and on keys
    whole_norm     an RMSNorm on all queries together, n_h·head_dim, and on all keys, n_kv·head_dim
    fused          query, key and value in one matrix, side by side
    sinks          a learned score for each head, see `attention_sinks`
    heads, kv_heads, width   of these layers, where the config's fields do not hold for them
    value_width    length of a value head, where it differs from a query head's

    Source: Ainslie et al. 2023, arXiv:2305.13245. Llama-3-8B, one layer: 41,943,040.
    """
    hidden_size, heads = config.length("hidden_size"), heads or config.length("num_attention_heads")
    kv_heads, width = kv_heads or num_key_value_heads(config), width or head_dim(config)
    value_width = value_width or width
    shared = kv_heads.value if kv_heads.value < heads.value else None
    query, answer = (Band("query", heads.value, each.value, shared) for each in (width, value_width))
    key, value = (Band(role, kv_heads.value, each.value, shared) for role, each in (("key", width), ("value", value_width)))
    query_length, key_length, value_length = heads * width, kv_heads * width, kv_heads * value_width

    if fused:
        projections = linear(
            "qkv_proj",
            "attention",
            "query_key_value",
            hidden_size,
            query_length + 2 * key_length,
            bias=qkv_bias,
            output_bands=(query, key, value),
        )
    else:
        lengths = (("q_proj", query, query_length), ("k_proj", key, key_length), ("v_proj", value, value_length))
        projections = [
            tensor
            for name, band, length in lengths
            for tensor in linear(name, "attention", band.role, hidden_size, length, bias=qkv_bias, output_bands=(band,))
        ]
    norms = []
    if whole_norm:
        norms = [
            *rms_norm(norm_names[0], "all_queries_norm", query_length),
            *rms_norm(norm_names[1], "all_keys_norm", key_length),
        ]
    elif qk_norm:
        norms = [*rms_norm(norm_names[0], "query_norm", width), *rms_norm(norm_names[1], "key_norm", width)]
    output = linear(
        "o_proj", "attention", "attention_output", heads * value_width, hidden_size, bias=output_bias, input_bands=(answer,)
    )
    return [*projections, *norms, *(attention_sinks(heads) if sinks else []), *output]


def attention_sinks(heads: Length) -> Tensors:
    """One learned score for each head that competes with the tokens' scores: a token may attend to nothing.

    Source: Xiao et al. 2023, arXiv:2309.17453; OpenAI 2025, arXiv:2508.10925.
    """
    return parameter("sinks", "attention", "attention_sinks", heads)


def latent_attention(
    config: Config,
    *,
    bias: bool = False,
    q_norm: str = "q_a_layernorm",
    kv_norm: str = "kv_a_layernorm",
    value_width: Length | None = None,
    picks: Tensors | None = None,
) -> Tensors:
    """Multi-head latent attention (MLA): queries, keys and values come out of narrow latent vectors.

    queries   d → r_q → n_h·(nope + rope), or straight d → n_h·(nope + rope) where q_lora_rank is null
    keys and values   d → r_kv + rope, then r_kv → n_h·(nope + v); only the latent r_kv + rope is cached
    output    n_h·v → d
    bias      on the projections that read d, and on the output
    value_width   v, where the config need not say it
    picks     tensors of what picks the tokens to attend to, if anything does

    Source: DeepSeek-AI 2024, arXiv:2405.04434. DeepSeek-V3, one layer: 187,107,328 with its norms.
    """
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    query_width = config.length("qk_nope_head_dim") + config.length("qk_rope_head_dim")
    queries = Band("query", heads.value, query_width.value)

    if config.gives_or_defaults("q_lora_rank"):
        query_rank = config.length("q_lora_rank")
        query = [
            *linear("q_a_proj", "attention", "query_down", hidden_size, query_rank, bias=bias),
            *rms_norm(q_norm, "query_latent_norm", query_rank),
            *linear("q_b_proj", "attention", "query_up", query_rank, heads * query_width, output_bands=(queries,)),
        ]
    else:
        query = linear("q_proj", "attention", "query", hidden_size, heads * query_width, output_bands=(queries,))
    key_value_and_output = latent_key_value_and_output(config, bias=bias, kv_norm=kv_norm, value_width=value_width, picks=picks)
    return [*query, *key_value_and_output]


def latent_key_value_and_output(
    config: Config,
    *,
    bias: bool = False,
    kv_norm: str = "kv_a_layernorm",
    value_width: Length | None = None,
    picks: Tensors | None = None,
) -> Tensors:
    """The keys and values of MLA, and its output matrix, for queries made in another way; see `latent_attention`."""
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    nope, rope = config.length("qk_nope_head_dim"), config.length("qk_rope_head_dim")
    kv_rank, value = config.length("kv_lora_rank"), value_width or config.length("v_head_dim")
    keys_and_values = Band("key_value", heads.value, nope.value + value.value)
    values = Band("value", heads.value, value.value)
    return [
        *linear("kv_a_proj_with_mqa", "attention", "key_value_down", hidden_size, kv_rank + rope, bias=bias),
        *rms_norm(kv_norm, "key_value_latent_norm", kv_rank),
        *linear("kv_b_proj", "attention", "key_value_up", kv_rank, heads * (nope + value), output_bands=(keys_and_values,)),
        *(picks or []),
        *linear("o_proj", "attention", "attention_output", heads * value, hidden_size, bias=bias, input_bands=(values,)),
    ]
