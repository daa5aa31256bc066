"""LongCat-Flash: two latent attentions and two FFNs in a layer, with experts running beside them."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, decoder, experts, gated_ffn, inside, latent_attention, rms_norm, router
from calc.config import Config
from calc.families.registry import family
from calc.tensors import vector


@family("longcat_flash", num_hidden_layers="num_layers")
def longcat_flash(config: Config) -> Tensors:
    """LongcatFlashForCausalLM. Source: Meituan 2025, arXiv:2509.01322.

    Some experts, `zero_expert_num`, give back what they are given and hold nothing; a token that chooses them goes through
    fewer matrices than `moe_topk`. The class sets aside a gate and up for them all the same, which are counted here;
    the published checkpoint has none.
    """
    hidden_size, width = config.length("hidden_size"), config.length("moe_intermediate_size")
    number, chosen = config.length("num_local_experts"), config.size("num_experts_per_tok")
    zero = config.size("zero_expert_num", smallest=0)
    choices = number + config.length("zero_expert_num") if zero else number
    gate_up, down = experts("experts", hidden_size, width, number, chosen)
    return decoder(
        config,
        twice(rms_norm("input_layernorm.*", "norm_before_attention", hidden_size)),
        twice(inside("self_attn.*", latent_attention(config, bias=config.flag("attention_bias")))),
        twice(rms_norm("post_attention_layernorm.*", "norm_before_ffn", hidden_size)),
        inside(
            "mlp",
            router("router.classifier", hidden_size, choices, bias=config.gives("router_bias") and config.flag("router_bias")),
            [vector("router.e_score_correction_bias", "ffn", "router_correction", "buffer", choices)],
            [replace(gate_up, experts=choices), down],
        ),
        twice(inside("mlps.*", gated_ffn(config))),
    )


def twice(tensors: Tensors) -> Tensors:
    """Two of each in a layer."""
    return [replace(tensor, repeats=2) for tensor in tensors]
