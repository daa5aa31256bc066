"""`compare` and `diff` on the command line."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import complaint_of, output_of

from calc.catalogue import catalogue
from calc.comparison.columns import COLUMNS

FOUR = ["llama-2-7b", "llama-2-13b", "llama-3-8b", "tinyllama-1.1b"]


class TestCompare:
    """`compare MODEL…`."""

    def test_as_text_it_fits_a_line_of_100_and_shows_every_model(self, capsys):
        lines = output_of(["compare", *FOUR, "gpt2", "deepseek-v3"], capsys).splitlines()
        assert max(map(len, lines)) <= 100
        [counts] = [line.split() for line in lines if line.startswith("  parameters ") and "6,738,415,616" in line]
        assert counts == ["parameters", "6,738,415,616", "13,015,864,320", "8,030,261,248", "1,100,048,384"]
        titles = " ".join(line for line in lines if line.startswith("   "))
        assert all(catalogue()[name].title in titles for name in [*FOUR, "gpt2", "deepseek-v3"])
        assert any("671,026,404,352" in line for line in lines)

    def test_numbers_stand_under_each_other(self, capsys):
        lines = output_of(["compare", *FOUR], capsys).splitlines()
        numbers = [re.fullmatch(r"  \w+ .*\d(?=[a-z]?)", line.rstrip("abc")) for line in lines]
        ends = {number.end() for number in numbers if number}
        assert len(ends) == 1

    def test_as_json(self, capsys):
        documents = json.loads(output_of(["compare", *FOUR, "--json"], capsys))
        assert [each["name"] for each in documents] == FOUR
        assert [each["parameters"] for each in documents] == [catalogue()[name].parameters for name in FOUR]
        assert [each["kv_bytes_per_token"] for each in documents] == [524_288, 819_200, 131_072, 22_528]

    def test_csv_to_stdout(self, capsys):
        rows = list(csv.DictReader(io.StringIO(output_of(["compare", *FOUR, "--csv", "-"], capsys), newline="")))
        assert [int(row["parameters"]) for row in rows] == [catalogue()[name].parameters for name in FOUR]
        assert list(rows[0]) == ["name", "title", *(column.key for column in COLUMNS)]

    def test_csv_into_a_file(self, tmp_path, capsys):
        file = tmp_path / "table.csv"
        assert output_of(["compare", *FOUR, "--csv", str(file)], capsys) == ""
        assert b"\r\n" in file.read_bytes() and b"\r\r" not in file.read_bytes()
        with open(file, encoding="utf-8-sig", newline="") as opened:
            assert [row["name"] for row in csv.DictReader(opened)] == FOUR

    def test_a_chinese_path_is_marked_as_utf_8_for_excel(self, tmp_path, capsys):
        config, file = tmp_path / "模型.json", tmp_path / "表.csv"
        config.write_text('{"model_type": "gpt2"}', encoding="utf-8")
        output_of(["compare", str(config), "--csv", str(file)], capsys)
        assert file.read_bytes().startswith(b"\xef\xbb\xbf")
        with open(file, encoding="utf-8-sig", newline="") as opened:
            assert next(csv.DictReader(opened))["name"] == str(config)

    def test_a_model_named_twice_stands_there_twice(self, capsys):
        documents = json.loads(output_of(["compare", "gpt2", "gpt2", "openai-community/gpt2", "--json"], capsys))
        assert [each["name"] for each in documents] == ["gpt2"] * 3

    def test_fifty_models_and_no_more(self, capsys):
        assert len(json.loads(output_of(["compare", *["gpt2"] * 50, "--json"], capsys))) == 50
        assert "51" in complaint_of(["compare", *["gpt2"] * 51], capsys)

    def test_a_config_beside_the_catalogue(self, tmp_path, capsys):
        (tmp_path / "config.json").write_text(json.dumps(dict(catalogue()["llama-2-7b"].config)), encoding="utf-8")
        known, own = json.loads(output_of(["compare", "llama-2-7b", str(tmp_path), "--json"], capsys))
        assert known["parameters"] == own["parameters"]
        assert (known["verdict"], own["verdict"]) == ("rounds_to", "no_published")

    @pytest.mark.parametrize(
        "arguments", [[], ["nope-at-all"], ["gpt2", "llama2-7b"], ["gpt2", "--json", "--csv", "-"], ["gpt2", "--csv"]]
    )
    def test_a_bad_input_is_one_line(self, arguments, capsys):
        complaint_of(["compare", *arguments], capsys)

    @pytest.mark.parametrize("place", ["no/such/folder/table.csv", "", "."])
    def test_a_file_that_cannot_be_written_is_named(self, place, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        assert f'"{place}"' in complaint_of(["compare", "gpt2", "--csv", place], capsys)

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
    def test_a_full_disk_is_named(self, capsys):
        assert "/dev/full" in complaint_of(["compare", "gpt2", "--csv", "/dev/full"], capsys)


class TestDiff:
    """`diff A B`."""

    def test_as_json(self, capsys):
        document = json.loads(output_of(["diff", "llama-2-7b", "llama-3-8b", "--json"], capsys))
        assert document["difference"] == 1_291_845_632
        assert (document["from"]["parameters"], document["to"]["parameters"]) == (6_738_415_616, 8_030_261_248)
        assert document["by_part"] == {
            "embedding": 394_264_576,
            "lm_head": 394_264_576,
            "attention": -805_306_368,
            "ffn": 1_308_622_848,
            "other": 0,
            "norm": 0,
        }
        assert [(step["cause"], step["from"], step["to"], step["difference"]) for step in document["by_cause"]] == [
            ("vocab_size", 32000, 128256, 788_529_152),
            ("num_key_value_heads", 32, 8, -805_306_368),
            ("intermediate_size", 11008, 14336, 1_308_622_848),
        ]
        assert document["order"] == ["vocab_size", "num_key_value_heads", "intermediate_size"]
        assert [each["numerator"] for each in document["averaged_over_orders"]] == [788_529_152, -805_306_368, 1_308_622_848]

    @pytest.mark.parametrize("pair", [("gpt2", "deepseek-v3"), ("bloom", "gpt2-xl"), ("falcon-7b", "gemma-3-1b")])
    def test_any_pair_adds_up(self, pair, capsys):
        document = json.loads(output_of(["diff", *pair, "--json"], capsys))
        difference = catalogue()[pair[1]].parameters - catalogue()[pair[0]].parameters
        assert document["difference"] == sum(document["by_part"].values()) == difference
        assert sum(step["difference"] for step in document["by_cause"]) == difference
        assert document["by_cause"][-1]["cause"] == "family"

    def test_as_text(self, capsys):
        lines = output_of(["diff", "llama-2-7b", "tinyllama-1.1b"], capsys).splitlines()
        assert max(map(len, lines)) <= 100
        assert "-5,638,367,232" in lines[1]
        assert any(line.startswith("num_key_value_heads 32 → 4") and "-939,524,096" in line for line in lines)
        assert any(line.startswith("averaged over all orders") for line in lines)

    def test_two_equal_models(self, capsys):
        assert "+0" in output_of(["diff", "llama-2-7b", "llama-2-7b"], capsys)
        document = json.loads(output_of(["diff", "codellama-7b", "codellama-7b", "--json"], capsys))
        assert (document["difference"], document["by_cause"]) == (0, [])

    @pytest.mark.parametrize("arguments", [[], ["gpt2"], ["gpt2", "nope-at-all"], ["gpt2", "gpt2", "gpt2"], ["gpt2", "--nope"]])
    def test_a_bad_input_is_one_line(self, arguments, capsys):
        complaint_of(["diff", *arguments], capsys)


def test_no_command_loads_a_heavy_library():
    commands = "main(['compare', 'gpt2']); main(['diff', 'gpt2', 'bloom'])"
    script = f"import sys; from calc.__main__ import main; {commands}; print(*sys.modules)"
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, timeout=60, check=True)
    loaded = set(done.stdout.decode().splitlines()[-1].split())
    assert "calc.comparison.causes" in loaded
    assert {"torch", "transformers", "pandas", "numpy", "streamlit", "ssl", "urllib.request", "http.client"} & loaded == set()
