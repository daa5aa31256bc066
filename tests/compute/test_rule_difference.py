"""From 2N to the exact count: the causes add up, and each is what it says."""

from __future__ import annotations

import pytest

from calc.catalogue import catalogue
from calc.compute.flops import flops_by_part
from calc.compute.rule_difference import GAP_CAUSES, gap_from_rule
from calc.model import Model


def of(name, context=4096):
    return gap_from_rule(Model.of(name), context)


@pytest.mark.parametrize("name", catalogue())
def test_rule_and_causes_add_up_to_the_exact_count(name):
    model = Model.of(name)
    gap = gap_from_rule(model, 1000)
    assert 2 * model.parameters + sum(gap.values()) == sum(flops_by_part(model, 1000).values())
    assert set(gap) <= set(GAP_CAUSES) and 0 not in gap.values()


def test_llama_2_7b_leaves_out_its_embedding_and_its_norms():
    assert of("llama-2-7b") == {"lookup": -2 * 131_072_000, "vectors": -2 * 266_240, "attention": 524_288 * 4096}


def test_a_tied_head_multiplies_although_it_adds_no_parameters():
    assert of("gpt2", 1)["tied"] == 2 * 50257 * 768 and of("gpt2", 1)["lookup"] == -2 * (50257 + 1024) * 768


def test_experts_that_are_not_chosen_are_what_active_parameters_leave_out():
    model = Model.of("deepseek-v3")
    assert of("deepseek-v3")["unchosen_experts"] == 2 * (model.active_parameters - model.parameters)


def test_without_a_context_no_attention_is_claimed():
    """CPM-Ant, whose mixing is not described: tables of 31744 + 32 tokens and 1536 distances, 97 norms."""
    tables = (31744 + 32) * 4096 + 1536 * 32
    assert of({"model_type": "cpmant"}) == {"lookup": -2 * tables, "vectors": -2 * 97 * 4096}
