"""The columns: what they hold for every model, against figures from outside, and what they say where there is nothing."""

import re
from fractions import Fraction

import pytest

from calc.catalogue import catalogue
from calc.comparison import readings
from calc.comparison.cells import REMARKS
from calc.comparison.columns import BY_KEY, COLUMNS, GROUPS, Column
from calc.comparison.comparison import in_order_of, model_row
from calc.comparison.workings import as_it_stands
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.model import Model
from calc.parts_list import layer_kinds
from comparison.models import FACTS, compared, own

WITH_WORKING = [column.key for column in COLUMNS if column.work is not as_it_stands]

MODELS = pytest.mark.parametrize("name", catalogue())
KINDS = {"int": (int,), "ratio": (int, float), "text": (str,), "flag": (bool,)}


@MODELS
def test_totals_and_caches_are_those_from_outside(name):
    fact, cells = FACTS[catalogue()[name].hub_id], model_row(compared(name))
    full_layers = fact.get("kv_bytes_per_token_bf16_all_layers_full", fact.get("kv_bytes_per_token_bf16"))
    assert cells.value("parameters") == fact["params_exact"]
    assert cells.value("kv_bytes_per_token") == full_layers
    fields = {"n_embd": "hidden_size", "n_layer": "num_hidden_layers", "n_head": "num_attention_heads"}
    for field, value in catalogue()[name].config.items():
        key = fields.get(field, field)
        if key in BY_KEY and value is not None and not cells.cells[key].remark:
            assert cells.value(key) == value, key


@MODELS
def test_every_cell_is_of_its_columns_kind_or_says_why_not(name):
    for key, cell in model_row(compared(name)).cells.items():
        assert cell.remark is None or cell.remark in REMARKS
        if cell.value is None:
            assert cell.remark, key
        else:
            assert type(cell.value) in KINDS[BY_KEY[key].kind], key


@MODELS
def test_parts_and_shares_add_up(name):
    cells = model_row(compared(name))
    parts = ("embedding", "attention", "ffn", "norm", "lm_head", "other")
    assert sum(cells.value(f"{part}_parameters") for part in parts) == cells.value("parameters")
    assert sum(cells.value(f"{part}_percent") for part in parts) == pytest.approx(100)
    if cells.value("layer_kinds") == 1:
        for part, key in (("attention", "attention_per_layer"), ("ffn", "ffn_per_layer")):
            if not cells.value(f"{part}_parameters"):
                assert cells.cells[key].remark == "no_such_thing"
                continue
            assert cells.value(key) * cells.value("num_hidden_layers") == cells.value(f"{part}_parameters")
            assert cells.cells[key].remark is None


def test_the_columns_stand_group_by_group_under_keys_of_their_own():
    assert [column.group for column in COLUMNS] == sorted((column.group for column in COLUMNS), key=GROUPS.index)
    assert {column.group for column in COLUMNS} == set(GROUPS)
    assert len(BY_KEY) == len(COLUMNS)
    for column in COLUMNS:
        assert re.fullmatch(r"[a-z0-9_]+", column.key) and column.formula
        named = {"%": "percent", "GB": "_gb", "GiB": "_gib", "bytes": "bytes", "FLOPs": "flops"}
        assert named.get(column.unit, "") in column.key


@pytest.mark.parametrize("model_type", FAMILIES)
def test_every_type_has_a_row(model_type):
    """Of the bare config: whatever its class assumes, no cell fails, and kinds of layers are as the parts list says."""
    try:
        model = Model({"model_type": model_type})
    except ConfigError:
        pytest.skip("its class has no default for a size")
    cells = model_row(model)
    assert cells.value("parameters") == model.parameters
    assert cells.value("layer_kinds") == len(layer_kinds(model.parts_list))
    assert all(cell.value is not None or cell.remark for cell in cells.cells.values())


