"""`quiz` and `answer` on the command line."""

import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from command_line import complaint_of, output_of

from calc.learn.mistakes import mistakes
from calc.learn.questions import KINDS

PAPER = ["--seed", "7", "--level", "2", "--n", "10"]
BASE_UNITS = {"bytes": " B", "time": " s", "flops": " FLOP"}


def document(arguments, capsys):
    return json.loads(output_of([*arguments, "--json"], capsys))


def answered(paper, position, text, capsys):
    return json.loads(output_of(["answer", *paper, "--question", str(position), "--json", text], capsys))


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_a_paper_as_json_has_what_a_program_needs(level, capsys):
    asked = document(["quiz", "--seed", "7", "--level", level, "--n", "20"], capsys)
    assert [each["position"] for each in asked] == list(range(1, 21))
    for each in asked:
        assert list(each) == ["position", "kind", "level", "prompt", "dimension", "asked_unit", "right", "misconceptions"]
        assert set(each["prompt"]) == {"en", "zh"}
        kind = KINDS[each["kind"]]
        assert (each["level"], each["dimension"], each["asked_unit"]) == (kind.level, kind.dimension, kind.unit)
        values = [each["right"], *(wrong["value"] for wrong in each["misconceptions"])]
        assert all("×" in value if kind.dimension == "shape" else Fraction(value) is not None for value in values)
        assert {wrong["id"] for wrong in each["misconceptions"]} <= set(mistakes())
        assert values[0] not in values[1:]


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_every_exact_answer_of_a_key_is_right_and_every_mistake_is_named(level, capsys):
    paper = ["--seed", "31", "--level", level, "--n", "12"]
    for each in document(["quiz", *paper], capsys):
        unit = BASE_UNITS.get(each["dimension"], "")
        right = answered(paper, each["position"], as_typed(each["right"], each) + unit, capsys)
        assert right["verdict"] in ("right", "right_rounded") and right["misconceptions"] == [], each
        for wrong in each["misconceptions"]:
            found = answered(paper, each["position"], as_typed(wrong["value"], each) + unit, capsys)
            if found["verdict"] == "coarse":  # 8 bits for 8.125: a single figure that the right value rounds to
                assert found["read_low"] <= Fraction(each["right"]) <= found["read_high"]
                continue
            assert found["verdict"] == "diagnosed" and wrong["id"] in found["misconceptions"], (each, wrong)


def as_typed(value, asked):
    """An exact value as a person writes it: in whole numbers, else in ten figures."""
    if asked["dimension"] == "shape":
        return value
    number = Fraction(value) * (100 if asked["dimension"] == "percent" else 1)
    if number.denominator == 1:
        return str(number)
    return f"{float(number):.10g}" if asked["dimension"] != "bytes" else str(round(number))


def test_an_answer_as_json(capsys):
    paper = ["--seed", "7", "--level", "2", "--n", "10"]
    [each] = [each for each in document(["quiz", *paper], capsys) if each["kind"] == "kv_per_token"]
    found = answered(paper, each["position"], each["right"], capsys)
    assert found == {
        "verdict": "right",
        "misconceptions": [],
        "read_low": int(each["right"]),
        "read_high": int(each["right"]),
        "asked_back": None,
    }
    asked_back = answered(paper, each["position"], "128K", capsys)
    assert (asked_back["verdict"], asked_back["read_low"], asked_back["asked_back"]["code"]) == ("unreadable", None, "gb_or_gib")
    assert set(asked_back["asked_back"]) == {"code", "en", "zh"}


def test_both_languages_print_the_same_paper(capsys):
    english, chinese = (output_of(["quiz", *PAPER, "--lang", language], capsys) for language in ("en", "zh"))
    asked = document(["quiz", *PAPER], capsys)
    for each in asked:
        assert f"{each['position']:>2}. {each['prompt']['en']}" in english
        assert f"{each['position']:>2}. {each['prompt']['zh']}" in chinese
    for printed in (english, chinese):
        assert "←" not in printed
    assert "←" in output_of(["quiz", *PAPER, "--key"], capsys)


def test_a_paper_as_csv(capsys):
    rows = list(csv.DictReader(io.StringIO(output_of(["quiz", *PAPER, "--csv"], capsys))))
    assert len(rows) == 10 and "right" not in rows[0]
    keyed = list(csv.DictReader(io.StringIO(output_of(["quiz", *PAPER, "--csv", "--key", "--lang", "zh"], capsys))))
    asked = document(["quiz", *PAPER], capsys)
    assert [row["exact"] for row in keyed] == [each["right"] for each in asked]
    assert [row["prompt"] for row in keyed] == [each["prompt"]["zh"] for each in asked]


def test_an_answer_as_text_says_what_it_is(capsys):
    paper = ["--seed", "7", "--level", "2", "--n", "10"]
    [each] = [each for each in document(["quiz", *paper], capsys) if each["kind"] == "kv_per_token"]
    wrong = next(wrong for wrong in each["misconceptions"] if wrong["id"] == "kv_one_layer")
    said = output_of(["answer", *paper, "--question", str(each["position"]), wrong["value"]], capsys)
    assert mistakes()["kv_one_layer"].why.en in said and "what comes out if" in said
    said = output_of(["answer", *paper, "--question", str(each["position"]), wrong["value"], "--lang", "zh"], capsys)
    assert mistakes()["kv_one_layer"].why.zh in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["quiz"],
        ["quiz", "--seed", "x"],
        ["quiz", "--seed", "-1"],
        ["quiz", "--seed", "1", "--level", "4"],
        ["quiz", "--seed", "1", "--n", "0"],
        ["quiz", "--seed", "1", "--n", "1000"],
        ["quiz", "--seed", "1", "--lang", "fr"],
        ["quiz", "--seed", "1", "--csv", "--json"],
        ["answer", "--seed", "1", "6.74B"],
        ["answer", "--seed", "1", "--question", "0", "6.74B"],
        ["answer", "--seed", "1", "--question", "11", "6.74B"],
    ],
)
def test_a_bad_input_is_one_line(arguments, capsys):
    complaint_of(arguments, capsys)


def test_neither_command_loads_a_heavy_library():
    commands = "main(['quiz', '--seed', '7', '--level', '2']); main(['answer', '--seed', '7', '--question', '1', '6.74B'])"
    script = f"import sys; from calc.__main__ import main; {commands}; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, timeout=60, check=True)
    loaded = set(done.stdout.decode().splitlines()[-1].split())
    assert "calc.learn.judge" in loaded
    assert {"torch", "transformers", "tokenizers", "pandas", "numpy", "streamlit", "ssl", "urllib.request"} & loaded == set()
