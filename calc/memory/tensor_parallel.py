"""Tensor parallelism: what each of n GPUs holds of a model.

Queries, gates and ups are cut by their outputs, the matrices back to the residual by their inputs, the embedding and the head
by the vocabulary: each GPU holds 1/n of them. Whole query heads go to each GPU. Key-value heads too, and where there are fewer
of them than GPUs, each GPU keeps a copy of the one it needs. Norms, routers, the biases added to the residual, and latents
(MLA), which all heads read, are whole on every GPU.

Source: Shoeybi et al. 2019, arXiv:1909.08053; replicated kv heads: Pope et al. 2022, arXiv:2211.05102, and vLLM.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from calc.config.fields import checked_count
from calc.errors import ConfigError
from calc.lengths import Length
from calc.mixing import Attention, Mixing
from calc.tensors import Tensor
from calc.weights.unquantized import ROUTERS

CUT_BY_INPUTS = ("attention_output", "down", "narrow", "mixer_output", "expert_output", "output_up", "shared_block_output")
"""Roles of matrices back to the residual: their inputs are shared out, their biases are not."""

WHOLE = ("position_embedding", "query_down", "key_value_down", "single_key_value", *ROUTERS)
"""Roles of matrices that every GPU keeps whole."""

MOST_GPUS = 1024


def checked_gpus(mixing: Mixing, gpus: object, field: str = "gpus") -> int:
    """A number of GPUs that a model's heads can be shared out to; `field` is what a fault calls it.

    Raises ConfigError: not_an_integer, not_positive, too_big, heads_do_not_share_out.

    >>> from calc.model import Model
    >>> checked_gpus(Model.of({"model_type": "llama"}).mixing, 8)
    8
    """
    gpus = checked_count(field, gpus, MOST_GPUS)
    for entry in mixing.attention:
        heads, kv_heads = entry.heads.value, entry.kv_heads.value
        if entry.kind in ("cross", "index"):
            continue
        if heads % gpus or (entry.kind not in ("latent", "compressed") and kv_heads % gpus and gpus % kv_heads):
            possible = [n for n in range(1, heads + 1) if heads % n == 0 and (kv_heads % n == 0 or n % kv_heads == 0)]
            raise ConfigError(
                "heads_do_not_share_out", field, value=gpus, heads=heads, kv_heads=kv_heads, among=", ".join(map(str, possible))
            )
    return gpus


def kv_share(entry: Attention, gpus: int) -> Fraction:
    """Of an attention's keys and values, what one GPU keeps: whole heads, at least one.

    >>> from calc.model import Model
    >>> llama = Model.of({"model_type": "llama", "num_key_value_heads": 8}).mixing.attention[0]
    >>> [str(kv_share(llama, gpus)) for gpus in (1, 4, 8, 16)]
    ['1', '1/4', '1/8', '1/8']
    """
    if entry.kind in ("latent", "compressed", "index", "cross"):
        return Fraction(1)
    return Fraction(max(entry.kv_heads.value // gpus, 1), entry.kv_heads.value)


def share_of(tensor: Tensor, mixing: Mixing, gpus: int) -> Fraction:
    """Of a line of the parts list, what one GPU keeps.

    >>> from calc.model import Model
    >>> config = {"model_type": "llama", "num_key_value_heads": 8}
    >>> [(tensor.short_name, str(share_of(tensor, Model.of(config).mixing, 16))) for tensor in Model.of(config).tensors][1:5]
    [('input_layernorm', '1'), ('q_proj', '1/16'), ('k_proj', '1/8'), ('v_proj', '1/8')]
    """
    if gpus == 1 or tensor.role in WHOLE or tensor.part in ("norm", "other") or tensor.kind == "buffer":
        return Fraction(1)
    if tensor.kind == "bias" and tensor.role in CUT_BY_INPUTS:
        return Fraction(1)
    entry = _attention_of(tensor, mixing)
    if tensor.role in ("key", "value", "key_value") and entry is not None:
        return kv_share(entry, gpus)
    if tensor.role == "query_key_value" and entry is not None:
        heads, kv_heads = entry.heads.value, entry.kv_heads.value
        of_gpu = Fraction(heads, gpus) + 2 * kv_heads * kv_share(entry, gpus)
        return of_gpu / (heads + 2 * kv_heads)
    return Fraction(1, gpus)


def mixing_of_a_gpu(mixing: Mixing, gpus: int) -> Mixing:
    """The same attention with the keys and values that one GPU keeps, so that a cache can be counted as for a whole model."""
    if gpus == 1:
        return mixing
    attention = tuple(
        replace(entry, cached=Length.of(entry.cached.symbol, int(entry.cached.value * kv_share(entry, gpus))))
        for entry in mixing.attention
    )
    recurrences = tuple(
        replace(
            recurrence,
            state=tuple(
                replace(state, numbers=Length.of(state.numbers.symbol, -(-state.numbers.value // gpus)))
                for state in recurrence.state
            ),
        )
        for recurrence in mixing.recurrences
    )
    return replace(mixing, attention=attention, recurrences=recurrences)


def _attention_of(tensor: Tensor, mixing: Mixing) -> Attention | None:
    """The attention whose layers hold a tensor."""
    layers = set(tensor.layers or ())
    of_sequence = (entry for entry in mixing.attention if entry.kind not in ("index", "cross"))
    return next((entry for entry in of_sequence if not layers.isdisjoint(entry.layers)), None)
