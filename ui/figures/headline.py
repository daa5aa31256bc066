"""The total, the largest thing on the page, with the check against the published figure beside it."""

from __future__ import annotations

from html import escape

from calc.catalogue import CatalogueModel, published_value, rounds_to
from calc.parts_list import PartsList, active_parameters, active_parameters_without_input_embedding, parameters
from ui.numbers import FP16_BYTES, gibibytes, gigabytes, grouped, signed, signed_gigabytes, signed_percent
from ui.texts import text_in


def headline(
    language: str, parts_list: PartsList, model: CatalogueModel | None, base: PartsList | None = None, base_title: str = ""
) -> str:
    """The exact total, its fp16 bytes, and beside it the check, or with `base` the difference from it."""
    total = parameters(parts_list.tensors)
    number_of_bytes = total * FP16_BYTES
    beside = _difference(language, total, base, base_title) if base else _check(language, total, model)
    size = {"gb": gigabytes(number_of_bytes), "gib": gibibytes(number_of_bytes)}
    if base:
        change = signed_gigabytes(number_of_bytes - parameters(base.tensors) * FP16_BYTES)
        bytes_said = text_in(language, "total.bytes_difference", **size, difference=change)
    else:
        bytes_said = text_in(language, "total.bytes", **size)
    return (
        f'<div class="headline"><span class="total" data-total="{total}">{grouped(total)}</span>'
        f'<span class="unit">{escape(text_in(language, "total.parameters"))}</span>'
        f"{beside}{_active(language, parts_list, total, model)}<span>{escape(bytes_said)}</span></div>"
    )


def _active(language: str, parts_list: PartsList, total: int, model: CatalogueModel | None) -> str:
    """For a mixture of experts: what one token goes through, in both conventions, and the figure it is published under."""
    active = active_parameters(parts_list.tensors)
    if active == total:
        return ""
    without = active_parameters_without_input_embedding(parts_list.tensors)
    said = text_in(language, "total.active", active=grouped(active), without=grouped(without))
    if model and model.active_published:
        said += text_in(language, "total.active_published", figure=model.active_published)
    return f"<span>{escape(said)}</span>"


def _difference(language: str, total: int, base: PartsList, base_title: str) -> str:
    before = parameters(base.tensors)
    if total == before:
        return f'<span class="difference">{escape(text_in(language, "total.unchanged", title=base_title))}</span>'
    sentence = text_in(
        language,
        "total.difference",
        title=base_title,
        difference=signed(total - before),
        share=signed_percent((total - before) / before),
    )
    return f'<span class="difference">{escape(sentence)}</span>'


def _check(language: str, total: int, model: CatalogueModel | None) -> str:
    """The total against the figure the model is published under, or against what the Hub counts."""
    if model is None:
        return ""
    if model.published:
        if rounds_to(total, model.published):
            return _verdict(text_in(language, "total.published", figure=model.published), agrees=True)
        published = published_value(model.published)
        share = signed_percent((total - published) / published)
        return _verdict(text_in(language, "total.published_off", figure=model.published, share=share), agrees=False)
    if model.hub_total is None:
        return ""
    explained = total + model.hub_gap
    key = "total.hub_explained" if model.hub_gaps else "total.hub"
    sentence = text_in(language, key, total=grouped(model.hub_total), gap=grouped(model.hub_total - total))
    return _verdict(sentence, agrees=explained == model.hub_total)


def _verdict(sentence: str, *, agrees: bool) -> str:
    return (
        f'<span class="check agrees">✓ {escape(sentence)}</span>' if agrees else f'<span class="check">{escape(sentence)}</span>'
    )
