"""State-space mixers, which stand where attention would: Mamba, Mamba-2, and the short convolution before them."""

from __future__ import annotations

from calc.blocks.linear import linear, parameter, rms_norm
from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.errors import ConfigError
from calc.lengths import Length
from calc.tensors import vector


def causal_convolution(name: str, channels: Length, kernel: Length, *, bias: bool = False) -> Tensors:
    """A convolution over the last `kernel` tokens, each channel on its own: channels · kernel numbers (+ channels)."""
    weight = parameter(
        f"{name}.weight", "attention", "convolution", channels, input=kernel, shape=(channels.value, 1, kernel.value)
    )
    return [*weight, *([vector(f"{name}.bias", "attention", "convolution", "bias", channels)] if bias else [])]


def selective_state_space(
    hidden_size: Length,
    width: Length,
    state: Length,
    rank: Length,
    kernel: Length,
    *,
    bias: bool = False,
    convolution_bias: bool = True,
    norms: bool = False,
) -> Tensors:
    """Mamba's mixer: each of `width` channels keeps a state of length N, which every token updates and reads.

    in_proj     d × 2·width, the value and its gate
    conv1d      width · kernel
    x_proj      width × (rank + 2·N): the step size, what is written to the state, and what is read from it
    dt_proj     rank × width
    A_log, D    width · N and width
    out_proj    width × d
    bias        on in_proj and out_proj
    norms       an RMSNorm on each of the three that x_proj makes

    Source: Gu and Dao 2023, arXiv:2312.00752. Mamba-130m, one layer: 3,770,880.

    >>> d, width = Length.of("d", 768), Length.of("expand·d", 1536)
    >>> state, rank, kernel = Length.of("N", 16), Length.of("r", 48), Length.of("kernel", 4)
    >>> sum(tensor.count for tensor in selective_state_space(d, width, state, rank, kernel))
    3770880
    """
    of_selection = [
        *rms_norm("dt_layernorm", "time_step_norm", rank),
        *rms_norm("b_layernorm", "state_write_norm", state),
        *rms_norm("c_layernorm", "state_read_norm", state),
    ]
    return [
        *linear("in_proj", "attention", "state_space_input", hidden_size, 2 * width, bias=bias),
        *causal_convolution("conv1d", width, kernel, bias=convolution_bias),
        *linear("x_proj", "attention", "state_space_selection", width, rank + 2 * state),
        *(of_selection if norms else []),
        *linear("dt_proj", "attention", "time_step", rank, width, bias=True),
        *parameter("A_log", "attention", "state_decay", width, input=state),
        *parameter("D", "attention", "state_skip", width),
        *linear("out_proj", "attention", "mixer_output", width, hidden_size, bias=bias),
    ]


def state_space_duality(
    hidden_size: Length,
    width: Length,
    heads: Length,
    groups: Length,
    state: Length,
    kernel: Length,
    *,
    bias: bool = False,
    convolution_bias: bool = True,
    output_bias: bool | None = None,
    norm: bool = True,
) -> Tensors:
    """Mamba-2's mixer: `heads` heads, each with one decay; groups of heads share what they write and read.

    in_proj    d × (2·width + 2·groups·N + heads): gate, value, write, read, step size
    conv1d     (width + 2·groups·N) · kernel
    dt_bias, A_log, D    one number for each head
    norm       an RMSNorm of length width before the output
    out_proj   width × d, with a bias as in_proj has one unless `output_bias` says otherwise

    Source: Dao and Gu 2024, arXiv:2405.21060. Mamba-Codestral-7B, one layer: 109,635,968.

    >>> d, width, heads = Length.of("d", 4096), Length.of("expand·d", 8192), Length.of("n_h", 128)
    >>> groups, state, kernel = Length.of("G", 8), Length.of("N", 128), Length.of("kernel", 4)
    >>> sum(tensor.count for tensor in state_space_duality(d, width, heads, groups, state, kernel))
    109635968
    """
    convolved = width + 2 * (groups * state)
    output_bias = bias if output_bias is None else output_bias
    return [
        *linear("in_proj", "attention", "state_space_inputs", hidden_size, width + convolved + heads, bias=bias),
        *causal_convolution("conv1d", convolved, kernel, bias=convolution_bias),
        vector("dt_bias", "attention", "time_step", "bias", heads),
        *parameter("A_log", "attention", "state_decay_of_heads", heads),
        *parameter("D", "attention", "state_skip_of_heads", heads),
        *(rms_norm("norm", "mixer_norm", width) if norm else []),
        *linear("out_proj", "attention", "mixer_output", width, hidden_size, bias=output_bias),
    ]


def sixteenth_of_hidden_size(config: Config, field: str) -> Length:
    """The rank of Mamba's step size: as the config says, ⌈d ÷ 16⌉ where it says "auto"."""
    return config.automatic_length(field, lambda: (-(-config.size("hidden_size") // 16), "⌈d ÷ 16⌉"))


def check_heads_fill(config: Config, width: Length, heads_field: str, width_field: str) -> None:
    """Refuse heads that do not fill the mixer's width, as the classes do. Raises ConfigError: heads_do_not_fill."""
    heads = config.size(heads_field)
    width_of_head = config.automatic_length(width_field, lambda: (width.value // heads, "⌊width ÷ heads⌋")).value
    if heads * width_of_head != width.value:
        raise ConfigError(
            "heads_do_not_fill",
            config.own_name(heads_field),
            heads=heads,
            head_dim_field=config.own_name(width_field),
            head_dim=width_of_head,
            width=width.value,
        )


def mamba_2_of_hybrid(
    config: Config, *, width: Length | None = None, output_bias: bool | None = None, norm: bool = True
) -> Tensors:
    """Mamba-2's mixer in the field names most hybrids share: `mamba_n_heads`, `mamba_d_state`, …

    width   mamba_expand·d unless given
    """
    hidden_size = config.length("hidden_size")
    width = width or config.length("mamba_expand") * hidden_size
    check_heads_fill(config, width, "mamba_n_heads", "mamba_d_head")
    return state_space_duality(
        hidden_size,
        width,
        config.length("mamba_n_heads"),
        config.length("mamba_n_groups"),
        config.length("mamba_d_state"),
        config.length("mamba_d_conv"),
        bias=config.flag("mamba_proj_bias"),
        convolution_bias=config.flag("mamba_conv_bias"),
        output_bias=output_bias,
        norm=norm,
    )
