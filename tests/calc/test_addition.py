"""The addition as on paper: every parameter stands in exactly one product, and the products add up."""

import math

import pytest
from config_strategies import valid_configs
from hypothesis import given

from calc import Model, parameters, parameters_by_part
from calc.addition import addition


@given(valid_configs())
def test_the_rows_are_the_parts_and_add_up_to_the_total(config):
    tensors = Model.of(config).tensors
    rows = addition(Model.of(config).parts_list)
    assert sum(math.prod(term.factors) for row in rows for term in row.terms) == parameters(tensors)
    present = {part: count for part, count in parameters_by_part(tensors).items() if any(t.part == part for t in tensors)}
    assert {row.part: row.count for row in rows} == present


@given(valid_configs())
def test_every_counted_tensor_stands_in_one_product_of_its_part(config):
    parts_list = Model.of(config).parts_list
    placed = [(row.part, tensor) for row in addition(parts_list) for term in row.terms for tensor in term.tensors]
    assert sorted(tensor.name for _, tensor in placed) == sorted(t.name for t in parts_list.tensors if not t.tied_to)
    assert all(tensor.part == part for part, tensor in placed)


@given(valid_configs())
def test_a_product_is_what_its_tensors_hold(config):
    for row in addition(Model.of(config).parts_list):
        for term in row.terms:
            assert term.count == math.prod(term.factors) == parameters(term.tensors)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "llama-3-8b",
            [
                ("embedding", [(128256, 4096)]),
                ("attention", [(32, 41_943_040)]),
                ("ffn", [(32, 176_160_768)]),
                ("norm", [(65, 4096)]),
                ("lm_head", [(4096, 128256)]),
            ],
        ),
        (
            "gpt2",
            [
                ("embedding", [(50257, 768), (1024, 768)]),
                ("attention", [(12, 2_362_368)]),
                ("ffn", [(12, 4_722_432)]),
                ("norm", [(50, 768)]),
                ("lm_head", []),
            ],
        ),
        (
            "qwen3-0.6b",  # its heads are normed: 2 · 28 norms of length 128 besides 57 of length 1024
            [
                ("embedding", [(151936, 1024)]),
                ("attention", [(28, 6_291_456)]),
                ("ffn", [(28, 9_437_184)]),
                ("norm", [(57, 1024), (56, 128)]),
                ("lm_head", []),
            ],
        ),
    ],
)
def test_the_addition_of_a_published_model(name, rows):
    written = [(row.part, [term.factors for term in row.terms]) for row in addition(Model.of(name).parts_list)]
    assert written == rows
