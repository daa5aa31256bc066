"""`python -m calc`: what it prints, its exit codes, and one line on stderr for whatever is wrong."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import complaint_of, output_of

from calc.__main__ import main
from calc.catalogue import catalogue

ROOT = Path(__file__).parents[2]
LLAMA = {
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 5632,
    "num_hidden_layers": 22,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "vocab_size": 32000,
    "rope_theta": 10000.0,
}


@pytest.fixture
def config_file(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(LLAMA), encoding="utf-8")
    return file


def in_a_child(*arguments, **options):
    """A command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "", **options.pop("environment", {})}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60} | options
    return subprocess.run([sys.executable, *arguments], env=environment, **options)


@pytest.mark.parametrize("model", ["llama-2-7b", "LLAMA-2-7B", "meta-llama/Llama-2-7b-hf"])
def test_a_model_as_text_ends_in_its_exact_total(model, capsys):
    out = output_of(["count", model], capsys)
    assert "6,738,415,616 parameters" in out
    assert "model.layers.*.mlp.gate_proj.weight" in out and "d × d_ff" in out and "32 × 45,088,768" in out


def test_a_tied_head_is_printed_as_tied_and_adds_nothing(capsys):
    lines = output_of(["count", "gpt2"], capsys).splitlines()
    [head] = [line for line in lines if line.startswith("lm_head.weight")]
    assert head.split()[-1] == "tied"
    assert any("124,439,808 parameters" in line for line in lines)


def test_what_was_assumed_is_printed(config_file, capsys):
    out = output_of(["count", str(config_file)], capsys)
    assert "assumed: attention_bias = false" in out and "head_dim = 64" in out


@pytest.mark.parametrize("name", catalogue())
def test_every_model_of_the_catalogue_as_json(name, capsys):
    document = json.loads(output_of(["count", name, "--json"], capsys))
    assert document["model"] == name
    assert document["parameters"]["total"] == catalogue()[name].parameters
    assert sum(t["copies"] * t["count"] for t in document["tensors"] if not t["tied"] and not t["buffer"]) == (
        catalogue()[name].parameters
    )


def test_a_path_as_json(config_file, capsys):
    document = json.loads(output_of(["count", "--json", str(config_file)], capsys))
    assert document["model"] == str(config_file)
    assert document["parameters"]["total"] == 1_100_048_384
    assert document["assumed"] == ["attention_bias", "head_dim", "mlp_bias", "tie_word_embeddings"]


def test_csv_is_read_back(config_file, capsys):
    text = output_of(["count", str(config_file), "--csv"], capsys)
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert sum(int(row["parameters"]) for row in rows) == 1_100_048_384


def test_help_is_no_fault(capsys):
    assert main(["--help"]) == 0
    assert main(["count", "--help"]) == 0
    assert "llama-2-7b" in capsys.readouterr().out


def test_a_folder_of_a_models_name_does_not_hide_the_model(tmp_path, monkeypatch, capsys):
    """Whoever cloned gpt2 from the Hub has a folder gpt2 where they stand."""
    (tmp_path / "gpt2").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "124,439,808 parameters" in output_of(["count", "gpt2"], capsys)


def test_a_file_name_that_is_not_utf_8_is_counted(tmp_path, capsys):
    name = os.fsencode(tmp_path) + b"/\xff.json"
    try:
        with open(name, "w") as file:
            json.dump(LLAMA, file)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    for form in ([], ["--json"], ["--csv"]):
        assert output_of(["count", os.fsdecode(name), *form], capsys)


HOSTILE = [
    "",
    " ",
    "\n",
    "a\nb",
    "\r\n.json",
    "\x00",
    "a\x00.json",
    "\ud800",
    "\udcff.json",
    "\ud800\ndrop",
    "x" * 100_000,
    "x" * 100_000 + ".json",
    "-",
    "../../etc/no-such",
    "{",
    "{value}",
    "%s",
    "%(prog)s",
    "no-such.json",
    ".",
    "/",
    "llama-2-7b\x1b[31m",
    "\u2028",
    "模型",
]


