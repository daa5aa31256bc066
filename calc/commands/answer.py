"""`answer`: how an answer to a question of a paper is read, and what it is: right, or the result of which slip."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction

from calc.commands.quiz import LANGUAGES, add_paper_arguments
from calc.errors import ConfigError
from calc.learn.asking_back import Unreadable
from calc.learn.judge import Judgement
from calc.learn.paper import paper
from calc.learn.questions import Question
from calc.learn.reader import Reading, read
from calc.learn.solution import diagnoses, judged
from calc.learn.words import Words
from calc.learn.written import BASE_UNITS, exact_text

HELP = "how an answer to a question of a paper is read and judged"

VERDICTS = {
    "right": Words("right", "对"),
    "right_rounded": Words("right, rounded on the way", "对，中间取过近似"),
    "coarse": Words("right so far: give more figures ({figures})", "到这里是对的：请多写几位（{figures} 位）"),
    "power_of_ten": Words("the figures are right, the size is not", "数字对了，数量级不对"),
    "factor": Words("{times} times the right answer", "是正确答案的 {times} 倍"),
    "unknown": Words("not right; the first thing to think of: {hint}", "不对；先想想：{hint}"),
}
READ_AS = Words("read as {amount}", "读作 {amount}")
EITHER = Words("either of these two", "下面两者之一")
IF = Words(
    "{value} is what comes out if {symbols} = {numbers}: {name}. {why}", "{value} 是 {symbols} = {numbers} 的结果：{name}。{why}"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--seed S [--level L] [--n N] --question P TEXT [--lang LANGUAGE] [--json]."""
    add_paper_arguments(parser)
    parser.add_argument("--question", type=int, required=True, metavar="P", help="its position on the paper, from 1")
    parser.add_argument("text", metavar="TEXT", help="the answer as a person writes it: 6.74B, 67.4 亿, 4096×128, 13.5 GB")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the verdict (en)")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print how the answer is read, and the verdict.

    Raises ConfigError: no_such_question.
    """
    asked = paper(arguments.seed, arguments.level, arguments.n)
    if not 1 <= arguments.question <= len(asked):
        raise ConfigError("no_such_question", "question", value=str(arguments.question), questions=len(asked))
    question = asked[arguments.question - 1].question
    try:
        reading = read(arguments.text, question.kind.asked)
    except Unreadable as unclear:
        if arguments.json:
            print(json.dumps(unreadable_document(unclear), indent=1, ensure_ascii=False))
        else:
            print(unclear.words.in_language(arguments.lang))
        return
    judgement = judged(question, reading)
    if arguments.json:
        print(json.dumps(answer_document(reading, judgement), indent=1, ensure_ascii=False))
    else:
        print("\n".join(_lines(question, reading, judgement, arguments.lang)))


def answer_document(reading: Reading, judgement: Judgement) -> dict[str, object]:
    """An answer that was read, as a JSON document. The reading is in bytes, FLOP, seconds or plain numbers; of a shape two lengths.

    read_low, read_high   the smallest and the largest value the writing stands for
    """
    return {
        "verdict": judgement.verdict,
        "misconceptions": list(judgement.misconceptions),
        "read_low": list(reading.shape) if reading.shape else _number(reading.low),
        "read_high": list(reading.shape) if reading.shape else _number(reading.high),
        "asked_back": None,
    }


def unreadable_document(unclear: Unreadable) -> dict[str, object]:
    """An answer that was asked back, as a JSON document: no attempt is used."""
    asked_back = {"code": unclear.code, **unclear.words._asdict()}
    return {"verdict": "unreadable", "misconceptions": [], "read_low": None, "read_high": None, "asked_back": asked_back}


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _lines(question: Question, reading: Reading, judgement: Judgement, language: str) -> Iterator[str]:
    if not reading.shape:
        low, high, unit = exact_text(reading.low), exact_text(reading.high), BASE_UNITS.get(question.kind.dimension, "")
        amount = f"{low if low == high else f'{low} … {high}'} {unit}".strip()
        yield READ_AS.filled({"amount": amount}).in_language(language)
    if judgement.verdict != "diagnosed":
        details = {"figures": question.kind.figures, "hint": question.hint, "times": judgement.times or Fraction(1)}
        yield VERDICTS[judgement.verdict].filled(details).in_language(language)
        return
    found = diagnoses(question, judgement, reading)
    if len(found) > 1:
        yield EITHER.in_language(language) + ":"
    for each in found:
        details = {"value": each.value, "symbols": each.symbols, "numbers": each.numbers}
        yield IF.filled({**details, "name": each.mistake.name, "why": each.mistake.why}).in_language(language)
