"""The order in which an answer is judged, and that no right answer is called wrong."""

from decimal import ROUND_DOWN, ROUND_HALF_UP
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.learn.judge import judge, judge_shape
from calc.learn.reader import Asked, read
from learn.writings import decimal_text, to_figures

COUNT = Asked("count")
GB = Asked("bytes", "GB")
GQA = Fraction(41943040)
GQA_WRONGS = [
    ("gqa_ignored", Fraction(67108864)),
    ("gqa_all_narrow", Fraction(16777216)),
    ("gqa_only_k", Fraction(54525952)),
    ("wo_forgotten", Fraction(25165824)),
]
WEIGHTS = Fraction(6738415616 * 2)
WEIGHT_WRONGS = [
    ("gib_as_gb", WEIGHTS / 2**30 * 10**9),
    ("gb_as_gib", WEIGHTS / 10**9 * 2**30),
    ("bits_for_bytes", WEIGHTS * 8),
    ("seven_b", Fraction(14 * 10**9)),
]
TOTAL = Fraction(6738415616)
TOTAL_WRONGS = [("norms_forgotten", Fraction(6738149376)), ("blocks_only", Fraction(6476271616))]


def verdict(text, right, wrongs, asked=COUNT, **options):
    return judge(read(text, asked), Fraction(right), wrongs, **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("41.9M", ("right",)),
        ("41,943,040", ("right",)),
        ("4096×4096×2 + 4096×1024×2", ("right",)),
        ("42M", ("coarse",)),
        ("40M", ("coarse",)),
        ("42.1M", ("right_rounded",)),
        ("4 × 10.5M", ("right",)),
        ("67.1M", ("diagnosed", "gqa_ignored")),
        ("6711 万", ("diagnosed", "gqa_ignored")),
        ("67,108,864", ("diagnosed", "gqa_ignored")),
        ("4 × 4096²", ("diagnosed", "gqa_ignored")),
        ("67.2M", ("diagnosed", "gqa_ignored")),
        ("4.19M", ("power_of_ten",)),
        ("83.9M", ("factor",)),
        ("50M", ("unknown",)),
        ("33.3M", ("unknown",)),
    ],
)
def test_grouped_attention(text, expected):
    found = verdict(text, GQA, GQA_WRONGS)
    assert (found.verdict, *found.misconceptions) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, ("right",)) for text in ("13.48", "13.5 GB", "12.55 GiB", "12.6 GiB", "13,476,831,232 B", "13476831232 字节")),
        ("12,852 MiB", ("right_rounded",)),
        ("12852", ("diagnosed", "wrong")),
        ("13 GB", ("coarse",)),
        ("12.55 GB", ("diagnosed", "gib_as_gb")),
        ("13.48 GiB", ("diagnosed", "gb_as_gib")),
        ("14.0", ("diagnosed", "seven_b")),
        ("108 GB", ("diagnosed", "bits_for_bytes")),
    ],
)
def test_weights_in_gb(text, expected):
    wrongs = [*WEIGHT_WRONGS, ("wrong", Fraction(12852 * 10**9))]
    found = verdict(text, WEIGHTS, wrongs, GB)
    assert (found.verdict, *found.misconceptions) == expected


def test_what_only_the_last_digit_shows():
    needs_exact = {"norms_forgotten"}
    exact = verdict("6,738,149,376", TOTAL, TOTAL_WRONGS, needs_exact=needs_exact)
    assert (exact.verdict, exact.misconceptions) == ("diagnosed", ("norms_forgotten",))
    assert verdict("6,738,149,376 个参数", TOTAL, TOTAL_WRONGS, needs_exact=needs_exact).misconceptions == ("norms_forgotten",)
    assert verdict("6.74B", TOTAL, TOTAL_WRONGS, needs_exact=needs_exact).verdict == "right"
    assert verdict("6.7381B", TOTAL, TOTAL_WRONGS, needs_exact=needs_exact).verdict == "right_rounded"


def test_two_mistakes_in_the_interval_are_both_named_the_nearer_first_three_are_not():
    wrongs = [("far", Fraction(67144000)), ("near", Fraction(67101000)), ("third", Fraction(67140000))]
    assert verdict("67.1M", GQA, wrongs[:2]).misconceptions == ("near", "far")
    assert verdict("67.1M", GQA, wrongs).verdict == "unknown"
    same = [("first", Fraction(67108864)), ("second", Fraction(67108864))]
    assert verdict("67.1M", GQA, same).misconceptions == ("first", "second")


