"""Llama 4, whose causal LM is its text model: one chosen expert and one shared beside it, in every layer or every few."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, gated_ffn, inside, layer_ids, mixture, rms_norm
from calc.config import Config
from calc.families.experts import biased_attention, ffn_of
from calc.families.registry import family


@family("llama4_text")
def llama4_text(config: Config) -> Tensors:
    """Llama4ForCausalLM: experts stored [E, in, out]; layers without experts have a wider FFN, `intermediate_size_mlp`."""
    hidden_size = config.length("hidden_size")

    def every_few_layers() -> list[int]:
        step = config.size("interleave_moe_layer_step")
        return list(range(step - 1, config.size("num_hidden_layers"), step))

    sparse = set(config.items("moe_layers", int, every_few_layers)) & set(layer_ids(config))

    def experts_of() -> Tensors:
        routed = mixture(config, width="intermediate_size", name="router", layout="in_out")
        return [*routed, *inside("shared_expert", gated_ffn(config))]

    dense = gated_ffn(config, width=config.length("intermediate_size_mlp")) if len(sparse) < len(layer_ids(config)) else None
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", biased_attention(config)),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("feed_forward", ffn_of(config, sparse, experts_of, dense)),
    )


@family("llama4")
def llama4(config: Config) -> Tensors:
    """Llama4ForCausalLM of a config that holds the text model's in `text_config`, beside the vision tower's."""
    return llama4_text(config.inside("text_config", "llama4_text"))
