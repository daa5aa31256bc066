"""DeepSeek-V4: one key-value head, compressed context, several residual streams, experts chosen by token id at first."""

from __future__ import annotations

from calc.blocks import (
    Tensors,
    attention_sinks,
    decoder,
    experts,
    gated_ffn,
    inside,
    layer_ids,
    linear,
    only,
    parameter,
    rms_norm,
    router,
)
from calc.blocks.nesting import together
from calc.config import Config
from calc.errors import ConfigError
from calc.families.reach import Reach, every_layer
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, Tensor, vector

WINDOW, SPARSE, HEAVY = "sliding_attention", "compressed_sparse_attention", "heavily_compressed_attention"
KIND_OF_RATIO = {0: WINDOW, 4: SPARSE, 128: HEAVY}
"""How `compress_ratios` of older configs writes the kinds of attention."""


def window_and_picks(config: Config) -> tuple[Reach, ...]:
    """A window in every layer; of the compressed past an indexer, where there is one, picks `index_topk` entries."""
    return every_layer(config, Reach(window=config.size("sliding_window"), picks=config.size("index_topk")))


@family("deepseek_v4", reach=window_and_picks)
def deepseek_v4(config: Config) -> Tensors:
    """DeepseekV4ForCausalLM. The multi-token-prediction layers of the checkpoint are no part of it."""
    hidden_size = config.length("hidden_size")
    norm = rms_norm("model.norm", "final_norm", hidden_size)
    return decoder(
        config,
        hyper_connection("attn_hc", config),
        rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        inside("self_attn", compressed_attention(config)),
        hyper_connection("ffn_hc", config),
        rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        inside("mlp", routed_ffn(config)),
        final_norm=[*hyper_head(config), *norm],
    )


def compressed_attention(config: Config) -> Tensors:
    """Queries out of a latent, one head that is key and value at once, sinks, a compressor of the past, an output in groups."""
    hidden_size, rank, width = (config.length(field) for field in ("hidden_size", "q_lora_rank", "head_dim"))
    heads, groups, output_rank = (config.length(field) for field in ("num_attention_heads", "o_groups", "o_lora_rank"))
    queries, shared = Band("query", heads.value, width.value), Band("key_value", 1, width.value)
    all_heads = heads * width
    group = Length(
        f"{all_heads.symbol} ÷ o_groups", all_heads.value // groups.value, f"{all_heads.numbers} ÷ {groups.numbers}", is_sum=True
    )
    return [
        *linear("q_a_proj", "attention", "query_down", hidden_size, rank),
        *rms_norm("q_a_norm", "query_latent_norm", rank),
        *linear("q_b_proj", "attention", "query_up", rank, all_heads, output_bands=(queries,)),
        *linear("kv_proj", "attention", "single_key_value", hidden_size, width, output_bands=(shared,)),
        *rms_norm("kv_norm", "single_key_value_norm", width),
        *inside("compressor", compressors(config)),
        *attention_sinks(heads),
        *linear("o_a_proj", "attention", "output_down", group, groups * output_rank),
        *linear("o_b_proj", "attention", "output_up", groups * output_rank, hidden_size),
    ]


def compressors(config: Config) -> Tensors:
    """What stands in a layer for the past beyond the window: heavily compressed, or less so and picked by an indexer."""
    kinds, width = attention_kinds(config), config.length("head_dim")
    heavy, sparse = ([layer for layer, kind in enumerate(kinds) if kind == wanted] for wanted in (HEAVY, SPARSE))
    found = []
    if heavy:
        found += only(heavy, compressor(config, compress_rate(config, HEAVY, "compress_rate_hca", 128), width, width))
    if sparse:
        rate = compress_rate(config, SPARSE, "compress_rate_csa", 4)
        found += only(sparse, compressor(config, rate, 2 * width, width), inside("indexer", compressed_indexer(config, rate)))
    return together(found)


def compressor(config: Config, rate: Length, width: Length, normed: Length) -> Tensors:
    """Every `rate` tokens become one: their keys-and-values weighed by a gate that knows each token's place among them."""
    hidden_size = config.length("hidden_size")
    place = parameter("position_bias", "attention", "compressor_position", width, input=rate, shape=(rate.value, width.value))
    return [
        *linear("kv_proj", "attention", "compressor_key_value", hidden_size, width),
        *linear("gate_proj", "attention", "compressor_gate", hidden_size, width),
        *place,
        *rms_norm("kv_norm", "compressor_norm", normed),
    ]


