"""The table written down, read back by Python's csv, by pandas, by json and by a Markdown reader, in both languages."""

import csv
import html
import io
import json
import re

import pytest

from calc.catalogue import catalogue
from calc.comparison.columns import BY_KEY, COLUMNS
from calc.comparison.comparison import Comparison, compare, in_order_of, model_row
from calc.comparison.export import comparison_csv, comparison_document, comparison_markdown
from comparison.models import compared, own

SHOWN = [BY_KEY[key] for key in ("parameters", "published", "verdict", "tie_word_embeddings", "num_experts", "fp16_gib")]
HEADINGS = {
    "zh": {
        "name": "名称",
        "title": "模型",
        "parameters": "参数量",
        "published": "公布值",
        "verdict": "=结论",
        "num_experts": "专家数, E",
    },
    "en": {"name": "name", "title": "model", "parameters": "parameters", "published": "published as", "num_experts": "experts"},
}
WORDS = {
    "verdict": {"rounds_to": "四舍五入相符", "round_figure": "公布的是整数"},
    "tie_word_embeddings": {True: "是", False: "否"},
}
HOSTILE = [
    "=1+1",
    "@x",
    "+1",
    "-2",
    "\tx",
    "\rx",
    "a|b",
    "a\nb",
    "a\r\nb",
    'a"b',
    "a,b",
    "<script>x</script>",
    "*a*",
    "`a`",
    "[a](b)",
    "模型|甲",
    "a\\|b",
    "|",
    "__a__",
    "a_b",
    "a&lt;b",
    "~~a~~",
    " ",
]


def table(names=("llama-2-7b", "gpt2", "mixtral-8x7b"), columns=COLUMNS):
    return compare(map(compared, names), columns)


