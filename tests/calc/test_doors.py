"""What a stranger may give in place of a config.json: one sentence, at once, or the right number."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time

import pytest
from command_line import complaint_of, output_of

from calc import ConfigError, Model
from calc.read_config import read_config

GPT2 = 124_439_808
PAGE = "\n <!DOCTYPE html>\n<html><body>Sign in to continue</body></html>"


def deep(levels, opening, closing):
    return '{"model_type": "gpt2", "x": ' + opening * levels + "1" + closing * levels + "}"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}"), ('{"text_config": ', "}")])
@pytest.mark.parametrize("levels", [50, 90, 300, 480, 500, 5_000, 100_000])
def test_nested_values_are_refused_before_the_stack_is_used_up(levels, opening, closing):
    with pytest.raises(ConfigError) as refusal:
        Model.of(deep(levels, opening, closing))
    assert refusal.value.code == "too_deep"


def test_values_nested_by_a_program_are_refused_alike():
    values = {"model_type": "gpt2"}
    for _ in range(3_000):
        values = {"model_type": "llava", "text_config": values}
    endless = {"model_type": "gpt2"}
    endless["itself"] = endless
    for each in (values, endless):
        with pytest.raises(ConfigError, match="nested too deeply"):
            Model.of(each)


def test_what_is_nested_as_published_configs_are_is_counted():
    model = Model.of(deep(40, "[", "]"))
    assert model.parameters == GPT2 and hash(model) and model.deciding_values


@pytest.mark.parametrize(
    "values",
    [
        {f"field_{number}": number for number in range(80_000)},
        {"x" * 1_900_000: 1},
        {"ids": [1] * 600_000},
        {"ids": [[]] * 400_000},
    ],
    ids=["keys", "a key", "a list", "lists"],
)
def test_much_that_nobody_reads_costs_little(values):
    start = time.process_time()
    model = Model.of(json.dumps({"model_type": "gpt2"} | values))
    assert model.parameters == GPT2 and hash(model)
    assert time.process_time() - start < 3


def test_layers_that_all_differ_are_refused_at_once():
    layers = 10_000
    values = {"model_type": "gemma3n_text", "num_hidden_layers": layers, "layer_types": ["full_attention"] * layers}
    start = time.process_time()
    with pytest.raises(ConfigError) as refusal:
        Model.of(values | {"intermediate_size": list(range(1_000, 1_000 + layers))})
    assert refusal.value.code == "too_many_kinds" and refusal.value.field == "intermediate_size"
    assert time.process_time() - start < 1


def test_layers_named_one_by_one():
    """`per_layer_config` names layers: with digits alone are they numbers, and no more than a model may have kinds of."""
    named = {"model_type": "dots3_note_text", "per_layer_config": {"9" * 5_000: {}, "\u0663": {}}}
    assert Model.of(named).parameters == Model.of(named | {"per_layer_config": {}}).parameters
    every = {str(layer): {"num_attention_heads": layer + 1} for layer in range(10_000)}
    with pytest.raises(ConfigError) as refusal:
        Model.of({"model_type": "dots3_note_text", "num_hidden_layers": 10_000, "per_layer_config": every})
    assert refusal.value.code == "too_many_kinds"


@pytest.mark.parametrize("page", [PAGE, "\ufeff<html>", '<?xml version="1.0"?><Error/>', PAGE.encode()])
def test_a_web_page_is_called_one(page):
    with pytest.raises(ConfigError, match="web page"):
        read_config(page)


@pytest.fixture
def pipe(tmp_path):
    """A pipe that nobody writes to."""
    path = tmp_path / "config.json"
    os.mkfifo(path)
    return path


@pytest.fixture
def standard_input(monkeypatch):
    """What the command finds on standard input."""

    def holds(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return holds


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
class TestPipesAndDevices:
    """They may never answer, or never end."""

    @pytest.mark.parametrize(
        "command", [["count"], ["kv", "--context", "8"], ["diff", "gpt2"], ["tokens", "--tokenizer", "gpt2", "--file"]]
    )
    def test_a_pipe_is_named(self, command, pipe, capsys):
        assert "pipe" in complaint_of([*command, str(pipe)], capsys)

    def test_a_folder_whose_config_is_a_pipe(self, pipe, capsys):
        assert "pipe" in complaint_of(["count", str(pipe.parent)], capsys)

    @pytest.mark.parametrize("words", [["reconcile", "gpt2"], ["count", "--checkpoint"]])
    def test_as_a_checkpoint(self, words, pipe, capsys):
        complaint_of([*words, str(pipe)], capsys)
        complaint_of([*words, "/dev/zero"], capsys)

    @pytest.mark.parametrize("words", [["count"], ["tokens", "--tokenizer", "gpt2", "--file"]])
    def test_a_device_without_end(self, words, capsys):
        assert "device" in complaint_of([*words, "/dev/zero"], capsys)

    def test_a_shells_own_pipe_is_read(self, capsys):
        reading, writing = os.pipe()
        thread = threading.Thread(target=lambda: (os.write(writing, b'{"model_type": "gpt2"}'), os.close(writing)))
        thread.start()
        assert f"{GPT2:,} parameters" in output_of(["count", f"/dev/fd/{reading}"], capsys)
        thread.join()
        os.close(reading)


class TestStandardInput:
    """`-` in place of MODEL or of a text file."""

    def test_a_config(self, standard_input, capsys):
        standard_input(b'{"model_type": "gpt2"}')
        assert f"{GPT2:,} parameters" in output_of(["count", "-"], capsys)

    def test_a_text(self, standard_input, capsys):
        standard_input(b"I ate an apple")
        assert "4 tokens" in output_of(["tokens", "--tokenizer", "gpt2", "--file", "-"], capsys)

    @pytest.mark.parametrize(
        ("content", "named"),
        [(b"", "empty"), (b" " * 3_000_000, "at most 2 MB"), (PAGE.encode(), "web page"), (b"\xff", "UTF-8")],
    )
    def test_a_fault(self, content, named, standard_input, capsys):
        standard_input(content)
        assert named in complaint_of(["count", "-"], capsys)
