"""From 2N to the exact count: the causes add up, and each is what it says."""

from __future__ import annotations

import pytest

from calc.catalogue import catalogue
from calc.compute.flops import flops_by_part
from calc.compute.rule_difference import GAP_CAUSES, gap_from_rule
from calc.model import Model
from calc.parts_list import active_parameters, parameters


def of(name, context=4096):
    model = Model.of(name)
    return gap_from_rule(model.tensors, model.mixing, context)


@pytest.mark.parametrize("name", catalogue())
def test_rule_and_causes_add_up_to_the_exact_count(name):
    model = Model.of(name)
    tensors, meeting = model.tensors, model.mixing
    gap = gap_from_rule(tensors, meeting, 1000)
    assert 2 * parameters(tensors) + sum(gap.values()) == sum(flops_by_part(tensors, meeting, 1000).values())
    assert set(gap) <= set(GAP_CAUSES) and 0 not in gap.values()


def test_llama_2_7b_leaves_out_its_embedding_and_its_norms():
    assert of("llama-2-7b") == {"lookup": -2 * 131_072_000, "vectors": -2 * 266_240, "attention": 524_288 * 4096}


def test_a_tied_head_multiplies_although_it_adds_no_parameters():
    assert of("gpt2", 1)["tied"] == 2 * 50257 * 768 and of("gpt2", 1)["lookup"] == -2 * (50257 + 1024) * 768


def test_experts_that_are_not_chosen_are_what_active_parameters_leave_out():
    tensors = Model.of("deepseek-v3").tensors
    assert of("deepseek-v3")["unchosen_experts"] == 2 * (active_parameters(tensors) - parameters(tensors))


def test_without_a_context_no_attention_is_claimed():
    gap = gap_from_rule(Model.of("llama-2-7b").tensors, None, 4096)
    assert gap == {"lookup": -262_144_000, "vectors": -532_480}
