"""The addition as on paper: a row a part, each opening into the tensors it sums, ending in the exact total."""

from __future__ import annotations

from collections.abc import Mapping

from calc.addition import Row, Term, addition
from calc.catalogue import CatalogueModel, HubGap, published_value, rounds_to
from calc.parts_list import PartsList, parameters, parameters_by_part, stack_of
from calc.tensors import Part, Tensor
from ui.html import Markup, difference, section, swatch, tag
from ui.numbers import grouped, signed, signed_percent
from ui.texts import text_in


def addition_table(
    language: str, title: str, parts_list: PartsList, model: CatalogueModel | None, base: PartsList | None = None
) -> Markup:
    """The addition; with `base`, a column of differences from it; with `model`, the check against published figures."""
    before = parameters_by_part(base.tensors) if base else None
    total = parameters(parts_list.tensors)
    change = _change(total - parameters(base.tensors)) if base else None
    return section(
        text_in(language, "addition.title"),
        *(_row(language, row, before) for row in addition(parts_list)),
        tag("div", tag("span", title), tag("span", grouped(total), change, class_="count"), class_="sum"),
        None if base or model is None else _checks(language, total, model),
        class_="addition",
    )


def row_title(language: str, row: Row) -> str:
    """The part's name, with how often its layers or vectors count: `attention × 32`, `65 norms`."""
    name = text_in(language, f"part.{row.part}")
    if row.part == "norm":
        return text_in(language, "addition.norms", copies=sum(term.factors[0] for term in row.terms))
    layers = {(stack_of(tensor), tensor.layers) for term in row.terms for tensor in term.tensors}
    _, repeated = next(iter(layers)) if len(layers) == 1 else (None, None)
    return f"{name} × {len(repeated)}" if repeated else name


def row_expression(row: Row) -> str:
    """The sum of products in numbers: `32 × 67,108,864`."""
    return " + ".join(" × ".join(grouped(factor) for factor in term.factors) for term in row.terms)


def _row(language: str, row: Row, before: Mapping[Part, int] | None) -> Markup:
    expression = row_expression(row) or text_in(language, "addition.tied")
    change = _change(row.count - before[row.part]) if before else None
    summary = tag(
        "summary",
        swatch(row.part),
        tag("span", row_title(language, row)),
        tag("span", expression, class_="expression"),
        tag("span", grouped(row.count), change, class_="count"),
    )
    return tag("details", summary, *(_step(language, term) for term in row.terms))


def _step(language: str, term: Term) -> Markup:
    """The tensors behind one product: `q_proj  d × n_h·head_dim  16,777,216`, and their sum where there are several."""

    def line(name: str, formula: str, count: int, css: str | None = None) -> Markup:
        return tag("tr", tag("td", name), tag("td", formula), tag("td", grouped(count)), class_=css)

    lines = [line(_step_name(tensor), tensor.formula, tensor.count) for tensor in term.tensors]
    in_layers = any(tensor.layers is not None for tensor in term.tensors)
    if in_layers and term.tensors[0].part != "norm":
        lines.append(line(text_in(language, "addition.one_layer"), "", term.factors[1], "subtotal"))
    return tag("table", *lines)


def _step_name(tensor: Tensor) -> str:
    """`q_proj`, `q_proj bias`, `32 × input_layernorm`."""
    name = f"{tensor.short_name} bias" if tensor.name.endswith(".bias") else tensor.short_name
    return f"{grouped(tensor.copies)} × {name}" if tensor.part == "norm" else name


def _checks(language: str, total: int, model: CatalogueModel) -> Markup:
    sentences = published_checks(language, total, model)
    title = tag("h3", text_in(language, "addition.check"))
    return tag("div", title, *(tag("p", sentence) for sentence in sentences), class_="checks")


def published_checks(language: str, total: int, model: CatalogueModel) -> list[str]:
    """Sentences that compare the total with each published figure, every difference explained."""
    sentences = []
    if model.published:
        published = published_value(model.published)
        key = "addition.rounds" if rounds_to(total, model.published) else "addition.does_not_round"
        away, share = signed(total - published), signed_percent((total - published) / published)
        verdict = text_in(language, key, total=grouped(total), figure=model.published, difference=away, share=share)
        sentences.append(f"{verdict} {text_in(language, 'addition.source', source=model.published_source)}")
    if model.hub_total and model.hub_gaps:
        causes = text_in(language, "frame.comma").join(_hub_gap(language, gap) for gap in model.hub_gaps)
        more = grouped(model.hub_gap)
        sentences.append(text_in(language, "addition.hub_more", total=grouped(model.hub_total), more=more, causes=causes))
    elif model.hub_total:
        sentences.append(text_in(language, "addition.hub_equal", total=grouped(model.hub_total)))
    return sentences


def _hub_gap(language: str, gap: HubGap) -> str:
    """`2,048 = 32 × 64 inv_freq buffers`."""
    factors = " × ".join(grouped(factor) for factor in gap.factors)
    product = f"{grouped(gap.elements)} = {factors}" if len(gap.factors) > 1 else factors
    return f"{product} {text_in(language, f'hub_gap.{gap.cause}')}"


def _change(count: int) -> Markup:
    return difference(signed(count) if count else "")
