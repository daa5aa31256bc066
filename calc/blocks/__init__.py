"""The blocks that model families share, each as the tensors it holds.

A block names its tensors relative to itself; `inside`, `only` and `layers` put them in their place. Roles (`query`,
`gate`, …) are the keys under which the app explains a tensor.

    placing.py     inside a module, in all layers, in some layers only
    linear.py      one matrix, one vector, a norm, an embedding table, an output head
    attention.py   multi-head, grouped-query, multi-query, latent (MLA)
    ffn.py         gated and plain feed-forward
    experts.py     routed and shared experts, the router
"""

from calc.blocks.attention import grouped_query_attention, head_dim, latent_attention, num_key_value_heads
from calc.blocks.experts import experts, router
from calc.blocks.ffn import gated_ffn, plain_ffn
from calc.blocks.linear import embedding, layer_norm, linear, lm_head, parameter, rms_norm
from calc.blocks.placing import Tensors, inside, layer_ids, layers, only

__all__ = [
    "Tensors",
    "embedding",
    "experts",
    "gated_ffn",
    "grouped_query_attention",
    "head_dim",
    "inside",
    "latent_attention",
    "layer_ids",
    "layer_norm",
    "layers",
    "linear",
    "lm_head",
    "num_key_value_heads",
    "only",
    "parameter",
    "plain_ffn",
    "rms_norm",
    "router",
]
