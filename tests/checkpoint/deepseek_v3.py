"""DeepSeek-V3's published checkpoint, written down from its config: FP8 with block scales, and a layer that looks ahead."""

from .llama_shapes import fp8_blocks

D, FFN, EXPERT, LAYERS, HEADS, NUMBER, VOCABULARY, FIRST_DENSE = 7168, 18432, 2048, 61, 128, 256, 129280, 3
CONFIG = {
    "model_type": "deepseek_v3",
    "vocab_size": VOCABULARY,
    "hidden_size": D,
    "intermediate_size": FFN,
    "moe_intermediate_size": EXPERT,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": HEADS,
    "n_shared_experts": 1,
    "n_routed_experts": NUMBER,
    "num_experts_per_tok": 8,
    "q_lora_rank": 1536,
    "kv_lora_rank": 512,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "first_k_dense_replace": FIRST_DENSE,
    "n_group": 8,
    "topk_group": 4,
    "tie_word_embeddings": False,
}
ATTENTION = {
    "q_a_proj": (1536, D),
    "q_b_proj": (HEADS * 192, 1536),
    "kv_a_proj_with_mqa": (576, D),
    "kv_b_proj": (HEADS * 256, 512),
    "o_proj": (D, HEADS * 128),
}


def ffn(prefix, width):
    """Gate, up and down."""
    tensors = {}
    for name, shape in {"gate_proj": (width, D), "up_proj": (width, D), "down_proj": (D, width)}.items():
        tensors |= fp8_blocks(f"{prefix}.{name}", *shape)
    return tensors


def layer(prefix, dense):
    """One layer, dense or of experts."""
    tensors = {
        f"{prefix}.input_layernorm.weight": ("BF16", (D,)),
        f"{prefix}.post_attention_layernorm.weight": ("BF16", (D,)),
        f"{prefix}.self_attn.q_a_layernorm.weight": ("BF16", (1536,)),
        f"{prefix}.self_attn.kv_a_layernorm.weight": ("BF16", (512,)),
    }
    for name, shape in ATTENTION.items():
        tensors |= fp8_blocks(f"{prefix}.self_attn.{name}", *shape)
    if dense:
        return tensors | ffn(f"{prefix}.mlp", FFN)
    tensors[f"{prefix}.mlp.gate.weight"] = ("BF16", (NUMBER, D))
    tensors[f"{prefix}.mlp.gate.e_score_correction_bias"] = ("F32", (NUMBER,))
    for expert in range(NUMBER):
        tensors |= ffn(f"{prefix}.mlp.experts.{expert}", EXPERT)
    return tensors | ffn(f"{prefix}.mlp.shared_experts", EXPERT)


def checkpoint():
    """Every tensor {name: (dtype, shape)}."""
    tensors = {"model.embed_tokens.weight": ("BF16", (VOCABULARY, D))}
    for number in range(LAYERS):
        tensors |= layer(f"model.layers.{number}", number < FIRST_DENSE)
    ahead = f"model.layers.{LAYERS}"
    tensors |= layer(ahead, False) | {
        f"{ahead}.embed_tokens.weight": ("BF16", (VOCABULARY, D)),
        f"{ahead}.enorm.weight": ("BF16", (D,)),
        f"{ahead}.hnorm.weight": ("BF16", (D,)),
        f"{ahead}.eh_proj.weight": ("BF16", (D, 2 * D)),
        f"{ahead}.shared_head.norm.weight": ("BF16", (D,)),
        f"{ahead}.shared_head.head.weight": ("BF16", (VOCABULARY, D)),
    }
    return tensors | {"model.norm.weight": ("BF16", (D,)), "lm_head.weight": ("BF16", (VOCABULARY, D))}
