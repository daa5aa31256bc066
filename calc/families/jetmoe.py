"""JetMoE: experts in place of the FFN and in place of the query and output matrices."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, decoder, inside, linear, rms_norm, router
from calc.config import Config
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, Part, vector


@family("jetmoe")
def jetmoe(config: Config) -> Tensors:
    """JetMoeForCausalLM: a token chooses its query and output matrices as it chooses its FFNs. arXiv:2404.07413."""
    hidden_size, width = config.length("hidden_size"), config.length("intermediate_size")
    kv_heads, kv_width = config.length("num_key_value_heads"), config.length("head_dim")
    length = kv_heads * kv_width
    query, key, value = (Band(role, kv_heads.value, kv_width.value) for role in ("query", "key", "value"))
    halves = (Band("gate", 1, width.value), Band("up", 1, width.value))
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside(
            "self_attention",
            linear("kv_proj", "attention", "key_value", hidden_size, 2 * length, output_bands=(key, value)),
            inside(
                "experts",
                [replace(tensor, part="attention") for tensor in router("router.layer", hidden_size, number_of(config))],
                stack(config, "input_linear", "attention", "expert_query", hidden_size, length, (query,)),
                stack(config, "output_linear", "attention", "expert_output", length, hidden_size),
                [vector("bias", "attention", "expert_output", "bias", hidden_size)],
            ),
        ),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside(
            "mlp",
            router("router.layer", hidden_size, number_of(config)),
            stack(config, "input_linear", "ffn", "gate_up", hidden_size, 2 * width, halves),
            stack(config, "output_linear", "ffn", "down", width, hidden_size),
            [vector("bias", "ffn", "down", "bias", hidden_size)],
        ),
    )


def number_of(config: Config) -> Length:
    """E, the experts of attention as well as of the FFN."""
    return config.length("num_local_experts")


def stack(
    config: Config, name: str, part: Part, role: str, input: Length, output: Length, bands: tuple[Band, ...] = ()
) -> Tensors:
    """A matrix for each expert."""
    number, chosen = number_of(config), config.size("num_experts_per_tok")
    (matrix,) = linear(name, part, role, input, output, output_bands=bands)
    return [replace(matrix, experts=number, experts_chosen=min(chosen, number.value))]
