"""From text or bytes to the values of a config.json: what is read, and what is refused."""

import codecs
import json

import pytest
from config_strategies import any_json, any_text
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calc import ConfigError, Model, read_config, read_config_file

TEXT = '{"model_type": "gpt2", "_name_or_path": "模型"}'
VALUES = {"model_type": "gpt2", "_name_or_path": "模型"}


@pytest.mark.parametrize(
    "source",
    [
        TEXT,
        "\ufeff" + TEXT,
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        f"\r\n\t {TEXT}\r\n",
        json.dumps(VALUES),
    ],
    ids=["text", "text with BOM", "UTF-8", "UTF-8 with BOM", "UTF-16 LE", "UTF-16 BE", "white space", "escaped"],
)
def test_one_config_in_every_encoding(source):
    assert read_config(source) == VALUES


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e999", "null", "[[1, null], {}]"])
def test_a_strange_value_where_no_tensor_needs_it_changes_nothing(literal):
    values = read_config(f'{{"model_type": "gpt2", "rope_theta": {literal}, "initializer_range": {literal}}}')
    assert Model.of(values).parameters == 124_439_808


def test_a_key_repeated_with_one_value_is_no_fault():
    assert read_config('{"model_type": "gpt2", "n_layer": 12, "n_layer": 12}')["n_layer"] == 12


def test_a_key_repeated_as_nan_has_no_two_values():
    assert read_config('{"model_type": "gpt2", "alpha": NaN, "alpha": NaN}')["model_type"] == "gpt2"


REFUSED = {
    "empty text": ("", "empty"),
    "only white space": (" \n\t", "empty"),
    "only a BOM": ("\ufeff\n", "empty"),
    "no bytes": (b"", "empty"),
    "a list": ("[1, 2]", "not_an_object"),
    "a number": ("12", "not_an_object"),
    "infinity": ("Infinity", "not_an_object"),
    "a string": ('"llama"', "not_an_object"),
    "null": ("null", "not_an_object"),
    "true": ("true", "not_an_object"),
    "a missing brace": ('{"model_type": "llama"', "not_json"),
    "a trailing comma": ('{"model_type": "llama",}', "not_json"),
    "single quotes": ("{'model_type': 'llama'}", "not_json"),
    "a comment": ('{"model_type": "llama"} // mine', "not_json"),
    "Python's None": ('{"model_type": "llama", "head_dim": None}', "not_json"),
    "two objects": ("{}{}", "not_json"),
    "a line break in a string": ('{"model_type": "lla\nma"}', "not_json"),
    "Chinese quotes": ("{“model_type”: “llama”}", "not_json"),
    "a lone surrogate outside quotes": ('{\ud800"model_type": 1}', "not_json"),
    "a page of HTML": ("<!DOCTYPE html><html></html>", "web_page"),
    "a weights file": (b"\x80\x02}q\x00(X\x0b", "not_text"),
    "Latin-1": ('{"model_type": "llama", "author": "José"}'.encode("latin-1"), "not_text"),
    "half a UTF-16 file": (codecs.BOM_UTF16_LE + b"{\x00}", "not_text"),
    "UTF-16 without BOM": (TEXT.encode("utf-16-le"), "not_text"),
    "a 5000-digit number": ('{"hidden_size": ' + "9" * 5000 + "}", "number_too_long"),
    "a 5000-digit negative number": ('{"hidden_size": -' + "9" * 5000 + "}", "number_too_long"),
    "100,000 brackets": ("[" * 100_000, "too_deep"),
    "100,000 objects": ('{"a":' * 100_000, "too_deep"),
    "100,000 closed brackets": ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "too_deep"),
    "50 MB of text": (" " * 50_000_000, "too_large"),
    "50 MB of bytes": (bytes(50_000_000), "too_large"),
    "a size given twice": ('{"hidden_size": 4096, "hidden_size": 2048}', "repeated_key"),
    "a flag given as true and as 1": ('{"tie_word_embeddings": 1, "tie_word_embeddings": true}', "repeated_key"),
    "a nested key given twice": ('{"rope_scaling": {"factor": 8, "factor": 4}}', "repeated_key"),
    "a hostile key given twice": ('{"a\\nb{0}\\ud800": 1, "a\\nb{0}\\ud800": 2}', "repeated_key"),
    "a key of 1 MB given twice": ('{{"{}": 1, "{}": 2}}'.format("k" * 900_000, "k" * 900_000), "repeated_key"),
}


