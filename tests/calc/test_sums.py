"""Whatever lists a model's tensors sums to its total, of every declared type; lines of a cache sum to their headline."""

import csv
import io
import json
import math
from pathlib import Path

import pytest

from calc import Model
from calc.addition import addition
from calc.export import parts_csv, parts_document
from calc.families import FAMILIES
from calc.mixing.kv_cache import DTYPES
from calc.parts_list import layer_kinds, parameters_by_part
from ui.figures.addition_table import row_expression
from ui.figures.composition import composition
from ui.figures.worksheet import worksheet_of
from ui.numbers import grouped

FIXTURES = Path(__file__).parents[1] / "fixtures"
RECORDS = {
    record["config"]["model_type"]: record
    for path in sorted((FIXTURES / "families").glob("*.json"))
    for record in json.loads(path.read_text(encoding="utf-8"))["records"]
} | {
    record["config"]["model_type"]: record
    for record in json.loads((FIXTURES / "random_configs.json").read_text(encoding="utf-8"))["records"]
}
