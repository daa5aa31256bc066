"""OPT and its relatives: BART's decoder without an encoder, with learned or sinusoidal positions and biases everywhere."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, inside, layer_norm, layers, linear, lm_head, multi_head_attention, plain_ffn
from calc.config import Config
from calc.families.registry import family
from calc.lengths import Length


def rows_with_offset(config: Config, offset: int = 2) -> Length:
    """Rows of a position table whose first `offset` are left unused: n_ctx + 2, as position ids start at 2."""
    return config.length("max_position_embeddings") + Length.of(str(offset), offset)


@family("opt", intermediate_size="ffn_dim")
def opt(config: Config) -> Tensors:
    """OPTForCausalLM: narrow embeddings (`word_embed_proj_dim`) come with a matrix in and a matrix out.

    Source: Zhang et al. 2022, arXiv:2205.01068. With `do_layer_norm_before` false (OPT-350M) the norms stand after the
    branches, and there is none at the end.
    """
    hidden_size, bias = config.length("hidden_size"), config.flag("enable_bias")
    narrow = config.length("word_embed_proj_dim", otherwise=lambda: (hidden_size.value, "d"))
    differs = narrow.value != hidden_size.value
    narrow = narrow if differs else hidden_size
    before, affine = config.flag("do_layer_norm_before"), config.flag("layer_norm_elementwise_affine")
    attention = inside("self_attn", multi_head_attention(config, bias=bias))
    ffn = plain_ffn(config, "fc1", "fc2", bias=bias)
    place = "before" if before else "after"
    attention_norm = layer_norm("self_attn_layer_norm", f"norm_{place}_attention", hidden_size) if affine else []
    ffn_norm = layer_norm("final_layer_norm", f"norm_{place}_ffn", hidden_size) if affine else []
    ordered = (attention_norm, attention, ffn_norm, ffn) if before else (attention, attention_norm, ffn, ffn_norm)
    final_norm = before and affine and not config.flag("_remove_final_layer_norm")
    return [
        *embedding("model.decoder.embed_tokens", "token_embedding", config.length("vocab_size"), config, width=narrow),
        *(linear("model.decoder.project_in", "embedding", "embedding_projection", narrow, hidden_size) if differs else []),
        *embedding("model.decoder.embed_positions", "position_embedding", rows_with_offset(config), config),
        *layers("model.decoder.layers", config, *ordered),
        *(layer_norm("model.decoder.final_layer_norm", "final_norm", hidden_size) if final_norm else []),
        *(linear("model.decoder.project_out", "lm_head", "head_projection", hidden_size, narrow) if differs else []),
        *lm_head("lm_head", config, tied_to="model.decoder.embed_tokens.weight", input=narrow),
    ]


def pre_norm_layer(config: Config, cross_attention: Tensors) -> tuple[Tensors, ...]:
    """A layer with biases everywhere and a norm before each branch."""
    hidden_size = config.length("hidden_size")
    return (
        layer_norm("self_attn_layer_norm", "norm_before_attention", hidden_size),
        inside("self_attn", multi_head_attention(config)),
        cross_attention,
        layer_norm("final_layer_norm", "norm_before_ffn", hidden_size),
        plain_ffn(config, "fc1", "fc2", bias=True),
    )


@family("xglm", intermediate_size="ffn_dim")
def xglm(config: Config) -> Tensors:
    """XGLMForCausalLM: sinusoidal positions, which are no parameters. Source: Lin et al. 2021, arXiv:2112.10668."""
    hidden_size = config.length("hidden_size")
    cross_attention = [
        *layer_norm("encoder_attn_layer_norm", "norm_before_cross_attention", hidden_size),
        *inside("encoder_attn", multi_head_attention(config, cross=True)),
    ]
    return [
        *embedding("model.embed_tokens", "token_embedding", config.length("vocab_size"), config),
        *layers("model.layers", config, *pre_norm_layer(config, cross_attention if config.flag("add_cross_attention") else [])),
        *layer_norm("model.layer_norm", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="model.embed_tokens.weight"),
    ]


@family("biogpt")
def biogpt(config: Config) -> Tensors:
    """BioGptForCausalLM: OPT's layers, its position table with two rows more. Source: Luo et al. 2022, arXiv:2210.10341."""
    return [
        *embedding("biogpt.embed_tokens", "token_embedding", config.length("vocab_size"), config),
        *embedding("biogpt.embed_positions", "position_embedding", rows_with_offset(config), config),
        *layers("biogpt.layers", config, *pre_norm_layer(config, [])),
        *layer_norm("biogpt.layer_norm", "final_norm", config.length("hidden_size")),
        *lm_head("output_projection", config, tied_to="biogpt.embed_tokens.weight"),
    ]
