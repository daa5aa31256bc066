"""Types that transformers does not have, each against names and shapes recorded from its own code or its published file."""

import json
from pathlib import Path

import pytest

from calc import Model
from calc.config.defaults import config_defaults, remote_types
from calc.families import FAMILIES

RECORDS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in (Path(__file__).parents[1] / "fixtures" / "remote_types").glob("*.json")
}


def test_every_type_of_remote_code_has_a_record():
    assert len(FAMILIES) > 200, "all imported"
    assert {record["config"]["model_type"] for record in RECORDS.values()} == remote_types()


@pytest.mark.parametrize("name", RECORDS)
def test_its_tensors_are_those_of_the_record(name):
    record = RECORDS[name]
    model = Model(record["config"])
    counted = {tensor.name: {"shape": list(tensor.shape), "copies": tensor.copies} for tensor in model.tensors}
    assert counted == record["tensors"] and model.parameters == record["parameters"]


def test_a_class_nobody_knows_is_said_to_whoever_declares_its_type():
    with pytest.raises(LookupError, match=r"make_config_defaults.*config_class= and defaults="):
        config_defaults()["no_such_type"]
