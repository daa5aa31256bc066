"""A paper's answers as a sheet of CSV, and the sheets of a class folded together: 11 of 30 took 4d²."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from calc.errors import ConfigError, quoted
from calc.export import csv_text
from calc.learn.drawing import VERSION
from calc.learn.judge import Judgement
from calc.learn.mistakes import mistakes
from calc.learn.questions import KINDS, Question
from calc.learn.reader import Reading
from calc.learn.solution import right_text
from calc.learn.written import exact_text

COLUMNS = (
    "version",
    "seed",
    "level",
    "language",
    "position",
    "kind",
    "prompt",
    "typed",
    "read_low",
    "read_high",
    "unit",
    "verdict",
    "misconception_1",
    "misconception_2",
    "attempts",
    "hints",
    "right",
    "points",
)

MOST_SHEETS = 200
MOST_ROWS = 200
"""Of one sheet that are folded."""
NEXT_PAGES = 3


@dataclass(frozen=True)
class Answer:
    """What became of one question of a paper.

    typed       what was typed first
    reading     how it was read, None where nothing was
    judgement   of what was typed first
    attempts    judged answers; asking back counts as none
    hints       hints that were shown
    solved      whether it was right in the end, before the solution was shown
    """

    position: int
    question: Question
    typed: str = ""
    reading: Reading | None = None
    judgement: Judgement | None = None
    attempts: int = 0
    hints: int = 0
    solved: bool = False

    @property
    def points(self) -> Fraction:
        """1 right at the first attempt, ½ after a diagnosis or a hint, 0 after the solution."""
        if not self.solved:
            return Fraction(0)
        return Fraction(1) if self.attempts <= 1 and not self.hints else Fraction(1, 2)


def sheet(answers: Iterable[Answer], seed: int, level: int, language: str) -> str:
    """The sheet as CSV, a line a question; to be saved as UTF-8 with its mark (`utf-8-sig`)."""
    rows = []
    for answer in answers:
        question, reading = answer.question, answer.reading
        first, second, *_ = *(answer.judgement.misconceptions if answer.judgement else ()), "", ""
        low, high = _ends(reading)
        rows.append(
            (VERSION, seed, level, language, answer.position, question.kind.id, question.prompt.in_language(language))
            + (answer.typed, low, high, question.kind.unit or "", answer.judgement.verdict if answer.judgement else "")
            + (first, second, answer.attempts, answer.hints, right_text(question), float(answer.points))
        )
    return csv_text(COLUMNS, rows)


def _ends(reading: Reading | None) -> tuple[str, str]:
    if reading is None:
        return "", ""
    if reading.shape:
        return exact_text(reading.shape), exact_text(reading.shape)
    return exact_text(reading.low), exact_text(reading.high)


@dataclass(frozen=True)
class ClassResult:
    """The sheets of a class, folded.

    sheets   how many there are
    asked    kind → sheets it was answered on
    right    kind → sheets on which it was right in the end
    took     (kind, mistake) → sheets on which it was made, the commonest first
    points   of each sheet, in the order they were given
    """

    sheets: int
    asked: Mapping[str, int]
    right: Mapping[str, int]
    took: Mapping[tuple[str, str], int]
    points: Sequence[Fraction]

    def next_pages(self) -> tuple[str, ...]:
        """The pages to show next: where the commonest mistakes are seen best."""
        by_page: Counter[str] = Counter()
        for (_, name), number in self.took.items():
            by_page[mistakes()[name].page] += number
        return tuple(page for page, _ in by_page.most_common(NEXT_PAGES))


def folded(sheets: Iterable[tuple[str, str]]) -> ClassResult:
    """Sheets, each with the name of its file, as one result. Lines of kinds or mistakes that are not known are passed over.

    Raises ConfigError: csv_without_column, csv_malformed, too_many_sheets.
    """
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    took: Counter[tuple[str, str]] = Counter()
    points = []
    for name, text in sheets:
        if len(points) == MOST_SHEETS:
            raise ConfigError("too_many_sheets", limit=MOST_SHEETS)
        rows = [row for row in _rows(name, text) if row.get("kind") in KINDS and row.get("verdict")]
        asked.update({row["kind"] for row in rows})
        right.update({row["kind"] for row in rows if _number(row.get("points")) > 0})
        took.update(
            {
                (row["kind"], row[column])
                for row in rows
                for column in ("misconception_1", "misconception_2")
                if row.get(column) in mistakes()
            }
        )
        points.append(sum((_number(row.get("points")) for row in rows), Fraction(0)))
    return ClassResult(len(points), dict(asked), dict(right), dict(took.most_common()), tuple(points))


def _rows(name: str, text: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    try:
        known = reader.fieldnames or ()
        for column in ("kind", "verdict", "misconception_1", "misconception_2", "points"):
            if column not in known:
                raise ConfigError("csv_without_column", column, file=quoted(name), known=", ".join(map(quoted, known[:20])))
        return [row for _, row in zip(range(MOST_ROWS), reader, strict=False)]
    except csv.Error as error:
        raise ConfigError("csv_malformed", file=quoted(name), line=reader.line_num, reason=str(error)) from None


def _number(text: str | None) -> Fraction:
    """The points of a line; 0 where a hand has written anything else."""
    try:
        value = Fraction(str(text)[:20])
    except (ValueError, ZeroDivisionError):
        return Fraction(0)
    return value if 0 <= value <= 1 else Fraction(0)
