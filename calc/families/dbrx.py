"""DBRX: fine-grained experts whose matrices are stored one below the other."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, embedding, inside, layer_norm, layers, linear, lm_head, router
from calc.config import Config
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band


@family("dbrx")
def dbrx(config: Config) -> Tensors:
    """DbrxForCausalLM: query, key and value in one matrix; LayerNorm without biases. Source: Databricks 2024, DBRX.

    The kv heads stand in `attn_config`, the experts in `ffn_config`.
    """
    hidden_size = config.length("hidden_size")
    return [
        *embedding("transformer.wte", "token_embedding", config.length("vocab_size"), config),
        *layers(
            "transformer.blocks",
            config,
            inside(
                "norm_attn_norm",
                layer_norm("norm_1", "norm_before_attention", hidden_size, bias=False),
                inside("attn", fused_attention(config)),
                layer_norm("norm_2", "norm_before_ffn", hidden_size, bias=False),
            ),
            inside("ffn", stacked_experts(config)),
        ),
        *layer_norm("transformer.norm_f", "final_norm", hidden_size, bias=False),
        *lm_head("lm_head", config, tied_to="transformer.wte.weight"),
    ]


def fused_attention(config: Config) -> Tensors:
    """Grouped-query attention: d × (d + 2·n_kv·⌊d ÷ n_h⌋) and d × d."""
    hidden_size, heads = config.length("hidden_size"), config.size("num_attention_heads")
    kv_heads = config.inside("attn_config", "DbrxAttentionConfig").size("kv_n_heads")
    width = Length.of("⌊d ÷ n_h⌋", hidden_size.value // heads)
    shared = kv_heads if kv_heads < heads else None
    query, key, value = (
        Band(role, number, width.value, shared) for role, number in (("query", heads), ("key", kv_heads), ("value", kv_heads))
    )
    together = hidden_size + 2 * (Length.of("n_kv", kv_heads) * width)
    return [
        *linear("Wqkv", "attention", "query_key_value", hidden_size, together, output_bands=(query, key, value)),
        *linear("out_proj", "attention", "attention_output", hidden_size, hidden_size, input_bands=(query,)),
    ]


def stacked_experts(config: Config) -> Tensors:
    """A router d × E and three stacks, each stored as [E·d_ff, d]."""
    ffn = config.inside("ffn_config", "DbrxFFNConfig")
    hidden_size = config.length("hidden_size")
    number, width = Length.of("E", ffn.size("moe_num_experts")), Length.of("d_ff", ffn.size("ffn_hidden_size"))
    chosen = min(ffn.size("moe_top_k"), number.value)

    def stack(name: str, role: str, input: Length, output: Length) -> Tensors:
        (matrix,) = linear(name, "ffn", role, input, output)
        stored = number.value * width.value, hidden_size.value
        return [replace(matrix, name=f"experts.mlp.{name}", experts=number, experts_chosen=chosen, stored=stored)]

    return [
        *router("router.layer", hidden_size, number),
        *stack("w1", "gate", hidden_size, width),
        *stack("v1", "up", hidden_size, width),
        *stack("w2", "down", width, hidden_size),
    ]
