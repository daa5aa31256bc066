"""The composition of a model as one bar: each part's share of the parameters, in the part's colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from calc.parts_list import PartsList, parameters, parameters_by_part
from ui.html import Markup, difference, section, tag
from ui.numbers import grouped, percent, signed
from ui.texts import text_in


class Stretch(NamedTuple):
    """A stretch of a bar: its name, its share (0 … 1), its colour in CSS, its figure, and how that differs from another."""

    name: str
    share: float
    colour: str
    figure: str
    change: str = ""


def composition(language: str, parts_list: PartsList, base: PartsList | None = None) -> Markup:
    """The bar and its legend; with `base`, each part's difference from it."""
    now = parameters_by_part(parts_list.tensors)
    before = parameters_by_part(base.tensors) if base else now
    total = parameters(parts_list.tensors)
    stretches = [
        Stretch(
            text_in(language, f"part.{part}"),
            count / total,
            f"var(--part-{part})",
            grouped(count),
            signed(count - before[part]) if count != before[part] else "",
        )
        for part, count in now.items()
        if count or before[part]
    ]
    return shares(language, text_in(language, "composition.title"), "composition.label", stretches)


def shares(language: str, title: str, label: str, stretches: Iterable[Stretch]) -> Markup:
    """A bar of shares under its title, and its legend; `label` is the key of what a screen reader says of it."""
    bar, legend, spoken = [], [], []
    for name, share, colour, figure, change in stretches:
        bar.append(tag("i", style=f"flex-grow:{share:.8f};background:{colour}"))
        swatch = tag("i", class_="swatch", style=f"background:{colour}")
        written = tag("b", figure), " ", tag("span", percent(share)), difference(change)
        legend.append(tag("li", swatch, name, " ", *written))
        spoken.append(f"{name} {percent(share)}")
    in_words = text_in(language, label, shares=text_in(language, "frame.comma").join(spoken))
    picture = tag("div", *bar, class_="bar", role="img", aria_label=in_words)
    return section(title, picture, tag("ul", *legend), class_="composition")
