"""Where the width of an FFN comes from: three matrices that hold as much as two of width 4d, rounded up to a multiple."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from calc.learn.formula import exponential


@dataclass(frozen=True, slots=True)
class FfnWidth:
    """The derivation of a width, line by line.

    hidden_size   d
    multiplier    m, which some models widen by before they round
    multiple      k, to which the width is rounded up
    two_of_4d     8·d², what two matrices of width 4d hold
    balanced      8·d ÷ 3, where three matrices hold as much
    whole         its whole part
    widened       ⌊m · whole⌋
    multiples     how many times k the width is
    width         k · multiples
    """

    hidden_size: int
    multiplier: Fraction
    multiple: int
    two_of_4d: int
    balanced: Fraction
    whole: int
    widened: int
    multiples: int
    width: int

    @property
    def parameters(self) -> int:
        """3 · d · width: what the three matrices hold."""
        return 3 * self.hidden_size * self.width

    @property
    def gain(self) -> Fraction:
        """What rounding up and widening add to 8·d², as a share of it."""
        return Fraction(self.parameters, self.two_of_4d) - 1


def ffn_width(hidden_size: int, multiple: int, multiplier: Fraction = Fraction(1)) -> FfnWidth:
    """⌈⌊m · ⌊8d/3⌋⌋ ÷ k⌉ · k, with all its lines. Source: FeedForward.__init__ in Meta's llama/model.py.

    >>> ffn_width(4096, 256).width, ffn_width(5120, 256).width, ffn_width(2048, 256).width
    (11008, 13824, 5632)
    >>> ffn_width(8192, 4096, Fraction("1.3")).width, ffn_width(4096, 1024, Fraction("1.3")).width
    (28672, 14336)
    """
    balanced = Fraction(8 * hidden_size, 3)
    whole = floor(balanced)
    widened = floor(multiplier * whole)
    multiples = -(-widened // multiple)
    return FfnWidth(
        hidden_size, multiplier, multiple, 8 * hidden_size**2, balanced, whole, widened, multiples, multiple * multiples
    )


@dataclass(frozen=True, slots=True)
class OtherFfn:
    """What a model would hold with another FFN; differences are against its own.

    a_block          parameters of one block's FFN
    more_a_block     how many more than its own, below 0 where it is fewer
    all_blocks       a_block · L
    more_in_all      more_a_block · L
    """

    a_block: int
    more_a_block: int
    all_blocks: int
    more_in_all: int


def other_ffn(hidden_size: int, width: int, layers: int, other_width: int, matrices: int = 3) -> OtherFfn:
    """The FFN of `matrices` matrices of another width, beside the gated one of three matrices of `width`. Llama-2-7B with 4d:

    >>> other_ffn(4096, 11008, 32, 16384)
    OtherFfn(a_block=201326592, more_a_block=66060288, all_blocks=6442450944, more_in_all=2113929216)
    >>> other_ffn(4096, 11008, 32, 11008, matrices=2).more_a_block
    -45088768
    """
    a_block = matrices * hidden_size * other_width
    more = a_block - 3 * hidden_size * width
    return OtherFfn(a_block, more, layers * a_block, layers * more)


def silu(value: Fraction) -> Fraction:
    """SiLU(x) = x ÷ (1 + e^−x), to 50 digits.

    >>> [round(float(silu(Fraction(x))), 3) for x in (-2, -1, 0, 1, 2)]
    [-0.238, -0.269, 0.0, 0.731, 1.762]
    """
    return value / (1 + exponential(-value))


def gated(gate: tuple[Fraction, ...], up: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """SiLU(gate) · up, number by number: the gate opens where it is large, and closes where it is far below 0.

    >>> u = (Fraction(1), Fraction(2), Fraction(3), Fraction(-1), Fraction(1, 2))
    >>> [round(float(x), 3) for x in gated(tuple(map(Fraction, (-2, -1, 0, 1, 2))), u)]
    [-0.238, -0.538, 0.0, -0.731, 0.881]
    """
    return tuple(silu(opening) * value for opening, value in zip(gate, up, strict=True))
