"""Papers: the same for everybody, of every level, and refused with a reason where none can be made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.errors import ConfigError
from calc.learn.paper import kinds_of_paper, paper, practice
from calc.learn.questions import KINDS


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3]), st.integers(1, 60))
def test_the_kinds_of_a_paper(seed, level, n):
    kinds = kinds_of_paper(seed, level, n)
    assert len(kinds) == n
    assert all(one is not other for one, other in zip(kinds, kinds[1:], strict=False))
    easier = min(2, n - 1) if level == 2 else 0
    assert [kind.level for kind in kinds] == [1] * easier + [level] * (n - easier)
    rest = kinds[easier:]
    pages = len({kind.page for kind in KINDS.values() if kind.level == level})
    assert len({kind.page for kind in rest[:pages]}) == min(pages, len(rest))


def test_the_same_seed_is_the_same_paper_another_is_another():
    first, again, other = (paper(seed, 2, 10) for seed in (2718, 2718, 2719))
    assert [each.question.prompt for each in first] == [each.question.prompt for each in again]
    assert [each.question.prompt for each in first] != [each.question.prompt for each in other]
    assert [each.position for each in first] == list(range(1, 11))


def test_a_shorter_paper_is_the_beginning_of_a_longer_one():
    short, long = paper(11, 3, 5), paper(11, 3, 20)
    assert [each.question.given for each in short] == [each.question.given for each in long[:5]]


def test_practice_draws_one_kind_anew_each_time():
    prompts = [each.question.prompt for each in practice("attention_gqa", 5, 20)]
    assert len(set(prompts)) > 10


@pytest.mark.parametrize(
    ("arguments", "code"),
    [((-1, 1, 1), "negative"), ((1, 4, 1), "not_among"), ((1, 1, 0), "not_positive"), ((1, 1, 61), "too_big")],
)
def test_what_makes_no_paper_is_refused(arguments, code):
    with pytest.raises(ConfigError) as refused:
        paper(*arguments)
    assert refused.value.code == code