class TestNothingToTell:
    """A cell without a value, and one that needs a word."""

    def remark(self, model, key):
        cell = BY_KEY[key].read(model)
        return cell.value, cell.remark

    def test_no_figure_is_known_of_somebodys_own_config(self):
        model = own(hidden_size=64, num_attention_heads=4)
        for key in ("published", "published_difference", "published_difference_percent"):
            assert self.remark(model, key) == (None, "no_published")
        assert self.remark(model, "verdict") == ("no_published", None)

    def test_how_tokens_meet_is_not_guessed(self):
        model = Model.of({"model_type": "xlnet"}, "xlnet")
        for key in ("kv_bytes_per_token", "matmul_flops_per_token"):
            assert self.remark(model, key) == (None, "not_described")

    def test_a_wrong_field_that_only_the_cache_needs_does_not_cost_the_row(self):
        model = Model.of({"model_type": "gemma3_text", "layer_types": ["full_attention"]}, "mine")
        assert self.remark(model, "kv_bytes_per_token") == (None, "not_readable")
        assert model_row(model).value("parameters") == model.parameters

    def test_layers_that_differ(self):
        deepseek = compared("deepseek-v3")
        assert self.remark(deepseek, "ffn_per_layer") == (3 * 7168 * 18432, "first_kind")
        assert self.remark(deepseek, "attention_per_layer") == (187_107_328 - 1536 - 512, None)

    def test_latent_attention_has_no_kv_heads(self):
        assert self.remark(compared("deepseek-v2-lite"), "query_heads_per_kv_head") == (None, "latent")

    def test_a_dense_model_is_active_as_a_whole(self):
        assert self.remark(compared("llama-2-7b"), "active_parameters") == (6_738_415_616, "dense")
        assert self.remark(compared("llama-2-7b"), "active_published") == (None, "dense")

    def test_a_size_without_a_field_is_read_from_the_tensors(self):
        bloom = compared("bloom-560m")
        for key, value in (("intermediate_size", 4096), ("num_key_value_heads", 16), ("head_dim", 64)):
            assert self.remark(bloom, key) == (value, "from_tensors")
        assert self.remark(compared("falcon-7b"), "num_key_value_heads") == (1, "from_tensors")

    def test_a_shared_expert_is_no_dense_ffn(self):
        assert self.remark(compared("qwen1.5-moe-a2.7b"), "intermediate_size") == (None, "no_such_thing")

    def test_a_context_the_config_does_not_give_is_the_classs_and_said_to_be(self):
        assert self.remark(own(), "max_position_embeddings") == (2048, "assumed")
        assert self.remark(own(max_position_embeddings=9000), "max_position_embeddings") == (9000, None)
        assert self.remark(own(max_position_embeddings="x"), "max_position_embeddings") == (None, "no_such_thing")

    def test_a_model_without_ffn_has_no_ratio(self):
        assert self.remark(Model.of({"model_type": "mamba"}, "mamba"), "ffn_ratio") == (None, "no_such_thing")


def value_of(numbers):
    """An expression worked out with exact fractions."""
    for sign, operator in {"×": "*", "·": "*", "÷": "/", "−": "-", "10⁹": "10**9", "2³⁰": "2**30"}.items():
        numbers = numbers.replace(sign, operator)
    assert re.fullmatch(r"[\d*/+()\- ]+", numbers)
    return eval(re.sub(r"\d+", lambda digits: f"Fraction({digits[0]})", numbers), {"Fraction": Fraction})


@MODELS
def test_each_working_comes_to_its_cell(name):
    model = compared(name)
    for key in WITH_WORKING:
        value, shown = BY_KEY[key].read(model).value, BY_KEY[key].work(model)
        if shown is None:
            assert not value, key
        else:
            exact = value_of(shown.numbers)
            assert (exact == value) if isinstance(value, int) else float(exact) == pytest.approx(value, rel=1e-12), key
            assert shown.symbols


def test_a_column_cannot_be_declared_without_its_working():
    with pytest.raises(TypeError, match="work"):
        Column("x", "total", "parameters", "int", "N", readings.total)
    with pytest.raises(ValueError, match="x is a figure without a working: write one"):
        Column("x", "total", "parameters", "int", "N", readings.total, as_it_stands)


def test_only_fields_and_texts_are_read_as_they_stand():
    others = {column.key for column in COLUMNS if column.work is as_it_stands and column.group != "config"}
    assert others == {"layer_kinds", "published", "verdict", "active_published"}
    assert all(column.work is as_it_stands for column in COLUMNS if column.group == "config")


class TestOrder:
    """Rows sorted by a column."""

    def rows(self):
        return [model_row(compared(name)) for name in ("llama-3-8b", "gpt2", "deepseek-v3", "mixtral-8x7b", "llama-2-7b")]

    def names(self, key, **options):
        return [each.name for each in in_order_of(self.rows(), key, **options)]

    def test_by_a_number(self):
        by_size = ["gpt2", "llama-2-7b", "llama-3-8b", "mixtral-8x7b", "deepseek-v3"]
        assert self.names("parameters") == by_size
        assert self.names("parameters", descending=True) == by_size[::-1]

    def test_what_has_no_value_stands_last_either_way(self):
        dense = ["llama-3-8b", "gpt2", "llama-2-7b"]
        assert self.names("num_experts") == ["mixtral-8x7b", "deepseek-v3", *dense]
        assert self.names("num_experts", descending=True) == ["deepseek-v3", "mixtral-8x7b", *dense]

    def test_by_title_and_by_text(self):
        assert self.names("title") == ["deepseek-v3", "gpt2", "llama-2-7b", "llama-3-8b", "mixtral-8x7b"]
        assert self.names("model_type")[0] == "deepseek-v3" and self.names("model_type")[1] == "gpt2"

    def test_equal_ones_keep_their_order(self):
        assert self.names("tie_word_embeddings") == ["llama-3-8b", "deepseek-v3", "mixtral-8x7b", "llama-2-7b", "gpt2"]


def test_how_tokens_meet_is_worked_out_once_a_model(monkeypatch):
    import calc.model

    asked = []
    work = calc.model.mixing_of
    monkeypatch.setattr(calc.model, "mixing_of", lambda *of: asked.append(of) or work(*of))
    model = own()
    model_row(model)
    model_row(model)
    assert len(asked) == 1
