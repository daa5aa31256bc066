"""The kinds of question: their worked examples, their agreement with the parts list, and what a drawing must tell apart."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from fixtures.make_quiz_drawings import digest_of

from calc.catalogue import catalogue
from calc.learn import models
from calc.learn.drawing import MAY_MEET, VERSION, draw
from calc.learn.mistakes import FAMILIES, FORMULAS, mistakes
from calc.learn.questions import KINDS, Question
from calc.learn.questions.draws import MADE_UP
from calc.learn.questions.symbols import attention, ends, ffn, norms, total
from calc.learn.questions.texts import of_number, of_text, quiz_texts
from calc.learn.reader import read
from calc.learn.solution import diagnoses, judged, judged_step, solution, step_to_redo
from calc.learn.written import exact_text
from calc.tokens.encoding import count
from learn.counted import cache_bytes_of_a_token, matmul_flops, parameters, parameters_by_part

FIXTURES = Path(__file__).parents[1] / "fixtures"
SOURCE = json.loads((FIXTURES / "quiz_examples.json").read_text(encoding="utf-8"))["kinds"]
MISTAKES = json.loads((FIXTURES / "mistake_examples.json").read_text(encoding="utf-8"))["mistakes"]
BY_TITLE = {entry.title: name for name, entry in catalogue().items()}

CORRECTED = {
    ("kv_context", "gib_as_gb"): "gb_as_gib",  # 4.295 “GiB” is a figure in GB labelled GiB
    ("number_tokens", "bytes_are_tokens"): "start_token_counted",  # digits and ▁ and one more: what <s> adds, not bytes
}
"""Names that the source gives to a value and this code corrects."""
EXAMPLES = [(each, place) for each in SOURCE for place in range(2)]


def example_question(kind, example):
    """The question of a worked example: its model's sizes, its card, and the numbers it gives itself."""
    given = {}
    if example["model"]:
        given |= models.sizes(BY_TITLE[example["model"]]).given()
    if kind.id.startswith("experts"):
        given |= {"E": 8, "k": 2, "tied": 0}
    if "gpu" in example["given"]:
        card = models.card(example["given"]["gpu"])
        given |= card.given()
    if kind.id == "tokens_of_text":
        text = example["given"]["text"]
        given |= of_text(text, "llama-2", count("llama-2", text)).given
    if kind.id == "number_tokens":
        given |= of_number(example["given"]["text"]).given
    given |= {name: Fraction(str(value)) for name, value in example["given"].items() if isinstance(value, int | float)}
    return Question(kind, given)


def same(value, source):
    return (
        f"{value[0]:,} × {value[1]:,}" == source if isinstance(value, tuple) else float(value) == pytest.approx(source, rel=1e-12)
    )


def test_every_kind_of_the_source_is_there_as_it_says():
    assert [len(KINDS), len(EXAMPLES)] == [52, 104]
    for source in SOURCE:
        kind = KINDS[source["id"]]
        assert (kind.level, kind.page, kind.dimension, kind.unit) == tuple(
            source[key] for key in ("level", "page", "dimension", "unit")
        )
        assert kind.slack == Fraction(str(source["slack"]))


@pytest.mark.parametrize(("source", "place"), EXAMPLES, ids=lambda value: value["id"] if isinstance(value, dict) else str(value))
def test_worked_examples(source, place):
    kind, example = KINDS[source["id"]], source["examples"][place]
    question = example_question(kind, example)
    assert same(question.right, example["right"])
    for name, value in example["wrong"]:
        name = CORRECTED.get((kind.id, name), name)
        assert any(each == name and same(found, value) for each, found in question.wrongs), (name, value)
    names = {name for name, _ in question.wrongs}
    assert names.isdisjoint(example["does_not_apply"])


@pytest.mark.parametrize("source", MISTAKES, ids=lambda source: source["id"])
def test_examples_of_mistakes(source):
    mistake = mistakes()[source["id"]]
    assert mistake.needs_exact == source["needs_exact"]
    for formula, value in ((mistake.wrong, source["wrong"]), (mistake.right, source["right"])):
        if not isinstance(value, str):
            assert float(formula.value(mistake.given)) == pytest.approx(value, rel=1e-12)
    if source["id"] != "difference_one_end":  # between two models: the source names the first, this code the second
        assert mistake.title == source["example"].get("model")


def test_every_mistake_has_words_a_family_and_a_kind_that_finds_it():
    assert set(mistakes()) == set(FORMULAS)
    assert {name for kind in KINDS.values() for name in kind.misconceptions} == set(mistakes())
    assert {mistake.family for mistake in mistakes().values()} == set(FAMILIES)
    for mistake in mistakes().values():
        assert mistake.kinds and all(mistake.name) and all(mistake.why)
        assert mistake.wrong.value(mistake.given) != mistake.right.value(mistake.given)
    assert all(name in mistakes() for group in MAY_MEET for name in group)


