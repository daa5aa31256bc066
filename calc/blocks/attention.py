"""Attention: multi-head, grouped-query, multi-query, and latent (MLA)."""

from __future__ import annotations

from calc.blocks.linear import linear, rms_norm
from calc.blocks.placing import Tensors
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
    config: Config, *, qkv_bias: bool = False, output_bias: bool = False, qk_norm: bool = False, fused: bool = False
) -> Tensors:
    """Attention in which n_h query heads share n_kv key-value heads; n_kv = n_h is multi-head, n_kv = 1 multi-query.

    query          d × n_h·head_dim
    key, value     d × n_kv·head_dim each
    output         n_h·head_dim × d
    qk_norm        an RMSNorm of length head_dim on queries and on keys
    fused          query, key and value in one matrix, side by side

    Source: Ainslie et al. 2023, arXiv:2305.13245. Llama-3-8B, one layer: 41,943,040.
    """
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    kv_heads, width = num_key_value_heads(config), head_dim(config)
    shared = kv_heads.value if kv_heads.value < heads.value else None
    query = Band("query", heads.value, width.value, shared)
    key, value = (Band(role, kv_heads.value, width.value, shared) for role in ("key", "value"))
    query_length, kv_length = heads * width, kv_heads * width

    if fused:
        qkv_length = query_length + 2 * kv_length
        projections = linear(
            "qkv_proj", "attention", "query_key_value", hidden_size, qkv_length,
            bias=qkv_bias, output_bands=(query, key, value),
        )  # fmt: skip
    else:
        projections = [
            tensor
            for name, band, length in (("q_proj", query, query_length), ("k_proj", key, kv_length), ("v_proj", value, kv_length))
            for tensor in linear(name, "attention", band.role, hidden_size, length, bias=qkv_bias, output_bands=(band,))
        ]
    norms = [*rms_norm("q_norm", "query_norm", width), *rms_norm("k_norm", "key_norm", width)] if qk_norm else []
    output = linear(
        "o_proj", "attention", "attention_output", query_length, hidden_size, bias=output_bias, input_bands=(query,)
    )
    return [*projections, *norms, *output]


def latent_attention(config: Config, *, bias: bool = False, q_norm: str = "q_a_layernorm", kv_norm: str = "kv_a_layernorm") -> Tensors:
    """Multi-head latent attention (MLA): queries, keys and values come out of narrow latent vectors.

    queries   d → r_q → n_h·(nope + rope), or straight d → n_h·(nope + rope) where q_lora_rank is null
    keys and values   d → r_kv + rope, then r_kv → n_h·(nope + v); only the latent r_kv + rope is cached
    output    n_h·v → d
    bias      on the projections that read d, and on the output

    Source: DeepSeek-AI 2024, arXiv:2405.04434. DeepSeek-V3, one layer: 187,107,328 with its norms.
    """
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    nope, rope, value = (config.length(field) for field in ("qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"))
    kv_rank = config.length("kv_lora_rank")
    query_length, key_value_length, value_length = heads * (nope + rope), heads * (nope + value), heads * value
    queries = Band("query", heads.value, nope.value + rope.value)
    keys_and_values = Band("key_value", heads.value, nope.value + value.value)
    values = Band("value", heads.value, value.value)

    if config.gives_or_defaults("q_lora_rank"):
        query_rank = config.length("q_lora_rank")
        query = [
            *linear("q_a_proj", "attention", "query_down", hidden_size, query_rank, bias=bias),
            *rms_norm(q_norm, "query_latent_norm", query_rank),
            *linear("q_b_proj", "attention", "query_up", query_rank, query_length, output_bands=(queries,)),
        ]
    else:
        query = linear("q_proj", "attention", "query", hidden_size, query_length, output_bands=(queries,))
    return [
        *query,
        *linear("kv_a_proj_with_mqa", "attention", "key_value_down", hidden_size, kv_rank + rope, bias=bias),
        *rms_norm(kv_norm, "key_value_latent_norm", kv_rank),
        *linear("kv_b_proj", "attention", "key_value_up", kv_rank, key_value_length, output_bands=(keys_and_values,)),
        *linear("o_proj", "attention", "attention_output", value_length, hidden_size, bias=bias, input_bands=(values,)),
    ]
