"""Draft heads: small models that propose tokens from the hidden states of a large one, which then checks them."""

from __future__ import annotations

import re
from dataclasses import replace

from calc.blocks import Tensors, embedding, gated_ffn, grouped_query_attention, inside, layers, linear, rms_norm
from calc.config import Config
from calc.errors import ConfigError, quoted

DRAFT = re.compile(r"Eagle|EAGLE|DFlash|DFLASH|Medusa|Hydra|Speculator|Draft|NextN|MTP|Assistant")
"""What classes of draft heads have in their names."""

EAGLE_3 = {"LlamaForCausalLMEagle3": ("llama",), "Eagle3LlamaForCausalLM": ("llama",)}
"""Classes of Eagle-3 heads that are one layer of a Llama."""

STATES = 3
"""Hidden states of the large model that Eagle-3 joins: of an early, a middle and a late layer."""


def eagle_3(config: Config) -> Tensors:
    """An Eagle-3 head: 3·d → d, one layer whose queries, keys and values read 2·d, and a vocabulary of its own for the output.

    The layer reads the token's embedding beside the joined states, each through a norm. Names as in files of the speculators
    library; SpecForge calls the layer `midlayer`. Source: Li et al. 2025, arXiv:2503.01840.

    Raises ConfigError: draft_layers.
    """
    if config.size("num_hidden_layers") != 1:
        raise ConfigError("draft_layers", "num_hidden_layers", value=quoted(config.size("num_hidden_layers")))
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    of_target = config.length("target_hidden_size") if config.gives("target_hidden_size") else hidden_size
    draft_vocab = config.length("draft_vocab_size") if config.gives("draft_vocab_size") else vocab_size
    attention = [
        replace(tensor, input=2 * hidden_size) if tensor.role in ("query", "key", "value") and not tensor.is_vector else tensor
        for tensor in grouped_query_attention(config, qkv_bias=config.flag("attention_bias"))
    ]
    return [
        *embedding("embed_tokens", "token_embedding", vocab_size, config),
        *linear("fc", "other", "joined_states", STATES * of_target, hidden_size),
        *layers(
            "layers",
            config,
            rms_norm("input_layernorm", "norm_before_attention", hidden_size),
            rms_norm("hidden_norm", "norm_of_states", hidden_size),
            inside("self_attn", attention),
            rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
            inside("mlp", gated_ffn(config)),
        ),
        *rms_norm("norm", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, draft_vocab),
    ]
