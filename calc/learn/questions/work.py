"""Questions about work and time: FLOPs of a token and of a training, GPU-hours, the decode floor."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Number, Step, Symbol
from calc.learn.models import GPUS, card
from calc.learn.questions.draws import CONTEXTS, holds_fp16, model_drawn, of_model, one_of, untied, with_card
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.symbols import (
    BILLION,
    BW,
    GIB,
    TEN,
    L,
    N,
    T,
    V,
    attention,
    d,
    f,
    ffn,
    fp16_bytes,
    h,
    n_h,
    n_kv,
    norms,
    peak,
)
from calc.learn.words import Words

D_t, C_z, u, P, mm = Symbol("D_t", "D"), Symbol("C_z", "C"), Symbol("u"), Symbol("P"), Symbol("mm")
norms_n = Symbol("norms_n", "norms")
TRILLION = TEN**12
HOUR = Number(Fraction(3600))
DECODE_SLACK = Fraction(1, 250)

multiplied = Step(
    "N_mul", Words("the parameters that a token is multiplied with", "一个 token 真正相乘的参数量"), N - V * d - norms_n
)
ends_apart = Step("ends", Words("the parameters of both tables", "两张表的参数量"), 2 * V * d)
untied_total = Step("N", Words("the parameters of the model", "模型的参数量"), L * (attention + ffn) + norms + ends_apart)


def _with_matmul(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice, untied)
    if drawn is None:
        return None
    matmul = int((2 * (N - V * d - norms)).value(drawn.given))
    return Drawn({**drawn.given, "mm": matmul, "T": dice.pick(CONTEXTS)}, drawn.words)


def _with_norms(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice, untied)
    return drawn and Drawn({**drawn.given, "norms_n": int(norms.value(drawn.given))}, drawn.words)


def _training_time(dice: Dice) -> Drawn:
    return Drawn(
        {
            "C_z": Fraction(dice.pick(range(50, 9000)), 10),
            "u": 5 * dice.pick(range(6, 12)),
            "peak": card(dice.pick(GPUS[5:])).peak_tflops,
        }
    )


WORK = (
    Kind(
        "two_n",
        1,
        "/flops",
        "flops",
        Words(
            "By the rule of thumb, how many FLOPs does a forward pass of one token take in {title}, N = {N}?",
            "按经验法则，{title}（N = {N}）一个 token 前向要多少 FLOP？",
        ),
        Words("Each weight: one multiply and one add.", "每个权重一次乘、一次加。"),
        2 * N,
        (("macs_for_flops", N), ("two_n_times_layers", 2 * N * L), ("six_n_for_forward", 6 * N), ("backward_as_forward", 4 * N)),
        of_model(),
        large=True,
    ),
    Kind(
        "training_flops",
        2,
        "/training",
        "flops",
        Words(
            "{title}, N = {N}, is trained on {D_t} trillion tokens. By the rule of thumb, how many FLOPs in all?",
            "{title}（N = {N}）用 {D_t} 万亿个 token 训练。按经验法则总共多少 FLOP？",
        ),
        Words("Forward 2N a token; and backward?", "前向每个 token 2N，反向呢？"),
        6 * N * D_t * TRILLION,
        (
            ("backward_forgotten", 2 * N * D_t * TRILLION),
            ("backward_as_forward", 4 * N * D_t * TRILLION),
            ("two_n_times_layers", 6 * N * L * D_t * TRILLION),
            ("macs_for_flops", N * D_t * TRILLION),
        ),
        of_model(D_t=one_of(1, Fraction("1.4"), 2, 3, Fraction("4.5"), 6, 9, 15)),
        unit="FLOP",
        large=True,
    ),
    Kind(
        "prefill_flops",
        2,
        "/inference",
        "flops",
        Words(
            "By the rule of thumb, how many FLOPs does {title} (N = {N}) take to read a prompt of {P} tokens?",
            "按经验法则，{title}（N = {N}）读完 {P} 个 token 的提示要多少 FLOP？",
        ),
        Words("One token first.", "先算一个 token。"),
        2 * N * P,
        (
            ("macs_for_flops", N * P),
            ("six_n_for_forward", 6 * N * P),
            ("two_n_times_layers", 2 * N * L * P),
            ("attention_squared", 2 * N * P * P),
        ),
        of_model(P=one_of(200, 500, 1000, 1500, 2048, 3000, 4096, 8192)),
        large=True,
    ),
    Kind(
        "decode_floor",
        2,
        "/decode",
        "time",
        Words(
            "{title}: {N} parameters in fp16 on one {gpu} ({BW} GB/s). "
            "How many milliseconds does a token take at least, counting the weights alone?",
            "{title}：{N} 个参数，fp16，放在 {gpu}（{BW} GB/s）上。只算读权重，每个 token 至少几毫秒？",
        ),
        Words("Every weight is read once for each token.", "每个 token 都要把全部权重读一遍。"),
        fp16_bytes / (BW * BILLION),
        (
            ("decode_parameters_not_bytes", N / (BW * BILLION)),
            ("decode_by_compute", 2 * N / (peak * TRILLION)),
            ("decode_in_bits", N * 16 / (BW * BILLION)),
            ("decode_gib", N * 2 / GIB / BW),
            ("rate_for_time", BW * BILLION / (N * 2) / 1000),
        ),
        with_card(of_model(), holds_fp16),
        unit="ms",
        slack=DECODE_SLACK,
    ),
    Kind(
        "decode_rate",
        2,
        "/decode",
        "rate",
        Words(
            "{title}: {N} parameters in fp16 on one {gpu} ({BW} GB/s). "
            "At most how many tokens a second, one sequence, weights alone?",
            "{title}：{N} 个参数，fp16，放在 {gpu}（{BW} GB/s）上。单个序列、只算读权重，每秒最多几个 token？",
        ),
        Words("How often can all weights be read in a second?", "一秒能把全部权重读几遍？"),
        BW * BILLION / fp16_bytes,
        (
            ("decode_parameters_not_bytes", BW * BILLION / N),
            ("decode_in_bits", BW * BILLION / (N * 16)),
            ("rate_for_time", N * 2 / (BW * BILLION) * 1000),
            ("decode_gib", BW * GIB / (N * 2)),
        ),
        with_card(of_model(), holds_fp16),
        unit="token/s",
        slack=DECODE_SLACK,
    ),
    Kind(
        "exact_matmul_flops",
        3,
        "/flops",
        "flops",
        Words(
            "{title}: N = {N}, of them {V} × {d} in the embedding and {norms_n} in norms; nothing is tied. "
            "Exactly how many FLOPs do the matrix products of one token take?",
            "{title}：N = {N}，其中词嵌入 {V} × {d}，归一化 {norms_n}，没有共用。一个 token 的矩阵乘法精确是多少 FLOP？",
        ),
        Words("Which of the N parameters are never multiplied as a matrix?", "N 个参数里，哪些不做矩阵乘法？"),
        2 * multiplied,
        (
            ("lookup_multiplied", 2 * N),
            ("lookup_multiplied", 2 * (N - norms_n)),
            ("blocks_only", 2 * (N - 2 * V * d - norms_n)),
            ("macs_for_flops", N - V * d - norms_n),
        ),
        _with_norms,
        figures=4,
        slack=Fraction(1, 1000),
        large=True,
    ),
    Kind(
        "attention_flops",
        3,
        "/flops",
        "flops",
        Words(
            "{title}: {L} layers, {n_h} query heads, {n_kv} kv heads, head_dim {h}. "
            "How many FLOPs do scores and mixing take for token number {T}?",
            "{title}：{L} 层，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}。第 {T} 个 token 的打分和加权求和要多少 FLOP？",
        ),
        Words("Each head: a score and a share of a value for every position.", "每个头、每个位置：打一次分，加一份 v。"),
        4 * L * n_h * h * T,
        (
            ("attention_kv_heads", 4 * L * n_kv * h * T),
            ("attention_squared", 4 * L * n_h * h * T * T),
            ("macs_for_flops", 2 * L * n_h * h * T),
            ("one_layer", 4 * n_h * h * T),
        ),
        of_model(T=one_of(*CONTEXTS)),
        large=True,
    ),
    Kind(
        "last_token_flops",
        3,
        "/flops",
        "flops",
        Words(
            "{title}: matrix products of a token {mm} FLOP; {L} layers, {n_h} query heads, head_dim {h}. "
            "Exactly how many FLOPs does token number {T} take, scores and mixing included?",
            "{title}：每个 token 的矩阵乘法 {mm} FLOP；{L} 层，{n_h} 个查询头，head_dim {h}。"
            "第 {T} 个 token 连同打分和加权求和，精确是多少 FLOP？",
        ),
        Words("What is added grows with the position.", "要加上的那一项随位置增长。"),
        mm + 4 * L * n_h * h * T,
        (
            ("attention_term_forgotten", mm),
            ("macs_for_flops", mm + 2 * L * n_h * h * T),
            ("attention_kv_heads", mm + 4 * L * n_kv * h * T),
            ("attention_squared", mm + 4 * L * n_h * h * T * T),
            ("lookup_multiplied", 2 * N + 4 * L * n_h * h * T),
        ),
        _with_matmul,
        figures=4,
        slack=Fraction(1, 500),
        large=True,
    ),
    Kind(
        "gpu_hours",
        3,
        "/training",
        "hours",
        Words(
            "C = {C_z} × 10²¹ FLOP on GPUs of {peak} TFLOP/s at {u}% utilisation. How many GPU-hours?",
            "总算力 {C_z} × 10²¹ FLOP，GPU 峰值 {peak} TFLOP/s，利用率 {u}%。要多少 GPU 小时？",
        ),
        Words("How much of its peak does a GPU really do?", "GPU 真正能用到峰值的多少？"),
        C_z * TEN**21 / (peak * TRILLION * u / 100) / HOUR,
        (
            ("utilisation_forgotten", C_z * TEN**21 / (peak * TRILLION) / HOUR),
            ("utilisation_forgotten", C_z * TEN**21 * u / 100 / (peak * TRILLION) / HOUR),
        ),
        _training_time,
    ),
    Kind(
        "small_model_chain",
        3,
        "/decode",
        "time",
        Words(
            "{title}: L = {L}, d = {d}, d_ff = {f}, {n_h} query heads, {n_kv} kv heads, head_dim {h}, V = {V}, not tied. "
            "In fp16 on one {gpu} ({BW} GB/s): at least how many ms a token, weights alone?",
            "{title}：L = {L}，d = {d}，d_ff = {f}，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，V = {V}，没有共用。"
            "fp16 放在 {gpu}（{BW} GB/s）上，只算读权重，每个 token 至少几毫秒？",
        ),
        Words("Parameters, then bytes, then time.", "先算参数，再算字节，再算时间。"),
        untied_total * 2 / (BW * BILLION),
        (
            ("gqa_ignored", (L * (4 * d * d + ffn) + norms + 2 * V * d) * 2 / (BW * BILLION)),
            ("one_end_forgotten", (L * (attention + ffn) + norms + V * d) * 2 / (BW * BILLION)),
            ("ffn_two_matrices", (L * (attention + 2 * d * f) + norms + 2 * V * d) * 2 / (BW * BILLION)),
            ("decode_parameters_not_bytes", untied_total / (BW * BILLION)),
            ("decode_in_bits", untied_total * 16 / (BW * BILLION)),
            ("blocks_only", (L * (attention + ffn) + norms) * 2 / (BW * BILLION)),
        ),
        with_card(of_model(untied), holds_fp16),
        unit="ms",
        slack=DECODE_SLACK,
    ),
)
"""The kinds about work and time."""
