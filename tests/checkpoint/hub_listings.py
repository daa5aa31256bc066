"""What the files of published models hold, under the names of their repositories.

The parameters' shapes are those of the parts list; all that makes a file differ from it is written down here: names,
pieces, buffers, second copies, layers that look ahead, encoders of images.
"""

from calc.catalogue import catalogue
from calc.model import Model

from . import deepseek_v3


def as_stored(parts_list, dtype="BF16", tied=False):
    """The file of a model's parameters under its modules' names {name: (dtype, shape)}."""
    tensors = {}
    for tensor in parts_list.tensors:
        if tensor.kind == "buffer" or (tensor.tied_to and not tied):
            continue
        for layer in tensor.layers or (None,):
            tensors[tensor.name.replace("*", str(layer), 1)] = (dtype, tensor.shape)
    return tensors


def published(name, dtype="BF16", tied=False):
    """The parameters of a model of the catalogue under its modules' names."""
    return as_stored(Model.of(name).parts_list, dtype, tied)


def renamed(tensors, *changes):
    """With parts of the names written otherwise."""
    for old, new in changes:
        tensors = {name.replace(old, new): tensor for name, tensor in tensors.items()}
    return tensors


def experts_one_by_one(tensors, gate="gate_proj", up="up_proj", down="down_proj"):
    """With a tensor for each expert's matrix in place of the stacks."""
    found = {}
    for name, (dtype, shape) in tensors.items():
        module, _, last = name.rpartition(".")
        if last not in ("gate_up_proj", "down_proj"):
            found[name] = dtype, shape
            continue
        number, out, inputs = shape
        for expert in range(number):
            if last == "down_proj":
                found[f"{module}.{expert}.{down}.weight"] = dtype, (out, inputs)
            else:
                found |= {f"{module}.{expert}.{each}.weight": (dtype, (out // 2, inputs)) for each in (gate, up)}
    return found


def llama_2(name):
    """Llama-2, with the table of rotary frequencies of each layer."""
    layers = catalogue()[name].config["num_hidden_layers"]
    return published(name, "F16") | {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("F32", (64,)) for i in range(layers)}


def gpt2(name):
    """GPT-2: no `transformer.` before the names, a causal mask in each layer."""
    config, tensors = catalogue()[name].config, renamed(published(name, "F32"), ("transformer.", ""))
    return tensors | {f"h.{i}.attn.bias": ("F32", (1, 1, 1024, 1024)) for i in range(config["n_layer"])}


def pythia(name):
    """Pythia: the head is `embed_out`; a causal mask and rotary frequencies in each layer."""
    config, tensors = catalogue()[name].config, renamed(published(name, "F16"), ("lm_head.", "embed_out."))
    rotary = config["hidden_size"] // config["num_attention_heads"] // 4
    for i in range(config["num_hidden_layers"]):
        tensors[f"gpt_neox.layers.{i}.attention.bias"] = ("BOOL", (1, 1, 2048, 2048))
        tensors[f"gpt_neox.layers.{i}.attention.rotary_emb.inv_freq"] = ("F16", (rotary // 2,))
    return tensors


def glm_4_5(name):
    """GLM-4.5 and after: experts one by one, the routers' corrections, a layer ahead, in all but GLM-4.6 with an embedding and a head."""
    config = catalogue()[name].config
    d, vocabulary, layers, number = (config[f] for f in ("hidden_size", "vocab_size", "num_hidden_layers", "n_routed_experts"))
    tensors = experts_one_by_one(published(name))
    sparse = range(config["first_k_dense_replace"], layers)
    tensors |= {f"model.layers.{i}.mlp.gate.e_score_correction_bias": ("F32", (number,)) for i in sparse}
    last, ahead = f"model.layers.{layers - 1}.", f"model.layers.{layers}."
    tensors |= {name.replace(last, ahead): tensor for name, tensor in tensors.items() if name.startswith(last)}
    if name != "glm-4.6":
        tensors |= {f"{ahead}{table}.weight": ("BF16", (vocabulary, d)) for table in ("embed_tokens", "shared_head.head")}
    return tensors | {
        f"{ahead}eh_proj.weight": ("BF16", (d, 2 * d)),
        f"{ahead}enorm.weight": ("BF16", (d,)),
        f"{ahead}hnorm.weight": ("BF16", (d,)),
        f"{ahead}shared_head.norm.weight": ("BF16", (d,)),
    }


def qwen_next(name):
    """Qwen3-Next: experts one by one, and a layer ahead, `mtp`, of the shape of the last layer."""
    d = catalogue()[name].config["hidden_size"]
    tensors = experts_one_by_one(published(name))
    last = f"model.layers.{catalogue()[name].config['num_hidden_layers'] - 1}."
    tensors |= {f"mtp.layers.0.{key.removeprefix(last)}": tensor for key, tensor in tensors.items() if key.startswith(last)}
    tensors |= {f"mtp.{norm}.weight": ("BF16", (d,)) for norm in ("norm", "pre_fc_norm_embedding", "pre_fc_norm_hidden")}
    return tensors | {"mtp.fc.weight": ("BF16", (d, 2 * d))}


def qwen_3_5(name):
    """Qwen3.5 and 3.6: the layer ahead of Qwen3-Next, and an encoder of images of 27 layers of width 1152 for patches of 2 × 16 × 16."""
    d, width, ffn, merged = catalogue()[name].config["hidden_size"], 1152, 4304, 4 * 1152
    tensors = renamed(qwen_next(name), ("model.", "model.language_model."))
    shapes = {
        "patch_embed.proj": (width, 3, 2, 16, 16),
        "merger.norm": (width,),
        "merger.linear_fc1": (merged, merged),
        "merger.linear_fc2": (d, merged),
    }
    for i in range(27):
        inside = {"norm1": (width,), "norm2": (width,), "attn.qkv": (3 * width, width), "attn.proj": (width, width)}
        inside |= {"mlp.linear_fc1": (ffn, width), "mlp.linear_fc2": (width, ffn)}
        shapes |= {f"blocks.{i}.{module}": shape for module, shape in inside.items()}
    for module, shape in shapes.items():
        tensors |= {f"model.visual.{module}.weight": ("BF16", shape), f"model.visual.{module}.bias": ("BF16", shape[:1])}
    return tensors | {"model.visual.pos_embed.weight": ("BF16", (2304, width))}


def llama_4(name):
    """Llama-4: an encoder of images of 34 layers of width 1408, and two adapters to the language model's width."""
    width, ffn = 1408, 5632
    tensors = {f"language_model.{key}": tensor for key, tensor in published(name).items()}
    shapes = {
        "patch_embedding.linear.weight": (width, 3 * 14 * 14),
        "class_embedding": (width,),
        "positional_embedding_vlm": (24 * 24 + 1, width),
        "vision_adapter.mlp.fc1.weight": (4096, ffn),
        "vision_adapter.mlp.fc2.weight": (4096, 4096),
    }
    for norm in ("layernorm_pre", "layernorm_post"):
        shapes |= {f"{norm}.weight": (width,), f"{norm}.bias": (width,)}
    for i in range(34):
        layer = {f"self_attn.{module}_proj": (width, width) for module in "qkvo"}
        layer |= {
            "mlp.fc1": (ffn, width),
            "mlp.fc2": (width, ffn),
            "input_layernorm": (width,),
            "post_attention_layernorm": (width,),
        }
        for module, shape in layer.items():
            shapes |= {f"model.layers.{i}.{module}.weight": shape, f"model.layers.{i}.{module}.bias": shape[:1]}
    tensors |= {f"vision_model.{key}": ("BF16", shape) for key, shape in shapes.items()}
    return tensors | {"multi_modal_projector.linear_1.weight": ("BF16", (5120, 4096))}


def minimax_m2(name):
    """MiniMax-M2: experts one by one, by Mixtral's names, and the routers' corrections."""
    layers, number = (catalogue()[name].config[field] for field in ("num_hidden_layers", "num_local_experts"))
    corrections = (f"model.layers.{i}.block_sparse_moe.e_score_correction_bias" for i in range(layers))
    return mixtral(name) | dict.fromkeys(corrections, ("F32", (number,)))


def gemma_3(name):
    """Gemma-3 with images: SigLIP's 27 layers of width 1152 for 64 × 64 patches of 14 × 14, what joins them, 64 more rows."""
    d, width, ffn = catalogue()[name].config["hidden_size"], 1152, 4304
    tensors = {f"language_model.{name}": tensor for name, tensor in published(name).items()}
    tensors["language_model.model.embed_tokens.weight"] = ("BF16", (262208, d))
    tensors |= {
        "multi_modal_projector.mm_input_projection_weight": ("BF16", (width, d)),
        "multi_modal_projector.mm_soft_emb_norm.weight": ("BF16", (width,)),
    }
    tower = "vision_tower.vision_model."
    shapes = {
        "embeddings.patch_embedding.weight": (width, 3, 14, 14),
        "embeddings.patch_embedding.bias": (width,),
        "embeddings.position_embedding.weight": (64 * 64, width),
        "post_layernorm.weight": (width,),
        "post_layernorm.bias": (width,),
    }
    for i in range(27):
        layer = f"encoder.layers.{i}."
        for module in ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj"):
            shapes |= {f"{layer}{module}.weight": (width, width), f"{layer}{module}.bias": (width,)}
        shapes |= {f"{layer}mlp.fc1.weight": (ffn, width), f"{layer}mlp.fc1.bias": (ffn,)}
        shapes |= {f"{layer}mlp.fc2.weight": (width, ffn), f"{layer}mlp.fc2.bias": (width,)}
        shapes |= {f"{layer}layer_norm{n}.{kind}": (width,) for n in (1, 2) for kind in ("weight", "bias")}
    return tensors | {f"{tower}{name}": ("BF16", shape) for name, shape in shapes.items()}


def gpt_oss(name):
    """gpt-oss: experts in MXFP4, two numbers a byte in blocks of 32, a scale for each block."""
    tensors = published(name)
    for name, (_, shape) in list(tensors.items()):
        if name.endswith(("experts.gate_up_proj", "experts.down_proj")):
            number, inputs, out = shape
            del tensors[name]
            tensors |= {
                f"{name}_blocks": ("U8", (number, out, inputs // 32, 16)),
                f"{name}_scales": ("U8", (number, out, inputs // 32)),
            }
    return tensors


def mixtral(name):
    """Mixtral: experts one by one, by their first names."""
    return renamed(experts_one_by_one(published(name), "w1", "w3", "w2"), (".mlp.", ".block_sparse_moe."))


def deepseek(name):
    """DeepSeek-V3, R1 and V3.1 as published: FP8 with block scales, and a layer ahead."""
    return deepseek_v3.checkpoint()


EXPERTS_ONE_BY_ONE = (
    *("deepseek-v2-lite", "deepseek-v2", "qwen1.5-moe-a2.7b", "qwen3-30b-a3b", "qwen3-235b-a22b", "qwen3-coder-480b-a35b"),
    *("olmoe-1b-7b", "hunyuan-a13b"),
)
SPECIAL = {
    **dict.fromkeys(("llama-2-7b", "llama-2-13b", "llama-2-70b"), llama_2),
    **dict.fromkeys(("llama-4-scout", "llama-4-maverick"), llama_4),
    **dict.fromkeys(("gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"), gpt2),
    **dict.fromkeys(("pythia-70m", "pythia-410m", "pythia-1.4b", "pythia-2.8b", "pythia-12b"), pythia),
    **dict.fromkeys(("gemma-3-4b", "gemma-3-12b", "gemma-3-27b"), gemma_3),
    **dict.fromkeys(("bloom-560m", "bloom"), lambda name: renamed(published(name), ("transformer.", ""))),
    **dict.fromkeys(("qwen3-0.6b", "qwen3-1.7b", "falcon-7b", "falcon-180b"), lambda name: published(name, tied=True)),
    **dict.fromkeys(EXPERTS_ONE_BY_ONE, lambda name: experts_one_by_one(published(name))),
    **dict.fromkeys(("glm-4.5-air", "glm-4.5", "glm-4.6", "glm-4.7"), glm_4_5),
    **dict.fromkeys(("gpt-oss-20b", "gpt-oss-120b"), gpt_oss),
    **dict.fromkeys(("mixtral-8x7b", "mixtral-8x22b", "phi-3.5-moe"), mixtral),
    **dict.fromkeys(("deepseek-v3", "deepseek-r1", "deepseek-v3.1"), deepseek),
    **dict.fromkeys(("qwen3.6-27b", "qwen3.6-35b-a3b", "qwen3.5-397b-a17b"), qwen_3_5),
    "qwen3-next-80b-a3b": qwen_next,
    "minimax-m2": minimax_m2,
}
"""Of all others the file holds the parameters under their modules' names."""


def listing(name):
    """The file of a model of the catalogue {name: (dtype, shape)}."""
    return SPECIAL.get(name, published)(name)
