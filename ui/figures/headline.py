"""The total, the largest thing on the page, with the check against the published figure beside it."""

from __future__ import annotations

from calc.catalogue import CatalogueModel, published_value, rounds_to
from calc.parts_list import PartsList, active_parameters, active_parameters_without_input_embedding, parameters
from ui.html import Markup, tag
from ui.numbers import FP16_BYTES, gibibytes, gigabytes, grouped, signed, signed_gigabytes, signed_percent
from ui.texts import text_in


def headline(
    language: str, parts_list: PartsList, model: CatalogueModel | None, base: PartsList | None = None, base_title: str = ""
) -> Markup:
    """The exact total, its fp16 bytes, and beside it the check, or with `base` the difference from it."""
    total = parameters(parts_list.tensors)
    number_of_bytes = total * FP16_BYTES
    check = _difference(language, total, base, base_title) if base else _check(language, total, model)
    size = {"gb": gigabytes(number_of_bytes), "gib": gibibytes(number_of_bytes)}
    if base:
        change = signed_gigabytes(number_of_bytes - parameters(base.tensors) * FP16_BYTES)
        in_bytes = text_in(language, "total.bytes_difference", **size, difference=change)
    else:
        in_bytes = text_in(language, "total.bytes", **size)
    return tag(
        "div",
        tag("span", grouped(total), class_="total", data_total=total),
        tag("span", text_in(language, "total.parameters"), class_="unit"),
        check,
        _active(language, parts_list, total, model),
        tag("span", in_bytes),
        class_="headline",
    )


def _active(language: str, parts_list: PartsList, total: int, model: CatalogueModel | None) -> Markup | None:
    """For a mixture of experts: what one token goes through, in both conventions, and the figure it is published under."""
    active = active_parameters(parts_list.tensors)
    if active == total:
        return None
    without = active_parameters_without_input_embedding(parts_list.tensors)
    sentence = text_in(language, "total.active", active=grouped(active), without=grouped(without))
    if model and model.active_published:
        sentence += text_in(language, "total.active_published", figure=model.active_published)
    return tag("span", sentence)


def _difference(language: str, total: int, base: PartsList, base_title: str) -> Markup:
    before = parameters(base.tensors)
    change = {"difference": signed(total - before), "share": signed_percent((total - before) / before)}
    key = "total.unchanged" if total == before else "total.difference"
    return tag("span", text_in(language, key, title=base_title, **change), class_="difference")


def _check(language: str, total: int, model: CatalogueModel | None) -> Markup | None:
    """The total against the figure the model is published under, or against what the Hub counts."""
    if model is None:
        return None
    if model.published:
        if rounds_to(total, model.published):
            return _verdict(text_in(language, "total.published", figure=model.published), agrees=True)
        published = published_value(model.published)
        share = signed_percent((total - published) / published)
        return _verdict(text_in(language, "total.published_off", figure=model.published, share=share), agrees=False)
    if model.hub_total is None:
        return None
    explained = total + model.hub_gap
    key = "total.hub_explained" if model.hub_gaps else "total.hub"
    sentence = text_in(language, key, total=grouped(model.hub_total), gap=grouped(model.hub_total - total))
    return _verdict(sentence, agrees=explained == model.hub_total)


def _verdict(sentence: str, *, agrees: bool) -> Markup:
    return tag("span", f"✓ {sentence}" if agrees else sentence, class_="check agrees" if agrees else "check")
