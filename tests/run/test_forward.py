"""The pass is that of transformers' LlamaForCausalLM, step by step."""

import numpy as np
import pytest

from calc import ConfigError
from calc.run.checkpoint import stories
from calc.run.continuation import Continuation
from calc.run.formulas import softmax
from calc.run.forward import forward
from calc.run.interventions import Interventions
from calc.run.kv_cache import KVCache
from calc.run.logit_lens import logit_lens
from calc.run.tokens import stories_tokenizer
from run.truth import TOLERANCE, ids_of, truth, under

ONCE = ids_of("stories/1/ids")
PROMPTS = pytest.mark.parametrize("prompt", range(3))

PUBLISHED = """\
Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw a big, red ball. \
She wanted to play with it, but it was too high.
Lily's mom said, "Lily, let's go to the park." Lily was sad and didn't know what to do. She said, "I want to play with your ball, \
but I can't find it."
Lily was sad and didn't know what to do. She said, "I'm sorry, Lily. I didn't know what to do."
Lily didn't want to help her mom, so she said, "I'm sorry, mom. I didn't know what to do." Her mom said, "Don't worry, Lily. We can \
help you."""
"""What the author's readme shows the model to write, always taking the likeliest token: huggingface.co/karpathy/tinyllamas."""


@PROMPTS
def test_logits_at_every_position(prompt):
    trace = forward(stories(), ids_of(f"stories/{prompt}/ids"))
    np.testing.assert_allclose(trace.logits, truth()[f"stories/{prompt}/logits"], **TOLERANCE)


@PROMPTS
def test_hidden_states_of_every_layer(prompt):
    trace = forward(stories(), ids_of(f"stories/{prompt}/ids"))
    hidden = truth()[f"stories/{prompt}/hidden"]
    np.testing.assert_allclose(trace.stream[:-1], hidden[:-1], **TOLERANCE)
    np.testing.assert_allclose(trace.final, hidden[-1], **TOLERANCE)


@PROMPTS
def test_attention_of_every_head(prompt):
    trace = forward(stories(), ids_of(f"stories/{prompt}/ids"))
    weights = np.stack([layer.weights for layer in trace.layers])
    np.testing.assert_allclose(weights, truth()[f"stories/{prompt}/attention"], atol=1e-5)


@PROMPTS
def test_one_by_one_with_a_cache_is_the_same_as_all_at_once(prompt):
    cache, logits = KVCache(), []
    for token in ids_of(f"stories/{prompt}/ids"):
        logits.append(forward(stories(), [token], cache).logits[0])
    np.testing.assert_allclose(logits, truth()[f"stories/{prompt}/logits"], **TOLERANCE)


def test_a_prompt_may_come_in_pieces():
    cache = KVCache()
    first, second = forward(stories(), ONCE[:7], cache), forward(stories(), ONCE[7:], cache)
    np.testing.assert_allclose(np.concatenate([first.logits, second.logits]), truth()["stories/1/logits"], **TOLERANCE)
    assert (second.first, second.layers[0].weights.shape) == (7, (8, 13, 20))


def test_the_model_writes_the_published_story():
    story = Continuation(stories(), [1])
    for _ in range(256):
        story.write()
    assert stories_tokenizer().text(story.ids).startswith(PUBLISHED)
    assert len(story.ids) == len(story.probabilities) == 257


def test_the_figures_that_were_worked_by_hand():
    """Layer 4, head 4, “to” reading “She”, counted from 1; and what comes next."""
    trace = forward(stories(), ONCE)
    scores = trace.scores(3, 3)
    assert trace.layers[3].kv_head(3) == 1
    assert [round(float(step[19, 16]), 3) for step in (scores.products, scores.scaled, scores.masked)] == [16.03, 5.667, 5.667]
    assert round(float(scores.weights[19, 16]), 3) == 0.469
    assert [round(float(number), 2) for number in trace.layers[3].mixed_by(3)[19]] == [
        -0.03,
        -0.04,
        -0.4,
        0.2,
        -0.26,
        -0.3,
        0.27,
        -0.13,
    ]
    assert [round(float(trace.stream_lengths[at, 19]), 2) for at in (3, 4)] == [8.13, 10.65]
    probabilities = softmax(trace.logits[-1])
    likeliest = np.argsort(-probabilities)[:6]
    assert [stories_tokenizer().piece(token) for token in likeliest] == [" play", " e", " d", " s", " wa", " g"]
    assert [round(100 * float(probabilities[token]), 1) for token in likeliest] == [58.7, 6.6, 5.5, 3.3, 2.8, 2.7]


