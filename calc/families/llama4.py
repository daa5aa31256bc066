"""Llama 4, whose causal LM is its text model: one chosen expert and one shared beside it, in every layer or every few."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, gated_ffn, inside, layer_ids, mixture, rms_norm
from calc.config import Config
from calc.families.experts import biased_attention, ffn_of
from calc.families.reach import EVERYTHING, Reach, within, without_rotary
from calc.families.registry import family


def chunks_with_rotary(config: Config) -> tuple[Reach, ...]:
    """Chunks in the layers with rotary positions, everything in those without, or as `layer_types` says."""
    chunk = config.size("attention_chunk_size") if config.gives_or_defaults("attention_chunk_size") else None

    def by_positions() -> list[str]:
        return ["full_attention" if plain or chunk is None else "chunked_attention" for plain in without_rotary(config)]

    kinds = config.per_layer("layer_types", ("full_attention", "chunked_attention"), by_positions)
    return tuple(Reach(chunk=chunk) if kind == "chunked_attention" else EVERYTHING for kind in kinds)


@family("llama4_text", reach=chunks_with_rotary)
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


@family("llama4", reach=within("text_config", "llama4_text", chunks_with_rotary))
def llama4(config: Config) -> Tensors:
    """Llama4ForCausalLM of a config that holds the text model's in `text_config`, beside the vision tower's."""
    return llama4_text(config.inside("text_config", "llama4_text"))
