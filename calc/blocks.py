"""The blocks that model families share, each as the tensors it holds.

A block names its tensors relative to itself; `inside` and `layers` put them in their place. Roles (`query`, `gate`, …)
are the keys under which the app explains a tensor.
"""

from __future__ import annotations

from collections.abc import Iterable

from calc.config import Config
from calc.errors import ConfigError
from calc.lengths import Length
from calc.tensors import Band, Layout, Part, Tensor, vector

Tensors = list[Tensor]


def inside(prefix: str, *blocks: Iterable[Tensor]) -> Tensors:
    """The tensors of some blocks as parts of the module `prefix`."""
    return [tensor.within(prefix) for block in blocks for tensor in block]


def layers(prefix: str, config: Config, *blocks: Iterable[Tensor]) -> Tensors:
    """The tensors of one layer, repeated in each of the config's `num_hidden_layers`: `prefix.*.name`."""
    ids = tuple(range(config.size("num_hidden_layers")))
    return [tensor.within(f"{prefix}.*", ids) for block in blocks for tensor in block]


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
        f"{name}.weight", part, role, "matrix", input, output, layout,
        input_bands=input_bands, output_bands=output_bands,
    )  # fmt: skip
    return [weight] + ([vector(f"{name}.bias", part, role, "bias", output)] if bias else [])


def rms_norm(name: str, role: str, length: Length) -> Tensors:
    """RMSNorm: one scale per element. Source: Zhang and Sennrich 2019, arXiv:1910.07467."""
    return [vector(f"{name}.weight", "norm", role, "scale", length)]


def layer_norm(name: str, role: str, length: Length) -> Tensors:
    """LayerNorm: a scale and a bias per element. Source: Ba et al. 2016, arXiv:1607.06450."""
    return [*rms_norm(name, role, length), vector(f"{name}.bias", "norm", role, "bias", length)]


def embedding(name: str, role: str, rows: Length, config: Config) -> Tensors:
    """A table with one row of length d per token id (or position): looked up, never multiplied.

    Llama-2-7B: 32000 × 4096 = 131,072,000 parameters.
    """
    hidden_size = config.length("hidden_size")
    return [Tensor(f"{name}.weight", "embedding", role, "table", rows, hidden_size, layout="in_out")]


def lm_head(name: str, config: Config, *, tied_to: str) -> Tensors:
    """The output head d × V; with `tie_word_embeddings` it is the embedding table `tied_to` itself and adds nothing."""
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    table = tied_to if config.flag("tie_word_embeddings") else None
    return [Tensor(f"{name}.weight", "lm_head", "lm_head", "matrix", hidden_size, vocab_size, tied_to=table)]


def num_key_value_heads(config: Config) -> Length:
    """Key-value heads: as the config says, otherwise one per query head (multi-head attention).

    Raises ConfigError: kv_heads_do_not_divide.
    """
    heads = config.size("num_attention_heads")
    kv_heads = config.length("num_key_value_heads", otherwise=lambda: (heads, "n_h"))
    if heads % kv_heads.value:
        raise ConfigError("kv_heads_do_not_divide", "num_key_value_heads", heads=heads, kv_heads=kv_heads.value)
    return kv_heads


def head_dim(config: Config) -> Length:
    """Length of one head: as the config says, otherwise ⌊hidden_size ÷ num_attention_heads⌋, as the classes derive it."""

    def hidden_size_by_heads() -> tuple[int, str]:
        return config.size("hidden_size") // config.size("num_attention_heads"), "⌊d ÷ n_h⌋"

    return config.length("head_dim", otherwise=hidden_size_by_heads)


def grouped_query_attention(
    config: Config, *, qkv_bias: bool = False, output_bias: bool = False, qk_norm: bool = False, fused: bool = False
) -> Tensors:
    """Attention in which n_h query heads share n_kv key-value heads; n_kv = n_h is multi-head, n_kv = 1 multi-query.

    query          d × n_h·head_dim
    key, value     d × n_kv·head_dim each
    output         n_h·head_dim × d
    qk_norm        an RMSNorm of length head_dim on queries and on keys
    fused          query, key and value in one matrix, side by side

    Source: Ainslie et al. 2023, arXiv:2305.13245. Llama-3-8B, one layer: 41,943,040.
    """
    hidden_size, heads = config.length("hidden_size"), config.length("num_attention_heads")
    kv_heads, width = num_key_value_heads(config), head_dim(config)
    shared = kv_heads.value if kv_heads.value < heads.value else None
    query = Band("query", heads.value, width.value, shared)
    key, value = (Band(role, kv_heads.value, width.value, shared) for role in ("key", "value"))
    query_length, kv_length = heads * width, kv_heads * width

    if fused:
        qkv_length = query_length + 2 * kv_length
        projections = linear(
            "qkv_proj", "attention", "query_key_value", hidden_size, qkv_length,
            bias=qkv_bias, output_bands=(query, key, value),
        )  # fmt: skip
    else:
        projections = [
            tensor
            for name, band, length in (("q_proj", query, query_length), ("k_proj", key, kv_length), ("v_proj", value, kv_length))
            for tensor in linear(name, "attention", band.role, hidden_size, length, bias=qkv_bias, output_bands=(band,))
        ]
    norms = [*rms_norm("q_norm", "query_norm", width), *rms_norm("k_norm", "key_norm", width)] if qk_norm else []
    output = linear(
        "o_proj", "attention", "attention_output", query_length, hidden_size, bias=output_bias, input_bands=(query,)
    )
    return [*projections, *norms, *output]


def gated_ffn(config: Config, *, bias: bool = False, fused: bool = False) -> Tensors:
    """SwiGLU or GeGLU: gate and up widen to d_ff, their product comes back through down. 3 · d · d_ff parameters.

    Source: Shazeer 2020, arXiv:2002.05202. Llama-2-7B, one layer: 135,266,304.
    """
    hidden_size, ffn_size = config.length("hidden_size"), config.length("intermediate_size")
    if fused:
        bands = (Band("gate", 1, ffn_size.value), Band("up", 1, ffn_size.value))
        widen = linear("gate_up_proj", "ffn", "gate_up", hidden_size, 2 * ffn_size, bias=bias, output_bands=bands)
    else:
        widen = [
            *linear("gate_proj", "ffn", "gate", hidden_size, ffn_size, bias=bias),
            *linear("up_proj", "ffn", "up", hidden_size, ffn_size, bias=bias),
        ]
    return [*widen, *linear("down_proj", "ffn", "down", ffn_size, hidden_size, bias=bias)]
