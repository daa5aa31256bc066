"""The slips of thought that a wrong answer gives away: each with its words, and an example on which both values can be seen.

Words stand in `calc/data/mistakes.json`; formulas here. In a question the same slip has the formula of that question.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from calc.learn.formula import Formula, Given, Number, Symbol, exp, sqrt, up, whole
from calc.learn.models import card, sizes
from calc.learn.questions import KINDS
from calc.learn.questions.symbols import (
    BILLION,
    BW,
    GIB,
    MIB,
    TEN,
    B,
    E,
    L,
    N,
    T,
    V,
    attention,
    d,
    ends,
    f,
    ffn,
    h,
    k,
    mem,
    n_h,
    n_kv,
    norms,
    peak,
    total,
)
from calc.learn.questions.texts import of_number, of_text
from calc.learn.words import Words

MISTAKES_FILE = Path(__file__).parents[1] / "data" / "mistakes.json"

FAMILIES: Mapping[str, Words] = {
    "shapes": Words("Shapes", "形状"),
    "heads": Words("Heads", "注意力头"),
    "gqa": Words("GQA", "GQA（分组查询注意力）"),
    "ends": Words("Vocabulary ends and layers", "词表两端与层数"),
    "norms": Words("Norms and buffers", "归一化与缓冲区"),
    "ffn_width": Words("FFN width", "前馈宽度"),
    "bytes": Words("Bytes and bits", "字节与位"),
    "units": Words("GB and GiB", "GB 与 GiB"),
    "cache": Words("KV cache", "KV 缓存"),
    "flops": Words("FLOP conventions", "FLOP 的几种算法"),
    "training": Words("Training", "训练"),
    "decode": Words("Decoding and memory", "解码与显存"),
    "tokens": Words("Tokens", "词元"),
    "softmax": Words("Softmax and scaling", "softmax 与缩放"),
    "experts": Words("Experts", "专家"),
    "lora": Words("LoRA", "LoRA"),
}
"""The headings mistakes are listed under."""

D, s, s1, s2 = Symbol("D"), Symbol("s"), Symbol("s1"), Symbol("s2")
x, y, n, w, m, r = (Symbol(name) for name in ("x", "y", "n", "w", "m", "r"))
C, u = Symbol("C"), Symbol("u")
chosen = L * (attention + k * ffn + d * E) + norms + ends
all_experts = L * (attention + E * ffn + d * E) + norms + ends
overhead = (mem * BILLION - N * 2 - BILLION) / (2 * L * n_kv * h * 2)
one = Number(Fraction(1))

LLAMA_2_7B, LLAMA_2_13B, LLAMA_3_8B, TINYLLAMA = "llama-2-7b", "llama-2-13b", "llama-3-8b", "tinyllama-1.1b"
MORE: Mapping[str, Mapping[str, int | Fraction]] = {
    "scores": {"s1": Fraction("0.43"), "s2": Fraction("0.18")},
    "columns": {"s1": Fraction("0.43"), "s2": Fraction("0.18"), "s": Fraction("0.15")},
    "scaling": {"s": Fraction("4.8648"), "h": 128, "d": 4096},
    "q4_0": {"n": 32, "w": 4, "m": 16},
    "chinese": of_text("我吃了一个苹果", "llama-2", 12).given,
    "english": of_text("I ate an apple", "llama-2", 5).given,
    "number": of_number("12345").given,
    "product": {"x": 1, "y": 2, "n": 3},
    "tokens": {"D": 10**12},
    "hours": {"D": 2 * 10**12, "u": Fraction("0.4")},
    "rank": {"r": 8},
    "context": {"T": 8192, "B": 4},
    "long": {"T": 4096},
}
"""Numbers of examples beside a model's sizes."""

CARDS = ("T4", "H100")
"""GPUs of examples."""

