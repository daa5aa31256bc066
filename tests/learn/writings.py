"""The ways in which people write a value: rounded or cut, in every unit, with every multiplier, full-width, with superscripts."""

from collections.abc import Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

FULL_WIDTH = str.maketrans("0123456789.%+", "０１２３４５６７８９．％＋")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

MULTIPLIERS = {
    "K": 3,
    "M": 6,
    "B": 9,
    "T": 12,
    " thousand": 3,
    " million": 6,
    " billion": 9,
    " 万": 4,
    " 百万": 6,
    "亿": 8,
    "十亿": 9,
    "万亿": 12,
}
UNITS = {
    "bytes": {
        **{" B": 1, " kB": 10**3, " MB": 10**6, "GB": 10**9, " TB": 10**12},
        **{" KiB": 2**10, "MiB": 2**20, " GiB": 2**30, " TiB": 2**40},
        **{" 字节": 1, "亿字节": 10**8, " bytes": 1, " million bytes": 10**6},
    },
    "flops": {" FLOP": 1, " GFLOP": 10**9, "TFLOPs": 10**12, " EFLOP": 10**18, " ZFLOP": 10**21, " 亿次": 10**8},
    "time": {" s": 1, "ms": Fraction(1, 1000), " µs": Fraction(1, 10**6), "毫秒": Fraction(1, 1000), " 秒": 1},
    "rate": {"": 1, " token/s": 1, " tok/s": 1, "个/秒": 1},
    "hours": {"": 1, " h": 1, " GPU·h": 1, "小时": 1, "K GPU·h": 1000, " 万小时": 10**4},
    "percent": {"%": Fraction(1, 100), " percent": Fraction(1, 100)},
    "bits": {"": 1, " bit": 1, "位": 1},
    "count": {"": 1, " 个参数": 1},
    "number": {"": 1},
    "tokens": {"": 1, " tokens": 1, "个": 1},
}
ASKED = {"GB": 10**9, "GiB": 2**30, "MiB": 2**20, "ms": Fraction(1, 1000), "%": Fraction(1, 100)}


def to_figures(value: Fraction, figures: int, rounding: str) -> tuple[Fraction, int]:
    """A value in so many significant figures, and the power of ten of the last one."""
    with localcontext() as context:
        context.prec = 60
        decimal = Decimal(value.numerator) / Decimal(value.denominator)
        last = decimal.adjusted() - figures + 1
        return Fraction(decimal.quantize(Decimal(1).scaleb(last), rounding=rounding)), last


def decimal_text(value: Fraction, last: int) -> str:
    """A value to the decimal place of its last figure."""
    with localcontext() as context:
        context.prec = 60
        decimal = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{decimal:.{max(0, -last)}f}"


def rounded(value: Fraction, figures: int, asked_unit: str | None, dimension: str, rounding: str) -> Iterator[str]:
    """A value in so many figures, in every unit and with every multiplier in which that is a number people write."""
    units = dict(UNITS[dimension])
    if dimension in ("count", "flops"):
        units |= {word: 10**power for word, power in MULTIPLIERS.items()}
    if asked_unit in ASKED:
        units[""] = ASKED[asked_unit]
    for word, factor in units.items():
        number, last = to_figures(value / factor, figures, rounding)
        if number == 0 or last > 15:
            continue
        bare = not word.strip()
        if not Fraction(1, 100) <= abs(number) < 10**7 and not bare:
            continue
        if bare and last > 0 and dimension in ("count", "flops", "bytes", "number", "tokens"):
            continue  # 6740000000: written with noughts, see `bare_noughts`
        yield decimal_text(number, last) + word


def scientific(value: Fraction, figures: int, rounding: str, unit: str) -> Iterator[str]:
    """6.738e9, 6.738×10⁹, 6.738*10^9."""
    number, last = to_figures(value, figures, rounding)
    power = last + figures - 1
    mantissa = decimal_text(number / Fraction(10) ** power, 1 - figures)
    if mantissa.startswith("10"):
        return
    yield f"{mantissa}e{power}{unit}"
    yield f"{mantissa}×10{str(power).translate(RAISED)}{unit}"
    yield f"{mantissa} * 10^{power}{unit}" if power >= 0 else f"{mantissa} * 10^({power}){unit}"


def exact(value: Fraction, unit: str = "") -> Iterator[str]:
    """Every digit: bare, in groups of three and of four, full-width."""
    digits = str(value.numerator)
    yield digits + unit
    yield f"{value.numerator:,}{unit}"
    yield f"{value.numerator:_}{unit}".replace("_", " ")
    yield f"{value.numerator:,}{unit}".replace(",", "，").translate(FULL_WIDTH)
    if value > 0:
        groups = [digits[max(0, end - 4) : end] for end in range(len(digits), 0, -4)][::-1]
        yield ",".join(groups) + unit


def decorated(text: str) -> Iterator[str]:
    """The same with words of doubt, or full-width."""
    yield f"≈{text}"
    yield f"约 {text}左右"
    yield f" ~{text} "
    yield text.translate(FULL_WIDTH)


def writings(
    value: Fraction, dimension: str, asked_unit: str | None, figures: tuple[int, ...] = (3, 4, 5), cut: bool = True
) -> Iterator[str]:
    """Everything people write for a value."""
    base = {"bytes": " B", "time": " s"}.get(dimension, "")
    if dimension not in ("percent", "time") and value.denominator == 1:
        yield from exact(value, base)
    if dimension in ("number", "tokens", "bits") and value.denominator != 1 and value.denominator < 100:
        yield f"{value.numerator}/{value.denominator}"
    for number in figures:
        for rounding in (ROUND_HALF_UP, ROUND_DOWN) if cut else (ROUND_HALF_UP,):
            plain = list(rounded(value, number, asked_unit, dimension, rounding))
            yield from plain
            if plain:
                yield from decorated(plain[-1])
            if dimension not in ("percent", "number", "tokens", "bits", "rate"):
                yield from scientific(value, number, rounding, base)


def shape_writings(shape: tuple[int, int]) -> Iterator[str]:
    """Two lengths in every writing."""
    rows, columns = shape
    yield from (f"{rows}×{columns}", f"{rows} x {columns}", f"{rows}*{columns}", f"[{rows}, {columns}]", f"({rows}, {columns})")
    yield from (
        f"{rows} 行 {columns} 列",
        f"{rows} by {columns}",
        f"{rows:,} × {columns:,}",
        f"{rows}×{columns}".translate(FULL_WIDTH),
    )
