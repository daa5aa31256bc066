"""Which tensors a model of each `model_type` holds.

A family is a function from a config to tensors, declared from the blocks of `calc.blocks` under the types it serves:

    @family("qwen2")
    def qwen2(config):
        return llama_decoder(config, grouped_query_attention(config, qkv_bias=True))
"""

from calc.families import bart_decoders  # noqa: F401
from calc.families import bert_decoders  # noqa: F401
from calc.families import bert_relatives  # noqa: F401
from calc.families import bloom  # noqa: F401
from calc.families import dbrx  # noqa: F401
from calc.families import deepseek  # noqa: F401
from calc.families import deepseek_v4  # noqa: F401
from calc.families import early_gpt  # noqa: F401
from calc.families import fuyu  # noqa: F401
from calc.families import gemma  # noqa: F401
from calc.families import gemma3n  # noqa: F401
from calc.families import gemma4  # noqa: F401
from calc.families import gpt_neox  # noqa: F401
from calc.families import granite_moe  # noqa: F401
from calc.families import hrm_text  # noqa: F401
from calc.families import hybrids  # noqa: F401
from calc.families import inkling  # noqa: F401
from calc.families import jetmoe  # noqa: F401
from calc.families import linear_attention  # noqa: F401
from calc.families import llama4  # noqa: F401
from calc.families import llama_relatives  # noqa: F401
from calc.families import longcat  # noqa: F401
from calc.families import mamba  # noqa: F401
from calc.families import media_decoders  # noqa: F401
from calc.families import mimo  # noqa: F401
from calc.families import minimax  # noqa: F401
from calc.families import modernbert_decoder  # noqa: F401
from calc.families import opt  # noqa: F401
from calc.families import parallel  # noqa: F401
from calc.families import plain_layer_norm  # noqa: F401
from calc.families import post_norm  # noqa: F401
from calc.families import qwen4_exp  # noqa: F401
from calc.families import recurrent  # noqa: F401
from calc.families import reformer  # noqa: F401
from calc.families import relative_positions  # noqa: F401
from calc.families import shared_experts  # noqa: F401
from calc.families import short_convolution  # noqa: F401
from calc.families import xlm  # noqa: F401
from calc.families import zamba  # noqa: F401
from calc.families import zaya  # noqa: F401
from calc.families import experts, gpt2, llama  # noqa: F401  importing a module declares its families
from calc.families.registry import FAMILIES, Family

__all__ = ["FAMILIES", "Family"]
