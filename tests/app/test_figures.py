"""What the figures say: every product multiplies out, every sum adds up, every share is of the right whole."""

from __future__ import annotations

import itertools
import re

import pytest
from catalogue_sample import SAMPLE

from calc.catalogue import catalogue
from calc.config import field_of
from calc.model import Model
from calc.parts_list import layer_kinds
from ui.figures.addition_table import addition_table
from ui.figures.composition import composition
from ui.figures.headline import headline
from ui.figures.tensor_card import tensor_card
from ui.texts import text_in

from .arithmetic import bytes_near, value, wrong_equations
from .screen import LANGUAGES, PUBLISHED, counts, elements, is_chinese, of_class, spaced, whole_number, whole_numbers, words

EVERY_MODEL = pytest.mark.parametrize(("name", "language"), [*itertools.product(SAMPLE, LANGUAGES)])
HOSTILE = "</section><img src=x onerror=alert(1)>&amp; \"'"


def parts_list(name):
    return Model.of(name).parts_list


def cards(name, language):
    """Every tensor of a model, and its card."""
    listed = parts_list(name)
    return [(tensor, elements(tensor_card(language, tensor, listed))) for tensor in listed.tensors]


def fact(card, language, key, **values):
    """The value beside a term of the card, or None."""
    term = text_in(language, f"tensor.{key}", **values)
    terms, descriptions = list(card.iter("dt")), list(card.iter("dd"))
    found = [words(said) for name, said in zip(terms, descriptions, strict=True) if words(name) == term]
    return found[0] if found else None


class TestTensorCard:
    """The derivation of one tensor."""

    @EVERY_MODEL
    def test_every_step_of_the_equation_multiplies_out(self, name, language):
        for tensor, card in cards(name, language):
            [equation] = of_class(card, "equation")
            symbols, *steps = words(equation).split(" = ")
            assert {value(step) for step in steps} == {tensor.count}, words(equation)
            sizes = {field_of(field).symbol: size for field, size in parts_list(name).sizes.items()}
            assert value(symbols, sizes) == tensor.count, "the symbols stand for the numbers"

    @EVERY_MODEL
    def test_every_symbol_is_explained(self, name, language):
        for tensor, card in cards(name, language):
            legend = " ".join(map(words, of_class(card, "symbols")))
            for symbol in set(re.findall(r"[A-Za-z_]+", tensor.formula)) - set(parts_list(name).sizes):
                assert re.search(rf"(^|, ){symbol} = [a-z_]+", legend), (tensor.formula, legend)

    @EVERY_MODEL
    def test_shares_of_a_layer_add_up_to_one(self, name, language):
        """And those of the model; each is rounded to two digits. A share is of the first kind of layer that holds it."""
        of_layer, of_model = [], []
        for tensor, card in cards(name, language):
            for key, shares in (("of_layer", of_layer), ("of_model", of_model)):
                said = fact(card, language, key)
                adds_nothing = tensor.tied_to or tensor.kind == "buffer"
                assert (said is None) == (bool(adds_nothing) or (key == "of_layer" and tensor.layers is None))
                if said is not None:
                    shares.append(float(said.removesuffix("%")))
        if len(layer_kinds(parts_list(name))) == 1:
            assert sum(of_layer) == pytest.approx(100, abs=0.005 * len(of_layer))
        assert sum(of_model) == pytest.approx(100, abs=0.005 * len(of_model))

    @pytest.mark.parametrize("name", SAMPLE)
    def test_a_small_share_is_written_as_people_write_it(self, name):
        """The final norm of Llama-2-7B is 0.00006% of the model, not 6e-05%."""
        for _, card in cards(name, "en"):
            assert not re.search(r"\de[+-]?\d", words(card)), words(card)

    @EVERY_MODEL
    def test_bytes_are_two_for_each_number(self, name, language):
        for tensor, card in cards(name, language):
            assert bytes_near(fact(card, language, "bytes"), 2 * tensor.count)
            if tensor.copies > 1:
                assert bytes_near(fact(card, language, "all_bytes"), 2 * tensor.copies * tensor.count)
                copies = fact(card, language, "all_copies", copies=f"{tensor.copies:,}")
                assert whole_number(copies) == tensor.copies * tensor.count

    @EVERY_MODEL
    def test_it_speaks_of_its_tensor_in_the_readers_language(self, name, language):
        for tensor, card in cards(name, language):
            assert of_class(card, f"part-{tensor.part}")
            assert is_chinese(words(card)) == (language == "zh")
            if tensor.output.value > 1:  # `d × 1 = 2,048 × 1` reads as an equation of 1
                assert wrong_equations(spaced(card)) == []
            stored = whole_numbers(fact(card, language, "stored"))
            assert stored == list(tensor.shape)

    def test_the_shape_as_stored_and_as_used_are_told_apart(self):
        listed = parts_list("llama-3-8b")
        key = elements(tensor_card("en", listed.named("model.layers.*.self_attn.k_proj.weight"), listed))
        assert fact(key, "en", "stored") == "[1,024, 4,096] [out, in], the transpose"
        table = elements(tensor_card("en", listed.named("model.embed_tokens.weight"), listed))
        assert fact(table, "en", "stored") == "[128,256, 4,096] [in, out]"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_tied_head_adds_nothing_and_says_whose_numbers_it_uses(self, language):
        listed = parts_list("gpt2")
        card = elements(tensor_card(language, listed.named("lm_head.weight"), listed))
        assert fact(card, language, "tied") == "transformer.wte.weight"
        assert fact(card, language, "of_model") is None


