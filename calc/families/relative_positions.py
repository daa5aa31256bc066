"""XLNet, CPM-Ant and ProphetNet: attention that weighs how far apart two tokens are, with parameters of its own."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    embedding,
    head_band,
    inside,
    layer_norm,
    layers,
    linear,
    lm_head,
    multi_head_attention,
    parameter,
    plain_ffn,
    rms_norm,
)
from calc.blocks.multi_head import Projections
from calc.config import Config
from calc.families.reach import not_described
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, Tensor, vector


@family("xlnet", reach=not_described, intermediate_size="d_inner", head_dim="d_head")
def xlnet(config: Config) -> Tensors:
    """XLNetLMHeadModel: norms after the branches, no position table. Source: Yang et al. 2019, arXiv:1906.08237."""
    hidden_size = config.length("hidden_size")
    mask = parameter("transformer.mask_emb", "embedding", "mask_embedding", hidden_size, shape=(1, 1, hidden_size.value))
    return [
        *embedding("transformer.word_embedding", "token_embedding", config.length("vocab_size"), config),
        *mask,
        *layers(
            "transformer.layer",
            config,
            inside("rel_attn", xlnet_attention(config), layer_norm("layer_norm", "norm_after_attention", hidden_size)),
            inside(
                "ff", plain_ffn(config, "layer_1", "layer_2", bias=True), layer_norm("layer_norm", "norm_after_ffn", hidden_size)
            ),
        ),
        *lm_head("lm_loss", config, tied_to="transformer.word_embedding.weight", bias=True),
    ]


def xlnet_attention(config: Config) -> Tensors:
    """Five matrices, stored [d, n_h, d_head]: beside query, key, value and output one that makes keys of distances.

    Three biases are added to the queries: before they meet keys of content, of distance, and of segment.
    """
    hidden_size, heads, query = config.length("hidden_size"), config.length("num_attention_heads"), head_band("query", config)
    width = config.length("head_dim", otherwise=lambda: (query.width, "d ÷ n_h"))
    all_heads, shape = heads * width, (heads.value, width.value)

    def matrix(name: str, role: str) -> Tensor:
        bands = (Band(role, *shape),)
        stored = (hidden_size.value, *shape)
        return Tensor(name, "attention", role, "matrix", hidden_size, all_heads, stored=stored, output_bands=bands)

    output = Tensor(
        "o",
        "attention",
        "attention_output",
        "matrix",
        all_heads,
        hidden_size,
        stored=(hidden_size.value, *shape),
        input_bands=(Band("query", *shape),),
    )
    biases = [
        replace(vector(name, "attention", "query", "bias", all_heads), stored=shape)
        for name in ("r_w_bias", "r_r_bias", "r_s_bias")
    ]
    segments = parameter("seg_embed", "attention", "segment_key", all_heads, input=Length.of("2", 2), shape=(2, *shape))
    return [
        matrix("q", "query"),
        *biases,
        matrix("k", "key"),
        matrix("r", "relative_key"),
        *segments,
        matrix("v", "value"),
        output,
    ]


@family("cpmant", reach=not_described, intermediate_size="dim_ff", head_dim="dim_head")
def cpmant(config: Config) -> Tensors:
    """CpmAntForCausalLM: prompts share the table of tokens; a bias for each bucket of distances; the head is never tied.

    Source: OpenBMB 2022, CPM-Ant.
    """
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    heads, segments = config.length("num_attention_heads"), config.length("segment_types")
    rows = vocab_size + config.length("prompt_types") * config.length("prompt_length")
    buckets = segments * segments + config.length("position_bias_num_buckets")
    bias = Tensor(
        "cpmant.position_bias.relative_attention_bias", "attention", "distance_bias", "table", buckets, heads, layout="in_out"
    )
    return [
        *embedding("cpmant.input_embedding", "token_embedding", rows, config),
        *embedding("cpmant.segment_embedding", "segment_embedding", segments, config),
        bias,
        *layers("cpmant.encoder.layers", config, *cpmant_layer(config)),
        *rms_norm("cpmant.encoder.output_layernorm", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, vocab_size),
    ]


def cpmant_layer(config: Config) -> list[Tensors]:
    """Attention of n_h · dim_head and a gated FFN, without biases, a norm before each."""
    hidden_size, ffn_size = config.length("hidden_size"), config.length("intermediate_size")
    heads, width = config.length("num_attention_heads"), config.length("head_dim")
    projections = [
        tensor
        for role in ("query", "key", "value")
        for tensor in linear(
            f"project_{role[0]}",
            "attention",
            role,
            hidden_size,
            heads * width,
            output_bands=(Band(role, heads.value, width.value),),
        )
    ]
    back = linear(
        "attention_out",
        "attention",
        "attention_output",
        heads * width,
        hidden_size,
        input_bands=(Band("query", heads.value, width.value),),
    )
    return [
        rms_norm("self_att.layernorm_before_attention", "norm_before_attention", hidden_size),
        inside("self_att.self_attention", projections, back),
        rms_norm("ffn.layernorm_before_ffn", "norm_before_ffn", hidden_size),
        inside(
            "ffn.ffn",
            linear("w_in.w_0", "ffn", "gate", hidden_size, ffn_size),
            linear("w_in.w_1", "ffn", "up", hidden_size, ffn_size),
            linear("w_out", "ffn", "down", ffn_size, hidden_size),
        ),
    ]


@family(
    "prophetnet",
    reach=not_described,
    num_hidden_layers="num_decoder_layers",
    num_attention_heads="num_decoder_attention_heads",
    intermediate_size="decoder_ffn_dim",
)
def prophetnet(config: Config) -> Tensors:
    """ProphetNetForCausalLM: predicts several tokens ahead, each from a stream of its own; norms after the branches.

    Source: Qi et al. 2020, arXiv:2001.04063. The table of tokens stands twice in the checkpoint.
    """
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    table = "prophetnet.word_embeddings.weight"
    own = embedding("word_embeddings", "token_embedding", vocab_size, config)
    again = replace(own[0], tied_to=table if config.flag("tie_word_embeddings") else None)
    return [
        *inside("prophetnet", own),
        *inside(
            "prophetnet.decoder",
            [again],
            embedding("position_embeddings", "position_embedding", config.length("max_position_embeddings"), config),
            embedding("ngram_embeddings", "stream_embedding", config.length("ngram"), config),
            layer_norm("embeddings_layer_norm", "norm_after_embedding", hidden_size),
        ),
        *layers("prophetnet.decoder.layers", config, *prophetnet_layer(config)),
        *lm_head("lm_head", config, tied_to=table),
    ]


def prophetnet_layer(config: Config) -> list[Tensors]:
    """Self-attention with a matrix that scores distances, cross-attention where the config wants it, a plain FFN."""
    hidden_size = config.length("hidden_size")
    names = Projections("query_proj", "key_proj", "value_proj")
    buckets = config.length("num_buckets") * config.length("num_attention_heads")
    distances = linear("relative_pos_embeddings", "attention", "distance_score", hidden_size, buckets, bias=True)
    cross_attention = [
        *inside("cross_attn", multi_head_attention(config, names=names, cross=True)),
        *layer_norm("cross_attn_layer_norm", "norm_after_cross_attention", hidden_size),
    ]
    return [
        inside("self_attn", distances, multi_head_attention(config, names=names)),
        layer_norm("self_attn_layer_norm", "norm_after_attention", hidden_size),
        cross_attention if config.flag("add_cross_attention") else [],
        inside("feed_forward", plain_ffn(config, "intermediate", "output", bias=True)),
        layer_norm("feed_forward_layer_norm", "norm_after_ffn", hidden_size),
    ]
