"""The catalogue holds what was published: totals, parts, the Hub's own count, and where each comes from."""

import json
from pathlib import Path

import pytest

from calc import ConfigError, parameters, parameters_by_part
from calc.catalogue import FAMILIES, by_family, catalogue, find_model, published_value, rounds_to
from calc.model import Model

FIXTURE = Path(__file__).parents[1] / "fixtures" / "models.json"
PUBLISHED = {model["id"].partition(" (")[0]: model for model in json.loads(FIXTURE.read_text(encoding="utf-8"))}
PART_OF = {"mlp": "ffn", "pos_embedding": "embedding", "router": "ffn", "routed_experts": "ffn", "shared_expert": "ffn"}

PERIODS = {"full_attention_interval", "full_attn_idxs", "hybrid_override_pattern", "interleave_moe_layer_step"}

MODELS = pytest.mark.parametrize("model", [*map(Model.of, catalogue())], ids=catalogue())


def published_parts(fact):
    """The published breakdown under this package's names of the parts."""
    parts = dict.fromkeys(("embedding", "attention", "ffn", "norm", "lm_head", "other"), 0)
    for name, count in fact["breakdown"].items():
        parts[PART_OF.get(name, name)] += count
    return parts


def test_every_published_model_is_in_the_catalogue():
    assert {model.hub_id for model in catalogue().values()} == set(PUBLISHED)


def test_the_reference_models_come_first():
    names = ["llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3-8b", "tinyllama-1.1b", "gpt2"]
    assert list(catalogue())[:6] == names


@MODELS
def test_the_count_is_the_published_count(model):
    fact = PUBLISHED[model.entry.hub_id]
    tensors = model.parts_list.tensors
    assert parameters(tensors) == fact["params_exact"] == model.parameters
    if "breakdown" in fact:
        assert parameters_by_part(tensors) == published_parts(fact)


