"""One tensor of a model: the line of the parts list that every figure is read from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from calc.lengths import ONE, Length

Part = Literal["embedding", "attention", "ffn", "norm", "lm_head", "other"]
PARTS: tuple[Part, ...] = ("embedding", "attention", "ffn", "norm", "lm_head", "other")

Kind = Literal["table", "matrix", "bias", "scale", "buffer"]
"""`table` is looked up, `matrix` multiplies, `bias` is added, `scale` is a norm's weight, `buffer` is no parameter."""

Layout = Literal["out_in", "in_out", "vector"]
"""How the checkpoint stores it: torch's Linear keeps [out, in]; tables and GPT-2's Conv1D keep [in, out]."""


@dataclass(frozen=True, slots=True)
class Band:
    """A run of a matrix's rows or columns that belongs to `heads` heads of `width` each.

    The 4096 columns of Llama-2-7B's q_proj are one band of 32 heads, 128 wide; a fused query-key-value matrix
    has three bands. Splitting a matrix into bands adds no parameters.

    kv_heads   where query heads share key-value heads: how many of those there are, None where each has its own

    >>> Band("query", heads=32, width=128, kv_heads=8).length
    4096
    """

    role: str
    heads: int
    width: int
    kv_heads: int | None = None

    @property
    def length(self) -> int:
        """Rows or columns of the whole band: heads · width."""
        return self.heads * self.width


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor: `input` × `output` numbers, so many copies, under this name in the checkpoint.

    name       as in the checkpoint, the layer's index written `*`
    part       the part of the model it belongs to
    role       what it does there (`query`, `gate`, …): the key to its explanation
    input      length of the vector that goes in (1 for a vector, which has no input of its own)
    output     length of the vector that comes out
    layers     ids of the layers that hold it, ascending; None outside the layers
    repeats    copies inside one layer (experts), or outside the layers
    experts    E, where it is a stack of E experts; a token goes through `experts_chosen` of them
    stored     the shape in the checkpoint, where layout and stack do not say it: a convolution's [channels, 1, kernel]
    tied_to    name of the tensor whose numbers it shares; a tied tensor adds no parameters

    >>> d, d_ff = Length.of("d", 4096), Length.of("d_ff", 11008)
    >>> gate = Tensor("model.layers.*.mlp.gate_proj.weight", "ffn", "gate", "matrix", d, d_ff, layers=tuple(range(32)))
    >>> gate.formula, gate.numbers, gate.shape
    ('d × d_ff', '4096 × 11008', (11008, 4096))
    >>> gate.count, gate.copies, gate.parameters
    (45088768, 32, 1442840576)
    """

    name: str
    part: Part
    role: str
    kind: Kind
    input: Length
    output: Length
    layout: Layout = "out_in"
    layers: tuple[int, ...] | None = None
    repeats: int = 1
    experts: Length | None = None
    experts_chosen: int | None = None
    stored: tuple[int, ...] | None = None
    tied_to: str | None = None
    input_bands: tuple[Band, ...] = ()
    output_bands: tuple[Band, ...] = ()

    @property
    def copies(self) -> int:
        """How many of it the model holds: layers · repeats."""
        return self.repeats * (1 if self.layers is None else len(self.layers))

    @property
    def count(self) -> int:
        """Numbers in one copy: input · output, times the experts of a stack."""
        return self.input.value * self.output.value * (self.experts.value if self.experts else 1)

    @property
    def parameters(self) -> int:
        """What it adds to the model's total: copies · input · output; 0 where tied or a buffer."""
        return 0 if self.tied_to or self.kind == "buffer" else self.copies * self.count

    @property
    def active_parameters(self) -> int:
        """What a token goes through: of a stack of experts, those chosen; of all else, everything."""
        if self.experts is None or self.experts_chosen is None:
            return self.parameters
        return self.parameters // self.experts.value * self.experts_chosen

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape as stored in the checkpoint."""
        if self.stored is not None:
            return self.stored
        stack = (self.experts.value,) if self.experts else ()
        if self.layout == "vector":
            return (*stack, self.output.value)
        if self.layout == "in_out":
            return (*stack, self.input.value, self.output.value)
        return (*stack, self.output.value, self.input.value)

    @property
    def is_vector(self) -> bool:
        """Whether it is a single row (a bias, a norm's weight) rather than a matrix."""
        return self.layout == "vector"

    @property
    def formula(self) -> str:
        """The count of one copy in symbols: `d × n_kv·head_dim`, a stack `E × d × d_expert`."""
        if self.is_vector and not self.experts:
            return self.output.symbol
        return " × ".join(length.factor_symbol for length in self.factors)

    @property
    def numbers(self) -> str:
        """The same in the config's numbers: `4096 × 8·128`."""
        if self.is_vector and not self.experts:
            return self.output.numbers
        return " × ".join(length.factor_numbers for length in self.factors)

    @property
    def factors(self) -> tuple[Length, ...]:
        """The lengths whose product one copy holds: experts (of a stack), input, output; a vector has its output only."""
        stack = (self.experts,) if self.experts else ()
        return (*stack, self.output) if self.is_vector else (*stack, self.input, self.output)

    @property
    def short_name(self) -> str:
        """Its own name: `gate_proj` of `model.layers.*.mlp.gate_proj.weight`, `A_log` of `mixer.A_log`."""
        *modules, last = (module for module in self.name.split(".") if module != "*")
        return modules[-1] if last in ("weight", "bias") and modules else last

    def within(self, prefix: str, layers: tuple[int, ...] | None = None) -> Tensor:
        """The same tensor inside a module: its name prefixed, and placed in these layers if any are given."""
        return replace(self, name=f"{prefix}.{self.name}", layers=self.layers if layers is None else layers)


def vector(name: str, part: Part, role: str, kind: Kind, length: Length) -> Tensor:
    """A tensor of one row: a bias, or the scale of a norm."""
    return Tensor(name, part, role, kind, ONE, length, layout="vector")
