"""A paper's answers as CSV, and the sheets of a class folded together."""

import csv
import io
from fractions import Fraction

import pytest

from calc.errors import ConfigError
from calc.learn.mistakes import mistakes
from calc.learn.paper import paper
from calc.learn.reader import read
from calc.learn.result_sheet import COLUMNS, Answer, folded, sheet
from calc.learn.solution import judged
from calc.learn.written import exact_text

PAPER = paper(2718, 2, 10)
[GQA] = [each for each in paper(5, 2, 20) if each.question.kind.id == "attention_gqa"]


def answer(asked, text, **more):
    reading = read(text, asked.question.kind.asked)
    return Answer(asked.position, asked.question, text, reading, judged(asked.question, reading), **more)


def right_one():
    return answer(GQA, exact_text(GQA.question.right), attempts=1, solved=True)


def wrong_one(name="gqa_ignored"):
    return answer(GQA, exact_text(dict(GQA.question.wrongs)[name]), attempts=2, solved=True)


def test_a_sheet_has_a_line_a_question_and_guards_what_was_typed():
    answers = [Answer(each.position, each.question) for each in PAPER]
    answers[0] = Answer(1, PAPER[0].question, "=1+1", attempts=3, hints=2)
    text = sheet(answers, 2718, 2, "zh")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS and len(rows) == 10 and text.count("\r\n") == 11
    assert rows[0]["typed"] == "'=1+1" and rows[0]["points"] == "0.0"
    assert [row["prompt"] for row in rows] == [each.question.prompt.zh for each in PAPER]


def test_points():
    assert right_one().points == 1
    assert wrong_one().points == Fraction(1, 2)
    assert answer(GQA, exact_text(GQA.question.right), attempts=1, hints=1, solved=True).points == Fraction(1, 2)
    assert Answer(1, GQA.question, attempts=3, hints=2).points == 0


def test_eleven_of_thirty_took_4d2():
    sheets = [("a.csv", sheet([wrong_one()], 5, 2, "en"))] * 11 + [("b.csv", "\ufeff" + sheet([right_one()], 5, 2, "zh"))] * 19
    result = folded(sheets)
    assert (result.sheets, result.asked["attention_gqa"], result.right["attention_gqa"]) == (30, 30, 30)
    assert next(iter(result.took.items())) == (("attention_gqa", "gqa_ignored"), 11)
    assert sum(result.points) == 19 + Fraction(11, 2)
    assert result.next_pages() == (mistakes()["gqa_ignored"].page,)


def test_what_a_hand_has_changed_does_no_harm():
    text = sheet([wrong_one(), right_one()], 5, 2, "en")
    spoiled = text.replace("attention_gqa", "no_such_kind", 1).replace("gqa_ignored", "<script>")
    result = folded([("x.csv", spoiled), ("y.csv", text.replace(",0.5", ",lots"))])
    assert result.sheets == 2 and set(result.asked) == {"attention_gqa"}


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "\x00", "kind,verdict\r\n"])
def test_what_is_no_sheet_is_refused(text):
    with pytest.raises(ConfigError):
        folded([("x.csv", text)])


def test_more_sheets_than_a_school_has_pupils_in_a_room_are_refused():
    with pytest.raises(ConfigError) as refused:
        folded([("x.csv", sheet([right_one()], 5, 2, "en"))] * 201)
    assert refused.value.code == "too_many_sheets"
