"""`python -m calc run`."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from command_line import complaint_of, output_of

import calc
from calc.run.checkpoint import STORIES_FOLDER
from run.test_forward import PUBLISHED


def document_of(arguments, capsys):
    return json.loads(output_of(["run", *arguments, "--json"], capsys))


def test_without_a_text_it_writes_the_published_story(capsys):
    document = document_of(["--tokens", "256"], capsys)
    assert document["text"].startswith(PUBLISHED)
    assert (document["ids"][0], document["prompt_tokens"], document["read"]) == (1, 1, 256)
    assert document["flops_done"] == document["flops_predicted"] == 256 * 518_656 + 1_280 * 256 * 257 // 2
    assert document["cache_bytes_done"] == document["cache_bytes_predicted"] == 256 * 1_280


def test_a_beginning_is_written_on(capsys):
    document = document_of(["Once upon a time", "--tokens", "60"], capsys)
    assert len(document["text"]) > 100 and PUBLISHED.startswith(document["text"])
    assert document["prompt_tokens"] == 5 and len(document["ids"]) == len(document["tokens"]) == 65
    assert [token["id"] for token in document["tokens"]] == document["ids"]
    assert document["tokens"][0]["probability"] is None and "chance" not in document["tokens"][4]
    assert all(0 < token["probability"] < token["chance"] == 1 for token in document["tokens"][5:])
    assert not document["ended"]


def test_a_seed_and_a_temperature(capsys):
    drawn = ["--temperature", "1", "--top-k", "50", "--top-p", "0.9", "--tokens", "20"]
    first, again, other = (document_of([*drawn, "--seed", seed], capsys)["ids"] for seed in ("1", "1", "2"))
    assert first == again != other


def test_a_story_that_ends_stops(capsys):
    ended = [
        document_of(["The end.", "--temperature", "1.5", "--tokens", "480", "--seed", str(seed)], capsys) for seed in range(3)
    ]
    stopped = [document for document in ended if document["ended"]]
    assert stopped and all(document["ids"][-1] in (1, 2) and 1 not in document["ids"][1:-1] for document in stopped)


def test_as_text(capsys):
    shown = output_of(["run", "Once upon a time", "--tokens", "3"], capsys)
    assert shown.startswith("Once upon a time, there was\n")
    assert "   403  ' Once'         78.37%  given\n" in shown
    assert "3,666,432 FLOP done =       3,666,432 FLOP predicted, 7 tokens read" in shown
    assert "8,960 B    done =           8,960 B    predicted, 7 tokens read" in shown


def test_a_model_of_ones_own(tmp_path, capsys):
    shutil.copytree(STORIES_FOLDER, tmp_path / "own")
    document = document_of(["Lily", "--tokens", "5", "--model", str(tmp_path / "own")], capsys)
    carried = document_of(["Lily", "--tokens", "5"], capsys)
    assert document | {"model": ""} == carried | {"model": ""}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--tokens", "0"], ["tokens", "at least 1"]),
        (["--tokens", "512"], ["513", "512"]),
        (["a " * 600], ["512"]),
        (["--seed", "-1"], ["seed", "0 or more"]),
        (["--temperature", "-1"], ["temperature"]),
        (["--temperature", "hot"], ["--temperature", "hot"]),
        (["--top-p", "2"], ["top_p"]),
        (["--top-k", "0"], ["top_k"]),
        (["--model", "llama-2-7b"], ["llama-2-7b", "stories-260k"]),
        (["--model", "no/such"], ["no/such"]),
    ],
)
def test_a_bad_input_is_named(arguments, named, capsys):
    complaint = complaint_of(["run", *arguments], capsys)
    assert all(word in complaint for word in named)


def test_nothing_else_of_calc_knows_numpy():
    sources = [path for path in Path(calc.__file__).parent.rglob("*.py") if path.parent.name != "run"]
    assert len(sources) > 100
    assert not [
        path for path in sources if re.search(r"^\s*(import|from) (numpy|torch)\b", path.read_text(encoding="utf-8"), re.M)
    ]


def test_without_numpy_it_says_what_is_missing(capsys, monkeypatch):
    for module in [name for name in sys.modules if name.startswith("calc.run")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert "pip install numpy" in complaint_of(["run"], capsys)
