"""`quiz`: the paper of a seed, the same for everybody, with or without its key."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from calc.export import csv_text
from calc.learn.drawing import VERSION
from calc.learn.mistakes import mistakes
from calc.learn.paper import LEVELS, PaperQuestion, paper
from calc.learn.solution import right_text, solution
from calc.learn.units import unit_factor
from calc.learn.written import exact_text, value_text

HELP = "a paper of questions from a seed, the same for everybody"
LANGUAGES = ("en", "zh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--seed S [--level L] [--n N] [--lang LANGUAGE] [--key] [--csv | --json]."""
    add_paper_arguments(parser)
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the questions (en)")
    parser.add_argument("--key", action="store_true", help="with the answers, and the mistakes that wrong ones show")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="as CSV, a line a question")
    form.add_argument("--json", action="store_true", help="as a JSON document, with the key, in both languages")


def add_paper_arguments(parser: argparse.ArgumentParser) -> None:
    """What a paper follows from: --seed S [--level L] [--n N]."""
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="any whole number; it decides the questions")
    parser.add_argument("--level", type=int, default=1, metavar="L", help=f"{', '.join(map(str, LEVELS))} (1)")
    parser.add_argument("--n", type=int, default=10, metavar="N", help="questions (10)")


def run(arguments: argparse.Namespace) -> None:
    """Print the paper."""
    asked = paper(arguments.seed, arguments.level, arguments.n)
    if arguments.json:
        print(json.dumps(paper_document(asked), indent=1, ensure_ascii=False))
    elif arguments.csv:
        sys.stdout.write(paper_csv(asked, arguments.lang, arguments.key))
    else:
        title = f"seed {arguments.seed} · level {arguments.level} · {len(asked)} questions · version {VERSION}"
        print("\n".join([title, *_lines(asked, arguments.lang, arguments.key)]))


def paper_document(asked: Sequence[PaperQuestion]) -> list[dict[str, object]]:
    """A paper as a JSON document. Values are exact, in bytes, FLOP, seconds, or plain numbers (a share: 0.039, not 3.9).

    right            a whole number, a decimal that ends, or a fraction, as text; two lengths as `4096 × 128`
    misconceptions   the values that mistakes would give, the likeliest first; a mistake may give more than one
    """
    return [
        {
            "position": each.position,
            "kind": each.question.kind.id,
            "level": each.question.kind.level,
            "prompt": each.question.prompt._asdict(),
            "dimension": each.question.kind.dimension,
            "asked_unit": each.question.kind.unit,
            "right": exact_text(each.question.right),
            "misconceptions": [{"id": name, "value": exact_text(value)} for name, value in each.question.wrongs],
        }
        for each in asked
    ]


def paper_csv(asked: Sequence[PaperQuestion], language: str, key: bool) -> str:
    """A paper as CSV, a line a question; with the key its answer, exact and as it would be written."""
    columns = ("position", "kind", "level", "prompt", "unit", *(("right", "exact") if key else ()))
    rows = [
        (
            each.position,
            each.question.kind.id,
            each.question.kind.level,
            each.question.prompt.in_language(language),
            each.question.kind.unit or "",
            *((right_text(each.question), exact_text(each.question.right)) if key else ()),
        )
        for each in asked
    ]
    return csv_text(columns, rows)


def _lines(asked: Sequence[PaperQuestion], language: str, key: bool) -> Iterator[str]:
    for each in asked:
        yield f"\n{each.position:>2}. {each.question.prompt.in_language(language)}"
        if key:
            yield from _key(each, language)


def _key(each: PaperQuestion, language: str) -> Iterator[str]:
    """The answer of a question: its steps, and what comes out by mistake."""
    kind = each.question.kind
    for line in solution(each.question):
        numbers = "" if line.numbers == line.value else f" = {line.numbers}"
        yield f"    {line.name.in_language(language)}: {line.symbols}{numbers} = {line.value}"
    for name, value in each.question.wrongs:
        shown = value_text(value, kind.dimension, kind.unit if unit_factor(kind.unit) != 1 else None)
        yield f"      {shown}  ← {mistakes()[name].name.in_language(language)}"
