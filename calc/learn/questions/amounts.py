"""Questions about bytes: of weights, of the KV cache, of a card."""

from __future__ import annotations

from fractions import Fraction

from calc.learn.formula import Step, Symbol, whole
from calc.learn.models import Card
from calc.learn.questions.draws import CONTEXTS, grouped, model_drawn, numbers, of_model, one_of, tells_its_name, with_card
from calc.learn.questions.kinds import Dice, Drawn, Kind
from calc.learn.questions.symbols import (
    BILLION,
    GIB,
    MIB,
    TEN,
    B,
    L,
    N,
    T,
    b,
    f,
    fp16_bytes,
    h,
    kv_token,
    mem,
    n_h,
    n_kv,
    round_billions,
)
from calc.learn.words import Words

FORMATS = (("fp32", 32), ("fp16", 16), ("bf16", 16), ("int8", 8))
"""In four bits two mistakes, bits for bytes and fp32 assumed, give one value."""
NAMED_BYTES = round_billions * BILLION * 2
g, ov, n, w, m = Symbol("g"), Symbol("ov"), Symbol("n"), Symbol("w"), Symbol("m")

left = Step("left", Words("the bytes left for the cache", "留给缓存的字节数"), mem * BILLION - fp16_bytes - ov * BILLION, "bytes")


def _in_a_format(dice: Dice) -> Drawn | None:
    drawn, (name, bits) = model_drawn(dice), dice.pick(FORMATS)
    return drawn and Drawn({**drawn.given, "b": bits}, {**drawn.words, "fmt": name})


def _leaves_room(drawn: Drawn, gpu: Card) -> bool:
    """Whether a GB or more is left beside the weights and two GB."""
    return drawn.given["N"] * 2 + 3 * 10**9 <= gpu.memory_gb * 10**9


def _cache(dice: Dice) -> Drawn | None:
    drawn = model_drawn(dice)
    return drawn and Drawn({**drawn.given, "T": dice.pick(CONTEXTS), "B": dice.pick((2, 3, 4, 5, 6, 8, 10, 12))}, drawn.words)


