"""MiniMax's decoders: lightning attention (01), full attention (M2), sparse attention (M3's text model)."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    gated_ffn,
    grouped_query_attention,
    head_dim,
    inside,
    layer_ids,
    linear,
    mixture,
    only,
    parameter,
    rms_norm,
)
from calc.config import Config
from calc.families.experts import ffn_of, sparse_layers
from calc.families.llama import llama_decoder
from calc.families.reach import EVERYTHING, Reach, everywhere
from calc.families.registry import family
from calc.lengths import ONE, Length
from calc.tensors import Band


@family("minimax", reach=everywhere())
def minimax(config: Config) -> Tensors:
    """MiniMaxForCausalLM: every second layer has lightning attention unless `layer_types` says otherwise. arXiv:2501.08313."""
    kinds = config.per_layer(
        "layer_types",
        ("full_attention", "linear_attention"),
        lambda: ["linear_attention" if layer % 2 else "full_attention" for layer in layer_ids(config)],
    )
    linear_ids = {layer for layer, kind in enumerate(kinds) if kind == "linear_attention"}
    attention = [
        *only(set(layer_ids(config)) - linear_ids, grouped_query_attention(config)),
        *only(linear_ids, lightning_attention(config)),
    ]
    return llama_decoder(config, attention, mixture(config, width="intermediate_size"))


def lightning_attention(config: Config) -> Tensors:
    """Linear attention in blocks: each head forgets at a fixed rate, a buffer, and a gate weighs what comes out.

    Source: Qin et al. 2024, arXiv:2401.04658.
    """
    hidden_size, heads, width = config.length("hidden_size"), config.length("num_attention_heads"), head_dim(config)
    block = config.length("block_size")
    bands = tuple(Band(role, heads.value, width.value) for role in ("query", "key", "value"))
    n, b = heads.value, block.value
    return [
        *linear("qkv_proj", "attention", "query_key_value", hidden_size, heads * width * Length.of("3", 3), output_bands=bands),
        *decay("slope_rate", heads, ONE, (n, 1, 1)),
        *decay("query_decay", heads, block, (n, b, 1)),
        *decay("key_decay", heads, block, (n, b, 1)),
        *decay("diagonal_decay", heads, block * block, (1, n, b, b)),
        *rms_norm("norm", "attention_result_norm", heads * width),
        *linear("output_gate", "attention", "attention_gate", hidden_size, heads * width),
        *linear("out_proj", "attention", "attention_output", heads * width, hidden_size, input_bands=bands[:1]),
    ]


def decay(name: str, heads: Length, times: Length, shape: tuple[int, ...]) -> Tensors:
    """A buffer of fixed rates at which heads forget."""
    rates = parameter(name, "attention", "fixed_decay", heads, input=times, shape=shape)
    return [replace(tensor, kind="buffer") for tensor in rates]


@family("minimax_m2")
def minimax_m2(config: Config) -> Tensors:
    """MiniMaxM2ForCausalLM: a balanced router, and norms on all queries and on all keys."""
    ffn = mixture(config, width="intermediate_size", correction="e_score_correction_bias")
    return llama_decoder(config, grouped_query_attention(config, whole_norm=True), ffn)


OLDER_NAMES = {
    "index_n_heads": "sparse_num_index_heads",
    "index_head_dim": "sparse_index_dim",
    "index_block_size": "sparse_block_size",
    "index_topk_blocks": "sparse_topk_blocks",
}
"""What `sparse_attention_config` of older configs calls the fields of the indexer."""


def picked_blocks(config: Config) -> tuple[Reach, ...]:
    """In layers of sparse attention an indexer picks `index_topk_blocks` blocks of `index_block_size` tokens."""
    older = config.inside("sparse_attention_config")
    length, number = (
        older.size(OLDER_NAMES[field]) if older.gives(OLDER_NAMES[field]) else config.size(field)
        for field in ("index_block_size", "index_topk_blocks")
    )
    kinds = kinds_of_attention(config)
    return tuple(Reach(picks=length * number) if kind == "minimax_m3_sparse" else EVERYTHING for kind in kinds)


def kinds_of_attention(config: Config) -> tuple[str, ...]:
    """By `layer_types`, or by `sparse_attention_freq` of older configs; full attention everywhere without either."""
    older = config.inside("sparse_attention_config")

    def by_frequency() -> list[str]:
        if not older.gives("sparse_attention_freq"):
            return ["full_attention"] * config.size("num_hidden_layers")
        return ["minimax_m3_sparse" if one else "full_attention" for one in older.items("sparse_attention_freq", int)]

    return config.per_layer("layer_types", ("full_attention", "minimax_m3_sparse"), by_frequency)


@family("minimax_m3_vl_text", reach=picked_blocks)
def minimax_m3_text(config: Config) -> Tensors:
    """MiniMaxM3VLForCausalLM, the text model: an indexer in layers of sparse attention, a shared expert, fused gate and up.

    `sparse_attention_config` and `moe_layer_freq` are how older configs say it.
    """
    sparse_config = config.inside("sparse_attention_config")

    def kinds_of_ffn() -> list[str]:
        if not config.gives("moe_layer_freq"):
            return ["sparse"] * config.size("num_hidden_layers")
        return ["sparse" if one else "dense" for one in config.items("moe_layer_freq", int)]

    indexed = [layer for layer, kind in enumerate(kinds_of_attention(config)) if kind == "minimax_m3_sparse"]

    def experts_of() -> Tensors:
        shared = gated_ffn(config, fused=True, width=config.length("shared_intermediate_size"))
        routed = mixture(config, width="intermediate_size", correction="gate.e_score_correction_bias")
        return [*routed, *inside("shared_experts", shared)]

    indexer = only(indexed, inside("indexer", block_indexer(config, sparse_config))) if indexed else []
    return llama_decoder(
        config,
        [*indexer, *grouped_query_attention(config, qk_norm=True)],
        ffn_of(
            config,
            sparse_layers(config, kinds_of_ffn),
            experts_of,
            gated_ffn(config, fused=True, width=config.length("dense_intermediate_size")),
        ),
    )


def block_indexer(config: Config, sparse_config: Config) -> Tensors:
    """Index queries of n_i heads and one index key: they score blocks of tokens, and attention reads the best blocks."""
    heads, width = (
        Length.of(field, sparse_config.size(name)) if sparse_config.gives(name) else config.length(field)
        for field, name in ((field, OLDER_NAMES[field]) for field in ("index_n_heads", "index_head_dim"))
    )
    hidden_size = config.length("hidden_size")
    queries, key = Band("index_query", heads.value, width.value), Band("index_key", 1, width.value)
    return [
        *linear("q_proj", "attention", "index_query", hidden_size, heads * width, output_bands=(queries,)),
        *linear("k_proj", "attention", "index_key", hidden_size, width, output_bands=(key,)),
        *rms_norm("q_norm", "index_query_norm", width),
        *rms_norm("k_norm", "index_key_norm", width),
    ]
