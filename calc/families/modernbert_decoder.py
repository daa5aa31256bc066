"""ModernBERT as a decoder: its layers, and a head that transforms and normalises before it scores."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, inside, layer_ids, layer_norm, layers, linear, lm_head, multi_head_attention, only
from calc.blocks.multi_head import Projections
from calc.config import Config
from calc.families.reach import EVERYTHING, Reach, by_layer_types, full_every_given
from calc.families.registry import family
from calc.tensors import Band


def half_of_local_attention(config: Config) -> Reach:
    """`local_attention` counts both sides of a token; a decoder looks to one."""
    if not config.gives_or_defaults("local_attention"):
        return EVERYTHING
    return Reach(window=config.size("local_attention") // 2)


@family(
    "modernbert-decoder",
    reach=by_layer_types(full_every_given("global_attn_every_n_layers", 3, first=True), reach=half_of_local_attention),
)
def modernbert_decoder(config: Config) -> Tensors:
    """ModernBertDecoderForCausalLM: the embeddings are normalised, so the first layer has no norm before attention.

    Source: Weller et al. 2025, arXiv:2507.11412.
    """
    hidden_size, norm_bias = config.length("hidden_size"), config.flag("norm_bias")
    attention = multi_head_attention(config, names=Projections(output="Wo"), bias=config.flag("attention_bias"))

    def norm(name: str, role: str) -> Tensors:
        return layer_norm(name, role, hidden_size, bias=norm_bias)

    return [
        *embedding("model.embeddings.tok_embeddings", "token_embedding", config.length("vocab_size"), config),
        *norm("model.embeddings.norm", "norm_after_embedding"),
        *layers(
            "model.layers",
            config,
            only(layer_ids(config)[1:], norm("attn_norm", "norm_before_attention")),
            inside("attn", attention),
            norm("mlp_norm", "norm_before_ffn"),
            inside("mlp", gated_ffn_in_one(config)),
        ),
        *norm("model.final_norm", "final_norm"),
        *linear("lm_head.dense", "lm_head", "head_transform", hidden_size, hidden_size, bias=config.flag("classifier_bias")),
        *norm("lm_head.norm", "norm_before_lm_head"),
        *lm_head("decoder", config, tied_to="model.embeddings.tok_embeddings.weight", bias=config.flag("decoder_bias")),
    ]


def gated_ffn_in_one(config: Config) -> Tensors:
    """`Wi` gives gate and up at once, `Wo` comes back."""
    hidden_size, width, bias = config.length("hidden_size"), config.length("intermediate_size"), config.flag("mlp_bias")
    bands = (Band("gate", 1, width.value), Band("up", 1, width.value))
    return [
        *linear("Wi", "ffn", "gate_up", hidden_size, 2 * width, bias=bias, output_bands=bands),
        *linear("Wo", "ffn", "down", width, hidden_size, bias=bias),
    ]
