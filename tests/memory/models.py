"""Configs of published models whose files' sizes are published too, as far as they decide a size.

Sizes: the files' listings on the Hub, collected with their sources in the table of file sizes that the README names; each .gguf
is of llama.cpp's own quantizer, without an importance matrix unless said.
"""

from calc.catalogue import catalogue

LLAMA_3_ROTATION = {"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}


def named(name, **changes):
    """A catalogue model's config with some fields changed."""
    return {**catalogue()[name].config, **changes}


def qwen3(hidden_size, intermediate_size, layers, heads):
    """A dense Qwen3 of 8B or more: 8 kv heads 128 wide, untied."""
    return {
        "model_type": "qwen3",
        "hidden_size": hidden_size,
        "intermediate_size": intermediate_size,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 151936,
        "tie_word_embeddings": False,
    }


CONFIGS = {
    "Llama-2-7B": named("llama-2-7b"),
    "Llama-3.1-8B": named("llama-3-8b", **LLAMA_3_ROTATION),
    "Llama-3.3-70B": named("llama-3-70b", **LLAMA_3_ROTATION),
    "Qwen2.5-7B": named("qwen2.5-7b"),
    "Qwen2.5-32B": named("qwen2.5-32b"),
    "Qwen3-8B": qwen3(4096, 12288, 36, 32),
    "Qwen3-32B": qwen3(5120, 25600, 64, 64),
    "Qwen3-30B-A3B": named("qwen3-30b-a3b"),
    "Mistral-Small-24B": {
        "model_type": "mistral",
        "hidden_size": 5120,
        "intermediate_size": 32768,
        "num_hidden_layers": 40,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 131072,
        "tie_word_embeddings": False,
    },
    "gpt-oss-20b": named("gpt-oss-20b"),
    "gpt-oss-120b": named("gpt-oss-20b", num_hidden_layers=36, num_local_experts=128),
}

GGUF_BYTES = {
    ("Llama-2-7B", "Q4_0"): 3_825_807_040,
    ("Llama-2-7B", "Q4_K_M"): 4_081_004_224,
    ("Llama-2-7B", "Q5_K_M"): 4_783_156_928,
    ("Llama-2-7B", "Q6_K"): 5_529_194_176,
    ("Llama-2-7B", "Q8_0"): 7_161_089_728,
    ("Llama-3.1-8B", "Q4_K_M"): 4_920_739_232,
    ("Llama-3.1-8B", "Q5_K_M"): 5_732_992_416,
    ("Llama-3.1-8B", "Q6_K"): 6_596_011_424,
    ("Llama-3.1-8B", "Q8_0"): 8_540_775_840,
    ("Qwen2.5-7B", "Q4_0"): 4_444_121_792,
    ("Qwen2.5-7B", "Q4_K_M"): 4_683_074_240,
    ("Qwen2.5-7B", "Q5_K_M"): 5_444_831_936,
    ("Qwen2.5-7B", "Q6_K"): 6_254_199_488,
    ("Qwen2.5-7B", "Q8_0"): 8_098_525_888,
    ("Qwen3-8B", "Q4_0"): 4_787_332_640,
    ("Qwen3-8B", "Q4_K_M"): 5_027_784_224,
    ("Qwen3-8B", "Q5_K_M"): 5_851_112_992,
    ("Qwen3-8B", "Q6_K"): 6_725_899_808,
    ("Qwen3-8B", "Q8_0"): 8_709_518_880,
    ("Qwen2.5-32B", "Q4_K_M"): 19_851_336_576,
    ("Qwen2.5-32B", "Q5_K_M"): 23_262_157_696,
    ("Qwen2.5-32B", "Q6_K"): 26_886_155_136,
    ("Qwen2.5-32B", "Q8_0"): 34_820_885_376,
    ("Qwen3-32B", "Q4_K_M"): 19_762_149_696,
    ("Qwen3-32B", "Q5_K_M"): 23_214_831_936,
    ("Qwen3-32B", "Q6_K"): 26_883_306_816,
    ("Qwen3-32B", "Q8_0"): 34_817_719_616,
    ("Qwen3-30B-A3B", "Q4_K_M"): 18_556_686_752,
    ("Qwen3-30B-A3B", "Q5_K_M"): 21_725_581_728,
    ("Qwen3-30B-A3B", "Q6_K"): 25_092_532_640,
    ("Qwen3-30B-A3B", "Q8_0"): 32_483_932_576,
    ("Llama-3.3-70B", "Q4_K_M"): 42_520_398_816,
    ("Llama-3.3-70B", "Q5_K_M"): 49_949_822_112,
    ("Llama-3.3-70B", "Q6_K"): 57_888_148_672,
    ("Llama-3.3-70B", "Q8_0"): 74_975_055_008,
    ("Mistral-Small-24B", "Q4_K_M"): 14_333_915_264,
    ("Mistral-Small-24B", "Q5_K_M"): 16_763_990_144,
    ("Mistral-Small-24B", "Q6_K"): 19_345_944_704,
    ("Mistral-Small-24B", "Q8_0"): 25_054_785_664,
    ("gpt-oss-20b", "MXFP4_MOE"): 12_109_566_624,
    ("gpt-oss-120b", "MXFP4_MOE"): 63_387_346_208,
}
"""(model, file type) → bytes of the published file."""

WITH_IMATRIX = {("Qwen2.5-7B", "Q4_0"), ("Qwen3-8B", "Q4_0")}

IN_PARTS = {("Llama-3.3-70B", "Q5_K_M"), ("Llama-3.3-70B", "Q6_K"), ("Llama-3.3-70B", "Q8_0")}
"""Published in two files each, the Hub taking none above 50 GB: the second has a header of its own."""

METADATA = {
    "Llama-2-7B": 723_770,
    "Llama-3.1-8B": 7_823_593,
    "Llama-3.3-70B": 7_823_945,
    "Qwen2.5-7B": 5_934_936,
    "Qwen2.5-32B": 5_934_936,
    "Qwen3-8B": 5_933_630,
    "Qwen3-32B": 5_933_582,
    "Qwen3-30B-A3B": 5_933_960,
    "Mistral-Small-24B": 7_867_434,
    "gpt-oss-20b": 12_980_382,
    "gpt-oss-120b": 12_980_366,
}
"""Bytes of tokenizer and other metadata at the beginning of the model's files, one constant for all of them. Models of one
tokenizer differ by no more than the text of their names and the filling that follows: Qwen2.5's two not at all."""

SAFETENSORS_BYTES = {
    ("Llama-3.1-8B", "bf16"): (16_060_556_376, {}),
    ("Llama-3.1-8B", "awq-g128"): (5_727_938_576, {}),
    ("Llama-3.1-8B", "fp8"): (9_081_287_016, {}),
    ("Llama-3.3-70B", "awq-g128"): (39_767_996_256, {}),
    ("Llama-3.3-70B", "fp8-channel"): (72_669_954_704, {}),
    ("Qwen2.5-7B", "awq-g128"): (5_570_829_760, {"shard_bytes": 4 * 10**9}),
    ("Qwen3-8B", "awq-g128"): (6_098_581_864, {"unpacked_dtype": "BF16"}),
    ("Qwen3-32B", "awq-g128"): (19_325_481_744, {"unpacked_dtype": "BF16"}),
    ("Qwen3-8B", "fp8-block-bf16"): (9_436_628_784, {}),
    ("Qwen3-32B", "fp8-block-bf16"): (34_322_567_640, {}),
}
"""(model, format) → bytes of all its published .safetensors files, and how they were saved, where not as usual."""