def test_the_lens_says_what_each_layer_would():
    lens = logit_lens(stories(), forward(stories(), ONCE))
    assert [stories_tokenizer().piece(int(row.argmax())) for row in lens] == [" to"] * 3 + [" play"] * 3
    assert [round(100 * float(row.max())) for row in lens] == [100, 99, 66, 35, 50, 59]
    np.testing.assert_allclose(lens[-1], softmax(truth()["stories/1/logits"][-1]), atol=1e-5)


def test_a_trace_holds_the_steps_between():
    trace = forward(stories(), ONCE)
    for layer, traced in zip(stories().layers, trace.layers, strict=True):
        np.testing.assert_allclose(
            traced.attention_input @ layer.query.weight.T, np.concatenate(traced.query_made, axis=1), atol=1e-5
        )
        np.testing.assert_allclose(traced.before + traced.attention_output, traced.between)
        np.testing.assert_allclose(traced.between + traced.gated @ layer.down.weight.T, traced.after, atol=1e-5)
        for head in range(8):
            mixed = traced.weights[head] @ traced.value[head // 2]
            np.testing.assert_allclose(mixed, traced.mixed_by(head), atol=1e-5)
    for layer in range(5):
        for head in range(8):
            scores = trace.scores(layer, head)
            np.testing.assert_allclose(softmax(scores.masked), scores.weights, atol=1e-5)
            assert np.isneginf(scores.masked[np.triu_indices(20, 1)]).all() and np.isfinite(scores.scaled).all()


OFF = {
    "mask": Interventions(mask=False),
    "scaling": Interventions(scaling=False),
    "head": Interventions(heads_off=frozenset({(3, 3)})),
    "layer": Interventions(layers_off=frozenset({2})),
}


@pytest.mark.parametrize("what", OFF)
def test_what_is_switched_off_is_missing(what):
    logits = forward(stories(), ONCE, interventions=OFF[what]).logits[-1]
    np.testing.assert_allclose(logits, under("stories/off/")[what], **TOLERANCE)
    assert np.abs(logits - truth()["stories/1/logits"][-1]).max() > 0.1


def test_without_a_mask_the_trace_shows_the_future():
    trace = forward(stories(), ONCE, interventions=OFF["mask"])
    scores = trace.scores(0, 0)
    assert scores.weights[0, 1:].min() > 0 and np.isfinite(scores.masked).all()
    assert forward(stories(), ONCE, interventions=OFF["layer"]).scores(2, 0) is None


def test_everything_is_float32():
    trace = forward(stories(), ONCE)
    arrays = [
        array for layer in trace.layers for name in layer.__slots__ if isinstance(array := getattr(layer, name), np.ndarray)
    ]
    arrays += [trace.stream, trace.final, trace.logits, logit_lens(stories(), trace), *trace.layers[0].weight_rows]
    assert {array.dtype for array in arrays} == {np.dtype("float32")}


@pytest.mark.parametrize(
    ("ids", "code"), [([], "no_tokens"), ([512], "no_such_token"), ([-1], "no_such_token"), ([1] * 513, "context_over_limit")]
)
def test_what_cannot_be_read_is_refused(ids, code):
    with pytest.raises(ConfigError) as refusal:
        forward(stories(), ids)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("off", "code"),
    [
        (Interventions(layers_off=frozenset({5})), "no_such_part"),
        (Interventions(heads_off=frozenset({(0, 8)})), "no_such_part"),
        (Interventions(heads_off=frozenset({(-1, 0)})), "no_such_part"),
        (Interventions(layers_off=frozenset(range(5))), "no_layer_left"),
    ],
)
def test_parts_that_are_not_there_cannot_be_switched_off(off, code):
    with pytest.raises(ConfigError) as refusal:
        Continuation(stories(), [1], interventions=off)
    assert refusal.value.code == code


def test_a_full_context_ends_the_story():
    story = Continuation(stories(), [1] * 511)
    story.write()
    with pytest.raises(ConfigError, match="512"):
        story.write()
