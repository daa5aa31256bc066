"""Counting files: the sum is the count of the whole, the rows are counted by themselves, and every wrong file is one fault."""

import csv
import io
import json
import tracemalloc

import pytest

from calc.errors import ConfigError
from calc.tokens import file_count as files
from calc.tokens import text_files as reading
from calc.tokens.file_count import count_file, last_safe_cut
from calc.tokens.loaded import tokenizer
from calc.tokens.text_files import first_columns
from calc.tokens.vocabularies import tokenizers

from . import references
from .nasty_strings import nasty_strings

TEXTS = nasty_strings(3000, references.words_of("llama-2"), seed=21)
ROWS = [text.replace("\r", " ").replace("\n", " ") for text in TEXTS if "\0" not in text]


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks so small that the text is divided at thousands of places, in the middle of characters too."""
    monkeypatch.setattr(reading, "BLOCK_BYTES", 61)


def last_of(*arguments, **options):
    """The last report of a count."""
    *_, last = count_file(*arguments, **options)
    assert last.is_done and last.bytes_done == last.bytes_in_all
    return last


class TestWhole:
    """A file as one text."""

    def test_the_sum_is_the_count_of_the_text_cut_at_once(self, small_blocks):
        text = "".join(TEXTS)
        last = last_of(text.encode(), list(tokenizers()))
        assert last.total.tokens == tuple(len(tokenizer(name).ids(text)) for name in tokenizers())
        assert (last.total.characters, last.total.bytes) == (len(text), len(text.encode()))
        assert last.rows == (last.total,)

    def test_the_same_by_other_implementations(self, small_blocks):
        text = "".join(TEXTS)
        expected = len(references.with_sentencepiece("llama-2")(text)), len(references.with_tiktoken("llama-3")(text))
        assert last_of(text.encode(), ["llama-2", "llama-3"]).total.tokens == expected

    @pytest.mark.parametrize("name", tokenizers())
    def test_every_place_it_divides_a_text_at_is_safe(self, name):
        own = tokenizer(name)
        tried = 0
        for text in nasty_strings(3000, references.words_of(name), seed=22):
            expected = own.ids(text)
            for cut in files._SAFE_CUT.finditer(text):
                tried += 1
                assert own.ids(text[: cut.end()]) + own.ids(text[cut.end() :], at_the_beginning=False) == expected, ascii(text)
        assert tried > 1000

    def test_progress_never_goes_back_and_ends_at_the_size(self, small_blocks):
        content = "".join(TEXTS).encode()
        reports = list(count_file(content, ["llama-3"]))
        assert len(reports) > 100
        done = [report.bytes_done for report in reports]
        tokens = [report.total.tokens[0] for report in reports]
        assert done == sorted(done) and tokens == sorted(tokens) and done[-1] == len(content)
        assert [report.is_done for report in reports] == [False] * (len(reports) - 1) + [True]

    def test_it_stops_when_it_is_no_longer_asked(self):
        stream = io.BytesIO(b"one two three " * 1_000_000)
        counting = count_file(stream, ["llama-3"])
        next(counting)
        counting.close()
        assert stream.tell() <= 2 * reading.BLOCK_BYTES

    def test_memory_does_not_grow_with_the_file(self):
        content = b"one two three, four\n" * 500_000
        list(count_file(content[:1_000_000], ["llama-3"]))
        tracemalloc.start()
        for _ in count_file(io.BytesIO(content), ["llama-3"]):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < len(content) + 20_000_000, "the stream's own copy, and a few blocks"

    @pytest.mark.parametrize("content", [b"", b"\n", b" ", b"a", "吃".encode(), b"\xef\xbb\xbfa", "a b".encode("utf-16")])
    def test_short_files(self, content):
        text = content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8")
        assert last_of(content, ["llama-2"]).total.tokens == (len(tokenizer("llama-2").ids(text)),)

    def test_the_last_place_to_cut(self):
        text = "word " * 10_000 + "。" * 30_000
        assert last_safe_cut(text) == 49_999
        assert last_safe_cut("。 " * 30_000) is None and last_safe_cut("") is None and last_safe_cut("a ") == 1


class TestRows:
    """A text a line, a record, a cell."""

    def counts(self, texts, name="llama-2"):
        return [(len(tokenizer(name).ids(text)),) for text in texts]

    def test_lines(self, small_blocks):
        content = "\r\n".join(ROWS).encode()
        reports = list(count_file(content, ["llama-2"], read_as="lines"))
        rows = [row for report in reports for row in report.rows]
        texts = [row.rstrip("\r\n") for row in ROWS]
        assert [row.tokens for row in rows] == self.counts(texts)
        assert [row.number for row in rows] == list(range(1, len(ROWS) + 1))
        assert [(row.characters, row.bytes) for row in rows] == [(len(text), len(text.encode())) for text in texts]
        total = reports[-1].total
        assert total.tokens[0] == sum(row.tokens[0] for row in rows) and total.number == len(rows)
        assert len(reports) > 100

    def test_jsonl(self, small_blocks):
        lines = [json.dumps({"id": n, "message": {"content": text}}, ensure_ascii=n % 2) for n, text in enumerate(TEXTS)]
        content = b"\xef\xbb\xbf" + "\n\n".join(lines).encode()
        rows = [row for report in count_file(content, ["llama-2"], "jsonl", "message.content") for row in report.rows]
        assert [row.tokens for row in rows] == self.counts(TEXTS)
        assert [row.number for row in rows][:3] == [1, 3, 5], "the line in the file"

    def test_half_a_character_spelled_in_json(self):
        last = last_of(b'{"a": "x\\ud800"}', ["llama-3"], "jsonl", "a")
        assert last.total.tokens == (len(tokenizer("llama-3").ids("x\ufffd")),)

    def test_jsonl_lines_as_they_are(self):
        *_, last = count_file(b'{"a": 1}\n\n[2]', ["llama-3"], "jsonl")
        assert [row.tokens for row in last.rows] == self.counts(['{"a": 1}', "[2]"], "llama-3")

    def test_csv(self, small_blocks):
        texts = [text for text in TEXTS if "\0" not in text]
        table = io.StringIO(newline="")
        writer = csv.writer(table)
        writer.writerow(["id", "text, long"])
        writer.writerows((n, text) for n, text in enumerate(texts))
        content = b"\xef\xbb\xbf" + table.getvalue().encode()
        rows = [row for report in count_file(content, ["llama-2"], "csv", "text, long") for row in report.rows]
        assert [row.tokens for row in rows] == self.counts(texts)
        assert [row.number for row in rows] == list(range(1, len(texts) + 1))

    def test_a_long_cell(self):
        cell = "word " * 100_000
        assert last_of(f'text\n"{cell}"\n'.encode(), ["llama-3"], "csv").total.tokens == (len(tokenizer("llama-3").ids(cell)),)

    def test_fields_to_choose_from(self):
        record = b'\xef\xbb\xbf{"a": "x", "n": 1, "m": {"c": "y", "d": {"e": "z"}}}\n'
        assert first_columns(record, "jsonl") == ("a", "m.c", "m.d.e")
        assert first_columns(b'id,"a, b"\r\n1,2', "csv") == ("id", "a, b")
        for content in (b"", b"\n", b"[1]", b"{", b"\xff\xfe", b"[" * 100_000, b'"' * 300_000):
            assert first_columns(content, "jsonl") == ()
            first_columns(content, "csv")


class TestWrongFiles:
    """Each says what is wrong and where."""

    @pytest.mark.parametrize(
        ("content", "options", "code", "said"),
        [
            (b"abc\xff", {}, "text_not_utf8", "byte 3"),
            ("吃".encode() * 100 + b"\xe5\x90", {}, "text_not_utf8", "byte 300"),
            (bytes([0x89]) + b"PNG\r\n", {}, "text_not_utf8", "byte 0"),
            (b'{"a": "x"}\n{oops', {"read_as": "jsonl", "field": "a"}, "row_not_json", "line 2"),
            (b"[" * 100_000, {"read_as": "jsonl", "field": "a"}, "row_not_json", "line 1"),
            (b'{"a": "x"}\n{"a": 1}', {"read_as": "jsonl", "field": "a"}, "row_without_field", "line 2"),
            (b"[1]", {"read_as": "jsonl", "field": "a.b"}, "row_without_field", "line 1"),
            (b"a,b\n1,2", {"read_as": "csv", "field": "c"}, "csv_without_column", '"a", "b"'),
            (b"a,b\n1,2", {"read_as": "csv"}, "csv_without_column", '"a", "b"'),
            (b"", {"read_as": "csv", "field": "c"}, "csv_without_column", "no column"),
            (b'a\n"x', {"read_as": "csv"}, "csv_malformed", "line 2"),
        ],
    )
    def test_a_fault(self, content, options, code, said, small_blocks):
        with pytest.raises(ConfigError, match=said) as fault:
            list(count_file(content, ["llama-3"], file="notes.txt", **options))
        assert fault.value.code == code and "notes.txt" in str(fault.value)

    def test_too_large(self):
        with pytest.raises(ConfigError) as fault:
            count_file(b"a" * (files.LIMIT_BYTES + 1), ["llama-3"])
        assert fault.value.code == "text_too_large"

    def test_nowhere_to_cut(self, monkeypatch):
        monkeypatch.setattr(files, "LONGEST_STRETCH", 1_000)
        monkeypatch.setattr(reading, "BLOCK_BYTES", 500)
        with pytest.raises(ConfigError) as fault:
            list(count_file("一二三。".encode() * 1000, ["llama-3"]))
        assert fault.value.code == "text_without_breaks"

    def test_an_unknown_tokenizer_is_told_before_reading(self):
        with pytest.raises(ConfigError):
            count_file(b"a", ["lama-3"])
