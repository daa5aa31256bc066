"""`diff`: what makes the difference of two models, by part and by cause."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence

from calc.commands.compare import display_width
from calc.commands.models import model_help, model_of
from calc.comparison.averaged import AveragedCause, averaged_over_orders
from calc.comparison.causes import FAMILY, Attribution, CauseStep, by_cause
from calc.comparison.difference import difference
from calc.comparison.parts import by_part
from calc.model import Model

HELP = "what makes the difference of two models"

LONGEST_VALUE = 24


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A B [--json]."""
    parser.add_argument("before", metavar="A", help=model_help())
    parser.add_argument("after", metavar="B", help="the same")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print how many parameters the second model has more than the first, part by part and cause by cause."""
    before, after = model_of(arguments.before), model_of(arguments.after)
    if arguments.json:
        print(json.dumps(difference_document(before, after), indent=1))
    else:
        print(difference_as_text(before, after))


def difference_document(before: Model, after: Model) -> dict[str, object]:
    """All that `diff --json` prints, ready for json.dumps.

    difference             parameters of `to` minus those of `from`
    by_part                the same for each part of the model; the values sum to `difference`
    by_cause               the steps in `order`: cause, fields, their values `from` and `to`, difference, by_part, running_total
    averaged_over_orders   each cause averaged over all orders, a fraction of two whole numbers; null where that is not worked out

    `from` and `to` of a cause are the field's values, or, where several fields change together, an object of them.

    >>> from calc.model import Model
    >>> llama_2, llama_3 = (Model.of(name) for name in ("llama-2-7b", "llama-3-8b"))
    >>> document = difference_document(llama_2, llama_3)
    >>> document["difference"], document["by_part"]["ffn"], document["order"]
    (1291845632, 1308622848, ['vocab_size', 'num_key_value_heads', 'intermediate_size'])
    """
    attribution, averaged = by_cause(before, after), averaged_over_orders(before, after)
    return {
        "from": _model(before),
        "to": _model(after),
        "difference": after.parameters - before.parameters,
        "by_part": by_part(before, after),
        "order": list(attribution.order),
        "by_cause": [_step(step) for step in attribution.steps],
        "averaged_over_orders": averaged
        and [
            {"cause": each.cause, "numerator": each.difference.numerator, "denominator": each.difference.denominator}
            for each in averaged
        ],
    }


def _model(model: Model) -> dict[str, object]:
    return {"name": model.name, "title": model.title, "model_type": model.parts_list.model_type, "parameters": model.parameters}


def _step(step: CauseStep) -> dict[str, object]:
    changes = step.changes
    single = len(changes) == 1
    return {
        "cause": step.cause,
        "fields": [change.field for change in changes],
        "from": changes[0].before if single else {change.field: change.before for change in changes},
        "to": changes[0].after if single else {change.field: change.after for change in changes},
        "difference": step.difference,
        "by_part": dict(step.by_part),
        "running_total": step.running_total,
    }


def difference_as_text(before: Model, after: Model) -> str:
    """The difference as three small tables: by part, by cause in the order of attribution, averaged over all orders."""
    found, averaged = difference(before, after), averaged_over_orders(before, after)
    attribution, total = found.by_cause, found.parameters
    lines = [f"{before.title} → {after.title}", f"{before.parameters:,} → {after.parameters:,} parameters, {total:+,}", ""]
    parts = [("by part", before.title, after.title, "difference")]
    for step in found.by_part:
        parts.append((" + ".join(step.parts), f"{step.before:,}", f"{step.after:,}", f"{step.difference:+,}"))
    lines += [*_table([*parts, ("total", f"{before.parameters:,}", f"{after.parameters:,}", f"{total:+,}")]), ""]
    lines += _table([("by cause, in this order", "difference", "running total"), *_cause_lines(attribution)])
    if averaged and {each.difference for each in averaged} != {step.difference for step in attribution.steps}:
        lines += ["", *_table([("averaged over all orders", "difference"), *_averaged_lines(averaged)])]
    return "\n".join(lines)


def _cause_lines(attribution: Attribution) -> Iterable[tuple[str, str, str]]:
    for step in attribution.steps:
        yield _changes(step), f"{step.difference:+,}", f"{step.running_total:,}"


def _changes(step: CauseStep) -> str:
    if step.cause == FAMILY:
        return f"family {step.changes[0].before} → {step.changes[0].after}, and what only one of them has"
    return ", ".join(f"{change.field} {_value(change.before)} → {_value(change.after)}" for change in step.changes) or step.cause


def _value(value: object) -> str:
    written = json.dumps(value) if not isinstance(value, Mapping) else "{…}"
    return written if len(written) <= LONGEST_VALUE else written[: LONGEST_VALUE - 1] + "…"


def _averaged_lines(averaged: Sequence[AveragedCause]) -> Iterable[tuple[str, str]]:
    for each in averaged:
        whole = each.difference.denominator == 1
        yield each.cause, f"{each.difference.numerator:+,}" if whole else f"{float(each.difference):+,.2f}"


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows with the first column on the left and the others on the right."""
    widths = [max(display_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        (row[0] + " " * (widths[0] - display_width(row[0])))
        + "".join("  " + " " * (width - display_width(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]
