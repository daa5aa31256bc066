"""What torch counted while small real models read a few tokens, for the tests to compare.

Made by `tests/fixtures/make_flops_truth.py`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from calc.compute.passes import CONVOLUTIONS, multiplied_numbers, uses
from calc.errors import ConfigError
from calc.model import Model

FILE = Path(__file__).parents[1] / "fixtures" / "flops.json"
DOCUMENT = json.loads(FILE.read_text(encoding="utf-8"))

IN_CHUNKS = ("mamba2", "gated_delta", "kimi_delta", "lightning", "mlstm")
"""Recurrences that transformers computes in chunks of tokens: other products than the recurrence's own, partly elementwise."""

NOT_DESCRIBED = ("cpmant", "prophetnet", "reformer", "xlnet")
"""Types of which `calc.mixing` says that it cannot tell how their tokens meet."""


def records():
    """Every record as a parameter, in the file's order."""
    numbers, cases = defaultdict(int), []
    for record in DOCUMENT["records"]:
        model_type = record["config"]["model_type"]
        numbers[model_type] += 1
        cases.append(pytest.param(record, id=f"{model_type}-{numbers[model_type]}"))
    return cases


def model_of(record):
    """The record's tensors, and how its tokens meet."""
    return Model.of(record["config"]).tensors, Model.of(record["config"]).mixing


def is_described(record):
    """Whether the record's type says how its tokens meet; the others are refused by name, and only they."""
    try:
        _ = Model.of(record["config"]).mixing
    except ConfigError as error:
        assert error.code == "mixing_not_described" and record["config"]["model_type"] in NOT_DESCRIBED
        return False
    return True


def module_of(tensor, called):
    """The module in which torch sees a tensor multiply: its own if it was called, else the one that holds the parameter."""
    own = re.sub(r"\.weight$", "", tensor.name)
    return own if own in called else own.rpartition(".")[0]


def convolution_outputs(tensor, record):
    """Columns that a convolution gives for the record's tokens in transformers: it pads both ends and drops the last."""
    tokens = record["tokens"]
    if record["config"]["model_type"] == "zaya":  # two convolutions, padded once, in front, by what both need
        second = record["config"]["cca_time1"]
        return tokens + second - 1 if tensor.role == "convolution" else tokens
    if ".ple." in tensor.name:  # padded in front alone
        return tokens
    return tokens + tensor.input.value - 1


def expected_modules(record, tensors, meeting):
    """Module → FLOPs that its tensors should cost, for all the record's tokens."""
    expected = defaultdict(int)
    for tensor, times in uses(tensors, meeting.sizes):
        if not times:
            continue
        passes = convolution_outputs(tensor, record) if tensor.role in CONVOLUTIONS else record["tokens"]
        expected[module_of(tensor, record["modules"])] += 2 * times * multiplied_numbers(tensor) * passes
    return expected


def mixer_modules(tensors, meeting):
    """Modules that hold a recurrence which is computed in chunks."""
    if not any(entry.kind in IN_CHUNKS for entry in meeting.recurrences):
        return set()
    named = {"mixer_output": r"\.[a-z_]+\.weight$", "fixed_decay": r"\.[a-z_]+$"}
    return {re.sub(named[tensor.role], "", tensor.name) for tensor in tensors if tensor.role in named and tensor.kind != "bias"}
