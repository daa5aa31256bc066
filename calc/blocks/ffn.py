"""The feed-forward network: gated (three matrices) and plain (two)."""

from __future__ import annotations

from calc.blocks.linear import linear
from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.lengths import Length
from calc.tensors import Band, Layout


def gated_ffn(config: Config, *, bias: bool = False, fused: bool = False, width: Length | None = None) -> Tensors:
    """SwiGLU or GeGLU: gate and up widen to d_ff, their product comes back through down. 3 · d · d_ff parameters.

    width   d_ff, where it is not the config's `intermediate_size`

    Source: Shazeer 2020, arXiv:2002.05202. Llama-2-7B, one layer: 135,266,304.
    """
    hidden_size, ffn_size = config.length("hidden_size"), width or config.length("intermediate_size")
    if fused:
        bands = (Band("gate", 1, ffn_size.value), Band("up", 1, ffn_size.value))
        widen = linear("gate_up_proj", "ffn", "gate_up", hidden_size, 2 * ffn_size, bias=bias, output_bands=bands)
    else:
        widen = [
            *linear("gate_proj", "ffn", "gate", hidden_size, ffn_size, bias=bias),
            *linear("up_proj", "ffn", "up", hidden_size, ffn_size, bias=bias),
        ]
    return [*widen, *linear("down_proj", "ffn", "down", ffn_size, hidden_size, bias=bias)]


def plain_ffn(
    config: Config, widen: str, narrow: str, *, bias: bool = False, layout: Layout = "out_in", width: Length | None = None
) -> Tensors:
    """Two matrices with an activation between them: d × d_ff and d_ff × d. 2 · d · d_ff parameters (+ d_ff + d biases).

    Source: Vaswani et al. 2017, arXiv:1706.03762. GPT-2, one layer: 4,722,432 with its biases.
    """
    hidden_size, ffn_size = config.length("hidden_size"), width or config.length("intermediate_size")
    return [
        *linear(widen, "ffn", "widen", hidden_size, ffn_size, bias=bias, layout=layout),
        *linear(narrow, "ffn", "narrow", ffn_size, hidden_size, bias=bias, layout=layout),
    ]
