"""What transformers computed (tests/fixtures/make_run_truth.py), and models written as the files it would read."""

import json
from functools import cache
from pathlib import Path

import numpy as np
from safetensors.numpy import save

FIXTURES = Path(__file__).parents[1] / "fixtures"

TOLERANCE = {"rtol": 1e-4, "atol": 1e-4}
"""Of numbers up to about 20 in float32, summed in another order than torch does."""


@cache
def truth():
    """Every array by its key."""
    with np.load(FIXTURES / "run_truth.npz") as file:
        return dict(file)


def under(prefix):
    """The arrays whose key begins so, by the rest of the key."""
    return {key.removeprefix(prefix): array for key, array in truth().items() if key.startswith(prefix)}


def ids_of(key):
    """A list of ids."""
    return truth()[key].tolist()


def small_config(model_type):
    """The config of the small model of a type."""
    return json.loads(str(truth()[f"{model_type}/config"]))


def small_files(model_type, tensors=None, changed=None):
    """Its files; `tensors` in place of its own, fields of its config changed."""
    tensors = under(f"{model_type}/tensor/") if tensors is None else tensors
    config = json.dumps(small_config(model_type) | (changed or {}))
    return [
        ("config.json", config.encode()),
        ("model.safetensors", save({name: np.array(each) for name, each in tensors.items()})),
    ]
