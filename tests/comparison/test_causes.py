"""What makes the difference: the steps against counts made by hand, and sums that are exact for any two models."""

import itertools
import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.comparison.averaged import MOST_CHANGES, averaged_over_orders
from calc.comparison.causes import FAMILY, OTHER_FIELDS, by_cause
from calc.comparison.parts import by_part
from calc.errors import ConfigError
from calc.model import Model
from comparison.models import FIXTURES, LLAMA_FIELDS, compared, llama_configs, llama_total, own

PAIRS = random.Random(4).sample(list(itertools.permutations(catalogue(), 2)), 250)
"""Of the ordered pairs of the catalogue's models."""


LAST = (FAMILY, OTHER_FIELDS)


def assert_adds_up(before, after):
    """The steps make the whole, in all and part by part, and each running total is what it says."""
    attribution = by_cause(before, after)
    total = attribution.before
    assert (total, attribution.after) == (before.parameters, after.parameters)
    for step in attribution.steps:
        total += step.difference
        assert step.running_total == total
        assert step.difference == sum(step.by_part.values())
    assert total == after.parameters
    for part, difference in by_part(before, after).items():
        assert sum(step.by_part[part] for step in attribution.steps) == difference
    assert attribution.order == tuple(step.cause for step in attribution.steps)
    changed = [change.field for step in attribution.steps if step.cause not in LAST for change in step.changes]
    assert len(changed) == len(set(changed)), "no field is changed twice"
    return attribution


def steps(before, after):
    return [(step.cause, step.difference) for step in by_cause(before, after).steps]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_two_models_of_the_catalogue(before, after):
    attribution = assert_adds_up(compared(before), compared(after))
    assert OTHER_FIELDS not in attribution.order
    types = {catalogue()[name].config["model_type"] for name in (before, after)}
    assert (attribution.order[-1:] == (FAMILY,)) == (len(types) == 2)


@pytest.mark.parametrize(("before", "after"), PAIRS[:60])
def test_the_way_back_is_minus_the_way_there(before, after):
    there, back = by_cause(compared(before), compared(after)), by_cause(compared(after), compared(before))
    assert sum(step.difference for step in there.steps) == -sum(step.difference for step in back.steps)


@pytest.mark.parametrize("name", catalogue())
def test_a_model_differs_from_itself_in_nothing(name):
    assert by_cause(compared(name), compared(name)).steps == ()
    assert averaged_over_orders(compared(name), compared(name)) == ()


@given(llama_configs(), llama_configs())
def test_each_step_of_two_llamas_is_what_its_fields_make(config, other):
    """The fields named by a step, and no others, are changed; the rest is counted by hand."""
    before, after = Model(config, "a"), Model(other, "b")
    attribution, now = assert_adds_up(before, after), dict(config)
    for step in attribution.steps:
        previous = llama_total(now)
        for change in step.changes:
            assert (change.before, change.after) == (now[change.field], other[change.field])
            now[change.field] = change.after
        assert step.difference == llama_total(now) - previous
    assert now == other
    changed = [change.field for step in attribution.steps for change in step.changes]
    assert sorted(changed) == sorted(field for field in LLAMA_FIELDS if config[field] != other[field])


@settings(max_examples=40)
@given(llama_configs(), llama_configs())
def test_the_average_is_that_over_all_orders(config, other):
    """Every order walked through, each combination counted by hand."""
    before, after = Model(config, "a"), Model(other, "b")
    averaged = averaged_over_orders(before, after)
    if averaged is None:
        assert len(by_cause(before, after).steps) > MOST_CHANGES or any(
            config[field] != other[field] for field in ("num_attention_heads", "num_key_value_heads")
        )
        return
    units = [each.cause.split(" + ") for each in averaged]
    sums, orders = dict.fromkeys(range(len(units)), 0), list(itertools.permutations(range(len(units))))
    for order in orders:
        now = dict(config)
        for unit in order:
            previous = llama_total(now)
            now |= {field: other[field] for field in units[unit]}
            sums[unit] += llama_total(now) - previous
    for number, each in enumerate(averaged):
        assert each.difference * len(orders) == sums[number]
    assert sum(each.difference for each in averaged) == after.parameters - before.parameters


