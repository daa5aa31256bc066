"""Gemma 4's text models: sliding layers and full ones with wider heads, shared keys and values, embeddings for each layer."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    decoder,
    experts,
    gated_ffn,
    grouped_query_attention,
    inside,
    layer_ids,
    num_key_value_heads,
    only,
    parameter,
    rms_norm,
    router,
)
from calc.blocks.nesting import together
from calc.config import Config
from calc.families.gemma3n import layer_embeddings, layer_input, shared_layers, without_keys_in
from calc.families.reach import EVERYTHING, Reach, window
from calc.families.registry import family
from calc.lengths import ONE, Length
from calc.tensors import vector


def windows_but_in_full_layers(config: Config) -> tuple[Reach, ...]:
    """Windows outside the full layers; a model that attends both ways means by the window both sides."""
    full, narrow = full_layers(config), window(config)
    both_ways = config.gives_or_defaults("use_bidirectional_attention") and config.word(
        "use_bidirectional_attention", ("all", "vision")
    )
    if both_ways == "all" and narrow.window:
        narrow = Reach(window=narrow.window // 2 + 1)
    return tuple(EVERYTHING if layer in full else narrow for layer in layer_ids(config))


@family("gemma4_text", reach=windows_but_in_full_layers)
def gemma4_text(config: Config) -> Tensors:
    """Gemma4ForCausalLM: an embedding for each layer unless its width is 0, and experts beside the FFN if the config says so."""
    has_layer_input = config.size("hidden_size_per_layer_input", smallest=0) > 0
    of_layer = layer_input(config, config.length("hidden_size_per_layer_input")) if has_layer_input else []
    embed, *model = gemma4_decoder(config, of_layer, has_experts=config.flag("enable_moe_block"))
    return [embed, *(layer_embeddings(config) if has_layer_input else []), *model]


@family("gemma4_unified_text", reach=windows_but_in_full_layers)
def gemma4_unified_text(config: Config) -> Tensors:
    """Gemma4UnifiedForCausalLM: as Gemma 4, without embeddings for each layer and without experts."""
    return gemma4_decoder(config, [], has_experts=False)


def gemma4_decoder(config: Config, of_layer: Tensors, *, has_experts: bool) -> Tensors:
    """Attention and FFN, each between two norms; `layer_scalar` weighs a layer's output and is stored as a buffer."""
    hidden_size = config.length("hidden_size")
    return decoder(
        config,
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", gemma4_attention(config)),
        rms_norm("post_attention_layernorm", "norm_after_attention", hidden_size),
        rms_norm("pre_feedforward_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", gemma4_ffn(config)),
        gemma4_experts(config) if has_experts else [],
        rms_norm("post_feedforward_layernorm", "norm_after_ffn", hidden_size),
        of_layer,
        [vector("layer_scalar", "other", "layer_scalar", "buffer", ONE)],
    )


def gemma4_attention(config: Config) -> Tensors:
    """Sliding layers have heads of head_dim, full ones of `global_head_dim`, 512 unless it is given.

    With `attention_k_eq_v` a full layer's keys are its values too, and `num_global_key_value_heads` counts them.
    """
    full = full_layers(config)
    sliding = tuple(layer for layer in layer_ids(config) if layer not in full)
    one_for_both, bias = config.flag("attention_k_eq_v"), config.flag("attention_bias")
    width = config.length("global_head_dim", otherwise=lambda: (512, "512"))
    kv_heads = num_key_value_heads(config)
    if one_for_both and config.gives("num_global_key_value_heads"):
        kv_heads = config.length("num_global_key_value_heads")
    of_full = grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True, width=width, kv_heads=kv_heads)
    of_full = [tensor for tensor in of_full if not (one_for_both and tensor.name.startswith("v_proj"))]
    of_sliding = grouped_query_attention(config, qkv_bias=bias, output_bias=bias, qk_norm=True) if sliding else []
    shared = shared_layers(config)
    return together(
        tensor
        for ids, attention in ((sliding, of_sliding), (full, of_full))
        for tensor in only_where(ids, without_keys_in(shared, attention, config))
    )


def only_where(ids: tuple[int, ...], block: Tensors) -> Tensors:
    """The tensors in these layers, those that already have layers in those of them that are among these."""
    return [
        placed for tensor in block for placed in only(ids if tensor.layers is None else set(ids) & set(tensor.layers), [tensor])
    ]


def full_layers(config: Config) -> tuple[int, ...]:
    """The layers of full attention: by `layer_types`, every sixth without it, and always the last."""

    def every_sixth() -> list[str]:
        return ["sliding_attention" if (layer + 1) % 6 else "full_attention" for layer in layer_ids(config)]

    kinds = config.per_layer("layer_types", ("sliding_attention", "full_attention"), every_sixth)
    return tuple(layer for layer, kind in enumerate(kinds) if kind == "full_attention" or layer == len(kinds) - 1)


def gemma4_ffn(config: Config) -> Tensors:
    """A gated FFN; with `use_double_wide_mlp` it is twice as wide in layers that share keys and values."""
    wide = shared_layers(config) if config.flag("use_double_wide_mlp") else ()
    twice: Length = 2 * config.length("intermediate_size")
    return [*only(set(layer_ids(config)) - set(wide), gated_ffn(config)), *only(wide, gated_ffn(config, width=twice))]


def gemma4_experts(config: Config) -> Tensors:
    """Experts beside the dense FFN, with norms before and after them and one after the FFN."""
    hidden_size, number = config.length("hidden_size"), config.length("num_experts")
    chosen = config.size("top_k_experts") if config.gives_or_defaults("top_k_experts") else None
    return [
        *rms_norm("post_feedforward_layernorm_1", "norm_after_ffn", hidden_size),
        *parameter("router.scale", "ffn", "router_scale", hidden_size),
        *router("router.proj", hidden_size, number),
        *parameter("router.per_expert_scale", "ffn", "expert_scale", number),
        *rms_norm("pre_feedforward_layernorm_2", "norm_before_experts", hidden_size),
        *experts("experts", hidden_size, config.length("moe_intermediate_size"), number, chosen),
        *rms_norm("post_feedforward_layernorm_2", "norm_after_experts", hidden_size),
    ]
