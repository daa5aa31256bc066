"""Numbers as they are written on screen."""

from __future__ import annotations

import pytest

from ui import numbers
from ui.frame.downloads import file_name
from ui.frame.errors import plain


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (6_738_415_616, "6,738,415,616"), (10**15, "1,000,000,000,000,000")],
)
def test_grouped(value, written):
    assert numbers.grouped(value) == written


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("4096 × 8·128", "4,096 × 8·128"),
        ("4096 × (32·128 + 2·8·128)", "4,096 × (32·128 + 2·8·128)"),
        ("1000000", "1,000,000"),
        ("d × n_h", "d × n_h"),
    ],
)
def test_grouped_within_an_expression(expression, written):
    assert numbers.grouped_within(expression) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0, "±0"), (1, "+1"), (-1, "−1"), (1_291_845_632, "+1,291,845,632"), (-805_306_368, "−805,306,368")]
)
def test_signed(value, written):
    """The minus is the sign U+2212, as wide as a plus, not a hyphen."""
    assert numbers.signed(value) == written


@pytest.mark.parametrize(
    ("share", "digits", "written"),
    [
        (0, 2, "0.00%"),
        (1, 2, "100.00%"),
        (1, 0, "100%"),
        (0.6424, 2, "64.24%"),
        (0.668, 1, "66.8%"),
        (0.00005, 2, "0.01%"),
        (0.0000395, 2, "0.004%"),
        (4096 / 6_738_415_616, 2, "0.00006%"),
        (8192 / 68_976_648_192, 2, "0.00001%"),
        (1 / 68_976_648_192, 2, "0.000000001%"),
    ],
)
def test_percent(share, digits, written):
    assert numbers.percent(share, digits) == written


@pytest.mark.parametrize(
    ("share", "written"), [(0.1917, "+19.17%"), (-0.0146, "−1.46%"), (-0.00004, "−0.004%"), (2.5, "+250.00%"), (-1, "−100.00%")]
)
def test_signed_percent(share, written):
    assert numbers.signed_percent(share) == written


@pytest.mark.parametrize(
    ("number_of_bytes", "decimal", "binary"),
    [
        (0, "0 B", "0 B"),
        (999, "999 B", "999 B"),
        (1000, "1.00 KB", "1000 B"),
        (1024, "1.02 KB", "1.00 KiB"),
        (8192, "8.19 KB", "8.00 KiB"),
        (262_144_000, "262.14 MB", "250.00 MiB"),
        (999_999_999, "1.00 GB", "953.67 MiB"),
        (13_476_831_232, "13.48 GB", "12.55 GiB"),
        (137_953_296_384, "137.95 GB", "128.48 GiB"),
        (10**12, "1.00 TB", "931.32 GiB"),
        (2 * 10**18, "2000.00 PB", "1776.36 PiB"),
    ],
)
def test_bytes_in_both_units(number_of_bytes, decimal, binary):
    assert numbers.gigabytes(number_of_bytes) == decimal
    assert numbers.gibibytes(number_of_bytes) == binary


@pytest.mark.parametrize(
    ("sentence", "escaped"),
    [
        ("num_hidden_layers", r"num\_hidden\_layers"),
        ("a *b* [c](d) <e> `f` $g$ ~h~ :i:", "a \\*b\\* \\[c\\]\\(d\\) \\<e\\> \\`f\\` \\$g\\$ \\~h\\~ \\:\u2060i\\:"),
        ("\\", "\\\\"),
        ("中文，句号。", "中文，句号。"),
    ],
)
def test_a_sentence_is_no_markdown(sentence, escaped):
    assert plain(sentence) == escaped


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Llama-2-7B", "Llama-2-7B-parts"),
        ("Mistral-7B v0.1", "Mistral-7B-v0.1-parts"),
        ("你的模型", "你的模型-parts"),
        ('a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j-parts"),
        ("../../etc/passwd", "..-..-etc-passwd-parts"),
    ],
)
def test_a_file_name_is_one_every_system_takes(title, name):
    assert file_name(title, "parts") == name
