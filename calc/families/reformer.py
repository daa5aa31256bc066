"""Reformer: reversible layers, attention by hashing or in local chunks, positions as a sum over axes."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, inside, layer_norm, linear, only, plain_ffn
from calc.config import Config
from calc.errors import ConfigError
from calc.families.reach import not_described
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Band, Tensor, vector


@family("reformer", reach=not_described, intermediate_size="feed_forward_size", head_dim="attention_head_size")
def reformer(config: Config) -> Tensors:
    """ReformerModelWithLMHead: `attn_layers` says how many layers there are, and which attention each has.

    Two copies of the vector run through the layers and are joined at the end: the last norm and the head read 2·d.
    The head is never tied. Source: Kitaev et al. 2020, arXiv:2001.04451. Raises ConfigError: not_among.
    """
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    kinds = config.items("attn_layers", str)
    if not set(kinds) <= {"local", "lsh"}:
        raise ConfigError("not_among", "attn_layers", value=str(list(kinds)), among="local, lsh")
    return [
        *embedding("reformer.embeddings.word_embeddings", "token_embedding", vocab_size, config),
        *inside("reformer.embeddings.position_embeddings", positions(config)),
        *inside("reformer.encoder.layers.*", reformer_layer(config, kinds)),
        *layer_norm("reformer.encoder.layer_norm", "final_norm", 2 * hidden_size),
        *linear("lm_head.decoder", "lm_head", "lm_head", 2 * hidden_size, vocab_size, bias=True),
        vector("lm_head.bias", "lm_head", "lm_head", "bias", vocab_size),
    ]


def positions(config: Config) -> Tensors:
    """With `axial_pos_embds` a small table for each axis of a grid of positions, otherwise one row for each position.

    Raises ConfigError: lists_differ.
    """
    if not config.flag("axial_pos_embds"):
        return embedding("embedding", "position_embedding", config.length("max_position_embeddings"), config)
    shape = config.items("axial_pos_shape", int)
    widths = config.items("axial_pos_embds_dim", int)
    if len(shape) != len(widths):
        raise ConfigError("lists_differ", "axial_pos_embds_dim", items=len(widths), other="axial_pos_shape", others=len(shape))
    tables = []
    for axis, (rows, width) in enumerate(zip(shape, widths, strict=True)):
        places = [1] * len(shape)
        places[axis] = rows
        length, row = Length.of(f"axial_pos_shape[{axis}]", rows), Length.of(f"axial_pos_embds_dim[{axis}]", width)
        tables.append(Tensor("weights.*", "embedding", "axial_position_embedding", "table", length, row, stored=(*places, width)))
    return tables


def reformer_layer(config: Config, kinds: tuple[str, ...]) -> Tensors:
    """Attention of n_h · attention_head_size and a plain FFN, a norm before each.

    Where tokens find each other by hashing (`lsh`), one matrix makes query and key at once.
    """
    hidden_size, heads, width = (config.length(field) for field in ("hidden_size", "num_attention_heads", "head_dim"))
    every = range(len(kinds))
    hashed = [layer for layer in every if kinds[layer] == "lsh"]

    def projection(role: str) -> Tensors:
        bands = (Band(role, heads.value, width.value),)
        return linear(f"self_attention.{role}", "attention", role, hidden_size, heads * width, output_bands=bands)

    output = linear(
        "output.dense",
        "attention",
        "attention_output",
        heads * width,
        hidden_size,
        input_bands=(Band("query", heads.value, width.value),),
    )
    return [
        *only(every, layer_norm("attention.layer_norm", "norm_before_attention", hidden_size)),
        *only(set(every) - set(hashed), inside("attention", projection("query"), projection("key"))),
        *only(hashed, inside("attention", projection("query_key"))),
        *only(
            every,
            inside("attention", projection("value"), output),
            layer_norm("feed_forward.layer_norm", "norm_before_ffn", hidden_size),
            inside("feed_forward", plain_ffn(config, "dense.dense", "output.dense", bias=True)),
        ),
    ]
