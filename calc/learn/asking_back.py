"""What is asked back when a writing cannot be read: it costs no attempt, and depends on the writing and the kind alone."""

from __future__ import annotations

from collections.abc import Mapping

from calc.learn.words import Words

QUESTIONS: Mapping[str, Words] = {
    "empty": Words("Write a number.", "请写一个数。"),
    "too_long": Words("At most 200 characters are read.", "最多读 200 个字符。"),
    "not_a_number": Words(
        "This cannot be read as a number. Write for example 6.74B, 4096×128 or 13.5 GB.",
        "这里读不出一个数。可以写成 67.4 亿、6.74B、4096×128 或 13.5 GB。",
    ),
    "which_number": Words("“{text}”: a decimal point, or thousands?", "“{text}”：是小数点，还是千位分隔？"),
    "unit_missing": Words("“{text}” of what? K, M, B, 万 or 亿?", "“{text}”后面缺单位：万、亿，还是 K、M、B？"),
    "amount_missing": Words("“{text}” of what? Write the unit.", "“{text}”后面缺单位，请写上。"),
    "gb_or_gib": Words(
        "“{text}”: powers of 1000 (kB, MB, GB) or of 1024 (KiB, MiB, GiB)? Write the B.",
        "“{text}”：按 1000 进位（kB、MB、GB）还是按 1024（KiB、MiB、GiB）？请把 B 写全。",
    ),
    "bits_or_bytes": Words(
        "“{text}”: bits or bytes? A byte is a capital B.", "“{text}”：是位（bit）还是字节（byte）？字节用大写 B。"
    ),
    "mega_or_tera": Words("兆: 10⁶ or 10¹²?", "“兆”：是 10⁶（百万）还是 10¹²（万亿）？"),
    "milli_or_mega": Words("“{text}”: milliseconds are written ms.", "“{text}”：毫秒写作 ms。"),
    "wrong_unit": Words("“{text}” does not measure what is asked.", "“{text}”不是这里要的单位。"),
    "write_bytes": Words("“{text}” without a unit: bytes? Then write B.", "“{text}”没有单位：是字节吗？是的话请写 B。"),
    "write_base": Words(
        "“{text}” without a unit, where {unit} is asked: of what?", "“{text}”没有单位，而这里要的是 {unit}：是什么单位？"
    ),
    "not_whole": Words("“{text}” cannot be a whole number of them: which unit?", "“{text}”不是整数个：单位是什么？"),
    "percent_or_share": Words(
        "“{text}”: percent, or a share of 1? Write the %.", "“{text}”：是百分数，还是占 1 的多少？百分数请写 %。"
    ),
    "shape_wanted": Words("Two lengths are asked: in × out.", "这里要两个长度：进 × 出。"),
    "mixed_units": Words(
        "Give every number of the sum its unit, or the whole sum one.", "和里的每个数都写单位，或者只在最后写一个。"
    ),
    "too_big": Words("This is larger than anything asked here.", "这个数太大了，这里用不到。"),
}


class Unreadable(Exception):
    """A writing that stands for no one amount, as a code of `QUESTIONS` with its details.

    >>> Unreadable("which_number", text="1,5").words.en
    '“1,5”: a decimal point, or thousands?'
    """

    def __init__(self, code: str, **details: str) -> None:
        self.code = code
        self.details = details
        super().__init__(code)

    @property
    def words(self) -> Words:
        """What is asked back."""
        return Words(*(text.format_map(self.details) for text in QUESTIONS[self.code]))
