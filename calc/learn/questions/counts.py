"""Questions about parameters: of the vocabulary ends, of a block, of a model."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Step, Symbol, up, whole
from calc.learn.models import Sizes
from calc.learn.questions.draws import MADE_UP, MULTIPLES, VOCABULARIES, grouped, model_drawn, of_model, square, ungrouped, untied
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.symbols import E, L, N, V, attention, d, ends, f, ffn, h, k, n_h, n_kv, norms, tied
from calc.learn.words import Words

V1, V2 = Symbol("V1"), Symbol("V2")
m = Symbol("m")
EXACTLY = frozenset({"norms_forgotten", "final_norm_forgotten", "one_norm_a_layer", "buffers_counted"})
"""Mistakes of a few parts in ten thousand of a whole model."""
TYING = {False: ("not tied", "没有共用"), True: ("tied", "共用一张表")}

expert_block = Step("block", Words("the parameters of one block", "一层的参数量"), attention + E * ffn + d * E)
active_block = Step("block", Words("the parameters of one block that a token goes through", "一个 token 在一层里经过的参数量"),
                    attention + k * ffn + d * E)  # fmt: skip
wide_width = Step("width", Words("⌊8d/3⌋", "⌊8d/3⌋"), whole(8 * d / 3), "number")
widened = Step(
    "widened", Words("the width times m, cut to a whole number", "宽度乘 m、去掉小数"), whole(m * wide_width), "number"
)
more = Step("more", Words("the parameters that one block gains", "一层多出来的参数量"), 12 * d * d - 3 * d * f)


def _model(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice)
    return drawn and Drawn(drawn.given, {**drawn.words, "tying": Words(*TYING[bool(drawn.given["tied"])])})


def _whole_ends(model: Sizes) -> bool:
    """A share of a per cent or more, so that 0.039 is not mistaken for one."""
    return untied(model) and 200 * model.vocab_size * model.hidden_size >= model.parameters


def _width(multipliers: tuple[Fraction, ...], multiples: tuple[int, ...]):
    def draw(dice: Dice) -> Drawn | None:
        given = {"d": 128 * dice.pick(range(6, 97)), "k": dice.pick(multiples), "m": dice.pick(multipliers)}
        balanced = widened.value(given)
        left = balanced % given["k"]
        return None if min(left, given["k"] - left) * 100 < balanced else Drawn(given)

    return draw


def _vocabularies(dice: Dice) -> Drawn | None:
    given = {"d": 128 * dice.pick(range(8, 97)), "V1": dice.pick(VOCABULARIES), "V2": dice.pick(VOCABULARIES)}
    return Drawn(given) if given["V1"] < given["V2"] else None


def _experts(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice, lambda model: grouped(model) and not model.tied, named=False)
    return drawn and Drawn({**drawn.given, "E": dice.pick((4, 8, 16, 32)), "k": dice.pick((1, 2, 3))}, {"title": MADE_UP})


COUNTS = (
    Kind(
        "embedding_count", 1, "/embedding", "count",
        Words("{title}: V = {V}, d = {d}. How many parameters does the embedding table hold?",
              "{title}：V = {V}，d = {d}。词嵌入表有多少个参数？"),
        Words("One row for each entry of the vocabulary.", "词表里每个词元一行。"),
        V * d,
        (("vocab_32000", 32000 * d), ("one_row", 1 * d), ("one_end_forgotten", 2 * V * d)),
        of_model(), large=True,
    ),
    Kind(
        "ends_untied", 1, "/embedding", "count",
        Words("{title} ties nothing: V = {V}, d = {d}. How many parameters do the embedding and lm_head hold together?",
              "{title} 没有共用：V = {V}，d = {d}。词嵌入和 lm_head 一共有多少个参数？"),
        Words("How many tables are there?", "一共几张表？"),
        2 * V * d,
        (("one_end_forgotten", V * d), ("vocab_32000", 2 * 32000 * d), ("in_plus_out", 2 * (V + d))),
        of_model(untied), large=True,
    ),
    Kind(
        "ends_tied", 1, "/embedding", "count",
        Words("A model ties lm_head to the embedding: V = {V}, d = {d}. How many parameters do both hold together?",
              "一个模型让 lm_head 和词嵌入共用一张表：V = {V}，d = {d}。两端一共有多少个参数？"),
        Words("The same numbers are counted once.", "同一批数只算一次。"),
        V * d,
        (("tied_counted_twice", 2 * V * d), ("one_row", 1 * d)),
        of_model(), large=True,
    ),
    Kind(
        "attention_mha", 2, "/parts", "count",
        Words("{title}: d = {d}, every head has keys and values of its own. "
              "How many parameters does the attention of one block hold?",
              "{title}：d = {d}，每个头都有自己的键和值。一层注意力有多少个参数？"),
        Words("Four matrices: W_q, W_k, W_v, W_o.", "四个矩阵：W_q、W_k、W_v、W_o。"),
        4 * d * d,
        (("wo_forgotten", 3 * d * d), ("heads_multiply", n_h * (4 * d * d)), ("ffn_width_in_attention", 4 * d * f),
         ("head_dim_square", 4 * h * h)),
        of_model(ungrouped), large=True,
    ),
    Kind(
        "attention_gqa", 2, "/parts", "count",
        Words("{title}: d = {d}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
              "How many parameters does the attention of one block hold?",
              "{title}：d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。一层注意力有多少个参数？"),
        Words("Which of the four matrices do shared kv heads make narrower?", "共用 kv 头，让四个矩阵里的哪几个变窄？"),
        attention,
        (("gqa_ignored", 4 * d * d), ("gqa_all_narrow", 4 * d * n_kv * h), ("gqa_only_k", 3 * d * n_h * h + d * n_kv * h),
         ("gqa_q_narrow", d * n_h * h + 3 * d * n_kv * h), ("wo_forgotten", attention - d * n_h * h),
         ("ffn_width_in_attention", 4 * d * f)),
        of_model(grouped),
    ),
    Kind(
        "ffn_count", 2, "/ffn_width", "count",
        Words("{title}: d = {d}, d_ff = {f}, SwiGLU. How many parameters does the FFN of one block hold?",
              "{title}：d = {d}，d_ff = {f}，SwiGLU。一层前馈有多少个参数？"),
        Words("gate and up widen, down narrows.", "gate 和 up 变宽，down 变回。"),
        ffn,
        (("ffn_two_matrices", 2 * d * f), ("ffn_one_matrix", d * f), ("ffn_4d", 12 * d * d), ("ffn_8d2", 8 * d * d),
         ("ffn_square", 3 * f * f)),
        of_model(), large=True,
    ),
    Kind(
        "norms_count", 2, "/parts", "count",
        Words("{title}: {L} blocks, d = {d}, two RMSNorms a block and one at the end. How many parameters do all norms hold?",
              "{title}：{L} 层，d = {d}，每层两个 RMSNorm，最后还有一个。归一化一共有多少个参数？"),
        Words("A norm multiplies each number of the vector by a factor of its own.", "归一化给向量的每个数乘一个自己的系数。"),
        norms,
        (("one_norm_a_layer", (L + 1) * d), ("final_norm_forgotten", 2 * L * d), ("norm_as_matrix", (2 * L + 1) * d * d)),
        of_model(),
    ),
    Kind(
        "block_total", 2, "/parts", "count",
        Words("{title}: d = {d}, d_ff = {f}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
              "How many parameters does one block hold?",
              "{title}：d = {d}，d_ff = {f}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。一层有多少个参数？"),
        Words("Attention, FFN and two norms.", "注意力、前馈，加两个归一化。"),
        attention + ffn + 2 * d,
        (("gqa_ignored", 4 * d * d + ffn + 2 * d), ("ffn_two_matrices", attention + 2 * d * f + 2 * d),
         ("ffn_4d", attention + 12 * d * d + 2 * d), ("wo_forgotten", attention - d * n_h * h + ffn + 2 * d),
         ("norms_forgotten", attention + ffn)),
        of_model(), large=True, needs_exact=EXACTLY,
    ),
    Kind(
        "ends_share", 2, "/parts", "percent",
        Words("{title}: {N} parameters, V = {V}, d = {d}, not tied. What share of all do embedding and lm_head hold, in %?",
              "{title}：共 {N} 个参数，V = {V}，d = {d}，没有共用。词嵌入和 lm_head 占百分之几？"),
        Words("Both tables, divided by everything.", "两张表，除以全部参数。"),
        2 * V * d / N,
        (("one_end_forgotten", V * d / N), ("vocab_32000", 2 * 32000 * d / N), ("blocks_only", 2 * V * d / (N - 2 * V * d))),
        of_model(_whole_ends), unit="%", figures=2, slack=Fraction(1, 250),
    ),
    Kind(
        "ffn_width", 2, "/ffn_width", "number",
        Words("d = {d}. Three matrices are to hold as much as two of width 4d; the width ⌊8d/3⌋ is rounded up to a multiple of {k}. "
              "What is d_ff?",
              "d = {d}。三个矩阵要和两个宽 4d 的矩阵一样大，宽度 ⌊8d/3⌋ 再向上取到 {k} 的倍数。d_ff 是多少？"),
        Words("How many times k is enough?", "要几个 k 才够？"),
        up(wide_width, k),
        (("ffn_width_unrounded", whole(8 * d / 3)), ("ffn_width_rounded_down", whole(wide_width / k) * k), ("ffn_4d", 4 * d)),
        _width((Fraction(1),), MULTIPLES), figures=4, slack=Fraction(0), exact=True,
    ),
    Kind(
        "model_total", 3, "/parts", "count",
        Words("L = {L}, d = {d}, d_ff = {f}, {n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, {tying}. "
              "A Llama-like model: how many parameters in all?",
              "L = {L}，d = {d}，d_ff = {f}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，{tying}。"
              "一个 Llama 式的模型，共有多少个参数？"),
        Words("The blocks, the norms and the vocabulary ends.", "各层、归一化，再加词表两端。"),
        L * (attention + ffn) + norms + ends,
        (("gqa_ignored", L * (4 * d * d + ffn) + norms + ends), ("gqa_all_narrow", L * (4 * d * n_kv * h + ffn) + norms + ends),
         ("ffn_two_matrices", L * (attention + 2 * d * f) + norms + ends),
         ("ffn_4d", L * (attention + 12 * d * d) + norms + ends), ("one_end_forgotten", L * (attention + ffn) + norms + V * d),
         ("tied_counted_twice", L * (attention + ffn) + norms + 2 * V * d),
         ("blocks_only", L * (attention + ffn) + norms),
         ("vocab_32000", L * (attention + ffn) + norms + (2 - tied) * 32000 * d),
         ("one_layer", attention + ffn + 2 * d + d + ends), ("wo_forgotten", L * (attention - d * n_h * h + ffn) + norms + ends),
         ("ffn_width_in_attention", L * (4 * d * f + ffn) + norms + ends),
         ("heads_multiply", L * (n_h * attention + ffn) + norms + ends), ("norms_forgotten", L * (attention + ffn) + ends),
         ("final_norm_forgotten", L * (attention + ffn) + 2 * L * d + ends),
         ("one_norm_a_layer", L * (attention + ffn) + (L + 1) * d + ends),
         ("buffers_counted", L * (attention + ffn) + norms + ends + L * h / 2)),
        _model, large=True, needs_exact=EXACTLY,
    ),
    Kind(
        "what_if_width", 3, "/ffn_width", "count",
        Words("{title}: d = {d}, d_ff = {f}, {L} blocks, three FFN matrices a block. "
              "How many more parameters would d_ff = 4d bring in all blocks together?",
              "{title}：d = {d}，d_ff = {f}，{L} 层，每层三个前馈矩阵。如果 d_ff = 4d，所有层一共多多少个参数？"),
        Words("The difference of one block first.", "先算一层的差。"),
        L * more,
        (("one_layer", 12 * d * d - 3 * d * f), ("ffn_two_matrices", L * (2 * (4 * d * d - d * f))), ("ffn_4d", L * 12 * d * d),
         ("ffn_one_matrix", L * (4 * d * d - d * f))),
        of_model(lambda model: square(model) and model.intermediate_size < 4 * model.hidden_size), large=True,
    ),
    Kind(
        "gqa_saving", 3, "/difference", "count",
        Words("{title}: {L} blocks, d = {d}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
              "How many parameters does GQA save against every head having its own keys and values?",
              "{title}：{L} 层，d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。"
              "和每个头都有自己的键值相比，GQA 省了多少个参数？"),
        Words("Which matrices become narrower, and by how much?", "哪几个矩阵变窄了？各窄了多少？"),
        L * 2 * d * (n_h - n_kv) * h,
        (("one_layer", 2 * d * (n_h - n_kv) * h), ("gqa_only_k", L * d * (n_h - n_kv) * h),
         ("gqa_all_narrow", L * 4 * d * (n_h - n_kv) * h), ("gqa_q_narrow", L * 3 * d * (n_h - n_kv) * h)),
        of_model(grouped), large=True,
    ),
    Kind(
        "ends_difference", 3, "/difference", "count",
        Words("Two models have d = {d} and tie nothing; the vocabulary grows from {V1} to {V2}. "
              "By how many parameters do the two ends grow?",
              "两个模型 d = {d}，都没有共用；词表从 {V1} 变成 {V2}。词表两端多了多少个参数？"),
        Words("Embedding and lm_head both gain rows.", "词嵌入和 lm_head 都变大。"),
        2 * (V2 - V1) * d,
        (("difference_one_end", (V2 - V1) * d), ("one_end_forgotten", 2 * V2 * d), ("one_row", 2 * (V2 - V1))),
        _vocabularies, large=True,
    ),
    Kind(
        "experts_total", 3, "/parts", "count",
        Words("A model like Mixtral: {L} blocks, d = {d}, d_ff = {f}, {E} experts of three matrices, a router d × {E}, "
              "{n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, not tied. How many parameters in all?",
              "Mixtral 式的模型：{L} 层，d = {d}，d_ff = {f}，{E} 个专家（各三个矩阵），路由 d × {E}，"
              "{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，没有共用。共有多少个参数？"),
        Words("Only the FFN stands there {E} times.", "只有前馈有 {E} 份。"),
        L * expert_block + norms + ends,
        (("experts_times_model", E * (L * (attention + ffn) + norms + ends)),
         ("experts_active_for_all", L * (attention + k * ffn + d * E) + norms + ends),
         ("one_layer", attention + E * ffn + d * E + 2 * d + d + ends),
         ("ffn_two_matrices", L * (attention + E * 2 * d * f + d * E) + norms + ends),
         ("gqa_ignored", L * (4 * d * d + E * ffn + d * E) + norms + ends),
         ("norms_forgotten", L * (attention + E * ffn + d * E) + ends)),
        _experts, large=True, needs_exact=EXACTLY,
    ),
    Kind(
        "experts_active", 3, "/parts", "count",
        Words("A model like Mixtral: {L} blocks, d = {d}, d_ff = {f}, {E} experts of which {k} are chosen for a token, "
              "{n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, not tied, router counted. "
              "Through how many parameters does one token go?",
              "Mixtral 式的模型：{L} 层，d = {d}，d_ff = {f}，{E} 个专家，每个 token 选 {k} 个，"
              "{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，没有共用，路由也算。一个 token 经过多少个参数？"),
        Words("Only the experts are cut to those chosen; all else is used in full.", "只有专家缩到选中的几个，其余都完整用到。"),
        L * active_block + norms + ends,
        (("active_as_all", L * (attention + E * ffn + d * E) + norms + ends),
         ("active_as_all", (L * (attention + E * ffn + d * E) + norms + ends) * k / E),
         ("one_layer", attention + k * ffn + d * E + 3 * d + ends),
         ("gqa_ignored", L * (4 * d * d + k * ffn + d * E) + norms + ends)),
        _experts, large=True,
    ),
    Kind(
        "ffn_width_multiplier", 3, "/ffn_width", "number",
        Words("d = {d}; the width is ⌊8d/3⌋, times {m}, cut to a whole number, rounded up to a multiple of {k}. What is d_ff?",
              "d = {d}；宽度取 ⌊8d/3⌋，乘 {m}，去掉小数，再向上取到 {k} 的倍数。d_ff 是多少？"),
        Words("Three steps, in this order: ⌊8d/3⌋, times m, rounded up.", "三步，按顺序来：⌊8d/3⌋，乘 m，向上取整。"),
        up(widened, k),
        (("ffn_multiplier_forgotten", up(wide_width, k)), ("ffn_width_unrounded", whole(m * wide_width)),
         ("ffn_width_rounded_down", whole(widened / k) * k), ("ffn_4d", 4 * d)),
        _width((Fraction("1.1"), Fraction("1.2"), Fraction("1.3"), Fraction("1.5")), (256, 512, 1024, 4096)),
        figures=4, slack=Fraction(0), exact=True,
    ),
)  # fmt: skip
"""The kinds about parameters."""
