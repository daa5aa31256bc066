"""The worksheet for class and the CSV: each read back from its text and added up again."""

from __future__ import annotations

import csv
import io
import itertools
import re

import pytest
from catalogue_sample import SAMPLE

from calc.catalogue import catalogue
from calc.export import COLUMNS, parts_csv
from calc.model import Model
from ui.figures.worksheet import worksheet
from ui.texts import text_in

from .arithmetic import bytes_near, value, wrong_equations
from .screen import LANGUAGES, PUBLISHED, is_chinese, published_parts, whole_number

EVERY_MODEL = pytest.mark.parametrize(("name", "language"), [*itertools.product(SAMPLE, LANGUAGES)])


def sheet(name: str, language: str) -> list[str]:
    """The sections of a model's worksheet: its title, then one for each numbered heading."""
    model = Model.of(name)
    return re.split(r"^## \d\. ", worksheet(language, model.title, model.parts_list, model.entry), flags=re.MULTILINE)


def table(section: str) -> list[list[str]]:
    """The rows of the section's table, without its headings. Fails where a row has more or fewer cells."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    headings, rule, *body = rows
    assert all(re.fullmatch(r":?-{3,}:?", cell) for cell in rule)
    assert {len(row) for row in rows} == {len(headings)}
    return body


@EVERY_MODEL
def test_every_tensor_multiplies_out(name, language):
    _, sizes, tensors, *_ = sheet(name, language)
    symbols = {symbol: whole_number(number) for _, symbol, number in table(sizes)}
    for _, _, formula, count, copies, together in table(tensors):
        in_symbols, in_numbers = formula.split(" = ")
        assert value(in_symbols, symbols) == value(in_numbers) == whole_number(count)
        if re.search(r"\d", together):
            assert whole_number(count) * whole_number(copies) == whole_number(together)
        else:
            assert together in (text_in(language, "addition.tied"), text_in(language, "addition.buffer"))


@EVERY_MODEL
def test_the_addition_ends_in_the_published_total(name, language):
    _, _, tensors, rows, *_ = sheet(name, language)
    *parts, (_, _, last, everything) = table(rows)
    total = PUBLISHED[catalogue()[name].hub_id]["params_exact"]
    assert whole_number(last.strip("*")) == total and last.startswith("**") and everything == "100%"
    assert sum(whole_number(row[5]) for row in table(tensors) if re.search(r"\d", row[5])) == total
    published = published_parts(catalogue()[name].hub_id)
    assert published in (None, sorted(filter(None, (whole_number(count) for _, _, count, _ in parts))))
    for _, product, count, share in parts:
        assert (value(product) if re.search(r"\d", product) else 0) == whole_number(count)
        assert float(share.removesuffix("%")) == pytest.approx(100 * whole_number(count) / total, abs=0.005)


@EVERY_MODEL
def test_the_bytes_and_the_check_are_of_this_total(name, language):
    *_, in_bytes, check = sheet(name, language)
    total = PUBLISHED[catalogue()[name].hub_id]["params_exact"]
    product, exact, *rounded = in_bytes.splitlines()[2].split(" = ")
    factors = re.fullmatch(r"([\d,]+) × 16 ÷ 8", product)
    assert whole_number(factors[1]) == total and whole_number(exact.removesuffix(" B")) == 2 * total
    assert len(rounded) == 2 and all(bytes_near(size, 2 * total) for size in rounded)
    assert f"{total:,}" in check or "Hub" in check
    assert wrong_equations(check) == []


@EVERY_MODEL
def test_it_is_for_this_model_in_the_readers_language(name, language):
    model = Model.of(name)
    title, *sections = sheet(name, language)
    assert title.startswith("# ") and model.title in title
    assert len(sections) == 5
    for section in (title, *sections):
        heading = section.splitlines()[0].removeprefix("# ").replace(model.title, "")
        assert is_chinese(heading) == (language == "zh")
    rows = table(sections[1])
    assert all(is_chinese(row[1]) == (language == "zh") for row in rows)
    names = [row[0].strip("`") for row in rows]
    assert names == [tensor.name for tensor in model.parts_list.tensors]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_model_is_held_against_nothing(language):
    changed = Model.of(catalogue()["llama-3-8b"].config | {"num_hidden_layers": 40}).parts_list
    text = worksheet(language, "Llama-3-8B", changed, None)
    assert f"{8_030_261_248 + 8 * 218_112_000:,}" in text
    assert "8.03B" not in text and "## 5." not in text


@EVERY_MODEL
def test_the_csv_has_headings_in_the_readers_language_and_adds_up(name, language):
    headings = {column: text_in(language, f"column.{column}") for column in COLUMNS}
    first, *rows = csv.reader(io.StringIO(parts_csv(Model.of(name).parts_list, headings), newline=""))
    assert first == list(headings.values()) and len(set(first)) == len(first)
    assert all(is_chinese(heading) == (language == "zh") for heading in first)
    at = {column: place for place, column in enumerate(COLUMNS)}
    assert sum(int(row[at["parameters"]]) for row in rows) == PUBLISHED[catalogue()[name].hub_id]["params_exact"]
    for row in rows:
        assert (
            value(row[at["numbers"]])
            == int(row[at["count"]])
            == (int(row[at["experts"]]) * int(row[at["in"]]) * int(row[at["out"]]))
        )
