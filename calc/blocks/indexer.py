"""The lightning indexer of sparse attention: a small attention that picks the tokens the real one looks at."""

from __future__ import annotations

from calc.blocks.linear import layer_norm, linear
from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.tensors import Band


def lightning_indexer(config: Config) -> Tensors:
    """Index queries out of the query's latent, one index key for all heads, and a weight for each head.

    queries   r_q × n_i·d_i
    key       d × d_i, with a LayerNorm
    weights   d × n_i

    Source: DeepSeek-AI 2025, arXiv:2512.02556.
    """
    hidden_size, rank = config.length("hidden_size"), config.length("q_lora_rank")
    heads, width = config.length("index_n_heads"), config.length("index_head_dim")
    queries, key = Band("index_query", heads.value, width.value), Band("index_key", 1, width.value)
    return [
        *linear("wq_b", "attention", "index_query", rank, heads * width, output_bands=(queries,)),
        *linear("wk", "attention", "index_key", hidden_size, width, output_bands=(key,)),
        *layer_norm("k_norm", "index_key_norm", width),
        *linear("weights_proj", "attention", "index_weights", hidden_size, heads),
    ]
