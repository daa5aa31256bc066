"""What formats and the numbers of a block are called, in the reader's language."""

from __future__ import annotations

from calc.weights.number_format import Field, NumberFormat, decimal
from calc.weights.weights import format_of
from ui.numbers import grouped
from ui.texts import TEXTS, text_in


def title_in(language: str, name: str) -> str:
    """A format as a person writes it; of a .gguf file its type. A title that needs no words is the same in every language.

    >>> title_in("en", "awq-g128"), title_in("en", "Q4_K_M"), title_in("en", "gguf-BF16")
    ('AWQ 4 bit (groups of 128)', 'GGUF Q4_K_M', 'GGUF BF16')
    """
    number = format_of(name)
    if isinstance(number, str):
        return f"GGUF {number}"
    key = f"memory.format.{number.name}"
    return text_in(language, key) if key in TEXTS else number.title


def field_text(language: str, field: Field) -> str:
    """`8 × 6 bit block scale`, in the reader's language.

    >>> field_text("en", Field("block_scale", 8, 6)), field_text("en", Field("weight", 32, 4))
    ('8 × 6 bit block scale', '32 × 4 bit weight')
    """
    times = f"{grouped(field.count)} × " if field.count > 1 else ""
    return f"{times}{field.bits} bit {text_in(language, f'memory.noun.{field.what}')}"


def derivation(language: str, number: NumberFormat) -> str:
    """Bits a weight from the block, on one line.

    >>> from calc.weights.formats import number_format
    >>> derivation("en", number_format("gguf-q4_0"))
    '(32 × 4 bit weight + 16 bit scale) ÷ 32 = 144 bit ÷ 32 = 4.5 bit'
    """
    summed = " + ".join(field_text(language, field) for field in number.fields)
    bits = f"{decimal(number.bits_per_weight)} bit"
    if number.block_weights == 1:
        return bits
    block = grouped(number.block_weights)
    return f"({summed}) ÷ {block} = {grouped(number.block_bits)} bit ÷ {block} = {bits}"


def shared_texts(language: str, number: NumberFormat) -> list[str]:
    """What a whole row or matrix stores once, not counted in the bits of a block."""
    return [
        text_in(language, f"memory.per_{key}", fields=" + ".join(field_text(language, field) for field in fields))
        for key, fields in (("row", number.per_row), ("matrix", number.per_matrix))
        if fields
    ]
