"""No process of a tokenizer outlives its test."""

import sys

import pytest


@pytest.fixture(autouse=True)
def no_process_is_left():
    """End those of tokenizers that a test still holds."""
    yield
    other = sys.modules.get("calc.tokens.own_tokenizer")
    for key in list(other._processes) if other else ():
        other._close(key)
