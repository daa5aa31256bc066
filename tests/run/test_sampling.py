"""Chances are those of transformers' `generate`; tokens come as often as their chances say."""

import math

import numpy as np
import pytest

from calc import ConfigError
from calc.run.checkpoint import stories
from calc.run.continuation import Continuation
from calc.run.sampling import Sampling, chances, drawn
from run.truth import truth

SAMPLINGS = ((0.7, None, None), (1.0, 5, None), (1.0, None, 0.6), (1.3, 12, 0.8), (0.2, None, 0.05), (1.0, 1, 1.0))


@pytest.mark.parametrize("number", range(len(SAMPLINGS)))
def test_chances(number):
    found = chances(truth()["sampling/logits"], Sampling(*SAMPLINGS[number]))
    np.testing.assert_allclose(found, truth()[f"sampling/{number}"], atol=1e-6)


def test_the_likeliest_at_temperature_0():
    logits = truth()["sampling/logits"]
    assert chances(logits, Sampling()).argmax() == logits.argmax() and chances(logits, Sampling()).sum() == 1


def test_the_temperatures_of_play():
    story = Continuation(stories(), truth()["stories/1/ids"].tolist(), Sampling(0.5))
    assert round(float(story.next_chances()[337]), 3) == 0.964
    assert round(float(chances(story.read().logits[-1], Sampling(1.5))[337]), 3) == 0.307
    assert round(float(story.next_probabilities()[337]), 3) == 0.587


def test_each_token_comes_with_its_chance():
    chance, draws = np.random.default_rng(0), 20_000
    possible = np.array([0.5, 0.0, 0.3, 0.2], "float32")
    counts = np.bincount([drawn(possible, chance) for _ in range(draws)], minlength=4)
    assert counts[1] == 0
    for token, expected in ((0, 0.5), (2, 0.3), (3, 0.2)):
        assert abs(counts[token] - draws * expected) < 5 * math.sqrt(draws * expected * (1 - expected))


def test_the_same_seed_writes_the_same_story():
    def story(seed):
        written = Continuation(stories(), [1], Sampling(1.0, 40, 0.95), seed)
        return [written.write().id for _ in range(30)]

    assert story(3) == story(3) != story(4)


def test_a_chosen_token_has_probability_and_chance():
    story = Continuation(stories(), [1, 403, 407], Sampling(1.0, top_k=2), seed=1)
    given, possible = story.next_probabilities().copy(), story.next_chances()
    choice = story.write()
    assert (choice.probability, choice.chance) == (float(given[choice.id]), float(possible[choice.id]))
    assert story.probabilities[0] is None and story.probabilities[3] == choice.probability < choice.chance
    assert story.probabilities[1] == pytest.approx(0.7837, abs=1e-4)  # “Once” behind BOS


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"temperature": -0.1}, "negative"),
        ({"temperature": math.nan}, "not_a_quantity"),
        ({"temperature": math.inf}, "not_a_quantity"),
        ({"temperature": 101}, "too_big"),
        ({"top_k": 0}, "not_positive"),
        ({"top_p": 0.0}, "not_a_share"),
        ({"top_p": 1.1}, "not_a_share"),
        ({"top_p": math.nan}, "not_a_share"),
    ],
)
def test_what_is_no_way_to_draw(fields, code):
    with pytest.raises(ConfigError) as refusal:
        Sampling(**fields)
    assert refusal.value.code == code


@pytest.mark.parametrize("temperature", [1e-30, 1e-3, 100])
def test_extreme_temperatures_leave_chances(temperature):
    found = chances(truth()["sampling/logits"], Sampling(temperature))
    assert np.isfinite(found).all() and found.sum() == pytest.approx(1, abs=1e-5)
