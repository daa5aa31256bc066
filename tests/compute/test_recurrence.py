"""Recurrences against themselves: run on numbers that count what is done to them."""

from __future__ import annotations

import pytest

from calc.compute.flops import forward_total, prefill_flops
from calc.compute.recurrence import FLOPS_PER_STATE_NUMBER, recurrence_flops_per_token, state_numbers
from calc.mixing import RecurrenceKind
from calc.model import Model


class Counted:
    """A number that counts the products, quotients, sums and differences it takes part in."""

    done = 0

    def _one(self, _other):
        Counted.done += 1
        return Counted()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _one


def counted(step, *shapes):
    """Operations that one step does, its arguments made of counted numbers: a number, a vector, a matrix."""

    def make(shape):
        return Counted() if not shape else [make(shape[1:]) for _ in range(shape[0])]

    Counted.done = 0
    step(*map(make, shapes))
    return Counted.done


def outer_write(state, decay, key, value):
    """S ← a·S + k·v."""
    return [[decay * s + k * v for s, v in zip(row, value, strict=True)] for row, k in zip(state, key, strict=True)]


def read(state, query):
    """y = q·S: every number of the state is multiplied, and added to the sum of its column (the first to a zero)."""
    sums = [Counted() for _ in state[0]]
    for q, row in zip(query, state, strict=True):
        sums = [total + q * s for total, s in zip(sums, row, strict=True)]
    return sums


def mamba2(state, decay, key, value, query):
    read(outer_write(state, decay, key, value), query)


def mamba(state, step_size, rates, key, value, query):
    """One channel: state N × 1, its decay e^(Δ·A) different in every number."""
    decays = [step_size * rate for rate in rates]  # the exponential is not counted
    written = [[a * s + k * v for s, v in zip(row, value, strict=True)] for a, row, k in zip(decays, state, key, strict=True)]
    read(written, query)


def gated_delta(state, decay, key, value, query):
    """S ← a·S + k·(v − k·(a·S)), in the order that needs the fewest operations: decay, say, correct, write, read."""
    decayed = [[decay * s for s in row] for row in state]
    said = read(decayed, key)
    corrected = value  # v − said and the write strength are elementwise on v, not on the state
    assert len(said) == len(corrected)
    written = [[s + k * v for s, v in zip(row, corrected, strict=True)] for row, k in zip(decayed, key, strict=True)]
    read(written, query)


def rwkv(total, weights, decay, weight, first, value):
    """One channel: (e^(u+k)·v + a) ÷ (e^(u+k) + b), then a ← e^(−w)·a + e^k·v and b ← e^(−w)·b + e^k."""
    (first * value + total) / (first + weights)
    decay * total + weight * value
    decay * weights + weight


def rg_lru(state, decay, entering):
    decay * state + entering


@pytest.mark.parametrize("kind", ["mamba2", "lightning", "mlstm"])
@pytest.mark.parametrize(("keys", "values"), [(1, 1), (4, 3), (16, 8)])
def test_a_state_that_is_decayed_written_and_read(kind, keys, values):
    operations = counted(mamba2, (keys, values), (), (keys,), (values,), (keys,))
    assert operations == FLOPS_PER_STATE_NUMBER[kind] * keys * values


@pytest.mark.parametrize("size", [1, 16, 64])
def test_mambas_decay_differs_in_every_number(size):
    operations = counted(mamba, (size, 1), (), (size,), (size,), (1,), (size,))
    assert operations == FLOPS_PER_STATE_NUMBER["mamba"] * size


@pytest.mark.parametrize("kind", ["gated_delta", "kimi_delta"])
def test_the_delta_rule_asks_the_state_first(kind):
    operations = counted(gated_delta, (8, 4), (), (8,), (4,), (8,))
    assert operations == FLOPS_PER_STATE_NUMBER[kind] * 8 * 4


def test_rwkv_and_the_linear_recurrent_unit_keep_a_number_or_two_a_channel():
    assert counted(rwkv, (), (), (), (), (), ()) == FLOPS_PER_STATE_NUMBER["rwkv"]
    assert counted(rg_lru, (), (), ()) == FLOPS_PER_STATE_NUMBER["rg_lru"]


def test_every_kind_of_recurrence_has_its_figure():
    assert set(FLOPS_PER_STATE_NUMBER) == set(RecurrenceKind.__args__)


def test_mamba_130m_by_hand():
    """24 layers, 1536 channels of 16 numbers."""
    values = {"model_type": "mamba", "hidden_size": 768, "state_size": 16, "num_hidden_layers": 24, "expand": 2}
    meeting = Model.of(values).mixing
    assert [state_numbers(entry) for entry in meeting.recurrences] == [1536 * 16]
    assert recurrence_flops_per_token(meeting) == 24 * 1536 * 16 * 6


def test_a_recurrence_costs_every_token_the_same():
    values = {"model_type": "mamba2"}
    tensors, meeting = Model.of(values).tensors, Model.of(values).mixing
    assert forward_total(tensors, meeting, 1000) == 1000 * forward_total(tensors, meeting, 1)
    assert prefill_flops(tensors, meeting, 10, first=10**6).total == 10 * forward_total(tensors, meeting, 1)


def test_a_hybrid_has_both():
    values = {"model_type": "jamba"}
    one, two = (prefill_flops(Model.of(values).tensors, Model.of(values).mixing, tokens) for tokens in (1000, 2000))
    assert two.recurrence == 2 * one.recurrence > 0
    assert two.attention > 2 * one.attention > 0
