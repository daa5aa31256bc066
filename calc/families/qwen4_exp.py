"""Qwen4-Exp: several copies of the hidden state (hyper-connections), indexed attention, and tables of n-grams in chosen layers."""

from __future__ import annotations

from calc.blocks import Tensors, decoder, inside, layer_ids, linear, only, rms_norm
from calc.blocks.linear import embedding
from calc.blocks.linear_attention import gated_delta_net, output_gated_attention
from calc.blocks.nesting import together
from calc.blocks.state_space import causal_convolution
from calc.config import Config
from calc.errors import ConfigError
from calc.families.linear_attention import experts_beside_one
from calc.families.primes import primes_from
from calc.families.reach import EVERYTHING, Reach, every_layer, within
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, vector

INDEXED = ("indexed_attention", "full_attention", "qwen_sparse_attention", "deepseek_sparse_attention")
"""What `layer_types` may call a layer of indexed attention."""

MOST_NGRAM_HEADS = 1_000
"""Sixty times the heads of the class's default: beyond that the search for primes would take long."""


def picked_blocks(config: Config) -> tuple[Reach, ...]:
    """An indexer picks whole blocks of `indexer_compress_ratio` tokens, `indexer_budget` in all, beside the unfinished block."""
    if not config.gives_or_defaults("indexer_budget"):
        return every_layer(config, EVERYTHING)
    return every_layer(config, Reach(picks=config.size("indexer_budget") + config.size("indexer_compress_ratio") - 1))


@family("qwen4_exp", reach=within("text_config", "qwen4_exp_text", picked_blocks))
def qwen4_exp(config: Config) -> Tensors:
    """Qwen4ExpConfig wraps a text and a vision model; its causal LM is the text model alone."""
    return qwen4_exp_text(config.inside("text_config", "qwen4_exp_text"))


@family("qwen4_exp_text", reach=picked_blocks)
def qwen4_exp_text(config: Config) -> Tensors:
    """Qwen4ExpForCausalLM: Gated DeltaNet in most layers, indexed attention in the others, experts beside a shared FFN in all.

    The norms before mixer and FFN, and the final one, are those of the hyper-connections.
    """

    def every_few() -> list[str]:
        interval = config.size("full_attention_interval", otherwise=lambda: (4, "4"))
        return ["linear_attention" if (layer + 1) % interval else "indexed_attention" for layer in layer_ids(config)]

    kinds = config.per_layer("layer_types", ("linear_attention", *INDEXED), every_few)
    linear_layers = {layer for layer, kind in enumerate(kinds) if kind == "linear_attention"}
    indexed_layers = set(layer_ids(config)) - linear_layers
    attention = [
        *output_gated_attention(config, bias=config.flag("attention_bias")),
        *(inside("indexer", indexer(config)) if indexed_layers else []),
    ]
    mix = "hyper_connection_mixer"
    return decoder(
        config,
        ngram_layers(config),
        inside("attn_hyper_connection", hyper_connection(config, "norm_before_mixer")),
        only(linear_layers, inside("linear_attn", gated_delta_net(config))),
        only(indexed_layers, inside("self_attn", attention)),
        inside("mlp_hyper_connection", hyper_connection(config, "norm_before_ffn")),
        inside("mlp", experts_beside_one(config)),
        final_norm=inside(f"model.{mix}", hyper_connection(config, "final_norm", writes=False)),
    )


def hyper_connection(config: Config, norm: str, *, writes: bool = True) -> Tensors:
    """Reads the n copies of the hidden state through a low-rank gate, and says how much of the block's output each copy takes.

    Source: Zhu et al. 2024, arXiv:2409.19606.
    """
    rank, copies = config.length("hc_lowrank"), config.length("hc_count")
    all_copies = copies * config.length("hidden_size")
    write = linear("block_inject_weight", "other", "hyper_connection_write", all_copies, copies)
    return [
        *rms_norm("hc_norm", norm, all_copies),
        *linear("input_mix_weight_down", "other", "hyper_connection_down", all_copies, rank),
        *linear("input_mix_weight_up", "other", "hyper_connection_up", rank, all_copies),
        *(write if writes else []),
    ]


def indexer(config: Config) -> Tensors:
    """A small attention that picks the blocks of tokens the real one looks at: index queries and one index key."""
    heads, kv_heads, width = (config.length(f"indexer_{field}") for field in ("n_heads", "kv_heads", "head_dim"))
    bands = (Band("index_query", heads.value, width.value), Band("index_key", kv_heads.value, width.value))
    hidden_size, both = config.length("hidden_size"), (heads + kv_heads) * width
    return [
        *linear("index_qk_proj", "attention", "index_query_key", hidden_size, both, output_bands=bands),
        *rms_norm("q_layernorm", "index_query_norm", width),
        *rms_norm("k_layernorm", "index_key_norm", width),
    ]


def ngram_layers(config: Config) -> Tensors:
    """What the layers in `ple_layer_ids` (counted from 1) add: a table that n-grams of tokens look up, and what takes it in."""
    ids = sorted({layer - 1 for layer in config.items("ple_layer_ids", int, otherwise=list)} & set(layer_ids(config)))
    if not ids:
        return []
    hidden_size, size = config.length("hidden_size"), config.length("ngram_size")
    width = config.length("ple_embed_dim", otherwise=lambda: (hidden_size.value, "d"))
    all_copies = config.length("hc_count") * hidden_size
    if size.value < 2:
        raise ConfigError("not_among", "ngram_size", value=str(size.value), among="2, 3, …")
    heads = Length.of("n_ngram", (size.value - 1) * config.size("heads_per_ngram"))
    tables = []
    for turn, (layer, rows) in enumerate(zip(ids, ngram_rows(config, heads.value, len(ids)), strict=True)):
        number, part = Length.of(f"V_ngram,{turn + 1}", rows), Length.of("d_ngram", width.value // heads.value)
        table = embedding("ple_embedding.ngram_embedding", "ngram_table", number, config, width=part)
        tables += only((layer,), table)
    buffers = [
        vector("ple_embedding.layer_multipliers", "other", "ngram_hash", "buffer", size),
        vector("ple_embedding.ngram_heads_vocab_sizes", "other", "ngram_hash", "buffer", heads),
        vector("ple_embedding.ngram_heads_offsets", "other", "ngram_hash", "buffer", heads),
    ]
    take_in = [
        *linear("key_proj", "other", "ngram_key", width, all_copies),
        *linear("value_proj", "other", "ngram_value", width, hidden_size),
        *rms_norm("norm_key", "ngram_key_norm", all_copies),
        *rms_norm("norm_query", "ngram_query_norm", all_copies),
        *rms_norm("norm_conv", "norm_before_convolution", all_copies),
        *causal_convolution("conv1d", all_copies, config.length("ple_conv_kernel_size")),
    ]
    return inside("ple", only(ids, buffers), together(tables), only(ids, take_in))


def ngram_rows(config: Config, heads: int, tables: int) -> list[int]:
    """Rows of each table: its heads have one prime number of rows each, the primes from `ngram_vocab_size_base` on, padded.

    Raises ConfigError: too_big.
    """
    base, divisor = config.size("ngram_vocab_size_base"), config.size("make_ngram_vocab_size_divisible_by")
    if heads * tables > MOST_NGRAM_HEADS:
        raise ConfigError("too_big", "heads_per_ngram", value=str(heads * tables), largest=MOST_NGRAM_HEADS)
    primes = primes_from(base, heads * tables)
    in_all = (sum(primes[table * heads : (table + 1) * heads]) for table in range(tables))
    return [-(-rows // divisor) * divisor for rows in in_all]