class TestKnownPairs:
    """Differences that can be checked on paper."""

    def test_independent_causes(self):
        assert steps(compared("llama-2-7b"), compared("llama-3-8b")) == [
            ("vocab_size", 2 * (128256 - 32000) * 4096),
            ("num_key_value_heads", 32 * 2 * 4096 * (8 - 32) * 128),
            ("intermediate_size", 32 * 3 * 4096 * (14336 - 11008)),
        ]

    def test_of_independent_causes_the_average_is_the_step(self):
        averaged = averaged_over_orders(compared("llama-2-7b"), compared("llama-3-8b"))
        assert [(each.cause, each.difference) for each in averaged] == steps(compared("llama-2-7b"), compared("llama-3-8b"))

    def test_two_types_that_hold_the_same(self):
        llama, mistral = compared("llama-3-8b"), compared("mistral-7b-v0.3")
        assert steps(llama, mistral) == [("vocab_size", 2 * (32768 - 128256) * 4096), (FAMILY, 0)]

    def test_the_biases_of_qwen_are_a_matter_of_the_type(self):
        last = by_cause(compared("mistral-7b-v0.3"), compared("qwen2-7b")).steps[-1]
        assert (last.cause, last.difference) == (FAMILY, 28 * (28 + 2 * 4) * 128)
        assert (last.changes[0].field, last.changes[0].before, last.changes[0].after) == ("model_type", "mistral", "qwen2")

    def test_experts_come_with_the_type(self):
        last = by_cause(compared("llama-3-8b"), compared("mixtral-8x7b")).steps[-1]
        assert last.difference == 32 * (7 * 3 * 4096 * 14336 + 4096 * 8)
        assert {"num_local_experts", "num_experts_per_tok"} <= {change.field for change in last.changes}

    def test_the_same_thing_under_two_names(self):
        """Mixtral's `intermediate_size` is Qwen3's `moe_intermediate_size`, and `num_local_experts` its `num_experts`."""
        between = {step.cause: step for step in by_cause(compared("mixtral-8x7b"), compared("qwen3-30b-a3b")).steps}
        assert between["intermediate_size"].changes[0].after == 768
        assert between["num_local_experts"].changes[0].after == 128
        assert between[FAMILY].difference == 48 * 2 * 128  # norms on queries and keys

    def test_a_number_only_the_other_type_gives_is_taken_over_where_it_counts(self):
        between = {step.cause: step for step in by_cause(compared("deepseek-v2-lite"), compared("deepseek-v3")).steps}
        change = between["q_lora_rank"].changes[0]
        assert (change.before, change.after) == (None, 1536)
        # 61 layers: d × r_q, a norm of r_q, r_q × n_h·192, instead of d × n_h·192
        wide = 128 * 192
        assert between["q_lora_rank"].difference == 61 * (7168 * 1536 + 1536 + 1536 * wide - 7168 * wide)

    def test_heads_that_would_not_divide_the_width_change_with_it(self):
        order = by_cause(compared("gpt2"), compared("gpt2-xl")).order
        assert "hidden_size + num_attention_heads" in order
        assert all(cause not in order for cause in ("hidden_size", "num_attention_heads"))

    def test_heads_and_kv_heads_change_together_where_they_are_the_same_ones(self):
        assert "num_attention_heads + num_key_value_heads" in by_cause(compared("llama-2-7b"), compared("llama-2-13b")).order

    def test_a_derived_width_does_not_follow_unseen(self):
        """Neither config gives head_dim; a wider model with as many heads would have wider ones."""
        before, after = own(hidden_size=256, num_attention_heads=4), own(hidden_size=512, num_attention_heads=8)
        assert by_cause(before, after).order == ("hidden_size", "num_attention_heads + num_key_value_heads")

    def test_layers_and_a_list_of_them_change_together(self):
        kinds = {2: ["full_attention", "linear_attention"], 3: ["linear_attention"] * 3}
        before, after = (
            Model.of({"model_type": "qwen3_next", "num_hidden_layers": layers, "layer_types": kinds[layers]}, "x")
            for layers in kinds
        )
        assert assert_adds_up(before, after).order == ("num_hidden_layers + layer_types",)

    def test_the_language_model_inside_a_wrapper(self):
        """Its numbers stand in `text_config`, and are changed there."""
        text = {"model_type": "llama", "vocab_size": 32064}
        seeing, plain = Model.of({"model_type": "llava", "text_config": text}, "x"), own(vocab_size=1000)
        assert steps(seeing, plain) == [("vocab_size", 2 * (1000 - 32064) * 4096), (FAMILY, 0)]
        assert steps(plain, seeing) == [("vocab_size", 2 * (32064 - 1000) * 4096), (FAMILY, 0)]


RECORDED = {
    file.stem: [record["config"] for record in json.loads(file.read_text(encoding="utf-8"))["records"]]
    for file in sorted((FIXTURES / "families").glob("*.json"))
}
"""Random configs of every type, with ranks, experts, layer lists and flags of all kinds."""


@pytest.mark.parametrize("module", RECORDED)
def test_random_configs_of_every_type(module):
    """Each with the next one, of its type or another, and with two known ones: the steps add up whatever the configs hold."""
    models, seen = [], Counter()
    for config in RECORDED[module]:
        seen[config["model_type"]] += 1
        if seen[config["model_type"]] > 4:
            continue
        try:
            models.append(Model(config, "x"))
        except ConfigError:  # recorded as transformers takes it, refused here with a reason
            continue
    for before, after in itertools.pairwise(models):
        assert_adds_up(before, after)
    for model in models[1:3]:
        assert_adds_up(model, compared("llama-2-7b"))
        assert_adds_up(compared("mixtral-8x7b"), model)


@given(st.data())
@settings(max_examples=60)
def test_random_pairs_of_a_llama_and_any_model(data):
    before = Model(data.draw(llama_configs()), "a")
    after = compared(data.draw(st.sampled_from(sorted(catalogue()))))
    assert_adds_up(before, after)
    assert_adds_up(after, before)
