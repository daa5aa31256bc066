"""The size of a model's weights in any format, tensor by tensor, from its config alone.

.safetensors   what `save_pretrained` or the format's own tool writes: data, headers and index, to the byte
.gguf          the tensors of llama.cpp's file and their list; not the tokenizer and other metadata before them, one constant a
               model that a config says nothing about
numbers alone  parameters · bits ÷ 8: a bound, no file
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from calc.checkpoint.stored import StoredTensor
from calc.errors import ConfigError
from calc.model import Model
from calc.parts_list import PartsList
from calc.tensors import Part, Tensor
from calc.weights.file_names import FileTensor, file_tensors, is_named_as_published, pieces_once
from calc.weights.format_names import FLAT, format_of, known_formats
from calc.weights.formats import flat_bytes, formats, unknown_format
from calc.weights.gguf_mix import ARCHITECTURES, DROPS_ROWS, IN_32_BITS, GgufTensor, gguf_tensors, list_bytes, needs_imatrix
from calc.weights.number_format import NumberFormat
from calc.weights.packed import is_exact, packed, stored
from calc.weights.safetensors_files import SHARD_BYTES, File, files, index_bytes
from calc.weights.unquantized import Reason, reason_unquantized

__all__ = ["Kind", "LineSize", "Weights", "format_of", "known_formats", "line_sizes", "shards", "sizes_in_memory", "weights"]

Kind = Literal["safetensors", "gguf", "numbers"]

DTYPES = {"fp32": "F32", "tf32": "F32", "fp16": "F16", "bf16": "BF16"}
MOST_TENSORS = 300_000
"""Tensors of a file that are laid out one by one: Kimi-K2's GPTQ files would hold 280,000."""
MOST_GGUF_TENSORS = 20_000
"""A .gguf stacks the experts: DeepSeek-V3's holds 1,100 tensors. Choosing their types takes longer."""
IN_FLOAT16 = ("gptq", "awq", "hqq")
"""Packings whose tools leave in FP16 what they do not pack; the others leave it in BF16. Qwen3's AWQ files have BF16 too."""


