"""What is said of a tensor agrees with the tensor: the numbers in a sentence are its own, in every recorded model."""

from __future__ import annotations

import math

import pytest

from calc.model import Model
from calc.parts_list import active_parameters
from ui.figures.explain import describe, query_heads_for_a_kv_head, sentence, title

from .recorded import configs, parts_lists
from .screen import LANGUAGES, is_chinese, whole_numbers


def heads(tensor, *roles):
    """Heads of its bands of these roles."""
    return {band.heads for band in (*tensor.output_bands, *tensor.input_bands) if band.role in roles}


@pytest.mark.parametrize("model_type", configs())
def test_every_tensor_has_a_sentence_in_both_languages(model_type):
    for parts_list in parts_lists(model_type)[:4]:
        for tensor in parts_list.tensors:
            for language in LANGUAGES:
                said = f"{title(language, tensor)} {sentence(language, tensor, parts_list)} {describe(language, tensor)}"
                assert "{" not in said and "None" not in said
                assert is_chinese(said) == (language == "zh")


@pytest.mark.parametrize("model_type", configs())
def test_query_heads_that_share_a_kv_head_are_counted_in_the_layers_of_the_tensor(model_type):
    """Heads may differ by layer, as in Laguna and MiMo; the config's own number then holds for some layers alone."""
    for parts_list in parts_lists(model_type):
        for tensor in parts_list.tensors:
            if (
                tensor.kind == "bias"
                or tensor.role not in ("key", "value")
                or not any(band.kv_heads for band in tensor.output_bands)
            ):
                continue
            stack, _, inside = tensor.name.partition(".*.")
            module = f"{stack}.*.{inside.partition('.')[0]}."
            [own] = heads(tensor, "key", "value")
            shared = set()
            for layer in tensor.layers:
                queries = set()
                for other in parts_list.tensors:
                    if layer in (other.layers or ()) and other.kind == "matrix" and other.name.startswith(module):
                        queries |= heads(other, "query", "query_and_gate")
                shared |= {number // own for number in queries}
            said = whole_numbers(sentence("en", tensor, parts_list))
            assert query_heads_for_a_kv_head(tensor, parts_list) == tuple(sorted(shared))
            if shared != {1}:
                assert shared <= set(said), (tensor.name, said)
            assert own in said and tensor.output_bands[0].width in said


@pytest.mark.parametrize(("model_type", "groups"), [("mimo_v2_flash", [16, 8]), ("laguna", [6])])
def test_heads_that_differ_by_layer(model_type, groups):
    parts_list = Model.of({"model_type": model_type}).parts_list
    keys = [tensor for tensor in parts_list.tensors if tensor.role == "key"]
    assert [query_heads_for_a_kv_head(tensor, parts_list) for tensor in keys] == [(group,) for group in groups]
    for tensor, group in zip(keys, groups, strict=True):
        assert sentence("en", tensor, parts_list).startswith(f"{group} query heads share one kv head")


def test_one_key_matrix_beside_query_matrices_of_several_numbers_of_heads():
    """Laguna's windows may have more query heads over the same keys."""
    config = {
        "model_type": "laguna",
        "hidden_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "num_attention_heads_per_layer": [4, 8, 4],
        "intermediate_size": 96,
        "moe_intermediate_size": 32,
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "vocab_size": 100,
    }
    parts_list = Model.of(config).parts_list
    [key] = [tensor for tensor in parts_list.tensors if tensor.role == "key"]
    assert key.layers == (0, 1, 2) and query_heads_for_a_kv_head(key, parts_list) == (2, 4)
    assert "2 or 4 query heads share one kv head" in sentence("en", key, parts_list)
    assert "每 2 或 4 个查询头" in sentence("zh", key, parts_list)


@pytest.mark.parametrize("model_type", configs())
def test_heads_and_widths_in_a_sentence_make_up_the_side_they_speak_of(model_type):
    speaking = (
        "query",
        "key",
        "value",
        "attention_output",
        "query_up",
        "key_value_up",
        "query_and_gate",
        "linear_query",
        "linear_key",
    )
    for parts_list in parts_lists(model_type):
        for tensor in parts_list.tensors:
            if tensor.kind == "bias" or tensor.role not in speaking or not (tensor.output_bands or tensor.input_bands):
                continue
            side = tensor.output.value if tensor.output_bands else tensor.input.value
            [band] = tensor.output_bands or tensor.input_bands
            assert band.heads * band.width == side
            assert {band.heads, band.width} <= set(whole_numbers(sentence("en", tensor, parts_list)))


@pytest.mark.parametrize("model_type", configs())
def test_a_final_norm_comes_after_the_layers_of_its_own_stack(model_type):
    for parts_list in parts_lists(model_type)[:4]:
        for tensor in parts_list.tensors:
            if tensor.role == "final_norm" and tensor.kind == "scale":
                around = [stack for stack in parts_list.stacks if tensor.name.startswith(f"{stack}.")]
                layers = parts_list.stacks[max(around, key=len)] if around else sum(parts_list.stacks.values())
                assert whole_numbers(sentence("en", tensor, parts_list)) == [layers]


@pytest.mark.parametrize("language", LANGUAGES)
def test_positions_with_rows_to_spare_are_not_all_called_positions(language):
    """OPT's table has 2,050 rows for 2,048 positions."""
    parts_list = Model.of({"model_type": "opt"}).parts_list
    said = sentence(language, parts_list.named("model.decoder.embed_positions.weight"), parts_list)
    assert whole_numbers(said) == [2050, 2048, 2]


def test_a_bias_of_experts_is_one_for_each_of_them():
    parts_list = Model.of({"model_type": "gpt_oss"}).parts_list
    said = sentence("en", parts_list.named("model.layers.*.mlp.experts.gate_up_proj_bias"), parts_list)
    assert whole_numbers(said) == [128, 5760]


@pytest.mark.parametrize("language", LANGUAGES)
def test_zero_experts_hold_no_parameters_and_are_told_apart(language):
    """LongCat-Flash: 512 experts and 256 that give back what they get; published as 560B, 18.6B to 31.3B of them active."""
    parts_list = Model.of({"model_type": "longcat_flash"}).parts_list
    router, gate_up, down = (
        parts_list.named(f"model.layers.*.mlp.{name}")
        for name in ("router.classifier.weight", "experts.gate_up_proj", "experts.down_proj")
    )
    assert whole_numbers(sentence(language, router, parts_list))[:3] == [768, 512, 256]
    assert {512, 2048, 12, 256} == set(whole_numbers(sentence(language, gate_up, parts_list)))
    assert whole_numbers(title(language, gate_up)) == [512, 256] and 768 not in whole_numbers(describe(language, gate_up))
    assert {2048, 6144, 12, 512} == set(whole_numbers(sentence(language, down, parts_list)))


def test_a_token_goes_through_no_more_of_longcat_than_twelve_real_experts():
    parts_list = Model.of({"model_type": "longcat_flash"}).parts_list
    experts = [tensor for tensor in parts_list.tensors if tensor.experts]
    one = 3 * 6144 * 2048
    assert sum(tensor.active_parameters for tensor in experts) == 28 * 12 * one
    others = sum(tensor.parameters for tensor in parts_list.tensors if not tensor.experts)
    assert active_parameters(parts_list.tensors) == others + 28 * 12 * one
    embedding = 131072 * 6144
    assert math.isclose(active_parameters(parts_list.tensors) - embedding, 31.3e9, rel_tol=0.005)
    unread = 28 * 256 * 2 * 2048 * 6144
    assert math.isclose(sum(tensor.parameters for tensor in parts_list.tensors) - unread, 560e9, rel_tol=0.005)
