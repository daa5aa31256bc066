"""Types whose classes come with the model's own code, not with transformers; each brings its class's defaults along.

None of that code is ever run: what it builds is recorded in `tests/fixtures/remote_types/`.
"""

from __future__ import annotations

from calc.blocks import Tensors
from calc.blocks.multi_head import fused_attention
from calc.config import Config
from calc.families.llama import llama_decoder
from calc.families.registry import family


@family(
    "baichuan",
    config_class="BaichuanConfig",
    defaults={
        "vocab_size": 125696,
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": False,
    },
)
def baichuan(config: Config) -> Tensors:
    """BaichuanForCausalLM: a Llama whose queries, keys and values are one matrix.

    Source: Yang et al. 2023, arXiv:2309.10305, and `modeling_baichuan.py` of Baichuan2-7B. Baichuan2-7B: 7,505,973,248.
    """
    return llama_decoder(config, fused_attention(config, fused="W_pack", output="o_proj", bias=False))
