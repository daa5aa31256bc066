"""Questions about scores: scaling and softmax."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Symbol, exp, sqrt
from calc.learn.questions.draws import HEAD_DIMS, HEADS, numbers
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.symbols import d, h
from calc.learn.words import Words

s, s1, s2, s3 = Symbol("s"), Symbol("s1"), Symbol("s2"), Symbol("s3")
SCORES = tuple(Fraction(hundredths, 100) for hundredths in range(5, 100))
SLACK = Fraction(1, 500)


def _dot_product(dice: Dice) -> Drawn:
    """A dot product of one head of a model, in hundredths."""
    head_dim = dice.pick(HEAD_DIMS)
    given = {"h": head_dim, "d": head_dim * dice.pick(HEADS), "s": Fraction(dice.pick(range(50, 2500)), 100)}
    return Drawn(given)


SOFTMAX = (
    Kind(
        "softmax_two",
        1,
        "/attention",
        "number",
        Words(
            "One row of scores is ({s1}, {s2}), nothing masked. What is the first weight after softmax?",
            "一行分数是 ({s1}, {s2})，没有遮掉的。softmax 之后第一个权重是多少？",
        ),
        Words("First e to the power of each score, then each one's share.", "先对每个分数取 e 的幂，再看各占多少。"),
        exp(s1) / (exp(s1) + exp(s2)),
        (("softmax_by_share", s1 / (s1 + s2)), ("softmax_by_column", exp(s2) / (exp(s1) + exp(s2)))),
        numbers(s1=SCORES, s2=SCORES),
        figures=2,
        slack=SLACK,
        share=True,
    ),
    Kind(
        "softmax_masked",
        2,
        "/attention",
        "number",
        Words(
            "Three tokens, causal mask. The second row of scores is ({s1}, {s2}, {s3}). What is its first weight?",
            "三个 token，有因果掩码。第二行分数是 ({s1}, {s2}, {s3})。这一行的第一个权重是多少？",
        ),
        Words("Which tokens may the second one see?", "第二个 token 能看到哪几个？"),
        exp(s1) / (exp(s1) + exp(s2)),
        (
            ("mask_forgotten", exp(s1) / (exp(s1) + exp(s2) + exp(s3))),
            ("softmax_by_share", s1 / (s1 + s2)),
            ("softmax_by_column", exp(s2) / (exp(s1) + exp(s2))),
        ),
        numbers(s1=SCORES, s2=SCORES, s3=SCORES),
        figures=2,
        slack=SLACK,
        share=True,
    ),
    Kind(
        "score_scaled",
        3,
        "/attention",
        "number",
        Words(
            "A query and a key of {h} numbers each have the dot product {s}. d = {d}. What is the score after scaling?",
            "一个头的 q 和 k 各有 {h} 个数，点积是 {s}；d = {d}。缩放以后的分数是多少？",
        ),
        Words("How far does a sum of so many products spread?", "这么多个乘积加起来，大约有多大的波动？"),
        s / sqrt(h),
        (("scaled_by_head_dim", s / h), ("scaled_by_root_d", s / sqrt(d)), ("not_scaled", s)),
        _dot_product,
        figures=2,
        slack=Fraction(1, 250),
    ),
)
"""The kinds about scores."""
