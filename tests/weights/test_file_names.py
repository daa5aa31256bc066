"""Names and pieces of published files, held against what transformers writes for every type it renames or takes apart."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from calc.model import Model
from calc.weights.file_names import ONE_BY_ONE, OTHERWISE, RENAMED, file_tensors, is_named_as_published

FIXTURES = Path(__file__).parent.parent / "fixtures"
RECORDS = json.loads((FIXTURES / "checkpoint_names.json").read_text(encoding="utf-8"))["records"]
SAVED = {record["config"]["model_type"]: record for record in RECORDS}
ALIKE = [model_type for model_type in SAVED if model_type not in OTHERWISE]


def numbers(text):
    for run in text.split(",") if text else ():
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def written(record):
    """Every name of the recorded file with its shape; a tied head, which meta tensors do not show as tied, left out."""
    found = {}
    for row in record["tensors"]:
        for first in numbers(row.get("l")) if "l" in row else [None]:
            for second in numbers(row.get("e")) if "e" in row else [None]:
                name = row["n"]
                for number in (first, second):
                    name = name if number is None else name.replace("*", str(number), 1)
                found[name] = tuple(row["s"])
    return found


@pytest.mark.parametrize("model_type", ALIKE)
def test_names_and_shapes_are_those_transformers_saves(model_type):
    parts_list = Model.of(SAVED[model_type]["config"]).parts_list
    theirs = written(SAVED[model_type])
    tied = {tensor.name for tensor in parts_list.tensors if tensor.tied_to}
    mine = {tensor.name: tensor.shape for tensor in file_tensors(parts_list)}
    assert mine == {name: shape for name, shape in theirs.items() if name not in tied}


def test_the_exceptions_are_types_that_are_saved_otherwise():
    for model_type in OTHERWISE:
        parts_list = Model.of(SAVED[model_type]["config"]).parts_list
        assert {tensor.name for tensor in file_tensors(parts_list)} != set(written(SAVED[model_type]))
        assert not is_named_as_published(parts_list)


def test_no_type_is_taken_apart_or_renamed_without_a_record():
    assert ONE_BY_ONE | set(RENAMED) <= set(SAVED) | {"glm4_moe"}  # its default config has no expert layer to record


@pytest.mark.parametrize("model_type", [*ALIKE[:6], "llama", "gpt2", "zamba2", "xmod", "gpt_oss"])
def test_every_number_is_stored_once(model_type):
    config = SAVED[model_type]["config"] if model_type in SAVED else {"model_type": model_type}
    parts_list = Model.of(config).parts_list
    stored, expected = Counter(), Counter()
    for tensor in file_tensors(parts_list):
        stored[tensor.line.name] += tensor.count
    for tensor in parts_list.tensors:
        expected[tensor.name] += tensor.parameters + (tensor.copies * tensor.count if tensor.kind == "buffer" else 0)
    assert stored == +expected
    names = [tensor.name for tensor in file_tensors(parts_list)]
    assert len(names) == len(set(names))
    assert not any(re.search(r"\*", name) for name in names)
