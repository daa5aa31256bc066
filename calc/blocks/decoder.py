"""What stands around the layers of a decoder: the token embedding, the final norm, the output head."""

from __future__ import annotations

from calc.blocks.linear import embedding, lm_head, rms_norm
from calc.blocks.nesting import Block, Tensors, layers
from calc.config import Config


def decoder(config: Config, *layer: Block, final_norm: Tensors | None = None, head_bias: bool = False) -> Tensors:
    """A decoder named as most are: `model.embed_tokens`, `model.layers`, `model.norm`, `lm_head`.

    layer        the blocks of a layer, in the order data flows
    final_norm   the norm after all layers, an RMSNorm unless given
    head_bias    a bias on the output head
    """
    norm = rms_norm("model.norm", "final_norm", config.length("hidden_size")) if final_norm is None else final_norm
    return [
        *embedding("model.embed_tokens", "token_embedding", config.length("vocab_size"), config),
        *layers("model.layers", config, *layer),
        *norm,
        *lm_head("lm_head", config, tied_to="model.embed_tokens.weight", bias=head_bias),
    ]
