"""Which tensors a model of each `model_type` holds.

A family is a function from a config to tensors, declared from the blocks of `calc.blocks` under the types it serves:

    @family("qwen3")
    def qwen3(config):
        return llama_decoder(config, qkv_bias=config.flag("attention_bias"), qk_norm=True)
"""

from calc.families import gpt2, llama  # noqa: F401  importing a module declares its families
from calc.families.registry import FAMILIES, Family

__all__ = ["FAMILIES", "Family"]
