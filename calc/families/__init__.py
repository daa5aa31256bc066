"""Which tensors a model of each `model_type` holds.

A family is a function from a config to tensors, declared from the blocks of `calc.blocks` under the types it serves:

    @family("qwen2")
    def qwen2(config):
        return llama_decoder(config, grouped_query_attention(config, qkv_bias=True))
"""

import importlib
import pkgutil

from calc.families.registry import FAMILIES, Family

for _module in pkgutil.iter_modules(__path__):  # importing a module declares its families
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["FAMILIES", "Family"]
