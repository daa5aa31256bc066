"""A file in figures: how little was read of how much, its number formats, and what was checked."""

from __future__ import annotations

from collections.abc import Sequence

from calc.checkpoint.reconcile import Reconciliation
from calc.checkpoint.report import Contents, DtypeSum
from calc.checkpoint.stored import Checkpoint
from ui.checkpoint.reconciliation import matching, share_of
from ui.html import Markup, table, tag
from ui.numbers import gigabytes, grouped, percent, signed
from ui.texts import text_in


def file_headline(language: str, found: Contents) -> Markup:
    """What a file has, where it is compared with nothing."""
    total = tag("span", grouped(found.elements), class_="total", data_found=found.elements)
    sentences = [text_in(language, "checkpoint.holds")]
    if found.service_elements:
        sentences.append(text_in(language, "checkpoint.holds_service", elements=grouped(found.service_elements)))
    return tag("div", total, *(tag("span", sentence) for sentence in sentences), class_="headline")


def file_card(
    language: str,
    checkpoint: Checkpoint,
    dtypes: Sequence[DtypeSum],
    packings: Sequence[str] = (),
    checks: Sequence[tuple[str, bool]] = (),
) -> Markup:
    """The file; `checks` are sentences, each with whether it agrees."""
    size_bytes = sum(item.size_bytes for item in dtypes)
    share = percent(checkpoint.bytes_read / size_bytes) if size_bytes else ""
    facts = {
        "read": text_in(
            language, "checkpoint.read_of", read=gigabytes(checkpoint.bytes_read), size=gigabytes(size_bytes), share=share
        ),
        "format": checkpoint.file_format,
        "files": grouped(checkpoint.files),
        "tensors": grouped(len(checkpoint.tensors)),
        "stored": grouped(sum(item.elements for item in dtypes)),
        "packings": ", ".join(packings),
    }
    lines = (
        tag("div", tag("dt", text_in(language, f"checkpoint.fact_{name}")), tag("dd", value), class_=f"fact {name}")
        for name, value in facts.items()
        if value
    )
    columns = ("dtype", "fact_tensors", "dtype_elements", "dtype_bytes")
    headings = [text_in(language, f"checkpoint.{column}") for column in columns]
    rows = [(item.dtype, grouped(item.tensors), grouped(item.elements), gigabytes(item.size_bytes)) for item in dtypes]
    sentences = (tag("p", "✓ " if agrees else None, check, class_="agrees" if agrees else "differs") for check, agrees in checks)
    return tag(
        "section",
        tag("h2", text_in(language, "checkpoint.file"), " ", tag("small", checkpoint.source)),
        tag("h3", text_in(language, "checkpoint.checks")) if checks else None,
        tag("div", *sentences, class_="checked") if checks else None,
        tag("dl", *lines),
        table(headings, rows, numbers=(1, 2, 3)),
        class_="file-card",
    )


def checks(language: str, result: Reconciliation, hub_total: int | None) -> list[tuple[str, bool]]:
    """What was checked, each with whether it agrees: the matches, and the Hub's total where the catalogue has one."""
    tensors, elements = matching(result)
    share = share_of(elements, result.expected)
    details = {"tensors": grouped(tensors), "elements": grouped(elements), "share": share}
    matches = text_in(language, "checkpoint.check_matched", **details), elements == result.expected
    if hub_total is None:
        return [matches]
    if hub_total in (result.found, result.stored):
        return [matches, (text_in(language, "checkpoint.check_hub", total=grouped(hub_total)), True)]
    details = {"total": grouped(hub_total), "found": grouped(result.found), "difference": signed(result.found - hub_total)}
    return [matches, (text_in(language, "checkpoint.check_hub_differs", **details), False)]
