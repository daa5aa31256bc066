"""A file in figures: how little was read of how much, its number formats, and what was checked against it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from calc.checkpoint.reconcile import Reconciliation
from calc.checkpoint.report import Overview
from ui.checkpoint.reconciliation import matching, share_of
from ui.html import table
from ui.numbers import gigabytes, grouped, percent, signed
from ui.texts import text_in


def holdings_headline(language: str, elements: int, service_elements: int) -> str:
    """What a file holds where it is held against nothing."""
    beside = ""
    if service_elements:
        beside = f"<span>{escape(text_in(language, 'checkpoint.holds_service', elements=grouped(service_elements)))}</span>"
    return (
        f'<div class="headline"><span class="total" data-found="{elements}">{grouped(elements)}</span>'
        f"<span>{escape(text_in(language, 'checkpoint.holds'))}</span>{beside}</div>"
    )


def file_card(
    language: str, source: str, figures: Overview, packings: Sequence[str] = (), checks: Sequence[tuple[str, bool]] = ()
) -> str:
    """The file; `checks` are sentences, each with whether it agrees."""
    share = percent(figures.bytes_read / figures.size_bytes) if figures.size_bytes else ""
    read = text_in(
        language, "checkpoint.read_of", read=gigabytes(figures.bytes_read), size=gigabytes(figures.size_bytes), share=share
    )
    facts = [
        ("read", read),
        ("format", figures.file_format),
        ("files", grouped(figures.files)),
        ("tensors", grouped(figures.tensors)),
        ("stored", grouped(figures.stored_elements)),
    ]
    if packings:
        facts.append(("packings", ", ".join(packings)))
    lines = "".join(
        f'<div class="fact {name}"><dt>{escape(text_in(language, f"checkpoint.fact_{name}"))}</dt><dd>{escape(value)}</dd></div>'
        for name, value in facts
    )
    headings = [
        text_in(language, f"checkpoint.{column}") for column in ("dtype", "fact_tensors", "dtype_elements", "dtype_bytes")
    ]
    rows = [(item.dtype, grouped(item.tensors), grouped(item.elements), gigabytes(item.size_bytes)) for item in figures.dtypes]
    said = "".join(
        f'<p class="{"agrees" if agrees else "differs"}">{"✓ " if agrees else ""}{escape(check)}</p>' for check, agrees in checks
    )
    if said:
        said = f'<h3>{escape(text_in(language, "checkpoint.checks"))}</h3><div class="checked">{said}</div>'
    return (
        f'<section class="file-card"><h2>{escape(text_in(language, "checkpoint.file"))} <small>{escape(source)}</small></h2>{said}'
        f"<dl>{lines}</dl>{table(headings, rows, numbers=(1, 2, 3))}</section>"
    )


def checks(language: str, result: Reconciliation, figures: Overview, hub_total: int | None) -> list[tuple[str, bool]]:
    """What was checked, each with whether it agrees: the matches, and the Hub's total where the catalogue has one."""
    tensors, elements = matching(result)
    share = share_of(elements, result.expected)
    said = text_in(language, "checkpoint.check_matched", tensors=grouped(tensors), elements=grouped(elements), share=share)
    found = [(said, elements == result.expected)]
    if hub_total is None:
        return found
    if hub_total in (result.found, figures.stored_elements):
        return [*found, (text_in(language, "checkpoint.check_hub", total=grouped(hub_total)), True)]
    details = {"total": grouped(hub_total), "found": grouped(result.found), "difference": signed(result.found - hub_total)}
    return [*found, (text_in(language, "checkpoint.check_hub_differs", **details), False)]
