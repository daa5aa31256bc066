"""What a person types, read: every writing of the table, what is asked back, and that nothing else ever happens."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.learn.asking_back import QUESTIONS, Unreadable
from calc.learn.questions import KINDS
from calc.learn.reader import Asked, read

COUNT = Asked("count", large=True)
SMALL_COUNT = Asked("count")
GB = Asked("bytes", "GB", large=True)
BYTES = Asked("bytes", "B")
MS = Asked("time", "ms")
SHARE = Asked("number", exact=True, share=True)
SHAPE = Asked("shape")
FLOPS = Asked("flops", large=True)
PERCENT = Asked("percent", "%")
RATE = Asked("rate", "token/s")
HOURS = Asked("hours")
NUMBER = Asked("number")
EVERY_ASKED = sorted({kind.asked for kind in KINDS.values()}, key=repr)


def interval(text, asked):
    reading = read(text, asked)
    return reading.low, reading.high, reading.figures


@pytest.mark.parametrize(
    ("text", "asked", "low", "high", "figures"),
    [
        # the table of the specification
        *(
            (text, COUNT, "6735000000", "6745000000", 3)
            for text in ("6.74B", "67.4 亿", "６．７４Ｂ", "≈6.74B", "6.74b", "６７．４亿")
        ),
        *(
            (text, COUNT, "6737500000", "6738500000", 4)
            for text in ("6.738e9", "6.738×10⁹", "6738M", "6.738*10^9", "6.738 x 10^9")
        ),
        *(
            (text, COUNT, "6738415616", "6738415616", None)
            for text in ("6,738,415,616", "67,3841,5616", "6738415616", "6 738 415 616")
        ),
        *(
            (text, COUNT, "6738415616", "6738415616", None)
            for text in ("6’738’415’616", "6_738_415_616", "６，７３８，４１５，６１６")
        ),
        ("13100 万", COUNT, "130500000", "131500000", 3),
        ("2200 MB", GB, "2150000000", "2250000000", 2),
        ("525000K", SMALL_COUNT, "524500000", "525500000", 3),
        ("6738415000", COUNT, "6738414500", "6738415500", 7),
        ("4096×128", SMALL_COUNT, "524288", "524288", None),
        ("32×202,375,168", COUNT, "6476005376", "6476005376", None),
        ("32 × 202.4M", COUNT, "6475200000", "6478400000", 4),
        ("6.48B + 0.26B", COUNT, "6730000000", "6750000000", 2),
        ("12.55 GiB", GB, "13470091182.08", "13480828600.32", 4),
        ("1/4", SHARE, "1/4", "1/4", None),
        ("25%", SHARE, "0.245", "0.255", 2),
        # multipliers and units, in both languages
        ("6.74 billion", COUNT, "6735000000", "6745000000", 3),
        ("约67.4亿个参数左右", COUNT, "6735000000", "6745000000", 3),
        ("0.674百亿", COUNT, "6735000000", "6745000000", 3),
        ("6.48+0.26 B", COUNT, "6730000000", "6750000000", 2),
        ("(3+4)×2^10", SMALL_COUNT, "7168", "7168", None),
        ("2³⁰", COUNT, "1073741824", "1073741824", None),
        ("2³⁰ − 2³⁰ ÷ 2", COUNT, "536870912", "536870912", None),
        ("13.48", GB, "13475000000", "13485000000", 4),
        ("134.8亿字节", GB, "13475000000", "13485000000", 4),
        ("13.48 billion bytes", GB, "13475000000", "13485000000", 4),
        ("13476831232 B", GB, "13476831232", "13476831232", None),
        ("12,852 MiB", GB, "13475774464", "13476823040", 5),
        ("13476831232/2^30 GiB", GB, "13476831232", "13476831232", None),
        ("128 KiB", BYTES, "130560", "131584", 3),
        ("131072 B/token", BYTES, "131072", "131072", None),
        ("6.875", MS, "0.0068745", "0.0068755", 4),
        ("6875 µs", MS, "0.0068745", "0.0068755", 4),
        ("0.006875 秒", MS, "0.0068745", "0.0068755", 4),
        ("6.875ms/token", MS, "0.0068745", "0.0068755", 4),
        ("3.89", PERCENT, "0.03885", "0.03895", 3),
        ("３．８９％", PERCENT, "0.03885", "0.03895", 3),
        ("20%", PERCENT, "0.195", "0.205", 2),
        ("20", PERCENT, "0.195", "0.205", 2),
        ("20%", SHARE, "0.195", "0.205", 2),
        ("20 ms", MS, "0.015", "0.025", 1),
        ("百分之3.89", PERCENT, "0.03885", "0.03895", 3),
        ("145", RATE, "144.5", "145.5", 3),
        ("145.4 个/秒", RATE, "145.35", "145.45", 4),
        ("100 tok/s", RATE, "99.5", "100.5", 3),
        ("56.8K GPU·h", HOURS, "56750", "56850", 3),
        ("5.68 万小时", HOURS, "56750", "56850", 3),
        ("13.48 GFLOPs", FLOPS, "13475000000", "13485000000", 4),
        ("13.48G", FLOPS, "13475000000", "13485000000", 4),
        ("8.09×10²² FLOP", FLOPS, "8085e19", "8095e19", 3),
        ("1.6e-3 s", MS, "0.00155", "0.00165", 2),
        ("−5", SHARE, "-5", "-5", None),
        ("0", SHARE, "0", "0", None),
    ],
)
def test_a_writing_stands_for_an_interval(text, asked, low, high, figures):
    assert interval(text, asked) == (Fraction(low), Fraction(high), figures)


@pytest.mark.parametrize(
    ("text", "asked", "code"),
    [
        ("6.7", COUNT, "unit_missing"),
        ("13.48", FLOPS, "unit_missing"),
        ("13 B", GB, "unit_missing"),
        ("131.1", SMALL_COUNT, "not_whole"),
        ("13.48B", GB, "not_whole"),
        ("1,5", COUNT, "which_number"),
        ("0,562", NUMBER, "which_number"),
        ("6.738.415.616", COUNT, "which_number"),
        ("13.5G", GB, "gb_or_gib"),
        ("128K", BYTES, "gb_or_gib"),
        ("13.5 Gb", GB, "bits_or_bytes"),
        ("13.5 gb", GB, "bits_or_bytes"),
        ("13.5 bits", GB, "bits_or_bytes"),
        ("6.7兆", COUNT, "mega_or_tera"),
        ("6.9 MS", MS, "milli_or_mega"),
        ("13.5 ms", GB, "wrong_unit"),
        ("6.74 GB", COUNT, "wrong_unit"),
        ("13.5 TFLOP/s", FLOPS, "wrong_unit"),
        ("25%", COUNT, "wrong_unit"),
        ("13476831232", GB, "write_bytes"),
        ("134.8 亿", GB, "write_bytes"),
        ("0.0389", PERCENT, "percent_or_share"),
        ("524288", SHAPE, "shape_wanted"),
        ("640,512", SHAPE, "shape_wanted"),
        ("4096×128×2", SHAPE, "shape_wanted"),
        ("266,240 + 6.738B", COUNT, "mixed_units"),
        ("1 GB + 2 + 3 GB", GB, "mixed_units"),
        ("", COUNT, "empty"),
        ("  ≈ ", COUNT, "empty"),
        ("1" * 201, COUNT, "too_long"),
        ("9^64^64", COUNT, "not_a_number"),
        ("(9^64)^64", COUNT, "too_big"),
        ("1e999", COUNT, "too_big"),
        ("+".join("1" * 41), COUNT, "too_big"),
        ("(" * 100 + "1" + ")" * 99, COUNT, "too_big"),
        ("1/0", COUNT, "not_a_number"),
        ("1/(6.7-6.7)", COUNT, "not_a_number"),
        ("__import__('os')", COUNT, "not_a_number"),
        ("N*2", COUNT, "not_a_number"),
        ("seven", COUNT, "not_a_number"),
        ("4096 128", COUNT, "not_a_number"),
    ],
)
def test_what_is_unclear_is_asked_back(text, asked, code):
    with pytest.raises(Unreadable) as asking:
        read(text, asked)
    assert asking.value.code == code
    assert all(asking.value.words)


@pytest.mark.parametrize(
    "text",
    [
        *("4096×128", "4096 x 128", "4096X128", "4096*128", "4096·128", "[4096, 128]", "(4096, 128)", "4096, 128", "4096,128"),
        *(
            "4096 行 128 列",
            "4096行，128列",
            "4096 by 128",
            "4096 rows, 128 columns",
            "4,096 × 128",
            "[4,096, 128]",
            "４０９６×１２８",
        ),
        *("4096 × (1 × 128)", "4096 -> 128", "4096 进 128 出"),
    ],
)
def test_a_shape_in_every_writing(text):
    assert read(text, SHAPE).shape == (4096, 128)


def test_every_question_asked_back_stands_in_both_languages_with_the_same_gaps():
    for words in QUESTIONS.values():
        assert words.en.count("{") == words.zh.count("{")
        assert words.en != words.zh


def taken_or_asked_back(text, asked):
    """Whatever is typed is read, or asked back; nothing else is ever raised, and what is read is an interval around its value."""
    try:
        reading = read(text, asked)
    except Unreadable as unclear:
        assert unclear.words.en and unclear.words.zh
        return None
    assert reading.low <= reading.value <= reading.high
    assert all(type(end) is Fraction for end in (reading.low, reading.high, reading.value))
    return reading


@given(st.text(max_size=220), st.sampled_from(EVERY_ASKED))
def test_any_text_is_read_or_asked_back(text, asked):
    taken_or_asked_back(text, asked)


PIECES = tuple("0123456789.,_ '+-*/^()×÷√·eExX%亿万千兆KMBTGbigsh⁰¹²³⁹⁻０１．，") + (
    "GiB",
    "MB",
    "10^",
    "FLOP",
    "ms",
    "token/s",
    "×10⁹",
    "1,000",
    "6.74",
    " by ",
    "列",
    "约",
    "左右",
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from(EVERY_ASKED))
def test_any_arithmetic_is_read_or_asked_back(text, asked):
    taken_or_asked_back(text, asked)


def test_ten_thousand_random_strings_are_read_or_asked_back():
    dice = random.Random(7)
    read_ones = 0
    for _ in range(10_000):
        text = "".join(dice.choice(PIECES) for _ in range(dice.randrange(1, 24)))
        read_ones += taken_or_asked_back(text, dice.choice(EVERY_ASKED)) is not None
    assert read_ones > 100


@given(st.integers(1, 10**15), st.sampled_from([COUNT, FLOPS, SMALL_COUNT]))
def test_a_number_with_every_digit_is_itself_or_its_noughts_say_nothing(number, asked):
    if asked.large and number < 1000:
        return
    for text in (str(number), f"{number:,}", f"{number:,}".replace(",", " ")):
        reading = read(text, asked)
        assert reading.low <= number <= reading.high and reading.value == number
        if number % 1000 or number < 10**6:
            assert reading.low == reading.high
