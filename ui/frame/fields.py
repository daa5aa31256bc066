"""What a reader types or chooses, kept in the address, each fault beside its field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

import streamlit as st

from calc.compute import quantities
from calc.errors import ConfigError
from calc.gpus import Gpu, find_gpu, gpus
from calc.mixing.reading import LONGEST
from calc.model import Model
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.language import text

T = TypeVar("T")
Read = Callable[[str, str], T]
"""From a field's name and what is typed there to its value. Raises ConfigError."""

FIELD_WIDTH = 170
"""px: two side by side on a phone."""
FAULT_WIDTH = 250
"""px: room for what is wrong."""
USUAL_CONTEXT = 4096
FIRST_GPU = "A100 80GB SXM"
WEIGHT_BITS = ("16", "8", "4.5", "4")
MOST_TYPED = 40


def settle(key: str, value: str | None) -> str | None:
    """Make `value` what the widget `key` holds, and return it for the widget's default.

    It is not set where the widget holds it already: a value that is set on every run overwrites what a reader has chosen
    while that run was under way. The default tells a slow browser, which draws the widget late, what it holds.
    """
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[key] = value
    return value


def ask(name: str, default: str, read: Read[T], width: int = FIELD_WIDTH) -> T:
    """A field for what `read` understands. Where it does not, the reason stands beneath it, what is typed stays, and the
    figures are those of the default."""
    label = text(f"compute.field.{name}")
    typed = address.get(name)
    shown = default if typed is None else typed[:MOST_TYPED]
    value, fault = _read(read, label, shown)
    with st.container(width=max(width, FAULT_WIDTH) if fault else width, gap="xsmall"):
        st.text_input(label, value=settle(name, shown), key=name, on_change=keep, args=(name,), max_chars=MOST_TYPED)
        if fault is None:
            return value
        show_error(fault)
        st.caption(plain(text("compute.shown_with", value=default)))
    return read(label, default)


def _read(read: Read[T], label: str, typed: str) -> tuple[T | None, ConfigError | None]:
    try:
        return read(label, typed), None
    except ConfigError as fault:
        return None, fault


def keep(name: str) -> None:
    """Take what is typed; an emptied field goes back to its default.

    Where the slider beside it has moved, the field only tells what stood there before: a hand on a slider is faster than
    the answer that would have changed the field.
    """
    slider = f"{name}_slider"
    if slider not in st.session_state or st.session_state[slider] == st.session_state[f"{slider}_drawn"]:
        address.put(name, st.session_state[name].strip() or None)


def whole(largest: int, example: str) -> Read[int]:
    """Reads a whole number of at least 1: `4096`, `2e12`, `2T`."""
    return lambda label, typed: quantities.whole(label, typed, largest, example)


def ask_context(model: Model, name: str = "context") -> int:
    """A number of tokens that the model takes; by default 4096, or as many as it takes."""

    def read(label: str, typed: str) -> int:
        context = quantities.whole(label, typed, LONGEST, "4096")
        return within_limit(model, label, context)

    return ask(name, str(min(USUAL_CONTEXT, model.max_context or USUAL_CONTEXT)), read)


def within_limit(model: Model, label: str, context: int) -> int:
    """The context. Raises ConfigError: context_over_limit."""
    if model.max_context is not None and context > model.max_context:
        raise ConfigError("context_over_limit", label, value=context, limit=model.max_context)
    return context


def ask_gpu(width: int = 200) -> Gpu:
    """One GPU of the list; what it lacks is said beneath."""
    try:
        asked = find_gpu(address.get("gpu") or FIRST_GPU).name
    except ConfigError:
        asked = FIRST_GPU
    names = list(gpus())
    with st.container(width=width, gap="xsmall"):
        shown = settle("gpu", asked)
        st.selectbox(text("compute.field.gpu"), names, index=names.index(shown), key="gpu", on_change=keep, args=("gpu",))
        gpu = gpus()[asked]
        try:
            gpu.peak_flops_per_second()
        except ConfigError as fault:
            show_error(fault)
    return gpu


def ask_among(name: str, options: Sequence[str], default: str, spoken: Callable[[str], str] = str) -> str:
    """One of a few, as a row of buttons."""
    asked = address.get(name)
    shown = asked if asked in options else default
    st.segmented_control(
        text(f"compute.field.{name}"),
        options,
        default=settle(name, shown),
        format_func=spoken,
        key=name,
        required=True,
        on_change=keep,
        args=(name,),
    )
    return shown


def ask_weight_bits() -> Fraction:
    """Bits a weight takes, scales included."""
    return Fraction(ask_among("weight_bits", WEIGHT_BITS, WEIGHT_BITS[0]))


def ask_on_slider(name: str, options: Sequence[str], default: str, width: int = 260) -> str:
    """A slider over steps that are written out: `1B` … `100T`. A value between two of them shows the nearest."""
    asked = address.get(name)
    nearest = default if asked is None else asked if asked in options else _nearest(options, asked, default)
    st.session_state[f"{name}_slider_drawn"] = nearest
    st.select_slider(
        text(f"compute.slider.{name}"),
        options,
        value=settle(f"{name}_slider", nearest),
        key=f"{name}_slider",
        on_change=_take_from_slider,
        args=(name,),
        width=width,
    )
    return nearest


def _take_from_slider(name: str) -> None:
    address.put(name, st.session_state[f"{name}_slider"])


def _nearest(options: Sequence[str], asked: str, default: str) -> str:
    try:
        wanted = quantities.whole("", asked, quantities.MOST_TOKENS, "")
    except ConfigError:
        return default
    sizes = {option: quantities.whole("", option, quantities.MOST_TOKENS, "") for option in options}
    return min(options, key=lambda option: max(sizes[option] / wanted, wanted / sizes[option]))
