"""Packed checkpoints counted in real parameters: files with shapes as published quantizers write them."""

import functools

import pytest

from calc.checkpoint.gguf_header import read_gguf
from calc.checkpoint.safetensors_header import read_safetensors
from calc.checkpoint.unpacked import unpacked
from calc.errors import ConfigError

from . import llama_shapes as shapes
from .llama_shapes import PARAMETERS, llama
from .writing import write_gguf, write_safetensors

VECTORS = 65 * 4096
"""The norms: two a layer and the last."""
QUANTIZED = 6_979_321_856
"""32 layers of 2 · 4096² + 2 · 1024 · 4096 + 3 · 14336 · 4096."""


def counted(path, tensors, config=None):
    """A checkpoint written, read and unpacked."""
    return unpacked(read_safetensors(write_safetensors(path / "model.safetensors", tensors)), config)


def ct(bits, group):
    """The config.json of a compressed-tensors checkpoint."""
    weights = {"num_bits": bits, "group_size": group, "strategy": "group" if group else "channel", "type": "int"}
    return {"quantization_config": {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": weights}}}}


def bind(packing, **options):
    """A packing with its width set."""
    return functools.partial(packing, **options)


PACKINGS = {
    "none": (None, {}),
    "gptq 4": (bind(shapes.gptq, bias=False), {}),
    "gptq 3": (bind(shapes.gptq, bits=3, bias=False), {}),
    "gptq 8 without order": (bind(shapes.gptq, bits=8, order=False, bias=False), {}),
    "gptq 3 without order": (bind(shapes.gptq, bits=3, order=False, bias=False), {}),
    "gptq 2, the config wrong": (bind(shapes.gptq, bits=2, order=False, bias=False), {"quantization_config": {"bits": 4}}),
    "awq 4": (shapes.awq, {}),
    "bitsandbytes 4": (shapes.bitsandbytes_4_bit, {}),
    "bitsandbytes 8": (shapes.bitsandbytes_8_bit, {}),
    **{f"compressed {bits}, groups": (bind(shapes.compressed, bits=bits), ct(bits, 128)) for bits in range(2, 9)},
    **{f"compressed {bits}, rows": (bind(shapes.compressed, bits=bits, group=None), ct(bits, None)) for bits in (2, 4, 8)},
    "fp8 blocks": (shapes.fp8_blocks, {}),
    "fp8 channels": (shapes.fp8_channels, {}),
    "nvfp4": (shapes.nvfp4, {}),
    "nvfp4 compressed": (shapes.nvfp4_compressed, {}),
    **{
        f"mlx {bits}": (bind(shapes.mlx, bits=bits), {"quantization": {"bits": bits, "group_size": 64}})
        for bits in (2, 3, 4, 5, 6, 8)
    },
    "mlx, width only": (shapes.mlx, {"quantization": {"bits": 4}}),
    "mlx, groups only": (bind(shapes.mlx, bits=6), {"quantization": {"group_size": 64}}),
}


@pytest.mark.parametrize("case", PACKINGS)
def test_llama_3_1_8b_in_every_packing(case, tmp_path):
    packed, config = PACKINGS[case]
    result = counted(tmp_path, llama(packed), config)
    assert result.real_elements == PARAMETERS
    shape = {tensor.name: tensor.shape for tensor in result.tensors}
    if "bitsandbytes 4" not in case:
        assert shape["model.layers.31.mlp.down_proj.weight"] == (4096, 14336)
        assert shape["model.layers.0.self_attn.k_proj.weight"] == (1024, 4096)
    assert len(shape) == len(result.tensors) == 32 * 9 + 3
    assert sum(tensor.packing is not None for tensor in result.tensors) == (0 if packed is None else 32 * 7)


def test_nothing_is_lost_between_weights_and_service(tmp_path):
    for packed, config in PACKINGS.values():
        tensors = llama(packed)
        result = counted(tmp_path, tensors, config)
        assert len(result.tensors) + len(result.service) == len(tensors)


def test_gptqs_dummy_biases_are_still_there(tmp_path):
    """Row 20 of the known mistakes: after unpacking the file holds 1,376,256 biases of zeros."""
    assert counted(tmp_path, llama(shapes.gptq)).real_elements == 8_031_637_504 == PARAMETERS + 1_376_256


def test_the_awq_file_has_the_published_size(tmp_path):
    """Row 24: predicted 5,727,854,592 B, published 5,727,938,576 B, of which the header is the difference."""
    path = write_safetensors(tmp_path / "m.safetensors", llama(shapes.awq, dtype="F16"))
    checkpoint = read_safetensors(path)
    assert checkpoint.size_bytes == 5_727_854_592
    assert path.stat().st_size == 5_727_854_592 + checkpoint.bytes_read


def test_bitsandbytes_as_the_hub_counts_it(tmp_path):
    """Row 22: the Hub takes every byte of a 4 bit file for two weights, scales too, and says 8,248,929,342.

    All of it is accounted for but for the lengths of 224 small JSON texts, which the header of the real file tells.
    """
    result = counted(tmp_path, llama(shapes.bitsandbytes_4_bit))
    assert result.real_elements == PARAMETERS
    beside = [item.tensor for item in result.service if "quant_state" not in item.tensor.name]
    texts = 8_248_929_342 - PARAMETERS - sum(t.elements * (2 if t.dtype == "U8" else 1) for t in beside)
    assert texts % 2 == 0 and 150 < texts / 2 / 224 < 200


def test_gpt_oss_20b(tmp_path):
    """Row 21: 21,511,953,984 with the scales, 20,914,757,184 without."""
    d, layers, number, width = 2880, 24, 32, 2880
    tensors = {
        "model.embed_tokens.weight": ("BF16", (201088, d)),
        "lm_head.weight": ("BF16", (201088, d)),
        "model.norm.weight": ("BF16", (d,)),
    }
    for layer in range(layers):
        p = f"model.layers.{layer}"
        for name, out, inputs in [("q", 4096, d), ("k", 512, d), ("v", 512, d), ("o", d, 4096)]:
            tensors[f"{p}.self_attn.{name}_proj.weight"] = ("BF16", (out, inputs))
            tensors[f"{p}.self_attn.{name}_proj.bias"] = ("BF16", (out,))
        tensors |= {
            f"{p}.self_attn.sinks": ("BF16", (64,)),
            f"{p}.mlp.router.weight": ("BF16", (number, d)),
            f"{p}.mlp.router.bias": ("BF16", (number,)),
            f"{p}.mlp.experts.gate_up_proj_blocks": ("U8", (number, 2 * width, d // 32, 16)),
            f"{p}.mlp.experts.gate_up_proj_scales": ("U8", (number, 2 * width, d // 32)),
            f"{p}.mlp.experts.gate_up_proj_bias": ("BF16", (number, 2 * width)),
            f"{p}.mlp.experts.down_proj_blocks": ("U8", (number, d, width // 32, 16)),
            f"{p}.mlp.experts.down_proj_scales": ("U8", (number, d, width // 32)),
            f"{p}.mlp.experts.down_proj_bias": ("BF16", (number, d)),
            f"{p}.input_layernorm.weight": ("BF16", (d,)),
            f"{p}.post_attention_layernorm.weight": ("BF16", (d,)),
        }
    result = counted(tmp_path, tensors)
    assert result.real_elements == 20_914_757_184
    assert result.real_elements + result.service_elements == 21_511_953_984
    assert {t.shape for t in result.tensors if t.name.endswith("experts.gate_up_proj")} == {(32, 2880, 5760)}


def test_rows_that_end_in_filling_say_so(tmp_path):
    """Three bits, ten to a word, one scale a row: 4096 inputs take 410 words, of which 4 numbers are filling."""
    result = counted(tmp_path, shapes.compressed("m", 4096, 4096, 3, None), ct(3, None))
    [tensor] = result.tensors
    assert tensor.elements == 4096 * 4100 and tensor.elements - tensor.padding <= 4096 * 4096 <= tensor.elements


def test_groups_of_two_widths_are_told_apart_by_their_shapes(tmp_path):
    config = ct(4, 128)
    config["quantization_config"]["config_groups"]["group_1"] = {"weights": {"num_bits": 8, "group_size": 32}}
    tensors = shapes.compressed("a", 512, 4096, 4, 128) | shapes.compressed("b", 512, 4096, 8, 32)
    assert [tensor.shape for tensor in counted(tmp_path, tensors, config).tensors] == [(512, 4096)] * 2


def test_a_stack_of_experts_in_awq_mlx_and_fp8(tmp_path):
    for tensors, config in [
        ({"e.qweight": ("I32", (8, 64, 16)), "e.qzeros": ("I32", (8, 1, 16)), "e.scales": ("F16", (8, 1, 128))}, {}),
        (
            {"e.weight": ("U32", (8, 128, 8)), "e.scales": ("F16", (8, 128, 1)), "e.biases": ("F16", (8, 128, 1))},
            {"quantization": {"bits": 8, "group_size": 32, "e": {"bits": 4, "group_size": 64}}},
        ),
        ({"e.down_proj": ("F8_E4M3", (8, 128, 64)), "e.down_proj_scale": ("F32", (8, 1, 64))}, {}),
        (
            {
                "e.down_proj": ("U8", (8, 128, 32)),
                "e.down_proj_weight_scale": ("F8_E4M3", (8, 128, 4)),
                "e.down_proj_weight_scale_2": ("F32", (8,)),
                "e.down_proj_input_scale": ("F32", (8,)),
            },
            {},
        ),
    ]:
        [tensor] = counted(tmp_path, tensors, config).tensors
        assert tensor.shape == (8, 128, 64)


@pytest.mark.parametrize(
    "tensors, config",
    [
        ({"m.weight": ("U32", (8, 8)), "m.scales": ("F16", (8, 1))}, {}),
        ({"m.weight": ("U32", (8, 8)), "m.scales": ("F16", (8, 1))}, {"quantization": {"bits": "4"}}),
        ({"m.weight": ("U32", (8, 8)), "m.scales": ("F16", (8, 1))}, {"quantization": {"bits": 0, "group_size": 0}}),
        ({"m.weight_packed": ("I32", (8, 8)), "m.weight_scale": ("F16", (8, 1))}, {}),
        ({"m.weight_packed": ("I32", (8, 8)), "m.weight_scale": ("F16", (8, 3))}, ct(4, 128)),
        ({"m.weight_packed": ("I32", (8,))}, ct(4, None)),
        ({"m.qweight": ("I32", (8, 8)), "m.scales": ("F16", (1, 8))}, {}),
        ({"m.qweight": ("I32", (8, 8)), "m.scales": ("F16", (1, 0))}, {}),
        ({"m.qweight": ("I32", (8, 7)), "m.scales": ("F16", (1, 10_000))}, {}),
        ({"m.qweight": ("I32", (8,)), "m.scales": ("F16", (8,))}, {}),
        ({"m.qweight": ("F32", (8, 8)), "m.scales": ("F16", (1, 8))}, {"quantization_config": {"bits": 4}}),
    ],
)
def test_a_width_that_nothing_tells_is_refused_not_guessed(tensors, config, tmp_path):
    with pytest.raises(ConfigError) as caught:
        counted(tmp_path, tensors, config)
    assert caught.value.code == "packing_unclear" and '"m.' in str(caught.value)


def test_a_scale_with_nothing_to_scale_is_a_weight(tmp_path):
    """Some models have parameters that are called scale."""
    tensors = {"a.scales": ("F32", (4,)), "b.weight_scale": ("F32", (4,)), "c.layer_scale": ("F32", (4,)), "d.SCB": ("F32", (4,))}
    assert counted(tmp_path, tensors).real_elements == 16


def more_bits(layer, layers):
    """llama.cpp's choice of the layers whose value and down matrices get Q6_K in a Q4_K_M file."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def test_llama_2_7b_as_q4_k_m(tmp_path):
    """Row 23: 4,081,004,224 B, of which 741,056 are the header with its vocabulary."""
    d, ffn = 4096, 11008
    tensors = {
        "token_embd.weight": ("Q4_K", (32000, d)),
        "output.weight": ("Q6_K", (32000, d)),
        "output_norm.weight": ("F32", (d,)),
    }
    for layer in range(32):
        better = "Q6_K" if more_bits(layer, 32) else "Q4_K"
        block = {
            "attn_q": ("Q4_K", (d, d)),
            "attn_k": ("Q4_K", (d, d)),
            "attn_v": (better, (d, d)),
            "attn_output": ("Q4_K", (d, d)),
            "ffn_gate": ("Q4_K", (ffn, d)),
            "ffn_up": ("Q4_K", (ffn, d)),
            "ffn_down": (better, (d, ffn)),
            "attn_norm": ("F32", (d,)),
            "ffn_norm": ("F32", (d,)),
        }
        tensors |= {f"blk.{layer}.{name}.weight": tensor for name, tensor in block.items()}
    checkpoint = read_gguf(write_gguf(tmp_path / "llama-2-7b.Q4_K_M.gguf", tensors))
    assert checkpoint.size_bytes == 4_081_004_224 - 741_056
    assert unpacked(checkpoint).real_elements == 6_738_415_616
    assert round(8 * checkpoint.size_bytes / 6_738_415_616, 3) == 4.844
