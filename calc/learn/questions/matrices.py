"""Questions about single matrices: their shapes, their heads, their cells."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Symbol
from calc.learn.models import sizes
from calc.learn.questions.draws import grouped, in_and_out, model_drawn, of_model, square
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.symbols import a, c, d, f, h, kv_length, n_h, n_kv
from calc.learn.words import Words

x1, x2, x3 = (Symbol(f"x{row}") for row in (1, 2, 3))
w11, w12, w21, w22, w31, w32 = (Symbol(f"w{row}{column}") for row in (1, 2, 3) for column in (1, 2))
r = Symbol("r")
OWN_HEAD_DIM = ("qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "mistral-nemo-12b", "llama-3-8b", "tinyllama-1.1b", "llama-2-70b")


def _cells(dice: Dice) -> Drawn | None:
    """A vector of three and a matrix of 3 × 2, whose wrong products are positive and all different."""
    names = ("x1", "x2", "x3", "w11", "w12", "w21", "w22", "w31", "w32")
    given = {name: dice.pick(range(-3, 6)) for name in names}
    right, row, column = (
        formula.value(given) for formula in (x1 * w11 + x2 * w21 + x3 * w31, x1 * w11 + x2 * w12, x1 * w12 + x2 * w22 + x3 * w32)
    )
    return Drawn(given) if len({right, row, column, Fraction(0)}) == 4 else None


def _joined(dice: Dice) -> Drawn | None:
    """A model whose heads together may be wider or narrower than its vector."""
    if dice.pick((True, False)):
        model = sizes(dice.pick(OWN_HEAD_DIM))
        return Drawn(model.given(), {"title": model.title or ""})
    drawn = model_drawn(dice, square, named=False)
    return drawn and Drawn({**drawn.given, "d": 256 * dice.pick(range(4, 33))}, drawn.words)


def _different_layers(dice: Dice) -> Drawn | None:
    """Where L = n_h, as many times as heads is also as many times as layers."""
    drawn = model_drawn(dice)
    return drawn if drawn and drawn.given["L"] != drawn.given["n_h"] else None


def _few_groups(dice: Dice) -> Drawn | None:
    """Grouped heads whose number of groups is not the size of a group."""
    drawn = model_drawn(dice, grouped)
    return drawn if drawn and drawn.given["n_kv"] ** 2 != drawn.given["n_h"] else None


def _lora(dice: Dice) -> Drawn | None:
    drawn = in_and_out(dice)
    return drawn and Drawn({**drawn.given, "r": dice.pick((4, 8, 16, 32, 64))})


MATRICES = (
    Kind(
        "matrix_count",
        1,
        "/shapes",
        "count",
        Words(
            "A vector of length {a} goes in, one of length {c} comes out. How many parameters does the matrix hold?",
            "进来的向量长 {a}，出去的向量长 {c}。这个矩阵有多少个参数？",
        ),
        Words("Every number that goes in meets every number that comes out.", "进来的每个数和出去的每个数之间，都有一个格子。"),
        a * c,
        (("in_plus_out", a + c), ("only_one_length", c), ("head_dim_square", c * c)),
        in_and_out,
    ),
    Kind(
        "matrix_shape",
        1,
        "/shapes",
        "shape",
        Words(
            "A vector of length {a} goes in, one of length {c} comes out. Write the shape of the matrix as in × out.",
            "进来的向量长 {a}，出去的长 {c}。按 进 × 出 写出这个矩阵的形状。",
        ),
        Words(
            "The rows are fixed by what goes in, the columns by what comes out.", "行数由进来的向量决定，列数由出去的向量决定。"
        ),
        (a, c),
        (("shape_swapped", (c, a)), ("head_dim_square", (c, c)), ("head_dim_square", (a, a))),
        in_and_out,
    ),
    Kind(
        "product_cell",
        1,
        "/shapes",
        "number",
        Words(
            "x = [{x1}, {x2}, {x3}]; the rows of W are [{w11}, {w12}], [{w21}, {w22}], [{w31}, {w32}]. "
            "What is the first number of x·W?",
            "x = [{x1}, {x2}, {x3}]，W 的三行是 [{w11}, {w12}]、[{w21}, {w22}]、[{w31}, {w32}]。x·W 的第一个数是多少？",
        ),
        Words("Lay x along the first column of W, from top to bottom.", "把 x 对着 W 的第一列，从上到下逐个相乘再相加。"),
        x1 * w11 + x2 * w21 + x3 * w31,
        (("row_for_column", x1 * w11 + x2 * w12), ("row_for_column", x1 * w12 + x2 * w22 + x3 * w32)),
        _cells,
        figures=1,
        slack=Fraction(0),
        exact=True,
    ),
    Kind(
        "one_head_matrix",
        1,
        "/attention",
        "count",
        Words(
            "{title}: d = {d}, head_dim = {h}. How many parameters does W_k of one single head hold?",
            "{title}：d = {d}，head_dim = {h}。单独一个头的 W_k 有多少个参数？",
        ),
        Words("The whole vector of the token goes into every head.", "每个头吃进去的都是 token 的整个向量。"),
        d * h,
        (("head_dim_square", h * h), ("heads_multiply", d * n_kv * h), ("in_plus_out", d + h)),
        of_model(),
    ),
    Kind(
        "head_width",
        1,
        "/attention",
        "number",
        Words(
            "{title}: d = {d}, {n_h} query heads, {n_kv} kv heads, all heads together as wide as d. "
            "How long is the query vector of one head?",
            "{title}：d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，所有头拼起来正好是 d。一个头的查询向量有多长？",
        ),
        Words("The query heads share d among themselves.", "d 由查询头平分。"),
        d / n_h,
        (("head_dim_by_kv", d / n_kv), ("vector_as_matrix", (d / n_h) ** 2), ("only_one_length", d)),
        of_model(grouped),
        figures=1,
        slack=Fraction(0),
        exact=True,
    ),
    Kind(
        "group_size",
        1,
        "/attention",
        "number",
        Words(
            "{title}: {n_h} query heads, {n_kv} kv heads. How many query heads share one kv head?",
            "{title}：{n_h} 个查询头，{n_kv} 个 kv 头。几个查询头共用一个 kv 头？",
        ),
        Words("There are as many groups as kv heads.", "有几个 kv 头，就有几组。"),
        n_h / n_kv,
        (("groups_for_group", n_kv), ("heads_multiply", n_h * n_kv), ("head_dim_by_kv", d / n_kv)),
        _few_groups,
        figures=1,
        slack=Fraction(0),
        exact=True,
    ),
    Kind(
        "query_matrix",
        2,
        "/parts",
        "count",
        Words(
            "{title}: d = {d}, {n_h} heads of {h}. How many parameters does W_q of one block hold?",
            "{title}：d = {d}，{n_h} 个头，每头 {h}。一层的 W_q 有多少个参数？",
        ),
        Words(
            "The heads are stripes of one matrix: what goes in, and what do all of them give out?",
            "各个头是同一个矩阵的竖条：进来多长？所有的头一共出去多长？",
        ),
        d * n_h * h,
        (
            ("heads_multiply", n_h * d * n_h * h),
            ("head_dim_square", n_h * h * h),
            ("head_dim_square", h * h),
            ("ffn_width_in_attention", d * f),
        ),
        _different_layers,
    ),
    Kind(
        "kv_matrix_shape",
        2,
        "/attention",
        "shape",
        Words(
            "{title}: d = {d}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. Write the shape of W_k as in × out.",
            "{title}：d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。按 进 × 出 写出 W_k 的形状。",
        ),
        Words("W_k takes in the token's vector; how many heads does it serve?", "W_k 吃进 token 的向量；它管几个头？"),
        (d, kv_length),
        (
            ("gqa_ignored", (d, n_h * h)),
            ("head_dim_square", (d, h)),
            ("shape_swapped", (kv_length, d)),
            ("head_dim_by_kv", (d, n_h / n_kv * h)),
            ("head_dim_square", (h, h)),
        ),
        of_model(grouped),
    ),
    Kind(
        "joined_length",
        3,
        "/attention",
        "number",
        Words(
            "{title}: d = {d}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
            "How long is the vector of all heads joined, before W_o?",
            "{title}：d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。各个头拼接以后、乘 W_o 之前，向量有多长？",
        ),
        Words("Joining multiplies nothing: lay the results of the heads end to end.", "拼接不做乘法：把各个头的结果首尾相接。"),
        n_h * h,
        (("head_dim_is_d_over_heads", d), ("only_one_length", h), ("groups_for_group", n_kv * h)),
        _joined,
        figures=1,
        slack=Fraction(0),
        exact=True,
    ),
    Kind(
        "lora_count",
        3,
        "/training_memory",
        "count",
        Words(
            "LoRA of rank {r} on a matrix {a} × {c}: how many parameters are trained for it?",
            "在 {a} × {c} 的矩阵上加秩为 {r} 的 LoRA，要训练多少个参数？",
        ),
        Words("Two thin matrices: one from in to r, one from r to out.", "两个窄矩阵：一个从进到 r，一个从 r 到出。"),
        r * (a + c),
        (("lora_full_matrix", a * c), ("lora_full_matrix", r * a * c), ("only_one_length", r * a), ("only_one_length", r * c)),
        _lora,
    ),
)
"""The kinds about one matrix."""
