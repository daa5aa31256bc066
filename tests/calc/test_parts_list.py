"""The readings of a parts list that no plain model shows: buffers, several copies in a layer, layers that differ."""

import pytest

from calc import PartsList, parameters, parameters_by_part
from calc.lengths import ONE, Length
from calc.parts_list import buffer_elements, layer_parameters, layer_tensors
from calc.tensors import Tensor, vector

d, e = Length.of("d", 10), Length.of("e", 3)
FIRST = Tensor("layers.*.dense.weight", "ffn", "up", "matrix", d, e, layers=(0,))
EXPERTS = Tensor("layers.*.experts.*.weight", "ffn", "up", "matrix", d, e, layers=(1, 2), repeats=4)
FREQUENCIES = Tensor("layers.*.inv_freq", "other", "frequencies", "buffer", ONE, e, "vector", layers=(0, 1, 2))
TABLE = Tensor("table.weight", "embedding", "token_embedding", "table", e, d, "in_out")
HEAD = Tensor("head.weight", "lm_head", "lm_head", "matrix", d, e, tied_to="table.weight")
MADE_UP = PartsList("made_up", (TABLE, FIRST, EXPERTS, FREQUENCIES, HEAD), (), {})


def test_copies_are_layers_times_repeats():
    assert [tensor.copies for tensor in MADE_UP.tensors] == [1, 1, 8, 3, 1]


def test_buffers_and_tied_tensors_are_no_parameters():
    assert parameters(MADE_UP.tensors) == 30 + 30 + 8 * 30
    by_part = {"embedding": 30, "attention": 0, "ffn": 270, "norm": 0, "lm_head": 0, "other": 0}
    assert parameters_by_part(MADE_UP.tensors) == by_part
    assert buffer_elements(MADE_UP.tensors) == 9


def test_each_layer_has_its_own_tensors():
    assert MADE_UP.num_hidden_layers == 3
    assert layer_tensors(MADE_UP, 0) == (FIRST, FREQUENCIES)
    assert layer_tensors(MADE_UP, 2) == (EXPERTS, FREQUENCIES)


@pytest.mark.parametrize(("layer", "count"), [(0, 30), (1, 4 * 30), (2, 4 * 30)])
def test_a_layer_counts_its_experts_and_not_its_buffers(layer, count):
    assert layer_parameters(MADE_UP, layer) == count


def test_a_name_that_is_not_there_is_a_key_error():
    assert MADE_UP.named("head.weight") is HEAD
    with pytest.raises(KeyError):
        MADE_UP.named("no.such.weight")


def test_shapes_as_stored():
    assert [tensor.shape for tensor in MADE_UP.tensors] == [(3, 10), (3, 10), (3, 10), (3,), (3, 10)]
    assert vector("norm.weight", "norm", "final_norm", "scale", d).shape == (10,)


def test_a_tensor_placed_in_a_module_keeps_its_layers_unless_given_others():
    assert FIRST.within("model").name == "model.layers.*.dense.weight"
    assert FIRST.within("model").layers == (0,)
    assert FIRST.within("model", (5, 6)).layers == (5, 6)
    assert TABLE.within("model").layers is None
