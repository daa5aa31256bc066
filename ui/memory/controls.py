"""What a reader chooses on the pages on memory: a model, a format, a GPU of the list or typed in, how many, the cache's dtype."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import streamlit as st

from calc.compute import quantities
from calc.errors import ConfigError
from calc.gpus import Gpu, find_gpu, gpus
from calc.memory.tensor_parallel import MOST_GPUS, checked_gpus
from calc.mixing import Mixing
from calc.mixing.kv_cache import LARGEST_BATCH, bits_of
from calc.model import Model
from calc.weights.weights import LineSize, format_of, known_formats
from ui.frame import address
from ui.frame.errors import show_error
from ui.frame.fields import ask, ask_among, settle, whole
from ui.frame.language import current, text
from ui.memory.sizes import lines_or_fault
from ui.memory.titles import title_in
from ui.model.picker import Choice, described, pick_model
from ui.texts import text_in

OWN_GPU = "own"
"""In the address, where memory and bandwidth of a GPU are typed in."""
FIRST_FORMAT = "fp16"
FIRST_GPU = "T4"
CACHE_DTYPES = ("fp16", "fp8", "q8_0", "int4", "q4_0")
MOST_GB, MOST_GB_PER_SECOND = 100_000, 1_000_000


def pick_described_model() -> Choice | None:
    """The chosen model; None where how its tokens meet is not described here: the reason is then on the screen."""
    choice = pick_model()
    return choice if choice and described(choice, "memory.refused") else None


def lines_or_message(model: Model, format_name: str) -> tuple[LineSize, ...] | None:
    """What each line of the model takes in a format; None where there is no such file: the reason is then on the screen."""
    lines = lines_or_fault(model, format_name)
    if isinstance(lines, ConfigError):
        show_error(lines)
        return None
    return lines


def ask_format(default: str = FIRST_FORMAT, width: int = 290) -> str:
    """One of all formats."""
    try:
        name = _spelled(address.get("format") or default)
    except ConfigError:
        name = default
    _select("format", text("memory.field.format"), known_formats(), name, title_in, width)
    return name


def ask_imatrix(format_name: str) -> bool:
    """Whether llama-quantize is given an importance matrix; a question for .gguf files alone."""
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
    name = address.get("gpu") or default
    if name != OWN_GPU:
        try:
            name = find_gpu(name).name
        except ConfigError:
            name = default
    _select("gpu", text("compute.field.gpu"), (*gpus(), OWN_GPU), name, _gpu_title, width)
    if name != OWN_GPU:
        return gpus()[name]
    memory = ask("own_memory", "24", whole(MOST_GB, "24"), width=150)
    bandwidth = ask("own_bandwidth", "1000", whole(MOST_GB_PER_SECOND, "1000"), width=170)
    return Gpu(text("memory.own_gpu_named"), memory, bandwidth, {}, {}, "", "")


def ask_tensor_parallel(mixing: Mixing) -> int:
    """How many GPUs share the model."""

    def read(label: str, typed: str) -> int:
        return checked_gpus(mixing, quantities.whole(label, typed, MOST_GPUS, "2"), label)

    return ask("tensor_parallel", "1", read, width=150)


def _select(key: str, label: str, options: Sequence[str], name: str, title: Callable[[str, str], str], width: int) -> None:
    """A list to choose from. The titles' language is bound to them, so that they are written again when it changes."""
    st.selectbox(
        label,
        options,
        index=options.index(settle(key, name)),
        key=key,
        format_func=partial(title, current()),
        on_change=_take,
        args=(key,),
        width=width,
    )


def _take(name: str) -> None:
    address.put(name, st.session_state[name])


def _gpu_title(language: str, name: str) -> str:
    return text_in(language, "memory.own_gpu") if name == OWN_GPU else name


def _spelled(name: str) -> str:
    """A format's name as `known_formats` has it. Raises ConfigError: unknown_format, unknown_format_similar."""
    number = format_of(name)
    if not isinstance(number, str):
        return number.name
    return number if number in known_formats() else f"gguf-{number}"
