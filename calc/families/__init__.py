"""Which tensors a model of each `model_type` holds.

A family is a function from a config to tensors, declared from the blocks of `calc.blocks` under the types it serves:

    @family("qwen2")
    def qwen2(config):
        return llama_decoder(config, grouped_query_attention(config, qkv_bias=True))
"""

from calc.families.registry import FAMILIES, Family

__all__ = ["FAMILIES", "Family"]
