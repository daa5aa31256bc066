"""What a reader types or chooses, as the address has it, each fault at its field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

import streamlit as st
from streamlit.elements.lib.utils import LabelVisibility

from calc.compute import quantities
from calc.errors import ConfigError
from calc.gpus import Gpu, find_gpu, gpus
from calc.mixing import within_limit
from calc.mixing.reading import LONGEST
from calc.model import Model
from ui.frame import address
from ui.frame.errors import plain, show_error
from ui.frame.language import text

T = TypeVar("T")
Option = TypeVar("Option", bound=str)
Read = Callable[[str, str], T]
"""From a field's name and what is typed there to its value. Raises ConfigError."""

FIELD_WIDTH = 170
"""px: two side by side on a phone."""
FAULT_WIDTH = 250
"""px: room for what is wrong."""
USUAL_CONTEXT = 4096
FIRST_GPU = "A100 80GB SXM"
WEIGHT_BITS = ("16", "8", "4.5", "4")
MAX_CHARACTERS = 40


def settle(key: str, value: T) -> T:
    """Make `value` what the widget `key` holds, and return it for the widget's default.

    It is not set where the widget holds it already: a value that is set on every run overwrites what a reader has chosen
    while that run was under way. The default says it to a slow browser, which draws the widget late.
    """
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[key] = value
    return value


def ask(name: str, default: str, read: Read[T], width: int = FIELD_WIDTH) -> T:
    """A field for what `read` understands. Where it does not, the reason is beneath it, what is typed stays, and the figures
    are those of the default."""
    label = text(f"compute.field.{name}")
    typed = address.get(name)
    typed = default if typed is None else typed[:MAX_CHARACTERS]
    fault = None
    try:
        value = read(label, typed)
    except ConfigError as error:
        value, fault = read(label, default), error
    with st.container(width=max(width, FAULT_WIDTH) if fault else width, gap="xsmall"):
        st.text_input(label, value=settle(name, typed), key=name, on_change=take, args=(name,), max_chars=MAX_CHARACTERS)
        if fault:
            show_error(fault)
            st.caption(plain(text("compute.shown_with", value=default)))
    return value


def take(name: str) -> None:
    """Take what is typed; an emptied field goes back to its default.

    Where the slider of the same name has moved, the field still holds what was there before: a hand on a slider is faster
    than the answer that would have changed the field.
    """
    slider = f"{name}_slider"
    if slider not in st.session_state or st.session_state[slider] == st.session_state[f"{slider}_drawn"]:
        address.put(name, st.session_state[name].strip() or None)


def whole(largest: int, example: str) -> Read[int]:
    """Reads a whole number of at least 1: `4096`, `2e12`, `2T`."""
    return lambda label, typed: quantities.whole(label, typed, largest, example)


def ask_context(model: Model, name: str = "context") -> int:
    """A number of tokens that the model takes; by default 4096, or as many as it takes."""
    read = whole(LONGEST, "4096")
    default = str(min(USUAL_CONTEXT, model.max_context or USUAL_CONTEXT))
    return ask(name, default, lambda label, typed: within_limit(read(label, typed), model.max_context, label))


def ask_gpu(width: int = 200) -> Gpu:
    """One GPU of the list; beneath it, that its peak is not published."""
    try:
        gpu = find_gpu(address.get("gpu") or FIRST_GPU)
    except ConfigError:
        gpu = gpus()[FIRST_GPU]
    names = list(gpus())
    with st.container(width=width, gap="xsmall"):
        index = names.index(settle("gpu", gpu.name))
        st.selectbox(text("compute.field.gpu"), names, index=index, key="gpu", on_change=take, args=("gpu",))
        try:
            gpu.peak_flops_per_second()
        except ConfigError as fault:
            show_error(fault)
    return gpu


def ask_among(name: str, options: Sequence[Option], default: Option, spoken: Callable[[str], str] = str) -> Option:
    """One of a few, as a row of buttons."""
    asked = address.get(name)
    shown = next((option for option in options if option == asked), default)
    st.segmented_control(
        text(f"compute.field.{name}"),
        options,
        default=settle(name, shown),
        format_func=spoken,
        key=name,
        required=True,
        on_change=take,
        args=(name,),
    )
    return shown


def ask_some(
    name: str,
    options: Sequence[Option],
    spoken: Callable[[str], str],
    label: str,
    *,
    default: Sequence[Option] = (),
    between: str = ",",
    label_visibility: LabelVisibility = "collapsed",
) -> list[Option]:
    """Any number of a few, as a row of pills, in the order of `options`.

    between   what separates them in the address
    """
    joined = address.get(name)
    names = default if joined is None else joined.split(between)
    chosen = [option for option in options if option in names]
    if sorted(st.session_state.get(name, chosen)) != sorted(chosen):
        settle(name, chosen)
    st.pills(
        label,
        options,
        selection_mode="multi",
        default=chosen,
        format_func=spoken,
        key=name,
        on_change=_take_some,
        args=(name, between),
        label_visibility=label_visibility,
    )
    address.put(name, between.join(chosen) if chosen or default else None)
    return chosen


def _take_some(name: str, between: str) -> None:
    address.put(name, between.join(st.session_state[name]))


def ask_weight_bits() -> Fraction:
    """Bits a weight takes, scales included."""
    return Fraction(ask_among("weight_bits", WEIGHT_BITS, WEIGHT_BITS[0]))


def ask_on_slider(name: str, options: Sequence[str], default: str, width: int = 260) -> str:
    """A slider over steps that are written out: `1B` … `100T`. A value between two of them shows the nearest."""
    typed = address.get(name)
    nearest = default if typed is None else _nearest(options, typed, default)
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


def _nearest(options: Sequence[str], typed: str, default: str) -> str:
    """The option whose quotient with what is typed is nearest to 1."""
    if typed in options:
        return typed
    read = whole(quantities.MOST_TOKENS, "")
    try:
        tokens = read("", typed)
    except ConfigError:
        return default
    return min(options, key=lambda option: max(read("", option) / tokens, tokens / read("", option)))