@dataclass(frozen=True, slots=True)
class LineSize:
    """What all copies of a line of the parts list take in the file.

    name      in the parts list
    part      of the model
    type      what it is stored in: a dtype, a type of llama.cpp, or the format's title
    tensors   how many of the file
    numbers   how many weights
    bytes     scales and all that the packing adds included
    reason    why it keeps 16 or 32 bits in a quantized file, None where it does not
    """

    name: str
    part: Part | None
    type: str
    tensors: int
    numbers: int
    bytes: int
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a model in a format.

    format        `bf16`, `awq-g128`, `Q4_K_M`
    kind          what file it is
    parameters    of the model
    lines         line by line, in the order of the parts list
    data_bytes    of all tensors, with the filling a .gguf puts between them
    header_bytes  headers of .safetensors files with the 8 bytes before each; of a .gguf the list of tensors alone
    index_bytes   of the index of several .safetensors files, not in `bytes`
    files         names of the .safetensors files
    is_exact      whether a real file has exactly that size, a .gguf's metadata aside
    imatrix       whether an importance matrix is taken for given, None where that means nothing
    """

    format: str
    kind: Kind
    parameters: int
    lines: tuple[LineSize, ...]
    data_bytes: int
    header_bytes: int
    index_bytes: int = 0
    files: tuple[str, ...] = field(default=(), hash=False)
    is_exact: bool = True
    imatrix: bool | None = None

    @property
    def bytes(self) -> int:
        """Of the .safetensors files, headers included; of a .gguf its tensors alone, as llama.cpp counts its `model size`."""
        return self.data_bytes + (self.header_bytes if self.kind == "safetensors" else 0)

    @property
    def bits_per_weight(self) -> Fraction:
        """8 · data_bytes ÷ parameters."""
        return Fraction(8 * self.data_bytes, self.parameters)

    @property
    def by_type(self) -> dict[str, int]:
        """Bytes of each type, the largest first; they sum to `data_bytes`."""
        found: dict[str, int] = {}
        for line in self.lines:
            found[line.type] = found.get(line.type, 0) + line.bytes
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def weights(
    model: Model, format_name: str, *, imatrix: bool = False, shard_bytes: int = SHARD_BYTES, unpacked_dtype: str | None = None
) -> Weights:
    """The size of the weights of the model.

    format_name   one of `calc.weights.format_names.known_formats()`, upper or lower case
    imatrix       .gguf: whether llama-quantize is given an importance matrix
    shard_bytes   .safetensors: the size at which a new file is begun
    unpacked_dtype   of a packed .safetensors file's other tensors, "F16" or "BF16"; None for the tool's own

    Raises ConfigError: unknown_format, unknown_format_similar, gguf_not_described, gguf_no_fallback,
    too_much_work, and all that `Model.of` raises.

    >>> llama = Model.of("llama-2-7b")
    >>> weights(llama, "Q4_K_M").bytes, round(float(weights(llama, "Q4_K_M").bits_per_weight), 2)
    (4080263168, 4.84)
    >>> in_16_bits = weights(llama, "fp16")
    >>> in_16_bits.data_bytes, in_16_bits.header_bytes, len(in_16_bits.files)
    (13476831232, 33520, 3)
    """
    number = format_of(format_name)
    if isinstance(number, str):
        return _gguf(model, number, imatrix)
    parts_list = model.parts_list
    if number.name in FLAT:
        return _numbers_alone(model, number)
    lines, total = line_sizes(parts_list, number, unpacked_dtype), model.parameters
    of = _files(parts_list, number, unpacked_dtype, shard_bytes)
    return Weights(
        number.name,
        "safetensors",
        total,
        lines,
        sum(line.bytes for line in lines),
        sum(file.bytes - file.data_bytes for file in of),
        index_bytes(of, total),
        tuple(file.name for file in of),
        is_exact=is_named_as_published(parts_list) and is_exact(number),
    )


def sizes_in_memory(model: Model, format_name: str, *, imatrix: bool = False) -> tuple[LineSize, ...]:
    """What each line of the parts list takes once it is loaded: as in the file, without headers.

    Raises ConfigError: all that `weights` raises.

    >>> sum(line.bytes for line in sizes_in_memory(Model.of({"model_type": "llama"}), "bf16"))
    13476831232
    """
    number = format_of(format_name)
    if isinstance(number, str):
        return _gguf(model, number, imatrix).lines
    return _numbers_alone(model, number).lines if number.name in FLAT else line_sizes(model.parts_list, number)


def line_sizes(parts_list: PartsList, number: NumberFormat, unpacked_dtype: str | None = None) -> tuple[LineSize, ...]:
    """What each line of the parts list takes in .safetensors files, without their headers."""
    has_experts, dtype = any(tensor.experts for tensor in parts_list.tensors), _dtype(number, unpacked_dtype)
    found = []
    for line in parts_list.tensors:
        if line.tied_to is not None:
            continue
        reason = reason_unquantized(line, number.scope, has_experts)
        is_packed = bool(number.packing) and reason is None
        tensors = numbers = size = 0
        kind = number.title
        for piece, times in pieces_once(parts_list.model_type, line):
            in_file = packed(piece, number, dtype) if is_packed else (_plain(piece, dtype),)
            kind = kind if is_packed else in_file[0].dtype
            tensors, numbers = tensors + times * len(in_file), numbers + times * piece.count
            size += times * sum(each.size_bytes for each in in_file)
        found.append(LineSize(line.name, line.part, kind, tensors, numbers, size, reason))
    return tuple(found)


def shards(
    model: Model, format_name: str, *, shard_bytes: int = SHARD_BYTES, unpacked_dtype: str | None = None
) -> tuple[File, ...]:
    """The .safetensors files themselves, with every tensor they hold. Raises ConfigError: all that `weights` raises.

    >>> [file.bytes for file in shards(Model.of({"model_type": "gpt2"}), "fp32")]
    [497774208]
    """
    number = format_of(format_name)
    if isinstance(number, str) or number.name in FLAT:
        raise unknown_format(
            format_name, {name: of for name, of in formats().items() if of.family != "gguf" and name not in FLAT}
        )
    return _files(model.parts_list, number, unpacked_dtype, shard_bytes)


def _dtype(number: NumberFormat, unpacked_dtype: str | None) -> str:
    """Of all that is not packed."""
    return DTYPES.get(number.name) or unpacked_dtype or ("F16" if number.packing in IN_FLOAT16 else "BF16")


def _files(parts_list: PartsList, number: NumberFormat, unpacked_dtype: str | None, shard_bytes: int) -> tuple[File, ...]:
    """The .safetensors files, every tensor in its order. Raises ConfigError: too_much_work."""
    _check_work(number.name, sum(line.tensors for line in line_sizes(parts_list, number, unpacked_dtype)), MOST_TENSORS)
    has_experts, dtype = any(tensor.experts for tensor in parts_list.tensors), _dtype(number, unpacked_dtype)
    reasons = {tensor.name: reason_unquantized(tensor, number.scope, has_experts) for tensor in parts_list.tensors}
    stored_tensors: list[StoredTensor] = []
    for tensor in file_tensors(parts_list):
        is_packed = number.packing and reasons[tensor.line.name] is None
        stored_tensors += packed(tensor, number, dtype) if is_packed else (_plain(tensor, dtype),)
    return files(stored_tensors, shard_bytes)


def _check_work(format_name: str, tensors: int, most: int) -> None:
    """Refuse to lay out a file one tensor after the other where its number of tensors is no model's."""
    if tensors > most:
        raise ConfigError("too_much_work", "format", value=format_name, tensors=f"{tensors:,}", limit=f"{most:,}")


