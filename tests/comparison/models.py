"""Models to compare in the tests: the catalogue's, Llamas of any sizes, and a count of these written down by hand."""

import json
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from calc.model import Model

FIXTURES = Path(__file__).parents[1] / "fixtures"
FACTS = {fact["id"].partition(" (")[0]: fact for fact in json.loads((FIXTURES / "models.json").read_text(encoding="utf-8"))}
"""Totals and KV caches from outside this project, by Hub id."""


@cache
def compared(name):
    """A model of the catalogue."""
    return Model.of(name)


def own(name="mine", **values):
    """A model of somebody's own config, a Llama unless it says otherwise."""
    return Model({"model_type": "llama", **values}, name)


LLAMA_FIELDS = (
    "vocab_size",
    "num_key_value_heads",
    "intermediate_size",
    "hidden_size",
    "num_attention_heads",
    "head_dim",
    "num_hidden_layers",
    "tie_word_embeddings",
)


@st.composite
def llama_configs(draw):
    """A complete Llama config, its sizes small enough to think about."""
    kv_heads, group = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return {
        "model_type": "llama",
        "vocab_size": draw(st.integers(1, 500)),
        "hidden_size": draw(st.integers(1, 300)),
        "intermediate_size": draw(st.integers(1, 400)),
        "num_hidden_layers": draw(st.integers(1, 12)),
        "num_attention_heads": kv_heads * group,
        "num_key_value_heads": kv_heads,
        "head_dim": draw(st.integers(1, 40)),
        "tie_word_embeddings": draw(st.booleans()),
    }


def llama_total(config):
    """A Llama's parameters, by hand: ends, attention, three FFN matrices and two norms a layer, the last norm."""
    d, layers, n_h, n_kv = (
        config[field] for field in ("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads")
    )
    ends = config["vocab_size"] * d * (1 if config["tie_word_embeddings"] else 2)
    attention = 2 * d * n_h * config["head_dim"] + 2 * d * n_kv * config["head_dim"]
    return ends + layers * (attention + 3 * d * config["intermediate_size"] + 2 * d) + d
