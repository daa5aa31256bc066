"""What was multiplied and allocated is what the rest of the package says beforehand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.sources import read_checkpoint
from calc.model import Model
from calc.run import prediction
from calc.run.checkpoint import STORIES_FOLDER, read_model, sizes_of, stories
from calc.run.continuation import Continuation
from calc.run.forward import forward
from calc.run.interventions import Interventions
from calc.run.llama import Llama
from calc.run.products import Products
from run.truth import ids_of, small_files

ONCE = ids_of("stories/1/ids")


def test_twenty_tokens_cost_what_was_worked_by_hand():
    story = Continuation(stories(), ONCE)
    story.read()
    books = story.books()
    assert books.flops_done == books.flops_predicted == 10_641_920
    assert story.products.attention == 268_800
    assert books.cache_bytes_done == books.cache_bytes_predicted == 25_600


def test_prefill_and_decode_cost_the_same():
    at_once, one_by_one = Continuation(stories(), ONCE), Continuation(stories(), ONCE[:1])
    at_once.read()
    for token in ONCE[1:]:
        one_by_one.read()
        one_by_one.ids.append(token)
        one_by_one.probabilities.append(None)
    one_by_one.read()
    assert at_once.books() == one_by_one.books()
    assert (at_once.passes, one_by_one.passes) == ([20], [1] * 20)


def test_every_role_costs_what_its_matrices_do():
    books = Products()
    forward(stories(), ONCE, products=books)
    matrices = {role: flops for role, flops in books.flops.items() if role not in ("scores", "mixing")}
    assert matrices == {role: 20 * flops for role, flops in prediction.matrix_flops_per_token(stories().description).items()}


@pytest.mark.parametrize("model_type", ["llama", "mistral", "qwen2", "qwen3"])
def test_the_other_types_too(model_type):
    story = Continuation(read_model(small_files(model_type)), [1, 2, 3])
    for _ in range(9):
        story.write()
    books = story.books()
    assert (books.tokens, books.flops_done, books.cache_bytes_done) == (11, books.flops_predicted, books.cache_bytes_predicted)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_shape(data):
    kv_heads, head_dim = data.draw(st.integers(1, 3)), 2 * data.draw(st.integers(1, 4))
    config = {
        "model_type": "llama",
        "hidden_size": data.draw(st.integers(1, 20)),
        "intermediate_size": data.draw(st.integers(1, 20)),
        "num_hidden_layers": data.draw(st.integers(1, 3)),
        "num_attention_heads": kv_heads * data.draw(st.integers(1, 3)),
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "vocab_size": data.draw(st.integers(2, 30)),
        "tie_word_embeddings": data.draw(st.booleans()),
    }
    chance = np.random.default_rng(0)
    tensors = {
        name: chance.normal(size=shape).astype("float32") for name, shape in prediction.expected_tensors(Model.of(config)).items()
    }
    off = Interventions(
        mask=data.draw(st.booleans()),
        layers_off=frozenset({0} if config["num_hidden_layers"] > 1 and data.draw(st.booleans()) else ()),
    )
    prompt = data.draw(st.lists(st.integers(0, config["vocab_size"] - 1), min_size=1, max_size=9))
    story = Continuation(Llama(sizes_of(Model.of(config)), tensors, Model.of(config)), prompt, interventions=off)
    for _ in range(data.draw(st.integers(0, 4))):
        story.write()
    story.read()
    books = story.books()
    assert books.flops_done == books.flops_predicted > 0
    assert books.cache_bytes_done == books.cache_bytes_predicted > 0


def test_without_a_mask_nothing_comes_from_the_cache():
    story = Continuation(stories(), ONCE[:4], interventions=Interventions(mask=False))
    for _ in range(3):
        story.write()
    story.read()
    assert story.passes == [4, 5, 6, 7]
    by_hand = sum(tokens * 518_656 + 1_280 * tokens * tokens for tokens in story.passes)
    assert story.books().flops_done == story.books().flops_predicted == by_hand


def test_a_layer_that_is_off_costs_and_keeps_nothing():
    story = Continuation(stories(), ONCE, interventions=Interventions(layers_off=frozenset({1, 3})))
    story.read()
    books = story.books()
    assert books.cache_bytes_done == books.cache_bytes_predicted == 25_600 * 3 // 5
    assert books.flops_done == books.flops_predicted == 65_536 * 20 + (10_641_920 - 65_536 * 20) * 3 // 5


def test_the_model_holds_what_the_catalogue_counts():
    assert stories().parameters == catalogue()["stories-260k"].parameters == 260_032
    assert stories().sizes == replace(sizes_of(Model.of("stories-260k")), rms_norm_eps=1e-5)


def test_its_file_is_reconciled_to_zero():
    reconciliation = reconcile(Model.of("stories-260k"), read_checkpoint(str(STORIES_FOLDER)))
    assert (reconciliation.expected, reconciliation.found, reconciliation.matched) == (260_032, 260_032, 47)
    assert not reconciliation.missing and not reconciliation.extra
