"""Gradients, and a model that learns a sentence by heart: against torch."""

import numpy as np
import pytest

from calc import ConfigError
from calc.run.backward import backward
from calc.run.checkpoint import read_model, stories
from calc.run.forward import forward
from calc.run.interventions import Interventions
from calc.run.kv_cache import KVCache
from calc.run.training import descent, loss, training_step
from run.truth import ids_of, small_files, truth, under

ONCE = ids_of("stories/1/ids")
BATCH = [[1, 338, 286, 261, 376, 298, 315, 421, 426, 13, 403], ONCE]
SEVENTH, RATE = 7, 0.05


def test_the_loss_and_the_gradient_of_every_tensor():
    step = training_step(stories(), BATCH)
    assert step.loss == pytest.approx(float(truth()["stories/loss"]), rel=1e-5)
    recorded = under("stories/gradient/")
    assert step.gradients.keys() == recorded.keys() == stories().tensors.keys()
    for name, gradient in step.gradients.items():
        assert gradient.shape == stories().tensors[name].shape and gradient.dtype == np.float32
        np.testing.assert_allclose(gradient.reshape(-1)[::SEVENTH], recorded[name], rtol=1e-3, atol=2e-6, err_msg=name)
        assert step.gradient_lengths[name] == pytest.approx(float(truth()[f"stories/gradient_length/{name}"]), rel=1e-4)


@pytest.mark.parametrize("model_type", ["llama", "mistral", "qwen2", "qwen3"])
def test_other_types_with_their_biases_and_norms(model_type):
    model, ids = read_model(small_files(model_type)), ids_of(f"{model_type}/ids")
    np.testing.assert_allclose(forward(model, ids).logits, truth()[f"{model_type}/logits"], rtol=1e-3, atol=1e-4)
    step = training_step(model, [ids])
    assert step.loss == pytest.approx(float(truth()[f"{model_type}/loss"]), rel=1e-5)
    recorded = under(f"{model_type}/gradient/")
    assert step.gradients.keys() == recorded.keys()
    for name, gradient in step.gradients.items():
        np.testing.assert_allclose(
            gradient, recorded[name], rtol=1e-3, atol=1e-4 * np.abs(recorded[name]).max() + 1e-6, err_msg=name
        )


def test_the_loss_alone_is_that_of_torch():
    together = sum(loss(stories(), ids) * (len(ids) - 1) for ids in BATCH) / 29
    assert together == pytest.approx(float(truth()["stories/loss"]), rel=1e-5)


def test_twenty_steps_are_those_of_torch():
    steps = list(descent(stories(), [ONCE], RATE, 20))
    losses = [step.loss for _, step in steps]
    np.testing.assert_allclose(losses, truth()["stories/descent"], rtol=1e-3)
    assert losses[-1] < losses[0] / 4


def test_backward_costs_twice_what_forward_does():
    step = training_step(stories(), BATCH)
    assert step.tokens == 29
    assert step.forward_flops == 29 * 518_656 + 1_280 * (10 * 11 // 2 + 19 * 20 // 2)
    assert step.backward_flops == 2 * step.forward_flops
    assert step.predicted_flops == step.forward_flops + step.backward_flops


def test_the_model_itself_stays_as_it_is():
    before = {name: tensor.copy() for name, tensor in stories().tensors.items()}
    trained, _ = list(descent(stories(), [ONCE], RATE, 2))[-1]
    assert all(np.array_equal(before[name], tensor) for name, tensor in stories().tensors.items())
    assert not np.array_equal(trained.embedding, stories().embedding)


@pytest.mark.parametrize("batch", [[], [[1]], [[1, 2], []]])
def test_nothing_to_predict(batch):
    with pytest.raises(ConfigError) as refusal:
        training_step(stories(), batch)
    assert refusal.value.code == "no_tokens"


@pytest.mark.parametrize("rate", [0, -1, float("nan")])
def test_a_rate_has_to_go_downhill(rate):
    with pytest.raises(ConfigError) as refusal:
        next(descent(stories(), [ONCE], rate, 1))
    assert refusal.value.code == "not_above_zero"


def test_only_a_whole_pass_has_a_gradient():
    cache = KVCache()
    forward(stories(), ONCE[:3], cache)
    for trace in (forward(stories(), ONCE[3:], cache), forward(stories(), ONCE, interventions=Interventions(scaling=False))):
        with pytest.raises(ValueError, match="no gradient"):
            backward(stories(), trace, np.zeros_like(trace.logits))