@pytest.mark.parametrize("name", models.LLAMA_LIKE)
def test_sizes_of_named_models_say_what_their_parts_list_says(name):
    assert models.is_llama_like(name)
    given, by_part = models.sizes(name).given(), parameters_by_part(name)
    assert total.value(given) == catalogue()[name].parameters == given["N"]
    blocks = by_part["attention"], by_part["ffn"], by_part["norm"]
    assert blocks == ((given["L"] * attention).value(given), (given["L"] * ffn).value(given), norms.value(given))
    assert ends.value(given) == by_part["embedding"] + by_part["lm_head"]


@pytest.mark.parametrize("seed", range(12))
def test_made_up_models_are_counted_as_the_package_counts_them(seed):
    question = next(each for place in range(50) if (each := draw("model_total", seed, place)).words["title"] is MADE_UP)
    given = question.given
    config = {
        "model_type": "llama",
        "hidden_size": given["d"],
        "intermediate_size": given["f"],
        "num_hidden_layers": given["L"],
        "num_attention_heads": given["n_h"],
        "num_key_value_heads": given["n_kv"],
        "head_dim": given["h"],
        "vocab_size": given["V"],
        "tie_word_embeddings": bool(given["tied"]),
        "max_position_embeddings": 32768,
    }
    assert question.right == parameters(config)
    assert Question(KINDS["kv_per_token"], given).right == cache_bytes_of_a_token(config)
    if not given["tied"]:
        assert Question(KINDS["exact_matmul_flops"], {**given, "norms_n": norms.value(given)}).right == matmul_flops(config)


def test_texts_are_cut_as_the_tokenizers_cut_them():
    for text, counts in quiz_texts():
        for tokenizer, tokens in counts:
            assert count(tokenizer, text) == tokens
    for number in ("12345", "2024", "9", "1000000"):
        assert of_number(number).given["n"] == count("llama-2", number)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.id)
def test_a_drawing_tells_its_mistakes_apart(kind):
    for seed in range(25):
        question = draw(kind, seed)
        wrongs = [(name, value) for name, value in question.wrong_numbers if name not in kind.needs_exact]
        assert question.right not in [value for _, value in question.wrongs]
        if isinstance(question.right, tuple):
            continue
        assert all(abs(value / question.right_number - 1) > kind.slack for _, value in wrongs)
        for (name, one), (second, other) in combinations(wrongs, 2):
            allowed = name == second or any({name, second} <= group for group in MAY_MEET)
            assert allowed or abs(one - other) > abs(one) / 200


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.id)
def test_a_question_reads_well_and_its_solution_ends_in_the_right_value(kind):
    for seed in range(8):
        question = draw(kind, seed)
        for text in (*question.prompt, *question.hint):
            assert "{" not in text and "  " not in text and text == text.strip()
        assert question.prompt.en[0] == question.prompt.en[0].upper() or question.prompt.en.startswith(("x =", "d ="))
        assert question.prompt.zh != question.prompt.en
        lines = solution(question)
        assert lines[-1].symbols and lines[-1].numbers
        redo = step_to_redo(question)
        assert (redo is None) == (len(lines) == 1)
        if redo:
            assert exact_text(redo[0].value(question.given))


@pytest.mark.parametrize(
    ("kind", "text", "symbols", "numbers"),
    [
        ("attention_gqa", "67.1M", "4 × d × d", "4 × 4,096 × 4,096"),
        ("query_matrix", "16,384", "head_dim × head_dim", "128 × 128"),
        ("query_matrix", "524,288", "n_h × head_dim × head_dim", "32 × 128 × 128"),
        ("kv_matrix_shape", "4096 × 128", "d × head_dim", "4,096 × 128"),
        ("kv_matrix_shape", "128 × 128", "head_dim × head_dim", "128 × 128"),
    ],
)
def test_a_diagnosis_speaks_in_the_numbers_of_the_drawing(kind, text, symbols, numbers):
    """Of a mistake with two formulas, the one that gives what was typed."""
    question = Question(KINDS[kind], models.sizes("llama-3-8b").given(), {"title": "Llama-3-8B"})
    reading = read(text, question.kind.asked)
    [found] = diagnoses(question, judged(question, reading), reading)
    assert (found.symbols, found.numbers) == (symbols, numbers)


def test_a_step_that_is_asked_for_is_judged_like_any_answer():
    question = Question(KINDS["attention_gqa"], models.sizes("llama-3-8b").given(), {"title": "Llama-3-8B"})
    redo = step_to_redo(question)
    assert redo and redo[0].name.en == "the length that W_k gives out, and W_v"
    step, asked = redo
    assert judged_step(question, step, read("1,024", asked)).verdict == "right"
    assert judged_step(question, step, read("4096", asked)).verdict == "unknown"


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.id)
def test_two_hundred_drawings_are_frozen(kind):
    """A seed means the same paper for as long as the version stays. Whoever counts the version up runs the fixture's script."""
    frozen = json.loads((FIXTURES / "quiz_drawings.json").read_text(encoding="utf-8"))
    assert frozen["version"] == VERSION
    assert frozen["kinds"][kind.id] == digest_of(kind)