class TestAddition:
    """The addition as on paper."""

    @EVERY_MODEL
    def test_every_product_is_its_rows_count_and_every_step_is_in_it(self, name, language):
        model = Model.of(name)
        table = elements(addition_table(language, model.title, model.parts_list, model.entry))
        for row in table.iter("details"):
            summary = row.find("summary")
            expression, count = (words(of_class(summary, kind)[0]) for kind in ("expression", "count"))
            if re.fullmatch(r"[\d,×+ ]+", expression):
                assert value(expression) == whole_number(count)
            else:
                assert whole_number(count) == 0, "only what is tied has no product"
            within, layers = 0, 1
            for line in row.iter("tr"):
                number = whole_number(words(line[-1]))
                if line.get("class") == "subtotal":
                    assert number == within, "a layer is the sum of its tensors"
                    assert f"{number:,}" in expression
                    within = 0
                else:
                    repeated = re.match(r"([\d,]+) × ", words(line[0]))
                    layers = whole_number(repeated[1]) if repeated else 1
                    within += number * layers
            if not list(row.iter("tr")) or of_class(row, "subtotal"):
                continue
            assert within == whole_number(count)
        assert sum(counts(table)) == PUBLISHED[model.entry.hub_id]["params_exact"]

    @EVERY_MODEL
    def test_the_check_holds_the_published_figures(self, name, language):
        model, fact = Model.of(name), PUBLISHED[catalogue()[name].hub_id]
        table = elements(addition_table(language, model.title, model.parts_list, model.entry))
        said = words(table.find(".//*[@class='checks']"))
        assert (fact["hub_total"] is not None) == (f"{fact['hub_total']:,}" in said if fact["hub_total"] else False)
        if model.entry.published:
            assert model.entry.published in said
        if fact["hub_total"] and fact["hub_total"] != fact["params_exact"]:
            assert f"{fact['hub_total'] - fact['params_exact']:,}" in said
        assert wrong_equations(said) == []
        assert is_chinese(said) == (language == "zh")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_norms_are_counted_as_vectors(self, language):
        model = Model.of("llama-2-7b")
        table = elements(addition_table(language, model.title, model.parts_list, model.entry))
        assert any("65" in words(row) and "65 × 4,096" in words(row) for row in table.iter("summary"))


class TestComposition:
    """The bar."""

    @EVERY_MODEL
    def test_its_pieces_are_the_parts(self, name, language):
        figure = elements(composition(language, parts_list(name)))
        total = PUBLISHED[catalogue()[name].hub_id]["params_exact"]
        pieces = [float(re.search(r"flex-grow:([\d.]+)", piece.get("style"))[1]) for piece in of_class(figure, "bar")[0]]
        legend = [(words(entry.find("b")), words(entry)) for entry in figure.iter("li")]
        assert sum(whole_number(count) for count, _ in legend) == total
        for piece, (count, entry) in zip(pieces, legend, strict=True):
            assert piece == pytest.approx(whole_number(count) / total, abs=1e-6)
            [said] = re.findall(r"([\d.]+(?:e-\d+)?)%", entry)
            assert float(said) == pytest.approx(
                100 * whole_number(count) / total, rel=0.5 if float(said) < 0.01 else 0, abs=0.005
            )
        spoken = of_class(figure, "bar")[0].get("aria-label")
        assert spoken.count("%") == len(legend) and is_chinese(spoken) == (language == "zh")

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(("name", "tied"), [("llama-2-7b", True), ("gpt2", False)])
    def test_a_head_that_comes_or_goes_is_a_difference(self, name, tied, language):
        base = parts_list(name)
        changed = Model.of({**catalogue()[name].config, "tie_word_embeddings": tied}).parts_list
        said = words(elements(composition(language, changed, base)))
        assert ("−131,072,000" if tied else "+38,597,376") in said


class TestHeadline:
    """The total and what stands beside it."""

    @EVERY_MODEL
    def test_the_total_its_bytes_and_a_check(self, name, language):
        model = Model.of(name)
        line = elements(headline(language, model.parts_list, model.entry))
        exact = PUBLISHED[model.entry.hub_id]["params_exact"]
        [total] = [element for element in line.iter() if element.get("data-total")]
        assert total.get("data-total") == str(exact) and words(total) == f"{exact:,}"
        sizes = [size for span in line.iter("span") for size in re.findall(r"[\d.]+ [KMGT]i?B", words(span))]
        assert len(sizes) == 2 and all(bytes_near(size, 2 * exact) for size in sizes)
        assert is_chinese(words(line)) == (language == "zh")

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        ("name", "agrees", "says"),
        [
            ("llama-2-7b", True, ["6.74B"]),
            ("llama-2-70b", False, ["70B", "−1.46%"]),
            ("llama-3-8b", True, ["8.03B"]),
            ("gpt2", True, ["124M"]),
            ("qwen3-4b", True, ["4.0B"]),
        ],
    )
    def test_the_check_agrees_only_where_the_total_rounds_to_the_figure(self, name, agrees, says, language):
        model = Model.of(name)
        line = elements(headline(language, model.parts_list, model.entry))
        assert ("✓" in words(line)) == agrees
        assert all(said in words(line) for said in says)

    def test_an_own_config_has_nothing_to_be_checked_against(self):
        assert "✓" not in words(elements(headline("en", parts_list("llama-2-7b"), None)))


class TestHostileTitles:
    """A title is text wherever it stands."""

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_title_is_never_markup(self, language):
        base, changed = parts_list("llama-2-7b"), parts_list("llama-3-8b")
        pieces = [
            addition_table(language, HOSTILE, base, None),
            addition_table(language, HOSTILE, changed, None, base),
            headline(language, changed, None, base, HOSTILE),
            headline(language, base, None, base, HOSTILE),
        ]
        for piece in pieces:
            read = elements(piece)
            assert list(read.iter("img")) == []
            assert HOSTILE in words(read)
