"""FLOPs of recurrences: what a token costs that updates and reads a state of fixed size, whatever the context.

Counted is the recurrence as its paper writes it, one token after the other: every multiplication and addition on the state.
Training kernels work on chunks of tokens instead, with more FLOPs in matrix products; what they add depends on the chunk.
Exponentials, gates and activations are counted nowhere, here or elsewhere.
"""

from __future__ import annotations

from calc.mixing import Mixing, Recurrence

FLOPS_PER_STATE_NUMBER = {
    "mamba": 6,
    "mamba2": 5,
    "lightning": 5,
    "mlstm": 5,
    "gated_delta": 7,
    "kimi_delta": 7,
    "rwkv": 9,
    "rg_lru": 2,
    "short_convolution": 0,
    "compressor": 0,
}
"""FLOPs a token for each number of the state S (d_k × d_v a head), with what is written and read:

    mamba2, lightning, mlstm   S ← a·S + k·v (1 + 2), y = q·S (2)
    mamba                      the same, and its decay differs in every number: Δ·A (1)
    gated_delta, kimi_delta    first what the state already says of k, k·S (2), is taken off v
    rwkv                       two sums of each channel: decayed (2), added to (3), and read with the present token (4)
    rg_lru                     h ← a·h + x (2)
    short_convolution          its convolution is a tensor of the parts list; there is no state besides
    compressor                 its matrices are tensors of the parts list; the rest is weighing, element by element

Source: Gu and Dao 2023, arXiv:2312.00752; Dao and Gu 2024, arXiv:2405.21060; Yang et al. 2024, arXiv:2412.06464;
Qin et al. 2024, arXiv:2401.04658; Beck et al. 2024, arXiv:2405.04517; Peng et al. 2023, arXiv:2305.13048; De et al. 2024,
arXiv:2402.19427.
"""


def state_numbers(entry: Recurrence) -> int:
    """Numbers of the state that a token updates in one layer: heads · d_k · d_v, and d_k sums a head in xLSTM's memory."""
    if entry.heads is None or entry.key_width is None or entry.value_width is None:
        return 0
    sums = 1 if entry.kind == "mlstm" else 0
    return entry.heads.value * entry.key_width.value * (entry.value_width.value + sums)


def recurrence_flops_of(entry: Recurrence) -> int:
    """FLOPs a token in all layers of an entry."""
    return len(entry.layers) * FLOPS_PER_STATE_NUMBER[entry.kind] * state_numbers(entry)


def recurrence_flops_per_token(mixing: Mixing) -> int:
    """FLOPs a token of all recurrences; 0 for a model of attention alone. Mamba-130m: 24 · 6 · 1536 · 16.

    >>> from calc.model import Model
    >>> recurrence_flops_per_token(Model.of({"model_type": "mamba", "num_hidden_layers": 24}).mixing)
    3538944
    """
    return sum(recurrence_flops_of(entry) for entry in mixing.recurrences)