AMOUNTS = (
    Kind(
        "bytes_fp16",
        1,
        "/units",
        "bytes",
        Words(
            "{title} has {N} parameters. How many GB are its weights in {fmt} ({b} bits)?",
            "{title} 有 {N} 个参数。用 {fmt}（{b} 位）存，权重是多少 GB？",
        ),
        Words("Bits to bytes: how many bits are a byte?", "位和字节：几位是一个字节？"),
        N * b / 8,
        (
            ("gib_as_gb", N * b / 8 / GIB * BILLION),
            ("gb_as_gib", N * b / 8 / BILLION * GIB),
            ("bits_for_bytes", N * b),
            ("fp32_assumed", N * 4),
            ("int4_one_byte", N),
        ),
        _in_a_format,
        unit="GB",
        large=True,
    ),
    Kind(
        "bytes_by_name",
        2,
        "/units",
        "bytes",
        Words(
            "{title} is called “{round}B”. How many GB are its weights in fp16? Its parameters: {N}.",
            "{title} 号称“{round}B”。它有 {N} 个参数，fp16 的权重是多少 GB？",
        ),
        Words("A name is rounded; the weights are counted.", "名字是个约数；权重要按实际个数算。"),
        N * 2,
        (
            ("seven_b", NAMED_BYTES),
            ("gib_as_gb", N * 2 / GIB * BILLION),
            ("gb_as_gib", N * 2 / BILLION * GIB),
            ("bits_for_bytes", N * 16),
        ),
        of_model(tells_its_name, named=True),
        unit="GB",
        slack=Fraction(1, 1000),
        large=True,
    ),
    Kind(
        "gb_to_gib",
        1,
        "/units",
        "bytes",
        Words("Weights take {g} GB. How many GiB is that?", "权重占 {g} GB，合多少 GiB？"),
        Words("Go back to bytes, then divide by 2³⁰.", "先变回字节，再除以 2³⁰。"),
        g * BILLION,
        (("gb_as_gib", g * GIB), ("gib_wrong_way", g * (GIB / BILLION) * GIB), ("gib_as_gb", g * BILLION / GIB * BILLION)),
        numbers(g=tuple(Fraction(hundredths, 100) for hundredths in range(150, 16000, 7))),
        unit="GiB",
        slack=Fraction(1, 500),
        large=True,
    ),
    Kind(
        "gib_to_mib",
        2,
        "/units",
        "bytes",
        Words(
            "{title} in fp16: {N} × 2 bytes. How many MiB do the weights alone take in nvidia-smi?",
            "{title} 用 fp16：{N} × 2 字节。只算权重，nvidia-smi 显示多少 MiB？",
        ),
        Words("A MiB is 2²⁰ bytes.", "1 MiB 是 2²⁰ 字节。"),
        N * 2,
        (
            ("mib_by_1000", N * 2 / TEN**6 * MIB),
            ("mib_gb_times_1024", N * 2 / BILLION * 1024 * MIB),
            ("fp32_assumed", N * 4),
            ("seven_b", NAMED_BYTES),
        ),
        of_model(),
        unit="MiB",
        slack=Fraction(1, 500),
        large=True,
    ),
    Kind(
        "kv_per_token",
        2,
        "/kv_cache",
        "bytes",
        Words(
            "{title}: {L} layers, {n_h} query heads, {n_kv} kv heads, head_dim {h}, 16 bits. "
            "How many bytes does each token add to the KV cache?",
            "{title}：{L} 层，{n_h} 个查询头，{n_kv} 个 kv 头，head_dim {h}，16 位。每个 token 给 KV 缓存加多少字节？",
        ),
        Words("A key and a value, in every layer, for every kv head.", "每一层、每个 kv 头，都存一个键和一个值。"),
        2 * L * n_kv * h * 2,
        (
            ("kv_gqa_ignored", 2 * L * n_h * h * 2),
            ("kv_ffn_width", 2 * L * f * 2),
            ("kv_one_of_two", L * n_kv * h * 2),
            ("kv_one_layer", 2 * n_kv * h * 2),
            ("kv_with_q", 3 * L * n_kv * h * 2),
            ("kv_half_bits", 2 * L * n_kv * h / 2),
            ("kv_numbers_not_bytes", 2 * L * n_kv * h),
        ),
        of_model(),
        unit="B",
    ),
    Kind(
        "kv_context",
        2,
        "/kv_cache",
        "bytes",
        Words(
            "{title}: {L} layers, {n_kv} kv heads, head_dim {h}, 16 bits. "
            "How many GiB does the KV cache of {B} sequences of {T} tokens take?",
            "{title}：{L} 层，{n_kv} 个 kv 头，head_dim {h}，16 位。{B} 个序列、每个 {T} 个 token，KV 缓存占多少 GiB？",
        ),
        Words("One token first; then all tokens of all sequences.", "先算一个 token，再乘全部序列的全部 token。"),
        kv_token * T * B,
        (
            ("kv_batch_forgotten", kv_token * T),
            ("kv_one_of_two", L * n_kv * h * 2 * T * B),
            ("kv_gqa_ignored", 2 * L * n_h * h * 2 * T * B),
            ("kv_ffn_width", 2 * L * f * 2 * T * B),
            ("gb_as_gib", kv_token * T * B / BILLION * GIB),
            ("gib_as_gb", kv_token * T * B / GIB * BILLION),
            ("kv_squared", kv_token * T * T * B),
        ),
        _cache,
        unit="GiB",
        slack=Fraction(1, 500),
        large=True,
    ),
    Kind(
        "gqa_cache_ratio",
        2,
        "/kv_cache",
        "number",
        Words(
            "{title} shares {n_kv} kv heads among {n_h} query heads. To what fraction does that cut its KV cache? (e.g. 1/2)",
            "{title} 的 {n_h} 个查询头共用 {n_kv} 个 kv 头。KV 缓存缩小到原来的几分之几？（如 1/2）",
        ),
        Words("Without sharing, how many heads would have keys and values?", "不共用的话，有几个头要存键和值？"),
        n_kv / n_h,
        (("kv_gqa_ignored", n_kv / n_kv), ("saved_for_left", 1 - n_kv / n_h), ("groups_for_group", 1 / n_kv)),
        of_model(grouped),
        slack=Fraction(0),
        exact=True,
        share=True,
    ),
    Kind(
        "left_on_card",
        2,
        "/fit",
        "bytes",
        Words(
            "One {gpu} has {mem} GB. {title} ({N} parameters) is loaded in fp16. How many GB are left before anything else?",
            "{gpu} 有 {mem} GB 显存。把 {title}（{N} 个参数）用 fp16 放进去，还剩多少 GB？",
        ),
        Words("How many bytes does a parameter take in fp16?", "fp16 里一个参数占几个字节？"),
        mem * BILLION - fp16_bytes,
        (
            ("seven_b", mem * BILLION - NAMED_BYTES),
            ("gib_as_gb", mem * BILLION - N * 2 / GIB * BILLION),
            ("int4_one_byte", mem * BILLION - N),
            ("saved_for_left", N * 2),
        ),
        with_card(of_model(), _leaves_room),
        unit="GB",
        large=True,
    ),
    Kind(
        "longest_context",
        3,
        "/fit",
        "number",
        Words(
            "{gpu}: {mem} GB by 10⁹. {title} ({N} parameters) in fp16, {L} layers, {n_kv} kv heads, head_dim {h}, d_ff {f}; "
            "the framework takes {ov} GB. How many tokens of 16-bit KV cache still fit, one sequence?",
            "{gpu} 按 10⁹ 计有 {mem} GB。{title}（{N} 个参数）用 fp16，{L} 层，{n_kv} 个 kv 头，head_dim {h}，d_ff {f}；"
            "框架占 {ov} GB。一个序列，16 位 KV 缓存还能放多少个 token？",
        ),
        Words("What is left, divided by what a token takes.", "剩下的，除以每个 token 要占的。"),
        whole(left / kv_token),
        (
            ("overhead_forgotten", whole((mem * BILLION - N * 2) / kv_token)),
            ("seven_b", whole((mem * BILLION - NAMED_BYTES - ov * BILLION) / kv_token)),
            ("kv_gqa_ignored", whole(left / (2 * L * n_h * h * 2))),
            ("kv_one_of_two", whole(left / (L * n_kv * h * 2))),
            ("kv_ffn_width", whole(left / (2 * L * f * 2))),
        ),
        with_card(of_model(ov=one_of(1, Fraction(3, 2), 2)), _leaves_room),
    ),
    Kind(
        "bits_a_weight",
        3,
        "/formats",
        "bits",
        Words(
            "A block holds {n} weights of {w} bits and {m} bits of scales. How many bits a weight is that?",
            "一块有 {n} 个 {w} 位的权重，外加 {m} 位缩放系数。平均每个权重几位？",
        ),
        Words("All bits of the block, shared among its weights.", "整块的位数，平摊到每个权重。"),
        (n * w + m) / n,
        (("scales_forgotten", w), ("scales_forgotten", w + m)),
        numbers(n=(16, 32, 64, 128, 256), w=(2, 3, 4, 5, 6, 8), m=(8, 16, 32, 64, 96, 128)),
        figures=2,
        slack=Fraction(1, 500),
    ),
)
"""The kinds about bytes."""
