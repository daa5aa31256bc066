"""Whatever lists a model's parameters sums to its total, of every declared type; lines of a cache sum to their headline."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path

import pytest

from calc.addition import addition
from calc.export import parts_csv, parts_document
from calc.families import FAMILIES
from calc.families.wrappers import WRAPPERS
from calc.mixing.kv_cache import DTYPES
from calc.model import Model
from calc.parts_list import layer_kinds
from ui.figures.composition import composition
from ui.figures.worksheet import worksheet

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = [*sorted((FIXTURES / "families").glob("*.json")), FIXTURES / "random_configs.json"]
RECORDS = [record for path in FILES for record in json.loads(path.read_text(encoding="utf-8"))["records"]]
ONE_OF_EACH = {record["config"]["model_type"]: record for record in RECORDS if "/" not in record["config"]["model_type"]}
EVERY_TYPE = pytest.mark.parametrize("record", ONE_OF_EACH.values(), ids=ONE_OF_EACH)


def sum_of_products(expression: str) -> int:
    """`32 × 4,096 + 7` → 131079; of a text without numbers 0."""
    return sum(math.prod(int(each.replace(",", "")) for each in term.split(" × ")) for term in expression.split(" + "))


def rows_of_section(sheet: str, number: int) -> list[list[str]]:
    section = re.split(r"^## \d\. ", sheet, flags=re.MULTILINE)[number]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")][2:]


def test_there_is_a_record_of_every_type():
    kinds = {Model.of(record["config"]).config.model_type for record in ONE_OF_EACH.values()}
    assert {kind for kind in FAMILIES if kind in WRAPPERS} <= kinds and len(kinds) > 250


@EVERY_TYPE
def test_addition_worksheet_csv_json_layers_and_composition_end_in_the_total(record):
    model, total = Model.of(record["config"]), record["total"]
    parts_list = model.parts_list
    assert sum(term.count for row in addition(parts_list) for term in row.terms) == total
    for row in addition(parts_list):
        for term in row.terms:
            assert term.count == sum(tensor.parameters for tensor in term.tensors), row.part
    *products, [_, _, written, _] = rows_of_section(worksheet("en", "it", parts_list), 3)
    sums = [sum_of_products(expression) if expression[:1].isdigit() else 0 for _, expression, _, _ in products]
    assert sums == [int(count.replace(",", "")) for _, _, count, _ in products]
    assert sum(sums) == int(written.strip("*").replace(",", "")) == total
    assert sum(int(row["parameters"]) for row in csv.DictReader(io.StringIO(parts_csv(parts_list), newline=""))) == total
    document = parts_document("it", parts_list)
    assert sum(tensor["parameters"] for tensor in document["tensors"]) == document["parameters"]["total"] == total
    outside = sum(tensor.parameters for tensor in model.tensors if tensor.layers is None)
    assert outside + sum(len(kind.layers) * kind.parameters for kind in layer_kinds(parts_list)) == total
    figures = re.findall(r"<b>([\d,]+)</b>", str(composition("en", parts_list)))
    assert sum(int(figure.replace(",", "")) for figure in figures) == total


@EVERY_TYPE
@pytest.mark.parametrize("dtype", ["q8_0", "q4_0", "bf16"])
def test_the_lines_of_a_cache_sum_to_its_headline(record, dtype):
    model = Model.of(record["config"])
    if model.mixing_fault is not None:
        return
    assert dtype in DTYPES
    context = min(7, model.max_context or 7)
    cache = model.kv_cache(context, batch=3, dtype=dtype)
    assert sum(kind.bytes for kind in cache.kinds) == cache.bytes + cache.state_bytes
    assert sum(kind.bytes_per_token for kind in cache.kinds) == cache.bytes_per_token