@pytest.mark.parametrize("model", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_a_model_that_is_not_there_leaves_one_line(model, capsys):
    line = complaint_of(["count", model], capsys)
    assert line.isascii() and len(line) < 1000
    assert all(character.isprintable() for character in line.rstrip("\n"))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["count"],
        ["--nope"],
        ["count", "gpt2", "--nope"],
        ["count", "gpt2", "--json", "--csv"],
        ["count", "gpt2", "llama-2-7b"],
        ["count", "--"],
        ["nope"],
        ["no\npe\ud800"],
        ["count", "gpt2", "--no\ud800\npe"],
        ["count", "gpt2", "--json=yes"],
        [""],
    ],
    ids=lambda arguments: ascii(arguments),
)
def test_words_it_does_not_know_leave_one_line(arguments, capsys):
    assert complaint_of(arguments, capsys).isascii()


def test_a_near_miss_is_told_the_name(capsys):
    assert "llama-2-7b" in complaint_of(["count", "llama2-7b"], capsys)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"[1]", "array"),
        (b"{", "Not valid JSON"),
        (b"\x80\x81", "not UTF-8"),
        (b'{"model_type": "xyzzy"}', "xyzzy"),
        (b'{"model_type": "gpt2", "n_layer": 0}', "n_layer"),
        (b'{"model_type": "gpt2", "n_layer": "12\\n\\ud800"}', "n_layer"),
        (b'{"a\\nb": 1, "a\\nb": 2}', "twice"),
        (b"[" * 100_000, "nested"),
        (bytes(3_000_000), "3.0 MB"),
    ],
)
def test_a_bad_file_leaves_one_line_that_says_what_is_wrong(content, said, tmp_path, capsys):
    file = tmp_path / "config.json"
    file.write_bytes(content)
    for form in ([], ["--json"], ["--csv"]):
        assert said in complaint_of(["count", str(file), *form], capsys)


class TestInAProcessOfItsOwn:
    """What only a real process shows."""

    def test_a_count_exits_with_0_and_a_fault_with_2(self):
        counted = in_a_child("-m", "calc", "count", "tinyllama-1.1b", "--json")
        assert (counted.returncode, counted.stderr) == (0, b"")
        assert json.loads(counted.stdout)["parameters"]["total"] == 1_100_048_384
        failed = in_a_child("-m", "calc", "count", "no-such-model")
        assert (failed.returncode, failed.stdout) == (2, b"")
        assert failed.stderr.count(b"\n") == 1

    def test_counting_loads_no_heavy_library_and_nothing_for_networks(self):
        script = "import sys; from calc.__main__ import main; main(['count', 'gpt2']); print(*sys.modules)"
        loaded = in_a_child("-c", script).stdout.decode().splitlines()[-1].split()
        assert "calc.model" in loaded
        heavy = {"torch", "transformers", "pandas", "numpy", "streamlit", "ssl", "urllib.request", "http.client"}
        assert heavy & set(loaded) == set()

    @pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
    def test_a_terminal_that_only_knows_ascii_still_gets_an_answer(self, form):
        done = in_a_child("-m", "calc", "count", "gpt2", *form, environment={"PYTHONIOENCODING": "ascii"})
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.isascii() or b"lm_head" in done.stdout

    @pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
    def test_a_reader_that_leaves_early_gets_no_complaint(self, form):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = in_a_child("-m", "calc", "count", "gpt2", *form, stdout=writing)
        finally:
            os.close(writing)
        assert done.stderr == b""
        assert done.returncode == 0

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
    def test_a_full_disk_is_told_in_one_line(self):
        with open("/dev/full", "wb") as full:
            done = in_a_child("-m", "calc", "count", "gpt2", "--csv", stdout=full)
        assert done.returncode != 0
        assert len(done.stderr.splitlines()) == 1
