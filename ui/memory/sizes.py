"""The size of a model's weights in a format, remembered: the headers of a large mixture of experts take a second to write."""

from __future__ import annotations

import re
from functools import lru_cache

from calc.errors import ConfigError
from calc.model import Model
from calc.weights.formats import NumberFormat, flat_bytes, formats
from calc.weights.gguf_types import FTYPES
from calc.weights.weights import LineSize, Weights, format_of, known_formats, sizes_in_memory, weights

MOST_REMEMBERED = 128
"""Models × formats."""

FAMILIES = ("float", "group", "gguf_files", "gguf_blocks")
"""The lists of formats: floats and integers, small groups of 4 bits and fewer, llama.cpp's files, and the blocks they mix."""

OUTSIDE_FILES = ("gguf-q8_1", "gguf-q8_k", "gguf-f64", "gguf-i8", "gguf-i16", "gguf-i32", "gguf-i64")
"""Types of llama.cpp that hold no weights."""


@lru_cache(maxsize=MOST_REMEMBERED)
def weights_in(model: Model, format_name: str, imatrix: bool = False) -> Weights:
    """What the files of this format take. Raises ConfigError: as `calc.weights.weights.weights`."""
    return weights(model, format_name, imatrix=imatrix)


@lru_cache(maxsize=MOST_REMEMBERED)
def lines_in(model: Model, format_name: str, imatrix: bool = False) -> tuple[LineSize, ...]:
    """What each line of the parts list takes, without headers. Raises ConfigError: as `calc.weights.weights.weights`."""
    return sizes_in_memory(model, format_name, imatrix=imatrix)


def family_of(format_name: str) -> str:
    """In which of `FAMILIES` a format is listed.

    >>> [family_of(name) for name in ("int8", "awq-g128", "Q4_K_M")]
    ['float', 'group', 'gguf_files']
    """
    number = format_of(format_name)
    if isinstance(number, str):
        return "gguf_files"
    return "group" if number.family == "group" else "float"


def formats_of(family: str) -> tuple[str, ...]:
    """The names of a family's formats; of blocks those of `calc.weights.formats`, of files those that `weights` takes."""
    if family == "gguf_blocks":
        return tuple(name for name, number in formats().items() if number.family == "gguf" and name not in OUTSIDE_FILES)
    return tuple(name for name in known_formats() if family_of(name) == family)


def block_of(format_name: str) -> NumberFormat:
    """The block of a format; of a .gguf file that of the type most of its tensors take.

    >>> block_of("Q4_K_M").title, block_of("nf4").title
    ('Q4_K', 'NF4')
    """
    number = format_of(format_name)
    return formats()[f"gguf-{FTYPES[number].lower()}"] if isinstance(number, str) else number


def nominal_bits(format_name: str) -> int:
    """The bits that the format is called by, without all that stands beside the weights.

    >>> [nominal_bits(name) for name in ("fp16", "nf4-dq", "Q4_K_M", "IQ3_XXS", "gptq-8-g128", "mxfp4")]
    [16, 4, 4, 3, 8, 4]
    """
    number = format_of(format_name)
    if isinstance(number, str):
        return int(re.search(r"\d+", number)[0])
    return next(field.bits for field in number.fields if field.what == "weight")


def naive_bytes(parameters: int, format_name: str) -> int:
    """The rule of thumb: parameters · nominal bits ÷ 8."""
    return flat_bytes(parameters, nominal_bits(format_name))


def size_or_fault(model: Model, format_name: str, imatrix: bool = False) -> tuple[LineSize, ...] | ConfigError:
    """The lines, or why there is no such file of this model."""
    try:
        return lines_in(model, format_name, imatrix)
    except ConfigError as fault:
        return fault.with_traceback(None)