FORMULAS: Mapping[str, tuple[Formula, Formula, str]] = {
    "shape_swapped": (h * 10**9 + d, d * 10**9 + h, LLAMA_2_7B),
    "in_plus_out": (d + f, d * f, LLAMA_2_7B),
    "only_one_length": (f, d * f, LLAMA_2_7B),
    "row_for_column": (1 * x + 2 * y, 1 * x + y * 3 + n * 5, "product"),
    "vector_as_matrix": (h * h, h, LLAMA_2_7B),
    "heads_multiply": (n_h * d * n_h * h, d * n_h * h, LLAMA_2_7B),
    "head_dim_square": (h * h, d * h, LLAMA_2_7B),
    "head_dim_by_kv": (d / n_kv, d / n_h, LLAMA_3_8B),
    "groups_for_group": (n_kv, n_h / n_kv, TINYLLAMA),
    "head_dim_is_d_over_heads": (d / n_h, h, "qwen3-4b"),
    "wo_forgotten": (attention - d * n_h * h, attention, LLAMA_2_7B),
    "ffn_width_in_attention": (4 * d * f, attention, LLAMA_2_7B),
    "gqa_ignored": (4 * d * d, attention, LLAMA_3_8B),
    "gqa_all_narrow": (4 * d * n_kv * h, attention, LLAMA_3_8B),
    "gqa_only_k": (3 * d * n_h * h + d * n_kv * h, attention, LLAMA_3_8B),
    "gqa_q_narrow": (d * n_h * h + 3 * d * n_kv * h, attention, LLAMA_3_8B),
    "kv_gqa_ignored": (2 * L * n_h * h * 2, 2 * L * n_kv * h * 2, LLAMA_3_8B),
    "ffn_two_matrices": (2 * d * f, ffn, LLAMA_2_7B),
    "ffn_one_matrix": (d * f, ffn, LLAMA_2_7B),
    "ffn_4d": (12 * d * d, ffn, LLAMA_2_7B),
    "ffn_8d2": (8 * d * d, ffn, LLAMA_2_7B),
    "ffn_square": (3 * f * f, ffn, LLAMA_2_7B),
    "ffn_width_unrounded": (whole(8 * d / 3), up(whole(8 * d / 3), 256 * one), LLAMA_2_7B),
    "ffn_width_rounded_down": (whole(whole(8 * d / 3) / 256) * 256, up(whole(8 * d / 3), 256 * one), LLAMA_2_7B),
    "ffn_multiplier_forgotten": (
        up(whole(8 * d / 3), 1024 * one),
        up(whole(Fraction("1.3") * whole(8 * d / 3)), 1024 * one),
        LLAMA_3_8B,
    ),
    "vocab_32000": (2 * 32000 * d, ends, LLAMA_3_8B),
    "one_end_forgotten": (V * d, 2 * V * d, LLAMA_2_7B),
    "tied_counted_twice": (N + V * d, N, "gpt2"),
    "one_row": (d, V * d, LLAMA_2_7B),
    "blocks_only": (L * (attention + ffn) + norms, total, LLAMA_2_7B),
    "one_layer": (attention + ffn + 2 * d + ends + d, total, LLAMA_2_7B),
    "difference_one_end": ((V - 32000) * d, 2 * (V - 32000) * d, LLAMA_3_8B),
    "norms_forgotten": (N - norms, N, LLAMA_2_7B),
    "one_norm_a_layer": (L * d + d, norms, LLAMA_2_7B),
    "final_norm_forgotten": (2 * L * d, norms, LLAMA_2_7B),
    "norm_as_matrix": ((2 * L + 1) * d * d, norms, LLAMA_2_7B),
    "buffers_counted": (N + L * h / 2, N, LLAMA_2_7B),
    "seven_b": (Symbol("round") * BILLION * 2, N * 2, LLAMA_2_7B),
    "bits_for_bytes": (N * 16, N * 16 / 8, LLAMA_2_7B),
    "fp32_assumed": (N * 4, N * 2, LLAMA_2_7B),
    "int4_one_byte": (N, N * 4 / 8, LLAMA_2_7B),
    "scales_forgotten": (w, (n * w + m) / n, "q4_0"),
    "saved_for_left": (N * 2, mem * BILLION - N * 2, f"{LLAMA_2_7B} T4"),
    "gib_as_gb": (N * 2 / GIB * BILLION, N * 2, LLAMA_2_7B),
    "gb_as_gib": (N * 2 / BILLION * GIB, N * 2, LLAMA_2_7B),
    "gib_wrong_way": (N * 2 / BILLION * (GIB / BILLION) * GIB, N * 2, LLAMA_2_7B),
    "mib_by_1000": (N * 2 / TEN**6 * MIB, N * 2, LLAMA_2_7B),
    "mib_gb_times_1024": (N * 2 / BILLION * 1024 * MIB, N * 2, LLAMA_2_7B),
    "kv_ffn_width": (2 * L * f * 2, 2 * L * n_kv * h * 2, LLAMA_2_13B),
    "kv_one_of_two": (L * n_kv * h * 2, 2 * L * n_kv * h * 2, LLAMA_3_8B),
    "kv_one_layer": (2 * n_kv * h * 2, 2 * L * n_kv * h * 2, LLAMA_3_8B),
    "kv_with_q": (3 * L * n_h * h * 2, 2 * L * n_kv * h * 2, LLAMA_2_7B),
    "kv_numbers_not_bytes": (2 * L * n_kv * h, 2 * L * n_kv * h * 2, LLAMA_3_8B),
    "kv_batch_forgotten": (2 * L * n_kv * h * 2 * T, 2 * L * n_kv * h * 2 * T * B, f"{LLAMA_3_8B} context"),
    "kv_squared": (2 * L * n_kv * h * 2 * T * T, 2 * L * n_kv * h * 2 * T, f"{LLAMA_3_8B} context"),
    "kv_half_bits": (2 * L * n_kv * h * 4 / 8, 2 * L * n_kv * h * 16 / 8, LLAMA_3_8B),
    "macs_for_flops": (N, 2 * N, LLAMA_2_7B),
    "two_n_times_layers": (2 * N * L, 2 * N, LLAMA_2_7B),
    "six_n_for_forward": (6 * N, 2 * N, LLAMA_2_7B),
    "lookup_multiplied": (2 * N, 2 * (N - V * d - norms), LLAMA_2_7B),
    "attention_term_forgotten": (2 * (N - V * d - norms), 2 * (N - V * d - norms) + 4 * L * n_h * h * T, f"{LLAMA_2_7B} long"),
    "attention_squared": (4 * L * n_h * h * T * T, 4 * L * n_h * h * T, f"{LLAMA_2_7B} long"),
    "attention_kv_heads": (4 * L * n_kv * h * T, 4 * L * n_h * h * T, f"{LLAMA_3_8B} context"),
    "backward_forgotten": (2 * N * D, 6 * N * D, f"{LLAMA_2_7B} tokens"),
    "backward_as_forward": (4 * N * D, 6 * N * D, f"{LLAMA_2_7B} tokens"),
    "utilisation_forgotten": (
        6 * N * D / (peak * TEN**12) / 3600,
        6 * N * D / (peak * TEN**12 * u) / 3600,
        f"{LLAMA_2_7B} hours H100",
    ),
    "decode_parameters_not_bytes": (N / (BW * BILLION), N * 2 / (BW * BILLION), f"{TINYLLAMA} T4"),
    "decode_by_compute": (2 * N / (peak * TEN**12), N * 2 / (BW * BILLION), f"{TINYLLAMA} T4"),
    "decode_in_bits": (N * 16 / (BW * BILLION), N * 2 / (BW * BILLION), f"{TINYLLAMA} T4"),
    "decode_gib": (N * 2 / GIB / BW, N * 2 / (BW * BILLION), f"{TINYLLAMA} T4"),
    "rate_for_time": (N * 2 / (BW * BILLION) * 1000, BW * BILLION / (N * 2), f"{TINYLLAMA} T4"),
    "overhead_forgotten": (whole((mem * BILLION - N * 2) / (2 * L * n_kv * h * 2)), whole(overhead), f"{LLAMA_2_7B} T4"),
    "characters_are_tokens": (Symbol("characters"), n, "chinese"),
    "words_are_tokens": (Symbol("words"), n, "english"),
    "bytes_are_tokens": (Symbol("bytes"), n, "chinese"),
    "number_is_one_token": (n / n, n, "number"),
    "marker_forgotten": (Symbol("digits"), n, "number"),
    "start_token_counted": (Symbol("digits") + 2, n, "number"),
    "softmax_by_share": (s1 / (s1 + s2), exp(s1) / (exp(s1) + exp(s2)), "scores"),
    "softmax_by_column": (exp(s1) / (exp(s1) + exp(s)), exp(s1) / (exp(s1) + exp(s2)), "columns"),
    "mask_forgotten": (exp(s1) / (exp(s1) + exp(s2)), exp(s1) / exp(s1), "scores"),
    "scaled_by_head_dim": (s / h, s / sqrt(h), "scaling"),
    "scaled_by_root_d": (s / sqrt(d), s / sqrt(h), "scaling"),
    "not_scaled": (s, s / sqrt(h), "scaling"),
    "experts_times_model": (E * (L * (attention + ffn) + norms + ends), all_experts, "mixtral-8x7b"),
    "experts_active_for_all": (chosen, all_experts, "mixtral-8x7b"),
    "active_as_all": (all_experts * k / E, chosen, "mixtral-8x7b"),
    "lora_full_matrix": (d * d, r * (d + d), f"{LLAMA_2_7B} rank"),
}
"""Mistake → the wrong formula, the right one, and the example: a model of the catalogue, a GPU, further numbers."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A slip of thought.

    id            its name
    family        the heading it is listed under
    page          of the app, which shows better
    needs_exact   whether only an answer to the last digit shows it
    name          what was done
    why           why that is not so, in one sentence
    wrong, right  the formulas of its example
    example       the example's model and further numbers
    """

    id: str
    family: str
    page: str
    needs_exact: bool
    name: Words
    why: Words
    wrong: Formula
    right: Formula
    example: str

    @property
    def given(self) -> Given:
        """The numbers of its example."""
        numbers: dict[str, int | Fraction] = {}
        for word in self.example.split():
            numbers |= MORE[word] if word in MORE else card(word).given() if word in CARDS else sizes(word).given()
        return numbers

    @property
    def title(self) -> str | None:
        """The model of its example, None for an example without one."""
        word = self.example.split()[0]
        return None if word in MORE else sizes(word).title

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of question that find it."""
        return tuple(kind.id for kind in KINDS.values() if self.id in kind.misconceptions)


@cache
def mistakes() -> Mapping[str, Mistake]:
    """Every mistake by its id.

    >>> mistake = mistakes()["gqa_ignored"]
    >>> int(mistake.wrong.value(mistake.given)), int(mistake.right.value(mistake.given))
    (67108864, 41943040)
    """
    entries = json.loads(MISTAKES_FILE.read_text(encoding="utf-8"))
    return {
        entry["id"]: Mistake(
            **{**entry, "name": Words(**entry["name"]), "why": Words(**entry["why"])},
            wrong=FORMULAS[entry["id"]][0],
            right=FORMULAS[entry["id"]][1],
            example=FORMULAS[entry["id"]][2],
        )
        for entry in entries
    }
