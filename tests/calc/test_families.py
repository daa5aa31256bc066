"""Every declared family, tensor by tensor, against transformers' own modules on bare and on random configs."""

import json
from pathlib import Path

import pytest

from calc.families import FAMILIES
from calc.families.wrappers import WRAPPERS
from calc.model import Model
from calc.parts_list import buffer_elements, parameters

FIXTURES = Path(__file__).parents[1] / "fixtures"
RECORDS = [
    record
    for path in sorted((FIXTURES / "families").glob("*.json"))
    for record in json.loads(path.read_text(encoding="utf-8"))["records"]
]
ELSEWHERE = {
    record["config"]["model_type"]
    for record in json.loads((FIXTURES / "random_configs.json").read_text(encoding="utf-8"))["records"]
}


def layer_ids(written):
    """`0-2,5` → (0, 1, 2, 5)."""
    runs = [run.partition("-") for run in written.split(",")]
    return tuple(layer for first, _, last in runs for layer in range(int(first), int(last or first) + 1))


def recorded(record):
    """(name, shape, tied or buffer, layers) → copies, of what transformers built."""
    rows = {}
    for row in record["tensors"]:
        in_layers = any(module in row["n"] for module in (".h.", ".blocks.", "layer", ".attentions.", ".ffns."))
        layers = layer_ids(row["l"]) if "l" in row and in_layers else None
        key = row["n"], tuple(row["s"]), row.get("k"), layers
        rows[key] = rows.get(key, 0) + row["c"]
    return rows


def counted(parts_list):
    """The same of our parts list; what does different things in different layers under one name is one tensor to them."""
    rows, layers = {}, {}
    for tensor in parts_list.tensors:
        kind = "buf" if tensor.kind == "buffer" else "tied" if tensor.tied_to else None
        key = tensor.name, tensor.shape, kind, tensor.layers is None
        rows[key] = rows.get(key, 0) + tensor.copies
        layers[key] = layers.get(key, ()) + (tensor.layers or ())
    return {(*key[:3], None if key[3] else tuple(sorted(layers[key]))): copies for key, copies in rows.items()}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["config"]["model_type"])
def test_the_parts_list_is_what_transformers_builds(record):
    parts_list = Model.of(record["config"]).parts_list
    theirs, ours = recorded(record), counted(parts_list)
    differing = {key: (ours.get(key), theirs.get(key)) for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)}
    assert not differing, f"(name, shape, kind, layers): (ours, theirs) for {record['config']}"
    assert parameters(parts_list.tensors) == record["total"]
    assert buffer_elements(parts_list.tensors) == record["buffers"]


def types_of(config):
    """The type of a record, and those of the language models inside."""
    asked = Model.of(config).config
    yield asked.model_type
    while asked.model_type in WRAPPERS:
        asked = WRAPPERS[asked.model_type].language_model(asked)
        yield asked.model_type


def test_every_declared_type_has_records():
    types = {model_type for record in RECORDS for model_type in types_of(record["config"])} | ELSEWHERE
    assert types == set(FAMILIES)
