"""A count by `calc` against the same count by transformers, which builds the model on the meta device."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from calc import Model
from calc.catalogue import CatalogueModel, catalogue

from .figures import Pairs, in_turn

REPOSITORY = Path(__file__).parents[2]
COUNTS_A_ROUND = 200
COUNT_ONE = """
from calc import parameters
from calc.catalogue import catalogue
Model.of("llama-2-7b").parameters
"""
NEEDLESS = ("torch", "transformers", "pandas", "numpy", "streamlit")


def largest_model() -> CatalogueModel:
    """The model of the catalogue with the most parameters."""
    return max(catalogue().values(), key=lambda model: model.parameters)


def warm_count(model: CatalogueModel, rounds: int) -> Pairs:
    """Seconds of one count, everything imported before, by `calc` and by transformers.

    Raises ImportError where torch or transformers is missing, ValueError where the two do not count the same.
    """
    counted, built = Model.of(model.config).parameters, _built_parameters(model.config)
    if counted != built:
        raise ValueError(f"{model.name}: calc counts {counted:,}, transformers {built:,}")

    def count() -> float:
        start = time.perf_counter()
        for _ in range(COUNTS_A_ROUND):
            Model.of(model.config)
        return (time.perf_counter() - start) / COUNTS_A_ROUND

    def build() -> float:
        start = time.perf_counter()
        _built_parameters(model.config)
        return time.perf_counter() - start

    return in_turn(count, build, rounds)


def cold_count(against: str, rounds: int) -> Pairs:
    """Seconds of a Python process that counts Llama-2-7B, and of one that runs the code `against`.

    Raises CalledProcessError where that code fails.
    """
    return in_turn(lambda: _process_seconds(COUNT_ONE), lambda: _process_seconds(against), rounds)


def imported_needlessly() -> list[str]:
    """Which of the large libraries a process that counts a model has imported; should be none."""
    code = f"{COUNT_ONE}\nimport json, sys\nprint(json.dumps([name for name in {NEEDLESS!r} if name in sys.modules]))"
    answer = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def _process_seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def _built_parameters(config: Mapping[str, object]) -> int:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.for_model(**config))
    return sum(parameter.numel() for parameter in model.parameters())
