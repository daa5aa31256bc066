"""What of a config.json nothing has read, although it could bear on the count."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

NO_FIGURE = re.compile(
    r"_.*|architectures|auto_map|transformers(_js|\.js)?_.*|.*(token_id|dropout|pdrop|_drop|_eps|epsilon|initializer).*"
    r"|id2label|label2id|task_specific_params|use_cache|output_.*|return_dict|pretraining_tp|finetuning_task|problem_type"
)
"""Fields that neither parameters, bytes, FLOPs nor the KV cache rest on, unless a family's count does."""

REST = re.compile(
    rf"{NO_FIGURE.pattern}|model_type|num_labels|.*(token_index|tokens_ids|drop_rate).*|name|license|comment|framework|.*_class"
    r"|(torch_)?dtype|params_dtype|bf16|fp16|fp32|use_bfloat16|torchscript|return_dict.*|pruned_heads|tf_legacy_loss|.*_in_fp32|onnx_safe"
    r"|tie_encoder_decoder|is_encoder_decoder|is_decoder|add_cross_attention|cross_attention_hidden_size|gradient_checkpointing"
    r"|(quantization|compression|generation|peft|lora)_config|quantized|use_flash_attn.*|.*flash_attention.*|.*attn_implementation"
    r"|rope_.*|rotary_.*|.*_rope_(theta|scaling|parameters|freq)|partial_rotary_factor|(use_)?mrope.*|.*original_max_position_embeddings"
    r"|hidden_act(ivation)?|activation(_function|_type)?|.*_act|seq_length|model_max_length|max_length|min_length|max_new_tokens"
    r"|do_sample|early_stopping|num_beams|num_beam_groups|num_return_sequences|temperature|top_[kp]|typical_p|.*_penalty"
    r"|(encoder_)?no_repeat_ngram_size|bad_words_ids|(begin_)?suppress_tokens|remove_invalid_values|chunk_size_feed_forward|prefix"
    r"|chat_template|summary_.*|.*_loss(_.*)?|router_.*|moe_router_.*|.*jitter_noise|norm_topk_prob|routed_scaling_factor|scoring_func"
    r"|topk_method|n_group|topk_group|seq_aux|ep_size|scale_attn.*|.*softcap(ping)?|logit_scale|.*_(multiplier|scaling)"
    r"|(mamba_)?chunk_size|time_step_(min|max|limit|floor|scale|init.*)|fused_add_norm|use_fused.*|use_mambapy"
)
"""More of them, which say nothing of a model's tensors or of how far its tokens reach whatever its type: rotation, number
formats, how text is generated, losses and the weighing of experts."""

NEUTRAL: dict[str, object] = {"moe_layer_freq": 1}
"""A value of a field that changes nothing."""

CLOSE = 0.8
"""The likeness, 1 for the same, from which a field is taken for a misspelt other one."""


@dataclass(frozen=True, slots=True)
class NotRead:
    """A field that nothing has asked for, with the fields around it, and the one it may be a slip for."""

    field: str
    similar: str | None = None
    is_structural: bool = False


def bears_on_count(name: str, value: object) -> bool:
    """Whether a field that nothing has asked for could change the count: one with a value that is neither of `REST` nor neutral.

    >>> bears_on_count("intermidiate_size", 8192), bears_on_count("resid_pdrop", 0.1), bears_on_count("window", None)
    (True, False, False)
    """
    return bool(value) and REST.fullmatch(name) is None and NEUTRAL.get(name) != value


def is_structural(name: str, value: object) -> bool:
    """Whether a field surely describes tensors: a whole number above 0, or a list or an object that holds one.

    >>> is_structural("n_experts", 8), is_structural("use_mask", True), is_structural("scale", 0.5)
    (True, False, False)
    """
    if isinstance(value, Mapping):
        return any(is_structural(name, item) for name, item in value.items() if REST.fullmatch(name) is None)
    if isinstance(value, list | tuple):
        return any(is_structural(name, item) for item in value)
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def similar_field(name: str, readable: Collection[str]) -> str | None:
    """The field that a misspelt one stands for, among those the class reads and the config does not give.

    >>> similar_field("intermidiate_size", ["hidden_size", "intermediate_size"])
    'intermediate_size'
    """
    return next(iter(difflib.get_close_matches(name[:100], sorted(readable), n=1, cutoff=CLOSE)), None)
