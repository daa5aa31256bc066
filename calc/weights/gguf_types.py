"""Which type llama.cpp gives each tensor of a model when it quantizes a file to Q4_K_M, IQ3_XS and so on.

A file of one name mixes types: what hurts most when it is rounded (values of attention, the last FFN matrix, the first and
last layers) takes more bits. The rules here are those of `llama_tensor_get_type_impl` and `tensor_type_fallback`, in
`src/llama-quant.cpp` of ggml-org/llama.cpp at commit 007dbbf3 (2026). Files made by older versions may mix otherwise: Q2_K of
2023 took 3.35 bits a weight on Llama-2-7B, today's takes 3.00.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from calc.errors import ConfigError
from calc.weights.formats import number_format

VERSION = "llama.cpp, commit 007dbbf3"

FTYPES = {
    "F32": "F32", "F16": "F16", "BF16": "BF16",
    "Q4_0": "Q4_0", "Q4_1": "Q4_1", "Q5_0": "Q5_0", "Q5_1": "Q5_1", "Q8_0": "Q8_0",
    "Q2_K": "Q2_K", "Q2_K_S": "Q2_K", "Q3_K_S": "Q3_K", "Q3_K_M": "Q3_K", "Q3_K_L": "Q3_K", "Q4_K_S": "Q4_K", "Q4_K_M": "Q4_K",
    "Q5_K_S": "Q5_K", "Q5_K_M": "Q5_K", "Q6_K": "Q6_K",
    "IQ1_S": "IQ1_S", "IQ1_M": "IQ1_M", "IQ2_XXS": "IQ2_XXS", "IQ2_XS": "IQ2_XS", "IQ2_S": "IQ2_XS", "IQ2_M": "IQ2_S",
    "IQ3_XXS": "IQ3_XXS", "IQ3_XS": "IQ3_S", "IQ3_S": "IQ3_S", "IQ3_M": "IQ3_S", "IQ4_NL": "IQ4_NL", "IQ4_XS": "IQ4_XS",
    "TQ1_0": "TQ1_0", "TQ2_0": "TQ2_0", "MXFP4_MOE": "MXFP4", "Q1_0": "Q1_0", "Q2_0": "Q2_0",
}  # fmt: skip
"""Every file type that `llama-quantize` makes, with the type that most of its tensors take."""

PLAIN = ("F32", "F16", "BF16")
NEEDS_IMATRIX = ("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS")
"""Types that llama-quantize refuses to make without an importance matrix; Q2_K too, in a file of the type Q2_K_S."""

_UP_TO_2_BITS = ("IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M", "IQ1_S", "IQ1_M")
_FALLBACK = {
    **dict.fromkeys(("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_XS"), "IQ4_NL"),
    **dict.fromkeys(("Q2_0", "Q2_K", "Q3_K", "TQ1_0", "TQ2_0"), "Q4_0"),
    "Q4_K": "Q5_0", "Q5_K": "Q5_1", "Q6_K": "Q8_0",
}  # fmt: skip

Category = Literal[
    "token_embd", "output", "attn_qkv", "attn_kv_b", "attn_v", "attn_k", "attn_q", "attn_output", "ffn_up", "ffn_gate",
    "ffn_down", "other",
]  # fmt: skip
_BY_NAME: tuple[Category, ...] = (
    "attn_qkv", "attn_kv_b", "attn_v", "attn_k", "attn_q", "attn_output", "ffn_up", "ffn_gate", "ffn_down",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """What the rules need to know of a model.

    architecture   llama.cpp's name of it: `llama`, `falcon`, `gpt-oss`
    layers         L
    heads, kv_heads   of its attention; 1 kv head for latents (MLA), as llama.cpp writes them
    experts        of a mixture, 0 without one
    tied           whether the file has no output matrix
    """

    architecture: str
    layers: int
    heads: int
    kv_heads: int
    experts: int
    tied: bool

    @property
    def shared_by(self) -> int:
        """Query heads that share a kv head."""
        return self.heads // self.kv_heads if self.kv_heads else 0

    @property
    def counts_as_70b(self) -> bool:
        """Whether llama.cpp takes it for a 70B model: by its layers, whatever its size."""
        if self.experts == 8 and self.architecture == "llama":
            return False
        grouped = self.architecture == "qwen2" or (self.architecture == "llama" and self.heads != self.kv_heads)
        return grouped and self.layers == 80


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tensor that may be quantized: its name in the file, the length of its rows, how many matrices it stacks."""

    name: str
    row_length: int
    stack: int = 1

    @property
    def layer(self) -> int:
        """The block it is in; -1 outside the blocks."""
        parts = self.name.split(".")
        return int(parts[1]) if parts[0] == "blk" else -1


def category_of(name: str) -> Category:
    """What the rules take a tensor for, by its name.

    >>> [category_of(name) for name in ("output.weight", "blk.3.ffn_down_exps.weight", "blk.3.attn_kv_a_mqa.weight")]
    ['output', 'ffn_down', 'other']
    """
    if name in ("output.weight", "token_embd.weight", "per_layer_token_embd.weight"):
        return "output" if name == "output.weight" else "token_embd"
    for category in _BY_NAME:
        if (category if category.startswith("ffn") else f"{category}.weight") in name:
            return category
    return "other"


