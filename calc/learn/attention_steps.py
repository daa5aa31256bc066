"""Attention on a few tokens, step by step, in numbers that can be followed by hand.

Vectors are whole numbers and fractions; only the scaling's root and softmax's e are worked out, to 50 digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from calc.learn.formula import exponential, square_root
from calc.learn.questions.kinds import Dice
from calc.learn.vector_product import vector_product

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]

QUARTERS = tuple(Fraction(number, 4) for number in range(-8, 9))
"""−2, −1.75 … 2."""
FEWEST_TOKENS, MOST_TOKENS = 2, 6


@dataclass(frozen=True, slots=True)
class HeadSteps:
    """One query head's steps, a row a token; what the mask hides is None.

    head      which query head
    kv_head   which key-value head it reads
    q, k, v   its stripes
    scores    q · k of each pair
    scaled    scores ÷ √head_dim; the scores themselves where scaling is off
    masked    scaled, None where a token would see a later one
    weights   softmax of each row; 0 where masked
    mixed     Σ weight · v
    """

    head: int
    kv_head: int
    q: Matrix
    k: Matrix
    v: Matrix
    scores: Matrix
    scaled: Matrix
    masked: tuple[tuple[Fraction | None, ...], ...]
    weights: Matrix
    mixed: Matrix


@dataclass(frozen=True, slots=True)
class AttentionSteps:
    """All steps of one attention: heads, their results end to end, and, where there is a W_o, what comes out."""

    heads: tuple[HeadSteps, ...]
    joined: Matrix
    out: Matrix | None


@dataclass(frozen=True, slots=True)
class Weights:
    """Made-up matrices of a small attention: in × out."""

    query: Matrix
    key: Matrix
    value: Matrix
    output: Matrix


def softmax(scores: Sequence[Fraction | None]) -> Vector:
    """e^score ÷ Σ e^score of a row; None, which is masked, gets 0. At least one must be seen.

    >>> [round(float(weight), 3) for weight in softmax([Fraction("0.43"), Fraction("0.18")])]
    [0.562, 0.438]
    >>> [int(weight) for weight in softmax([Fraction("0.43"), None])]
    [1, 0]
    """
    largest = max(score for score in scores if score is not None)
    powers = [Fraction(0) if score is None else exponential(score - largest) for score in scores]
    total = sum(powers, Fraction(0))
    return tuple(power / total for power in powers)


def dot(left: Vector, right: Vector) -> Fraction:
    """Σ left · right."""
    return sum((one * other for one, other in zip(left, right, strict=True)), Fraction(0))


def attention_steps(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    heads: int = 1,
    kv_heads: int | None = None,
    causal: bool = True,
    scaling: bool = True,
    output: Matrix | None = None,
) -> AttentionSteps:
    """Attention of some tokens from their queries, keys and values, a row a token.

    heads, kv_heads   into how many stripes the rows of q, and of k and v, are cut; query head i reads kv head i · kv_heads ÷ heads
    causal            whether a token sees itself and those before it alone, as in Llama
    scaling           whether scores are divided by √head_dim
    output            W_o, head_dim · heads rows; without it `out` is None

    Raises ValueError for rows that cannot be cut so.

    >>> steps = attention_steps(*EXAMPLE, causal=False)
    >>> [[round(float(number), 3) for number in row] for row in steps.heads[0].weights]
    [[0.562, 0.438], [0.409, 0.591]]
    >>> [[float(number) for number in row] for row in steps.heads[0].scaled]
    [[0.43, 0.18], [0.15, 0.52]]
    """
    kv_heads = heads if kv_heads is None else kv_heads
    if heads % kv_heads or len(q[0]) % heads or len(k[0]) % kv_heads or len(k[0]) != len(v[0]):
        raise ValueError("the rows cannot be cut into so many heads")
    head_dim = len(q[0]) // heads
    if len(k[0]) // kv_heads != head_dim:
        raise ValueError("query heads and key-value heads are equally wide")
    found = []
    for head in range(heads):
        kv_head = head * kv_heads // heads
        stripes = (_stripe(q, head, head_dim), _stripe(k, kv_head, head_dim), _stripe(v, kv_head, head_dim))
        found.append(_head_steps(head, kv_head, stripes, causal, scaling))
    joined = tuple(tuple(number for each in found for number in each.mixed[token]) for token in range(len(q)))
    return AttentionSteps(tuple(found), joined, None if output is None else times(joined, output))


def _stripe(rows: Matrix, head: int, head_dim: int) -> Matrix:
    return tuple(row[head * head_dim : (head + 1) * head_dim] for row in rows)


def _head_steps(head: int, kv_head: int, stripes: tuple[Matrix, Matrix, Matrix], causal: bool, scaling: bool) -> HeadSteps:
    q, k, v = stripes
    root = square_root(Fraction(len(q[0]))) if scaling else Fraction(1)
    scores = tuple(tuple(dot(query, key) for key in k) for query in q)
    scaled = tuple(tuple(score / root for score in row) for row in scores)
    masked = tuple(
        tuple(None if causal and seen > token else score for seen, score in enumerate(row)) for token, row in enumerate(scaled)
    )
    weights = tuple(softmax(row) for row in masked)
    mixed = tuple(tuple(dot(row, column) for column in zip(*v, strict=True)) for row in weights)
    return HeadSteps(head, kv_head, q, k, v, scores, scaled, masked, weights, mixed)


def times(rows: Matrix, matrix: Matrix) -> Matrix:
    """Every row times a matrix."""
    return tuple(tuple(map(Fraction, vector_product(row, matrix).values)) for row in rows)


def made_up_vectors(seed: int, tokens: int, length: int = 4) -> Matrix:
    """A vector for each token, in quarters from −2 to 2, from a seed.

    >>> made_up_vectors(3, 2) == made_up_vectors(3, 2), len(made_up_vectors(3, 6))
    (True, 6)
    """
    if not FEWEST_TOKENS <= tokens <= MOST_TOKENS:
        raise ValueError(f"{FEWEST_TOKENS} to {MOST_TOKENS} tokens")
    dice = Dice(f"attention:{seed}:x")
    return tuple(tuple(dice.pick(QUARTERS) for _ in range(length)) for _ in range(tokens))


def made_up_weights(seed: int, length: int = 4, heads: int = 2, kv_heads: int = 2, head_dim: int = 2) -> Weights:
    """W_q, W_k, W_v and W_o of a small attention, in quarters from −2 to 2, from a seed."""

    def matrix(name: str, rows: int, columns: int) -> Matrix:
        dice = Dice(f"attention:{seed}:{name}")
        return tuple(tuple(dice.pick(QUARTERS) for _ in range(columns)) for _ in range(rows))

    wide, narrow = heads * head_dim, kv_heads * head_dim
    return Weights(
        matrix("query", length, wide),
        matrix("key", length, narrow),
        matrix("value", length, narrow),
        matrix("output", wide, length),
    )


def _vectors(*rows: str) -> Matrix:
    return tuple(tuple(Fraction(number) for number in row.split()) for row in rows)


EXAMPLE: tuple[Matrix, Matrix, Matrix] = (
    _vectors("1 0 1 0", "0 1 0 1"),
    _vectors("0.5 0.25 0.36 0.05", "0.25 0.5 0.11 0.54"),
    _vectors("1 0 -0.5 0.25", "0 2 0.5 -1"),
)
"""q, k and v of two tokens in one head of 4, whose scaled scores are (0.43, 0.18) and (0.15, 0.52). Made up."""


@dataclass(frozen=True, slots=True)
class StepShape:
    """The shape of a step's result in a real model, batch first."""

    step: str
    shape: tuple[int, ...]


def real_shapes(hidden_size: int, heads: int, kv_heads: int, head_dim: int, tokens: int) -> tuple[StepShape, ...]:
    """The shapes of the ten steps in a model of these sizes.

    >>> {step.step: step.shape for step in real_shapes(4096, 32, 8, 128, 2)}["k_heads"]
    (1, 8, 2, 128)
    """
    square = (1, heads, tokens, tokens)
    return tuple(
        StepShape(step, shape)
        for step, shape in (
            ("x", (1, tokens, hidden_size)),
            ("q", (1, tokens, heads * head_dim)),
            ("k", (1, tokens, kv_heads * head_dim)),
            ("v", (1, tokens, kv_heads * head_dim)),
            ("q_heads", (1, heads, tokens, head_dim)),
            ("k_heads", (1, kv_heads, tokens, head_dim)),
            ("v_heads", (1, kv_heads, tokens, head_dim)),
            ("scores", square),
            ("scaling", square),
            ("mask", square),
            ("softmax", square),
            ("mixing", (1, heads, tokens, head_dim)),
            ("joining", (1, tokens, heads * head_dim)),
            ("output", (1, tokens, hidden_size)),
        )
    )
