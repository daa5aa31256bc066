"""The blocks that model families share, each as the tensors it holds.

A block names its tensors relative to itself; `inside`, `only` and `layers` put them in their place. Roles (`query`,
`gate`, …) are the keys under which the app explains a tensor.

    placing.py     inside a module, in all layers, in some layers only
    linear.py      one matrix, one vector, a norm, an embedding table, an output head
    attention.py   multi-head, grouped-query, multi-query, latent (MLA)
    multi_head.py  multi-head attention as wide as the model, its matrices apart or fused
    ffn.py         gated and plain feed-forward
    decoder.py     embedding, layers, final norm and head around a layer's tensors
    experts.py     routed and shared experts, the router
    state_space.py        Mamba, Mamba-2, the causal convolution
    linear_attention.py   Gated DeltaNet, attention with an output gate
    indexer.py     the small attention that picks the tokens the real one looks at
"""

from calc.blocks.attention import (
    attention_sinks,
    grouped_query_attention,
    head_dim,
    latent_attention,
    latent_key_value_and_output,
    num_key_value_heads,
)
from calc.blocks.decoder import decoder
from calc.blocks.experts import experts, mixture, router, shared_ffn
from calc.blocks.ffn import gated_ffn, plain_ffn
from calc.blocks.indexer import lightning_indexer
from calc.blocks.linear import embedding, layer_norm, linear, lm_head, parameter, rms_norm
from calc.blocks.multi_head import fused_attention, head_band, multi_head_attention
from calc.blocks.nesting import Tensors, inside, layer_ids, layers, only

__all__ = [
    "Tensors",
    "attention_sinks",
    "decoder",
    "embedding",
    "experts",
    "fused_attention",
    "gated_ffn",
    "grouped_query_attention",
    "head_band",
    "head_dim",
    "inside",
    "latent_attention",
    "latent_key_value_and_output",
    "layer_ids",
    "layer_norm",
    "layers",
    "lightning_indexer",
    "linear",
    "lm_head",
    "mixture",
    "multi_head_attention",
    "num_key_value_heads",
    "only",
    "parameter",
    "plain_ffn",
    "rms_norm",
    "router",
    "shared_ffn",
]
