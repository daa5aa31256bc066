"""A Llama as numbers: its lengths, and its matrices under the names that its file gives them.

Matrices are [out, in], as files store them. Names of roles are those of the parts list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from calc.model import Model
from calc.run.formulas import Array

MATRICES = {
    "query": "self_attn.q_proj",
    "key": "self_attn.k_proj",
    "value": "self_attn.v_proj",
    "attention_output": "self_attn.o_proj",
    "gate": "mlp.gate_proj",
    "up": "mlp.up_proj",
    "down": "mlp.down_proj",
}
"""Role → module of a layer."""

NORMS = {
    "norm_before_attention": "input_layernorm",
    "norm_before_ffn": "post_attention_layernorm",
    "query_norm": "self_attn.q_norm",
    "key_norm": "self_attn.k_norm",
}
"""Role → module of a layer; the last two are in some models only."""

EMBEDDING, FINAL_NORM, HEAD = "model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"


@dataclass(frozen=True, slots=True)
class Sizes:
    """The lengths of a model, and the three numbers that no tensor shows.

    hidden_size           d, numbers of the residual stream
    intermediate_size     d_ff, numbers between up and down
    num_hidden_layers     L
    num_attention_heads   n_h query heads
    num_key_value_heads   n_kv; n_h ÷ n_kv query heads share one
    head_dim              numbers of a head's query, key and value; even, as they turn in pairs
    vocab_size            V
    max_context           tokens it can take
    rms_norm_eps          ε
    rope_theta            θ
    tied                  whether the head is the embedding
    """

    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    vocab_size: int
    max_context: int
    rms_norm_eps: float
    rope_theta: float
    tied: bool

    @property
    def queries_per_key(self) -> int:
        """Query heads that share a key head."""
        return self.num_attention_heads // self.num_key_value_heads


@dataclass(frozen=True, eq=False, slots=True)
class Linear:
    """A matrix [out, in], by some models with a bias [out]."""

    role: str
    name: str
    weight: Array
    bias: Array | None = None

    @property
    def bias_name(self) -> str:
        """`….q_proj.bias`."""
        return self.name.removesuffix("weight") + "bias"


@dataclass(frozen=True, eq=False, slots=True)
class Norm:
    """The scale of an RMSNorm."""

    name: str
    scale: Array


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """One layer: attention, then a gated FFN, each behind a norm."""

    norm_before_attention: Norm
    query: Linear
    key: Linear
    value: Linear
    query_norm: Norm | None
    key_norm: Norm | None
    attention_output: Linear
    norm_before_ffn: Norm
    gate: Linear
    up: Linear
    down: Linear


@dataclass(frozen=True, eq=False)
class Llama:
    """A model that can run.

    sizes        its lengths
    tensors      every tensor by its name in the file, float32
    description  the same model as the rest of this package counts it
    """

    sizes: Sizes
    tensors: Mapping[str, Array]
    description: Model

    @property
    def embedding(self) -> Array:
        """[V, d], a row for each token."""
        return self.tensors[EMBEDDING]

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """Its layers, in the order data flows."""
        return tuple(self._layer(f"model.layers.{index}") for index in range(self.sizes.num_hidden_layers))

    @property
    def final_norm(self) -> Norm:
        """Before the head."""
        return Norm(FINAL_NORM, self.tensors[FINAL_NORM])

    @property
    def head(self) -> Linear:
        """[V, d]; tied, it is the embedding itself."""
        name = EMBEDDING if self.sizes.tied else HEAD
        return Linear("lm_head", name, self.tensors[name])

    @property
    def parameters(self) -> int:
        """Numbers it holds, a tied head once."""
        return sum(tensor.size for tensor in self.tensors.values())

    def with_tensors(self, tensors: Mapping[str, Array]) -> Llama:
        """The same model with other numbers in some of its tensors."""
        return Llama(self.sizes, {**self.tensors, **tensors}, self.description)

    def _layer(self, prefix: str) -> Layer:
        def linear(role: str) -> Linear:
            name = f"{prefix}.{MATRICES[role]}.weight"
            return Linear(role, name, self.tensors[name], self.tensors.get(name.removesuffix("weight") + "bias"))

        def norm(role: str) -> Norm:
            name = f"{prefix}.{NORMS[role]}.weight"
            return Norm(name, self.tensors[name])

        has_head_norms = f"{prefix}.{NORMS['query_norm']}.weight" in self.tensors
        return Layer(
            norm_before_attention=norm("norm_before_attention"),
            query=linear("query"),
            key=linear("key"),
            value=linear("value"),
            query_norm=norm("query_norm") if has_head_norms else None,
            key_norm=norm("key_norm") if has_head_norms else None,
            attention_output=linear("attention_output"),
            norm_before_ffn=norm("norm_before_ffn"),
            gate=linear("gate"),
            up=linear("up"),
            down=linear("down"),
        )
