"""The composition of a model as one bar: each part's share of the parameters, in the part's colour."""

from __future__ import annotations

from html import escape

from calc.parts_list import PartsList, parameters, parameters_by_part
from ui.figures.difference import difference
from ui.numbers import grouped, percent, signed
from ui.texts import text_in


def composition(language: str, parts_list: PartsList, base: PartsList | None = None) -> str:
    """The bar and its legend; with `base`, each part's difference from it."""
    now = parameters_by_part(parts_list.tensors)
    before = parameters_by_part(base.tensors) if base else now
    by_part = {part: count for part, count in now.items() if count or before[part]}
    total = parameters(parts_list.tensors)
    bar, legend, spoken = [], [], []
    for part, count in by_part.items():
        name, share = text_in(language, f"part.{part}"), percent(count / total)
        bar.append(f'<i style="flex-grow:{count / total:.8f};background:var(--part-{part})"></i>')
        change = count - before[part]
        marked = difference(signed(change)) if change else ""
        legend.append(
            f'<li><i class="swatch" style="background:var(--part-{part})"></i>{escape(name)} <b>{grouped(count)}</b> '
            f"<span>{share}</span>{marked}</li>"
        )
        spoken.append(f"{name} {share}")
    label = text_in(language, "composition.label", shares=text_in(language, "frame.comma").join(spoken))
    return (
        f'<section class="composition"><h2>{escape(text_in(language, "composition.title"))}</h2>'
        f'<div class="bar" role="img" aria-label="{escape(label)}">{"".join(bar)}</div><ul>{"".join(legend)}</ul></section>'
    )
