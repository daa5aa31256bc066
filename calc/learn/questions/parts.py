"""Questions about the parts of a model: its vocabulary ends, its attention, its norms, a block."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.models import Sizes
from calc.learn.questions.draws import grouped, of_model, ungrouped, untied
from calc.learn.questions.kinds import Kind
from calc.learn.questions.symbols import L, N, V, attention, d, f, ffn, h, n_h, n_kv, norms
from calc.learn.words import Words

EXACTLY = frozenset({"norms_forgotten", "final_norm_forgotten", "one_norm_a_layer", "buffers_counted"})
"""Mistakes of a few parts in ten thousand of a whole model."""


def _whole_ends(model: Sizes) -> bool:
    """A share of a per cent or more, so that 0.039 is not mistaken for one."""
    return untied(model) and 200 * model.vocab_size * model.hidden_size >= model.parameters


PARTS = (
    Kind(
        "embedding_count",
        1,
        "/embedding",
        "count",
        Words(
            "{title}: V = {V}, d = {d}. How many parameters does the embedding table hold?",
            "{title}：V = {V}，d = {d}。词嵌入表有多少个参数？",
        ),
        Words("One row for each entry of the vocabulary.", "词表里每个词元一行。"),
        V * d,
        (("vocab_32000", 32000 * d), ("one_row", d), ("one_end_forgotten", 2 * V * d)),
        of_model(),
        large=True,
    ),
    Kind(
        "ends_untied",
        1,
        "/embedding",
        "count",
        Words(
            "{title} ties nothing: V = {V}, d = {d}. How many parameters do the embedding and lm_head hold together?",
            "{title} 没有共用：V = {V}，d = {d}。词嵌入和 lm_head 一共有多少个参数？",
        ),
        Words("How many tables are there?", "一共几张表？"),
        2 * V * d,
        (("one_end_forgotten", V * d), ("vocab_32000", 2 * 32000 * d), ("in_plus_out", 2 * (V + d))),
        of_model(untied),
        large=True,
    ),
    Kind(
        "ends_tied",
        1,
        "/embedding",
        "count",
        Words(
            "A model ties lm_head to the embedding: V = {V}, d = {d}. How many parameters do both hold together?",
            "一个模型让 lm_head 和词嵌入共用一张表：V = {V}，d = {d}。两端一共有多少个参数？",
        ),
        Words("The same numbers are counted once.", "同一批数只算一次。"),
        V * d,
        (("tied_counted_twice", 2 * V * d), ("one_row", d)),
        of_model(),
        large=True,
    ),
    Kind(
        "attention_mha",
        2,
        "/parts",
        "count",
        Words(
            "{title}: d = {d}, every head has keys and values of its own. "
            "How many parameters does the attention of one block hold?",
            "{title}：d = {d}，每个头都有自己的键和值。一层注意力有多少个参数？",
        ),
        Words("Four matrices: W_q, W_k, W_v, W_o.", "四个矩阵：W_q、W_k、W_v、W_o。"),
        4 * d * d,
        (
            ("wo_forgotten", 3 * d * d),
            ("heads_multiply", n_h * (4 * d * d)),
            ("ffn_width_in_attention", 4 * d * f),
            ("head_dim_square", 4 * h * h),
        ),
        of_model(ungrouped),
        large=True,
    ),
    Kind(
        "attention_gqa",
        2,
        "/parts",
        "count",
        Words(
            "{title}: d = {d}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
            "How many parameters does the attention of one block hold?",
            "{title}：d = {d}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。一层注意力有多少个参数？",
        ),
        Words("Which of the four matrices do shared kv heads make narrower?", "共用 kv 头，让四个矩阵里的哪几个变窄？"),
        attention,
        (
            ("gqa_ignored", 4 * d * d),
            ("gqa_all_narrow", 4 * d * n_kv * h),
            ("gqa_only_k", 3 * d * n_h * h + d * n_kv * h),
            ("gqa_q_narrow", d * n_h * h + 3 * d * n_kv * h),
            ("wo_forgotten", attention - d * n_h * h),
            ("ffn_width_in_attention", 4 * d * f),
        ),
        of_model(grouped),
    ),
    Kind(
        "norms_count",
        2,
        "/parts",
        "count",
        Words(
            "{title}: {L} blocks, d = {d}, two RMSNorms a block and one at the end. How many parameters do all norms hold?",
            "{title}：{L} 层，d = {d}，每层两个 RMSNorm，最后还有一个。归一化一共有多少个参数？",
        ),
        Words("A norm multiplies each number of the vector by a factor of its own.", "归一化给向量的每个数乘一个自己的系数。"),
        norms,
        (("one_norm_a_layer", (L + 1) * d), ("final_norm_forgotten", 2 * L * d), ("norm_as_matrix", (2 * L + 1) * d * d)),
        of_model(),
    ),
    Kind(
        "block_total",
        2,
        "/parts",
        "count",
        Words(
            "{title}: d = {d}, d_ff = {f}, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
            "How many parameters does one block hold?",
            "{title}：d = {d}，d_ff = {f}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。一层有多少个参数？",
        ),
        Words("Attention, FFN and two norms.", "注意力、前馈，加两个归一化。"),
        attention + ffn + 2 * d,
        (
            ("gqa_ignored", 4 * d * d + ffn + 2 * d),
            ("ffn_two_matrices", attention + 2 * d * f + 2 * d),
            ("ffn_4d", attention + 12 * d * d + 2 * d),
            ("wo_forgotten", attention - d * n_h * h + ffn + 2 * d),
            ("norms_forgotten", attention + ffn),
        ),
        of_model(),
        large=True,
        needs_exact=EXACTLY,
    ),
    Kind(
        "ends_share",
        2,
        "/parts",
        "percent",
        Words(
            "{title}: {N} parameters, V = {V}, d = {d}, not tied. What share of all do embedding and lm_head hold, in %?",
            "{title}：共 {N} 个参数，V = {V}，d = {d}，没有共用。词嵌入和 lm_head 占百分之几？",
        ),
        Words("Both tables, divided by everything.", "两张表，除以全部参数。"),
        2 * V * d / N,
        (("one_end_forgotten", V * d / N), ("vocab_32000", 2 * 32000 * d / N), ("blocks_only", 2 * V * d / (N - 2 * V * d))),
        of_model(_whole_ends),
        unit="%",
        figures=2,
        slack=Fraction(1, 250),
    ),
)
"""The kinds about parts of a model."""
