"""The comparison pages without a browser: what their figures say, in both languages, and what a reader can bring."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from calc.comparison.columns import COLUMNS, GROUPS
from calc.comparison.comparison import Comparison
from calc.model import Model
from ui.comparison.entries import entry_of, model_of, row_of
from ui.comparison.table import comparison_table, headings, shown_columns
from ui.comparison.worked_cell import worked_cell
from ui.model.config_address import packed_text

from .screen import LANGUAGES, REPOSITORY, elements, figures, is_chinese, messages, of_class, whole_number, words

FOUR = ("llama-2-7b", "llama-2-13b", "llama-3-8b", "tinyllama-1.1b")
TOTALS = ["6,738,415,616", "13,015,864,320", "8,030,261,248", "1,100,048,384"]
TINY = {
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 5632,
    "num_hidden_layers": 22,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "vocab_size": 32000,
    "tie_word_embeddings": False,
}


def page(name: str, **query: str):
    """A page of the app at this address."""
    app = AppTest.from_file(str(REPOSITORY / "streamlit_app.py"), default_timeout=60)
    app.query_params.update(query)
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def chosen(app, name):
    """What the page puts into the address; AppTest does not follow the address itself beyond the first run."""
    return app.session_state["_address"].values.get(name)


def table_of(language, models, groups=GROUPS, **sorting):
    """The table of these models, read back."""
    rows = tuple(map(row_of, models))
    return elements(comparison_table(language, Comparison(rows, shown_columns(rows, groups)), **sorting))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_at_first_sight_holds_the_published_totals(language):
    table = table_of(language, FOUR)
    assert [words(cell) for cell in table.iter("button") if cell.get("data-on", "").endswith(".parameters")] == TOTALS
    assert [words(title) for title in of_class(table, "title")] == ["Llama-2-7B", "Llama-2-13B", "Llama-3-8B", "TinyLlama-1.1B"]
    head = words(next(table.iter("thead")))
    assert is_chinese(head) == (language == "zh")


def test_a_number_is_grouped_and_signed():
    cells = {cell.get("data-on"): words(cell) for cell in table_of("en", FOUR).iter("button") if cell.get("data-do") == "cell"}
    assert cells["2.vocab_size"] == "128,256" and cells["0.published_difference"] == "−1,584,384"
    assert cells["1.published_difference"] == "+15,864,320" and cells["0.kv_bytes_per_token"] == "524,288"
    assert cells["0.matmul_flops_per_token"] == "13,214,154,752" and cells["0.flops_per_token_rule"] == "13,476,831,232"


def test_columns_in_which_no_model_says_anything_are_not_shown():
    dense = {column.key for column in shown_columns([row_of(name) for name in FOUR], GROUPS)}
    mixed = {column.key for column in shown_columns([row_of("llama-2-7b"), row_of("deepseek-v3")], GROUPS)}
    assert "num_experts" not in dense and "active_parameters" not in dense and "other_parameters" not in dense
    assert {"num_experts", "num_experts_per_tok", "active_parameters"} <= mixed


def test_the_heading_of_the_sorted_column_says_so():
    table = table_of("en", FOUR, sort="parameters", descending=True)
    sorted_by = [heading for heading in table.iter("th") if heading.get("aria-sort") == "descending"]
    assert len(sorted_by) == 1 and words(sorted_by[0]).startswith("parameters")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["llama-3-8b", "deepseek-v3", "gpt2", "gpt-oss-20b"])
def test_every_cell_has_a_working_or_says_that_it_is_read(language, name):
    row = row_of(name)
    for column in COLUMNS:
        if row.value(column.key) is not None:
            section = elements(worked_cell(language, model_of(name), row, column.key))
            assert words(next(section.iter("h3"))).startswith(row.title)
            assert len(list(section.iter("p"))) >= 2


def test_the_working_of_a_kv_cache_is_the_product():
    section = elements(worked_cell("en", model_of("llama-3-8b"), row_of("llama-3-8b"), "kv_bytes_per_token"))
    assert "32·2·8·128·2 = 131,072 B" in words(section)


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_of_a_csv_are_all_different_and_in_the_language(language):
    names = headings(language)
    assert len(set(names.values())) == len(names) == len(COLUMNS) + 2
    assert sum(map(is_chinese, names.values())) >= (len(names) - 3 if language == "zh" else 0)
    assert language == "zh" or not any(map(is_chinese, names.values()))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("models", [",".join(FOUR), "gpt2", "deepseek-v3,llama-3.1-405b,mixtral-8x7b-v0.1", ""])
def test_the_comparison_page_runs(language, models):
    app = page("compare", lang=language, models=models)
    assert chosen(app, "models") == ",".join(name for name in models.split(",") if name in app_models())
    assert bool(app.info) == (models == "")


def app_models():
    from calc.catalogue import catalogue

    return catalogue()


def test_a_model_is_added_and_the_list_starts_again():
    app = page("compare", lang="en")
    app.selectbox(key="add_model").select("gpt2").run()
    assert chosen(app, "models") == ",".join((*FOUR, "gpt2")) and app.selectbox(key="add_model").value is None
    next(button for button in app.button if button.label == "Start again").click().run()
    assert chosen(app, "models") == ",".join(FOUR)


def test_a_config_of_the_readers_own_is_counted_and_stands_in_the_address():
    app = page("compare", lang="zh", models="gpt2")
    app.text_input(key="compare_own_name").input("=我的, 模型!")
    app.text_area(key="compare_own_config").input(json.dumps(TINY))
    next(button for button in app.button if button.label == "加入比较").click().run()
    models = chosen(app, "models")
    first, own = models.split(",")
    assert first == "gpt2" and model_of(own).title == "=我的, 模型!" and model_of(own).parameters == 1_100_048_384
    again = page("compare", lang="zh", models=models)
    assert chosen(again, "models") == models


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_config_that_cannot_be_counted_stays_in_its_field_with_the_reason(language):
    app = page("compare", lang=language, models="gpt2")
    app.text_area(key="compare_own_config").input('{"model_type": "llama", "hidden_size": -1}')
    next(button for button in app.button if button.label == {"zh": "加入比较", "en": "Add it"}[language]).click().run()
    assert "hidden_size" in messages(app)[0] and is_chinese(messages(app)[0]) == (language == "zh")
    assert app.text_area(key="compare_own_config").value == '{"model_type": "llama", "hidden_size": -1}'
    assert chosen(app, "models") == "gpt2"


@pytest.mark.parametrize(
    "nonsense", ["no-such-model", "a!b", "!", ",,,", "x" * 500, "%00!%00", "x!" + packed_text('{"model_type": "no"}')]
)
def test_nonsense_in_the_address_is_left_out(nonsense):
    app = page("compare", lang="en", models=f"gpt2,{nonsense}", sort="nonsense", cell="99.nonsense", groups="nonsense")
    assert chosen(app, "models") == "gpt2" and chosen(app, "sort") is None and chosen(app, "cell") is None


def test_fifty_models_at_most():
    app = page("compare", lang="en", models=",".join(["gpt2"] * 60))
    assert len(chosen(app, "models").split(",")) == 50
    assert app.selectbox(key="add_model").disabled


@pytest.mark.parametrize("language", LANGUAGES)
def test_llama_2_to_llama_3(language):
    app = page("difference", lang=language)
    figure = figures(app)
    [headline] = [element for element in figure.iter() if element.get("data-difference")]
    assert words(headline) == "+1,291,845,632"
    by_part, by_cause = of_class(figure, "waterfall")
    for section in (by_part, by_cause):
        first, *steps, last = [whole_number(words(amount)) for amount in of_class(section, "amount")]
        assert (first, last) == (6_738_415_616, 8_030_261_248) and first + sum(steps) == last
    assert [whole_number(words(amount)) for amount in of_class(by_part, "amount")][1:-1] == [788529152, -805306368, 1308622848, 0]
    assert [whole_number(words(amount)) for amount in of_class(by_cause, "amount")][1:-1] == [788529152, -805306368, 1308622848]


def test_swapping_gives_the_negative():
    app = page("difference", lang="en", before="llama-2-7b", after="tinyllama-1.1b")
    next(button for button in app.button if button.label == "Swap").click().run()
    [headline] = [element for element in figures(app).iter() if element.get("data-difference")]
    assert words(headline) == "+5,638,367,232" and chosen(app, "before") == "tinyllama-1.1b"


def test_two_models_that_are_the_same_differ_in_nothing():
    app = page("difference", lang="en", before="gpt2", after="gpt2")
    assert "±0" in words(figures(app)) and len(of_class(figures(app), "waterfall")) == 2


def test_a_models_own_config_can_be_held_against_another():
    own = entry_of(Model(TINY | {"num_hidden_layers": 23}, "mine"))
    app = page("difference", lang="en", before="tinyllama-1.1b", after=own)
    assert chosen(app, "after") == own
    [headline] = [element for element in figures(app).iter() if element.get("data-difference")]
    assert words(headline) == "+44,044,288"  # 9,437,184 + 34,603,008 + 2 · 2,048
