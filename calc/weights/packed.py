"""What quantized .safetensors files store in place of a matrix of [out, in] weights.

| format             | in place of the matrix                                                                  |
|---|---|
| GPTQ               | qweight int32 [in·bits/32, out], qzeros int32 [g, out·bits/32], scales [g, out], g_idx int32 [in] |
| AWQ                | qweight int32 [in, out/8], qzeros int32 [g, out/8], scales [g, out]                     |
| bitsandbytes 4 bit | weight uint8 [out·in/2, 1], absmax, quant_map, quant_state, and nested_… if quantized twice |
| bitsandbytes 8 bit | weight int8 [out, in], SCB fp32 [out], weight_format uint8                              |
| FP8, INT8          | weight [out, in], weight_scale [1] or [out, 1], input_scale [1] of FP8 with one scale a matrix |
| FP8 in blocks      | weight [out, in], weight_scale_inv [⌈out/128⌉, ⌈in/128⌉]                                 |
| MXFP4              | …_blocks uint8 [E, out, in/32, 16], …_scales uint8 [E, out, in/32]                      |
| NVFP4              | weight uint8 [out, in/2], weight_scale fp8 [out, in/16], weight_scale_2 and input_scale fp32 |
| HQQ                | weights, scales and zeros; its files' own bookkeeping is not counted                    |

g is the number of groups of a row, ⌈in ÷ group⌉. Sources: AutoGPTQ, AutoAWQ, bitsandbytes, compressed-tensors, and the files of
DeepSeek-V3, Qwen3, gpt-oss and NVIDIA ModelOpt.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from calc.checkpoint.stored import StoredTensor
from calc.weights.file_names import FileTensor
from calc.weights.formats import NumberFormat

BYTES = {"F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "I8": 1, "U8": 1, "I32": 4}
NESTED_OFFSET = 0.04355616867542267
"""Stands for the offset of a doubly quantized scale, which only the weights tell; its digits are counted in the file."""


def stored(name: str, dtype: str, *shape: int) -> StoredTensor:
    """A tensor of this dtype and shape, with its bytes."""
    return StoredTensor(name, dtype, shape, math.prod(shape) * BYTES[dtype])


def packed(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    """What the file stores in place of a matrix, or of a stack of them.

    dtype   of what is not packed and of GPTQ's and AWQ's scales: BF16 or F16

    >>> from calc.model import Model
    >>> from calc.weights.file_names import file_tensors
    >>> from calc.weights.formats import number_format
    >>> query = next(t for t in file_tensors(Model.of("llama-3-8b").parts_list) if t.line.role == "query")
    >>> for each in packed(query, number_format("awq-g128"), "F16"):
    ...     print(each.name.rpartition(".")[2], each.dtype, each.shape, each.size_bytes)
    qweight I32 (4096, 512) 8388608
    qzeros I32 (32, 512) 65536
    scales F16 (32, 4096) 262144
    """
    return _PACKERS[number.name.partition("-")[0]](tensor, number, dtype)


def is_exact(number: NumberFormat) -> bool:
    """Whether the packed files of this format are described to the byte: not where they hold what only the weights tell."""
    return not number.name.startswith(("hqq", "nf4-dq"))


def _module(tensor: FileTensor) -> str:
    return tensor.name.removesuffix(".weight")


def _stack(tensor: FileTensor) -> tuple[int, ...]:
    return (tensor.matrices,) if tensor.matrices > 1 else ()


def _groups(tensor: FileTensor, number: NumberFormat) -> int:
    return -(-tensor.row_length // number.block[1])


def _words(numbers: int, bits: int) -> int:
    """32-bit words that so many numbers of so many bits take."""
    return -(-numbers * bits // 32)


def _gptq(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    bits, groups, module, stack = number.fields[0].bits, _groups(tensor, number), _module(tensor), _stack(tensor)
    return (
        stored(f"{module}.qweight", "I32", *stack, _words(tensor.row_length, bits), tensor.rows),
        stored(f"{module}.qzeros", "I32", *stack, groups, _words(tensor.rows, bits)),
        stored(f"{module}.scales", dtype, *stack, groups, tensor.rows),
        stored(f"{module}.g_idx", "I32", *stack, tensor.row_length),
    )


def _awq(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    groups, module, stack = _groups(tensor, number), _module(tensor), _stack(tensor)
    return (
        stored(f"{module}.qweight", "I32", *stack, tensor.row_length, _words(tensor.rows, 4)),
        stored(f"{module}.qzeros", "I32", *stack, groups, _words(tensor.rows, 4)),
        stored(f"{module}.scales", dtype, *stack, groups, tensor.rows),
    )


def _hqq(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    bits, groups, module = number.fields[0].bits, tensor.matrices * tensor.rows * _groups(tensor, number), _module(tensor)
    weights = -(-tensor.count * bits // 8)
    return (
        stored(f"{module}.W_q", "U8", weights),
        stored(f"{module}.scale", "F16", groups),
        stored(f"{module}.zero", "F16", groups),
    )


def _nf4(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    scales, name = -(-tensor.count // 64), tensor.name
    state: dict[str, object] = {
        "quant_type": "nf4",
        "blocksize": 64,
        "dtype": "bfloat16" if dtype == "BF16" else "float16",
        "shape": [*_stack(tensor), tensor.rows, tensor.row_length],
    }
    found = [stored(name, "U8", -(-tensor.count // 2), 1)]
    if number.name == "nf4-dq":
        state |= {"nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": NESTED_OFFSET}
        found += [
            stored(f"{name}.absmax", "U8", scales),
            stored(f"{name}.nested_absmax", "F32", -(-scales // 256)),
            stored(f"{name}.nested_quant_map", "F32", 256),
        ]
    else:
        found.append(stored(f"{name}.absmax", "F32", scales))
    written = len(json.dumps(state))
    return (*found, stored(f"{name}.quant_map", "F32", 16), stored(f"{name}.quant_state.bitsandbytes__nf4", "U8", written))


def _bitsandbytes_8(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    module, stack = _module(tensor), _stack(tensor)
    return (
        stored(tensor.name, "I8", *stack, tensor.rows, tensor.row_length),
        stored(f"{module}.SCB", "F32", *stack, tensor.rows),
        stored(f"{module}.weight_format", "U8"),
    )


def _eight_bits(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    name, stack = tensor.name, _stack(tensor)
    kind = "F8_E4M3" if number.name.startswith("fp8") else "I8"
    weight = stored(name, kind, *stack, tensor.rows, tensor.row_length)
    if number.block[0] > 1:
        blocks = (-(-tensor.rows // number.block[0]), -(-tensor.row_length // number.block[1]))
        return weight, stored(f"{name}_scale_inv", "F32" if number.fields[1].bits == 32 else "BF16", *stack, *blocks)
    if number.per_row:
        return weight, stored(f"{name}_scale", "BF16", *stack, tensor.rows, 1)
    return weight, stored(f"{name}_scale", "BF16", *stack, 1), stored(f"{_module(tensor)}.input_scale", "BF16", *stack, 1)


def _mxfp4(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    groups, stack = _groups(tensor, number), _stack(tensor)
    if stack:
        blocks = stored(f"{tensor.name}_blocks", "U8", *stack, tensor.rows, groups, 16)
        return blocks, stored(f"{tensor.name}_scales", "U8", *stack, tensor.rows, groups)
    module = _module(tensor)
    return (
        stored(f"{module}.weight_packed", "U8", tensor.rows, -(-tensor.row_length // 2)),
        stored(f"{module}.weight_scale", "U8", tensor.rows, groups),
    )


def _nvfp4(tensor: FileTensor, number: NumberFormat, dtype: str) -> tuple[StoredTensor, ...]:
    module, stack = _module(tensor), _stack(tensor)
    return (
        stored(tensor.name, "U8", *stack, tensor.rows, -(-tensor.row_length // 2)),
        stored(f"{tensor.name}_scale", "F8_E4M3", *stack, tensor.rows, _groups(tensor, number)),
        stored(f"{tensor.name}_scale_2", "F32", *stack),
        stored(f"{module}.input_scale", "F32", *stack),
    )


_PACKERS: dict[str, Callable[[FileTensor, NumberFormat, str], tuple[StoredTensor, ...]]] = {
    "gptq": _gptq,
    "awq": _awq,
    "hqq": _hqq,
    "nf4": _nf4,
    "bnb": _bitsandbytes_8,
    "fp8": _eight_bits,
    "int8": _eight_bits,
    "mxfp4": _mxfp4,
    "nvfp4": _nvfp4,
}
