"""The decoder half of BART and its relatives: self-attention, cross-attention and a plain FFN, biases everywhere.

The head of the causal model keeps the matrices that read an encoder's output, whether an encoder stands beside it or not.
"""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, embedding, inside, layer_norm, layers, linear, lm_head, multi_head_attention, plain_ffn
from calc.config import Config
from calc.families.opt import rows_with_offset
from calc.families.registry import family
from calc.lengths import Length

NAMES = {
    "num_hidden_layers": "decoder_layers",
    "num_attention_heads": "decoder_attention_heads",
    "intermediate_size": "decoder_ffn_dim",
}
"""What a config with an encoder and a decoder calls the decoder's sizes."""


def bart_layer(
    config: Config,
    *,
    pre_norm: bool,
    bias: bool = True,
    key_bias: bool | None = None,
    ffn_bias: bool = True,
    memory: Length | None = None,
) -> list[Tensors]:
    """The three branches of a decoder layer, each with a norm after it, or before it with `pre_norm`.

    bias       of the attention matrices; `key_bias` where that of the keys differs
    memory     length of the encoder's vectors, where it is not d

    Source: Vaswani et al. 2017, arXiv:1706.03762. BART-large, one layer: 16,796,672.
    """
    hidden_size, place = config.length("hidden_size"), "before" if pre_norm else "after"

    def branch(norm: str, role: str, body: Tensors) -> list[Tensors]:
        scales = layer_norm(norm, f"norm_{place}_{role}", hidden_size)
        return [scales, body] if pre_norm else [body, scales]

    own = multi_head_attention(config, bias=bias, key_bias=key_bias)
    cross = multi_head_attention(config, bias=bias, key_bias=key_bias, cross=True, memory=memory)
    return [
        *branch("self_attn_layer_norm", "attention", inside("self_attn", own)),
        *branch("encoder_attn_layer_norm", "cross_attention", inside("encoder_attn", cross)),
        *branch("final_layer_norm", "ffn", plain_ffn(config, "fc1", "fc2", bias=ffn_bias)),
    ]


def bart_decoder(
    config: Config,
    layer: list[Tensors],
    *,
    positions: Tensors,
    embedding_norm: bool = False,
    final_norm: str | None = None,
    head: str = "lm_head",
) -> Tensors:
    """Tokens, positions, a norm on both where `embedding_norm` says so, layers, a last norm where it is named, the head."""
    hidden_size = config.length("hidden_size")
    return [
        *inside(
            "model.decoder",
            embedding("embed_tokens", "token_embedding", config.length("vocab_size"), config),
            positions,
            layer_norm("layernorm_embedding", "norm_after_embedding", hidden_size) if embedding_norm else [],
        ),
        *layers("model.decoder.layers", config, *layer),
        *(layer_norm(f"model.decoder.{final_norm}", "final_norm", hidden_size) if final_norm else []),
        *lm_head(head, config, tied_to="model.decoder.embed_tokens.weight"),
    ]


def learned_positions(config: Config, *, offset: int = 0) -> Tensors:
    """A table of positions, with `offset` rows more than positions."""
    rows = rows_with_offset(config, offset) if offset else config.length("max_position_embeddings")
    return embedding("embed_positions", "position_embedding", rows, config)


def sinusoid_positions(config: Config) -> Tensors:
    """A table of sines and cosines, which is stored though it is never trained."""
    return embedding("embed_positions", "sinusoid_table", config.length("max_position_embeddings"), config)


@family("bart", "plbart", "mvp", names=NAMES)
def bart(config: Config) -> Tensors:
    """BartForCausalLM and its likes: norms after the branches, two unused rows in the position table.

    Source: Lewis et al. 2019, arXiv:1910.13461. MVP's prompts are no part of its causal model.
    """
    layer = bart_layer(config, pre_norm=False)
    return bart_decoder(config, layer, positions=learned_positions(config, offset=2), embedding_norm=True)


@family("blenderbot-small", names=NAMES)
def blenderbot_small(config: Config) -> Tensors:
    """BlenderbotSmallForCausalLM: BART without the two rows. Source: Roller et al. 2020, arXiv:2004.13637."""
    return bart_decoder(config, bart_layer(config, pre_norm=False), positions=learned_positions(config), embedding_norm=True)


@family("mbart", names=NAMES)
def mbart(config: Config) -> Tensors:
    """MBartForCausalLM: norms before the branches, after the embeddings and at the end. Source: arXiv:2001.08210."""
    return bart_decoder(
        config,
        bart_layer(config, pre_norm=True),
        positions=learned_positions(config, offset=2),
        embedding_norm=True,
        final_norm="layer_norm",
    )


@family("blenderbot", names=NAMES)
def blenderbot(config: Config) -> Tensors:
    """BlenderbotForCausalLM: norms before the branches. Source: Roller et al. 2020, arXiv:2004.13637."""
    layer = bart_layer(config, pre_norm=True)
    return bart_decoder(config, layer, positions=learned_positions(config), final_norm="layer_norm")


@family("pegasus", names=NAMES)
def pegasus(config: Config) -> Tensors:
    """PegasusForCausalLM: norms before the branches, sinusoidal positions. Source: Zhang et al. 2019, arXiv:1912.08777."""
    layer = bart_layer(config, pre_norm=True)
    return bart_decoder(config, layer, positions=sinusoid_positions(config), final_norm="layer_norm")


@family("bigbird_pegasus", names=NAMES)
def bigbird_pegasus(config: Config) -> Tensors:
    """BigBirdPegasusForCausalLM: one flag for the attention biases; the head is never tied, whatever the config says.

    Its last norm bears the name `layernorm_embedding`. Source: Zaheer et al. 2020, arXiv:2007.14062.
    """
    config.decide("tie_word_embeddings", False)
    layer = bart_layer(config, pre_norm=True, bias=config.flag("use_bias"))
    return bart_decoder(config, layer, positions=learned_positions(config), final_norm="layernorm_embedding")


@family("marian", names=NAMES)
def marian(config: Config) -> Tensors:
    """MarianForCausalLM: norms after the branches, sinusoidal positions; the decoder's vocabulary may be its own.

    Source: Junczys-Dowmunt et al. 2018, arXiv:1804.00344.
    """
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    own_vocab = config.length("decoder_vocab_size", otherwise=lambda: (vocab_size.value, "V"))
    table, tied = "model.decoder.embed_tokens", config.flag("tie_word_embeddings")
    head = linear("lm_head", "lm_head", "lm_head", hidden_size, own_vocab if tied else vocab_size)
    return [
        *embedding(table, "token_embedding", own_vocab, config),
        *inside("model.decoder", sinusoid_positions(config)),
        *layers("model.decoder.layers", config, *bart_layer(config, pre_norm=False)),
        *(replace(matrix, tied_to=f"{table}.weight" if tied else None) for matrix in head),
    ]
