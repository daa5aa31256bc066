"""States of fixed size, read off the tensors of a layer: state spaces, linear attention, recurrent units, convolutions.

A convolution over `kernel` tokens needs the kernel − 1 inputs before the present one; the models' own code, transformers
and mamba_ssm alike, sets aside kernel columns, and so does this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calc.lengths import ONE, Length
from calc.mixing.kinds import Recurrence, State
from calc.tensors import Band, Tensor

STATE_SIZES = ("mamba_d_state", "state_size", "ssm_state_size")
"""What families call the length N of a state space's state."""

NGRAMS = ".ple."
"""The module of Qwen4-Exp's tables of n-grams, which stand beside a layer's mixer."""


def recurrences_of_layer(tensors: Sequence[Tensor], sizes: Mapping[str, Any]) -> list[Recurrence]:
    """Every state of fixed size that a layer keeps, without the layer's id.

    tensors   the layer's
    sizes     the config's fields, by their generic names
    """
    of_ngrams = [tensor for tensor in tensors if NGRAMS in tensor.name]
    named = {tensor.role: tensor for tensor in reversed(tensors) if tensor not in of_ngrams}
    read = next((read for role, read in READERS.items() if role in named), None)
    return [*([read(named, sizes)] if read else []), *_of_ngrams(of_ngrams, sizes)]


def _convolution(named: Mapping[str, Tensor], *, in_float32: bool = False) -> tuple[State, ...]:
    tensor = named.get("convolution")
    return () if tensor is None else (State("convolution", tensor.output * tensor.input, in_float32),)


def _convolved(named: Mapping[str, Tensor]) -> dict[str, Length]:
    tensor = named.get("convolution")
    return {} if tensor is None else {"convolved": tensor.output, "kernel": tensor.input}


