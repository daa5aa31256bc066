"""XLM: a Transformer whose layers stand in four lists, one for each kind of part, instead of one list of layers."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, inside, layer_ids, layer_norm, lm_head, multi_head_attention, only, plain_ffn
from calc.blocks.multi_head import Projections
from calc.config import Config
from calc.errors import ConfigError
from calc.families.registry import family


@family("xlm")
def xlm(config: Config) -> Tensors:
    """XLMWithLMHeadModel: norms after the branches, d_ff = 4·d, a table of languages where there are several.

    Source: Conneau and Lample 2019, arXiv:1901.07291. The adaptive softmax (`asm`) is not known here.
    Raises ConfigError: not_among.
    """
    if config.flag("asm"):
        raise ConfigError("not_among", "asm", value="true", among="false")
    hidden_size, languages = config.length("hidden_size"), config.length("n_langs")
    positions = "sinusoid_table" if config.flag("sinusoidal_embeddings") else "position_embedding"
    names = Projections("q_lin", "k_lin", "v_lin", "out_lin")
    by_language = config.flag("use_lang_emb") and languages.value > 1
    return inside(
        "transformer",
        embedding("embeddings", "token_embedding", config.length("vocab_size"), config),
        embedding("position_embeddings", positions, config.length("max_position_embeddings"), config),
        embedding("lang_embeddings", "language_embedding", languages, config) if by_language else [],
        layer_norm("layer_norm_emb", "norm_after_embedding", hidden_size),
        only(
            layer_ids(config),
            inside("attentions.*", multi_head_attention(config, names=names)),
            layer_norm("layer_norm1.*", "norm_after_attention", hidden_size),
            inside("ffns.*", plain_ffn(config, "lin1", "lin2", bias=True, width=4 * hidden_size)),
            layer_norm("layer_norm2.*", "norm_after_ffn", hidden_size),
        ),
    ) + lm_head("pred_layer.proj", config, tied_to="transformer.embeddings.weight", bias=True)
