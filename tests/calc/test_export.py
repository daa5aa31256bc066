"""The parts list written down can be read back, and is safe to open in a spreadsheet."""

import csv
import io
import json

import pytest

from calc.catalogue import catalogue
from calc.export import COLUMNS, csv_text, parts_csv, parts_document
from calc.model import Model

MODELS = pytest.mark.parametrize("model", [*map(Model.of, catalogue())], ids=catalogue())


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


class TestDocument:
    """The JSON document."""

    def test_its_keys(self):
        document = parts_document("gpt2", Model.of("gpt2").parts_list)
        assert list(document) == [
            "model",
            "model_type",
            "assumed",
            "not_counted",
            "not_read",
            "remarks",
            "parameters",
            "active",
            "buffers",
            "layers",
            "tensors",
        ]
        parts = ["total", "embedding", "attention", "ffn", "norm", "lm_head", "other"]
        assert list(document["parameters"]) == parts
        promised = {"name", "part", "in", "out", "shape", "copies", "count", "tied", "formula"}
        assert all(promised <= set(tensor) for tensor in document["tensors"])

    def test_a_matrix_and_a_tied_head_as_documented(self):
        document = parts_document("gpt2", Model.of("gpt2").parts_list)
        tensors = {tensor["name"]: tensor for tensor in document["tensors"]}
        widen = tensors["transformer.h.*.mlp.c_fc.weight"]
        expected = {
            "part": "ffn",
            "in": 768,
            "out": 3072,
            "shape": [768, 3072],
            "copies": 12,
            "count": 2_359_296,
            "tied": False,
            "formula": "d × d_ff",
        }
        assert {key: widen[key] for key in expected} == expected
        head = tensors["lm_head.weight"]
        assert (head["tied"], head["shape"], head["count"]) == (True, [50257, 768], 38_597_376)
        assert document["assumed"] == ["n_inner", "add_cross_attention", "tie_word_embeddings"]
        assert document["buffers"] == 0

    @MODELS
    def test_it_adds_up_after_a_round_trip(self, model):
        document = json.loads(json.dumps(parts_document(model.name, model.parts_list), allow_nan=False))
        counted = sum(t["copies"] * t["count"] for t in document["tensors"] if not t["tied"] and not t["buffer"])
        figures = document["parameters"]
        assert counted == figures["total"] == model.parameters
        assert sum(figures[part] for part in figures if part != "total") == model.parameters


class TestCsv:
    """The CSV of a parts list."""

    @MODELS
    def test_the_parameters_column_adds_up(self, model):
        rows = rows_of(parts_csv(model.parts_list))
        assert sum(int(row["parameters"]) for row in rows) == model.parameters
        assert [row["name"] for row in rows] == [tensor.name for tensor in model.parts_list.tensors]
        for row in rows:
            product = int(row["copies"]) * int(row["experts"]) * int(row["in"]) * int(row["out"])
            assert int(row["parameters"]) == (0 if "True" in (row["tied"], row["buffer"]) else product)

    def test_its_columns_and_line_ends(self):
        text = parts_csv(Model.of("llama-2-7b").parts_list)
        assert text.startswith(",".join(COLUMNS) + "\r\n")
        assert text.endswith("\r\n")
        assert text.count("\n") == text.count("\r\n") == 13  # headings and twelve tensors
        assert "11008 × 4096" in text and "d × d_ff" in text

    def test_headings_in_another_language(self):
        text = parts_csv(Model.of("llama-2-7b").parts_list, {"name": "名称", "count": "=个数"})
        headings = text.partition("\r\n")[0].split(",")
        assert headings[0] == "名称" and headings[COLUMNS.index("count")] == "'=个数"
        assert headings[1] == "part"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_text_cell_is_taken_for_a_formula(start):
    hostile = f"{start}cmd|'/c calc'!A1"
    [row] = list(csv.reader(io.StringIO(csv_text([hostile], [])), strict=True))
    [_, cells] = list(csv.reader(io.StringIO(csv_text(["a", "b"], [[hostile, 1]]), newline="")))
    assert row[0].startswith("'")
    assert cells == ["'" + hostile, "1"]


@pytest.mark.parametrize("cell", [-5, 0, 10**30, -0.5])
def test_numbers_stay_numbers(cell):
    assert csv_text(["a"], [[cell]]) == f"a\r\n{cell}\r\n"


@pytest.mark.parametrize("cell", ['a,"b"', "two\r\nlines", "'=1", "模型", "d × n_kv·head_dim", ""])
def test_other_text_comes_back_as_it_was(cell):
    [_, cells] = list(csv.reader(io.StringIO(csv_text(["a", "b"], [[cell, "z"]]), newline="")))
    assert cells == [cell, "z"]