def read_back(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@pytest.mark.parametrize("language", HEADINGS)
class TestCsvInBothLanguages:
    """What is written as utf-8-sig is read back, whatever the headings."""

    def text(self, language):
        return comparison_csv(table(columns=SHOWN), HEADINGS[language], WORDS if language == "zh" else None)

    def test_by_pythons_csv(self, language, tmp_path):
        file = tmp_path / "table.csv"
        file.write_bytes(self.text(language).encode("utf-8-sig"))
        with open(file, encoding="utf-8-sig", newline="") as opened:
            first, *lines = csv.reader(opened, strict=True)
        assert first[:3] == [HEADINGS[language][key] for key in ("name", "title", "parameters")]
        assert [line[0] for line in lines] == ["llama-2-7b", "gpt2", "mixtral-8x7b"]
        assert [int(line[2]) for line in lines] == [6_738_415_616, 124_439_808, 46_702_792_704]
        assert [line[6] for line in lines] == ["", "", "8"]
        assert float(lines[0][7]) == 13_476_831_232 / 2**30
        assert lines[0][4] == ("四舍五入相符" if language == "zh" else "rounds_to")

    def test_by_pandas(self, language, tmp_path):
        pandas = pytest.importorskip("pandas", reason="pandas comes with streamlit")
        file = tmp_path / "table.csv"
        file.write_bytes(self.text(language).encode("utf-8-sig"))
        frame = pandas.read_csv(file)
        assert list(frame.columns[:3]) == [HEADINGS[language][key] for key in ("name", "title", "parameters")]
        counts = frame[HEADINGS[language]["parameters"]]
        assert counts.dtype == "int64" and counts.tolist() == [6_738_415_616, 124_439_808, 46_702_792_704]
        assert frame[HEADINGS[language]["num_experts"]].isna().tolist() == [True, True, False]
        assert frame[HEADINGS[language]["published"]].tolist() == ["6.74B", "124M", "46.7B"]

    def test_no_heading_is_taken_for_a_formula(self, language):
        assert not any(heading.startswith(("=", "+", "-", "@")) for heading in read_back(self.text(language))[0])


def test_the_full_table_holds_every_column_and_every_model():
    everything = Comparison(tuple(map(model_row, map(compared, catalogue()))), COLUMNS)
    first, *lines = read_back(comparison_csv(everything))
    assert first == ["name", "title", *(column.key for column in COLUMNS)]
    assert [line[0] for line in lines] == list(catalogue())
    for each, line in zip(everything.rows, lines, strict=True):
        for column, text in zip(COLUMNS, line[2:], strict=True):
            value = each.value(column.key)
            assert text == ("" if value is None else str(value))


def test_the_table_as_shown_keeps_order_and_sorting():
    shown = [BY_KEY["vocab_size"], BY_KEY["parameters"]]
    rows = table(("llama-3-8b", "gpt2", "llama-2-7b"), shown).rows
    chosen = Comparison(tuple(in_order_of(rows, "parameters")), tuple(shown))
    first, *lines = read_back(comparison_csv(chosen))
    assert first == ["name", "title", "vocab_size", "parameters"]
    assert [line[0] for line in lines] == ["gpt2", "llama-2-7b", "llama-3-8b"]
    assert [each["name"] for each in comparison_document(chosen)] == ["gpt2", "llama-2-7b", "llama-3-8b"]


@pytest.mark.parametrize("name", HOSTILE)
class TestHostileNames:
    """Whatever a model is called, it stays one line and one cell, and no formula."""

    def test_in_csv(self, name):
        first, line, last = read_back(comparison_csv(compare([own(name), own("end")], SHOWN)))
        assert len(line) == len(first) and last[0] == "end"
        assert not line[0].startswith(("=", "+", "-", "@", "\t", "\r"))
        assert line[0].removeprefix("'") == name.removeprefix("'") and line[2] == "6738415616"

    def test_in_json(self, name):
        [document] = json.loads(json.dumps(comparison_document(compare([own(name)], SHOWN))))
        assert document["name"] == document["title"] == name

    def test_in_markdown(self, name):
        lines = comparison_markdown(compare([own(name)], SHOWN)).splitlines()
        assert len(lines) == 3
        cells = [re.split(r"(?<!\\)(?:\\\\)*\|", line.strip())[1:-1] for line in lines]
        assert {len(each) for each in cells} == {len(SHOWN) + 1}
        assert cells[2][1].strip() == "6,738,415,616"
        assert "<" not in cells[2][0]
        shown = html.unescape(re.sub(r"\\(.)", r"\1", cells[2][0].strip()))
        assert shown == " ".join(name.split())


class TestJson:
    """One object a model."""

    def test_its_keys_and_values(self):
        [llama, gpt2, mixtral] = json.loads(json.dumps(comparison_document(table()), allow_nan=False))
        assert list(llama) == ["name", "title", *(column.key for column in COLUMNS), "remarks"]
        assert llama["parameters"] == 6_738_415_616 and type(llama["parameters"]) is int
        assert (llama["verdict"], llama["published"], llama["tie_word_embeddings"]) == ("rounds_to", "6.74B", False)
        assert llama["fp16_gb"] == 13.476831232
        assert (gpt2["num_experts"], gpt2["remarks"]["num_experts"]) == (None, "no_such_thing")
        assert gpt2["remarks"]["lm_head_parameters"] == "tied"
        assert mixtral["num_experts"] == 8 and "num_experts" not in mixtral["remarks"]


class TestMarkdown:
    """A table of GitHub's form."""

    def test_it_reads_as_a_table(self):
        text = comparison_markdown(table(columns=SHOWN), HEADINGS["zh"], WORDS)
        heads, rules, *lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines()]
        assert heads == [
            "模型",
            "参数量",
            "公布值",
            "=结论",
            "tie\\_word\\_embeddings".replace("\\", ""),
            "专家数, E",
            "fp16_gib",
        ]
        assert rules == [":---", "---:", ":---", ":---", ":---", "---:", "---:"]
        assert lines[0] == ["Llama-2-7B", "6,738,415,616", "6.74B", "四舍五入相符", "否", "–", "12.55"]
        assert lines[1][4] == "是"
        assert [len(line) for line in lines] == [7, 7, 7]

    def test_a_small_share_does_not_read_as_nothing(self):
        text = comparison_markdown(table(("deepseek-v3",), [BY_KEY["norm_percent"]]))
        assert "0.0002" in text
