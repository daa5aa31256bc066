"""What the same meaning costs a model in each language: bytes of KV cache, and FLOPs of reading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calc.compute.flops import forward_total
from calc.mixing.kv_cache import kv_bytes, state_bytes
from calc.model import Model
from calc.tokens.parallel_texts import ENGLISH, LANGUAGES
from ui.html import Markup, tag
from ui.numbers import gigabytes, grouped
from ui.texts import text_in
from ui.tokens.languages import name_of


@dataclass(frozen=True, slots=True)
class LanguageCost:
    """The cost of the texts in one language.

    language      its tag
    tokens        of all texts, one after the other in one sequence
    cache_bytes   of the KV cache (and states of fixed size) they fill, in 16 bits
    flops         of the forward pass over them
    """

    language: str
    tokens: int
    cache_bytes: int
    flops: int


def language_costs(model: Model, tokens: Mapping[str, int]) -> list[LanguageCost]:
    """The cost of each language. Raises ConfigError: all that `Model.mixing` raises."""
    mixing = model.mixing
    return [
        LanguageCost(
            spoken, tokens[spoken], kv_bytes(mixing, tokens[spoken]) + state_bytes(mixing), forward_total(model, tokens[spoken])
        )
        for spoken in LANGUAGES
    ]


def cost_table(language: str, costs: list[LanguageCost]) -> Markup:
    """The costs, English first, each beside its multiple of English."""
    english = next(cost for cost in costs if cost.language == ENGLISH)
    names = ("languages.language", "languages.tokens", "languages.cache", "languages.flops")
    headings = (
        tag("th", text_in(language, name), scope="col", class_="number" if at else None, colspan=2 if at else None)
        for at, name in enumerate(names)
    )
    rows = []
    for cost in costs:
        cells = (
            (grouped(cost.tokens), cost.tokens / english.tokens),
            (gigabytes(cost.cache_bytes), cost.cache_bytes / english.cache_bytes if english.cache_bytes else 1),
            (f"{cost.flops / 10**12:,.2f} TFLOP", cost.flops / english.flops),
        )
        figures = (
            figure
            for value, times in cells
            for figure in (tag("td", value, class_="number"), tag("td", f"{times:.2f} ×", class_="number times"))
        )
        rows.append(tag("tr", tag("td", name_of(language, cost.language)), *figures, data_language=cost.language))
    cells = tag("table", tag("thead", tag("tr", *headings)), tag("tbody", *rows))
    return tag("div", cells, class_="plain-table language-cost", tabindex=0)
