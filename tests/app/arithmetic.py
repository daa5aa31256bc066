"""Arithmetic as a reader with a pocket calculator would check it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
SIGN = r"(?: [×+] |·)"
FACTOR = rf"(?:{NUMBER}|\({NUMBER}(?:{SIGN}{NUMBER})*\))"
EXPRESSION = rf"{FACTOR}(?:{SIGN}{FACTOR})*"
EQUATION = re.compile(rf"(?<![\w.,·/]){EXPRESSION}(?: = {EXPRESSION})+(?![\w·])")


def value(expression: str, symbols: Mapping[str, int] | None = None) -> int:
    """`4,096 × (32·128 + 2·8·128)` → 25165824; with `symbols`, also `d × n_h·head_dim`.

    >>> value("4,096 × (32·128 + 2·8·128)"), value("d × n_kv·head_dim", {"d": 8, "n_kv": 2, "head_dim": 3})
    (25165824, 48)
    """
    plain = expression.replace(",", "")
    for symbol in set(re.findall(r"[A-Za-z_]+", plain)):
        plain = re.sub(rf"\b{symbol}\b", str((symbols or {})[symbol]), plain)
    assert re.fullmatch(r"[\d ×·+()]+", plain), expression
    return eval(plain.replace("×", "*").replace("·", "*"))


def wrong_equations(text: str) -> list[str]:
    """The equations between numbers in a text, `4,096 × 8·128 = 4,096 × 1,024`, whose sides differ.

    >>> wrong_equations("8·128 = 1,024, but 2 × 3 = 7 and d = 3 × 4 = 12")
    ['2 × 3 = 7']
    """
    return [found[0] for found in EQUATION.finditer(text) if len({value(side) for side in found[0].split(" = ")}) > 1]


def bytes_near(text: str, number_of_bytes: int) -> bool:
    """Whether every size in a text, `33.55 MB · 32.00 MiB`, is this many bytes to its last digit.

    >>> bytes_near("33.55 MB · 32.00 MiB", 33_554_432), bytes_near("33.55 MiB", 33_554_432)
    (True, False)
    """
    sizes = re.findall(r"(\d+(?:\.\d+)?) ([KMGT]i?B|B)\b", text)
    assert sizes, text
    for size, unit in sizes:
        last_digit = Decimal(1).scaleb(Decimal(size).as_tuple().exponent)
        if abs(Decimal(size) - Decimal(number_of_bytes) / UNITS[unit]) > last_digit / 2:
            return False
    return True
