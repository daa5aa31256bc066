"""The readings of a parts list that no plain model shows: buffers, several copies in a layer, layers that differ."""

from dataclasses import replace

import pytest

from calc import PartsList, parameters, parameters_by_part
from calc.addition import addition
from calc.export import parts_document
from calc.lengths import ONE, Length
from calc.model import Model
from calc.parts_list import buffer_elements, layer_kinds, layer_parameters, layer_tensors, stack_of
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


ENCODER = Tensor("encoder.layers.*.dense.weight", "ffn", "up", "matrix", d, e, layers=(0, 1, 2))
DECODER = Tensor("decoder.layers.*.dense.weight", "ffn", "up", "matrix", d, d, layers=(0, 1))
CROSSING = Tensor("decoder.layers.*.cross.weight", "attention", "cross_query", "matrix", d, e, layers=(1,))
TWO_STACKS = PartsList("made_up", (TABLE, ENCODER, DECODER, CROSSING, HEAD), (), {})


def test_layers_of_two_stacks_with_the_same_ids_are_told_apart():
    assert TWO_STACKS.stacks == {"encoder": 3, "decoder": 2} and TWO_STACKS.num_hidden_layers == 5
    kinds = [(kind.stack, kind.layers, kind.tensors, kind.parameters) for kind in layer_kinds(TWO_STACKS)]
    assert kinds == [
        ("encoder", (0, 1, 2), (ENCODER,), 30),
        ("decoder", (0,), (DECODER,), 100),
        ("decoder", (1,), (DECODER, CROSSING), 130),
    ]
    assert layer_tensors(TWO_STACKS, 1) == layer_tensors(TWO_STACKS, 1, "encoder") == (ENCODER,)
    assert layer_tensors(TWO_STACKS, 1, "decoder") == (DECODER, CROSSING) and layer_tensors(TWO_STACKS, 2, "decoder") == ()
    assert [layer_parameters(TWO_STACKS, 1, stack) for stack in ("encoder", "decoder")] == [30, 130]
    assert [stack_of(tensor) for tensor in TWO_STACKS.tensors] == [None, "encoder", "decoder", "decoder", None]


def test_the_document_says_which_stack_a_layer_is_of():
    said = parts_document("made up", TWO_STACKS)["layers"]
    assert [(kind["stack"], kind["layers"], kind["parameters"]) for kind in said] == [
        ("encoder", [0, 1, 2], 30),
        ("decoder", [0], 100),
        ("decoder", [1], 130),
    ]


def test_one_layer_in_the_addition_is_of_one_stack():
    [ffn] = [row for row in addition(TWO_STACKS) if row.part == "ffn"]
    assert [term.factors for term in ffn.terms] == [(3, 30), (2, 100)]
    same_ids = PartsList("made_up", (ENCODER, replace(DECODER, layers=(0, 1, 2))), (), {})
    [ffn] = addition(same_ids)
    assert [(term.factors, len(term.tensors)) for term in ffn.terms] == [((3, 30), 1), ((3, 100), 1)]


def test_lists_that_hold_the_parts_of_the_same_layers_are_one_stack():
    """XLM keeps its attentions in one list and its FFNs in another."""
    attention, ffn = (replace(DECODER, name=f"transformer.{kind}.*.lin.weight") for kind in ("attentions", "ffns"))
    listed = PartsList("made_up", (attention, ffn), (), {})
    assert listed.stacks == {"transformer": 2} and [kind.layers for kind in layer_kinds(listed)] == [(0, 1)]


@pytest.mark.parametrize(
    "model_type, stacks",
    [
        ("hrm_text", {"model.L_module": 16, "model.H_module": 16}),
        ("xlm", {"transformer": 12}),
        ("gpt2", {"transformer": 12}),
        ("git", {"git.image_encoder.vision_model.encoder": 12, "git.encoder": 6}),
    ],
)
def test_stacks_of_declared_types(model_type, stacks):
    listed = Model.of({"model_type": model_type}).parts_list
    assert listed.stacks == stacks and listed.num_hidden_layers == sum(stacks.values())
    in_layers = sum(len(kind.layers) * kind.parameters for kind in layer_kinds(listed))
    outside = sum(tensor.parameters for tensor in listed.tensors if tensor.layers is None)
    assert in_layers + outside == parameters(listed.tensors)


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