def _mamba(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """Each channel keeps N numbers: width · N. Source: Gu and Dao 2023, arXiv:2312.00752."""
    width, state = named["mixer_output"].input, _state_size(sizes)
    return Recurrence(
        (),
        "mamba",
        (*_convolution(named), State("channels", width * state, in_float32=True)),
        heads=width,
        key_width=state,
        value_width=ONE,
        **_convolved(named),
    )


def _mamba_2(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """Each head keeps head_dim · N numbers, width · N together. Source: Dao and Gu 2024, arXiv:2405.21060."""
    width, state, heads = named["mixer_output"].input, _state_size(sizes), named["state_decay_of_heads"].output
    head = Length.of("d_head", width.value // heads.value)
    return Recurrence(
        (),
        "mamba2",
        (*_convolution(named), State("heads", width * state, in_float32=True)),
        heads=heads,
        key_width=state,
        value_width=head,
        **_convolved(named),
    )


def _state_size(sizes: Mapping[str, Any]) -> Length:
    return Length.of("N", next(int(sizes[field]) for field in STATE_SIZES if field in sizes))


def _delta_net(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """Each value head keeps a matrix: n_v · d_k · d_v; Kimi's forgets by its own rate in every channel of a head.

    xLSTM's matrix memory keeps beside it d_k sums and one largest exponent a head, and no convolution.
    Source: Yang et al. 2024, arXiv:2412.06464; Kimi Team 2025, arXiv:2510.26692; Beck et al. 2024, arXiv:2405.04517.
    """
    bands = {band.role: band for tensor in named.values() for band in (*tensor.output_bands, *tensor.input_bands)}
    values = bands.get("linear_value") or _xlstm_heads(sizes, "v_dim_factor")
    key = bands["linear_key"].width if "linear_key" in bands else sizes.get("linear_key_head_dim")
    heads, value_width = Length.of("n_v", values.heads), Length.of("d_v", values.width)
    key_width = Length.of("d_k", int(key) if key else _xlstm_heads(sizes, "qk_dim_factor").width)
    matrix = heads * key_width * value_width
    if "convolution" not in named:
        state = (State("matrix", matrix), State("sums", heads * key_width), State("exponents", heads))
        return Recurrence((), "mlstm", state, heads=heads, key_width=key_width, value_width=value_width)
    by_channel = named["linear_decay"].output.value == heads.value * value_width.value if "linear_decay" in named else False
    return Recurrence(
        (),
        "kimi_delta" if by_channel and value_width.value > 1 else "gated_delta",
        (*_convolution(named), State("matrix", matrix, in_float32=True)),
        heads=heads,
        key_width=key_width,
        value_width=value_width,
        **_convolved(named),
    )


def _xlstm_heads(sizes: Mapping[str, Any], factor: str) -> Band:
    heads = int(sizes["num_heads"])
    return Band("linear_value", heads, int(int(sizes["hidden_size"]) * sizes[factor]) // heads)


def _lightning(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """Each head keeps a matrix: n_h · head_dim². Source: Qin et al. 2024, arXiv:2401.04658."""
    band = named["query_key_value"].output_bands[0]
    heads, width = Length.of("n_h", band.heads), Length.of("head_dim", band.width)
    state = (State("matrix", heads * width * width),)
    return Recurrence((), "lightning", state, heads=heads, key_width=width, value_width=width)


def _rwkv(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """The vector before, for mixer and FFN, and of each channel a weighted sum, the weights' sum, the largest exponent.

    Source: Peng et al. 2023, arXiv:2305.13048.
    """
    hidden_size, width = named["recurrent_key"].input, named["recurrent_key"].output
    state = (
        State("token_before", 2 * hidden_size),
        *(State(name, width, in_float32=True) for name in ("sums", "weights", "exponents")),
    )
    return Recurrence((), "rwkv", state, heads=width, key_width=ONE, value_width=ONE)


def _linear_recurrent_unit(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """One number a channel, and the convolution's kernel − 1 inputs. Source: De et al. 2024, arXiv:2402.19427."""
    width, kernel = named["convolution"].output, named["convolution"].input
    before = Length(f"({kernel.symbol} − 1)", kernel.value - 1, f"({kernel.numbers} − 1)")
    state = (State("convolution", width * before), State("channels", width, in_float32=True))
    return Recurrence((), "rg_lru", state, heads=width, key_width=ONE, value_width=ONE, convolved=width, kernel=kernel)


def _short_convolution(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """The last inputs of a convolution, and nothing else: d · kernel. Source: Liquid AI 2025, arXiv:2511.23404."""
    return Recurrence((), "short_convolution", _convolution(named), **_convolved(named))


def _convolved_heads(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """Zaya: inputs of the two convolutions that queries and keys pass, and the half of a value that comes a token late."""
    first, second, late = named["convolution"], named["convolution_of_heads"], named["value_of_token_before"]
    of_second = second.shape[-1]
    columns = Length("(k_1 + k_2 − 2)", first.input.value + of_second - 2, f"({first.input.value} + {of_second} − 2)")
    state = (State("convolution", first.output * columns), State("late_values", late.output))
    return Recurrence((), "short_convolution", state, **_convolved(named))


def _convolutions_around_attention(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """Inkling: keys, values and what attention and FFN give pass a convolution each; kept in 32 bits."""
    kernel, kv, hidden_size = named["convolution"].input, named["key"].output, named["query"].input
    state = State("convolution", (2 * kv + 2 * hidden_size) * kernel, in_float32=True)
    return Recurrence((), "short_convolution", (state,), convolved=2 * kv + 2 * hidden_size, kernel=kernel)


def _compressor(named: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Recurrence:
    """DeepSeek-V4: tokens that wait to be compressed, rate − 1 at most, keys-and-values and gates of each.

    The room is what is set aside; how much of it is filled depends on the sequence's length. Where an indexer picks,
    it compresses its own keys, and the last `rate` tokens compressed are kept too, as the next entry overlaps them.
    """
    place, rate = named["compressor_position"].output, named["compressor_position"].input
    waiting = Length(f"({rate.symbol} − 1)", rate.value - 1, f"({rate.numbers} − 1)")
    if "index_query" not in named:
        return Recurrence((), "compressor", (State("waiting", 2 * (waiting * place)),))
    head = named["single_key_value"].output + Length.of("d_i", named["index_query"].output_bands[0].width)
    state = (
        State("waiting", 2 * (waiting * (2 * head))),
        State("overlap", rate * head),
        State("overlap_gate", rate * head, in_float32=True),
    )
    return Recurrence((), "compressor", state)


def _of_ngrams(tensors: Sequence[Tensor], sizes: Mapping[str, Any]) -> list[Recurrence]:
    """Qwen4-Exp's tables of n-grams: the tokens before, and the inputs of a convolution with gaps of n tokens."""
    convolution = next((tensor for tensor in tensors if tensor.role == "convolution"), None)
    if convolution is None:
        return []
    size = int(sizes["ngram_size"])
    columns = Length("(kernel − 1)·n", (convolution.input.value - 1) * size, f"({convolution.input.value} − 1)·{size}")
    before = Length("(n − 1)", size - 1, f"({size} − 1)")
    state = (State("convolution", convolution.output * columns), State("token_ids", before))
    return [Recurrence((), "short_convolution", state, convolved=convolution.output, kernel=convolution.input)]


READERS = {
    "state_space_selection": _mamba,
    "state_space_inputs": _mamba_2,
    "linear_query_key_value_gate": _delta_net,
    "linear_query_key_value": _delta_net,
    "linear_query": _delta_net,
    "fixed_decay": _lightning,
    "recurrent_key": _rwkv,
    "recurrent_gate": _linear_recurrent_unit,
    "short_convolution_input": _short_convolution,
    "convolution_of_heads": _convolved_heads,
    "relative_query": _convolutions_around_attention,
    "compressor_position": _compressor,
}
"""Which tensor gives a recurrence away, and what reads it."""
