"""MiMo-V2-Flash: windows with sinks and twice the kv heads, full attention in every sixth layer."""

from __future__ import annotations

from calc.blocks import Tensors, grouped_query_attention, layer_ids, mixture, num_key_value_heads, only
from calc.blocks.nesting import together
from calc.config import Config
from calc.families.deepseek import CORRECTION
from calc.families.experts import ffn_of, one_dense_layer_first, sparse_layers
from calc.families.llama import llama_decoder
from calc.families.reach import FULL, SLIDING, Reach, by_layer_types, window
from calc.families.registry import family


def full_first_and_every_sixth(config: Config) -> list[str]:
    """The class's rule for `layer_types`."""
    return [SLIDING if layer and (layer + 1) % 6 else FULL for layer in layer_ids(config)]


def window_of_mimo(config: Config) -> Reach:
    """`sliding_window`, or one more than `sliding_window_size`, which leaves out the token itself."""
    if config.gives("sliding_window_size"):
        return Reach(window=config.size("sliding_window_size") + 1)
    return window(config)


@family("mimo_v2_flash", reach=by_layer_types(full_first_and_every_sixth, reach=window_of_mimo))
def mimo_v2_flash(config: Config) -> Tensors:
    """MiMoV2FlashForCausalLM: value heads narrower than query heads."""
    kinds = config.per_layer("layer_types", (FULL, SLIDING), lambda: full_first_and_every_sixth(config))
    windowed = {layer for layer, kind in enumerate(kinds) if kind == SLIDING}
    kv_heads, bias, value_width = num_key_value_heads(config), config.flag("attention_bias"), config.length("v_head_dim")
    options = {"qkv_bias": bias, "value_width": value_width}
    attention = [
        *only(set(layer_ids(config)) - windowed, grouped_query_attention(config, kv_heads=kv_heads, **options)),
        *only(windowed, grouped_query_attention(config, kv_heads=2 * kv_heads, sinks=True, **options)),
    ]
    sparse = sparse_layers(config, lambda: one_dense_layer_first(config))
    return llama_decoder(config, together(attention), ffn_of(config, sparse, lambda: mixture(config, correction=CORRECTION)))