def compressed_indexer(config: Config, rate: Length) -> Tensors:
    """An indexer with a compressor of its own: it picks which compressed tokens attention reads."""
    heads, width = config.length("index_n_heads"), config.length("index_head_dim")
    queries = Band("index_query", heads.value, width.value)
    return [
        *compressor(config, rate, 2 * width, width),
        *linear("q_b_proj", "attention", "index_query", config.length("q_lora_rank"), heads * width, output_bands=(queries,)),
        *linear("scorer.weights_proj", "attention", "index_weights", config.length("hidden_size"), heads),
    ]


def compress_rate(config: Config, kind: str, older: str, usual: int) -> Length:
    """How many tokens become one: by `compress_rates`, or as older configs name it, or as the class has it."""
    rates = config.inside("compress_rates")
    given = rates.size(kind) if rates.gives(kind) and not config.gives(older) else None
    return Length.of("rate", given or config.size(older, lambda: (usual, str(usual))))


def attention_kinds(config: Config) -> tuple[str, ...]:
    """The kind of attention of each layer, cut to the layers there are: older lists go on to the prediction layers."""
    last = config.size("num_hidden_layers")

    def older_or_usual() -> list[str]:
        if config.gives("compress_ratios"):
            return [KIND_OF_RATIO.get(ratio, str(ratio)) for ratio in config.items("compress_ratios", int)]
        return [SPARSE if layer >= 2 and layer % 2 else HEAVY for layer in range(last)]

    return cut_to_layers(config, "layer_types", (WINDOW, SPARSE, HEAVY), config.items("layer_types", str, older_or_usual))


def cut_to_layers(config: Config, field: str, among: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of the layers there are. Raises ConfigError: not_one_a_layer where there are too few, not_among."""
    number = config.size("num_hidden_layers")
    if len(kinds) < number:
        raise ConfigError("not_one_a_layer", field, items=len(kinds), layers=number)
    for kind in kinds[:number]:
        if kind not in among:
            raise ConfigError("not_among", field, value=kind, among=", ".join(among))
    return kinds[:number]


def routed_ffn(config: Config) -> Tensors:
    """Experts and a shared one; in the first layers a table, a buffer, names the experts of each token id."""
    hidden_size, number = config.length("hidden_size"), config.length("num_local_experts")
    width, chosen = config.length("intermediate_size"), config.length("num_experts_per_tok")

    def hashed_first() -> list[str]:
        hashed = config.size("num_hash_layers", lambda: (3, "3"), smallest=0)
        return ["hash_moe" if layer < hashed else "moe" for layer in layer_ids(config)]

    kinds = cut_to_layers(config, "mlp_layer_types", ("hash_moe", "moe"), config.items("mlp_layer_types", str, hashed_first))
    by_id, by_score = ([layer for layer, kind in enumerate(kinds) if kind == wanted] for wanted in ("hash_moe", "moe"))
    table = Tensor("gate.tid2eid", "ffn", "router_table", "buffer", config.length("vocab_size"), chosen, layout="in_out")
    return [
        *router("gate", hidden_size, number),
        *only(by_id, [table]),
        *only(by_score, [vector("gate.e_score_correction_bias", "ffn", "router_correction", "buffer", number)]),
        *experts("experts", hidden_size, width, number, chosen.value),
        *inside("shared_experts", gated_ffn(config, bias=config.flag("mlp_bias"))),
    ]


def hyper_connection(name: str, config: Config) -> Tensors:
    """How m residual streams are mixed into the layer's input, and its output back into them: m·d numbers give 2·m + m².

    Source: Xie et al. 2025, arXiv:2512.24880 (manifold-constrained hyper-connections).
    """
    streams = config.length("hc_mult")
    return mixing(name, "", config, (Length.of("2", 2) + streams) * streams, Length.of("3", 3))


def hyper_head(config: Config) -> Tensors:
    """How the m residual streams become one after the last layer."""
    return mixing("model.hc_head", "hc_", config, config.length("hc_mult"), Length.of("1", 1))


def mixing(name: str, prefix: str, config: Config, weights: Length, scales: Length) -> Tensors:
    """A matrix that reads all streams, a bias, and the scales of both."""
    all_streams = config.length("hc_mult") * config.length("hidden_size")
    return [
        Tensor(f"{name}.{prefix}fn", "other", "stream_mixing", "matrix", all_streams, weights),
        vector(f"{name}.{prefix}base", "other", "stream_mixing", "bias", weights),
        *parameter(f"{name}.{prefix}scale", "other", "stream_mixing_scale", scales),
    ]
