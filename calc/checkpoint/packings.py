"""One packed tensor in real weights, by the format it is packed in.

A packing whose width the file does not settle is refused, not guessed.

| format             | weights in                                      | neighbours                                      |
|---|---|---|
| GPTQ               | qweight int32 [in·bits/32, out]                 | qzeros, scales, g_idx                           |
| AWQ                | qweight int32 [in, out·bits/32]                 | qzeros, scales                                  |
| bitsandbytes 4 bit | weight uint8 [in·out/2, 1]                      | absmax, quant_map, nested_…, quant_state        |
| bitsandbytes 8 bit | weight int8 [out, in]                           | SCB, weight_format                              |
| compressed-tensors | weight_packed int32 [out, ⌈in ÷ ⌊32/bits⌋⌉]     | weight_scale, weight_zero_point, weight_shape … |
| FP8, INT8          | weight [out, in]                                | weight_scale, weight_scale_inv, input_scale     |
| MXFP4 (gpt-oss)    | …_blocks uint8 [E, out, in/32, 16]              | …_scales                                        |
| NVFP4, MXFP4       | weight, weight_packed uint8 [out, in/2]         | weight_scale, weight_scale_2, …                 |
| MLX                | weight uint32 [out, in·bits/32]                 | scales, biases                                  |
| GGUF               | blocks of its types; the header gives [out, in] | inside the blocks                               |
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from calc.checkpoint.stored import StoredTensor
from calc.errors import ConfigError, quoted

BITS = range(1, 17)
WORD_BITS = {"I32": 32, "U32": 32, "I64": 64, "I16": 16, "U8": 8, "I8": 8}


@dataclass(frozen=True, slots=True)
class RealTensor:
    """One tensor in real weights.

    name       as the unpacked checkpoint would call it: `q_proj.weight` of `q_proj.qweight`
    shape      its lengths unpacked, None where the header does not tell them
    elements   weights it represents
    packing    the format it was packed in, None where it was not
    padding    numbers at the ends of packed rows that may be filling: at least elements − padding are real
    """

    name: str
    shape: tuple[int, ...] | None
    elements: int
    packing: str | None = None
    padding: int = 0


def real_tensor(tensor: StoredTensor, by_name: Mapping[str, StoredTensor], config: Mapping[str, object]) -> RealTensor:
    """A tensor in real weights, by its dtype and its neighbours.

    by_name   all tensors of the file
    config    where `quantization_config` (MLX: `quantization`) gives the width of a packing that the shapes leave open

    Raises ConfigError: packing_unclear.
    """
    module, _, last = tensor.name.rpartition(".")
    scales = by_name.get(f"{module}.scales")
    if last == "qweight" and scales:
        return _gptq_or_awq(tensor, module, scales, by_name, config)
    if last == "weight_packed":
        return _compressed(tensor, module, by_name, config)
    if last == "weight" and tensor.dtype == "U32" and scales:
        return _mlx(tensor, module, scales, config)
    if tensor.name.endswith("_blocks") and f"{tensor.name.removesuffix('_blocks')}_scales" in by_name:
        return _mxfp4(tensor)
    if f"{tensor.name}.absmax" in by_name:
        return RealTensor(tensor.name, None, 2 * tensor.size_bytes, "bitsandbytes")
    scale = _weight_scale(tensor.name, by_name)
    if tensor.dtype == "U8" and scale is not None:
        return RealTensor(tensor.name, *_two_in_a_byte(tensor, scale), "fp4")
    if last == "weight" and f"{module}.SCB" in by_name:
        return RealTensor(tensor.name, tensor.shape, tensor.elements, "bitsandbytes")
    if scale is not None:
        return RealTensor(tensor.name, tensor.shape, tensor.elements, "fp8" if tensor.dtype.startswith("F8") else "scaled")
    return RealTensor(tensor.name, tensor.shape, tensor.elements)


def _gptq_or_awq(
    tensor: StoredTensor, module: str, scales: StoredTensor, by_name: Mapping[str, StoredTensor], config: Mapping[str, object]
) -> RealTensor:
    """GPTQ packs the inputs, AWQ the outputs; the scales [groups, out] tell which."""
    zeros, order = by_name.get(f"{module}.qzeros"), by_name.get(f"{module}.g_idx")
    if len(tensor.shape) < 2 or not scales.shape or tensor.dtype not in WORD_BITS or not scales.shape[-1]:
        raise _unclear(tensor)
    *stack, rows, columns = tensor.shape
    word, out = WORD_BITS[tensor.dtype], scales.shape[-1]
    if columns != out:
        bits = columns * word // out
        if bits not in BITS or bits * out != columns * word:
            raise _unclear(tensor)
        return _packed(module, (*stack, out, rows), "awq")
    if order is not None and order.elements and not stack:
        inputs = order.elements
        bits = rows * word // inputs
    else:
        given = _section(config, "quantization_config").get("bits")
        bits = zeros.shape[-1] * WORD_BITS.get(zeros.dtype, 0) // out if zeros is not None and zeros.shape else given
        if type(bits) is not int or bits not in BITS:
            raise _unclear(tensor)
        inputs = rows * word // bits
    if bits not in BITS or inputs * bits != rows * word:
        raise _unclear(tensor)
    return _packed(module, (*stack, out, inputs), "gptq")


def _compressed(
    tensor: StoredTensor, module: str, by_name: Mapping[str, StoredTensor], config: Mapping[str, object]
) -> RealTensor:
    """compressed-tensors: ⌊32/bits⌋ weights an int32, or two a byte; the last word of a row may be part filling.

    The groups' scales settle the row's length; without groups, up to ⌊32/bits⌋ − 1 of a row's numbers are filling.
    """
    scale = by_name.get(f"{module}.weight_scale")
    if tensor.dtype == "U8":
        shape, elements = _two_in_a_byte(tensor, scale)
        return RealTensor(f"{module}.weight", shape, elements, "fp4")
    if len(tensor.shape) < 2 or tensor.dtype != "I32":
        raise _unclear(tensor)
    *rows, columns = tensor.shape
    groups = scale.shape[-1] if scale is not None and len(scale.shape) == len(tensor.shape) else 1
    lengths, loosest = set(), set()
    for bits, group_size in _schemes(config):
        in_word = 32 // bits
        if group_size:
            length = groups * group_size
            if -(-length // in_word) == columns or length * bits == columns * 32:
                lengths.add(length)
        elif groups == 1:
            loosest.add((columns * in_word, 0 if 32 % bits == 0 else in_word - 1))
    if len(lengths) == 1:
        return _packed(module, (*rows, lengths.pop()), "compressed-tensors")
    if lengths or len(loosest) != 1:
        raise _unclear(tensor)
    length, filling = loosest.pop()
    real = _packed(module, (*rows, length), "compressed-tensors")
    return replace(real, shape=None, padding=real.elements // length * filling) if filling else real


def _schemes(config: Mapping[str, object]) -> Iterator[tuple[int, int | None]]:
    """(bits, group_size) of each group of `quantization_config`; group_size None where a whole row shares a scale."""
    quantization = _section(config, "quantization_config") or _section(config, "compression_config")
    groups = quantization.get("config_groups")
    for group in groups.values() if isinstance(groups, dict) else ():
        weights = group.get("weights") if isinstance(group, dict) else None
        if not isinstance(weights, dict) or type(weights.get("num_bits")) is not int or weights["num_bits"] not in BITS:
            continue
        size = weights.get("group_size")
        yield weights["num_bits"], size if type(size) is int and size > 0 else None


def _mlx(tensor: StoredTensor, module: str, scales: StoredTensor, config: Mapping[str, object]) -> RealTensor:
    """MLX: in · bits ÷ 32 words a row, one scale for each group of a row."""
    quantization = _section(config, "quantization") or _section(config, "quantization_config")
    own = quantization.get(module)
    settings = quantization | (own if isinstance(own, dict) else {})
    bits, group_size = settings.get("bits"), settings.get("group_size")
    if not tensor.shape or len(scales.shape) != len(tensor.shape) or not scales.shape[-1]:
        raise _unclear(tensor)
    *rows, columns = tensor.shape
    if type(group_size) is int and group_size > 0:
        length = scales.shape[-1] * group_size
        width, left = divmod(columns * 32, length)
        if not left and width in BITS:
            return _packed(module, (*rows, length), "mlx")
    if type(bits) is int and bits in BITS and columns * 32 % bits == 0 and columns * 32 // bits % scales.shape[-1] == 0:
        return _packed(module, (*rows, columns * 32 // bits), "mlx")
    raise _unclear(tensor)


def _mxfp4(tensor: StoredTensor) -> RealTensor:
    """gpt-oss: two weights a byte, blocks [E, out, in/32, 16]; the model itself keeps [E, in, out]."""
    name = tensor.name.removesuffix("_blocks")
    if len(tensor.shape) != 4:
        return RealTensor(name, None, 2 * tensor.elements, "mxfp4")
    stack, out, groups, in_block = tensor.shape
    return RealTensor(name, (stack, groups * in_block * 2, out), 2 * tensor.elements, "mxfp4")


def _weight_scale(name: str, by_name: Mapping[str, StoredTensor]) -> StoredTensor | None:
    suffixes = ("_scale", "_scale_inv", "_weight_scale", "_weight_scale_inv")
    return next((by_name[name + suffix] for suffix in suffixes if name + suffix in by_name), None)


def _two_in_a_byte(tensor: StoredTensor, scale: StoredTensor | None) -> tuple[tuple[int, ...] | None, int]:
    """Shape and count of a matrix of 4 bit numbers, two a byte along its inputs, or along its outputs."""
    if not tensor.shape:
        return None, 2
    *rows, columns = tensor.shape
    if scale is not None and len(rows) == 1 and scale.shape[:1] == (2 * rows[0],):
        return (2 * rows[0], columns), 2 * tensor.elements
    return (*rows, 2 * columns), 2 * tensor.elements


def _packed(module: str, shape: tuple[int, ...], packing: str) -> RealTensor:
    return RealTensor(f"{module}.weight", shape, math.prod(shape), packing)


def _section(config: Mapping[str, object], name: str) -> dict[str, object]:
    """A part of the config that describes the packing; nested configs have it outside or inside `text_config`."""
    for place in (config, config.get("text_config")):
        section = place.get(name) if isinstance(place, Mapping) else None
        if isinstance(section, dict):
            return section
    return {}


def _unclear(tensor: StoredTensor) -> ConfigError:
    return ConfigError("packing_unclear", tensor=quoted(tensor.name), dtype=tensor.dtype, shape=list(tensor.shape))
