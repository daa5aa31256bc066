"""The short form of the fuzz run, a part of the suite; and that it finds what it is there to find."""

from random import Random

import pytest

from calc.errors import ConfigError
from tests.fuzz import run as fuzz
from tests.fuzz.entries import ENTRIES, Trial, tokenizer_file
from tests.fuzz.run import run


def test_a_few_thousand_hostile_inputs_do_no_harm():
    entries = {entry: often for entry, often in ENTRIES.items() if entry is not tokenizer_file}
    report = run(3_000, 12, entries)
    assert not report.findings
    for entry in entries:
        assert report.outcomes[f"{entry.__name__} answered"], "some get through the door"


def test_a_damaged_tokenizer_does_no_harm():
    assert not run(2, 12, {tokenizer_file: 1}).findings


def endless():
    while True:
        pass


def large():
    _ = bytearray(b"x") * (fuzz.LIMIT_MEGABYTES * 1_200_000 + int(fuzz._megabytes()) * 1_000_000)


def long_sentence():
    raise ConfigError("unknown_model", value="x" * 2_000, known="")


@pytest.mark.parametrize(
    "put, finding",
    [
        (lambda: iter(["parts: 1 is not 2"]), "parts: 1 is not 2"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (endless, "more than"),
        (large, " MB"),
        (long_sentence, "no short sentence"),
    ],
)
def test_what_a_run_finds(put, finding, monkeypatch):
    monkeypatch.setattr(fuzz, "LIMIT_SECONDS", 0.2)

    def entry(_: Random) -> Trial:
        return "given", lambda: put() or ()

    found = run(1, 1, {entry: 1}).findings
    assert any(finding in each.what for each in found)


def test_the_same_seed_makes_the_same_inputs():
    for entry in ENTRIES:
        assert repr(entry(Random(3))[0]) == repr(entry(Random(3))[0])
