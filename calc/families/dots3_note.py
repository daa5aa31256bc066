"""Dots3-Note's text model: latent attention in all layers, of one size where an indexer picks, of another where a window slides."""

from __future__ import annotations

import re

from calc.blocks import (
    Tensors,
    gated_ffn,
    inside,
    latent_attention,
    layer_ids,
    lightning_indexer,
    linear,
    mixture,
    only,
    rms_norm,
)
from calc.blocks.nesting import together
from calc.config import Config
from calc.config.lists import MOST_DIFFERENT
from calc.errors import ConfigError
from calc.families.deepseek import CORRECTION
from calc.families.experts import ffn_of, sparse_layers
from calc.families.llama import llama_decoder
from calc.families.reach import EVERYTHING, Reach
from calc.families.registry import family

INDEXED, FULL, SLIDING = "indexed_attention", "full_attention", "sliding_attention"
OF_SLIDING = {
    "num_attention_heads": 64,
    "num_key_value_heads": 64,
    "q_lora_rank": 1024,
    "kv_lora_rank": 1024,
    "head_dim": 256,
    "qk_nope_head_dim": 192,
    "v_head_dim": 128,
}
"""The class's rule for layers with a window, where neither `per_layer_config` nor `swa_…` gives their sizes."""
SIZES = ("num_attention_heads", "q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")


def kinds_of_attention(config: Config) -> list[str]:
    """The kind of each layer; `use_dsa` turns full attention into indexed, which older configs do not tell apart."""

    def by_place() -> list[str]:
        slides = not config.gives("use_sliding_window") or config.flag("use_sliding_window")
        return [INDEXED if not slides or layer < 2 or layer % 4 == 1 else SLIDING for layer in layer_ids(config)]

    kinds = config.per_layer("layer_types", (INDEXED, FULL, SLIDING), by_place)
    if config.gives("use_dsa"):
        wanted = INDEXED if config.flag("use_dsa") else FULL
    else:
        wanted = None if config.holds("per_layer_config") else INDEXED
    return [wanted if wanted and kind != SLIDING else kind for kind in kinds]


def windows_and_picks(config: Config) -> tuple[Reach, ...]:
    """A window in sliding layers, picks in indexed ones."""
    window = config.size("sliding_window", lambda: (config.size("sliding_window_size", lambda: (512, "512")), "512"))
    reach = {SLIDING: Reach(window=window), INDEXED: Reach(picks=config.size("index_topk")), FULL: EVERYTHING}
    return tuple(reach[kind] for kind in kinds_of_attention(config))


@family("dots3_note_text", reach=windows_and_picks)
def dots3_note_text(config: Config) -> Tensors:
    """Dots3NoteForCausalLM: one dense layer first, then experts beside shared ones of a width of their own."""

    def experts_of() -> Tensors:
        name = "shared_experts_intermediate_size"
        older = "moe_shared_expert_intermediate_size"
        width = config.length("n_shared_experts") * config.length(older if config.gives(older) else name)
        shared = gated_ffn(config, width=width)
        return [*mixture(config, number="n_routed_experts", correction=CORRECTION), *inside("shared_experts", shared)]

    sparse = sparse_layers(config, lambda: dense_by_frequency(config))
    return llama_decoder(config, attention_by_layer(config), ffn_of(config, sparse, experts_of))


def dense_by_frequency(config: Config) -> list[str]:
    """Experts from layer `first_k_dense_replace` on, in every `moe_layer_freq`-th or where that list has no 0."""
    first = config.size("first_k_dense_replace", lambda: (1, "1"), smallest=0)
    try:
        every = config.size("moe_layer_freq", lambda: (1, "1"))
        chosen = [layer % every == 0 for layer in layer_ids(config)]
    except ConfigError:
        chosen = [bool(each) for each in config.items("moe_layer_freq", int)]
    return ["sparse" if layer >= first and chosen[layer] else "dense" for layer in layer_ids(config)]


def attention_by_layer(config: Config) -> Tensors:
    """Layers of equal kind and sizes together."""
    found: dict[tuple, list[int]] = {}
    by_layer, of_kind = sizes_by_layer(config), {}
    for layer, kind in enumerate(kinds_of_attention(config)):
        if layer not in by_layer and kind not in of_kind:
            of_kind[kind] = sizes_of_kind(config, kind)
        sizes = by_layer[layer] if layer in by_layer else of_kind[kind]
        found.setdefault((kind == INDEXED, sizes), []).append(layer)
    return together(
        tensor for (indexed, sizes), ids in found.items() for tensor in only(ids, gated_attention(config, sizes, indexed))
    )


def sizes_by_layer(config: Config) -> dict[int, tuple[int, ...]]:
    """SIZES of the layers that `per_layer_config` names, as `2` or `02`; what it does not say of them is the model's.

    Raises ConfigError: too_many_kinds.
    """
    each = config.inside("per_layer_config")
    names = [name for name in each.names_given() if re.fullmatch("[0-9]{1,9}", name)]
    if len(names) > MOST_DIFFERENT:
        raise ConfigError("too_many_kinds", "per_layer_config", items=len(names), limit=MOST_DIFFERENT)
    layers = {int(name): each.inside(name) for name in names}
    return {
        layer: tuple(own.size(field) if own.gives(field) else config.size(field) for field in SIZES)
        for layer, own in layers.items()
    }


def sizes_of_kind(config: Config, kind: str) -> tuple[int, ...]:
    """SIZES of the other layers: the `swa_…` fields where a window slides, unless layers are named at all; the model's otherwise."""
    if kind != SLIDING or config.holds("per_layer_config"):
        return tuple(config.size(field) for field in SIZES)
    sliding = {field: config.size(f"swa_{field}", lambda usual=usual: (usual, str(usual))) for field, usual in OF_SLIDING.items()}
    rest = sliding["head_dim"] - sliding["qk_nope_head_dim"]
    rope = config.size("swa_qk_rope_head_dim", lambda: (rest, "swa_head_dim − swa_qk_nope_head_dim"))
    return tuple(rope if field == "qk_rope_head_dim" else sliding[field] for field in SIZES)


def gated_attention(config: Config, sizes: tuple[int, ...], indexed: bool) -> Tensors:
    """MLA of these sizes, with a norm on the rotated part of the keys and a gate for each head."""
    bias, hidden_size = config.flag("attention_bias"), config.length("hidden_size")
    asked = {field: config.size(field) for field in ("index_n_heads", "index_head_dim")}
    own = Config({"hidden_size": hidden_size.value, **asked, **dict(zip(SIZES, sizes, strict=True))}, config.model_type)
    picks = inside("indexer", lightning_indexer(own)) if indexed else []
    return [
        *latent_attention(
            own, bias=bias, picks=[*rms_norm("k_rope_only_layernorm", "key_norm", own.length("qk_rope_head_dim")), *picks]
        ),
        *linear("g_proj", "attention", "attention_gate", hidden_size, own.length("num_attention_heads")),
    ]
