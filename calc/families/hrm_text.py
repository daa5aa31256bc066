"""HRM-Text: two stacks of layers that a token goes through again and again, one fast and one slow."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, gated_ffn, head_dim, inside, linear, lm_head, only, parameter
from calc.blocks.projections import attention_output, query_key_value
from calc.config import Config
from calc.families.reach import Reach
from calc.families.registry import family
from calc.tensors import Band


def cycles(config: Config) -> tuple[Reach, ...]:
    """A token goes through the fast stack `L_cycles` times, then the slow one, and all that `H_cycles` times.

    Every pass has a cache of its own.
    """
    passes = Reach(repeats=config.size("H_cycles") * (config.size("L_cycles") + 1))
    return (passes,) * layers_per_stack(config)


@family("hrm_text", reach=cycles)
def hrm_text(config: Config) -> Tensors:
    """HrmTextForCausalLM: L_module and H_module have the same layers, with norms that have no parameters.

    Layers of one stack are `num_layers_per_stack`; where that is missing, `num_hidden_layers` is the number.
    Source: Wang et al. 2025, arXiv:2506.21734.
    """
    layer = only(
        range(layers_per_stack(config)),
        inside("self_attn", gated_attention(config)),
        inside("mlp", gated_ffn(config, bias=config.flag("mlp_bias"))),
    )
    return [
        *embedding("model.embed_tokens", "token_embedding", config.length("vocab_size"), config),
        *parameter("model.z_L_init", "embedding", "initial_state", config.length("hidden_size")),
        *inside("model.L_module.layers.*", layer),
        *inside("model.H_module.layers.*", layer),
        *lm_head("lm_head", config, tied_to="model.embed_tokens.weight"),
    ]


def layers_per_stack(config: Config) -> int:
    """Layers of one stack: all layers, unless the config says."""
    return config.size("num_layers_per_stack", otherwise=lambda: (config.size("num_hidden_layers"), "L"))


def gated_attention(config: Config) -> Tensors:
    """Multi-head attention whose result is multiplied by a gate, d × n_h·head_dim, before the output matrix."""
    hidden_size, heads, width = config.length("hidden_size"), config.length("num_attention_heads"), head_dim(config)
    bias = config.flag("attention_bias")
    return [
        *query_key_value(config, bias=bias, kv_heads=heads),
        *linear(
            "gate_proj",
            "attention",
            "attention_gate",
            hidden_size,
            heads * width,
            bias=bias,
            output_bands=(Band("attention_gate", heads.value, width.value),),
        ),
        *attention_output(config, bias=bias),
    ]
