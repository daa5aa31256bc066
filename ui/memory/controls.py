"""What a reader chooses on the pages on memory: a format, a GPU of the list or typed in, several of them, the cache's dtype."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import streamlit as st

from calc.compute import quantities
from calc.errors import ConfigError
from calc.gpus import Gpu, find_gpu, gpus
from calc.memory.tensor_parallel import MOST_GPUS, checked_gpus
from calc.mixing import Mixing
from calc.mixing.kv_cache import LARGEST_BATCH, bits_of
from calc.weights.weights import format_of, known_formats
from ui.frame import address
from ui.frame.fields import ask, ask_among, settle, whole
from ui.frame.language import current, text
from ui.memory.titles import title_in
from ui.texts import text_in

OWN_GPU = "own"
"""What the address says where the GPU is typed in."""
FIRST_FORMAT = "fp16"
FIRST_GPU = "T4"
CACHE_DTYPES = ("fp16", "fp8", "q8_0", "int4", "q4_0")
MOST_GB, MOST_GB_PER_SECOND = 100_000, 1_000_000
NO_FP = {"bf16": False, "int8": False, "fp8": False, "fp4": False}


def ask_format(default: str = FIRST_FORMAT, width: int = 290) -> str:
    """One of all formats."""
    options = known_formats()
    try:
        asked = _spelled(address.get("format") or default)
    except ConfigError:
        asked = default
    shown = settle("format", asked)
    st.selectbox(
        text("memory.field.format"),
        options,
        index=options.index(shown),
        key="format",
        format_func=partial(title_in, current()),
        on_change=keep,
        args=("format",),
        width=width,
    )
    return asked


def ask_imatrix(format_name: str) -> bool:
    """Whether llama-quantize is given an importance matrix; asked for .gguf files alone."""
    if not isinstance(format_of(format_name), str):
        return False
    return ask_among("imatrix", ("no", "yes"), "no", lambda option: text(f"memory.imatrix.{option}")) == "yes"


def ask_batch() -> int:
    """Sequences at a time."""
    return ask("batch", "1", whole(LARGEST_BATCH, "8"), width=130)


def ask_cache_bits() -> Fraction:
    """Bits of a number of the cache."""
    dtype = ask_among("cache_dtype", CACHE_DTYPES, CACHE_DTYPES[0], lambda option: text(f"memory.cache_dtype.{option}"))
    return Fraction(bits_of(dtype))


def ask_gpu_or_own(default: str = FIRST_GPU, width: int = 200) -> Gpu:
    """A GPU of the list, or one of which memory and bandwidth are typed in."""
    options = (*gpus(), OWN_GPU)
    asked = address.get("gpu") or default
    if asked != OWN_GPU:
        try:
            asked = find_gpu(asked).name
        except ConfigError:
            asked = default
    shown = settle("gpu", asked)
    st.selectbox(
        text("compute.field.gpu"),
        options,
        index=options.index(shown),
        key="gpu",
        format_func=partial(_gpu_title, current()),
        on_change=keep,
        args=("gpu",),
        width=width,
    )
    if asked != OWN_GPU:
        return gpus()[asked]
    memory = ask("own_memory", "24", whole(MOST_GB, "24"), width=150)
    bandwidth = ask("own_bandwidth", "1000", whole(MOST_GB_PER_SECOND, "1000"), width=170)
    return Gpu(text("memory.own_gpu_named"), memory, bandwidth, {}, {}, "", "")


def ask_tensor_parallel(meeting: Mixing) -> int:
    """How many GPUs share the model."""

    def read(label: str, typed: str) -> int:
        number = quantities.whole(label, typed, MOST_GPUS, "2")
        try:
            return checked_gpus(meeting, number)
        except ConfigError as fault:
            raise ConfigError(
                fault.code, label, **{name: value for name, value in fault.details.items() if name != "field"}
            ) from None

    return ask("tensor_parallel", "1", read, width=150)


def keep(name: str) -> None:
    """Take the choice of a list before the next run."""
    address.put(name, st.session_state[name])


def _gpu_title(language: str, name: str) -> str:
    return text_in(language, "memory.own_gpu") if name == OWN_GPU else name


def _spelled(name: str) -> str:
    """A format's name as `known_formats` has it. Raises ConfigError: unknown_format, unknown_format_similar."""
    number = format_of(name)
    if not isinstance(number, str):
        return number.name
    return number if number in known_formats() else f"gguf-{number}"
