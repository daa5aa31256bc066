"""Cells that say what a token costs: bytes of KV cache, FLOPs by the rule and exactly.

Where it is not described how the tokens of a type meet, there is no value: never a guess.
"""

from __future__ import annotations

from calc.comparison.compared import Cell, ComparedModel
from calc.errors import ConfigError
from calc.parts_list import active_parameters


def kv_bytes_per_token(model: ComparedModel) -> Cell:
    """Bytes of KV cache a token adds in fp16, while no window is full: 2 · L · n_kv · head_dim · 2 B, or what the type keeps.

    >>> from calc.catalogue import catalogue
    >>> from calc.comparison.compared import compared_entry
    >>> kv_bytes_per_token(compared_entry(catalogue()["tinyllama-1.1b"])).value
    22528
    """
    from calc.mixing.kv_cache import kv_bytes_per_token as bytes_per_token

    mixing = model.mixing
    return _fault(mixing) if isinstance(mixing, ConfigError) else Cell(bytes_per_token(mixing))


def flops_per_token_rule(model: ComparedModel) -> Cell:
    """The rule of thumb: 2 · N, of a mixture of experts 2 · N_active.

    >>> from calc.catalogue import catalogue
    >>> from calc.comparison.compared import compared_entry
    >>> flops_per_token_rule(compared_entry(catalogue()["llama-2-7b"])).value
    13476831232
    """
    return Cell(2 * active_parameters(model.parts_list.tensors))


def matmul_flops_per_token(model: ComparedModel) -> Cell:
    """Exact forward FLOPs of a token in the matrices: Σ 2 · in · out; a lookup is none, attention scores come on top.

    >>> from calc.catalogue import catalogue
    >>> from calc.comparison.compared import compared_entry
    >>> matmul_flops_per_token(compared_entry(catalogue()["llama-2-7b"])).value
    13214154752
    """
    from calc.compute.flops import matmul_flops_per_token as exact

    mixing = model.mixing
    return _fault(mixing) if isinstance(mixing, ConfigError) else Cell(exact(model.parts_list.tensors, mixing))


def _fault(fault: ConfigError) -> Cell:
    return Cell(None, "not_described" if fault.code == "mixing_not_described" else "not_readable")
