"""Why the exact FLOPs of a token are not 2N: every cause with its FLOPs, so that rule and count add up to each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from calc.compute.attention import attention_flops_per_token
from calc.compute.flops import matmul_flops_by_tensor, matmul_flops_per_token
from calc.compute.recurrence import recurrence_flops_per_token
from calc.mixing import Mixing
from calc.tensors import Tensor

GapCause = Literal["unchosen_experts", "lookup", "vectors", "tied", "repeated", "unused", "streams", "attention", "recurrence"]
GAP_CAUSES: tuple[GapCause, ...] = (
    "unchosen_experts",
    "lookup",
    "vectors",
    "tied",
    "repeated",
    "unused",
    "streams",
    "attention",
    "recurrence",
)


def gap_from_rule(tensors: Iterable[Tensor], mixing: Mixing | None, context: int) -> dict[GapCause, int]:
    """What has to be added to 2N, N all parameters, to come to the exact FLOPs of the token that attends to `context` positions.

    unchosen_experts   parameters of experts the token is not sent to
    lookup             tables, of which a row is read
    vectors            norms and biases: no matrix products
    tied               matrices that multiply, although they add no parameters
    repeated           matrices that a token passes more than once
    unused             matrices that a token of a text does not pass
    streams            mixing of residual streams by a matrix the token has made
    attention          scores and the weighing of values
    recurrence         states of fixed size

    Causes that add nothing are left out; without `mixing` the last three are not known and left out too. Llama-2-7B:

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> gap_from_rule(llama.parts_list.tensors, llama.mixing, 4096)
    {'lookup': -262144000, 'vectors': -532480, 'attention': 2147483648}
    """
    listed = list(tensors)
    gap: dict[GapCause, int] = dict.fromkeys(GAP_CAUSES, 0)
    of_tensors = 0
    for tensor, flops in matmul_flops_by_tensor(listed, mixing):
        of_tensors += flops
        gap["unchosen_experts"] -= 2 * (tensor.parameters - tensor.active_parameters)
        rest = flops - 2 * tensor.active_parameters
        if rest:
            gap[_cause(tensor, rest)] += rest
    gap["streams"] = matmul_flops_per_token(listed, mixing) - of_tensors
    if mixing is not None:
        gap["attention"] = attention_flops_per_token(mixing, context)
        gap["recurrence"] = recurrence_flops_per_token(mixing)
    return {cause: flops for cause, flops in gap.items() if flops}


def _cause(tensor: Tensor, rest: int) -> GapCause:
    if tensor.kind == "table":
        return "lookup"
    if tensor.tied_to is not None:
        return "tied"
    if rest > 0:
        return "repeated"
    return "unused" if tensor.kind == "matrix" else "vectors"
