"""What the same meaning costs a model in each language: bytes of KV cache, and FLOPs of reading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from calc.compute.flops import forward_total
from calc.mixing.kv_cache import kv_bytes, state_bytes
from calc.model import Model
from calc.tokens.parallel_texts import ENGLISH, LANGUAGES
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
    """The cost of each language. Raises ConfigError: all that `calc.mixing.mixing` raises."""
    how, tensors = model.mixing, model.tensors
    return [
        LanguageCost(
            spoken, tokens[spoken], kv_bytes(how, tokens[spoken]) + state_bytes(how), forward_total(tensors, how, tokens[spoken])
        )
        for spoken in LANGUAGES
    ]


def cost_table(language: str, costs: list[LanguageCost]) -> str:
    """The costs as HTML, English first, each beside its multiple of English."""
    english = next(cost for cost in costs if cost.language == ENGLISH)
    names = ("languages.language", "languages.tokens", "languages.cache", "languages.flops")
    head = "".join(
        f'<th scope="col"{" class=number colspan=2" if at else ""}>{escape(text_in(language, name))}</th>'
        for at, name in enumerate(names)
    )
    rows = []
    for cost in costs:
        cells = (
            (grouped(cost.tokens), cost.tokens / english.tokens),
            (gigabytes(cost.cache_bytes), cost.cache_bytes / english.cache_bytes if english.cache_bytes else 1),
            (f"{cost.flops / 10**12:,.2f} TFLOP", cost.flops / english.flops),
        )
        rows.append(
            f'<tr data-language="{cost.language}"><td>{escape(name_of(language, cost.language))}</td>'
            + "".join(f'<td class="number">{value}</td><td class="number times">{times:.2f} ×</td>' for value, times in cells)
            + "</tr>"
        )
    return (
        '<div class="plain-table language-cost" tabindex="0"><table><thead><tr>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )
