"""The models that questions ask about: of the catalogue, and made up. All the quiz knows of a catalogue model stands here."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from calc.gpus import find_gpu
from calc.model import catalogue_model

LLAMA_LIKE = (
    "llama-2-7b",
    "llama-2-13b",
    "llama-2-70b",
    "llama-3-8b",
    "llama-3-70b",
    "tinyllama-1.1b",
    "mistral-7b-v0.1",
    "mistral-nemo-12b",
    "codellama-7b",
    "llama-3.2-1b",
    "smollm2-135m",
    "smollm2-1.7b",
)
"""Models of the catalogue that are embedding, equal blocks of four attention and three FFN matrices and two norms, norm, head.

Written down, not searched for: a model that joins the catalogue must not change the papers of a version."""

ROUND_NAMES = {"llama-2-7b": 7, "llama-2-70b": 70, "llama-3.2-1b": 1, "llama-2-13b": 13, "llama-3-8b": 8, "llama-3-70b": 70}
"""The round number, in 10⁹, that a model carries in its name."""

GPUS = ("T4", "L4", "A10", "RTX 3090", "RTX 4090", "A100 40GB SXM", "A100 80GB SXM", "H100 SXM", "H200 SXM")


@dataclass(frozen=True, slots=True)
class Sizes:
    """The numbers of a Llama-like model, by the names of the config's fields; `title` is None for a made-up one."""

    title: str | None
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    vocab_size: int
    tied: bool
    parameters: int
    round_billions: int | None = None
    experts: int | None = None
    experts_chosen: int | None = None

    @property
    def grouped(self) -> bool:
        """Whether query heads share key-value heads."""
        return self.num_key_value_heads < self.num_attention_heads

    def given(self) -> dict[str, int | Fraction]:
        """The same by the symbols of formulas.

        >>> sizes("llama-3-8b").given()["n_kv"]
        8
        """
        given: dict[str, int | Fraction] = {
            "d": self.hidden_size,
            "f": self.intermediate_size,
            "L": self.num_hidden_layers,
            "n_h": self.num_attention_heads,
            "n_kv": self.num_key_value_heads,
            "h": self.head_dim,
            "V": self.vocab_size,
            "tied": int(self.tied),
            "N": self.parameters,
        }
        more = {"round": self.round_billions, "E": self.experts, "k": self.experts_chosen}
        return given | {name: value for name, value in more.items() if value is not None}


@cache
def sizes(name: str) -> Sizes:
    """The sizes of a catalogue model, as its parts list gives them.

    >>> sizes("tinyllama-1.1b").parameters, sizes("tinyllama-1.1b").head_dim
    (1100048384, 64)
    """
    model = catalogue_model(name)
    fields = model.parts_list.sizes
    heads, hidden_size = int(fields["num_attention_heads"]), int(fields["hidden_size"])
    return Sizes(
        model.title,
        hidden_size,
        int(fields["intermediate_size"]),
        int(fields["num_hidden_layers"]),
        heads,
        int(fields.get("num_key_value_heads", heads)),
        int(fields.get("head_dim", hidden_size // heads)),
        int(fields["vocab_size"]),
        tied=bool(fields["tie_word_embeddings"]),
        parameters=model.parameters,
        round_billions=ROUND_NAMES.get(name),
        experts=fields.get("num_local_experts"),
        experts_chosen=fields.get("num_experts_per_tok"),
    )


@dataclass(frozen=True, slots=True)
class Card:
    """What a question needs of a GPU: memory in GB, bandwidth in GB/s, dense 16-bit TFLOP/s."""

    name: str
    memory_gb: int
    bandwidth_gb_per_second: Fraction
    peak_tflops: Fraction

    def given(self) -> dict[str, int | Fraction]:
        """The same by the symbols of formulas."""
        return {"BW": self.bandwidth_gb_per_second, "mem": self.memory_gb, "peak": self.peak_tflops}


@cache
def card(name: str) -> Card:
    """A GPU of the list.

    >>> card("T4").bandwidth_gb_per_second
    Fraction(320, 1)
    """
    gpu = find_gpu(name)
    return Card(
        gpu.name, gpu.memory_gb, Fraction(gpu.bandwidth_bytes_per_second, 10**9), Fraction(gpu.peak_flops_per_second(), 10**12)
    )


def is_llama_like(name: str) -> bool:
    """Whether a catalogue model is what its sizes alone say, tensor by tensor: the twelve roles, and no bias.

    >>> is_llama_like("llama-2-7b"), is_llama_like("gpt2")
    (True, False)
    """
    first, other = ({tensor.role for tensor in catalogue_model(each).tensors} for each in (name, "llama-2-7b"))
    return first == other
