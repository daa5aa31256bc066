"""The smallest blocks: one matrix, one vector, a norm, an embedding table, the output head."""

from __future__ import annotations

from calc.blocks.nesting import Tensors
from calc.config import Config
from calc.lengths import ONE, Length
from calc.tensors import Band, Layout, Part, Tensor, vector


def linear(
    name: str,
    part: Part,
    role: str,
    input: Length,
    output: Length,
    *,
    bias: bool = False,
    layout: Layout = "out_in",
    input_bands: tuple[Band, ...] = (),
    output_bands: tuple[Band, ...] = (),
) -> Tensors:
    """A matrix from a vector of length `input` to one of length `output`: in · out (+ out with a bias) parameters.

    >>> d = Length.of("d", 4096)
    >>> [tensor.count for tensor in linear("o_proj", "attention", "attention_output", d, d, bias=True)]
    [16777216, 4096]
    """
    weight = Tensor(
        f"{name}.weight", part, role, "matrix", input, output, layout, input_bands=input_bands, output_bands=output_bands
    )
    return [weight] + ([vector(f"{name}.bias", part, role, "bias", output)] if bias else [])


def parameter(
    name: str, part: Part, role: str, output: Length, *, input: Length = ONE, shape: tuple[int, ...] | None = None
) -> Tensors:
    """A tensor that is neither a matrix multiply nor a norm: a vector of `output`, or input × output numbers.

    shape   as stored, where it is neither [out] nor [out, in]: a convolution's [channels, 1, kernel]

    >>> kernel, channels = Length.of("kernel", 4), Length.of("channels", 8192)
    >>> conv = parameter("conv1d.weight", "attention", "convolution", channels, input=kernel, shape=(8192, 1, 4))
    >>> conv[0].count, conv[0].shape
    (32768, (8192, 1, 4))
    """
    layout: Layout = "vector" if input is ONE else "out_in"
    return [Tensor(name, part, role, "scale", input, output, layout, stored=shape)]


def rms_norm(name: str, role: str, length: Length) -> Tensors:
    """RMSNorm: one scale per element. Source: Zhang and Sennrich 2019, arXiv:1910.07467."""
    return [vector(f"{name}.weight", "norm", role, "scale", length)]


def layer_norm(name: str, role: str, length: Length, *, bias: bool = True) -> Tensors:
    """LayerNorm: a scale and, mostly, a bias per element. Source: Ba et al. 2016, arXiv:1607.06450."""
    return [*rms_norm(name, role, length), *([vector(f"{name}.bias", "norm", role, "bias", length)] if bias else [])]


def embedding(name: str, role: str, rows: Length, config: Config, *, width: Length | None = None) -> Tensors:
    """A table with one row (of length d, or `width`) per token id or position: looked up, never multiplied.

    Llama-2-7B: 32000 × 4096 = 131,072,000 parameters.
    """
    columns = width or config.length("hidden_size")
    return [Tensor(f"{name}.weight", "embedding", role, "table", rows, columns, layout="in_out")]


def lm_head(name: str, config: Config, *, tied_to: str, bias: bool = False, input: Length | None = None) -> Tensors:
    """The output head d × V; with `tie_word_embeddings` it is the embedding table `tied_to` itself and adds nothing.

    bias    a bias of length V, which is a parameter of its own even where the matrix is tied
    input   length of what goes in, where that is not hidden_size
    """
    hidden_size, vocab_size = input or config.length("hidden_size"), config.length("vocab_size")
    table = tied_to if config.flag("tie_word_embeddings") else None
    head = Tensor(f"{name}.weight", "lm_head", "lm_head", "matrix", hidden_size, vocab_size, tied_to=table)
    return [head] + ([vector(f"{name}.bias", "lm_head", "lm_head", "bias", vocab_size)] if bias else [])
