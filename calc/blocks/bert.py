"""What BERT and its relatives share: summed embedding tables, layers with a norm around each branch, the prediction head."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks.ffn import plain_ffn
from calc.blocks.linear import embedding, layer_norm, linear, lm_head
from calc.blocks.multi_head import Projections, multi_head_attention
from calc.blocks.nesting import Block, Tensors, inside
from calc.config import Config
from calc.lengths import Length
from calc.tensors import vector


def bert_embeddings(
    config: Config, *more: Block, width: Length | None = None, positions: bool = True, types: bool = True, norm: bool = True
) -> Tensors:
    """Tables whose rows are added: tokens, positions, token types, and `more`; then a norm.

    width   length of a row, where it is not d
    """
    hidden_size = width or config.length("hidden_size")
    tokens, places, kinds = "word_embeddings", "position_embeddings", "token_type_embeddings"
    return [
        *embedding(tokens, "token_embedding", config.length("vocab_size"), config, width=width),
        *(
            embedding(places, "position_embedding", config.length("max_position_embeddings"), config, width=width)
            if positions
            else []
        ),
        *(embedding(kinds, "token_type_embedding", config.length("type_vocab_size"), config, width=width) if types else []),
        *(tensor for block in more for tensor in block),
        *(layer_norm("LayerNorm", "norm_after_embedding", hidden_size) if norm else []),
    ]


def bert_layer(
    config: Config,
    *adapters: Block,
    attention_norm: str = "output.LayerNorm",
    ffn_norm: str = "output.LayerNorm",
    pre_norm: bool = False,
    qkv_bias: bool = True,
    cross_attention: bool | None = None,
) -> list[Tensors]:
    """Self-attention, cross-attention where there is one, and a plain FFN, with a norm after or before each.

    attention_norm   the norm's name inside the attention module
    ffn_norm         the norm's name inside the layer
    adapters         what follows the FFN
    cross_attention  whether there is one, where no field `add_cross_attention` says so

    Source: Devlin et al. 2018, arXiv:1810.04805. BERT-base, one layer: 7,087,872.
    """
    place, hidden_size = "before" if pre_norm else "after", config.length("hidden_size")

    def attention(module: str, kind: str) -> list[Tensors]:
        names = Projections("self.query", "self.key", "self.value", "output.dense")
        matrices = multi_head_attention(config, names=names, bias=qkv_bias, output_bias=True, cross=kind == "cross_attention")
        norm = layer_norm(attention_norm, f"norm_{place}_{kind}", hidden_size)
        return in_order(inside(module, norm), inside(module, matrices), pre_norm)

    crossed = config.flag("add_cross_attention") if cross_attention is None else cross_attention
    ffn = plain_ffn(config, "intermediate.dense", "output.dense", bias=True)
    norm = layer_norm(ffn_norm, f"norm_{place}_ffn", hidden_size)
    return [
        *attention("attention", "attention"),
        *(attention("crossattention", "cross_attention") if crossed else []),
        *in_order(norm, ffn, pre_norm),
        *([*adapter] for adapter in adapters),
    ]


def in_order(norm: Tensors, branch: Tensors, pre_norm: bool) -> list[Tensors]:
    """A norm and its branch as data flows through them."""
    return [norm, branch] if pre_norm else [branch, norm]


def prediction_head(
    config: Config,
    prefix: str,
    *,
    tied_to: str,
    transform: tuple[str, str] | None = ("transform.dense", "transform.LayerNorm"),
    width: Length | None = None,
) -> Tensors:
    """BERT's head: a matrix d × d and a norm, then the output head, whose bias stands under two names.

    With `tie_word_embeddings` both names hold the same V numbers, otherwise V each.

    transform   names of the matrix and of the norm, None where there is neither
    width       length of the embeddings, where it is not d
    """
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    inner = width or hidden_size
    own = vector("bias", "lm_head", "lm_head", "bias", vocab_size)
    twin = f"{prefix}.bias" if config.flag("tie_word_embeddings") else None
    head = lm_head("decoder", config, tied_to=tied_to, input=inner)
    return inside(
        prefix,
        linear(transform[0], "lm_head", "head_transform", hidden_size, inner, bias=True) if transform else [],
        layer_norm(transform[1], "norm_before_lm_head", inner) if transform else [],
        head,
        [own, replace(own, name="decoder.bias", tied_to=twin)],
    )
