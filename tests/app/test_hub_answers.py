"""What the Hub answered is kept, what it refused is repeated for a minute, and nobody waits for another's question."""

from __future__ import annotations

import threading

import pytest

from calc.errors import ConfigError
from ui.model.hub_answers import _ANSWERS, ANSWER_SECONDS, MAX_REFUSALS, REFUSAL_SECONDS, HubAnswers, ask

KEY = ("config", "org/name", "main")


class Clock:
    """Seconds that go forward on demand."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


class Question:
    """A question that counts how often it is asked, and answers what is laid out for it."""

    def __init__(self, *answers):
        self.answers, self.times = list(answers), 0

    def __call__(self):
        answer = self.answers[min(self.times, len(self.answers) - 1)]
        self.times += 1
        if isinstance(answer, BaseException):
            raise answer
        return answer


def refused():
    """The Hub's refusal."""
    return ConfigError("hub_failing", endpoint="https://example.org", status=503)


def test_an_answer_is_asked_for_once():
    answers, question = HubAnswers(), Question("first", "second")
    assert [answers.ask(KEY, question) for _ in range(3)] == ["first"] * 3
    assert question.times == 1 and answers.has(KEY) and not answers.has(("config", "other", "main"))


def test_an_answer_counts_for_an_hour():
    clock = Clock()
    answers, question = HubAnswers(clock=clock), Question("first", "second")
    for seconds, answer in ((0, "first"), (ANSWER_SECONDS - 1, "first"), (1, "second"), (ANSWER_SECONDS - 1, "second")):
        clock.now += seconds
        assert answers.ask(KEY, question) == answer
    clock.now += 1
    assert not answers.has(KEY)


def test_an_answer_of_none_is_an_answer():
    answers, question = HubAnswers(), Question(None)
    assert answers.ask(KEY, question) is None and answers.ask(KEY, question) is None
    assert question.times == 1


def test_a_refusal_is_repeated_for_a_minute_and_then_asked_again():
    clock = Clock()
    answers, question = HubAnswers(clock=clock), Question(refused(), "there")
    raised = []
    for seconds, left in ((0, 0), (0, 60), (30.5, 30), (29, 1)):
        clock.now += seconds
        assert answers.seconds_left(KEY) == left
        with pytest.raises(ConfigError) as error:
            answers.ask(KEY, question)
        raised.append(error.value)
    assert question.times == 1
    assert {str(error) for error in raised} == {str(refused())}
    assert len({id(error) for error in raised}) == len(raised), "each visitor's own, or their tracebacks pile up on one"
    clock.now += REFUSAL_SECONDS
    assert answers.seconds_left(KEY) == 0
    assert answers.ask(KEY, question) == "there"
    assert answers.seconds_left(KEY) == 0 and question.times == 2


def test_a_refusal_of_one_question_is_none_of_another():
    answers = HubAnswers()
    with pytest.raises(ConfigError):
        answers.ask(KEY, Question(refused()))
    assert answers.ask((*KEY, "token"), Question("there")) == "there"


@pytest.mark.parametrize("broken", [KeyboardInterrupt(), SystemExit(), RuntimeError("a fault of ours")])
def test_what_is_no_refusal_passes_through_and_is_not_kept(broken):
    answers, question = HubAnswers(), Question(broken, "there")
    with pytest.raises(type(broken)):
        answers.ask(KEY, question)
    assert answers.ask(KEY, question) == "there"


def test_what_was_asked_for_least_lately_goes_first():
    answers = HubAnswers(capacity=2)
    for name in ("a", "b"):
        answers.ask((name,), Question(name))
    answers.ask(("a",), Question("asked again"))
    answers.ask(("c",), Question("c"))
    assert [answers.has((name,)) for name in "abc"] == [True, False, True]


def test_weights_bound_what_is_kept():
    answers = HubAnswers(capacity=10, weight=len)
    for letter, length in (("a", 4), ("b", 5), ("c", 3)):
        answers.ask((letter,), Question(letter * length))
    assert [answers.has((letter,)) for letter in "abc"] == [False, True, True]
    assert answers.ask(("d",), Question("d" * 11)) == "d" * 11
    assert [answers.has((letter,)) for letter in "bcd"] == [True, True, False], "too heavy to keep, it pushes nothing out"


def test_refusals_are_bounded_too():
    answers, first = HubAnswers(), Question(refused())
    for number in range(MAX_REFUSALS + 1):
        with pytest.raises(ConfigError):
            answers.ask((number,), first if number == 0 else Question(refused()))
    assert answers.seconds_left((0,)) == 0 and answers.seconds_left((1,)) > 0


def test_nobody_waits_for_another_visitors_question():
    answers, asking, over = HubAnswers(), threading.Event(), threading.Event()

    def stalled():
        asking.set()
        assert over.wait(30)
        return "late"

    late = []
    thread = threading.Thread(target=lambda: late.append(answers.ask(KEY, stalled)))
    thread.start()
    try:
        assert asking.wait(30)
        # a lock held meanwhile would stop this thread here until the stalled question gives up
        assert answers.ask(("other",), Question("at once")) == "at once"
        assert answers.ask(KEY, Question("mine")) == "mine", "not even who asks the same"
        assert not late and thread.is_alive()
    finally:
        over.set()
        thread.join(30)
    assert late == ["late"]


def test_a_class_asking_at_once_gets_its_answers():
    answers, gate = HubAnswers(), threading.Barrier(10, timeout=30)

    def question():
        gate.wait()
        return object()

    given = []
    threads = [threading.Thread(target=lambda: given.append(answers.ask(KEY, question))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(given) == 10 and answers.ask(KEY, question) in given


def test_the_process_keeps_its_answers():
    key = ("a question of this test", object())
    with pytest.raises(ConfigError):
        ask(key, Question(refused()))
    assert 0 < _ANSWERS.seconds_left(key) <= REFUSAL_SECONDS
    other = ("another question of this test", object())
    assert ask(other, Question("kept")) == ask(other, Question("asked again")) == "kept"