def test_a_single_figure_diagnoses_nothing():
    assert verdict("7B", TOTAL, [("seven_b", Fraction(7 * 10**9))]).verdict == "coarse"
    assert verdict("9B", TOTAL, [("nine", Fraction(9 * 10**9))]).verdict == "unknown"
    assert verdict("9.00B", TOTAL, [("nine", Fraction(9 * 10**9))]).misconceptions == ("nine",)


def test_factors_and_powers_of_ten_say_how_many_times():
    assert verdict("83.9M", GQA, ()).times == 2
    assert verdict("42.0 GB", 42 * 10**6, (), GB).times == 1000
    assert verdict("42949672960", GQA, ()).times == 1024
    assert verdict("5242880", GQA, ()).times == Fraction(1, 8)


@pytest.mark.parametrize(
    ("text", "asked", "right", "mistake"),
    [("10%", "percent", "0.14986", "0.1002"), ("20", "rate", "18.68", "20.05"), ("40000", "count", "36864", "40100")],
)
def test_noughts_at_the_end_may_be_a_rounding_of_the_right_value_before_they_are_a_mistake(text, asked, right, mistake):
    found = judge(read(text, Asked(asked)), Fraction(right), [("mistake", Fraction(mistake))])
    assert found.verdict == "coarse"


def test_three_figures_before_noughts_are_three_figures():
    assert verdict("131000", 131072, ()).verdict == "right_rounded"
    assert verdict("131100", 131072, ()).verdict == "right_rounded"
    assert verdict("130000", 131072, ()).verdict == "coarse"


def test_shapes_are_two_numbers():
    wrongs = [("shape_swapped", (128, 4096)), ("head_dim_square", (128, 128))]
    assert judge_shape((4096, 128), (4096, 128), wrongs).verdict == "right"
    assert judge_shape((128, 4096), (4096, 128), wrongs).misconceptions == ("shape_swapped",)
    assert judge_shape((4096, 4096), (4096, 128), wrongs).verdict == "unknown"


values = st.fractions(min_value=Fraction(1, 100), max_value=10**15, max_denominator=10**6).filter(lambda value: value > 0)


@given(
    right=values,
    near=st.lists(st.fractions(min_value=Fraction(9, 10), max_value=Fraction(11, 10), max_denominator=10**5), max_size=6),
    figures=st.integers(1, 8),
    rounding=st.sampled_from([ROUND_HALF_UP, ROUND_DOWN]),
    asked_figures=st.integers(1, 4),
    slack=st.sampled_from([Fraction(0), Fraction(1, 500), Fraction(1, 200)]),
)
def test_whatever_a_right_value_rounds_or_cuts_to_is_never_called_wrong(right, near, figures, rounding, asked_figures, slack):
    """With mistakes placed as near to it as one likes."""
    wrongs = [(f"mistake {place}", right * factor) for place, factor in enumerate(near)]
    number, last = to_figures(right, figures, rounding)
    if number == 0 or last > 12:
        return
    asked = Asked("number")
    noughts = 10**last if last > 0 else 1
    text = f"{number / noughts}e{last}" if last > 0 else decimal_text(number, last)
    found = judge(read(text, asked), right, wrongs, asked_figures, slack)
    assert found.verdict in ("right", "right_rounded", "coarse"), (text, right)


@given(
    right=values, factor=st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=1000), figures=st.integers(3, 7)
)
def test_a_mistake_is_named_unless_the_right_value_is_as_near(right, factor, figures):
    wrong = right * factor
    number, last = to_figures(wrong, figures, ROUND_HALF_UP)
    if number == 0 or not -12 < last < 12:
        return
    text = f"{number / 10**last}e{last}" if last > 0 else decimal_text(number, last)
    reading = read(text, Asked("number"))
    found = judge(reading, right, [("mistake", wrong)])
    cut = reading.value <= right <= reading.value + reading.width
    assert found.misconceptions == ("mistake",) or reading.low <= right <= reading.high or cut
