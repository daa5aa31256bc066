"""What checkpoints call a tensor that the parts list calls otherwise, and what they keep together or apart.

The parts list has the names of the modules of `transformers`; most renames here are those of its `conversion_mapping.py`,
the others come from the repositories and formats named in the comments.
"""

from __future__ import annotations

from dataclasses import dataclass

PREFIXES = frozenset((
    "model", "language_model", "text_model", "llm", "transformer", "gpt_neox", "base_model", "decoder", "backbone", "rwkv",
    "biogpt", "roberta", "bert", "thinker",
))  # fmt: skip
"""Modules around a decoder that some files name and others leave out."""

RENAMES: tuple[tuple[str, str, str | None], ...] = (
    (r"\.block_sparse_moe\.", ".mlp.", None),
    (r"\.block_sparse_moe\.input_linear\.weight$", ".block_sparse_moe.experts.gate_up_proj", None),
    (r"\.block_sparse_moe\.output_linear\.weight$", ".block_sparse_moe.experts.down_proj", None),
    (r"\.router\.layer\.weight$", ".router.weight", None),
    (r"\.router\.gate\.weight$", ".gate.weight", None),
    (r"\.gate\.weight$", ".router.weight", None),
    (r"\.mlp\.moe_statics\.", ".mlp.gate.moe_statics.", None),
    (r"\.mlp(?:\.experts)?\.e_score_correction_bias$", ".mlp.gate.e_score_correction_bias", None),
    (r"\.gate\.bias$", ".gate.e_score_correction_bias", None),
    (r"\.expert_bias$", ".e_score_correction_bias", None),
    (r"\.shared_(?:mlp|expert)\.", ".shared_experts.", None),
    (r"\.gamma$", ".weight", None),
    (r"\.beta$", ".bias", None),
    (r"\.experts\.(?:\*\.)?(?:gate_proj|w1)\.weight$", ".experts.gate_up_proj", "gate"),
    (r"\.experts\.(?:\*\.)?(?:up_proj|w3)\.weight$", ".experts.gate_up_proj", "up"),
    (r"\.experts\.(?:\*\.)?(?:gate_up_proj|fc1)\.weight$", ".experts.gate_up_proj", None),
    (r"\.experts\.(?:\*\.)?(?:up_proj|w3)\.weight$", ".experts.up_proj", None),
    (r"\.experts\.(?:\*\.)?(?:down_proj|w2|fc2)\.weight$", ".experts.down_proj", None),
    (r"\.experts\.(?:\*\.)?(gate|up)_proj\.bias$", ".experts.gate_up_proj_bias", r"\1"),
    (r"\.experts\.(?:\*\.)?down_proj\.bias$", ".experts.down_proj_bias", None),
    (r"\.switch_mlp\.", ".experts.", None),  # MLX
    # the ends
    (r"(^|\.)(?:embed_out|output|head)\.weight$", r"\1lm_head.weight", None),  # Pythia; Mistral's own files; DeepSeek-V4
    (r"(^|\.)(?:embed|word_embeddings|tok_embeddings)\.weight$", r"\1embed_tokens.weight", None),
    # DeepSeek-V4, and by their first names also Llama's and Mistral's own files
    (r"\.(?:attn|attention)\.", ".self_attn.", None),
    (r"\.(?:ffn|feed_forward)\.", ".mlp.", None),
    (r"\.(?:attn_norm|attention_norm|attention_layer_norm)\.", ".input_layernorm.", None),
    (r"\.(?:ffn_norm|feedforward_layer_norm)\.", ".post_attention_layernorm.", None),
    (r"\.w(q|k|v)\.", r".\1_proj.", None),
    (r"\.(?:wo|dense)\.", ".o_proj.", None),
    (r"\.w1\.", ".gate_proj.", None),
    (r"\.w2\.", ".down_proj.", None),
    (r"\.w3\.", ".up_proj.", None),
    (r"\.wq_(a|b)\.", r".q_\1_proj.", None),
    (r"\.wkv\.", ".kv_proj.", None),
    (r"\.wgate\.", ".gate_proj.", None),
    (r"\.wo_(a|b)\.", r".o_\1_proj.", None),
    (r"\.q_norm\.", ".q_a_norm.", None),
    (r"\.norm\.", ".kv_norm.", None),
    (r"\.attn\.indexer\.(?:compressor\.)?", ".self_attn.compressor.indexer.", None),
    (r"\.indexer\.weights_proj\.", ".indexer.scorer.weights_proj.", None),
    (r"\.ape$", ".position_bias", None),
    (r"\.hc_(attn|ffn)_(fn|base|scale)$", r".\1_hc.\2", None),
    (r"(^|\.)hc_head_(fn|base|scale)$", r"\1hc_head.hc_\2", None),
    (r"\.(?:attn_sink|attention_sink_bias|softmax_offset|learnable_sink_param)$", ".sinks", None),
    # A.X-K2, LFM3, Kimi-Linear, Bailing
    (r"\.W_down\.", ".mlp.fc1.", None),
    (r"\.W_up\.", ".mlp.fc2.", None),
    (r"\.q_b_proj\.", ".q_gate_proj.", None),
    (r"\.self_attn\.gate_proj\.", ".self_attn.g_proj.", None),
    (r"\.(?:self_attn|attention)\.(A_log|dt_bias|f_(?:a_|b_)?proj\.weight)$", r".self_attn.forget_gate.\1", None),
    (r"\.(q|k|v)_conv1d\.weight$", ".conv1d.weight", r"\1"),
    # Hunyuan-V4, Kolibri
    (r"\.hc_pre\.hc_(attn|mlp)_layer\.hc_(fn|base|scale)$", r".hc_\1_\2", None),
    (r"\.hc_mlp_(fn|base|scale)$", r".ffn_hc.\1", None),
    (r"\.hc_pre\.hc_head\.hc_head_(fn|base|scale)$", r".hc_head.hc_\1", None),
    (r"\.linear_gate\.", ".gate_proj.", None),
    (r"\.post_attn_norm\.", ".post_self_attn_layernorm.", None),
    (r"\.post_ffn_norm\.", ".post_mlp_layernorm.", None),
    (r"\.shard_(\d+)\.weight$", ".weight", r"\1"),  # Qwen4-Exp
)
"""(pattern, replacement, which part of the tensor it is). Numbers of layers and experts are written `*`."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """Matrices of one input, joined in one file and separate in another.

    whole   the role of the line of them all, None where no family declares one
    names   what files call it
    parts   (role of the line of one of them, what files call it), in their order
    """

    whole: str | None
    names: frozenset[str]
    parts: tuple[tuple[str, frozenset[str]], ...]


_QUERY = ("query", frozenset(("q_proj", "query", "wq", "q_lin", "attn_q")))
_KEY = ("key", frozenset(("k_proj", "key", "wk", "k_lin", "attn_k")))
_VALUE = ("value", frozenset(("v_proj", "value", "wv", "v_lin", "attn_v")))
_GATE = ("gate", frozenset(("gate_proj", "w1", "ffn_gate")))
_UP = ("up", frozenset(("up_proj", "w3", "ffn_up")))

FUSIONS = (
    Fusion(
        "query_key_value",
        frozenset(("qkv_proj", "W_pack", "query_key_value", "c_attn", "Wqkv", "wqkv", "qkv", "attn_qkv")),
        (_QUERY, _KEY, _VALUE),
    ),
    Fusion(None, frozenset(("gqkv_proj",)), (("attention_gate", frozenset(("gate_proj", "g_proj"))), _QUERY, _KEY, _VALUE)),
    Fusion("key_value", frozenset(("kv_proj",)), (_KEY, _VALUE)),
    Fusion("gate_up", frozenset(("gate_up_proj", "w13", "dense_h_to_4h", "input_linear")), (_GATE, _UP)),
)
"""Baichuan's W_pack; InternLM2's wqkv; HRM-Text's gqkv_proj; vLLM's qkv_proj, gate_up_proj and w13; ChatGLM's dense_h_to_4h."""

GGUF_NAMES = {
    "token_embedding": ("token_embd",), "lm_head": ("output",), "final_norm": ("output_norm",),
    "query": ("attn_q",), "key": ("attn_k",), "value": ("attn_v",), "query_key_value": ("attn_qkv",),
    "attention_output": ("attn_output",), "norm_before_attention": ("attn_norm",), "norm_before_ffn": ("ffn_norm",),
    "gate": ("ffn_gate",), "up": ("ffn_up",), "down": ("ffn_down",), "gate_up": ("ffn_gate_up", "ffn_up"),
    "widen": ("ffn_up",), "narrow": ("ffn_down",), "router": ("ffn_gate_inp",), "attention_sinks": ("attn_sinks",),
}  # fmt: skip
"""What llama.cpp calls a line of this role, where its own table does not know the module's name."""
