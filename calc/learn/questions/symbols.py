"""The symbols of formulas, and the steps that many questions share."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Number, Step, Symbol
from calc.learn.words import Words

d = Symbol("d")
f = Symbol("f", "d_ff")
L = Symbol("L")
n_h = Symbol("n_h")
n_kv = Symbol("n_kv")
h = Symbol("h", "head_dim")
V = Symbol("V")
N = Symbol("N")
tied = Symbol("tied")
round_billions = Symbol("round")
E = Symbol("E")
k = Symbol("k")
T = Symbol("T")
B = Symbol("B")
b = Symbol("b")
BW = Symbol("BW")
mem = Symbol("mem")
peak = Symbol("peak")
a = Symbol("a", "in")
c = Symbol("c", "out")

TEN = Number(Fraction(10))
TWO = Number(Fraction(2))
BILLION = TEN**9
GIB = TWO**30
MIB = TWO**20

kv_length = Step("kv", Words("the length that W_k gives out, and W_v", "W_k（和 W_v）输出的长度"), n_kv * h, "number")
attention = Step(
    "attn", Words("the parameters of one block's attention", "一层注意力的参数量"), 2 * d * (n_h * h) + 2 * d * kv_length
)
ffn = Step("ffn", Words("the parameters of one block's FFN", "一层前馈的参数量"), 3 * d * f)
norms = Step("norms", Words("the parameters of all norms", "全部归一化的参数量"), (2 * L + 1) * d)
ends = Step(
    "ends",
    Words("the parameters of the vocabulary ends (tied = 1: one table for both)", "词表两端的参数量（共用一张表时 tied = 1）"),
    (2 - tied) * V * d,
)
total = Step("N", Words("the parameters of the model", "模型的参数量"), L * (attention + ffn) + norms + ends)
fp16_bytes = Step("weights", Words("the bytes of the weights in fp16", "权重用 fp16 存的字节数"), N * 2, "bytes")
kv_token = Step(
    "kv_token", Words("the bytes of one token in the KV cache", "KV 缓存里一个 token 的字节数"), 2 * L * n_kv * h * 2, "bytes"
)
