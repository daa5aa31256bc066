"""Training, a little: the loss of a few sequences, and steps of gradient descent, W ← W − rate · dW."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from calc.errors import ConfigError, quoted
from calc.run.backward import backward, loss_of
from calc.run.formulas import Array
from calc.run.forward import forward
from calc.run.interventions import NONE, Interventions
from calc.run.llama import Llama
from calc.run.prediction import training_step_flops
from calc.run.products import Products


@dataclass(frozen=True, eq=False, slots=True)
class TrainingStep:
    """The loss of a batch and what follows from it.

    loss              mean of −log(probability) over all tokens that had one before them
    gradients         by the tensor's name in the file
    tokens            that went through the model: of each sequence all but the last, which is only predicted
    forward_flops     counted while multiplying
    backward_flops    counted while multiplying
    predicted_flops   of both, from the config alone: three times forward
    """

    loss: float
    gradients: dict[str, Array]
    tokens: int
    forward_flops: int
    backward_flops: int
    predicted_flops: int

    @property
    def gradient_lengths(self) -> dict[str, float]:
        """√Σ g² of each tensor: how much it would be moved."""
        return {name: float(np.sqrt(np.sum(gradient.astype(np.float64) ** 2))) for name, gradient in self.gradients.items()}


def loss(model: Llama, ids: Sequence[int], interventions: Interventions = NONE) -> float:
    """The mean of −log(probability) of each token by those before it: forward alone, with whatever is switched off.

    Raises ConfigError: no_tokens for fewer than two, and all that `forward` raises.

    >>> from calc.run.checkpoint import stories
    >>> round(loss(stories(), [1, 403, 407, 261, 378]), 3)
    0.069
    >>> round(loss(stories(), [1, 403, 407, 261, 378], Interventions(layers_off=frozenset({2}))), 3)
    0.153
    """
    if len(ids) < 2:
        raise ConfigError("no_tokens")
    return loss_of(forward(model, ids[:-1], interventions=interventions).logits, np.array(ids[1:]))[0]


def training_step(model: Llama, batch: Sequence[Sequence[int]]) -> TrainingStep:
    """Forward and backward over a batch of sequences of ids; each token is to predict the next one.

    Raises ConfigError: no_tokens for a sequence of fewer than two, and all that `forward` raises.

    >>> from calc.run.checkpoint import stories
    >>> step = training_step(stories(), [[1, 403, 407, 261, 378]])
    >>> round(step.loss, 3), step.backward_flops == 2 * step.forward_flops, step.predicted_flops == 3 * step.forward_flops
    (0.069, True, True)
    """
    ahead, back = Products(), Products()
    lengths = [len(ids) - 1 for ids in batch]
    if not lengths or min(lengths) < 1:
        raise ConfigError("no_tokens")
    tokens, loss = sum(lengths), 0.0
    summed: dict[str, Array] = {}
    for ids, length in zip(batch, lengths, strict=True):
        trace = forward(model, ids[:-1], products=ahead)
        of_sequence, g = loss_of(trace.logits, np.array(ids[1:]))
        share = length / tokens  # the mean is over the tokens of the batch
        loss += of_sequence * share
        for name, gradient in backward(model, trace, g * np.float32(share), back).items():
            summed[name] = summed[name] + gradient if name in summed else gradient
    predicted = training_step_flops(model.description, lengths)
    return TrainingStep(loss, summed, tokens, ahead.total, back.total, predicted)


def descended(model: Llama, gradients: dict[str, Array], rate: float) -> Llama:
    """A step of SGD: W − rate · dW for every tensor. The model itself stays as it is."""
    return model.with_tensors({name: model.tensors[name] - np.float32(rate) * gradient for name, gradient in gradients.items()})


def descent(model: Llama, batch: Sequence[Sequence[int]], rate: float, steps: int) -> Iterator[tuple[Llama, TrainingStep]]:
    """So many steps on one batch: after each the model as it is then, and the step that led there.

    Raises ConfigError: not_above_zero, and all that `training_step` raises.
    """
    if not rate > 0:
        raise ConfigError("not_above_zero", "rate", value=quoted(rate))
    for _ in range(steps):
        step = training_step(model, batch)
        model = descended(model, step.gradients, rate)
        yield model, step
