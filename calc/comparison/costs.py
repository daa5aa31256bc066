"""Cells that say what a token costs: bytes of KV cache, FLOPs by the rule and exactly.

Where it is not described how the tokens of a type meet, there is no value: never a guess.
"""

from __future__ import annotations

from calc.comparison.cells import Cell
from calc.errors import ConfigError
from calc.model import Model
from calc.parts_list import active_parameters


def kv_bytes_per_token(model: Model) -> Cell:
    """Bytes of KV cache a token adds in fp16, while no window is full: 2 · L · n_kv · head_dim · 2 B, or what the type keeps.

    >>> from calc.model import Model
    >>> kv_bytes_per_token(Model.of("tinyllama-1.1b")).value
    22528
    """
    from calc.mixing.kv_cache import kv_bytes_per_token as bytes_per_token

    fault = model.mixing_fault
    return _fault(fault) if fault else Cell(bytes_per_token(model.mixing))


def flops_per_token_rule(model: Model) -> Cell:
    """The rule of thumb: 2 · N, of a mixture of experts 2 · N_active.

    >>> from calc.model import Model
    >>> flops_per_token_rule(Model.of("llama-2-7b")).value
    13476831232
    """
    return Cell(2 * active_parameters(model.parts_list.tensors))


def matmul_flops_per_token(model: Model) -> Cell:
    """Exact forward FLOPs of a token in the matrices: Σ 2 · in · out; a lookup is none, attention scores come on top.

    >>> from calc.model import Model
    >>> matmul_flops_per_token(Model.of("llama-2-7b")).value
    13214154752
    """
    from calc.compute.flops import matmul_flops_per_token as exact

    fault = model.mixing_fault
    return _fault(fault) if fault else Cell(exact(model.tensors, model.mixing))


def _fault(fault: ConfigError) -> Cell:
    return Cell(None, "not_described" if fault.code == "mixing_not_described" else "not_readable")
