"""The linear layers of Llama-3.1-8B as [out, in], written down from its config, and its checkpoints in each packing."""

D, FFN, LAYERS, KV, VOCABULARY = 4096, 14336, 32, 1024, 128256
LINEAR = {
    "self_attn.q_proj": (D, D),
    "self_attn.k_proj": (KV, D),
    "self_attn.v_proj": (KV, D),
    "self_attn.o_proj": (D, D),
    "mlp.gate_proj": (FFN, D),
    "mlp.up_proj": (FFN, D),
    "mlp.down_proj": (D, FFN),
}
PARAMETERS = 8_030_261_248
CONFIG = {
    "model_type": "llama",
    "hidden_size": D,
    "intermediate_size": FFN,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": VOCABULARY,
    "tie_word_embeddings": False,
}


def llama(packed=None, dtype="BF16"):
    """The checkpoint {name: (dtype, shape)}.

    packed   from (module, out, in) to the tensors that stand in place of the module's weight
    """
    tensors = {"model.embed_tokens.weight": (dtype, (VOCABULARY, D))}
    for layer in range(LAYERS):
        for module, (out, inputs) in LINEAR.items():
            name = f"model.layers.{layer}.{module}"
            tensors |= packed(name, out, inputs) if packed else {f"{name}.weight": (dtype, (out, inputs))}
        for norm in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"model.layers.{layer}.{norm}.weight"] = (dtype, (D,))
    return tensors | {"model.norm.weight": (dtype, (D,)), "lm_head.weight": (dtype, (VOCABULARY, D))}


def gptq(name, out, inputs, bits=4, group=128, order=True, bias=True):
    """AutoGPTQ's tensors, the bias of zeros that it adds among them."""
    tensors = {
        f"{name}.qweight": ("I32", (inputs * bits // 32, out)),
        f"{name}.qzeros": ("I32", (inputs // group, out * bits // 32)),
        f"{name}.scales": ("F16", (inputs // group, out)),
    }
    if order:
        tensors[f"{name}.g_idx"] = ("I32", (inputs,))
    if bias:
        tensors[f"{name}.bias"] = ("F16", (out,))
    return tensors


def awq(name, out, inputs, bits=4, group=128):
    """AutoAWQ's tensors."""
    return {
        f"{name}.qweight": ("I32", (inputs, out * bits // 32)),
        f"{name}.qzeros": ("I32", (inputs // group, out * bits // 32)),
        f"{name}.scales": ("F16", (inputs // group, out)),
    }


def bitsandbytes_4_bit(name, out, inputs):
    """NF4 with the scales quantized once more, in blocks of 64 and 256."""
    weight, blocks = f"{name}.weight", out * inputs // 64
    return {
        weight: ("U8", (out * inputs // 2, 1)),
        f"{weight}.absmax": ("U8", (blocks,)),
        f"{weight}.nested_absmax": ("F32", (blocks // 256,)),
        f"{weight}.nested_quant_map": ("F32", (256,)),
        f"{weight}.quant_map": ("F32", (16,)),
        f"{weight}.quant_state.bitsandbytes__nf4": ("U8", (173,)),
    }


def bitsandbytes_8_bit(name, out, inputs):
    """LLM.int8()."""
    return {f"{name}.weight": ("I8", (out, inputs)), f"{name}.SCB": ("F32", (out,)), f"{name}.weight_format": ("U8", ())}


def compressed(name, out, inputs, bits=4, group=128):
    """compressed-tensors' pack-quantized; `group` None is one scale a row."""
    in_word = 32 // bits
    groups = inputs // group if group else 1
    return {
        f"{name}.weight_packed": ("I32", (out, -(-inputs // in_word))),
        f"{name}.weight_scale": ("BF16", (out, groups)),
        f"{name}.weight_zero_point": ("I32", (-(-out // in_word), groups)),
        f"{name}.weight_g_idx": ("I32", (inputs,)),
        f"{name}.weight_shape": ("I64", (2,)),
    }


def fp8_blocks(name, out, inputs):
    """DeepSeek's FP8 with a scale for each 128 × 128 block."""
    return {
        f"{name}.weight": ("F8_E4M3", (out, inputs)),
        f"{name}.weight_scale_inv": ("F32", (-(-out // 128), -(-inputs // 128))),
    }


def fp8_channels(name, out, inputs):
    """FP8 with a scale for each output, and one for the input."""
    return {
        f"{name}.weight": ("F8_E4M3", (out, inputs)),
        f"{name}.weight_scale": ("BF16", (out, 1)),
        f"{name}.input_scale": ("F32", ()),
    }


def nvfp4(name, out, inputs):
    """ModelOpt's NVFP4."""
    return {
        f"{name}.weight": ("U8", (out, inputs // 2)),
        f"{name}.weight_scale": ("F8_E4M3", (out, inputs // 16)),
        f"{name}.weight_scale_2": ("F32", ()),
        f"{name}.input_scale": ("F32", ()),
    }


def nvfp4_compressed(name, out, inputs):
    """compressed-tensors' nvfp4-pack-quantized."""
    return {
        f"{name}.weight_packed": ("U8", (out, inputs // 2)),
        f"{name}.weight_scale": ("F8_E4M3", (out, inputs // 16)),
        f"{name}.weight_global_scale": ("F32", (1,)),
        f"{name}.input_global_scale": ("F32", (1,)),
    }


def mlx(name, out, inputs, bits=4, group=64):
    """MLX's affine quantization."""
    return {
        f"{name}.weight": ("U32", (out, inputs * bits // 32)),
        f"{name}.scales": ("BF16", (out, inputs // group)),
        f"{name}.biases": ("BF16", (out, inputs // group)),
    }
