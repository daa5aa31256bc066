"""Granite's decoders with experts: their modules' own names, a shared FFN of its own width, sinks."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, inside, mixture, rms_norm
from calc.config import Config
from calc.families.experts import biased_attention
from calc.families.hybrids import fused_ffn
from calc.families.reach import by_layer_types, full_every
from calc.families.registry import family


@family("granitemoe_swa", reach=by_layer_types(full_every(4, first=True)))
@family("granitemoe", "granitemoeshared")
def granitemoe(config: Config) -> Tensors:
    """GraniteMoeForCausalLM; GraniteMoeSharedForCausalLM adds a shared FFN, GraniteMoeSWAForCausalLM a sink for each head.

    Granite's multipliers are no parameters.
    """
    hidden_size = config.length("hidden_size")
    shared = config.model_type != "granitemoe" and config.size("shared_intermediate_size", smallest=0)
    ffn = fused_ffn(hidden_size, config.length("shared_intermediate_size")) if shared else []
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", biased_attention(config, sinks=config.model_type == "granitemoe_swa")),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("block_sparse_moe", mixture(config, width="intermediate_size", name="router")),
        inside("shared_mlp", ffn),
    )
