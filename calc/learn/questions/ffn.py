"""Questions about the FFN: what it holds, and where its width comes from."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Step, Symbol, up, whole
from calc.learn.questions.draws import MULTIPLES, of_model, square
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.symbols import L, d, f, ffn, k
from calc.learn.words import Words

m = Symbol("m")
wide_width = Step("width", Words("⌊8d/3⌋", "⌊8d/3⌋"), whole(8 * d / 3), "number")
widened = Step(
    "widened", Words("the width times m, cut to a whole number", "宽度乘 m、去掉小数"), whole(m * wide_width), "number"
)
more = Step("more", Words("the parameters that one block gains", "一层多出来的参数量"), 12 * d * d - 3 * d * f)


def _width(multipliers: tuple[Fraction, ...], multiples: tuple[int, ...]):
    def draw(dice: Dice) -> Drawn | None:
        given = {"d": 128 * dice.pick(range(6, 97)), "k": dice.pick(multiples), "m": dice.pick(multipliers)}
        balanced = widened.value(given)
        left = balanced % given["k"]
        return None if min(left, given["k"] - left) * 200 < balanced else Drawn(given)

    return draw


FFN = (
    Kind(
        "ffn_count",
        2,
        "/ffn_width",
        "count",
        Words(
            "{title}: d = {d}, d_ff = {f}, SwiGLU. How many parameters does the FFN of one block hold?",
            "{title}：d = {d}，d_ff = {f}，SwiGLU。一层前馈有多少个参数？",
        ),
        Words("gate and up widen, down narrows.", "gate 和 up 变宽，down 变回。"),
        ffn,
        (
            ("ffn_two_matrices", 2 * d * f),
            ("ffn_one_matrix", d * f),
            ("ffn_4d", 12 * d * d),
            ("ffn_8d2", 8 * d * d),
            ("ffn_square", 3 * f * f),
        ),
        of_model(),
        large=True,
    ),
    Kind(
        "ffn_width",
        2,
        "/ffn_width",
        "number",
        Words(
            "d = {d}. Three matrices are to hold as much as two of width 4d; the width ⌊8d/3⌋ is rounded up to a multiple of {k}. "
            "What is d_ff?",
            "d = {d}。三个矩阵要和两个宽 4d 的矩阵一样大，宽度 ⌊8d/3⌋ 再向上取到 {k} 的倍数。d_ff 是多少？",
        ),
        Words("How many times k is enough?", "要几个 k 才够？"),
        up(wide_width, k),
        (("ffn_width_unrounded", whole(8 * d / 3)), ("ffn_width_rounded_down", whole(wide_width / k) * k), ("ffn_4d", 4 * d)),
        _width((Fraction(1),), MULTIPLES),
        figures=4,
        slack=Fraction(0),
        exact=True,
    ),
    Kind(
        "what_if_width",
        3,
        "/ffn_width",
        "count",
        Words(
            "{title}: d = {d}, d_ff = {f}, {L} blocks, three FFN matrices a block. "
            "How many more parameters would d_ff = 4d bring in all blocks together?",
            "{title}：d = {d}，d_ff = {f}，{L} 层，每层三个前馈矩阵。如果 d_ff = 4d，所有层一共多多少个参数？",
        ),
        Words("The difference of one block first.", "先算一层的差。"),
        L * more,
        (
            ("one_layer", 12 * d * d - 3 * d * f),
            ("ffn_two_matrices", L * (2 * (4 * d * d - d * f))),
            ("ffn_4d", L * 12 * d * d),
            ("ffn_one_matrix", L * (4 * d * d - d * f)),
        ),
        of_model(lambda model: square(model) and model.intermediate_size < 4 * model.hidden_size),
        large=True,
    ),
    Kind(
        "ffn_width_multiplier",
        3,
        "/ffn_width",
        "number",
        Words(
            "d = {d}; the width is ⌊8d/3⌋, times {m}, cut to a whole number, rounded up to a multiple of {k}. What is d_ff?",
            "d = {d}；宽度取 ⌊8d/3⌋，乘 {m}，去掉小数，再向上取到 {k} 的倍数。d_ff 是多少？",
        ),
        Words("Three steps, in this order: ⌊8d/3⌋, times m, rounded up.", "三步，按顺序来：⌊8d/3⌋，乘 m，向上取整。"),
        up(widened, k),
        (
            ("ffn_multiplier_forgotten", up(wide_width, k)),
            ("ffn_width_unrounded", whole(m * wide_width)),
            ("ffn_width_rounded_down", whole(widened / k) * k),
            ("ffn_4d", 4 * d),
        ),
        _width((Fraction("1.1"), Fraction("1.2"), Fraction("1.3"), Fraction("1.5")), (256, 512, 1024, 4096)),
        figures=4,
        slack=Fraction(0),
        exact=True,
    ),
)
"""The kinds about the FFN."""
