"""`python -m calc tokens`: ids and bytes on standard output, one line on stderr for whatever is wrong."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from calc.__main__ import main
from calc.tokens.encoding import encode
from calc.tokens.loaded import tokenizer
from calc.tokens.vocabularies import tokenizers

from . import references
from .nasty_strings import nasty_strings

ROOT = Path(__file__).parents[2]


def answer(capsys, *arguments):
    """The JSON a command prints."""
    assert main(["tokens", *arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def complaint(capsys, *arguments):
    """The one line a command leaves on stderr."""
    assert main(["tokens", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and len(captured.err.splitlines()) == 1 and captured.err.isascii()
    return captured.err


def test_one_text_in_two_tokenizers(capsys):
    assert answer(capsys, "12345", "--tokenizer", "llama-2", "llama-3") == [
        {
            "tokenizer": "llama-2",
            "count": 6,
            "ids": [29871, 29896, 29906, 29941, 29946, 29945],
            "pieces": ["", "31", "32", "33", "34", "35"],
        },
        {"tokenizer": "llama-3", "count": 2, "ids": [4513, 1774], "pieces": ["313233", "3435"]},
    ]


@pytest.mark.parametrize("name", tokenizers())
def test_every_tokenizer_on_difficult_texts(name, capsys, tmp_path):
    file = tmp_path / "text"
    for text in nasty_strings(60, seed=41)[::3]:
        file.write_bytes(text.encode())
        [found] = answer(capsys, "--file", str(file), "--tokenizer", name)
        assert found["tokenizer"] == name
        assert found["ids"] == tokenizer(name).ids(text) and found["count"] == len(found["ids"]) == len(found["pieces"])
        if name != "qwen3":
            assert bytes.fromhex("".join(found["pieces"])) == text.encode()


def test_special_tokens(capsys):
    [as_text] = answer(capsys, "a</s>", "--tokenizer", "llama-2")
    [as_special] = answer(capsys, "a</s>", "--tokenizer", "llama-2", "--special")
    assert as_text["ids"] == list(encode("llama-2", "a</s>").ids) and 2 not in as_text["ids"]
    assert (as_special["ids"], as_special["pieces"]) == ([1, 263, 2], ["", "61", "3c2f733e"])


@pytest.mark.parametrize("words", [["--tokenizer", "llama-3", "o200k"], ["--tokenizer", "llama-3", "--tokenizer", "o200k"]])
def test_standard_input(words, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeff吃 a\r\n".encode())))
    found = answer(capsys, *words)
    assert [each["ids"] for each in found] == [tokenizer(name).ids("\ufeff吃 a\r\n") for name in ("llama-3", "o200k")]


def test_the_text_may_stand_last(capsys):
    assert [each["count"] for each in answer(capsys, "--tokenizer", "llama-2", "llama-3", "I ate an apple")] == [5, 4]
    assert answer(capsys, "--tokenizer", "llama-3", "strawberry")[0]["count"] == 3


def test_an_empty_text_has_no_tokens(capsys):
    assert answer(capsys, "", "--tokenizer", "llama-2")[0]["ids"] == []


def test_a_file_of_ones_own(capsys, tmp_path):
    file = tmp_path / "tokenizer.model"
    file.write_bytes(references.sentencepiece_model("llama-2").SerializeToString())
    [own] = answer(capsys, "我吃了一个苹果", "--tokenizer", str(file))
    assert own["ids"] == list(encode("llama-2", "我吃了一个苹果").ids)


def test_as_text(capsys):
    assert main(["tokens", "strawberry 吃\n", "--tokenizer", "llama-2"]) == 0
    out = capsys.readouterr().out
    assert "8 tokens, 13 characters, 15 bytes" in out and "▁st·raw·berry· ·<E5>·<90>·<83>·\\n" in out
    assert main(["tokens", "a " * 1000, "--tokenizer", "llama-3"]) == 0
    assert "…" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a", "--tokenizer", "lama-3"], "llama-3"),
        (["a", "--tokenizer", "xyzzyxyzzy"], "gpt-2"),
        (["--tokenizer", "llama-2", "lama-3"], "llama-3"),
        (["a"], "--tokenizer"),
        (["a", "--tokenizer"], "--tokenizer"),
        (["a", "--file", "b", "--tokenizer", "gpt2"], "not allowed"),
        (["--file", "no-such-file", "--tokenizer", "gpt2"], "no-such-file"),
        (["--file", "a\0b", "--tokenizer", "gpt2"], "cannot be read"),
        (["--file", ".", "--tokenizer", "gpt2"], "cannot be read"),
        (["a", "--tokenizer", "\ud800\n"], "no tokenizer"),
        (["a", "b", "--tokenizer", "gpt2"], "unrecognized"),
    ],
)
def test_a_fault_is_one_line(arguments, said, capsys):
    assert said in complaint(capsys, *arguments)


def test_a_file_that_is_no_text(capsys, tmp_path):
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG")
    assert "byte 0" in complaint(capsys, "--file", str(file), "--tokenizer", "gpt2")
    assert "no tokenizer" in complaint(capsys, "a", "--tokenizer", str(file))


def test_half_a_character_on_the_command_line(capsys):
    [found] = answer(capsys, "a\udcff", "--tokenizer", "cl100k")
    assert found["pieces"] == ["61", "efbfbd"]


def test_a_slip_is_told_before_standard_input_is_read(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "llama-3" in complaint(capsys, "--tokenizer", "lama-3")
    assert "standard input cannot be read" in complaint(capsys, "--tokenizer", "llama-3")


def test_in_a_process_of_its_own():
    words = [sys.executable, "-m", "calc", "tokens", "--tokenizer", "llama-2", "--json"]
    done = subprocess.run(words, cwd=ROOT, input="我吃了一个苹果".encode(), capture_output=True, timeout=60, check=True)
    [found] = json.loads(done.stdout)
    assert found["count"] == 12 and done.stderr == b""
