"""Configs to test with: which fields each type reads, one plain config of each, and generated ones."""

from hypothesis import strategies as st

LLAMA_SIZES = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
)
SIZES = {
    **dict.fromkeys(("llama", "mistral", "qwen2", "qwen3", "gemma", "phi3"), LLAMA_SIZES),
    "gpt2": ("vocab_size", "n_embd", "n_inner", "n_layer", "n_head", "n_positions"),
}
FLAGS = {
    "llama": ("attention_bias", "mlp_bias", "tie_word_embeddings"),
    "mistral": ("tie_word_embeddings",),
    "qwen2": ("tie_word_embeddings",),
    "qwen3": ("attention_bias", "tie_word_embeddings"),
    "gemma": ("attention_bias", "tie_word_embeddings"),
    "phi3": ("tie_word_embeddings",),
    "gpt2": ("add_cross_attention", "tie_word_embeddings"),
}
TYPES = tuple(SIZES)
TYPE_AND_SIZE = [(model_type, field) for model_type in TYPES for field in SIZES[model_type]]
TYPE_AND_FLAG = [(model_type, field) for model_type in TYPES for field in FLAGS[model_type]]

GENERAL_NAMES = {
    "n_embd": "hidden_size",
    "n_inner": "intermediate_size",
    "n_layer": "num_hidden_layers",
    "n_head": "num_attention_heads",
    "n_positions": "max_position_embeddings",
}

# 64 heads and 2 kv heads stay valid whichever single field is left to its default.
LLAMA_VALUES = {
    "vocab_size": 1009,
    "hidden_size": 2560,
    "intermediate_size": 7001,
    "num_hidden_layers": 3,
    "num_attention_heads": 64,
    "num_key_value_heads": 2,
    "head_dim": 48,
}
GPT2_VALUES = {"vocab_size": 1009, "n_embd": 1536, "n_inner": 5003, "n_layer": 3, "n_head": 16, "n_positions": 77}


def complete_config(model_type):
    """A valid config of this type that leaves nothing to be assumed."""
    sizes = GPT2_VALUES if model_type == "gpt2" else LLAMA_VALUES
    return {"model_type": model_type, **sizes, **dict.fromkeys(FLAGS[model_type], False)}


any_text = st.text(st.characters(exclude_categories=()), max_size=20)
"""Text of any code points, lone surrogates among them."""

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**40), 10**40) | st.floats() | any_text,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(any_text, inside, max_size=3),
    max_leaves=6,
)


@st.composite
def valid_configs(draw, types=TYPES):
    """A complete, valid config of one of the types, with sizes small enough to think about."""
    model_type = draw(st.sampled_from(types))
    kv_heads, group, width = draw(st.integers(1, 8)), draw(st.integers(1, 8)), draw(st.integers(1, 64))
    heads = kv_heads * group
    config = {"model_type": model_type, "vocab_size": draw(st.integers(1, 5000))}
    layers, ffn = draw(st.integers(1, 40)), draw(st.integers(1, 4000))
    if model_type == "gpt2":
        config |= {"n_embd": heads * width, "n_inner": ffn, "n_layer": layers, "n_head": heads}
        config |= {"n_positions": draw(st.integers(1, 2000))}
    else:
        config |= {"hidden_size": draw(st.integers(1, 3000)), "intermediate_size": ffn, "num_hidden_layers": layers}
        config |= {"num_attention_heads": heads, "num_key_value_heads": kv_heads, "head_dim": width}
        if model_type == "llama" and draw(st.booleans()):
            config |= {"hidden_size": heads * width, "head_dim": None}
    return config | {flag: draw(st.booleans()) for flag in FLAGS[model_type]}
