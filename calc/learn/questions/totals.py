"""Questions about whole models: their total, experts, and what two of them differ in."""

from __future__ import annotations

from calc.learn.formula import Step, Symbol
from calc.learn.questions.draws import MADE_UP, VOCABULARIES, grouped, model_drawn, of_model
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.parts import EXACTLY
from calc.learn.questions.symbols import E, L, V, attention, d, ends, f, ffn, h, k, n_h, n_kv, norms, tied
from calc.learn.words import Words

V1, V2 = Symbol("V1"), Symbol("V2")
TYING = {False: ("not tied", "没有共用"), True: ("tied", "共用一张表")}

expert_block = Step("block", Words("the parameters of one block", "一层的参数量"), attention + E * ffn + d * E)
active_block = Step(
    "block",
    Words("the parameters of one block that a token goes through", "一个 token 在一层里经过的参数量"),
    attention + k * ffn + d * E,
)


def _model(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice)
    return drawn and Drawn(drawn.given, {**drawn.words, "tying": Words(*TYING[bool(drawn.given["tied"])])})


def _vocabularies(dice: Dice) -> Drawn | None:
    given = {"d": 128 * dice.pick(range(8, 97)), "V1": dice.pick(VOCABULARIES), "V2": dice.pick(VOCABULARIES)}
    return Drawn(given) if given["V1"] < given["V2"] else None


def _experts(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice, lambda model: grouped(model) and not model.tied, named=False)
    return drawn and Drawn({**drawn.given, "E": dice.pick((4, 8, 16, 32)), "k": dice.pick((1, 2, 3))}, {"title": MADE_UP})


TOTALS = (
    Kind(
        "model_total",
        3,
        "/parts",
        "count",
        Words(
            "L = {L}, d = {d}, d_ff = {f}, {n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, {tying}. "
            "A Llama-like model: how many parameters in all?",
            "L = {L}，d = {d}，d_ff = {f}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，{tying}。"
            "一个 Llama 式的模型，共有多少个参数？",
        ),
        Words("The blocks, the norms and the vocabulary ends.", "各层、归一化，再加词表两端。"),
        L * (attention + ffn) + norms + ends,
        (
            ("gqa_ignored", L * (4 * d * d + ffn) + norms + ends),
            ("gqa_all_narrow", L * (4 * d * n_kv * h + ffn) + norms + ends),
            ("ffn_two_matrices", L * (attention + 2 * d * f) + norms + ends),
            ("ffn_4d", L * (attention + 12 * d * d) + norms + ends),
            ("one_end_forgotten", L * (attention + ffn) + norms + V * d),
            ("tied_counted_twice", L * (attention + ffn) + norms + 2 * V * d),
            ("blocks_only", L * (attention + ffn) + norms),
            ("vocab_32000", L * (attention + ffn) + norms + (2 - tied) * 32000 * d),
            ("one_layer", attention + ffn + 2 * d + d + ends),
            ("wo_forgotten", L * (attention - d * n_h * h + ffn) + norms + ends),
            ("ffn_width_in_attention", L * (4 * d * f + ffn) + norms + ends),
            ("heads_multiply", L * (n_h * attention + ffn) + norms + ends),
            ("norms_forgotten", L * (attention + ffn) + ends),
            ("final_norm_forgotten", L * (attention + ffn) + 2 * L * d + ends),
            ("one_norm_a_layer", L * (attention + ffn) + (L + 1) * d + ends),
            ("buffers_counted", L * (attention + ffn) + norms + ends + L * h / 2),
        ),
        _model,
        large=True,
        needs_exact=EXACTLY,
    ),
    Kind(
        "gqa_saving",
        3,
        "/difference",
        "count",
        Words(
            "{title}: {L} blocks, d = {d}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
            "How many parameters does GQA save against every head having its own keys and values?",
            "{title}：{L} 层，d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。"
            "和每个头都有自己的键值相比，GQA 省了多少个参数？",
        ),
        Words("Which matrices become narrower, and by how much?", "哪几个矩阵变窄了？各窄了多少？"),
        L * 2 * d * (n_h - n_kv) * h,
        (
            ("one_layer", 2 * d * (n_h - n_kv) * h),
            ("gqa_only_k", L * d * (n_h - n_kv) * h),
            ("gqa_all_narrow", L * 4 * d * (n_h - n_kv) * h),
            ("gqa_q_narrow", L * 3 * d * (n_h - n_kv) * h),
        ),
        of_model(grouped),
        large=True,
    ),
    Kind(
        "ends_difference",
        3,
        "/difference",
        "count",
        Words(
            "Two models have d = {d} and tie nothing; the vocabulary grows from {V1} to {V2}. "
            "By how many parameters do the two ends grow?",
            "两个模型 d = {d}，都没有共用；词表从 {V1} 变成 {V2}。词表两端多了多少个参数？",
        ),
        Words("Embedding and lm_head both gain rows.", "词嵌入和 lm_head 都变大。"),
        2 * (V2 - V1) * d,
        (("difference_one_end", (V2 - V1) * d), ("one_end_forgotten", 2 * V2 * d), ("one_row", 2 * (V2 - V1))),
        _vocabularies,
        large=True,
    ),
    Kind(
        "experts_total",
        3,
        "/parts",
        "count",
        Words(
            "A model like Mixtral: {L} blocks, d = {d}, d_ff = {f}, {E} experts of three matrices, a router d × {E}, "
            "{n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, not tied. How many parameters in all?",
            "Mixtral 式的模型：{L} 层，d = {d}，d_ff = {f}，{E} 个专家（各三个矩阵），路由 d × {E}，"
            "{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，没有共用。共有多少个参数？",
        ),
        Words("Only the FFN stands there {E} times.", "只有前馈有 {E} 份。"),
        L * expert_block + norms + ends,
        (
            ("experts_times_model", E * (L * (attention + ffn) + norms + ends)),
            ("experts_active_for_all", L * (attention + k * ffn + d * E) + norms + ends),
            ("one_layer", attention + E * ffn + d * E + 2 * d + d + ends),
            ("ffn_two_matrices", L * (attention + E * 2 * d * f + d * E) + norms + ends),
            ("gqa_ignored", L * (4 * d * d + E * ffn + d * E) + norms + ends),
            ("norms_forgotten", L * (attention + E * ffn + d * E) + ends),
        ),
        _experts,
        large=True,
        needs_exact=EXACTLY,
    ),
    Kind(
        "experts_active",
        3,
        "/parts",
        "count",
        Words(
            "A model like Mixtral: {L} blocks, d = {d}, d_ff = {f}, {E} experts of which {k} are chosen for a token, "
            "{n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, not tied, router counted. "
            "Through how many parameters does one token go?",
            "Mixtral 式的模型：{L} 层，d = {d}，d_ff = {f}，{E} 个专家，每个 token 选 {k} 个，"
            "{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，没有共用，路由也算。一个 token 经过多少个参数？",
        ),
        Words("Only the experts are cut to those chosen; all else is used in full.", "只有专家缩到选中的几个，其余都完整用到。"),
        L * active_block + norms + ends,
        (
            ("active_as_all", L * (attention + E * ffn + d * E) + norms + ends),
            ("active_as_all", (L * (attention + E * ffn + d * E) + norms + ends) * k / E),
            ("one_layer", attention + k * ffn + d * E + 3 * d + ends),
            ("gqa_ignored", L * (4 * d * d + k * ffn + d * E) + norms + ends),
        ),
        _experts,
        large=True,
    ),
)
"""The kinds about whole models."""