def more_bits(layer: int, layers: int) -> bool:
    """Whether a layer is among those that take more bits: the first and the last eighth, and every third between.

    >>> [layer for layer in range(32) if more_bits(layer, 32)]
    [0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31]
    """
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def choose_types(tensors: Sequence[Candidate], shape: Shape, ftype: str, imatrix: bool = False) -> dict[str, str]:
    """The type of each tensor, by its name, whatever the length of its rows: see `fitting`.

    imatrix   whether an importance matrix is given: it changes three of the rules

    >>> llama = Shape("llama", 32, 32, 32, 0, tied=False)
    >>> names = ("output.weight", "token_embd.weight", "blk.0.attn_v.weight", "blk.0.attn_q.weight")
    >>> chosen = choose_types([Candidate(name, 4096) for name in names], llama, "Q4_K_M")
    >>> [chosen[name] for name in names]
    ['Q6_K', 'Q4_K', 'Q6_K', 'Q4_K']
    """
    if ftype in PLAIN:
        return {tensor.name: ftype for tensor in tensors}
    ordered = sorted(tensors, key=lambda tensor: (tensor.layer, tensor.name.encode()))
    values = sum(category_of(tensor.name) in ("attn_v", "attn_qkv", "attn_kv_b") for tensor in ordered)
    rules = _Rules(shape, ftype, imatrix, values)
    return {tensor.name: rules.type_of(tensor) for tensor in ordered}


def fitting(kind: str, tensor: Candidate) -> str:
    """The type a tensor really takes: one of smaller blocks where its rows are no whole number of blocks.

    Raises ConfigError: gguf_no_fallback. Then llama-quantize gives up.

    >>> fitting("Q4_K", Candidate("blk.0.ffn_down.weight", 2880)), fitting("Q6_K", Candidate("blk.0.ffn_down.weight", 2900))
    ('Q5_0', 'F16')
    """
    if tensor.row_length % block_of(kind) == 0:
        return kind
    if kind not in _FALLBACK:
        raise ConfigError(
            "gguf_no_fallback", "format", tensor=tensor.name, kind=kind, length=tensor.row_length, block=block_of(kind)
        )
    smaller = _FALLBACK[kind]
    return smaller if tensor.row_length % block_of(smaller) == 0 else "F16"


def block_of(kind: str) -> int:
    """Weights of a block of this type."""
    return number_format(f"gguf-{kind}").block_weights