def test_only_models_of_several_kinds_of_layer_have_no_parts_counted_by_hand():
    without = {fact["model_type"] for fact in PUBLISHED.values() if "breakdown" not in fact}
    assert without == {"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "mamba", "jamba", "nemotron_h", "lfm2"}


@MODELS
def test_the_config_is_of_the_published_type(model):
    assert model.entry.config["model_type"] == PUBLISHED[model.entry.hub_id]["model_type"]


@MODELS
def test_the_hub_total_is_explained_to_the_element(model):
    assert model.entry.hub_total == PUBLISHED[model.entry.hub_id]["hub_total"]
    if model.entry.hub_total is None:
        assert not model.entry.hub_gaps
    else:
        assert model.entry.hub_total - model.parameters == model.entry.hub_gap


def test_a_stored_tied_head_is_as_large_as_the_table_it_repeats():
    stored = [model for model in catalogue().values() if "tied_head_stored" in [gap.cause for gap in model.hub_gaps]]
    assert {model.name for model in stored} >= {"qwen3-0.6b", "qwen3-1.7b"}
    for model in stored:
        head = Model.of(model.name).parts_list.named("lm_head.weight")
        assert head.tied_to and head.count == model.hub_gap, model.name


@MODELS
def test_the_heads_account_for_the_published_cache(model):
    """2 bytes (bf16) for every number that the key and value projections make of one token."""
    bands = [
        (tensor.copies, band)
        for tensor in model.parts_list.tensors
        if tensor.kind == "matrix"
        for band in tensor.output_bands
        if band.role in ("key", "value")
    ]
    if not bands:
        pytest.skip("keys and values have no columns of their own")
    fact = PUBLISHED[model.entry.hub_id]
    published_bytes = fact.get("kv_bytes_per_token_bf16") or fact["kv_bytes_per_token_bf16_all_layers_full"]
    assert 2 * sum(copies * band.heads * band.width for copies, band in bands) == published_bytes


@MODELS
def test_every_entry_says_where_it_comes_from(model):
    assert model.entry.source.strip()
    assert (model.entry.published is None) == (model.entry.published_source is None)
    if model.entry.published is not None:
        assert model.entry.published_source.strip()
        assert abs(published_value(model.entry.published) / model.parameters - 1) < 0.05


@MODELS
def test_nothing_of_an_entry_but_flags_is_left_to_a_default(model):
    """A published size that were missing from the entry would be the class's, not the model's.

    A list of the layers' kinds may be missing: it follows from the period or the pattern that the entry has.
    """
    derived = {"head_dim", "n_inner", "ffn_hidden_size"}
    kinds = {"layer_types", "layers_block_type", "moe_layers"} if PERIODS & set(model.entry.config) else set()
    unsaid = [item for item in model.parts_list.assumed if item.value is not None and not isinstance(item.value, bool)]
    unsaid = [item for item in unsaid if item.field not in kinds]
    assert {item.field for item in unsaid} <= derived
    assert all(item.rule for item in unsaid), "a size took the class's default"


def test_names_and_hub_ids_are_unique_whatever_the_case():
    models = catalogue().values()
    called = [name.lower() for model in models for name in (model.name, model.hub_id)]
    assert len(called) == len(set(called))
    assert all(name == model.name for name, model in catalogue().items())
    assert len({model.title for model in models}) == len(models)


def test_every_model_has_its_place_in_one_family():
    assert list(by_family()) == list(FAMILIES)
    for family, models in by_family().items():
        assert models and [model.family_rank for model in models] == [*range(1, len(models) + 1)], family
    assert sum(map(len, by_family().values())) == len(catalogue())


def test_names_can_stand_in_an_address_unescaped():
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-") for name in catalogue())


@pytest.mark.parametrize(
    "asked",
    [
        "llama-2-7b",
        "Llama-2-7B",
        "  llama-2-7b\n",
        "meta-llama/Llama-2-7b-hf",
        "META-LLAMA/LLAMA-2-7B-HF",
        "\tmeta-llama/llama-2-7b-hf ",
    ],
)
def test_a_model_is_found_by_name_and_by_hub_id(asked):
    assert find_model(asked) is catalogue()["llama-2-7b"]


@pytest.mark.parametrize(
    ("asked", "code", "similar"),
    [
        ("llama-2-7", "unknown_model_similar", "llama-2-7b"),
        ("tinylama-1.1b", "unknown_model_similar", "tinyllama-1.1b"),
        ("", "unknown_model", None),
        ("   ", "unknown_model", None),
        ("\ud800\n{value}%s", "unknown_model", None),
        ("x" * 1_000_000, "unknown_model", None),
    ],
    ids=["a letter short", "a letter wrong", "empty", "spaces", "hostile", "a million letters"],
)
def test_an_unknown_model_is_refused_in_one_line(asked, code, similar):
    with pytest.raises(ConfigError) as refusal:
        find_model(asked)
    assert refusal.value.code == code
    assert refusal.value.details.get("similar") == similar
    assert len(str(refusal.value).splitlines()) == 1 and len(str(refusal.value)) < 1000


@pytest.mark.parametrize(
    ("exact", "published", "same"),
    [
        (6_738_415_616, "6.74B", True),
        (6_738_415_616, "6.73B", False),
        (6_738_415_616, "6.7B", True),
        (6_738_415_616, "7B", True),
        (13_015_864_320, "13.0B", True),
        (68_976_648_192, "70B", False),
        (68_976_648_192, "69B", True),
        (8_030_261_248, "8.03B", True),
        (1_100_048_384, "1.1B", True),
        (124_439_808, "124M", True),
        (124_439_808, "117M", False),
        (1_557_611_200, "1.5B", False),
        (2_500_000_000, "3B", True),  # half up, where banker's rounding gives 2B
        (2_499_999_999, "2B", True),
        (999_999, "1M", True),
        (1_500, "2K", True),
        (1_000_000_000_000, "1T", True),
    ],
)
def test_rounding_to_a_published_figure(exact, published, same):
    assert rounds_to(exact, published) is same
