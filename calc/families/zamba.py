"""Zamba: Mamba layers, some of which first pass through one transformer block that all of them share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from calc.blocks import (
    Tensors,
    decoder,
    gated_ffn,
    grouped_query_attention,
    inside,
    linear,
    num_key_value_heads,
    only,
    parameter,
    rms_norm,
)
from calc.blocks.nesting import together
from calc.blocks.state_space import causal_convolution, sixteenth_of_hidden_size, state_space_duality
from calc.config import Config
from calc.families.hybrids import kinds_of_layers
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Kind, Part, Tensor, vector


@family("zamba")
def zamba(config: Config) -> Tensors:
    """ZambaForCausalLM: the shared block reads the layer's input beside the first embedding, 2·d together.

    Source: Glorioso et al. 2024, arXiv:2405.16712.
    """
    hidden_size = config.length("hidden_size")
    width = config.length("attention_hidden_size", otherwise=lambda: (2 * hidden_size.value, "2·d"))
    kinds = kinds_of_layers(config, ("linear_attention", "hybrid"), lambda: zamba_kinds(config))
    block = shared_block(config, width, gated_ffn(config), [])
    shared = shared_between(config, kinds["hybrid"], inside("shared_transf", block))
    return zamba_decoder(config, kinds, headed_state_space(config), shared)


def zamba_kinds(config: Config) -> list[str]:
    """Two Mamba layers, a hybrid one, then a hybrid one in every `attn_layer_period`, counted from the fourth layer."""
    period, offset = config.size("attn_layer_period"), config.size("attn_layer_offset", smallest=0)
    rest = range(config.size("num_hidden_layers") - 3)
    return (
        ["linear_attention"] * 2 + ["hybrid"] + ["hybrid" if layer % period == offset else "linear_attention" for layer in rest]
    )


def zamba_decoder(config: Config, kinds: dict[str, tuple[int, ...]], mixer: Tensors, shared: Tensors) -> Tensors:
    """Layers of a norm and a mixer; a hybrid layer adds what the shared block gives, through a matrix of its own."""
    hidden_size = config.length("hidden_size")
    mamba = [*rms_norm("input_layernorm", "norm_before_mixer", hidden_size), *inside("mamba", mixer)]
    return decoder(
        config,
        only(kinds["linear_attention"], mamba),
        shared,
        only(kinds["hybrid"], linear("linear", "other", "shared_block_output", hidden_size, hidden_size)),
        only(kinds["hybrid"], inside("mamba_decoder", mamba)),
        final_norm=rms_norm("model.final_layernorm", "final_norm", hidden_size),
    )


def shared_block(config: Config, width: Length, ffn: Tensors, adapters: Tensors) -> Tensors:
    """A transformer block whose attention reads `width` numbers and gives d; its heads are 2·d ÷ n_h wide unless given."""
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    head_width = config.length("head_dim", otherwise=lambda: (2 * hidden_size.value // heads.value, "⌊2·d ÷ n_h⌋"))
    attention = [
        replace(tensor, input=width) if tensor.input == hidden_size and tensor.role != "attention_output" else tensor
        for tensor in grouped_query_attention(config, kv_heads=num_key_value_heads(config), width=head_width)
    ]
    return [
        *rms_norm("input_layernorm", "norm_before_attention", width),
        *inside("self_attn", attention, adapters),
        *rms_norm("pre_ff_layernorm", "norm_before_ffn", hidden_size),
        *inside("feed_forward", ffn),
    ]


def shared_between(config: Config, ids: Iterable[int], block: Tensors) -> Tensors:
    """The block in the first of the layers, and in the others the same numbers again (tied).

    transformers ties it, as it does the output head, only where `tie_word_embeddings` holds.
    """
    if not config.flag("tie_word_embeddings"):
        return only(ids, block)
    first, others = tuple(ids)[:1], tuple(ids)[1:]
    return [*only(first, block), *only(others, [replace(tensor, tied_to=f"model.layers.*.{tensor.name}") for tensor in block])]


def headed_state_space(config: Config) -> Tensors:
    """Mamba's mixer split into `n_mamba_heads` heads, each with its own selection, step size, decay and skip."""
    hidden_size, number = config.length("hidden_size"), config.length("n_mamba_heads")
    width, state = config.length("mamba_expand") * hidden_size, config.length("mamba_d_state")
    rank, bias = sixteenth_of_hidden_size(config, "mamba_dt_rank"), config.flag("mamba_proj_bias")
    head = replace(Length.of("d_head", width.value // number.value), symbol=f"({width.symbol} ÷ {number.symbol})")

    def of_heads(name: str, role: str, kind: Kind, input: Length, output: Length) -> Tensor:
        shape = (number.value, output.value, input.value)
        return Tensor(name, "attention", role, kind, input, number * output, stored=shape)

    return [
        *linear("in_proj", "attention", "state_space_input", hidden_size, 2 * width, bias=bias),
        *causal_convolution("conv1d", width, config.length("mamba_d_conv"), bias=config.flag("mamba_conv_bias")),
        of_heads("x_proj_weight", "state_space_selection", "matrix", head, rank + 2 * state),
        of_heads("dt_proj_weight", "time_step", "matrix", rank, head),
        replace(vector("dt_proj_bias", "attention", "time_step", "bias", number * head), stored=(number.value, head.value)),
        of_heads("A_log", "state_decay", "scale", state, head),
        *parameter("D", "attention", "state_skip", number * head, shape=(number.value, head.value)),
        *linear("out_proj", "attention", "mixer_output", width, hidden_size, bias=bias),
    ]


@family("zamba2")
def zamba2(config: Config) -> Tensors:
    """Zamba2ForCausalLM: `num_mem_blocks` shared blocks take turns; each hybrid layer adds low-rank matrices of its own.

    Source: Glorioso et al. 2024, arXiv:2411.15242.
    """
    hidden_size, bias = config.length("hidden_size"), config.flag("add_bias_linear")
    ffn_size = config.length("intermediate_size", otherwise=lambda: (4 * hidden_size.value, "4·d"))
    width = config.length("attention_hidden_size", otherwise=lambda: (2 * hidden_size.value, "2·d"))
    kinds = kinds_of_layers(config, ("linear_attention", "hybrid"), lambda: ZAMBA_2_KINDS)
    hybrid, number = kinds["hybrid"], config.size("num_mem_blocks")
    mixer = state_space_duality(
        hidden_size,
        config.length("mamba_expand") * hidden_size,
        config.length("n_mamba_heads"),
        config.length("mamba_ngroups"),
        config.length("mamba_d_state"),
        config.length("mamba_d_conv"),
        bias=bias,
    )
    shared = []
    for turn in range(min(number, len(hybrid))):
        ids = hybrid[turn::number]
        ffn = gated_ffn(config, bias=bias, fused=True, width=ffn_size)
        ffn += low_rank("gate_up_proj_adapter_list", config, len(ids), hidden_size, 2 * ffn_size, "ffn")
        adapters = [
            tensor
            for name in ("linear_q_adapter_list", "linear_k_adapter_list", "linear_v_adapter_list")
            for tensor in low_rank(name, config, len(ids), width, width, "attention")
        ]
        own = adapters if config.flag("use_shared_attention_adapter") else []
        shared += shared_between(config, ids, inside("shared_transformer", shared_block(config, width, ffn, own)))
    return zamba_decoder(config, kinds, mixer, together(shared))


ZAMBA_2_KINDS = [
    *["linear_attention"],
    *(["linear_attention"] * 5 + ["hybrid"]) * 7,
    *["linear_attention"] * 4 + ["hybrid"],
    *["linear_attention"] * 3 + ["hybrid"],
    *["linear_attention"] * 2,
]
"""Zamba2Config's own list, for a config that gives none."""


def low_rank(name: str, config: Config, uses: int, input: Length, output: Length, part: Part) -> Tensors:
    """One adapter for each use of a shared block, input → r → output. Source: Hu et al. 2021, arXiv:2106.09685."""
    rank = config.length("adapter_rank")
    tensors = [
        *linear(f"{name}.*.*", part, "shared_block_adapter_down", input, rank),
        *linear(f"{name}.*.*", part, "shared_block_adapter_up", rank, output),
    ]
    return [replace(tensor, repeats=uses) for tensor in tensors]