def is_one_short_line(message):
    """A message that a terminal and a page can show: one line, encodable, not a screenful."""
    return len(message.splitlines()) == 1 and len(message.encode()) < 1000


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(fault):
    source, code = REFUSED[fault]
    with pytest.raises(ConfigError) as refusal:
        read_config(source)
    assert refusal.value.code == code
    assert is_one_short_line(str(refusal.value))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("a trailing comma", "line 1, column 24"),
        ("a list", "array"),
        ("50 MB of text", "50.0 MB"),
        ("a weights file", "byte 0"),
        ("a size given twice", "hidden_size"),
        ("a nested key given twice", "factor"),
    ],
)
def test_the_message_says_where_the_fault_is(fault, said):
    with pytest.raises(ConfigError, match=said):
        read_config(REFUSED[fault][0])


def test_the_position_of_a_fault_is_counted_in_lines():
    with pytest.raises(ConfigError) as refusal:
        read_config('\ufeff{\n "model_type": "llama",\n "hidden_size": 40O96\n}')
    assert (refusal.value.details["line"], refusal.value.details["column"]) == (3, 19)
    assert "40O96" in refusal.value.details["near"]


@pytest.mark.parametrize("depth", [50, 300, 900, 960, 985, 1000, 1200, 20_000])
@pytest.mark.parametrize("field", ["hidden_size", "model_type", "unimportant", "tie_word_embeddings"])
def test_any_depth_ends_in_a_count_or_a_refusal(field, depth):
    nested = "[" * depth + "]" * depth
    source = json.dumps({"model_type": "gpt2"})[:-1] + f', "x": {nested}, "{field}": {nested}}}'
    if field == "model_type":
        source = f'{{"model_type": {nested}}}'
    try:
        Model.of(read_config(source))
    except ConfigError as refusal:
        assert is_one_short_line(str(refusal))
    else:
        assert field in ("unimportant", "hidden_size")


class TestFiles:
    """read_config_file: the same, from a path."""

    def test_a_file_is_read(self, tmp_path):
        file = tmp_path / "config.json"
        file.write_bytes(codecs.BOM_UTF8 + TEXT.encode())
        assert read_config_file(file) == read_config_file(str(file)) == VALUES

    def test_a_50_mb_file_is_refused_with_its_size(self, tmp_path):
        file = tmp_path / "model.safetensors"
        with open(file, "wb") as opened:
            opened.truncate(50_000_000)
        with pytest.raises(ConfigError, match="50.0 MB") as refusal:
            read_config_file(file)
        assert refusal.value.code == "too_large"

    @pytest.mark.parametrize("path", ["no-such.json", ".", "a\x00b", "\ud800.json", "a\nb.json", "n" * 5000])
    def test_an_unreadable_path_is_refused_in_one_line(self, path):
        with pytest.raises(ConfigError) as refusal:
            read_config_file(path)
        assert refusal.value.code == "unreadable_file"
        assert is_one_short_line(str(refusal.value))


def reads_or_refuses(source):
    try:
        values = read_config(source)
    except ConfigError as refusal:
        assert is_one_short_line(str(refusal))
    else:
        assert isinstance(values, dict)


@settings(max_examples=300)
@given(st.one_of(any_text, st.text(alphabet='{}[]",:0123456789.eE+-\\untrfalsNIiy\ufeff \n'), st.binary()))
@example("\ufeff\ufeff{}")
@example(codecs.BOM_UTF32_LE + "{}".encode("utf-32-le"))
def test_any_text_or_bytes_are_read_or_refused(source):
    reads_or_refuses(source)


@settings(max_examples=200)
@given(st.dictionaries(any_text, any_json, max_size=4).map(json.dumps), st.integers(0, 200), any_text)
def test_any_damage_to_an_object_is_read_or_refused(text, position, inserted):
    reads_or_refuses(text[:position] + inserted + text[position:])
    reads_or_refuses(text[:position])