class _Rules:
    """The choice, tensor by tensor in the order of layers and names: it counts the values and `ffn_down`s it has seen."""

    def __init__(self, shape: Shape, ftype: str, imatrix: bool, values: int) -> None:
        self.shape, self.ftype, self.imatrix, self.default = shape, ftype, imatrix, FTYPES[ftype]
        self.values, self.values_seen = values, 0
        self.seen: Counter[Category] = Counter()

    def type_of(self, tensor: Candidate) -> str:
        category = category_of(tensor.name)
        if category == "output" or (category == "token_embd" and self.shape.tied):
            return self._output(tensor)
        if self.ftype == "MXFP4_MOE":
            return "MXFP4" if tensor.stack > 1 else "Q8_0"
        if category == "token_embd":
            return self._embedding()
        if category in ("attn_v", "attn_qkv", "attn_kv_b"):
            chosen = self._low_value() if self.ftype in _UP_TO_2_BITS else self._value()
            self.values_seen += 1
            return chosen
        if category.startswith("ffn"):
            layer = tensor.layer if self.shape.experts > 1 else self.seen[category]
            chosen = self._low_down() if self.ftype in _UP_TO_2_BITS and category == "ffn_down" else self._ffn(category, layer)
            self.seen[category] += 1
            return chosen
        if category == "attn_output":
            return self._low_attention_output() if self.ftype in _UP_TO_2_BITS else self._attention_output()
        if category in ("attn_q", "attn_k"):
            return self._query_or_key(category)
        return self.default

    def _output(self, tensor: Candidate) -> str:
        if self.ftype == "MXFP4_MOE" or self.shape.architecture == "falcon" or tensor.row_length % block_of(self.default):
            return "Q8_0"
        if self.ftype in (*_UP_TO_2_BITS, "IQ3_XXS"):
            return "Q5_K"
        return "Q8_0" if self.default == "Q8_0" else "Q6_K"

    def _embedding(self) -> str:
        if self.ftype in ("IQ2_XXS", "IQ2_XS", "IQ1_S", "IQ1_M"):
            return "Q2_K"
        if self.ftype in ("IQ2_S", "IQ2_M", "IQ3_XXS"):
            return "IQ3_S"
        return "Q4_K" if self.ftype in ("TQ1_0", "TQ2_0", "Q2_0") else self.default

    def _low_value(self) -> str:
        if self.shape.shared_by >= 4 or self.shape.experts >= 4:
            return "Q4_K"
        return "IQ3_S" if self.ftype in ("IQ2_S", "IQ2_M") else "Q2_K"

    def _low_down(self) -> str:
        if self.seen["ffn_down"] >= self.shape.layers // 8:
            return self.default
        return "IQ3_S" if self.ftype in ("IQ2_S", "IQ2_M") else "Q2_K"

    def _low_attention_output(self) -> str:
        if self.shape.experts == 8:
            return "Q5_K"
        return {"IQ1_S": "IQ2_XXS", "IQ1_M": "IQ2_XXS", "IQ2_S": "IQ3_S", "IQ2_M": "IQ3_S"}.get(self.ftype, self.default)

    def _value(self) -> str:
        chosen = self._value_by_ftype()
        if self.shape.counts_as_70b and chosen in ("Q3_K", "Q4_K"):
            chosen = "Q5_K"
        return "Q8_0" if self.shape.experts == 8 else chosen

    def _value_by_ftype(self) -> str:
        ftype, shared = self.ftype, self.shape.shared_by >= 4
        if ftype == "Q2_K":
            return "Q4_K" if shared else "Q3_K"
        if ftype == "IQ3_XXS":
            return "Q4_K" if shared else "IQ3_XXS" if self.imatrix else "IQ3_S"
        if ftype in ("Q2_K_S", "IQ3_XS", "IQ3_S") and shared:
            return "Q4_K"
        if ftype in ("IQ4_NL", "IQ4_XS") and shared:
            return "Q5_K"
        if ftype == "IQ3_M":
            return "Q4_K"
        if ftype == "Q3_K_M":
            return "Q5_K" if self.values_seen < 2 else "Q4_K"
        if ftype == "Q3_K_L":
            return "Q5_K"
        if ftype in ("Q4_K_M", "Q5_K_M") and more_bits(self.values_seen, self.values):
            return "Q6_K"
        return "Q5_K" if ftype == "Q4_K_S" and self.values_seen < 4 else self.default

    def _query_or_key(self, category: Category) -> str:
        if category == "attn_k" and self.shape.experts == 8:
            return "Q4_K" if self.ftype in _UP_TO_2_BITS else "Q8_0"
        return {"IQ3_XS": "IQ3_XXS", "IQ3_XXS": "IQ2_S"}.get(self.ftype, self.default)

    def _ffn(self, category: Category, layer: int) -> str:
        if category == "ffn_down":
            return self._down(layer)
        between = self.shape.layers // 8 <= layer < 7 * self.shape.layers // 8
        return "IQ3_XXS" if self.ftype == "IQ3_XS" and between else self.default

    def _down(self, layer: int) -> str:
        ftype, layers, falcon = self.ftype, self.shape.layers, self.shape.architecture == "falcon"
        first, more = layer < layers // 8, more_bits(layer, layers)
        if ftype == "Q2_K":
            return "Q3_K"
        if ftype == "IQ3_XXS" and not self.imatrix:
            return "Q4_K" if first else "Q3_K"
        if ftype == "Q3_K_M":
            return "Q5_K" if layer < layers // 16 else "Q4_K" if not falcon or more else "Q3_K"
        if ftype == "Q3_K_L":
            return "Q4_K" if falcon else "Q5_K"
        if ftype == "Q4_K_M" and falcon:
            return "Q6_K" if layer < layers // 16 else "Q5_K" if more else "Q4_K"
        if ftype in ("Q4_K_M", "Q5_K_M") and more:
            return "Q6_K"
        if ftype == "IQ3_M" and (first or (self.shape.experts == 8 and more)):
            return "Q4_K"
        return self._first_down(falcon) if first else self.default

    def _first_down(self, falcon: bool) -> str:
        if self.ftype in ("IQ4_NL", "IQ4_XS") and not self.imatrix:
            return "Q5_K"
        if self.ftype in ("Q4_0", "Q5_0") and self.imatrix:
            return {"Q4_0": "Q4_1", "Q5_0": "Q5_1"}[self.ftype]
        if self.ftype == "Q4_K_S" and falcon:
            return self.default
        return {"Q2_K_S": "Q4_K", "Q4_K_S": "Q5_K"}.get(self.ftype, self.default)

    def _attention_output(self) -> str:
        ftype = self.ftype
        if self.shape.architecture == "falcon":
            return "Q4_K" if ftype == "Q3_K_L" else self.default
        if self.shape.experts == 8:
            raised = ("Q2_K", "IQ3_XS", "IQ3_XXS", "Q3_K_S", "Q3_K_M", "IQ4_NL", "Q4_K_S", "Q4_K_M", "IQ3_S", "IQ3_M", "IQ4_XS")
            return "Q5_K" if ftype in raised else self.default
        raises = {"Q2_K": "Q3_K", "IQ3_XXS": "IQ3_S", "Q3_K_M": "Q4_K", "Q3_K_L": "Q5_K", "IQ3_M": "Q4_K"}
        return raises.get(ftype, self.default)