def _plain(tensor: FileTensor, dtype: str) -> StoredTensor:
    """A tensor as it is. What corrects a router's scores stays in 32 bits, as in DeepSeek-V3's files."""
    return stored(tensor.name, "F32" if tensor.line.role == "router_correction" else dtype, *tensor.shape)


def _gguf(model: Model, ftype: str, imatrix: bool) -> Weights:
    parts_list = model.parts_list
    _check_work(ftype, sum(1 if line.layers is None else len(line.layers) for line in parts_list.tensors), MOST_GGUF_TENSORS)
    tensors = gguf_tensors(model, ftype, imatrix)
    of_lines: dict[tuple[str, str], list[GgufTensor]] = {}
    for tensor in tensors:
        of_lines.setdefault((tensor.line or tensor.name, tensor.kind), []).append(tensor)
    lines = {tensor.name: tensor for tensor in parts_list.tensors}
    order = {name: place for place, name in enumerate(lines)}
    sizes = [
        LineSize(
            name,
            lines[name].part if name in lines else None,
            kind,
            len(of_line),
            sum(math.prod(tensor.shape) for tensor in of_line),
            sum(tensor.padded_bytes for tensor in of_line),
            _reason_in_32_bits(kind, lines.get(name)),
        )
        for (name, kind), of_line in of_lines.items()
    ]
    return Weights(
        ftype,
        "gguf",
        model.parameters,
        tuple(sorted(sizes, key=lambda size: order.get(size.name, len(order)))),
        sum(tensor.padded_bytes for tensor in tensors),
        list_bytes(tensors),
        is_exact=ARCHITECTURES.get(parts_list.model_type) not in DROPS_ROWS and not parts_list.not_counted,
        imatrix=imatrix or needs_imatrix(ftype),
    )


def _reason_in_32_bits(kind: str, line: Tensor | None) -> Reason | None:
    """Why llama.cpp keeps a line in 32 bits; None where it is quantized, or is a matrix of a file in 32 bits."""
    if kind != "F32" or line is None or (line.kind in ("matrix", "table") and line.role not in IN_32_BITS):
        return None
    return reason_unquantized(line, "layers")


def _numbers_alone(model: Model, number: NumberFormat) -> Weights:
    bits = number.block_bits
    lines = tuple(
        LineSize(t.name, t.part, number.title, t.copies, t.parameters, flat_bytes(t.parameters, bits), None)
        for t in model.tensors
        if t.parameters
    )
    return Weights(number.name, "numbers", model.parameters, lines, flat_bytes(model.parameters, bits), 0, is_exact=False)
