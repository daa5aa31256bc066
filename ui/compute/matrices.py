"""Where a token's FLOPs go: one bar in the parts' colours, and every matrix with the product it stands for."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from calc.compute.attention import head_widths
from calc.compute.flops import matmul_flops_by_part, matmul_flops_by_tensor
from calc.compute.passes import stream_flops_per_token
from calc.compute.recurrence import recurrence_flops_of
from calc.mixing import Mixing
from calc.model import Model
from calc.tensors import PARTS, Part, Tensor
from ui.compute.conventions import exact_per_token
from ui.compute.derivations import attended, kind_name, recurrence_steps, tensor_steps
from ui.figures.composition import Stretch, shares
from ui.figures.explain import title
from ui.figures.worked import Line, worked_list
from ui.figures.written import si
from ui.html import Markup
from ui.numbers import grouped, percent
from ui.texts import text_in

MIXING = "mixing"
"""The piece of attention that is in no matrix: scores, the weighing of values, and recurrences."""

PALER_ATTENTION = "#F2CD7A"
"""Attention's matrices next to its products, which have the part's colour in full; dark letters are legible on both."""


class Product(NamedTuple):
    """What a token multiplies: a name, its FLOPs, the part it belongs to, how it is made."""

    label: str
    flops: int
    part: Part
    steps: tuple[str, ...]


def pieces(model: Model, context: int) -> dict[str, int]:
    """FLOPs of the token that attends to `context` positions: each part's matrices, and what is in no matrix."""
    by_part = matmul_flops_by_part(model)
    in_order: dict[str, int] = {}
    for part in PARTS:
        in_order[part] = by_part[part]
        if part == "attention":
            in_order[MIXING] = exact_per_token(model, context) - sum(by_part.values())
    return {piece: flops for piece, flops in in_order.items() if flops}


def piece_name(language: str, piece: str) -> str:
    """A part's name; attention's two pieces have names that differ."""
    return text_in(language, f"compute.piece.{piece}") if piece in (MIXING, "attention") else text_in(language, f"part.{piece}")


def flops_bar(language: str, model: Model, context: int) -> Markup:
    """The bar and its legend."""
    total = exact_per_token(model, context)

    def colour(piece: str) -> str:
        return PALER_ATTENTION if piece == "attention" else f"var(--part-{'attention' if piece == MIXING else piece})"

    stretches = [
        Stretch(piece_name(language, piece), flops / total, colour(piece), si(flops))
        for piece, flops in pieces(model, context).items()
    ]
    return shares(language, text_in(language, "compute.bar_title", context=grouped(context)), "compute.bar_label", stretches)


def matrix_lines(language: str, model: Model, context: int) -> list[Line]:
    """A line for each matrix and table in the order data flows, attention's products after the matrices of attention."""
    products = _matrix_products(language, model)
    if mixing := model.mixing_if_described:
        if streams := stream_flops_per_token(mixing):
            rule = text_in(language, "compute.streams_rule")
            products.append(Product(text_in(language, "compute.gap.streams"), streams, "other", (rule,)))
        after = max((place for place, product in enumerate(products) if product.part == "attention"), default=-1) + 1
        products[after:after] = _mixing_products(language, mixing, context)
    total, largest = exact_per_token(model, context), max((product.flops for product in products), default=0) or 1
    return [
        Line(label, flops, "FLOP", steps, grouped(flops), percent(flops / total, 1) if flops else "", part, flops / largest)
        for label, flops, part, steps in products
    ]


def matrices(language: str, model: Model, context: int) -> Markup:
    """The list."""
    lines = matrix_lines(language, model, context)
    return worked_list(text_in(language, "compute.matrices_title"), lines, text_in(language, "compute.matrices_note"))


def _matrix_products(language: str, model: Model) -> list[Product]:
    listed = [(tensor, flops) for tensor, flops in matmul_flops_by_tensor(model) if flops or tensor.kind in ("matrix", "table")]
    names = Counter(tensor.short_name for tensor, _ in listed)
    colon = text_in(language, "compute.colon")
    return [
        Product(
            tensor.short_name if names[tensor.short_name] == 1 else _longer_name(tensor),
            flops,
            tensor.part,
            (f"{tensor.name}{colon}{title(language, tensor)}", *tensor_steps(language, tensor, flops)),
        )
        for tensor, flops in listed
    ]


def _longer_name(tensor: Tensor) -> str:
    """`shared_experts.gate_proj`, where others are called `gate_proj` too."""
    words = [word for word in tensor.name.removesuffix(".weight").split(".") if word != "*"]
    return ".".join(words[-2:])


def _mixing_products(language: str, mixing: Mixing, context: int) -> list[Product]:
    """Scores, and the weighing of values, of each kind of attention; recurrences."""
    products: list[Product] = []
    for entry in mixing.attention:
        widths, positions = head_widths(entry, mixing), attended(entry, mixing, context)
        for what, width in (("scores", widths.key), ("weighing", widths.value)):
            flops = entry.copies * 2 * entry.heads.value * width * positions
            if not flops:
                continue
            name = text_in(language, f"compute.{what}")
            label = f"{name} · {kind_name(language, entry)}" if len(mixing.attention) > 1 else name
            factors = (entry.copies, 2, entry.heads.value, width, positions)
            steps = text_in(language, f"compute.{what}_rule"), f"{' × '.join(map(grouped, factors))} = {grouped(flops)}"
            products.append(Product(label, flops, "attention", steps))
    for entry in mixing.recurrences:
        if flops := recurrence_flops_of(entry):
            label = text_in(language, "compute.recurrence_of", kind=entry.kind)
            products.append(Product(label, flops, "attention", recurrence_steps(language, entry)))
    return products
